//! The modules for JavaScript: nodewise as WebAssembly.
//!
//! Input is the checkout. Output is a module. Invariant: the compiler for C is that of the
//! machine if it knows the target, else one that is installed below `target`; nothing of the system changes, except that rustup adds
//! the target if it is missing.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::checkout::cargo;
use crate::installs::{debian_program, succeed};

const TARGET: &str = "wasm32-unknown-unknown";
/// The size of the stack. Nested texts may need more than the default of a megabyte.
const FLAGS: &str = "target.wasm32-unknown-unknown.rustflags=[\"-Clink-arg=-zstack-size=4194304\"]";
/// The names of C compilers that may support the target.
const COMPILERS: [&str; 3] = ["clang", "clang-20", "clang-19"];
/// The compiler, if the machine has none: the package, its Debian suite, the folder, and the program in it.
const INSTALLED_COMPILER: (&str, &str, &str, &str) =
    ("clang-19", "trixie", "target/tools/clang", "usr/lib/llvm-19/bin/clang");
/// The package whose headers replace those of a C library.
const HEADERS: &str = "tree-sitter-language";
/// The optimiser to install, if the machine has none. The fields are those of `INSTALLED_COMPILER`.
const INSTALLED_OPTIMISER: (&str, &str, &str, &str) =
    ("binaryen", "trixie", "target/tools/binaryen", "usr/bin/wasm-opt");
/// The features of WebAssembly beyond 1.0 that the module may use. All recent engines support them, and Rust's
/// compiler uses them.
const FEATURES: [&str; 6] = [
    "--enable-bulk-memory",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-multivalue",
    "--enable-reference-types",
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Module {
    /// The module of the npm package and of the playground.
    Package,
    /// The language server for editors in pages.
    LanguageServer,
}

impl Module {
    /// The options of cargo, in addition to the package.
    fn features(self) -> &'static [&'static str] {
        match self {
            Module::Package => &[],
            Module::LanguageServer => &["--features", "language-server"],
        }
    }

    /// The optimised file.
    fn file(self) -> &'static str {
        match self {
            Module::Package => "target/module/nodewise.wasm",
            Module::LanguageServer => "target/module/language-server.wasm",
        }
    }
}

/// How a module is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// For publication: as small as possible.
    Release,
    /// For tests before a merge: built in a quarter of the time, but several times as large.
    Test,
}

impl Purpose {
    /// The profile of cargo.
    fn profile(self) -> &'static str {
        match self {
            Purpose::Release => "wasm",
            Purpose::Test => "wasm-test",
        }
    }
}

/// The programs that build the module.
pub(crate) struct Tools {
    /// The compiler for C.
    compiler: PathBuf,
    /// The optimiser of WebAssembly.
    optimiser: PathBuf,
}

/// Installs the programs that build the module, if they are missing.
///
/// # Errors
/// If something is not available on this machine.
pub(crate) fn install(root: &Path) -> Result<Tools> {
    add_target(root)?;
    Ok(Tools { compiler: compiler(root)?, optimiser: optimiser(root)? })
}

/// Builds a module, and returns its path.
///
/// # Errors
/// If something is not available on this machine, or the code cannot be compiled.
pub(crate) fn build(root: &Path, module: Module, purpose: Purpose) -> Result<PathBuf> {
    let tools = install(root)?;
    let compiled = compile(root, module, purpose, &tools.compiler)?;
    if purpose == Purpose::Test {
        return Ok(compiled);
    }
    let optimised = root.join(module.file());
    if is_newer(&optimised, &compiled) {
        return Ok(optimised);
    }
    std::fs::create_dir_all(optimised.parent().context("no folder")?)?;
    let part = optimised.with_extension("part");
    let mut command = Command::new(&tools.optimiser);
    command.arg(&compiled).arg("-Oz").args(FEATURES);
    succeed(command.arg("-o").arg(&part)).context("the module cannot be optimised")?;
    std::fs::rename(part, &optimised)?;
    Ok(optimised)
}

/// Whether a file was written after another one.
fn is_newer(file: &Path, other: &Path) -> bool {
    let time = |path: &Path| path.metadata().and_then(|found| found.modified()).ok();
    matches!((time(file), time(other)), (Some(file), Some(other)) if file > other)
}

/// Compiles a module.
fn compile(root: &Path, module: Module, purpose: Purpose, compiler: &Path) -> Result<PathBuf> {
    let variable = |name: &str| format!("{name}_{}", TARGET.replace('-', "_"));
    let mut command = cargo(root);
    match purpose {
        // If the crate is also a library for Rust, cargo silently disables link-time optimisation. So only the one
        // type is built.
        Purpose::Release => command.args(["rustc", "--lib", "--crate-type", "cdylib"]),
        Purpose::Test => command.arg("build"),
    };
    command.args(["--package", "nodewise-wasm", "--target", TARGET, "--profile", purpose.profile()]);
    command.args(module.features());
    command.args(["--config", FLAGS]);
    command.env(variable("CC"), compiler);
    command.env(variable("CFLAGS"), format!("-I{}", headers(root)?.display()));
    // The archiver of the host cannot write an index of these objects, but the linker does not need one.
    command.env(variable("AR"), "ar");
    succeed(&mut command).context("the module cannot be compiled")?;
    Ok(root.join("target").join(TARGET).join(purpose.profile()).join("nodewise_wasm.wasm"))
}

/// Adds the standard library for the target to the toolchain, unless it is there.
fn add_target(root: &Path) -> Result<()> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc)
        .args(["--print", "target-libdir", "--target", TARGET])
        .current_dir(root)
        .output()?;
    let folder = String::from_utf8(output.stdout)?;
    if output.status.success() && Path::new(folder.trim()).is_dir() {
        return Ok(());
    }
    succeed(Command::new("rustup").args(["target", "add", TARGET]).current_dir(root))
        .with_context(|| format!("the toolchain has no standard library for {TARGET}"))
}

/// A compiler for C that knows the target.
fn compiler(root: &Path) -> Result<PathBuf> {
    let knows_target = |name: &&str| {
        let targets = Command::new(name).arg("--print-targets").output();
        targets.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains("wasm32"))
    };
    if let Some(name) = COMPILERS.iter().find(|name| knows_target(name)) {
        return Ok(PathBuf::from(name));
    }
    let (package, suite, folder, program) = INSTALLED_COMPILER;
    debian_program(root, package, suite, folder, program)
}

/// The optimiser: that of the machine, else one that is installed.
fn optimiser(root: &Path) -> Result<PathBuf> {
    let name = "wasm-opt";
    if Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success()) {
        return Ok(PathBuf::from(name));
    }
    let (package, suite, folder, program) = INSTALLED_OPTIMISER;
    debian_program(root, package, suite, folder, program)
}

/// The folder of the headers.
fn headers(root: &Path) -> Result<PathBuf> {
    let output = cargo(root).args(["metadata", "--format-version", "1"]).output()?;
    ensure!(output.status.success(), "`cargo metadata` fails: {}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout)?;
    let packages = metadata["packages"].as_array().context("no packages")?;
    let package = packages.iter().find(|package| package["name"] == json!(HEADERS));
    let manifest = package.and_then(|package| package["manifest_path"].as_str());
    let manifest = Path::new(manifest.with_context(|| format!("{HEADERS} is not a dependency"))?);
    Ok(manifest.with_file_name("wasm").join("include"))
}

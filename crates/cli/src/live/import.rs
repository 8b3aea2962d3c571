//! `nodewise import`: writes the graphs that a module really builds.
//!
//! Input: a module of TypeScript or JavaScript. Output: the graphs that its builders made, as declarations with their places.
//! Invariant: nothing of the project is executed without the user's permission, and no graph runs.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use clap::{Args, ValueEnum, ValueHint};
use nodewise_live::modules::answer::{EndedProcess, ModuleAnswer, ModuleFault, StartedRun};
use nodewise_live::modules::{Loading, NODE, declarations, is_module};
use nodewise_live::tools::Notes;
use nodewise_live::trust::one_line;
use nodewise_project::config::FILE_NAME;

use super::run::trust;
use crate::outcome::Outcome;
use crate::output::{Output, complain, remark};

/// What marks the folder of a project of Node.
const MANIFEST: &str = "package.json";

/// Write the graphs that a module of TypeScript or JavaScript builds.
///
/// nodewise starts your Node, which loads the module, and writes each graph that the builders of its packages made, with its place
/// in the module. It asks you first, because loading a module executes it. No graph runs: where the module runs one, loading
/// ends. The module gets no variables of your environment but those of `--env`, and opens no connections.
///
/// Node must be 22.15 or newer. TypeScript is compiled by the project's tsx, esbuild or typescript, or else by Node.
///
/// Ends with 1 if the module throws an error; the graphs that it built before are written.
#[derive(Args)]
#[group(skip)]
pub(crate) struct ImportOptions {
    /// The module: a file of TypeScript or JavaScript.
    #[arg(value_name = "MODULE", value_hint = ValueHint::FilePath)]
    module: PathBuf,
    /// Output format.
    #[arg(long, value_enum, default_value_t)]
    format: ImportFormat,
    /// Write to a file instead of standard output.
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    output: Option<PathBuf>,
    /// Call this exported function too, without arguments; can be repeated.
    #[arg(long, value_name = "FUNCTION")]
    call: Vec<String>,
    /// Give the module this variable of the environment; can be repeated.
    #[arg(long, value_name = "NAME")]
    env: Vec<String>,
    /// The Node to start.
    #[arg(long, value_name = "PROGRAM", default_value = NODE)]
    node: PathBuf,
    /// How many seconds loading may take.
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    timeout: u64,
    /// Allow it without asking you.
    #[arg(long)]
    trust: bool,
    /// Show what would be started, and start nothing.
    #[arg(long)]
    dry_run: bool,
}

/// The output format of an import.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum ImportFormat {
    /// YAML documents, with the places as comments.
    #[default]
    Yaml,
    /// One JSON value with the declarations and their places.
    Json,
}

/// What the module prints, shown to the user.
struct Printed;

impl Notes for Printed {
    fn note(&self, source: &str, line: &str) {
        remark(&one_line(&format!("{source}: {line}")));
    }
}

/// Loads a module and writes its graphs.
pub(crate) fn run(options: &ImportOptions, output: &mut Output) -> Result<Outcome> {
    let loading = options.loading()?;
    let plan = loading.plan();
    if options.dry_run {
        output.write(&trust::shown(&plan))?;
        return Ok(Outcome::Clean);
    }
    trust::ask(&loading.folder, &plan, options.trust)?;
    let built = loading.ask(Arc::new(Printed))?;
    let place = |place: &Option<_>| place.as_ref().map(|place| declarations::shown(&loading, place));
    if let Some(StartedRun { what, place: at }) = &built.stopped {
        let at = place(at).unwrap_or_default();
        remark(&format!(
            "note: {at}: the module runs a graph with `{what}`; what comes after that was not executed"
        ));
    }
    if let Some(EndedProcess { code, place: at }) = &built.left {
        let at = place(at).unwrap_or_else(|| loading.shown(&loading.module));
        remark(&format!("note: {at}: the module ended its process here, with exit code {code}"));
    }
    if built.graphs.is_empty() {
        match &built.fault {
            Some(fault) => bail!(explained(fault, place(&fault.place))),
            None => bail!(nothing_built(&loading, &built)),
        }
    }
    options.write(&loading, &built, output)?;
    match &built.fault {
        Some(fault) => {
            complain(&format!("error: {}", explained(fault, place(&fault.place))));
            Ok(Outcome::Findings)
        }
        None => Ok(Outcome::Clean),
    }
}

impl ImportOptions {
    fn loading(&self) -> Result<Loading> {
        let shown = self.module.display();
        let module =
            std::fs::canonicalize(&self.module).with_context(|| format!("`{shown}` cannot be read"))?;
        ensure!(module.is_file(), "`{shown}` is no file\n  help: name a module");
        ensure!(
            is_module(&module),
            "`{shown}` is no module of TypeScript or JavaScript\n  help: name a file that ends with .ts, .mts, .js or .mjs"
        );
        Ok(Loading {
            node: self.node.clone(),
            folder: project_folder(&module),
            module,
            variables: self.env.clone(),
            calls: self.call.clone(),
            limit: Duration::from_secs(self.timeout),
        })
    }

    fn write(&self, loading: &Loading, built: &ModuleAnswer, output: &mut Output) -> Result<()> {
        let text = match self.format {
            ImportFormat::Yaml => declarations::yaml(loading, built)?,
            ImportFormat::Json => format!("{:#}\n", declarations::json(loading, built)),
        };
        match &self.output {
            None => output.write(&text),
            Some(path) => {
                let mut file = Output::file(path)?;
                file.write(&text)?;
                file.finish()
            }
        }
    }
}

/// The nearest folder with a configuration or a manifest, else that of the module.
fn project_folder(module: &Path) -> PathBuf {
    let folder = module.parent().unwrap_or(module);
    let has = |name: &'static str| move |folder: &&Path| folder.join(name).is_file();
    let found = folder.ancestors().find(has(FILE_NAME)).or_else(|| folder.ancestors().find(has(MANIFEST)));
    found.unwrap_or(folder).to_owned()
}

/// What a module threw, and what to do.
fn explained(fault: &ModuleFault, place: Option<String>) -> String {
    let place = place.map(|place| format!("{place}: ")).unwrap_or_default();
    match &fault.missing {
        Some(missing) => {
            let is_path = missing.starts_with('.') || Path::new(missing).is_absolute();
            let help = if is_path {
                "correct the import"
            } else {
                "install the packages of the project, for example with `npm install`"
            };
            format!("{place}Node does not find `{missing}`, which the module imports\n  help: {help}")
        }
        None => format!("{place}the module throws {}: {}", fault.name, one_line(&fault.message)),
    }
}

fn nothing_built(loading: &Loading, built: &ModuleAnswer) -> String {
    let shown = loading.shown(&loading.module);
    match &built.left {
        Some(_) => format!(
            "`{shown}` ended its process before it built a graph\n  help: give it the variables that it needs with `--env NAME`"
        ),
        None => {
            let packages = declarations::packages().map(|package| format!("`{package}`")).collect::<Vec<_>>();
            format!(
                "`{shown}` builds no graph of {}\n  help: if an exported function builds it, add `--call FUNCTION`",
                packages.join(" or ")
            )
        }
    }
}

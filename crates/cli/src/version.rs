//! `nodewise version` and `nodewise --version`. With `--verbose`, also what a bug report should contain.
//!
//! Input: data from the compiler, the current folder. Output: lines. Invariant: a build without a known commit says so.
//! The time and place of a build do not change it.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use nodewise_dialect::tables::systems;
use nodewise_project::config::FILE_NAME;

use crate::log;
use crate::outcome::Outcome;
use crate::output::Output;

/// The commit of a release. The release build sets the variable.
const COMMIT: Option<&str> = option_env!("NODEWISE_COMMIT");

/// Print the version; `--verbose` adds the build and the supported releases.
#[derive(Args)]
pub(crate) struct VersionOptions {}

/// Prints the version.
pub(crate) fn run(output: &mut Output) -> Result<Outcome> {
    match wants_more() {
        true => output.write(&report())?,
        false => output.line(&format!("nodewise {}", env!("CARGO_PKG_VERSION")))?,
    }
    Ok(Outcome::Clean)
}

/// Whether `--verbose` is given.
pub(crate) fn wants_more() -> bool {
    std::env::args_os().any(|argument| argument == "--verbose" || argument == "-v")
}

/// The information for a bug report.
pub(crate) fn report() -> String {
    let built = if cfg!(debug_assertions) { "for debugging" } else { "optimised" };
    let mut lines = vec![
        ("commit", COMMIT.unwrap_or("unknown").to_owned()),
        ("built", format!("{built}, for {}", target())),
        ("Rust", format!("{} or newer", env!("CARGO_PKG_RUST_VERSION"))),
        ("features", features()),
        ("allocator", "mimalloc".to_owned()),
    ];
    lines.extend(systems().map(|dialect| (dialect.title, dialect.follows.join(", "))));
    let config = std::env::current_dir().ok().and_then(|folder| configuration(&folder));
    let config =
        config.map_or("none in this folder and its parents".to_owned(), |path| path.display().to_string());
    lines.push((FILE_NAME, config));
    lines.extend(std::env::var(log::VARIABLE).ok().map(|words| (log::VARIABLE, words)));
    let width = lines.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
    let mut report = format!("nodewise {}\n", env!("CARGO_PKG_VERSION"));
    for (name, value) in lines {
        // Writing to a string cannot fail.
        let _ = writeln!(report, "{name:width$}  {}", crate::screen::line(&value));
    }
    report
}

/// The target of the build.
fn target() -> String {
    let abi = if cfg!(target_env = "musl") {
        "-musl"
    } else if cfg!(target_env = "gnu") {
        "-gnu"
    } else if cfg!(target_env = "msvc") {
        "-msvc"
    } else {
        ""
    };
    format!("{}-{}{abi}", std::env::consts::ARCH, std::env::consts::OS)
}

/// The optional features in this build.
fn features() -> String {
    let all = [
        ("live", cfg!(feature = "live")),
        ("lsp", cfg!(feature = "lsp")),
        ("planted-hang", cfg!(feature = "planted-hang")),
    ];
    let built: Vec<&str> = all.into_iter().filter(|(_, is_built)| *is_built).map(|(name, _)| name).collect();
    if built.is_empty() { "none".to_owned() } else { built.join(", ") }
}

/// The nearest configuration in this folder or its parents.
fn configuration(folder: &Path) -> Option<PathBuf> {
    folder.ancestors().map(|around| around.join(FILE_NAME)).find(|path| path.is_file())
}

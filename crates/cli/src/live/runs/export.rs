//! `nodewise runs export`: converts a run to a scenario that `nodewise test` runs.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use nodewise_live::restore::RestoredRun;
use nodewise_live::store::Stored;
use nodewise_simulation::export_scenario::{Beginning, scenario_text};

use super::StoreOptions;
use crate::outcome::Outcome;
use crate::output::{Output, remark};

/// Write a run as a scenario: its input, answers, path and result.
///
/// `nodewise test` runs the scenario without calling anything. Without `-o`, the scenario is printed, for a file in the
/// project's folder.
#[derive(Args)]
#[group(skip)]
pub(super) struct ExportOptions {
    /// The run to export.
    run: String,
    /// Write to this `.scenario.yaml` file in the project.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    place: StoreOptions,
}

/// The endings of file names that `nodewise test` finds.
const ENDINGS: [&str; 2] = [".scenario.yaml", ".scenario.yml"];

/// Writes the scenario.
pub(super) fn run(options: &ExportOptions, output: &mut Output) -> Result<Outcome> {
    let (stored, folder) = options.place.read(&options.run)?;
    let path = match &options.output {
        Some(file) => path_in(&folder, file)?,
        None => format!("{}{}", stored.id, ENDINGS[0]),
    };
    let again = RestoredRun::of(&stored)?;
    if !again.changes.is_empty() {
        bail!(
            "the state of the run {} was changed at a step, which a scenario cannot say\n  help: `nodewise runs replay` repeats the \
             run; export a run that was begun without `--set`",
            stored.id
        );
    }
    let recording = again.recorded(&stored)?;
    let uses: Vec<String> =
        again.scenario.uses.iter().map(|name| name.value.trim_start_matches('/').to_owned()).collect();
    let beginning = Beginning { target: &again.target, scenario: &again.scenario, uses: &uses };
    let text = scenario_text(&again.snapshot, &recording, &beginning, &path)?;
    match &options.output {
        Some(file) => {
            std::fs::write(file, text).with_context(|| format!("`{}` cannot be written", file.display()))?;
        }
        None => output.write(&text)?,
    }
    if let Some(changed) = changed(&stored, &folder) {
        remark(&format!(
            "warning: `{changed}` has changed since the run began\n  help: the scenario describes the old run, and may fail \
             now"
        ));
    }
    Ok(Outcome::Clean)
}

/// The path of a file in a project.
fn path_in(folder: &Path, file: &Path) -> Result<String> {
    let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    if !ENDINGS.iter().any(|ending| name.ends_with(ending)) {
        bail!(
            "`{}` is not the name of a scenario file\n  help: end it with `{}`, so that `nodewise test` finds it",
            file.display(),
            ENDINGS[0]
        );
    }
    let around = match file.parent() {
        Some(around) if !around.as_os_str().is_empty() => around,
        _ => Path::new("."),
    };
    let canonical = |path: &Path| {
        std::fs::canonicalize(path).with_context(|| format!("`{}` cannot be read", path.display()))
    };
    let (around, folder) = (canonical(around)?, canonical(folder)?);
    match around.strip_prefix(&folder) {
        Ok(inside) => Ok(inside.join(name).to_string_lossy().replace('\\', "/")),
        Err(_) => bail!(
            "`{}` is not in the project `{}`\n  help: write it into the project whose graph it runs",
            file.display(),
            folder.display()
        ),
    }
}

/// A file of the run that has changed since.
fn changed<'s>(stored: &'s Stored, folder: &Path) -> Option<&'s str> {
    let is_changed = |path: &str, text: &str| {
        std::fs::read(folder.join(path)).map_or(true, |found| found != text.as_bytes())
    };
    let mut sources = stored.new.sources.iter();
    sources.find(|(path, text)| is_changed(path, text)).map(|(path, _)| path.as_str())
}

//! `nodewise runs export`: converts a run to a scenario that `nodewise test` runs, or to a case that `nodewise eval` runs.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use nodewise_live::restore::RestoredRun;
use nodewise_live::store::Stored;
use nodewise_simulation::export_scenario::{Beginning, eval_with_case, scenario_text};

use super::StoreOptions;
use crate::outcome::Outcome;
use crate::output::{Output, remark};

/// Write a run as a scenario: its input, answers, path and result.
///
/// `nodewise test` runs the scenario without calling anything. With `--case`, the run becomes a case that `nodewise eval`
/// runs with real models. Without `-o`, the text is printed, for a file in the project's folder.
#[derive(Args)]
#[group(skip)]
pub(super) struct ExportOptions {
    /// The run to export.
    run: String,
    /// Write to this `.scenario.yaml` file, or add to this `.eval.yaml` file.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Add a case for `nodewise eval`, without the answers of models.
    #[arg(long, value_name = "TITLE", num_args = 0..=1, default_missing_value = "")]
    case: Option<String>,
    #[command(flatten)]
    place: StoreOptions,
}

/// The endings of file names that `nodewise test` finds.
const ENDINGS: [&str; 2] = [".scenario.yaml", ".scenario.yml"];
/// The endings of file names that `nodewise eval` finds.
const EVAL_ENDINGS: [&str; 2] = [".eval.yaml", ".eval.yml"];

/// Writes the scenario.
pub(super) fn run(options: &ExportOptions, output: &mut Output) -> Result<Outcome> {
    let (stored, folder) = options.place.read(&options.run)?;
    let is_eval = options.case.is_some();
    let path = match &options.output {
        Some(file) => path_in(&folder, file, is_eval)?,
        None => format!("{}{}", stored.id, if is_eval { EVAL_ENDINGS[0] } else { ENDINGS[0] }),
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
    let text = match &options.case {
        Some(title) => {
            let title = if title.is_empty() { format!("run {}", stored.id) } else { title.clone() };
            let existing = options.output.as_deref().and_then(|file| std::fs::read_to_string(file).ok());
            eval_with_case(&again.snapshot, &recording, &beginning, &path, (&title, existing.as_deref()))?
        }
        None => scenario_text(&again.snapshot, &recording, &beginning, &path)?,
    };
    if let (Some(_), Some(used)) = (&options.case, uses.first()) {
        remark(&format!(
            "note: the case does not use `{used}`, because its answers would come before those of models; copy what it says under \
             `host` into a script, and name that under `uses`"
        ));
    }
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
fn path_in(folder: &Path, file: &Path, is_eval: bool) -> Result<String> {
    let (endings, what, command) = match is_eval {
        true => (EVAL_ENDINGS, "an eval", "eval"),
        false => (ENDINGS, "a scenario", "test"),
    };
    let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    if !endings.iter().any(|ending| name.ends_with(ending)) {
        bail!(
            "`{}` is not the name of {what} file\n  help: end it with `{}`, so that `nodewise {command}` finds it",
            file.display(),
            endings[0]
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

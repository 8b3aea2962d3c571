//! Files that are made of the run: scenarios and traces.
//!
//! Input: a run that is over, the name of a file. Output: the file. Invariant: an existing file is never overwritten.

use std::path::{Path, PathBuf};

use nodewise_simulation::export_scenario::{Beginning, scenario_text};
use nodewise_simulation::recording::Recording;
use nodewise_simulation::render::json::trace_text;

use crate::refusal::{Refusal, RefusalKind};
use crate::session::{DebugSession, DebuggedRun};

fn wrong(message: impl Into<String>) -> Refusal {
    Refusal::new(RefusalKind::BadArguments, message)
}

/// The run, its recording, and the path of the file. Refused if the run is not over, or if the name of the file does
/// not end with `ending`.
fn subject<'s>(
    session: &'s DebugSession<'_>,
    file: &str,
    ending: &str,
) -> Result<(&'s DebuggedRun, Recording, PathBuf), Refusal> {
    let run = session.stopped_run()?;
    if file.is_empty() {
        return Err(wrong(format!("the name of the file is missing, which ends with `{ending}`")));
    }
    if !file.ends_with(ending) {
        return Err(wrong(format!("`{file}` does not end with `{ending}`")));
    }
    let recording = run.debugger.timeline().recording();
    let recording = recording.ok_or_else(|| wrong("the run is not over: continue to its end first"))?;
    let path = run.files.root.join(file);
    Ok((run, recording, path))
}

/// Saves the run as a scenario.
pub(super) fn scenario(session: &DebugSession<'_>, file: &str) -> Result<String, Refusal> {
    let (run, recording, path) = subject(session, file, ".scenario.yaml")?;
    let beginning = run.beginning.as_ref();
    let beginning =
        beginning.ok_or_else(|| wrong("what the run began with is not known, so it cannot be a scenario"))?;
    let canonical = |path: &Path| session.launcher.canonical(path);
    let folder = canonical(path.parent().unwrap_or(&path));
    let in_project = folder.strip_prefix(canonical(&run.files.root)).ok().and_then(|inside| {
        let name = path.file_name()?;
        Some(inside.join(name).to_string_lossy().replace('\\', "/"))
    });
    let in_project =
        in_project.ok_or_else(|| wrong(format!("`{file}` is not in the project whose graph it runs")))?;
    let begun = Beginning { target: &beginning.target, scenario: &beginning.scenario, uses: &beginning.uses };
    let text = scenario_text(&run.files.snapshot, &recording, &begun, &in_project);
    let text = text.map_err(|fault| wrong(fault.message))?;
    session.launcher.write(&path, &text)?;
    Ok(format!("saved `{}`", path.display()))
}

/// Saves the trace of the run.
pub(super) fn trace(session: &DebugSession<'_>, file: &str) -> Result<String, Refusal> {
    let (_, recording, path) = subject(session, file, ".json")?;
    session.launcher.write(&path, &trace_text(&recording))?;
    Ok(format!("saved `{}`", path.display()))
}

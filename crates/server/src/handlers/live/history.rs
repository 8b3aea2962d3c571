//! Stored runs in the history.
//!
//! Input: the stores of the projects. Output: entries of the list, traces of stored runs. Invariant: nothing is started, and
//! nothing is written.

use std::sync::Arc;

use nodewise_live::store::{RunStatus, Store, Summary};
use nodewise_simulation::render::json::usage;
use serde_json::{Value, json};
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types::Uri;

use super::failed;
use super::stored::{FoundRun, Resumption, can_resume, project_then, projects};
use crate::handlers::listed::{ListedRun, RunResult, keep_current, of_status};
use crate::handlers::request_failed;
use crate::handlers::simulate::{RunRequest, TraceIndex, refused, run_answer};
use crate::request::Asked;
use crate::runs::{Ran, Trace, TraceFacts};
use crate::view::ProjectView;

/// A stored run with its trace.
pub(crate) struct StoredTrace<'v> {
    found: FoundRun<'v>,
    project: ProjectView,
    pub(crate) trace: Arc<Trace<RunRequest>>,
}

/// Adds the stored runs of the projects to a list. Returns messages about runs that cannot be read.
pub(crate) fn list(asked: &Asked<'_>, uri: Option<&Uri>, listed: &mut Vec<ListedRun>) -> Result<Vec<String>> {
    let mut damage = Vec::new();
    for project in projects(asked, uri)? {
        let Some(folder) = &project.root else { continue };
        let Some(store) = Store::open_existing(folder).map_err(failed)? else { continue };
        let list = store.list().map_err(failed)?;
        damage.extend(list.damage);
        listed.extend(list.runs.iter().map(|run| entry(run, &folder.to_string_lossy())));
    }
    Ok(damage)
}

fn entry(run: &Summary, folder: &str) -> ListedRun {
    let (summary, waiting) = match &run.status {
        RunStatus::Ended { summary, .. } => (summary.clone(), json!([])),
        RunStatus::Waiting(question) => ("waiting for a person".to_owned(), question.clone()),
        RunStatus::Running => ("running".to_owned(), json!([])),
        RunStatus::Interrupted => ("interrupted".to_owned(), json!([])),
    };
    let is_over = matches!(run.status, RunStatus::Ended { .. });
    let result = match is_over {
        // The summary of a run that completed names steps that failed.
        true => of_status(run.status.word(), summary.contains(" failed,")),
        false => RunResult::Open,
    };
    let written = json!({
        "run": run.id.as_str(), "isLive": true, "folder": folder, "title": run.title, "system": run.system,
        "name": run.name, "tags": run.tags, "status": run.status.word(), "summary": summary,
        "timeMs": run.time_ms, "spent": usage(&run.usage), "isMadeUp": false,
        "isOver": is_over, "canResume": can_resume(&run.status), "waiting": waiting,
    });
    ListedRun::new(run.begun.0, result, written)
}

impl<'v> StoredTrace<'v> {
    /// Finds a stored run, and reads its trace.
    pub(crate) fn find(asked: &Asked<'v>, run: &str) -> Result<StoredTrace<'v>> {
        let found = Resumption::of(run, None).found(asked)?;
        let project = project_then(found.project, &found.again);
        let source = found.again.target.document().source;
        let gone = || request_failed("the record of the run does not contain the file of its graph");
        let facts = project.snapshot.file(source).ok_or_else(gone)?;
        let uri = project.uri(&facts.path).and_then(|uri| uri.parse::<Uri>().ok()).ok_or_else(gone)?;
        let recording = found.again.recorded(&found.stored).map_err(failed)?;
        let subject = RunRequest::kept(uri, found.stored.new.scenario.clone());
        let facts = TraceFacts {
            snapshot: project.snapshot.clone(),
            run: Some(found.stored.id.as_str().to_owned()),
            ..TraceFacts::default()
        };
        let trace = Arc::new(Trace::new(subject, recording, facts));
        Ok(StoredTrace { found, project, trace })
    }

    /// The answer that the run had, and its decorations.
    pub(crate) fn show(&self, asked: &Asked<'_>, traces: &TraceIndex) -> Result<(Value, Ran)> {
        let StoredTrace { found, project, trace } = self;
        let gone = || request_failed("the record of the run does not contain the file of its graph");
        let source = found.again.target.document().source;
        let file = asked.file_in(project, source).ok_or_else(gone)?;
        let mut runnable = trace.subject.begin(&project.snapshot, &file, None).map_err(refused)?.runnable;
        runnable.is_live = true;
        let id = traces.keep(Arc::clone(trace));
        let (mut answer, mut ran) = run_answer(asked, &file, (id, trace), None, runnable);
        answer["run"] = json!(found.stored.id.as_str());
        answer["waiting"] = found.stored.status.question().cloned().unwrap_or_else(|| json!([]));
        answer["uri"] = json!(trace.subject.uri.as_str());
        keep_current(asked, project, &mut ran);
        Ok((answer, ran))
    }
}

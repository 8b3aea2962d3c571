//! Stored runs: the list of them, and the run to resume.
//!
//! Input: the name of a run, decisions, the open projects. Output: the stored run with its files at that time.
//! Invariant: a run is shown with the files with which it started.

use std::sync::Arc;

use nodewise_engine::ask::Decision;
use nodewise_engine::outcome::Status;
use nodewise_engine::time::Millis;
use nodewise_expr::json::from_json;
use nodewise_expr::value::Map;
use nodewise_live::driver::Taken;
use nodewise_live::restore::RestoredRun;
use nodewise_live::store::{RunId, RunStatus, Store, Stored};
use serde::Deserialize;
use serde_json::{Value, json};
use smol_str::SmolStr;
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types::Uri;

use super::{Site, failed};
use crate::handlers::request_failed;
use crate::handlers::simulate::{RunRequest, unknown};
use crate::request::{Asked, File};
use crate::view::ProjectView;

/// The argument of `nodewise.resume`.
#[derive(Debug, Deserialize)]
pub(crate) struct Resumption {
    /// The run: its id, the beginning of its id, or `last`.
    #[serde(default = "last")]
    pub(super) run: String,
    /// A file of its project. Without it, all projects are searched.
    pub(super) uri: Option<Uri>,
    /// The durable engine on which it runs. Without it, a run that is stored on this machine.
    pub(super) on: Option<String>,
    /// The decisions that the run waits for.
    #[serde(default)]
    decisions: Vec<Decided>,
}

/// A decision that the user has taken.
#[derive(Debug, Deserialize)]
struct Decided {
    /// The node that asks. It may be missing if only one node asks.
    node: Option<String>,
    /// The decision: `approved`, `rejected`, or another word.
    word: String,
    /// The data that the person adds.
    data: Option<Value>,
}

/// The projects whose runs are listed.
#[derive(Debug, Deserialize)]
pub(crate) struct Listing {
    /// A file of the project. Without it, the runs of all projects.
    pub(super) uri: Option<Uri>,
    /// The durable engine whose runs are listed. Without it, those of this machine.
    pub(super) on: Option<String>,
}

/// A stored run that was found.
pub(super) struct FoundRun<'v> {
    pub(super) store: Store,
    pub(super) stored: Stored,
    pub(super) again: RestoredRun,
    pub(super) site: Site,
    pub(super) project: &'v ProjectView,
}

/// The live runs of each project on this machine, the most recent first, and messages about those that cannot be read.
pub(super) fn runs(asked: &Asked<'_>, listing: &Listing) -> Result<(Value, Vec<String>)> {
    let (mut listed, mut damage) = (Vec::new(), Vec::new());
    for project in projects(asked, listing.uri.as_ref())? {
        let Some(folder) = &project.root else { continue };
        let Some(store) = Store::open_existing(folder).map_err(failed)? else { continue };
        let list = store.list().map_err(failed)?;
        damage.extend(list.damage);
        for run in list.runs {
            let waiting = match &run.status {
                RunStatus::Waiting(question) => question.clone(),
                _ => json!([]),
            };
            listed.push(json!({
                "run": run.id.as_str(), "title": run.title, "status": run.status.word(),
                "isOver": matches!(run.status, RunStatus::Ended { .. }),
                "canResume": can_resume(&run.status),
                "begun": run.begun.iso(), "waiting": waiting, "folder": folder.to_string_lossy(),
            }));
        }
    }
    Ok((Value::Array(listed), damage))
}

impl Resumption {
    /// The argument to find a run, without decisions.
    pub(super) fn of(run: &str, uri: Option<Uri>) -> Resumption {
        Resumption { run: run.to_owned(), uri, on: None, decisions: Vec::new() }
    }

    /// Finds the run in the stores of the projects. It is an error if there is none, or if several projects have one.
    pub(super) fn found<'v>(&self, asked: &Asked<'v>) -> Result<FoundRun<'v>> {
        let mut found: Vec<(&ProjectView, Store, RunId)> = Vec::new();
        let mut reason = None;
        for project in projects(asked, self.uri.as_ref())? {
            let Some(folder) = &project.root else { continue };
            let Some(store) = Store::open_existing(folder).map_err(failed)? else { continue };
            match store.find(&self.run) {
                Ok(id) => found.push((project, store, id)),
                Err(error) => reason = Some(error),
            }
        }
        if found.len() > 1 {
            return Err(request_failed(format!(
                "several projects have a run `{}`\n  help: choose the project with the `uri` of one of its files",
                self.run
            )));
        }
        let Some((project, _, id)) = found.pop() else {
            return Err(reason.map_or_else(|| request_failed("there are no live runs"), failed));
        };
        let site = Site::of(project)?;
        let store = Store::open(&site.folder).map_err(failed)?;
        let stored = store.read(&id).map_err(failed)?;
        let again = RestoredRun::of(&stored).map_err(failed)?;
        Ok(FoundRun { store, stored, again, site, project })
    }

    /// The decisions, in the form that runs take.
    pub(super) fn taken(&self) -> Vec<Taken> {
        let taken = |decided: &Decided| Taken {
            node: decided.node.as_deref().map(SmolStr::new),
            ask: None,
            decision: Decision {
                word: decided.word.as_str().into(),
                data: decided.data.clone().map(from_json),
                updates: Map::new(),
                after: Millis::ZERO,
            },
        };
        self.decisions.iter().map(taken).collect()
    }
}

/// The project of a run as it was when the run started.
pub(super) fn project_then(now: &ProjectView, again: &RestoredRun) -> ProjectView {
    ProjectView {
        root: now.root.clone(),
        snapshot: again.snapshot.clone(),
        is_complete: true,
        live: Arc::clone(&now.live),
        open: now.open.clone(),
        ..ProjectView::default()
    }
}

/// A request with the stored start of a run, from which the run can be shown again.
pub(super) fn subject_of(stored: &Stored, file: &File<'_>) -> Result<RunRequest> {
    let uri = file.project.uri(&file.facts.path).and_then(|uri| uri.parse::<Uri>().ok());
    let uri =
        uri.ok_or_else(|| request_failed("the record of the run does not name the file of its graph"))?;
    Ok(RunRequest::kept(uri, stored.new.scenario.clone()))
}

/// Whether a run can be resumed: if it waits, was interrupted, or ended without completing.
pub(super) fn can_resume(status: &RunStatus) -> bool {
    match status {
        RunStatus::Running => false,
        RunStatus::Interrupted | RunStatus::Waiting(_) => true,
        RunStatus::Ended { outcome, .. } => outcome != Status::Completed.word(),
    }
}

/// The projects to use: that of a file, or all.
pub(super) fn projects<'v>(asked: &Asked<'v>, uri: Option<&Uri>) -> Result<Vec<&'v ProjectView>> {
    match uri {
        Some(uri) => {
            let file = asked.view.file(uri.as_str()).ok_or_else(|| unknown(uri))?;
            Ok(vec![file.project])
        }
        None => Ok(asked.view.projects.values().map(AsRef::as_ref).collect()),
    }
}

pub(super) fn last() -> String {
    "last".to_owned()
}

//! Runs of the store: the list of them, and the one that is gone on with.
//!
//! Input: a run's name, decisions; the projects that are open. Output: the stored run with the files as they were. Invariant: a
//! run is shown beside the files that it was begun with.

use std::sync::Arc;

use nodewise_engine::ask::Decision;
use nodewise_engine::time::Millis;
use nodewise_expr::json::from_json;
use nodewise_expr::value::Map;
use nodewise_live::again::Again;
use nodewise_live::driver::Taken;
use nodewise_live::store::{RunId, Standing, Store, Stored};
use serde::Deserialize;
use serde_json::{Value, json};
use smol_str::SmolStr;
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types::Uri;

use super::{Site, failed};
use crate::backend::Asked;
use crate::handlers::file::File;
use crate::handlers::request_failed;
use crate::handlers::simulate::{Subject, unknown};
use crate::view::ProjectView;

/// What `nodewise.resume` is given.
#[derive(Debug, Deserialize)]
pub(crate) struct Resumption {
    /// The run: its id, a beginning of it, or `last`.
    #[serde(default = "last")]
    run: String,
    /// A file of its project; without, all projects are looked through.
    uri: Option<Uri>,
    /// What was decided about what it waits for.
    #[serde(default)]
    decisions: Vec<Decided>,
}

/// What was decided.
#[derive(Debug, Deserialize)]
struct Decided {
    /// The node that asks; without, the only one.
    node: Option<String>,
    /// The decision: `approved`, `rejected`, or another word.
    word: String,
    /// What the person adds.
    data: Option<Value>,
}

/// Whose runs are listed.
#[derive(Debug, Deserialize)]
pub(crate) struct Listing {
    /// A file of the project; without, those of all projects.
    uri: Option<Uri>,
}

/// A stored run, found.
pub(super) struct Found<'v> {
    pub(super) store: Store,
    pub(super) stored: Stored,
    pub(super) again: Again,
    pub(super) site: Site,
    project: &'v ProjectView,
}

/// `nodewise.runs`: the live runs of the projects, those of a project with the last one first.
pub(crate) fn runs(asked: &Asked<'_>, listing: &Listing) -> Result<Value> {
    let mut listed = Vec::new();
    for project in projects(asked, listing.uri.as_ref())? {
        let Some(folder) = &project.root else { continue };
        let Some(store) = Store::open_existing(folder).map_err(failed)? else { continue };
        for run in store.list().map_err(failed)? {
            let waiting = match &run.standing {
                Standing::Waiting(question) => question.clone(),
                _ => json!([]),
            };
            listed.push(json!({
                "run": run.id.as_str(), "title": run.title, "status": run.standing.word(),
                "isOver": matches!(run.standing, Standing::Ended { .. }),
                "begun": run.begun.iso(), "waiting": waiting, "folder": folder.to_string_lossy(),
            }));
        }
    }
    Ok(Value::Array(listed))
}

impl Resumption {
    /// Finds the run.
    pub(super) fn found<'v>(&self, asked: &Asked<'v>) -> Result<Found<'v>> {
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
        let again = Again::of(&stored).map_err(failed)?;
        Ok(Found { store, stored, again, site, project })
    }

    /// What was decided.
    pub(super) fn taken(&self) -> Vec<Taken> {
        let taken = |decided: &Decided| Taken {
            node: decided.node.as_deref().map(SmolStr::new),
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

impl Found<'_> {
    /// The project as it was when the run began.
    pub(super) fn project(&self) -> ProjectView {
        ProjectView {
            root: self.project.root.clone(),
            snapshot: self.again.snapshot.clone(),
            is_complete: true,
            live: Arc::clone(&self.project.live),
            open: self.project.open.clone(),
            ..ProjectView::default()
        }
    }

    /// What the run began with, for runs that branch off it.
    pub(super) fn subject(&self, file: &File<'_>) -> Result<Subject> {
        let uri = file.project.uri(&file.facts.path).and_then(|uri| uri.parse::<Uri>().ok());
        let uri =
            uri.ok_or_else(|| request_failed("the record of the run does not name the file of its graph"))?;
        Ok(Subject::kept(uri, self.stored.new.scenario.clone()))
    }
}

/// The projects that are meant: that of a file, or all.
fn projects<'v>(asked: &Asked<'v>, uri: Option<&Uri>) -> Result<Vec<&'v ProjectView>> {
    match uri {
        Some(uri) => {
            let file = asked.view.file(uri.as_str()).ok_or_else(|| unknown(uri))?;
            Ok(vec![file.project])
        }
        None => Ok(asked.view.projects.values().map(AsRef::as_ref).collect()),
    }
}

fn last() -> String {
    "last".to_owned()
}

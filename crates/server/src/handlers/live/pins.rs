//! `nodewise.pin` and `nodewise.unpin`: the output of a node of a stored run, for later live runs of the editor.
//!
//! Input: a node. Output: which run it is from. Invariant: nothing is started or called.

use nodewise_analysis::workspace::Snapshot;
use nodewise_live::pins::{PinnedNode, SavedPin, SavedPins};
use nodewise_live::store::{NodePin, RunId, Store};
use serde::Deserialize;
use serde_json::{Value, json};
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types::Uri;

use super::{Site, failed};
use crate::handlers::request_failed;
use crate::handlers::simulate::unknown;
use crate::request::{Asked, File};

/// The argument of `nodewise.pin` and `nodewise.unpin`.
#[derive(Debug, Deserialize)]
pub(crate) struct PinRequest {
    /// The file of the node.
    pub(crate) uri: Uri,
    graph: Option<String>,
    /// The node. `nodewise.unpin` without it removes all pins of the file.
    pub(crate) node: Option<String>,
    /// The run: its id, the beginning of its id, or `last`. Default: the most recent one in which the node has an output.
    run: Option<String>,
}

/// How many of the most recent runs are searched.
const RUNS_SEARCHED: usize = 50;

/// Pins the output of a node.
pub(crate) fn pin(asked: &Asked<'_>, wanted: &PinRequest) -> Result<Value> {
    let Some(node) = &wanted.node else {
        return Err(request_failed("`node` is missing: the output of a node is pinned"));
    };
    let (file, site) = wanted.site(asked)?;
    let none = || {
        request_failed(format!(
            "no live run of this project has an output of `{node}`\n  help: run the graph or the node live once, then pin it"
        ))
    };
    let store = Store::open_existing(&site.folder).map_err(failed)?.ok_or_else(none)?;
    let runs: Vec<RunId> = match &wanted.run {
        Some(run) => vec![store.find(run).map_err(failed)?],
        None => {
            let list = store.list().map_err(failed)?.runs.into_iter();
            list.take(RUNS_SEARCHED).map(|run| run.id).collect()
        }
    };
    // A run that cannot be read counts as a run without the output.
    let output = runs.iter().find_map(|run| {
        let pin = NodePin { graph: wanted.graph.clone(), node: node.clone(), run: run.as_str().to_owned() };
        PinnedNode::read(&store, &pin).ok()
    });
    let output = output.ok_or_else(none)?;
    let pin = output.pin().clone();
    let answer = json!({"node": node, "run": pin.run, "answers": output.len()});
    let saved = SavedPin { file: file.facts.path.to_string(), pin };
    SavedPins::of_user().and_then(|pins| pins.put(&site.folder, saved)).map_err(failed)?;
    Ok(answer)
}

/// Removes the pin of a node, or all pins of a file.
pub(crate) fn unpin(asked: &Asked<'_>, wanted: &PinRequest) -> Result<Value> {
    let (file, site) = wanted.site(asked)?;
    let (graph, node) = (wanted.graph.as_deref(), wanted.node.as_deref());
    let removed = SavedPins::of_user()
        .and_then(|pins| pins.remove(&site.folder, &file.facts.path, graph, node))
        .map_err(failed)?;
    Ok(json!({ "unpinned": removed }))
}

impl PinRequest {
    fn site<'a>(&self, asked: &'a Asked<'_>) -> Result<(File<'a>, Site)> {
        let file = asked.file(&self.uri).ok_or_else(|| unknown(&self.uri))?;
        let site = Site::of(file.project)?;
        Ok((file, site))
    }
}

impl Site {
    /// The outputs that new runs of these files take. A pin whose output is gone is an error: the user expects that its node costs
    /// nothing.
    pub(super) fn pinned(&self, files: &Snapshot) -> Result<Vec<PinnedNode>> {
        let saved = SavedPins::of_user().and_then(|pins| pins.of_folder(&self.folder)).unwrap_or_default();
        let saved: Vec<SavedPin> =
            saved.into_iter().filter(|saved| files.source(&saved.file).is_some()).collect();
        if saved.is_empty() {
            return Ok(Vec::new());
        }
        let store = Store::open(&self.folder).map_err(failed)?;
        let output = |saved: &SavedPin| {
            PinnedNode::read(&store, &saved.pin).map_err(|error| {
                request_failed(format!(
                    "the output of `{}` in {} is pinned from the run {}, but cannot be read: {error:#}\n  help: unpin it \
                     (`nodewise.unpin`), or pin the output of another run",
                    saved.pin.node, saved.file, saved.pin.run
                ))
            })
        };
        saved.iter().map(output).collect()
    }
}

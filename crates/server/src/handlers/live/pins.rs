//! `nodewise.pin`: the output of a node of a stored run, for later live runs of the editor.
//!
//! Input: a node. Output: which run it is from. Invariant: nothing is started or called.

use nodewise_live::pins::PinnedNode;
use nodewise_live::store::{RunId, Store};
use serde::Deserialize;
use serde_json::{Value, json};
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types::Uri;

use super::{Site, failed};
use crate::handlers::request_failed;
use crate::handlers::simulate::unknown;
use crate::pins::{Pin, PinIndex};
use crate::request::Asked;

/// The argument of `nodewise.pin` and `nodewise.unpin`.
#[derive(Debug, Deserialize)]
pub(crate) struct PinRequest {
    /// The file of the node.
    pub(crate) uri: Uri,
    /// The graph.
    graph: Option<String>,
    /// The node. `nodewise.unpin` without it removes all pins of the file.
    pub(crate) node: Option<String>,
    /// The run: its id, the beginning of its id, or `last`. Default: the most recent one in which the node has an output.
    run: Option<String>,
}

/// How many runs are searched.
const RUNS_SEARCHED: usize = 50;

/// Pins the output of a node.
pub(crate) fn pin(asked: &Asked<'_>, wanted: &PinRequest, pins: &PinIndex) -> Result<Value> {
    let Some(node) = &wanted.node else {
        return Err(request_failed("`node` is missing: the output of a node is pinned"));
    };
    let file = asked.file(&wanted.uri).ok_or_else(|| unknown(&wanted.uri))?;
    let site = Site::of(file.project)?;
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
    let found = runs.iter().find_map(|run| {
        // What is damaged has no output.
        let events = store.every_event(run).ok()?;
        Some((run, PinnedNode::of(run.as_str(), &events, wanted.graph.as_deref(), node)?))
    });
    let (run, output) = found.ok_or_else(none)?;
    let answers = output.len();
    pins.put(Pin {
        uri: wanted.uri.as_str().to_owned(),
        node: node.clone(),
        run: run.as_str().to_owned(),
        folder: site.folder,
        output,
    });
    Ok(json!({"node": node, "run": run.as_str(), "answers": answers}))
}

//! The checkpoints of the release: what ran, what was skipped, and the state behind each node.
//!
//! Input: checkpoints as the runtime gives them to its store, in the order of saving; output: runs. Invariant: the state and
//! the edges of a checkpoint count only if its run was not resumed or forked before it, because the runtime follows other
//! edges then.

use nodewise_engine::time::Millis;
use nodewise_expr::json::from_json;
use nodewise_expr::value::{Map, Value};
use serde_json::Value as Json;
use smol_str::SmolStr;

use crate::external_run::{ExternalRun, ExternalScope, ExternalStep, KnownState, NextStep, TraceEntry};

/// The parts of the state that a checkpoint has as a whole.
const PARTS: &[&str] = &["input", "scratch", "artifacts", "diagnostics"];

/// The runs of checkpoints; `None` if the entries are something else.
pub(super) fn runs(entries: &[TraceEntry]) -> Option<Vec<ExternalRun>> {
    let is_checkpoint = |entry: &TraceEntry| {
        let has_list = |key: &str| entry.value.get(key).is_some_and(Json::is_array);
        let has_state = entry.value.get("state").and_then(|state| state.get("scratch")).is_some();
        has_list("visitedNodes") && has_list("pendingEdges") && has_state && !entry.text("runId").is_empty()
    };
    if entries.is_empty() || !entries.iter().all(is_checkpoint) {
        return None;
    }
    let mut ids: Vec<&str> = Vec::new();
    for entry in entries {
        let id = entry.text("runId");
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    let of_run = |id: &&str| -> Vec<&TraceEntry> {
        entries.iter().filter(|entry| entry.text("runId") == *id).collect()
    };
    Some(ids.iter().filter_map(|id| run(id, &of_run(id))).collect())
}

fn run(id: &str, checkpoints: &[&TraceEntry]) -> Option<ExternalRun> {
    let last = checkpoints.iter().max_by_key(|entry| names(&entry.value, "visitedNodes").len())?;
    let is_after = |entry: &&&TraceEntry| {
        names(&entry.value, "visitedNodes").iter().any(|name| name == entry.text("nodeId"))
    };
    // A run that was forked has one checkpoint of the run before it, and none behind a node.
    let is_original = checkpoints.iter().filter(is_after).count() > 1;
    let step = |node: SmolStr| {
        let own = checkpoints.iter().filter(is_after).find(|entry| entry.text("nodeId") == node);
        let line = own.unwrap_or(last).line;
        match own.filter(|_| is_original) {
            Some(own) => ExternalStep {
                node,
                line,
                known: Some(known(&own.value)),
                next: NextStep::Edges(names(&own.value, "pendingEdges")),
                is_resumed: false,
            },
            None => ExternalStep { node, line, ..ExternalStep::default() },
        }
    };
    let mut steps: Vec<ExternalStep> = names(&last.value, "visitedNodes").into_iter().map(step).collect();
    // A node that fails, or waits for a person, ran too.
    let stopped = checkpoints.last().filter(|entry| !is_after(entry));
    if let Some(stopped) = stopped {
        let node = SmolStr::new(stopped.text("nodeId"));
        steps.push(ExternalStep { node, line: stopped.line, ..ExternalStep::default() });
    }
    let time = |entry: &&&TraceEntry| entry.value.get("timestamp").and_then(Json::as_u64).unwrap_or_default();
    let times: Vec<u64> = checkpoints.iter().map(|entry| time(&entry)).collect();
    let time = times.iter().max()?.saturating_sub(*times.iter().min()?);
    let graph = Some(last.text("graphId")).filter(|id| !id.is_empty()).map(SmolStr::new);
    let skipped = last.value.get("skippedNodes").map(|_| names(&last.value, "skippedNodes"));
    let scope = ExternalScope { graph, steps, skipped, is_from_start: true, ..ExternalScope::default() };
    Some(ExternalRun {
        id: id.into(),
        line: checkpoints.first()?.line,
        time: Millis(time),
        scopes: vec![scope],
    })
}

/// What conditions see behind the node of a checkpoint.
fn known(checkpoint: &Json) -> KnownState {
    let mut visible = Map::new();
    let state = checkpoint.get("state");
    for part in PARTS {
        let value = state.and_then(|state| state.get(part)).cloned();
        visible.insert(*part, value.map_or(Value::Undefined, from_json));
    }
    KnownState { visible, complete: PARTS.iter().map(SmolStr::new).collect() }
}

fn names(value: &Json, key: &str) -> Vec<SmolStr> {
    let names = value.get(key).and_then(Json::as_array).into_iter().flatten();
    names.filter_map(Json::as_str).map(SmolStr::new).collect()
}

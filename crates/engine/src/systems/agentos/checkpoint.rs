//! Checkpoints of a run: what a store keeps of them, and what resuming and forking need.
//!
//! Input: the log of a run; output: its checkpoints. Invariant: a checkpoint in the log is complete, so that logs are
//! enough to restore a store; it shares with the next checkpoint what both contain. The release's own store keeps one
//! mapping of results for all checkpoints of a run, so that early checkpoints have results of nodes that ran later.
//! Stores that copy do not ([`Keeping`]).

use std::sync::Arc;

use nodewise_expr::value::{Map, Value};
use smol_str::SmolStr;

use super::program::Program;
use crate::event::{Event, EventKind, ScopeId, VisitId};
use crate::time::Millis;

/// The key of the state under which a crashing run gives the results of its nodes.
pub(super) const RESULTS: &str = "nodeResults";

/// How a store keeps the results of nodes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Keeping {
    /// As the release's store in memory: one mapping for all checkpoints of a run.
    #[default]
    Shared,
    /// Each checkpoint has a copy of the results, as they were when it was saved.
    Copied,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Checkpoint {
    /// The number of the checkpoint in the store, from 1.
    pub number: u32,
    pub run: SmolStr,
    pub graph: SmolStr,
    /// The node at which it was saved.
    pub node: SmolStr,
    /// The time that the host's clock showed.
    pub at: Millis,
    /// The input of the run.
    pub input: Arc<Map>,
    /// The scratch, which all nodes share.
    pub scratch: Arc<Map>,
    /// What the nodes wrote to the artifacts.
    pub artifacts: Arc<Map>,
    /// How many checkpoints were saved before this one.
    pub saved: u32,
    /// The results of nodes, by node id, in the order in which they arrived.
    pub results: Arc<Map>,
    /// How many of the results were there when the store was called. The others came before the store had the checkpoint.
    pub copied: usize,
    /// The completed names in order, each with its position.
    pub visited: Arc<Map>,
    /// The skipped names in order, each with its position.
    pub skipped: Arc<Map>,
    /// The ids of the edges that lead on from the node.
    pub pending: Vec<Value>,
}

/// The checkpoints that a host has stored.
#[derive(Debug, Clone, Default)]
pub struct CheckpointStore {
    keeping: Keeping,
    checkpoints: Vec<Checkpoint>,
}

impl Checkpoint {
    /// The checkpoint as it is written to the log.
    pub(super) fn content(&self) -> Value {
        let text = |text: &SmolStr| Value::Text(text.clone());
        let mut state = Map::new();
        state.insert("input", Value::Map(self.input.clone()));
        state.insert("scratch", Value::Map(self.scratch.clone()));
        state.insert("artifacts", Value::Map(self.artifacts.clone()));
        state.insert("checkpointsSaved", Value::Number(f64::from(self.saved)));
        let mut content = Map::new();
        content.insert("graphId", text(&self.graph));
        content.insert("runId", text(&self.run));
        content.insert("timestamp", Value::Number(self.at.0 as f64));
        content.insert("state", state.into());
        content.insert("nodeResults", Value::Map(self.results.clone()));
        content.insert("copiedResults", Value::Number(self.copied as f64));
        content.insert("visitedNodes", Value::Map(self.visited.clone()));
        content.insert("skippedNodes", Value::Map(self.skipped.clone()));
        content.insert("pendingEdges", self.pending.iter().cloned().collect());
        content.into()
    }

    /// Removes results that came after the store was called. A store that copies does not have them.
    fn forget_what_came_later(&mut self) {
        if self.copied < self.results.len() {
            let copied = self.results.iter().take(self.copied);
            self.results = Arc::new(copied.map(|(node, result)| (node.clone(), result.clone())).collect());
        }
    }

    /// The checkpoint that a log entry contains.
    #[must_use]
    pub fn of(event: &Event) -> Option<Checkpoint> {
        let EventKind::CheckpointSaved { checkpoint, node, content: Value::Map(content) } = &event.kind
        else {
            return None;
        };
        let text = |key: &str| match content.get(key) {
            Some(Value::Text(text)) => Some(text.clone()),
            _ => None,
        };
        let Some(Value::Map(state)) = content.get("state") else { return None };
        Some(Checkpoint {
            number: *checkpoint,
            run: text("runId")?,
            graph: text("graphId")?,
            node: node.clone(),
            at: Millis::from_f64(number(content.get("timestamp"))),
            input: map(state.get("input")),
            scratch: map(state.get("scratch")),
            artifacts: map(state.get("artifacts")),
            saved: number(state.get("checkpointsSaved")) as u32,
            results: map(content.get("nodeResults")),
            copied: number(content.get("copiedResults")) as usize,
            visited: map(content.get("visitedNodes")),
            skipped: map(content.get("skippedNodes")),
            pending: items(content.get("pendingEdges")).to_vec(),
        })
    }
}

impl CheckpointStore {
    /// An empty store.
    #[must_use]
    pub fn new(keeping: Keeping) -> CheckpointStore {
        CheckpointStore { keeping, checkpoints: Vec::new() }
    }

    /// Adds the checkpoints of a run of the main graph.
    pub fn keep(&mut self, program: &Program, log: &[Event]) {
        let first = self.checkpoints.len();
        self.checkpoints.extend(log.iter().filter_map(Checkpoint::of));
        let Some(kept) = self.checkpoints.get_mut(first..) else { return };
        match (self.keeping, kept.last()) {
            (Keeping::Shared, Some(last)) => {
                let results = Arc::new(results(program, log, &last.results));
                kept.iter_mut().for_each(|checkpoint| checkpoint.results = results.clone());
            }
            _ => kept.iter_mut().for_each(Checkpoint::forget_what_came_later),
        }
    }

    /// All checkpoints, in the order of saving.
    #[must_use]
    pub fn all(&self) -> &[Checkpoint] {
        &self.checkpoints
    }

    /// The latest checkpoint of a run. If several have the same time, the first of them.
    #[must_use]
    pub fn latest(&self, run: &str) -> Option<&Checkpoint> {
        self.latest_where(|checkpoint| checkpoint.run == run)
    }

    /// The latest checkpoint of a run at a node.
    #[must_use]
    pub fn at_node(&self, run: &str, node: &str) -> Option<&Checkpoint> {
        self.latest_where(|checkpoint| checkpoint.run == run && checkpoint.node == node)
    }

    /// Copies a checkpoint as the start of another run, with members of its `input`, `scratch` and `artifacts` overwritten.
    pub fn fork(
        &mut self,
        from: &Checkpoint,
        patch: &Map,
        run: SmolStr,
        number: u32,
        at: Millis,
    ) -> Checkpoint {
        let mut forked = Checkpoint { run, number, at, ..from.clone() };
        let parts = [
            ("input", &mut forked.input),
            ("scratch", &mut forked.scratch),
            ("artifacts", &mut forked.artifacts),
        ];
        for (name, part) in parts {
            if let Some(Value::Map(patch)) = patch.get(name) {
                patch.iter().for_each(|(key, value)| Arc::make_mut(part).insert(key.clone(), value.clone()));
            }
        }
        self.checkpoints.push(forked.clone());
        forked
    }

    fn latest_where(&self, fits: impl Fn(&Checkpoint) -> bool) -> Option<&Checkpoint> {
        let fitting = self.checkpoints.iter().filter(|checkpoint| fits(checkpoint));
        fitting.reduce(|latest, next| if next.at > latest.at { next } else { latest })
    }
}

/// The entry for a node's result in a checkpoint.
pub(super) fn record(effect: &Value, output: &Value, duration: Millis) -> Value {
    let mut record = Map::new();
    for (key, value) in [("effectClass", effect), ("output", output)] {
        if *value != Value::Undefined {
            record.insert(key, value.clone());
        }
    }
    record.insert("durationMs", Value::Number(duration.0 as f64));
    record.into()
}

/// The results at the end of a run: those of its last checkpoint, and those of nodes that ended later.
fn results(program: &Program, log: &[Event], last: &Arc<Map>) -> Map {
    let mut results = (**last).clone();
    let mut open: Vec<(VisitId, SmolStr, Millis)> = Vec::new();
    for event in log {
        match &event.kind {
            EventKind::Wrote { scope: ScopeId(0), key, value: Value::Map(all), .. } if key == RESULTS => {
                results = all.as_ref().clone();
            }
            EventKind::VisitStarted { visit, scope: ScopeId(0), node, .. } => {
                open.push((*visit, node.clone(), event.at));
            }
            EventKind::Retried { visit, wait, .. } => {
                let tried = open.iter_mut().find(|(open, ..)| open == visit);
                tried.into_iter().for_each(|(_, _, since)| *since = event.at + *wait);
            }
            EventKind::VisitEnded { visit, result } => {
                let Some(place) = open.iter().position(|(open, ..)| open == visit) else { continue };
                let (_, node, since) = open.swap_remove(place);
                if results.get(&node).is_none() {
                    let output = result.as_ref().unwrap_or(&Value::Undefined);
                    let record = record(&program.effect_of(&node), output, event.at - since);
                    results.insert(node, record);
                }
            }
            _ => {}
        }
    }
    results
}

fn number(value: Option<&Value>) -> f64 {
    match value {
        Some(Value::Number(number)) => *number,
        _ => 0.0,
    }
}

fn map(value: Option<&Value>) -> Arc<Map> {
    match value {
        Some(Value::Map(map)) => map.clone(),
        _ => Arc::default(),
    }
}

fn items(value: Option<&Value>) -> &[Value] {
    match value {
        Some(Value::List(items)) => items,
        _ => &[],
    }
}

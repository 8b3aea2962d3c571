//! The output of a run, in the format of the recordings.
//!
//! Input is the log of a run and its outcome. Output is the recording that the oracle would write. Invariant:
//! everything comes from the log.

use std::collections::BTreeMap;

use nodewise_engine::event::{Event, EventKind, ScopeId, VisitId};
use nodewise_engine::fold::States;
use nodewise_engine::outcome::{Outcome, Status};
use nodewise_engine::systems::agentos::{checkpoint::Checkpoint, partitions};
use nodewise_engine::time::Millis;
use nodewise_expr::json::to_json;
use nodewise_expr::value::{Map as PlainMap, Value as Plain};
use serde_json::{Map, Value, json};
use smol_str::SmolStr;

/// A finished run.
pub(super) struct Phase<'p> {
    pub(super) log: &'p [Event],
    /// The time at its start.
    pub(super) clock: Millis,
    /// The checkpoints by number, with their names.
    pub(super) names: &'p [(u32, String)],
    pub(super) outcome: &'p Outcome,
}

/// Events of voice sessions go to a separate sink.
const SINK: &str = "voice_";

/// The result of a phase without a checkpoint.
pub(super) fn nowhere() -> Value {
    json!({
        "status": "crashed", "visited": [], "trace": [], "finalState": {}, "events": [], "executions": [],
        "checkpoints": [],
    })
}

impl Phase<'_> {
    pub(super) fn recorded(&self) -> Value {
        let (sink, events): (Vec<Value>, Vec<Value>) = self
            .natives()
            .partition(|event| event["type"].as_str().is_some_and(|name| name.starts_with(SINK)));
        let visited: Vec<&Value> = events
            .iter()
            .filter(|event| event["type"] == "node_start")
            .map(|event| &event["nodeId"])
            .collect();
        let end = events.last().filter(|event| event["type"] == "run_end");
        let mut recorded = json!({
            "status": self.status(),
            "visited": visited,
            "trace": events.iter().map(trace).collect::<Vec<_>>(),
            "finalState": self.final_state(),
            "executions": self.executions(),
            "checkpoints": self.log.iter().filter_map(Checkpoint::of).map(|saved| self.checkpoint(&saved)).collect::<Vec<_>>(),
        });
        if let Some(end) = end {
            recorded["finalOutput"] = end["finalOutput"].clone();
        }
        if !sink.is_empty() {
            recorded["sinkEvents"] = Value::Array(sink);
        }
        recorded["events"] = Value::Array(events);
        recorded
    }

    fn status(&self) -> &'static str {
        match self.outcome.status {
            Status::Completed => "completed",
            Status::Waiting => "interrupted",
            Status::Failed => "errored",
            _ => "crashed",
        }
    }

    /// The events of the runtime's stream and of the sink, with their times.
    fn natives(&self) -> impl Iterator<Item = Value> {
        self.log.iter().filter_map(|event| {
            let EventKind::Native { name, detail } = &event.kind else { return None };
            let mut recorded = Map::new();
            recorded.insert("t".to_owned(), self.time(event.at));
            recorded.insert("type".to_owned(), json!(name.as_str()));
            if let Value::Object(detail) = visible(detail) {
                recorded.extend(detail);
            }
            if let Some(number) = recorded.get("checkpointId").and_then(Value::as_u64) {
                recorded.insert("checkpointId".to_owned(), json!(self.name(number)));
            }
            Some(Value::Object(recorded))
        })
    }

    fn final_state(&self) -> Value {
        let states = States::after(self.log);
        let Some(state) = states.of(ScopeId(0)) else { return Value::Null };
        let partitions = partitions(state);
        let members = ["scratch", "artifacts", "visitedNodes", "iteration", "currentNodeId"];
        let member = |key: &str| Some((key.to_owned(), visible(partitions.get(key)?)));
        members.into_iter().filter_map(member).collect()
    }

    /// Each attempt to run a node, including subgraphs, in the order of their starts.
    fn executions(&self) -> Value {
        let mut graphs: BTreeMap<ScopeId, SmolStr> = BTreeMap::new();
        let mut visits: BTreeMap<VisitId, (ScopeId, SmolStr)> = BTreeMap::new();
        let mut found = Vec::new();
        for event in self.log {
            match &event.kind {
                EventKind::GraphStarted { scope, graph, .. } => {
                    graphs.insert(*scope, graph.clone());
                }
                // If a recorded result replaces the work of a node, the node reads nothing.
                EventKind::VisitStarted { visit, scope, node, reads } if *reads != Plain::Undefined => {
                    visits.insert(*visit, (*scope, node.clone()));
                    found.push((event.at, *visit, 1));
                }
                EventKind::TriedAgain { visit, attempt } => found.push((event.at, *visit, *attempt)),
                _ => {}
            }
        }
        let execution = |(at, visit, attempt): (Millis, VisitId, u32)| {
            let (scope, node) = visits.get(&visit)?;
            let mut execution = json!({"node": node.as_str(), "attempt": attempt, "t": self.time(at)});
            if *scope != ScopeId(0) {
                execution["graph"] = json!(graphs.get(scope)?.as_str());
            }
            Some(execution)
        };
        found.into_iter().filter_map(execution).collect()
    }

    fn checkpoint(&self, saved: &Checkpoint) -> Value {
        let names = |names: &PlainMap| names.iter().map(|(name, _)| name.to_string()).collect::<Vec<_>>();
        json!({
            "id": self.name(u64::from(saved.number)),
            "nodeId": saved.node.as_str(),
            "t": saved.at.0,
            "visitedNodes": names(&saved.visited),
            "skippedNodes": names(&saved.skipped),
            "pendingEdges": saved.pending.iter().map(visible).collect::<Vec<_>>(),
            "results": names(&saved.results),
            "scratch": visible(&Plain::Map(saved.scratch.clone())),
            "artifacts": visible(&Plain::Map(saved.artifacts.clone())),
            "checkpointsSaved": saved.saved,
        })
    }

    fn name(&self, number: u64) -> &str {
        let named = self.names.iter().find(|(named, _)| u64::from(*named) == number);
        named.map_or("", |(_, name)| name)
    }

    fn time(&self, at: Millis) -> Value {
        json!((self.clock + at).0)
    }
}

fn trace(event: &Value) -> String {
    let word = |key: &str| event[key].as_str().filter(|word| !word.is_empty()).map(str::to_owned);
    let way = || Some(format!("{}->{}", word("sourceId")?, word("targetId").unwrap_or_default()));
    let parts = [word("type"), word("nodeId").or_else(way), word("reason")];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// A value as JSON that JavaScript would write, without undefined members.
fn visible(value: &Plain) -> Value {
    match value {
        Plain::List(items) => items.iter().map(visible).collect(),
        Plain::Map(map) => {
            let members =
                map.iter().filter(|(_, value)| !matches!(value, Plain::Undefined | Plain::Function(_)));
            members.map(|(key, value)| (key.to_string(), visible(value))).collect()
        }
        value => to_json(value),
    }
}

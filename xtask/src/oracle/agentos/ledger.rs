//! The disagreements with AgentOS that we mean to keep.
//!
//! Input is a disagreement; output is whether an entry explains it. Invariant: an entry looks at the one case, and says
//! no more than its reason covers.

use nodewise_analysis::diagnostic::Severity;
use serde_json::Value;

use crate::oracle::generate::documents::{read, text_of};
use crate::oracle::subject::{Disagreement, Entry};
use crate::oracle::verdict::{UNCLAIMED, diagnostics};

use super::documents::THROWS;

pub(super) const DOCUMENTS: &[Entry] = &[
    Entry {
        name: "document that nobody claims",
        reason: "without nodes, edges or an executor it may be anybody's file, and is left alone",
        holds: |case| {
            let document = read(case.question);
            let is_graph = document["nodes"].is_array() && document["edges"].is_array();
            let is_node = document["id"].is_string() && document["executorConfig"].is_object();
            case.ours["stage"] == UNCLAIMED && !is_graph && !is_node
        },
    },
    Entry {
        name: "exception of the package",
        reason: "where the package throws on a part that is not there, we say which part it is",
        holds: |case| case.theirs["stage"] == THROWS && has_error(case),
    },
    Entry {
        name: "node or edge without its names",
        reason: "the package takes two ids that are both missing, or of another type, for one; we report each (I1)",
        holds: |case| {
            let document = read(case.question);
            let lacks = |list: &str, keys: &[&str]| {
                let items = document[list].as_array().into_iter().flatten();
                items.into_iter().any(|item| keys.iter().any(|key| !item[*key].is_string()))
            };
            let is_nameless = lacks("nodes", &["id"]) || lacks("edges", &["source", "target"]);
            case.theirs["stage"] != THROWS
                && case.ours["stage"] != UNCLAIMED
                && is_nameless
                && has_error(case)
        },
    },
];

pub(super) const RUNS: &[Entry] = &[
    Entry {
        name: "branches that are done at one moment",
        reason: "which of them comes first depends on how many promises each has, and the runtime says nothing of it",
        holds: |case| !is_crashed(case) && untied(case.ours) == untied(case.theirs),
    },
    Entry {
        name: "exception beside other branches",
        reason: "how far the others are when the stream throws depends on how many promises each has",
        holds: |case| is_crashed(case) && case.ours["events"] == case.theirs["events"],
    },
];

fn is_crashed(case: &Disagreement<'_>) -> bool {
    case.ours["status"] == "crashed" && case.theirs["status"] == "crashed"
}

/// A recording without the order of what is done at one moment, and without the runs that go on from its checkpoints.
fn untied(recording: &Value) -> Value {
    let mut recording = recording.clone();
    for event in recording["events"].as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
        event.remove("checkpointId");
    }
    for saved in
        recording["checkpoints"].as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut)
    {
        ["id", "visitedNodes", "skippedNodes", "results"].iter().for_each(|key| drop(saved.remove(*key)));
    }
    for list in ["checkpoints", "executions", "sinkEvents"] {
        if let Some(list) = recording[list].as_array_mut() {
            let place =
                |item: &Value| ["t", "nodeId", "graph", "node", "attempt"].map(|key| item[key].to_string());
            list.sort_by_key(place);
        }
    }
    if let Some(recording) = recording.as_object_mut() {
        recording.remove("then");
    }
    recording
}

fn has_error(case: &Disagreement<'_>) -> bool {
    let (path, text) = text_of(case.question);
    let found = diagnostics(path, text, "agentos");
    found.is_some_and(|found| found.iter().any(|diagnostic| diagnostic.severity == Severity::Error))
}

//! The differences from AgentOS that we keep.
//!
//! Input is a disagreement. Output is whether an entry explains it. Invariant: an entry matches only cases that its
//! reason explains.

use serde_json::Value;

use crate::oracle::generate::documents::{read, text_of};
use crate::oracle::subject::{Disagreement, Entry, Known, agree};
use crate::oracle::verdict::{UNCLAIMED, diagnostics, listed, rule_of};

use super::documents::{THROWS, is_reported, name};

pub(super) const DOCUMENTS: &[Entry] = &[Entry {
    name: "node or edge without its names",
    reason: "the package considers two ids equal if both are missing or have another type; we report each (I1)",
    known: Known::Part,
    holds: |case| {
        let document = read(case.question);
        let parts = nameless(&document);
        case.theirs["stage"] != THROWS
            && case.ours["stage"] != UNCLAIMED
            && !parts.is_empty()
            && are_reported(case, &parts)
            && follows_from_names(case, &document)
    },
}];

pub(super) const RUNS: &[Entry] = &[
    Entry {
        name: "a voice event in the last millisecond of a run",
        reason: "the package's run ends before the oracle records an event at the moment of a node's time limit",
        known: Known::Part,
        holds: |case| agrees_but_for_events(case, has_more_at_the_end),
    },
    Entry {
        name: "order of two voice sessions",
        reason: "two sessions of parallel graphs report in the same millisecond; the package's timers decide which \
                 one is first",
        known: Known::Part,
        holds: |case| agrees_but_for_events(case, |ours, theirs, _| is_other_order(ours, theirs)),
    },
];

/// The part with the events that a voice session reports.
const EVENTS: &str = "sinkEvents";

/// Whether the answers are equal except for the events of voice sessions, which differ in this way.
fn agrees_but_for_events(
    case: &Disagreement<'_>,
    differ: impl Fn(&[Value], &[Value], &Value) -> bool,
) -> bool {
    let without = |answer: &Value| {
        let mut answer = answer.clone();
        answer[EVENTS] = Value::Null;
        answer
    };
    let events = |answer: &Value| answer[EVENTS].as_array().cloned().unwrap_or_default();
    let is_rest_equal = agree(&without(case.ours), &without(case.theirs));
    is_rest_equal && differ(&events(case.ours), &events(case.theirs), &end_of(case.ours))
}

/// When the run ends.
fn end_of(answer: &Value) -> Value {
    let last = answer["events"].as_array().and_then(|events| events.last());
    last.map_or(Value::Null, |event| event["t"].clone())
}

/// Whether we have further voice events, all of them when the run ends.
fn has_more_at_the_end(ours: &[Value], theirs: &[Value], end: &Value) -> bool {
    let Some(further) = ours.strip_prefix(theirs) else { return false };
    !further.is_empty() && further.iter().all(|event| is_voice(event) && event["t"] == *end)
}

/// Whether the same voice events are in another order, and only within a millisecond.
fn is_other_order(ours: &[Value], theirs: &[Value]) -> bool {
    let sorted = |events: &[Value]| {
        let mut events = events.to_vec();
        events.sort_by_cached_key(|event| (event["t"].as_u64(), event.to_string()));
        events
    };
    let times = |events: &[Value]| events.iter().map(|event| event["t"].clone()).collect::<Vec<Value>>();
    let mut moved = ours.iter().zip(theirs).filter(|(one, other)| one != other);
    times(ours) == times(theirs) && sorted(ours) == sorted(theirs) && moved.all(|(one, _)| is_voice(one))
}

fn is_voice(event: &Value) -> bool {
    event["type"].as_str().is_some_and(|name| name.starts_with("voice_"))
}

/// The nodes without an id, and the edges without a source or target.
fn nameless(document: &Value) -> Vec<String> {
    let mut parts = Vec::new();
    for (list, keys) in [("nodes", &["id"][..]), ("edges", &["source", "target"])] {
        for (position, item) in document[list].as_array().into_iter().flatten().enumerate() {
            if keys.iter().any(|key| !item[*key].is_string()) {
                parts.push(format!("/{list}/{position}"));
            }
        }
    }
    parts
}

/// Whether we report an error at each part, or inside of it.
fn are_reported(case: &Disagreement<'_>, parts: &[String]) -> bool {
    let (path, text) = text_of(case.question);
    let Some(found) = diagnostics(path, text.clone(), "agentos") else { return false };
    parts.iter().all(|part| is_reported(part, &text, &found))
}

/// Whether the answers are equal except for the missing names. The package reports such ends as unknown, or accepts
/// them as nodes. If an end of an edge is unknown, reachability is not compared.
fn follows_from_names(case: &Disagreement<'_>, document: &Value) -> bool {
    let items = |list: &str| document[list].as_array().into_iter().flatten();
    let ids: Vec<&str> = items("nodes").filter_map(|node| node["id"].as_str()).collect();
    let odd_ends: Vec<String> = items("edges")
        .flat_map(|edge| ["source", "target"].map(|end| (edge, end)))
        .filter(|(edge, end)| !edge[*end].is_string())
        .map(|(edge, end)| name(edge, end))
        .collect();
    let of = |answer: &Value, part: &str| listed(&answer[part]);
    // For the package, an item that is not an edge has ends too. Both are undefined, and therefore equal.
    let is_broken = items("edges").any(|edge| !edge.is_object())
        || [case.ours, case.theirs]
            .iter()
            .any(|answer| of(answer, "errors").iter().any(|error| matches!(rule_of(error), "R3" | "R4")));
    let kept = |answer: &Value, part: &str| {
        let mut found = of(answer, part);
        found.retain(|finding| {
            let said = finding.split_once(' ').map(|(_, said)| said).unwrap_or_default();
            match rule_of(finding) {
                "R1" | "R5" | "R6" => !is_broken,
                "R2" => !is_broken && ids.contains(&said),
                "R3" | "R4" => !odd_ends.iter().any(|end| said.ends_with(&format!(" {end}"))),
                _ => true,
            }
        });
        found
    };
    ["errors", "warnings"].iter().all(|part| kept(case.ours, part) == kept(case.theirs, part))
}

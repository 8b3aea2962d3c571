//! The differences from cycgraph that we keep.
//!
//! Input is a disagreement. Output is whether an entry explains it. Invariant: an entry matches only cases that its
//! reason explains.

use nodewise_expr::jsonpath::PathErrorKind;
use serde_json::Value;

use super::documents::SCHEMA;
use super::runs;
use crate::oracle::subject::{Disagreement, Entry, Known};
use crate::oracle::verdict::UNCLAIMED;

pub(super) const EXPRESSIONS: &[Entry] = &[
    Entry {
        name: "last digit of a logarithm or power",
        reason: "both are within the precision that ECMAScript leaves to an engine",
        known: Known::Part,
        holds: |case| {
            let text = case.question["expression"].as_str().unwrap_or_default();
            let has_function = text.contains("log") || text.contains('^');
            let rounded = |answer: &Value| answer.get("value").map(|value| rounded(&value.to_string()));
            let ours = rounded(case.ours);
            has_function && verdicts_agree(case) && ours.is_some() && ours == rounded(case.theirs)
        },
    },
    Entry {
        name: "which of two errors is reported first",
        reason: "an unknown function is found before its arguments are evaluated; both verdicts are the same",
        known: Known::Part,
        holds: |case| {
            let both_fail = !case.ours["error"].is_null() && !case.theirs["error"].is_null();
            both_fail && verdicts_agree(case) && case.ours["error"] == "function"
        },
    },
];

pub(super) const PATHS: &[Entry] = &[Entry {
    name: "script that is not evaluated",
    reason: "filters with JavaScript beyond comparing and calculating have no answer here, and no finding",
    known: Known::Part,
    holds: |case| {
        let path = case.question["path"].as_str().unwrap_or_default();
        case.ours["error"] == PathErrorKind::Unsupported.name() && is_script(path)
    },
}];

pub(super) const RUNS: &[Entry] = &[
    Entry {
        name: "what continues after a time limit",
        reason: "after the time limit of a node, the package lets the running model calls continue for a while; its \
                 event loop decides whether the next calls and evaluations still happen",
        known: Known::Part,
        holds: |case| kind_of(case) == Some(Kind::BehindTimeLimit),
    },
    Entry {
        name: "which of several agents asks first",
        reason: "the package's streams and timers decide the order in which concurrent agents ask; with another \
                 order, our run is the same",
        known: Known::Part,
        holds: |case| kind_of(case) == Some(Kind::Concurrent),
    },
    Entry {
        name: "one more call before the first failure ends the node",
        reason: "the package's event loop decides whether a free worker takes its next item before or after \
                 another one fails; the run is the same except for that call",
        known: Known::Part,
        holds: |case| kind_of(case) == Some(Kind::FailFast),
    },
];

/// A kind of difference in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    BehindTimeLimit,
    Concurrent,
    FailFast,
}

/// The part with the model calls.
const MODELS: &str = "model_calls";

pub(super) const DOCUMENTS: &[Entry] = &[Entry {
    name: "misspelt marks",
    reason: "nodewise recognises a document even if its identifying keys are misspelt, and reports these keys; the \
             package does not recognise it",
    known: Known::Part,
    holds: |case| case.theirs["stage"] == UNCLAIMED && case.ours["stage"] == SCHEMA,
}];

fn kind_of(case: &Disagreement<'_>) -> Option<Kind> {
    let is_calls_alone = differing(case) == [MODELS];
    let text = |answer: &Value| answer["error"]["message"].as_str().unwrap_or_default().to_owned();
    let (ours, theirs) = (text(case.ours), text(case.theirs));
    let is_limit = |text: &str| text.contains(" timeout after ") || text.contains(" timed out after ");
    if is_calls_alone && ours == theirs && is_limit(&ours) && has_last_calls_of_one(case) {
        return Some(Kind::BehindTimeLimit);
    }
    let workers = fail_fast_workers(case.question);
    if is_calls_alone && one_more(case).is_some_and(|agent| workers.contains(&agent)) {
        return Some(Kind::FailFast);
    }
    runs::is_other_order(case.question, case.theirs).then_some(Kind::Concurrent)
}

/// The agent of a call that only one side has. All other calls are the same, in the same order.
fn one_more(case: &Disagreement<'_>) -> Option<String> {
    let (longer, shorter) = longer_and_shorter(case)?;
    if longer.len() != shorter.len() + 1 {
        return None;
    }
    let same = longer.iter().zip(shorter).take_while(|(one, other)| one == other).count();
    let more = longer.get(same)?;
    (longer[same + 1..] == shorter[same..]).then(|| agent_of(more).to_owned())
}

/// Whether one side has more calls after all those of the other. They must be calls of one agent, and not more than it
/// can make in a row. The calls before them are the same, or ours in another order.
fn has_last_calls_of_one(case: &Disagreement<'_>) -> bool {
    let Some((longer, shorter)) = longer_and_shorter(case) else { return false };
    let (before, more) = longer.split_at(shorter.len());
    let Some((first, rest)) = more.split_first() else { return false };
    let are_last = rest.iter().all(|other| other == first)
        && more.len() as u64 <= in_a_row(case.question, agent_of(first));
    let is_other_order = || {
        let mut theirs = case.theirs.clone();
        theirs[MODELS] = before.into();
        runs::is_other_order(case.question, &theirs)
    };
    let is_theirs_longer = case.theirs[MODELS].as_array().map(Vec::as_slice) == Some(longer);
    are_last && (before == shorter || is_theirs_longer && is_other_order())
}

/// The model calls of the two sides, the longer list first.
fn longer_and_shorter<'c>(case: &Disagreement<'c>) -> Option<(&'c [Value], &'c [Value])> {
    let (ours, theirs) = (case.ours[MODELS].as_array()?, case.theirs[MODELS].as_array()?);
    Some(if ours.len() > theirs.len() { (ours, theirs) } else { (theirs, ours) })
}

fn agent_of(call: &Value) -> &str {
    call["agent"].as_str().unwrap_or_default()
}

/// The maximum number of calls of an agent that a node makes without waiting for others: the number of concurrent
/// workers, or one for each candidate that a generation evaluates.
fn in_a_row(question: &Value, agent: &str) -> u64 {
    let nodes = nodes(question);
    let names = |value: &Value| value.as_str() == Some(agent);
    let counts = nodes.iter().flat_map(|node| {
        let (bred, map) = (&node["evolution_config"], &node["map_reduce_config"]);
        let mut workers = nodes.iter().filter(|worker| worker["id"] == map["worker_node_id"]);
        [
            (names(&bred["candidate_agent_id"]), &bred["max_concurrency"]),
            (names(&bred["evaluator_agent_id"]), &bred["population_size"]),
            (workers.any(|worker| names(&worker["agent_id"])), &map["max_concurrency"]),
        ]
    });
    counts.filter_map(|(is_named, count)| count.as_u64().filter(|_| is_named)).max().unwrap_or(1)
}

/// The nodes of all graphs of a run.
fn nodes(question: &Value) -> Vec<&Value> {
    let scenario = &question["scenario"];
    let graphs = scenario["graphs"].as_array().into_iter().flatten().chain([&scenario["graph"]]);
    graphs.flat_map(|graph| graph["nodes"].as_array().into_iter().flatten()).collect()
}

/// The agents that work for nodes that stop at the first failure.
fn fail_fast_workers(question: &Value) -> Vec<String> {
    let nodes = nodes(question);
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let mut agents = Vec::new();
    for node in &nodes {
        let (map, evolution) = (&node["map_reduce_config"], &node["evolution_config"]);
        if map["error_strategy"] == "fail_fast" {
            let workers = nodes.iter().filter(|other| other["id"] == map["worker_node_id"]);
            agents.extend(workers.filter_map(|worker| text(&worker["agent_id"])));
        }
        if evolution["error_strategy"] == "fail_fast" {
            agents.extend(
                ["candidate_agent_id", "evaluator_agent_id"].iter().filter_map(|key| text(&evolution[*key])),
            );
        }
    }
    agents
}

/// The parts of two answers that differ.
fn differing<'c>(case: &'c Disagreement<'_>) -> Vec<&'c str> {
    let keys = |answer: &'c Value| answer.as_object().into_iter().flatten().map(|(key, _)| key.as_str());
    let mut differing: Vec<&str> =
        keys(case.ours).chain(keys(case.theirs)).filter(|key| case.ours[*key] != case.theirs[*key]).collect();
    differing.sort_unstable();
    differing.dedup();
    differing
}

/// Whether a path contains JavaScript other than comparisons and calculations: a call, an object, a list, a regular
/// expression, an assignment or a keyword.
fn is_script(path: &str) -> bool {
    const WORDS: &[&str] =
        &["typeof", "instanceof", "new", "in", "this", "function", "delete", "void", "let", "var", "const"];
    let Some(script) = path.split_once('(').and_then(|(_, rest)| Some(rest.rsplit_once(')')?.0)) else {
        return false;
    };
    let words = script.split(|character: char| !(character.is_alphanumeric() || "_$".contains(character)));
    let has_word = words.into_iter().any(|word| WORDS.contains(&word));
    let pairs: Vec<char> = script.chars().filter(|character| !character.is_whitespace()).collect();
    let is_called = |pair: &[char]| pair[1] == '(' && (pair[0].is_alphanumeric() || "_$])".contains(pair[0]));
    let has_call = pairs.windows(2).any(is_called);
    // A remaining `=`, after all comparison operators are removed, is an assignment.
    let assigns = ["===", "!==", "==", "!=", "<=", ">="]
        .iter()
        .fold(script.to_owned(), |rest, sign| rest.replace(sign, " "))
        .contains('=');
    has_word || has_call || assigns || script.contains(['{', '`', ';', ','])
}

fn verdicts_agree(case: &Disagreement<'_>) -> bool {
    ["compiles", "edge", "verifier"].iter().all(|verdict| case.ours[verdict] == case.theirs[verdict])
}

/// The text with a limited number of digits after each decimal point.
fn rounded(text: &str) -> String {
    const DIGITS: usize = 10;
    let mut digits = None;
    let is_kept = |character: &char| {
        digits = match (digits, character) {
            (_, '.') => Some(0),
            (Some(count), '0'..='9') => Some(count + 1),
            _ => None,
        };
        digits.is_none_or(|count| count <= DIGITS)
    };
    text.chars().filter(is_kept).collect()
}

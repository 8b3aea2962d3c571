//! The disagreements with cycgraph that we mean to keep.
//!
//! Input is a disagreement; output is whether an entry explains it. Invariant: an entry looks at the one case, and says
//! no more than its reason covers.

use nodewise_expr::jsonpath::PathErrorKind;
use serde_json::Value;

use super::runs;
use crate::oracle::generate::documents::read;
use crate::oracle::subject::{Disagreement, Entry};
use crate::oracle::verdict::{UNCLAIMED, listed_rules};

pub(super) const EXPRESSIONS: &[Entry] = &[
    Entry {
        name: "last digit of a logarithm or power",
        reason: "both are within the precision that ECMAScript leaves to an engine",
        holds: |case| {
            let text = case.question["expression"].as_str().unwrap_or_default();
            let has_function = text.contains("log") || text.contains('^');
            let rounded = |answer: &Value| answer.get("value").map(|value| rounded(&value.to_string()));
            let ours = rounded(case.ours);
            has_function && verdicts_agree(case) && ours.is_some() && ours == rounded(case.theirs)
        },
    },
    Entry {
        name: "which of two errors is met first",
        reason: "an unknown function is found before its arguments are evaluated; both verdicts are the same",
        holds: |case| {
            let both_fail = !case.ours["error"].is_null() && !case.theirs["error"].is_null();
            both_fail && verdicts_agree(case) && case.ours["error"] == "function"
        },
    },
];

pub(super) const PATHS: &[Entry] = &[Entry {
    name: "script that is not evaluated",
    reason: "filters with JavaScript beyond comparing and calculating have no answer here, and no finding",
    holds: |case| case.ours["error"] == PathErrorKind::Unsupported.name(),
}];

pub(super) const RUNS: &[Entry] = &[
    Entry {
        name: "words of a parser",
        reason: "the text of the error that an expression does not compile is the package's parser's own",
        holds: |case| kind_of(case) == Some(Kind::ParserText),
    },
    Entry {
        name: "what goes on behind a time limit",
        reason: "the package lets an attempt go on whose node's time is up; what is heard of it depends on its event loop",
        holds: |case| kind_of(case) == Some(Kind::BehindTimeLimit),
    },
    Entry {
        name: "who of several asks first",
        reason: "agents that work at once ask in an order that the package's streams and timers make; in another order of \
                 asking, ours is the same run",
        holds: |case| kind_of(case) == Some(Kind::Concurrent),
    },
    Entry {
        name: "one more is asked before the first failure counts",
        reason: "whether a free place takes its next piece before or after another one fails is up to the package's event \
                 loop; the run is the same but for that call",
        holds: |case| kind_of(case) == Some(Kind::FailFast),
    },
];

/// A kind of disagreement about a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    ParserText,
    BehindTimeLimit,
    Concurrent,
    FailFast,
}

/// The parts of an answer that hold the texts of errors.
const TEXTS: &[&str] = &["error", "last_error", "failures"];
/// The parts that tell who was asked.
const CALLS: &[&str] = &["model_calls", "tool_calls", "queries"];
/// The parts that tell of an attempt that goes on although nobody waits for it.
const ATTEMPTS: &[&str] = &["failures", "retries", "events", "model_calls", "tool_calls"];

fn kind_of(case: &Disagreement<'_>) -> Option<Kind> {
    let differing = differing(case);
    let is_within = |parts: &[&str]| differing.iter().all(|part| parts.contains(part));
    let text = |answer: &Value| answer["error"]["message"].as_str().unwrap_or_default().to_owned();
    let (ours, theirs) = (text(case.ours), text(case.theirs));
    let is_parsers = theirs.starts_with("Parse error") || theirs.starts_with("Lexical error");
    if is_parsers && is_within(TEXTS) {
        return Some(Kind::ParserText);
    }
    let is_limit = |text: &str| text.contains(" timeout after ") || text.contains(" timed out after ");
    if ours == theirs && is_limit(&ours) && is_within(ATTEMPTS) {
        return Some(Kind::BehindTimeLimit);
    }
    if is_within(CALLS) && has_fail_fast(case.question) {
        return Some(Kind::FailFast);
    }
    runs::is_other_order(case.question, case.theirs).then_some(Kind::Concurrent)
}

fn has_fail_fast(question: &Value) -> bool {
    let scenario = &question["scenario"];
    let graphs = scenario["graphs"].as_array().into_iter().flatten().chain([&scenario["graph"]]);
    let mut nodes = graphs.flat_map(|graph| graph["nodes"].as_array().into_iter().flatten());
    nodes.any(|node| {
        ["map_reduce_config", "evolution_config"]
            .iter()
            .any(|settings| node[*settings]["error_strategy"] == "fail_fast")
    })
}

/// The parts of two answers that differ.
fn differing<'c>(case: &'c Disagreement<'_>) -> Vec<&'c str> {
    let keys = |answer: &'c Value| answer.as_object().into_iter().flatten().map(|(key, _)| key.as_str());
    keys(case.ours).chain(keys(case.theirs)).filter(|key| case.ours[*key] != case.theirs[*key]).collect()
}

/// Rules about a node that look at the graph around it.
const GRAPH_RULES: &[&str] =
    &["R17", "R18", "R25", "R27", "R28", "R34", "R35", "R48", "R49", "R50", "R51", "R52", "R53"];

pub(super) const DOCUMENTS: &[Entry] = &[
    Entry {
        name: "lone node",
        reason: "the package knows no node by itself: its tool wraps one, and names other places where it refuses it",
        holds: |case| {
            let is_node = case.question["value"].get("nodes").is_none()
                && case.question["value"].get("graph").is_none();
            let differences: Vec<String> = ["errors", "warnings"]
                .iter()
                .flat_map(|part| {
                    let (ours, theirs) = (listed_rules(&case.ours[*part]), listed_rules(&case.theirs[*part]));
                    ours.symmetric_difference(&theirs).cloned().collect::<Vec<String>>()
                })
                .collect();
            is_node
                && differences.iter().all(|rule| GRAPH_RULES.contains(&rule.as_str()))
                && case.ours["stage"] == case.theirs["stage"]
        },
    },
    Entry {
        name: "document that nobody claims",
        reason: "without the marks of a graph, bundle, node or agent it may be anybody's file, and is left alone",
        holds: |case| {
            let document = read(case.question);
            let is_graph = document["nodes"].is_array() && document["start_node"].is_string();
            let is_bundle = document["manifest"].is_object() && document["graph"].is_object();
            let is_node = document["id"].is_string() && document["type"].is_string();
            let has = |key: &str| document.get(key).is_some();
            let is_agent = has("provider") && has("system_prompt") && (has("model") || has("id"));
            case.ours["stage"] == UNCLAIMED && !is_graph && !is_bundle && !is_node && !is_agent
        },
    },
];

fn verdicts_agree(case: &Disagreement<'_>) -> bool {
    ["compiles", "edge", "verifier"].iter().all(|verdict| case.ours[verdict] == case.theirs[verdict])
}

/// The text with no more than so many digits behind each point.
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

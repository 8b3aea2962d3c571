//! Our verdicts on whole documents.
//!
//! Input is the oracle's question; output is what is broken: each rule with the node or edge that breaks it. Invariant: of
//! the rules, those alone count that the package checks; the others are implied.

use nodewise_analysis::diagnostic::{Diagnostic, Severity};
use nodewise_expr::javascript::to_text;
use serde_json::{Value, json};

use crate::oracle::generate::documents::{read, text_of};
use crate::oracle::{places, values, verdict};

/// The rules that the package checks; the others are implied.
const CHECKED: &[&str] = &["R1", "R2", "R3", "R4", "R5", "R6"];

/// The package throws where a part that it reads is not there.
pub(super) const THROWS: &str = "throws";
const RULES: &str = "rules";

pub(super) fn answer(question: &Value) -> Value {
    let (path, text) = text_of(question);
    let Some(diagnostics) = verdict::diagnostics(path, text.clone(), "agentos") else {
        return json!({"stage": verdict::UNCLAIMED});
    };
    let parts = parts_that_throw(&read(question));
    if !parts.is_empty() {
        let reported = parts.into_iter().filter(|part| is_reported(part, &text, &diagnostics));
        return json!({"stage": THROWS, "parts": reported.collect::<Vec<String>>()});
    }
    let broken = |severity| {
        let mut found = verdict::findings(&text, &diagnostics, "agentos", severity, about);
        found.retain(|finding| CHECKED.contains(&verdict::rule_of(finding)));
        found
    };
    rules(broken(Severity::Error), broken(Severity::Warning))
}

/// The names in a finding, as the package says them: the node that nothing leads to, the edge with the end that is unknown.
fn about(rule: &str, way: &[String], document: &Value) -> Option<String> {
    let (list, position) = (way.first()?, way.get(1)?);
    let item = &document[list.as_str()][position.parse::<usize>().unwrap_or_default()];
    match rule {
        "R2" => Some(name(item, "id")),
        "R3" => Some(format!("{} {}", name(item, "id"), name(item, "source"))),
        "R4" => Some(format!("{} {}", name(item, "id"), name(item, "target"))),
        _ => None,
    }
}

/// The member of a part in the words of JavaScript.
pub(super) fn name(part: &Value, key: &str) -> String {
    let text =
        part.get(key).map_or_else(|| "undefined".to_owned(), |value| to_text(&values::from_json(value)));
    // JSON has no word for these, so that the oracle says null.
    if ["NaN", "Infinity", "-Infinity"].contains(&text.as_str()) { "null".to_owned() } else { text }
}

/// The oracle's answer in the same form. A document that bears no mark of a graph or node is nobody's.
pub(super) fn their_answer(question: &Value, answer: &Value) -> Value {
    let document = read(question);
    if !verdict::has_marks(&document, "agentos") {
        return json!({"stage": verdict::UNCLAIMED});
    }
    if !answer["crash"].is_null() {
        return json!({"stage": THROWS, "parts": parts_that_throw(&document)});
    }
    rules(verdict::listed(&answer["errors"]), verdict::listed(&answer["warnings"]))
}

/// The parts that the package reads members of, and that have none: it throws there, and we say so of each.
fn parts_that_throw(document: &Value) -> Vec<String> {
    // A lone node with an id is put into a graph.
    if document["executorConfig"].is_object() && !document["nodes"].is_array() {
        return if document["id"].is_string() { Vec::new() } else { vec![String::new()] };
    }
    let mut parts = Vec::new();
    for list in ["nodes", "edges"] {
        match document.get(list) {
            Some(Value::Array(items)) => {
                let empty = items.iter().enumerate().filter(|(_, item)| item.is_null());
                parts.extend(empty.map(|(position, _)| format!("/{list}/{position}")));
            }
            Some(_) => parts.push(format!("/{list}")),
            None => parts.push(String::new()),
        }
    }
    parts
}

/// Whether an error stands at a part, or in it.
pub(super) fn is_reported(part: &str, text: &str, diagnostics: &[Diagnostic]) -> bool {
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error).cloned();
    places::ways(text, &errors.collect::<Vec<Diagnostic>>())
        .iter()
        .any(|way| way == part || way.strip_prefix(part).is_some_and(|rest| rest.starts_with('/')))
}

/// An edge without one of its ends: the package takes that for a cycle, and for missing ways.
const BROKEN_WAYS: verdict::Consequences =
    verdict::Consequences { causes: &["R3", "R4"], follow: &["R1", "R2", "R5", "R6"] };

fn rules(mut errors: Vec<String>, mut warnings: Vec<String>) -> Value {
    // The package says of the whole graph that it has a cycle, and we of each.
    errors.sort_unstable();
    errors.dedup_by(|one, other| one == other && one == "R1");
    // And it knows nodes by their ids, of which two may be the same.
    warnings.sort_unstable();
    warnings.dedup();
    BROKEN_WAYS.leave_out(&mut errors, &mut warnings);
    verdict::lists(RULES, errors, warnings)
}

//! Checks of whole documents.
//!
//! Input is the oracle's question. Output is the broken rules, each with the node or edge. Invariant: only the rules
//! that the package checks are compared.

use nodewise_analysis::diagnostic::{Diagnostic, Severity};
use nodewise_expr::javascript::to_text;
use serde_json::{Value, json};

use crate::oracle::generate::documents::{read, text_of};
use crate::oracle::{places, values, verdict};

/// The rules that the package checks. It does not state the others.
const CHECKED: &[&str] = &["R1", "R2", "R3", "R4", "R5", "R6"];

/// The package throws if a part that it reads is missing.
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

/// The names in a finding, as the package reports them: the unreachable node, or the edge with its unknown end.
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

/// The member of a part, as text in JavaScript.
pub(super) fn name(part: &Value, key: &str) -> String {
    let text =
        part.get(key).map_or_else(|| "undefined".to_owned(), |value| to_text(&values::from_json(value)));
    // JSON cannot represent these, so the oracle writes null.
    if ["NaN", "Infinity", "-Infinity"].contains(&text.as_str()) { "null".to_owned() } else { text }
}

/// The oracle's answer in the same format. A document without marks of a graph or node belongs to no system.
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

/// The missing parts whose members the package reads. It throws there, and we report each of them.
fn parts_that_throw(document: &Value) -> Vec<String> {
    // A node with an id, but without a graph, is put into a graph.
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

/// Whether an error is at a part, or inside of it.
pub(super) fn is_reported(part: &str, text: &str, diagnostics: &[Diagnostic]) -> bool {
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error).cloned();
    places::ways(text, &errors.collect::<Vec<Diagnostic>>())
        .iter()
        .any(|way| way == part || way.strip_prefix(part).is_some_and(|rest| rest.starts_with('/')))
}

/// If an edge has no source or target, the package also reports a cycle and unreachable nodes.
const BROKEN_WAYS: verdict::Consequences =
    verdict::Consequences { causes: &["R3", "R4"], follow: &["R1", "R2", "R5", "R6"] };

fn rules(mut errors: Vec<String>, mut warnings: Vec<String>) -> Value {
    // The package reports a cycle once for the whole graph. We report each cycle.
    errors.sort_unstable();
    errors.dedup_by(|one, other| one == other && one == "R1");
    // The package identifies nodes by id, and two nodes may have the same id.
    warnings.sort_unstable();
    warnings.dedup();
    BROKEN_WAYS.leave_out(&mut errors, &mut warnings);
    verdict::lists(RULES, errors, warnings)
}

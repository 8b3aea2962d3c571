//! Checks of whole documents.
//!
//! Input is the oracle's question. Output is the stage at which the check ends, and its findings: each rule with the
//! node, edge or name. Invariant: rules are compared only if both sides reach them.

use std::collections::BTreeSet;

use nodewise_analysis::diagnostic::Severity;
use serde_json::{Value, json};

use crate::oracle::generate::documents::{read, text_of};
use crate::oracle::{places, verdict};

/// The stages at which the package stops before its rules.
pub(super) const SCHEMA: &str = "schema";
const INTEGRITY: &str = "integrity";
const RULES: &str = "rules";

pub(super) fn answer(question: &Value) -> Value {
    let (path, text) = text_of(question);
    let Some(diagnostics) = verdict::diagnostics(path, text.clone(), "cycgraph") else {
        return json!({"stage": verdict::UNCLAIMED});
    };
    let errors = verdict::broken_rules(&diagnostics, "cycgraph", Severity::Error);
    if errors.contains(SCHEMA) {
        let places = places::ours(&text, &diagnostics, "cycgraph:schema");
        return refused(question, places);
    }
    if errors.contains(INTEGRITY) {
        return json!({"stage": INTEGRITY});
    }
    let found = |severity| verdict::findings(&text, &diagnostics, "cycgraph", severity, about);
    rules(question, found(Severity::Error), found(Severity::Warning))
}

/// The first names in the package's report: those of the node or edge, or the value at the place.
fn about(rule: &str, way: &[String], document: &Value) -> Option<String> {
    let name = |value: &Value, key: &str| value[key].as_str().unwrap_or_default().to_owned();
    if is_lone_node(document) {
        return Some(name(document, "id")).filter(|name| !name.is_empty());
    }
    let mut value = document;
    let mut list = "";
    for step in way {
        if ["nodes", "edges"].contains(&list) && value.is_object() {
            break;
        }
        let next = step.parse().ok().and_then(|index: usize| value.get(index)).or_else(|| value.get(step));
        let Some(next) = next else { break };
        value = next;
        list = if value.is_array() { step } else { list };
    }
    let mut value = value.clone();
    // The schema generates an id of this form for an edge without one, so such ids are not compared.
    if list == "edges" && value["id"].as_str().is_some_and(is_uuid) {
        value["id"] = Value::Null;
    }
    let names = match rule {
        "R9" => vec![name(&value, "id"), name(&value, "source")],
        "R10" => vec![name(&value, "id"), name(&value, "target")],
        _ => vec![value["id"].as_str().or(value.as_str()).unwrap_or_default().to_owned()],
    };
    let names: Vec<String> = names.into_iter().filter(|name| !name.is_empty()).collect();
    (!names.is_empty()).then(|| names.join(" "))
}

fn is_uuid(text: &str) -> bool {
    let is_hexadecimal = |part: &str| part.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let parts: Vec<&str> = text.split('-').collect();
    let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
    lengths == [8, 4, 4, 4, 12] && parts.iter().all(|part| is_hexadecimal(part))
}

/// The oracle's answer in the same format. A document without marks belongs to no system.
pub(super) fn their_answer(question: &Value, answer: &Value) -> Value {
    if !verdict::has_marks(&read(question), "cycgraph") {
        return json!({"stage": verdict::UNCLAIMED});
    }
    match answer["stage"].as_str() {
        Some("validator") => {
            rules(question, verdict::listed(&answer["errors"]), verdict::listed(&answer["warnings"]))
        }
        Some(SCHEMA) => {
            let places = places::theirs(&question["value"], &answer["schema"]);
            refused(question, places)
        }
        _ => json!({"stage": answer["stage"]}),
    }
}

/// If an edge, the start or a reference names a node that does not exist, reachability is unknown.
const BROKEN_WAYS: verdict::Consequences = verdict::Consequences {
    causes: &["R1", "R5", "R7", "R9", "R10", "R17", "R25", "R27", "R28", "R34"],
    follow: &["R48", "R49", "R53"],
};

/// The answer about a document that the schema rejects.
fn refused(question: &Value, places: BTreeSet<String>) -> Value {
    let document = read(question);
    // The oracle's program did not recognise the kind and used the graph schema, so the places have no meaning.
    if is_of_unknown_kind(&document) {
        return json!({"stage": SCHEMA});
    }
    if !is_lone_node(&document) {
        return json!({"stage": SCHEMA, "places": places});
    }
    // The places inside a node are only compared up to the key of the node.
    let key = |place: String| place.split('/').take(2).collect::<Vec<&str>>().join("/");
    json!({"stage": SCHEMA, "places": places.into_iter().map(key).collect::<BTreeSet<String>>()})
}

/// Whether the oracle's program treats the document as a graph.
fn is_of_unknown_kind(document: &Value) -> bool {
    let has = |key: &str| document.get(key).is_some();
    let is_bundle = has("manifest") && has("graph");
    let is_graph = has("nodes") || has("start_node");
    let is_node = document["id"].is_string() && document["type"].is_string();
    let is_agent = has("provider") && has("system_prompt");
    !(is_bundle || is_graph || is_node || is_agent)
}

/// The rules about a node that depend on the graph around it.
const GRAPH_RULES: &[&str] =
    &["R17", "R18", "R25", "R27", "R28", "R34", "R35", "R48", "R49", "R50", "R51", "R52", "R53"];

fn rules(question: &Value, mut errors: Vec<String>, mut warnings: Vec<String>) -> Value {
    // The package cannot check a single node, so the oracle's program puts it into a graph without other nodes.
    if is_lone_node(&read(question)) {
        let stays = |finding: &String| !GRAPH_RULES.contains(&verdict::rule_of(finding));
        errors.retain(stays);
        warnings.retain(stays);
    }
    BROKEN_WAYS.leave_out(&mut errors, &mut warnings);
    verdict::lists(RULES, errors, warnings)
}

fn is_lone_node(document: &Value) -> bool {
    let has = |key: &str| document.get(key).is_some();
    !(has("nodes") || has("start_node") || (has("manifest") && has("graph")))
}

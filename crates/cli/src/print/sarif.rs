//! SARIF 2.1.0, with fixes and, where a finding follows a way through a graph, code flows.
//!
//! Input: a diagnostic and its fingerprint. Output: its result, and what stands around all results. Invariant: the log
//! is valid under the published schema; columns count characters from 1.

use nodewise_analysis::diagnostic::{Diagnostic, Fix, Severity};
use nodewise_analysis::page::summary;
use nodewise_analysis::rules::RULES;
use nodewise_model::Origin;
use serde::Serialize;
use serde_json::{Value, json};

use super::json::to_json;
use crate::project::Judged;

/// This many places make a way.
const FLOW_MIN: usize = 2;

/// The tool that speaks.
#[derive(Serialize)]
struct Driver {
    name: &'static str,
    version: &'static str,
    rules: Vec<Value>,
}

/// What the log begins with, up to its first result.
pub(super) fn head() -> String {
    let rules: Vec<Value> = RULES
        .iter()
        .map(|rule| {
            json!({
                "id": rule.id,
                "shortDescription": {"text": summary(rule)},
                "defaultConfiguration": {"level": level(rule.severity)},
            })
        })
        .collect();
    let driver = Driver { name: "nodewise", version: env!("CARGO_PKG_VERSION"), rules };
    format!(
        "{{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{{\
         \"tool\":{{\"driver\":{}}},\"columnKind\":\"unicodeCodePoints\",\"results\":[",
        to_json(&driver)
    )
}

/// What the log ends with.
pub(super) const TAIL: &str = "\n]}]}\n";

/// The result of a diagnostic.
pub(super) fn text(judged: &Judged, diagnostic: &Diagnostic, fingerprint: &str) -> String {
    let finding = &diagnostic.finding;
    let mut message = finding.message.clone();
    if let Some(help) = &finding.help {
        message.push_str(&format!("\nhelp: {help}"));
    }
    let mut result = json!({
        "ruleId": diagnostic.rule,
        "level": level(diagnostic.severity),
        "message": {"text": message},
        "locations": [location(judged, finding.at)],
        "partialFingerprints": {"nodewise/v1": fingerprint},
    });
    if let Some(index) = RULES.iter().position(|rule| rule.id == diagnostic.rule) {
        result["ruleIndex"] = json!(index);
    }
    if let Some(spec) = diagnostic.spec {
        result["properties"] = json!({"spec": spec});
    }
    let related: Vec<Value> =
        finding.related.iter().map(|one| with_message(location(judged, one.at), &one.message)).collect();
    if related.len() >= FLOW_MIN {
        let own = with_message(location(judged, finding.at), &finding.message);
        let steps: Vec<Value> =
            std::iter::once(own).chain(related.clone()).map(|place| json!({"location": place})).collect();
        result["codeFlows"] = json!([{"threadFlows": [{"locations": steps}]}]);
    }
    if !related.is_empty() {
        result["relatedLocations"] = json!(related);
    }
    let fixes: Vec<Value> = finding.fixes.iter().map(|one| fix(judged, one)).collect();
    if !fixes.is_empty() {
        result["fixes"] = json!(fixes);
    }
    to_json(&result)
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Hint => "note",
    }
}

fn with_message(mut location: Value, message: &str) -> Value {
    location["message"] = json!({"text": message});
    location
}

fn location(judged: &Judged, at: Origin) -> Value {
    let (file, region) = place(judged, at);
    json!({"physicalLocation": {"artifactLocation": file, "region": region}})
}

/// A file and a region of it.
fn place(judged: &Judged, at: Origin) -> (Value, Value) {
    let Some(place) = judged.place(at) else { return (json!({"uri": ""}), json!({"startLine": 1})) };
    let region = json!({
        "startLine": place.start.at.line,
        "startColumn": place.start.at.column,
        "endLine": place.end.at.line,
        "endColumn": place.end.at.column,
        "byteOffset": place.start.offset,
        "byteLength": place.end.offset - place.start.offset,
    });
    (json!({"uri": uri(place.path)}), region)
}

/// A fix: the replacements of each file.
fn fix(judged: &Judged, fix: &Fix) -> Value {
    let mut changes: Vec<(Value, Vec<Value>)> = Vec::new();
    for edit in &fix.edits {
        let (file, region) = place(judged, edit.at);
        let replacement = json!({"deletedRegion": region, "insertedContent": {"text": edit.text}});
        match changes.iter_mut().find(|(known, _)| *known == file) {
            Some((_, replacements)) => replacements.push(replacement),
            None => changes.push((file, vec![replacement])),
        }
    }
    let changes: Vec<Value> = changes
        .into_iter()
        .map(|(file, replacements)| json!({"artifactLocation": file, "replacements": replacements}))
        .collect();
    json!({"description": {"text": fix.title}, "artifactChanges": changes})
}

/// A path as a relative reference: everything but letters, digits and `/-._~` in hexadecimal.
fn uri(path: &str) -> String {
    let path = path.replace('\\', "/");
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => {
                uri.push(char::from(byte));
            }
            other => uri.push_str(&format!("%{other:02X}")),
        }
    }
    uri
}

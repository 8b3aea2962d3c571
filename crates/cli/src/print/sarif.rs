//! SARIF 2.1.0, with fixes. A finding about a path through a graph has code flows.
//!
//! Input: findings with their fingerprints. Output: their results, and the document around them. Invariant: the log is
//! valid under the published schema. Columns count UTF-16 units from 1, which is the default of most readers. Rules are
//! in the order of their first results.

use std::collections::{BTreeMap, BTreeSet};
use std::path::MAIN_SEPARATOR;

use nodewise_analysis::citation::{self, Citation};
use nodewise_analysis::diagnostic::{Diagnostic, Fix, Severity};
use nodewise_analysis::page;
use nodewise_analysis::project_rules::GROUP;
use nodewise_analysis::report::ReportPosition;
use nodewise_analysis::rule::Rule;
use nodewise_analysis::rules::rule;
use nodewise_model::Origin;
use serde::Serialize;
use serde_json::{Value, json};

use super::Summary;
use super::json::to_json;
use crate::project::{FingerprintedFinding, Judged};

/// The minimum number of places of a path.
const FLOW_MIN: usize = 2;
/// The folder of relative paths.
const BASE: &str = "%SRCROOT%";

/// The start of the log, up to its first result.
pub(super) const HEAD: &str = "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{\"results\":[";

/// The rules and classes in the results.
#[derive(Default)]
pub(super) struct Named {
    rules: Vec<&'static str>,
    /// The rules among them that projects declare themselves; of several projects the first.
    of_projects: BTreeMap<&'static str, Value>,
    /// The classes, by their systems.
    classes: BTreeMap<&'static str, BTreeSet<&'static str>>,
}

impl Named {
    /// Adds the rule of a diagnostic and its classes.
    pub(super) fn add(&mut self, judged: &Judged, diagnostic: &Diagnostic) {
        if self.number(diagnostic.rule).is_none() {
            self.rules.push(diagnostic.rule);
            if rule(diagnostic.rule).is_none() {
                self.of_projects.insert(diagnostic.rule, project_descriptor(judged, diagnostic));
            }
        }
        for citation in diagnostic.classes().filter_map(Citation::read) {
            self.classes.entry(citation.system).or_default().insert(citation.class);
        }
    }

    fn number(&self, id: &str) -> Option<usize> {
        self.rules.iter().position(|known| *known == id)
    }
}

/// The tool.
#[derive(Serialize)]
struct Driver {
    name: &'static str,
    version: &'static str,
    #[serde(rename = "semanticVersion")]
    semantic_version: &'static str,
    rules: Vec<Value>,
}

/// The end of the log.
pub(super) fn tail(named: &Named, summary: &Summary) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let described =
        |id: &&'static str| rule(id).map(descriptor).or_else(|| named.of_projects.get(id).cloned());
    let rules = named.rules.iter().filter_map(described).collect();
    let driver = Driver { name: "nodewise", version, semantic_version: version, rules };
    let taxonomies: Vec<Value> =
        named.classes.iter().map(|(system, classes)| taxonomy(system, classes)).collect();
    let taxonomies = match taxonomies.is_empty() {
        true => String::new(),
        false => format!(",\"taxonomies\":{}", json!(taxonomies)),
    };
    let base = json!({BASE: {"description": {"text": "The folder that nodewise was started in."}}});
    let invocations = json!([{"executionSuccessful": summary.unreadable == 0}]);
    format!(
        "\n],\"invocations\":{invocations},\"tool\":{{\"driver\":{}}}{taxonomies},\"columnKind\":\"utf16CodeUnits\",\"originalUriBaseIds\":{base}}}]}}\n",
        to_json(&driver)
    )
}

/// The description of a rule, for people who look at one of its results.
fn descriptor(rule: &Rule) -> Value {
    let markdown = page::markdown(rule);
    let tags: Vec<&str> = rule.dialects().chain([rule.category.word()]).collect();
    json!({
        "id": rule.id,
        "deprecatedIds": rule.former,
        "shortDescription": {"text": page::summary(rule)},
        "fullDescription": {"text": page::description(rule)},
        "help": {"text": format!("`nodewise explain {}` shows examples.", rule.id), "markdown": markdown},
        "defaultConfiguration": {"level": level(rule.severest())},
        "properties": {"tags": tags, "category": rule.category.word(), "fixable": rule.is_fixable, "since": rule.since, "problem.severity": problem_severity(rule.severest())},
    })
}

/// The description of a rule that a project declares itself.
fn project_descriptor(judged: &Judged, diagnostic: &Diagnostic) -> Value {
    let id = diagnostic.rule;
    let declared = judged.project_rule(id);
    let message = declared.map_or("", |declared| declared.message.as_str());
    let why = declared.and_then(|declared| declared.why.as_deref()).unwrap_or(message);
    let severity = declared.map_or(diagnostic.severity, |declared| declared.severity);
    json!({
        "id": id,
        "shortDescription": {"text": message},
        "fullDescription": {"text": why},
        "help": {"text": format!("`nodewise explain {id}` shows the rule.")},
        "defaultConfiguration": {"level": level(severity)},
        "properties": {"tags": [GROUP], "category": GROUP, "problem.severity": problem_severity(severity)},
    })
}

/// The classes of a system's specification.
fn taxonomy(system: &str, classes: &BTreeSet<&str>) -> Value {
    let taxon = |class: &&str| {
        let link = citation::web_link(&format!("{system}:{class}"));
        json!({"id": class, "helpUri": link})
    };
    json!({
        "name": system,
        "informationUri": format!("{}{system}.md", citation::WEB),
        "taxa": classes.iter().map(taxon).collect::<Vec<_>>(),
    })
}

/// The result of a diagnostic.
pub(super) fn text(judged: &Judged, found: &FingerprintedFinding, named: &Named) -> String {
    let (diagnostic, finding) = (&found.diagnostic, &found.diagnostic.finding);
    let path = judged.place(finding.at).map_or("", |place| place.path);
    let mut message = finding.message.clone();
    if let Some(help) = &finding.help {
        message.push_str(&format!("\nhelp: {help}"));
    }
    let mut result = json!({
        "ruleId": diagnostic.rule,
        "level": level(diagnostic.severity),
        "message": {"text": message},
        "locations": [location(judged, finding.at)],
        "partialFingerprints": {"nodewise/v1": found.fingerprint.at(path).to_string()},
    });
    if let Some(number) = named.number(diagnostic.rule) {
        result["ruleIndex"] = json!(number);
    }
    if let Some(spec) = diagnostic.spec {
        result["properties"] = json!({"spec": spec});
    }
    let taxa = diagnostic.classes().filter_map(Citation::read);
    let taxa: Vec<Value> =
        taxa.map(|class| json!({"id": class.class, "toolComponent": {"name": class.system}})).collect();
    if !taxa.is_empty() {
        result["taxa"] = json!(taxa);
    }
    let related: Vec<Value> =
        finding.related.iter().map(|one| with_message(location(judged, one.at), &one.message)).collect();
    if related.len() >= FLOW_MIN {
        // A path that arrives at the finding's own place says all there is to say.
        let arrives = finding.related.last().is_some_and(|last| last.at == finding.at);
        let own = (!arrives).then(|| with_message(location(judged, finding.at), &finding.message));
        let steps: Vec<Value> =
            own.into_iter().chain(related.clone()).map(|place| json!({"location": place})).collect();
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

/// The same in the terms of code scanning.
fn problem_severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Hint => "recommendation",
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
    let Some(place) = judged.place(at) else {
        return (artifact("."), json!({"startLine": 1}));
    };
    let column = |position: ReportPosition| {
        let (text, lines) = judged.text(at.source)?;
        let line = lines.line_range(position.at.line)?;
        let before = text.get(usize::from(line.start())..position.offset as usize)?;
        u32::try_from(before.encode_utf16().count()).ok()?.checked_add(1)
    };
    let column = |position: ReportPosition| column(position).unwrap_or(position.at.column);
    let region = json!({
        "startLine": place.start.at.line,
        "startColumn": column(place.start),
        "endLine": place.end.at.line,
        "endColumn": column(place.end),
        "byteOffset": place.start.offset,
        "byteLength": place.end.offset - place.start.offset,
    });
    (artifact(place.path), region)
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

/// A file. A relative path starts at the folder in which the command was started.
fn artifact(path: &str) -> Value {
    let mut artifact = json!({"uri": uri(path)});
    if !path.starts_with('/') {
        artifact["uriBaseId"] = json!(BASE);
    }
    artifact
}

/// A path as a URI reference, relative or absolute. All characters except letters, digits and `/-._~` are
/// percent-encoded.
fn uri(path: &str) -> String {
    let path = path.replace(MAIN_SEPARATOR, "/");
    let mut uri = String::with_capacity(path.len());
    if path.starts_with('/') {
        uri.push_str("file://");
    }
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

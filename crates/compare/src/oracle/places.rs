//! The places at which a document is rejected, as paths that can be compared.
//!
//! Input is our diagnostics, or the paths of the oracle's issues. Output is the paths of the rejected parts of a
//! document. Invariant: a missing key is reported for its mapping, and an error inside a part for the part, because the
//! two sides report different places for the same error.

use std::collections::BTreeSet;

use nodewise_analysis::diagnostic::Diagnostic;
use nodewise_dialect::value::{Data, SpannedValue as Located};
use nodewise_model::SourceId;
use nodewise_syntax::TextRange;
use serde_json::Value;

/// The parts of our diagnostics with this class.
pub(super) fn ours(text: &str, diagnostics: &[Diagnostic], class: &str) -> BTreeSet<String> {
    let tree = nodewise_syntax::parse(text);
    let Some(root) = tree.documents().next().and_then(|document| document.root()) else {
        return BTreeSet::new();
    };
    let root = Located::from_node(root, SourceId::default());
    diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.classes().any(|own| own == class))
        .map(|diagnostic| {
            let mut path = way(&root, diagnostic);
            // A misspelt key replaces the one that its mapping lacks.
            let written = std::ops::Range::<usize>::from(diagnostic.finding.at.range);
            let written = text.get(written).map(|key| key.trim_matches(['"', '\'']));
            if diagnostic.rule == "unknown-field" && path.last().map(String::as_str) == written {
                path.pop();
            }
            part(path)
        })
        .collect()
}

/// The parts of the oracle's issues.
pub(super) fn theirs(document: &Value, issues: &Value) -> BTreeSet<String> {
    let paths = issues.as_array().into_iter().flatten().filter(|issue| issue["branch"].is_null());
    paths
        .map(|issue| {
            let mut value = document;
            let mut path = Vec::new();
            for step in issue["path"].as_array().into_iter().flatten().filter_map(Value::as_str) {
                let next =
                    step.parse().ok().and_then(|index: usize| value.get(index)).or_else(|| value.get(step));
                let Some(next) = next else { break };
                value = next;
                path.push(step.to_owned());
            }
            part(path)
        })
        .collect()
}

/// The paths of diagnostics, one for each.
pub(super) fn ways(text: &str, diagnostics: &[Diagnostic]) -> Vec<String> {
    let tree = nodewise_syntax::parse(text);
    let Some(root) = tree.documents().next().and_then(|document| document.root()) else {
        return Vec::new();
    };
    let root = Located::from_node(root, SourceId::default());
    let steps = diagnostics.iter().map(|diagnostic| way(&root, diagnostic));
    steps.map(|steps| steps.iter().map(|step| format!("/{step}")).collect()).collect()
}

/// The path of a diagnostic.
pub(super) fn way(root: &Located<'_>, diagnostic: &Diagnostic) -> Vec<String> {
    let mut path = Vec::new();
    let finding = &diagnostic.finding;
    let is_about_mapping = diagnostic.basis.absence || finding.message.ends_with("not a mapping");
    descend(root, finding.at.range, is_about_mapping, &mut path);
    path
}

/// The path to the deepest value that contains the range. The first key represents its mapping, if the mapping lacks
/// something or has the wrong type. A key without a value represents the value.
fn descend(value: &Located<'_>, range: TextRange, is_about_mapping: bool, path: &mut Vec<String>) {
    let inner = match &value.data {
        Data::Map(members) => {
            let is_head = members.first().is_some_and(|first| {
                first.key_at.range.start() == range.start() && (is_about_mapping || !first.value.is_null())
            });
            if is_head {
                return;
            }
            members.iter().find_map(|member| {
                let whole = member.key_at.range.cover(member.value.at.range);
                whole.contains_range(range).then(|| (member.key.clone().into_owned(), &member.value))
            })
        }
        Data::List(items) => items
            .iter()
            .enumerate()
            .find_map(|(index, item)| item.at.range.contains_range(range).then(|| (index.to_string(), item))),
        _ => None,
    };
    if let Some((step, inner)) = inner {
        path.push(step);
        descend(inner, range, is_about_mapping, path);
    }
}

/// The path up to the first item of a list, and one step more.
fn part(path: Vec<String>) -> String {
    let item = path.iter().position(|step| step.bytes().all(|byte| byte.is_ascii_digit()));
    let length = item.map_or(path.len().min(2), |item| path.len().min(item + 2));
    path[..length].iter().map(|step| format!("/{step}")).collect()
}

//! Localized texts.
//!
//! Input is the oracle's question. Output is the texts by language, and the lookup of one language. Invariant: parts
//! without any text are left out of both answers.

use nodewise_dialect::bundle::{self, BundleProblem, BundleProblemKind, TextBundle};
use nodewise_dialect::tables::liman::FALLBACK_LANGUAGE;
use nodewise_dialect::value::SpannedValue as Located;
use nodewise_model::{Origin, SourceId};
use nodewise_syntax::TextRange;
use serde_json::{Map, Value, json};

use crate::oracle::generate::documents;

pub(super) fn answer(question: &Value) -> Value {
    read(&question["value"], |bundle| match bundle {
        Some((bundle, problems)) if !problems.iter().any(is_conflict) => {
            let value = bundle.to_value(Origin::new(SourceId::default(), TextRange::default()));
            let languages = texts(&documents::to_json(&value));
            let wanted = question["language"].as_str().unwrap_or_default();
            let found = languages.get(wanted).or_else(|| languages.get(FALLBACK_LANGUAGE));
            json!({"bundle": languages, "lookup": found.cloned().unwrap_or_default()})
        }
        _ => json!({"error": true}),
    })
}

/// The oracle's answer without the name of the exception, and without mappings that contain no text.
pub(super) fn their_answer(_question: &Value, answer: &Value) -> Value {
    if answer.get("bundle").is_none() {
        return json!({"error": true});
    }
    let lookup = texts(&answer["lookup"]);
    json!({"bundle": texts(&answer["bundle"]), "lookup": if is_empty(&lookup) { Value::Null } else { lookup }})
}

/// The problems of a value as a localized text. `None` if it is not a localized text.
pub(super) fn problems(value: &Value) -> Option<Vec<BundleProblemKind>> {
    read(value, |bundle| {
        bundle.map(|(_, problems)| problems.iter().map(|problem| problem.kind.clone()).collect())
    })
}

fn read<T>(value: &Value, work: impl FnOnce(Option<(TextBundle<'_, '_>, Vec<BundleProblem>)>) -> T) -> T {
    let tree = nodewise_syntax::parse(value.to_string());
    let root = tree.documents().next().and_then(|document| document.root());
    let value = root.map(|root| Located::from_node(root, SourceId::default()));
    work(value.as_ref().and_then(bundle::normalise))
}

fn is_conflict(problem: &BundleProblem) -> bool {
    let kind = &problem.kind;
    matches!(kind, BundleProblemKind::DuplicateText(..) | BundleProblemKind::TextAndMapping(..))
}

/// The value without empty mappings at any depth, and with all numbers as floats.
pub(super) fn texts(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let kept = members.iter().map(|(key, member)| (key.clone(), texts(member)));
            Value::Object(kept.filter(|(_, member)| !is_empty(member)).collect())
        }
        Value::Array(items) => items.iter().map(texts).collect(),
        Value::Number(number) => json!(number.as_f64()),
        other => other.clone(),
    }
}

fn is_empty(value: &Value) -> bool {
    value.as_object().is_some_and(Map::is_empty)
}

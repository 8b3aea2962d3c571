//! Liman's documents: which of them a loader rejects, and why.
//!
//! Input is the oracle's question. Output is a word for each document, in order. Invariant: only the form of a document
//! is compared, because the loaders check neither names nor conditions.

use std::sync::Arc;

use nodewise_analysis::check::check;
use nodewise_analysis::diagnostic::{Diagnostic, Severity};
use nodewise_analysis::facts::{DocumentFacts, DocumentRole, FileFacts};
use nodewise_analysis::files::Files;
use nodewise_analysis::settings::{Pin, Settings};
use nodewise_dialect::table::{KindRole, Type};
use nodewise_dialect::tables::liman::LIMAN;
use nodewise_dialect::value::{Data, SpannedEntry, SpannedValue as Located};
use nodewise_model::SourceId;
use nodewise_syntax::TextRange;
use serde_json::{Value, json};

use crate::oracle::generate::yaml::{Quotes, block_text};
use crate::oracle::subject::WHY;

pub(super) const LOADED: &str = "loaded";
pub(super) const REFUSED: &str = "refused";
pub(super) const SKIPPED: &str = "skipped";

/// The rules about form, which the loaders check. The other rules are about names, conditions and runs.
const ABOUT_FORM: &[&str] = &[
    "non-mapping-document",
    "missing-kind",
    "duplicate-declaration",
    "missing-field",
    "wrong-type",
    "invalid-value",
    "non-text-condition",
    "missing-condition",
    "missing-condition",
    "invalid-reference",
    "mixed-routing",
    "invalid-edge-id",
    "missing-credentials",
    "conflicting-credentials",
    "invalid-injection",
    "duplicate-translation",
    "mixed-translation",
];

/// A misspelt key is reported instead of the required key that is missing.
fn is_about_form(error: &Diagnostic) -> bool {
    ABOUT_FORM.contains(&error.rule) || error.spec == Some("liman:missing-field")
}

pub(super) fn answer(question: &Value) -> Value {
    // The packages do not correct misspelt keys.
    let settings = Settings { dialect: Pin::Dialect(LIMAN.id), is_literal: true, ..Settings::default() };
    let text: Arc<str> = text(question).into();
    let tree = nodewise_syntax::parse(Arc::clone(&text));
    let file = FileFacts::new(SourceId::default(), "documents.yaml".into(), text, Arc::new(settings));
    let files = Files::from_iter([file]);
    let mut errors = check(&files);
    errors.retain(|one| one.severity == Severity::Error && is_about_form(one));
    let documents = files.iter().flat_map(|file| &file.documents);
    let roots = tree.documents().map(|document| document.root());
    let values = roots.map(|root| root.map(|root| Located::from_node(root, SourceId::default())));
    let (words, whys): (Vec<&str>, Vec<Vec<String>>) =
        documents.zip(values).map(|(document, value)| judged(document, value.as_ref(), &errors)).unzip();
    json!({"documents": words, WHY: whys})
}

/// The oracle's words, each with the parts that the package reports. An empty document declares nothing.
pub(super) fn their_answer(question: &Value, answer: &Value) -> Value {
    let errors = answer["errors"].as_array().into_iter().flatten();
    let whys: Vec<Vec<String>> = errors.map(complaints).collect();
    let mut words = answer["documents"].clone();
    for (word, document) in words.as_array_mut().into_iter().flatten().zip(documents(question)) {
        if document.is_null() {
            *word = SKIPPED.into();
        }
    }
    json!({"documents": words, WHY: whys})
}

fn judged(
    document: &DocumentFacts,
    value: Option<&Located<'_>>,
    errors: &[Diagnostic],
) -> (&'static str, Vec<String>) {
    let stands_here = |error: &&Diagnostic| document.range.range.contains_range(error.finding.at.range);
    let errors: Vec<&Diagnostic> = errors.iter().filter(stands_here).collect();
    let word = match &document.role {
        // It declares nothing. The loaders report this and continue.
        _ if value.is_none_or(Located::is_null) => SKIPPED,
        DocumentRole::UnknownKind(..) if !has_kind(value) => REFUSED,
        DocumentRole::UnknownKind(..) => SKIPPED,
        // The loaders skip documents with an unknown kind. We report only the kind.
        _ if has_kind(value) && !errors.is_empty() && errors.iter().all(|error| is_of_kind(error, value)) => {
            SKIPPED
        }
        DocumentRole::Kind(kind) if kind.role == KindRole::Overlay => SKIPPED,
        // The word is not a kind, even if the intended kind is clear.
        _ if document.faults.mistakes.iter().any(|mistake| matches!(mistake.field.ty, Type::Kind)) => SKIPPED,
        _ if errors.is_empty() => LOADED,
        _ => REFUSED,
    };
    let whys = errors.iter().map(|error| {
        let mut keys = Vec::new();
        if let Some(value) = value {
            collect_keys(value, error.finding.at.range, &mut keys);
        }
        // A missing key has no place. Its name is at the end of the message.
        let missing = match error.rule {
            "missing-field" => error.finding.message.rsplit('`').nth(1),
            "unknown-field" => error.finding.label.as_deref().and_then(|label| label.split('`').nth(1)),
            _ => None,
        };
        if error.rule == "unknown-field" {
            keys.pop();
        }
        match missing {
            Some(key) if error.rule == "unknown-field" => {
                format!("{} lacks {key}: missing-field", keys.join("."))
            }
            Some(key) => format!("{} lacks {key}: {}", keys.join("."), error.rule),
            None => format!("{}: {}", keys.join("."), error.rule),
        }
    });
    (word, whys.collect())
}

/// The kind of a document.
fn kind<'v>(value: Option<&'v Located<'v>>) -> Option<&'v SpannedEntry<'v>> {
    match &value?.data {
        Data::Map(members) => members.iter().find(|member| member.key == "kind"),
        _ => None,
    }
}

/// Whether a document has a kind, of any type. For the loaders, an empty text, null and 0 are not a kind.
fn has_kind(value: Option<&Located<'_>>) -> bool {
    kind(value).is_some_and(|member| match &member.value.data {
        Data::Null | Data::Bool(false) => false,
        Data::Number(number) => *number != 0.0,
        Data::Text(text) => !text.is_empty(),
        Data::List(items) => !items.is_empty(),
        Data::Map(members) => !members.is_empty(),
        _ => true,
    })
}

fn is_of_kind(error: &Diagnostic, value: Option<&Located<'_>>) -> bool {
    error.rule == "wrong-type"
        && kind(value).is_some_and(|member| member.value.at.range.contains_range(error.finding.at.range))
}

/// The keys on the path to a place, without list positions.
fn collect_keys<'v>(value: &'v Located<'_>, place: TextRange, keys: &mut Vec<&'v str>) {
    match &value.data {
        Data::Map(members) => {
            let holds = |member: &&SpannedEntry<'_>| {
                member.key_at.range.contains_range(place) || member.value.at.range.contains_range(place)
            };
            if let Some(member) = members.iter().find(holds) {
                keys.push(&member.key);
                collect_keys(&member.value, place, keys);
            }
        }
        Data::List(items) => {
            if let Some(item) = items.iter().find(|item| item.at.range.contains_range(place)) {
                collect_keys(item, place, keys);
            }
        }
        _ => {}
    }
}

/// The places of an error of the package, without list positions, each with the kind of error. For a whole document,
/// the type of the exception.
fn complaints(error: &Value) -> Vec<String> {
    let Some(items) = error["items"].as_array() else {
        let words = [&error["type"], &error["message"]].map(|word| word.as_str().unwrap_or_default());
        return if error.is_null() { Vec::new() } else { vec![words.join(": ")] };
    };
    let mut complaints: Vec<String> = items.iter().map(complaint).collect();
    complaints.dedup();
    complaints
}

fn complaint(item: &Value) -> String {
    let steps = item["loc"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let keys: Vec<&str> = steps.filter(|step| step.parse::<usize>().is_err()).collect();
    format!("{}: {}", keys.join("."), item["type"].as_str().unwrap_or_default())
}

/// The documents of a question.
pub(super) fn documents(question: &Value) -> Vec<&Value> {
    match &question["value"] {
        Value::Array(documents) => documents.iter().collect(),
        other => vec![other],
    }
}

fn text(question: &Value) -> String {
    let is_block = question["form"] == "yaml";
    let write = |document: &Value| {
        if is_block { block_text(document, Quotes::Kept) } else { format!("{document}\n") }
    };
    documents(question).into_iter().map(|document| format!("---\n{}", write(document))).collect()
}

//! A second implementation of localized texts: the result of the specification, and where the packages fail.
//!
//! Input is a localized text as JSON. Output is an answer in the oracle's format, or the package's exception.
//! Invariant: this does not use nodewise's own normaliser. So an entry of the ledger can check nodewise against the
//! specification where the packages differ from it.

use nodewise_dialect::tables::liman::{FALLBACK_LANGUAGE, LANGUAGES};
use serde_json::{Map, Value, json};

/// A text with its language and the keys that lead to it.
struct Leaf<'v> {
    language: &'v str,
    path: Vec<&'v str>,
    value: &'v Value,
}

/// The result of the specification for a value, in the format of the oracle's answers about localized texts.
pub(super) fn answer(value: &Value, wanted: &str) -> Value {
    if !(value.is_string() || value.is_array() || value.is_object()) {
        return json!({"error": true});
    }
    let leaves = leaves(value);
    if has_conflict(&leaves) {
        return json!({"error": true});
    }
    let mut bundle = Value::Object(Map::new());
    for leaf in &leaves {
        let mut place = &mut bundle[leaf.language];
        for key in &leaf.path {
            place = &mut place[*key];
        }
        *place = leaf.value.clone();
    }
    let languages = super::bundles::texts(&bundle);
    let found = languages.get(wanted).or_else(|| languages.get(FALLBACK_LANGUAGE)).cloned();
    json!({"bundle": languages, "lookup": found.unwrap_or_default()})
}

/// Whether two texts of a value have the same place, or a text is at a place with other texts below it.
pub(super) fn conflicts(value: &Value) -> bool {
    has_conflict(&leaves(value))
}

fn has_conflict(leaves: &[Leaf<'_>]) -> bool {
    leaves.iter().enumerate().any(|(position, one)| {
        let others = leaves[position + 1..].iter().filter(|other| other.language == one.language);
        others.into_iter().any(|other| one.path.starts_with(&other.path) || other.path.starts_with(&one.path))
    })
}

fn leaves(value: &Value) -> Vec<Leaf<'_>> {
    let mut found = Vec::new();
    collect(value, FALLBACK_LANGUAGE, &[], &mut found);
    found
}

fn collect<'v>(value: &'v Value, language: &'v str, path: &[&'v str], found: &mut Vec<Leaf<'v>>) {
    match value {
        Value::Null => {}
        Value::Object(members) => {
            let has_language = members.keys().any(|key| is_language(key));
            for (key, member) in members {
                if is_language(key) {
                    collect(member, key, path, found);
                } else if !(has_language && looks_like_language(key)) {
                    collect(member, language, &[path, &[key.as_str()]].concat(), found);
                }
            }
        }
        _ => found.push(Leaf { language, path: path.to_vec(), value }),
    }
}

fn is_language(key: &str) -> bool {
    LANGUAGES.contains(&key)
}

/// Whether a key is two letters, perhaps with a region of two to four letters or digits after `-` or `_`.
fn looks_like_language(key: &str) -> bool {
    let characters: Vec<char> = key.chars().collect();
    match characters.as_slice() {
        [first, second] => first.is_ascii_alphabetic() && second.is_ascii_alphabetic(),
        [first, second, '-' | '_', region @ ..] => {
            first.is_ascii_alphabetic()
                && second.is_ascii_alphabetic()
                && (2..=4).contains(&region.len())
                && region.iter().all(char::is_ascii_alphanumeric)
        }
        _ => false,
    }
}

/// The exception of the packages' normaliser for a value that it cannot read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Exception {
    /// The value is neither a text nor a mapping.
    NoMapping,
    /// A value directly below a language is not a text.
    NoPath,
    /// A language has a text, and other content.
    TextAndMore(String),
    /// A text is at a place with other texts below it, inside one language.
    TextInWay,
}

/// Repeats the packages' normaliser (`normalize_dict`), from the last member to the first.
pub(super) fn exception(value: &Value) -> Option<Exception> {
    let is_empty = match value {
        Value::String(_) | Value::Null | Value::Bool(false) => true,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        Value::Bool(true) => false,
    };
    if is_empty {
        return None;
    }
    let Value::Object(members) = value else { return Some(Exception::NoMapping) };
    let mut result: Map<String, Value> = Map::new();
    let mut stack: Vec<(Option<&str>, &str, &Value, Vec<&str>)> =
        members.iter().map(|(key, member)| (None, key.as_str(), member, Vec::new())).collect();
    while let Some((language, key, member, path)) = stack.pop() {
        let (language, path) = match is_language(key) {
            true => (Some(key), path),
            false => (language, [path.as_slice(), &[key]].concat()),
        };
        let language = language.unwrap_or(FALLBACK_LANGUAGE);
        if path.is_empty() && member.is_string() {
            result.insert(language.to_owned(), member.clone());
            continue;
        }
        let texts = result.entry(language).or_insert_with(|| json!({}));
        if texts.is_string() {
            return Some(Exception::TextAndMore(language.to_owned()));
        }
        if let Value::Object(inner) = member {
            stack.extend(
                inner.iter().map(|(key, member)| (Some(language), key.as_str(), member, path.clone())),
            );
            continue;
        }
        let Some((last, before)) = path.split_last() else { return Some(Exception::NoPath) };
        let mut place = texts;
        for step in before {
            let Value::Object(inside) = place else { return Some(Exception::TextInWay) };
            place = inside.entry(*step).or_insert_with(|| json!({}));
        }
        let Value::Object(inside) = place else { return Some(Exception::TextInWay) };
        inside.insert((*last).to_owned(), member.clone());
    }
    None
}

//! `nodewise.toml` in an editor: what may stand at a place, and what a key means.
//!
//! Input: the text of a configuration file, an offset in bytes. Output: offers, and what is known of a key. Invariant: all
//! that is shown comes from the file's schema, so that it is what the reader of the file accepts.

mod place;
#[cfg(test)]
mod tests;

use std::ops::Range;
use std::sync::LazyLock;

use nodewise_platform::sorting::Sorting;
use serde_json::Value;
use toml::de::DeTable;

use super::schema::{DEPRECATED, config_schema};
use place::{ConfigPlace, Kind, place_at};

/// The schema of the configuration file, built once.
static SCHEMA: LazyLock<Value> = LazyLock::new(config_schema);

/// A completion for a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// The word as the editor lists it.
    pub label: String,
    /// The text to insert.
    pub text: String,
    /// The range that the text replaces, in bytes.
    pub range: Range<usize>,
    pub kind: OfferKind,
    /// The documentation of what is offered.
    pub doc: KeyDoc,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OfferKind {
    /// The name of a table.
    Table,
    Key,
    Value,
}

/// The documentation of a key, or of a word that a key can be set to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeyDoc {
    /// The path of the key from the root of the file, or the word.
    pub name: String,
    /// What it is for, in a sentence.
    pub text: String,
    /// The default, as the file would write it.
    pub default: Option<String>,
    /// The words that the key can be set to, and their meanings.
    pub words: Vec<(String, String)>,
}

/// The documentation of the key or word at an offset, and its range.
#[must_use]
pub fn hover(text: &str, offset: usize) -> Option<(Range<usize>, KeyDoc)> {
    let place = place_at(text, offset).filter(|place| !place.word.is_empty())?;
    let word = text.get(place.word.clone())?;
    let root: &Value = &SCHEMA;
    let doc = match place.kind {
        Kind::Header(_) | Kind::Key(_) => {
            let mut path = place.path.clone();
            path.push(word.to_owned());
            key_doc(root, &path, schema_at(root, &path)?)
        }
        Kind::Value(_) => {
            let words = words(root, value_schema(root, &place)?);
            let (word, text) = words.into_iter().find(|(known, _)| known == word)?;
            KeyDoc { name: word, text, ..KeyDoc::default() }
        }
    };
    (!doc.text.is_empty()).then_some((place.word, doc))
}

/// The range of a key, given its path from the root of the file.
#[must_use]
pub fn key_at(text: &str, path: &[&str]) -> Option<Range<usize>> {
    let (root, _) = DeTable::parse_recoverable(text);
    let (last, tables) = path.split_last()?;
    let table = tables.iter().try_fold(root.get_ref(), |table, key| table.get(*key)?.get_ref().as_table())?;
    table.get_key_value(*last).map(|(key, _)| key.span())
}

/// The completions at an offset.
#[must_use]
pub fn complete(text: &str, offset: usize) -> Vec<Offer> {
    let Some(place) = place_at(text, offset) else { return Vec::new() };
    let root: &Value = &SCHEMA;
    match place.kind {
        Kind::Header(brackets) => tables(text, offset, root, brackets),
        Kind::Key(begins_line) => {
            let mut offers = keys(text, root, &place);
            if begins_line {
                offers.extend(headers(root, &place));
            }
            offers
        }
        Kind::Value(_) => values(text, root, &place),
    }
}

/// Completions for the name of a table between brackets.
fn tables(text: &str, offset: usize, root: &Value, brackets: usize) -> Vec<Offer> {
    let line = text.get(..offset).and_then(|before| before.rfind('[')).map_or(offset, |at| at + 1);
    let rest = text.get(offset..).unwrap_or_default();
    let end = offset + rest.find([']', '\n', '\r', '#', ' ']).unwrap_or(rest.len());
    let closing =
        if rest.get(end - offset..).is_some_and(|rest| rest.starts_with(']')) { 0 } else { brackets };
    let tables = all_tables(root).into_iter().filter(|(_, _, is_list)| *is_list == (brackets > 1));
    let offer = |(path, doc, _): (Vec<String>, KeyDoc, bool)| {
        let label = path.join(".");
        let text = format!("{label}{}", "]".repeat(closing));
        Offer { label, text, range: line..end, kind: OfferKind::Table, doc }
    };
    tables.map(offer).collect()
}

/// Completions for whole headers, at the beginning of a line.
fn headers(root: &Value, place: &ConfigPlace) -> Vec<Offer> {
    let offer = |(path, doc, is_list): (Vec<String>, KeyDoc, bool)| {
        let name = path.join(".");
        let text = if is_list { format!("[[{name}]]") } else { format!("[{name}]") };
        Offer { label: text.clone(), text, range: place.word.clone(), kind: OfferKind::Table, doc }
    };
    all_tables(root).into_iter().map(offer).collect()
}

/// The tables that a file may have, each with whether it is one of a list.
fn all_tables(root: &Value) -> Vec<(Vec<String>, KeyDoc, bool)> {
    let mut found = Vec::new();
    let mut waiting: Vec<Vec<String>> = vec![Vec::new()];
    while let Some(path) = waiting.pop() {
        let Some(schema) = schema_at(root, &path) else { continue };
        for (key, value) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
            if value.get(DEPRECATED).is_some() {
                continue;
            }
            let mut path = path.clone();
            path.push(key.clone());
            let is_list = item_of(root, value).is_some_and(|item| is_table(root, item));
            if is_list || is_table(root, value) {
                found.push((path.clone(), key_doc(root, &path, value), is_list));
            }
            if is_table(root, value) {
                waiting.push(path);
            }
        }
    }
    found.arrange_by(|one, other| one.0.cmp(&other.0));
    found
}

/// Completions for the keys of the table around. Tables among them have headers of their own.
fn keys(text: &str, root: &Value, place: &ConfigPlace) -> Vec<Offer> {
    let Some(schema) = schema_at(root, &place.path) else { return Vec::new() };
    let schema = inside(root, schema);
    let behind = text.get(place.word.end..).unwrap_or_default();
    let behind = behind.get(usize::from(place.is_quoted)..).unwrap_or_default();
    let is_followed = behind.trim_start_matches([' ', '\t']).starts_with('=');
    let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    let offer = |(key, value): (&String, &Value)| {
        let mut path = place.path.clone();
        path.push(key.clone());
        let ending = if is_followed || place.is_quoted { "" } else { " = " };
        let doc = key_doc(root, &path, value);
        let (label, text, range) = (key.clone(), format!("{key}{ending}"), place.word.clone());
        Offer { label, text, range, kind: OfferKind::Key, doc }
    };
    let is_scalar = |value: &Value| {
        !is_table(root, value) && !item_of(root, value).is_some_and(|item| is_table(root, item))
    };
    let is_current = |value: &Value| value.get(DEPRECATED).is_none();
    properties.filter(|(_, value)| is_scalar(value) && is_current(value)).map(offer).collect()
}

/// Completions for the value of a key.
fn values(text: &str, root: &Value, place: &ConfigPlace) -> Vec<Offer> {
    let Some(schema) = value_schema(root, place) else { return Vec::new() };
    let offer = |word: String, doc: String, is_text: bool| {
        let text = if is_text && !place.is_quoted { format!("\"{word}\"") } else { word.clone() };
        let doc = KeyDoc { name: word.clone(), text: doc, ..KeyDoc::default() };
        Offer { label: word, text, range: place.word.clone(), kind: OfferKind::Value, doc }
    };
    if place.is_quoted && text.get(place.word.clone()).is_some_and(|word| word.contains('\n')) {
        return Vec::new();
    }
    let mut offers: Vec<Offer> =
        words(root, schema).into_iter().map(|(word, doc)| offer(word, doc, true)).collect();
    let schema = resolved(root, schema);
    if schema.get("type").is_some_and(|ty| ty == "boolean") && !place.is_quoted {
        offers.extend(["true", "false"].map(|word| offer(word.to_owned(), String::new(), false)));
    }
    if let Some(number) = schema.get("default").filter(|default| default.is_number() && !place.is_quoted) {
        offers.push(offer(number.to_string(), "The default.".to_owned(), false));
    }
    offers
}

/// The schema of the value at a place.
fn value_schema<'s>(root: &'s Value, place: &ConfigPlace) -> Option<&'s Value> {
    let schema = schema_at(root, &place.path)?;
    match place.kind {
        Kind::Value(true) => item_of(root, schema),
        _ => Some(schema),
    }
}

/// The part of the schema for a key, by its path from the root.
fn schema_at<'s>(root: &'s Value, path: &[String]) -> Option<&'s Value> {
    path.iter().try_fold(root, |schema, key| {
        let table = inside(root, schema);
        let own = table.get("properties").and_then(|keys| keys.get(key));
        own.or_else(|| table.get("additionalProperties").filter(|schema| schema.is_object()))
    })
}

/// The schema of the table under a key, or of the tables in the list under it.
fn inside<'s>(root: &'s Value, schema: &'s Value) -> &'s Value {
    item_of(root, schema).map_or_else(|| resolved(root, schema), |item| resolved(root, item))
}

fn item_of<'s>(root: &'s Value, schema: &'s Value) -> Option<&'s Value> {
    resolved(root, schema).get("items")
}

fn is_table(root: &Value, schema: &Value) -> bool {
    resolved(root, schema).get("type").is_some_and(|ty| ty == "object")
}

/// What a reference in the schema refers to.
fn resolved<'s>(root: &'s Value, schema: &'s Value) -> &'s Value {
    let path = schema.get("$ref").and_then(Value::as_str).and_then(|to| to.strip_prefix('#'));
    path.and_then(|path| root.pointer(path)).unwrap_or(schema)
}

fn key_doc(root: &Value, path: &[String], schema: &Value) -> KeyDoc {
    let doc = |schema: &Value| schema.get("description").and_then(Value::as_str).map(str::to_owned);
    KeyDoc {
        name: path.join("."),
        text: doc(schema).or_else(|| doc(resolved(root, schema))).unwrap_or_default(),
        default: schema.get("default").map(Value::to_string),
        words: words(root, schema),
    }
}

fn words(root: &Value, schema: &Value) -> Vec<(String, String)> {
    let schema = resolved(root, schema);
    let list = |key: &str| schema.get(key).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let docs = list("enumDescriptions");
    let word = |(position, word): (usize, &Value)| {
        let doc = docs.get(position).and_then(Value::as_str).unwrap_or_default();
        Some((word.as_str()?.to_owned(), doc.to_owned()))
    };
    list("enum").iter().enumerate().filter_map(word).collect()
}

//! Whose document is it? By content first (Liman digest §1); "nobody's" is a valid answer, and a
//! file that is nobody's is left alone.

use memchr::memmem;

use crate::table::{Dialect, Field, Kind, Mark, Recognition, Type, Word};
use crate::value::Value;

/// What a document is to a dialect.
#[derive(Debug, Clone, Copy)]
pub enum Recognised {
    /// A declaration of this kind.
    Declaration(&'static Kind),
    /// The kind is not known, but the rest looks like this dialect.
    Resembles,
    /// Nothing in it says whose it is.
    Undecided,
    /// It belongs to another system.
    Foreign,
}

/// What in a document says whose it is.
#[derive(Debug, Clone, Copy)]
pub enum Evidence {
    /// The word under this key names the kind.
    Word(&'static str),
    /// The word under this key is nearly that of a kind.
    NearWord(&'static str),
    /// The word under this key names no kind, but the keys beside it are the dialect's.
    Keys(&'static str),
    /// The document holds these.
    Marks(&'static [Mark]),
}

/// How similar a kind must be to a known one, from 0 to 1, to count as misspelt.
const NEAR_ENOUGH: f64 = 0.7;
/// How much its keys must speak for the dialect for a document with an unknown kind to be its own.
const EVIDENCE_MIN: u32 = 2;
/// What `document` is to `dialect`. `similarity` compares two words, from 0 to 1.
#[must_use]
pub fn recognise(
    dialect: &'static Dialect,
    document: &Value<'_>,
    similarity: fn(&str, &str) -> f64,
) -> Recognised {
    recognise_by(dialect, document, similarity).0
}

/// The same, with what says so, where something does.
#[must_use]
pub fn recognise_by(
    dialect: &'static Dialect,
    document: &Value<'_>,
    similarity: fn(&str, &str) -> f64,
) -> (Recognised, Option<Evidence>) {
    let nothing = (Recognised::Undecided, None);
    let Some(members) = document.as_map() else { return nothing };
    let Recognition::ByWord { key, foreign_keys } = dialect.recognition else {
        return by_shape(dialect, document);
    };
    if members.iter().any(|member| foreign_keys.contains(&member.key.as_ref())) {
        return (Recognised::Foreign, None);
    }
    let Some(kind) = document.get(key) else { return nothing };
    let Some(word) = kind.value.as_text() else { return nothing };
    if let Some(kind) = dialect.kind(word) {
        return (Recognised::Declaration(kind), Some(Evidence::Word(key)));
    }
    let misspelt = dialect
        .kinds
        .iter()
        .any(|kind| kind.name.eq_ignore_ascii_case(word) || similarity(kind.name, word) >= NEAR_ENOUGH);
    if misspelt {
        return (Recognised::Resembles, Some(Evidence::NearWord(key)));
    }
    let evidence: u32 = members.iter().map(|member| evidence(dialect, &member.key)).sum();
    match evidence >= EVIDENCE_MIN {
        true => (Recognised::Resembles, Some(Evidence::Keys(key))),
        false => nothing,
    }
}

/// Whether a text may hold a document of the dialect, judged by its letters alone: files in JSON are many,
/// and most of them are nobody's.
#[must_use]
pub fn may_hold(dialect: &Dialect, text: &str) -> bool {
    let names = |key: &str| memmem::find(text.as_bytes(), key.as_bytes()).is_some();
    match dialect.recognition {
        Recognition::ByWord { key, .. } => names(key),
        Recognition::ByShape => {
            let speaks = |marks: &&[Mark]| marks.iter().flat_map(Mark::keys).all(names);
            dialect.kinds.iter().any(|kind| kind.evidence.iter().any(&speaks))
        }
    }
}

/// The first kind that a set of marks speaks for.
fn by_shape(dialect: &'static Dialect, document: &Value<'_>) -> (Recognised, Option<Evidence>) {
    let speaks = |marks: &&&'static [Mark]| marks.iter().all(|mark| mark_holds(mark, document));
    let found = dialect.kinds.iter().find_map(|kind| Some((kind, *kind.evidence.iter().find(speaks)?)));
    match found {
        Some((kind, marks)) => (Recognised::Declaration(kind), Some(Evidence::Marks(marks))),
        None => (Recognised::Undecided, None),
    }
}

impl Mark {
    /// What it asks of a document, in words.
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Mark::Has(key) => format!("`{key}`"),
            Mark::Lacks(key) => format!("no `{key}`"),
            Mark::List(key) => format!("a list `{key}`"),
            Mark::Map(key) => format!("a mapping `{key}`"),
            Mark::Text(key) => format!("a text `{key}`"),
            Mark::Word(key, _) => format!("a known word under `{key}`"),
            Mark::ItemHas(key, inner) => format!("`{inner}` in an item of `{key}`"),
            Mark::ItemWord(key, inner, _) => format!("a known word under `{inner}` in an item of `{key}`"),
        }
    }
}

fn mark_holds(mark: &Mark, document: &Value<'_>) -> bool {
    let value = |key: &str| document.get(key).map(|member| &member.value);
    let is_word = |value: &Value<'_>, words: &[Word]| {
        value.as_text().is_some_and(|text| words.iter().any(|word| word.text == text))
    };
    match mark {
        Mark::Has(key) => value(key).is_some(),
        Mark::Lacks(key) => value(key).is_none(),
        Mark::List(key) => value(key).is_some_and(|value| value.as_list().is_some()),
        Mark::Map(key) => value(key).is_some_and(|value| value.as_map().is_some()),
        Mark::Text(key) => value(key).is_some_and(|value| value.as_text().is_some()),
        Mark::Word(key, words) => value(key).is_some_and(|value| is_word(value, words)),
        Mark::ItemHas(key, inner) => value(key)
            .and_then(Value::as_list)
            .is_some_and(|items| items.iter().any(|item| item.get(inner).is_some())),
        Mark::ItemWord(key, inner, words) => value(key).and_then(Value::as_list).is_some_and(|items| {
            items.iter().any(|item| item.get(inner).is_some_and(|member| is_word(&member.value, words)))
        }),
    }
}

/// How much a top-level key speaks for the dialect. Words such as `name`, `type` or `description` say
/// nothing; a list or a function path is found elsewhere too; localized texts for a model are rare.
fn evidence(dialect: &Dialect, key: &str) -> u32 {
    let of_field = |field: &Field| match field.ty {
        Type::Bundles(_) | Type::OutputFields(_) => EVIDENCE_MIN,
        Type::Bundle(_) if !is_description(dialect, field) => EVIDENCE_MIN,
        Type::List(_) | Type::FunctionPath => 1,
        _ => 0,
    };
    dialect.kinds.iter().filter_map(|kind| kind.shape.field(key)).map(of_field).max().unwrap_or(0)
}

/// Whether a field says what its declaration is for: each kind words that in its own way.
fn is_description(dialect: &Dialect, field: &Field) -> bool {
    let same_key = dialect.kinds.iter().filter_map(|kind| kind.shape.field(field.key));
    same_key.into_iter().any(|other| other.doc != field.doc)
}

#[cfg(test)]
mod tests;

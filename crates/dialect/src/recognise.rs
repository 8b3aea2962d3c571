//! Whose document is it? By content first; "nobody's" is a valid answer, and a
//! file of no system is ignored.

mod meant;
mod word_index;
mod words;

pub use self::meant::{meant_discriminator, meant_kind};
pub use self::words::HeldWords;
use crate::suggest;
use crate::table::{Dialect, Field, Kind, Mark, Recognition, Type, Word};
use crate::value::{SpannedEntry, SpannedValue};

/// The result of testing whether a document belongs to a dialect.
#[derive(Debug, Clone, Copy)]
pub enum Recognised {
    /// A declaration of this kind.
    Declaration(&'static Kind),
    /// The kind is unknown, but the rest of the document looks like this dialect.
    Resembles,
    /// Nothing in the document decides.
    Undecided,
    /// The document belongs to another system.
    Foreign,
}

/// The part of a document that decided.
#[derive(Debug, Clone, Copy)]
pub enum Evidence {
    /// The value of this key is the name of a kind.
    Word(&'static str),
    /// The value of this key is almost the name of a kind.
    NearWord(&'static str),
    /// The value of this key is not a kind, but the other keys are those of the dialect.
    Keys(&'static str),
    /// All of these marks hold for the document.
    Marks(&'static [Mark]),
}

/// The minimum evidence from its keys with which a document of an unknown kind is assigned to the dialect.
const EVIDENCE_MIN: u32 = 2;

/// Tests whether `document` belongs to `dialect`.
#[must_use]
pub fn recognise(dialect: &'static Dialect, document: &SpannedValue<'_>) -> Recognised {
    recognise_by(dialect, document).0
}

/// Like [`recognise`], and returns the part of the document that decided, if there is one.
#[must_use]
pub fn recognise_by(
    dialect: &'static Dialect,
    document: &SpannedValue<'_>,
) -> (Recognised, Option<Evidence>) {
    let nothing = (Recognised::Undecided, None);
    if let Some(items) = document.as_list() {
        // A list of declarations is not a declaration; each must be a document of its own.
        let declares = |item: &SpannedValue<'_>| {
            item.as_map().is_some() && matches!(recognise(dialect, item), Recognised::Declaration(_))
        };
        let key = dialect.discriminator().filter(|_| items.iter().any(declares));
        return key.map_or(nothing, |key| (Recognised::Resembles, Some(Evidence::Keys(key))));
    }
    let Some(members) = document.as_map() else { return nothing };
    let Recognition::ByWord { key, foreign_keys } = dialect.recognition else {
        return by_shape(dialect, document);
    };
    if members.iter().any(|member| foreign_keys.contains(&member.key.as_ref())) {
        return (Recognised::Foreign, None);
    }
    let Some(kind) = document.get(key) else {
        let evidence = meant_discriminator(dialect, document).map(|_| Evidence::Keys(key));
        return evidence.map_or(nothing, |keys| (Recognised::Resembles, Some(keys)));
    };
    let Some(word) = kind.value.as_text() else { return nothing };
    if let Some(kind) = dialect.kind(word) {
        return (Recognised::Declaration(kind), Some(Evidence::Word(key)));
    }
    let names = dialect.kinds.iter().map(|kind| kind.name);
    if suggest::nearest(word, names.clone()).is_some() {
        return (Recognised::Resembles, Some(Evidence::NearWord(key)));
    }
    let evidence: u32 = members.iter().map(|member| evidence(dialect, &member.key)).sum();
    let begins_kind = names.into_iter().any(|name| name.strip_prefix(word) == Some(NODE));
    match evidence >= if begins_kind { 1 } else { EVIDENCE_MIN } {
        true => (Recognised::Resembles, Some(Evidence::Keys(key))),
        false => nothing,
    }
}

/// The ending of most kind names, which people often leave out.
const NODE: &str = "Node";

/// The first kind for which all marks of a set hold. Keys are first compared exactly, then ignoring style.
fn by_shape(dialect: &'static Dialect, document: &SpannedValue<'_>) -> (Recognised, Option<Evidence>) {
    let found = speaking(dialect, document, get).or_else(|| speaking(dialect, document, get_in_any_style));
    match found {
        Some((kind, marks)) => (Recognised::Declaration(kind), Some(Evidence::Marks(marks))),
        None => (Recognised::Undecided, None),
    }
}

/// A function that looks up a member by key.
type Get = for<'v, 't> fn(&'v SpannedValue<'t>, &str) -> Option<&'v SpannedEntry<'t>>;

fn get<'v, 't>(value: &'v SpannedValue<'t>, key: &str) -> Option<&'v SpannedEntry<'t>> {
    value.get(key)
}

fn get_in_any_style<'v, 't>(value: &'v SpannedValue<'t>, key: &str) -> Option<&'v SpannedEntry<'t>> {
    value.as_map()?.iter().find(|member| suggest::is_same_but_for_style(&member.key, key))
}

fn speaking(
    dialect: &'static Dialect,
    document: &SpannedValue<'_>,
    get: Get,
) -> Option<(&'static Kind, &'static [Mark])> {
    let speaks = |marks: &&&'static [Mark]| marks.iter().all(|mark| mark_holds(mark, document, get));
    dialect.kinds.iter().find_map(|kind| Some((kind, *kind.evidence.iter().find(speaks)?)))
}

impl Mark {
    /// The condition of the mark, in words.
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

fn mark_holds(mark: &Mark, document: &SpannedValue<'_>, get: Get) -> bool {
    let value = |key: &str| get(document, key).map(|member| &member.value);
    let is_word = |value: &SpannedValue<'_>, words: &[Word]| {
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
            .and_then(SpannedValue::as_list)
            .is_some_and(|items| items.iter().any(|item| get(item, inner).is_some())),
        Mark::ItemWord(key, inner, words) => {
            value(key).and_then(SpannedValue::as_list).is_some_and(|items| {
                items.iter().any(|item| get(item, inner).is_some_and(|member| is_word(&member.value, words)))
            })
        }
    }
}

/// How strongly a top-level key suggests the dialect. Words such as `name`, `type` or `description` count nothing, because
/// many systems use them. A list or a function path counts little, and localized texts for a model much.
fn evidence(dialect: &Dialect, key: &str) -> u32 {
    let of_field = |field: &Field| match field.ty {
        Type::Bundles(_) | Type::OutputFields(..) => EVIDENCE_MIN,
        Type::Bundle(_) if !is_description(dialect, field) => EVIDENCE_MIN,
        Type::List(_) | Type::FunctionPath(_) => 1,
        _ => 0,
    };
    dialect.kinds.iter().filter_map(|kind| kind.shape.field(key)).map(of_field).max().unwrap_or(0)
}

/// Whether the field describes the purpose of its declaration. Such fields have another text for each kind.
fn is_description(dialect: &Dialect, field: &Field) -> bool {
    let same_key = dialect.kinds.iter().filter_map(|kind| kind.shape.field(field.key));
    same_key.into_iter().any(|other| other.doc != field.doc)
}

#[cfg(test)]
mod tests;

//! Whose document is it? By content first (Liman digest §1); "nobody's" is a valid answer, and a
//! file that is nobody's is left alone.

use crate::table::{Dialect, Kind, Type};
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

/// How similar a kind must be to a known one, from 0 to 1, to count as misspelt.
const NEAR_ENOUGH: f64 = 0.7;
/// What `document` is to `dialect`. `similarity` compares two words, from 0 to 1.
#[must_use]
pub fn recognise(
    dialect: &'static Dialect,
    document: &Value<'_>,
    similarity: fn(&str, &str) -> f64,
) -> Recognised {
    let Some(members) = document.as_map() else { return Recognised::Undecided };
    let Some(kind) = document.get(dialect.discriminator) else {
        let foreign = members.iter().any(|member| dialect.foreign_keys.contains(&member.key.as_ref()));
        return if foreign { Recognised::Foreign } else { Recognised::Undecided };
    };
    if members.iter().any(|member| dialect.foreign_keys.contains(&member.key.as_ref())) {
        return Recognised::Foreign;
    }
    let Some(word) = kind.value.as_text() else { return Recognised::Undecided };
    if let Some(kind) = dialect.kind(word) {
        return Recognised::Declaration(kind);
    }
    let misspelt = dialect
        .kinds
        .iter()
        .any(|kind| kind.name.eq_ignore_ascii_case(word) || similarity(kind.name, word) >= NEAR_ENOUGH);
    let telling = members.iter().any(|member| is_telling_key(dialect, &member.key));
    if misspelt || telling { Recognised::Resembles } else { Recognised::Undecided }
}

/// Whether a top-level key speaks for the dialect. Words such as `name`, `type` or `description` say
/// nothing; a list of references, a function path or required texts do.
fn is_telling_key(dialect: &Dialect, key: &str) -> bool {
    dialect.kinds.iter().filter_map(|kind| kind.shape.field(key)).any(|field| match field.ty {
        Type::List(_) | Type::Bundles(_) | Type::FunctionPath | Type::OutputFields(_) => true,
        Type::Bundle(_) => {
            dialect.kinds.iter().all(|kind| kind.shape.field(key).is_none_or(|same| same.doc == field.doc))
        }
        _ => false,
    })
}

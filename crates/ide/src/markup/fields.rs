//! Describes a key, a word, a kind or a shape of a dialect's table, for hover and completion. In: parts of the table.
//! Out: texts. Invariant: all content comes from the table.

use nodewise_dialect::reference::{origin_in_words, type_in_words};
use nodewise_dialect::table::{Field, Kind, Required, Shape, Word};
use nodewise_dialect::walk::Slot;
use nodewise_expr::types::ValueType;

use super::{Line, Markup};

/// A key: its type, whether it is required, its default, its meaning.
#[must_use]
pub fn describe_field(slot: Slot) -> Markup {
    let Slot { shape, field } = slot;
    let mut markup = Markup::new();
    let key = format!("{}.{}", shape.name, field.key);
    markup.paragraph(&Line::new().code(&key).prose(": ").prose(&type_in_words(field.ty)));
    markup.paragraph(&Line::new().prose(&facts(field).join(" · ")));
    markup.paragraph(&Line::new().prose(field.doc));
    markup
}

/// A word that a key accepts.
#[must_use]
pub fn describe_word(word: &Word) -> Markup {
    let mut markup = Markup::new();
    let line = Line::new().code(word.text);
    markup.paragraph(&if word.doc.is_empty() { line } else { line.prose(": ").prose(word.doc) });
    markup
}

/// A kind of document.
#[must_use]
pub fn describe_kind(kind: &Kind) -> Markup {
    let mut markup = Markup::new();
    markup.paragraph(&Line::new().code(kind.name).prose(": ").prose(kind.shape.doc));
    let required = kind.shape.fields.iter().filter(|field| field.required == Required::Yes);
    let keys: Vec<&str> = required.map(|field| field.key).collect();
    if !keys.is_empty() {
        markup.paragraph(&Line::new().prose("Needs ").codes(keys).prose("."));
    }
    markup
}

/// A mapping with known keys.
#[must_use]
pub fn describe_shape(shape: &Shape) -> Markup {
    let mut markup = Markup::new();
    markup.paragraph(&Line::new().code(shape.name).prose(": ").prose(shape.doc));
    markup
}

/// The name of a type.
pub(crate) fn type_word(ty: ValueType) -> Option<&'static str> {
    Some(match ty {
        ValueType::Bool => "true or false",
        ValueType::Number => "a number",
        ValueType::Text => "a text",
        ValueType::List => "a list",
        ValueType::Map => "a mapping",
        ValueType::Null => "nothing",
        ValueType::Unknown => return None,
    })
}

/// Facts about a key, other than its type and meaning.
fn facts(field: &Field) -> Vec<String> {
    let required = match field.required {
        Required::No => None,
        Required::Yes => Some("Required".to_owned()),
        Required::Unless(other) => Some(format!("Required unless `{other}` is set")),
    };
    let default = field.default.map(|default| format!("Default `{default}`"));
    let superseded = field.superseded_by.map(|key| format!("Use `{key}` instead"));
    [required, default, superseded, origin_in_words(field.origin)].into_iter().flatten().collect()
}

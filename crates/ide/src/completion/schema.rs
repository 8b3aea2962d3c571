//! JSON Schemas inside declarations. In: a cursor inside a schema. Out: offers of its keywords, and of the words for
//! `type`. They are the same in every dialect.

use nodewise_dialect::place::PathStep;
use nodewise_dialect::table::Type;
use nodewise_syntax::locate::KeyPlace;

use super::ItemKind;
use super::offer::{Offer, Offers};
use super::outline::Outline;
use crate::cursor_context::CursorContext;

/// The keyword for the type of a value.
pub(super) const TYPE: &str = "type";
/// The keyword for the members of a mapping.
pub(super) const PROPERTIES: &str = "properties";
/// The keyword for the allowed values.
pub(super) const ENUM: &str = "enum";

/// The value of a keyword.
#[derive(Clone, Copy)]
enum Follows {
    /// One of the types.
    Type,
    Text,
    Value,
    List,
    /// A mapping.
    Map,
}

/// Common keywords, in the usual order.
const KEYWORDS: [(&str, Follows, &str); 17] = [
    (TYPE, Follows::Type, "type of the value"),
    ("description", Follows::Text, "meaning of the value"),
    (PROPERTIES, Follows::Map, "members of an object, with their schemas"),
    ("required", Follows::List, "required members"),
    ("additionalProperties", Follows::Value, "whether other members are allowed, or their schema"),
    ("items", Follows::Map, "schema of the items of a list"),
    (ENUM, Follows::List, "allowed values"),
    ("const", Follows::Value, "the only allowed value"),
    ("default", Follows::Value, "value to use if there is none"),
    ("format", Follows::Text, "format of a text, for example `date-time`"),
    ("pattern", Follows::Text, "regular expression that a text must match"),
    ("minimum", Follows::Value, "smallest allowed number"),
    ("maximum", Follows::Value, "largest allowed number"),
    ("minLength", Follows::Value, "minimum length of a text"),
    ("maxLength", Follows::Value, "maximum length of a text"),
    ("minItems", Follows::Value, "minimum number of items"),
    ("maxItems", Follows::Value, "maximum number of items"),
];

/// The types of JSON Schema.
const TYPES: [(&str, &str); 7] = [
    ("string", "a text"),
    ("number", "a number"),
    ("integer", "a whole number"),
    ("boolean", "true or false"),
    ("object", "a mapping"),
    ("array", "a list"),
    ("null", "nothing"),
];

/// Offers keywords if the cursor is at a key of a schema.
pub(super) fn offer_keys(spot: &CursorContext<'_>, place: &KeyPlace, offers: &mut Offers) {
    let Some((Type::JsonSchema, steps)) = spot.leaf_around() else { return };
    let path = spot.path();
    if !is_schema(path.get(steps..).unwrap_or_default()) {
        return;
    }
    for (keyword, follows, doc) in KEYWORDS {
        if !place.siblings.iter().any(|sibling| sibling.text == keyword) {
            offers.add(Offer::key(keyword, outline(follows), 0).with_detail(doc));
        }
    }
}

/// Offers the types if the cursor is at the value of `type` in a schema.
pub(super) fn offer_values(spot: &CursorContext<'_>, offers: &mut Offers) {
    let Some((Type::JsonSchema, steps)) = spot.leaf_around() else { return };
    let path = spot.path();
    if let Some((PathStep::Key(TYPE), above)) = path.get(steps..).unwrap_or_default().split_last()
        && is_schema(above)
    {
        for (word, doc) in TYPES {
            offers.add(Offer::text(word, ItemKind::Word, 0).with_detail(doc));
        }
    }
}

/// Whether a path inside a schema leads to a schema: every other step is a member, an item, or a choice.
fn is_schema(steps: &[PathStep<'_>]) -> bool {
    match steps {
        [] => true,
        [PathStep::Key(PROPERTIES), PathStep::Key(_), rest @ ..] => is_schema(rest),
        [PathStep::Key("items" | "additionalProperties"), rest @ ..] => is_schema(rest),
        [PathStep::Key("anyOf" | "oneOf" | "allOf"), PathStep::Item(_), rest @ ..] => is_schema(rest),
        _ => false,
    }
}

fn outline(follows: Follows) -> Outline {
    match follows {
        Follows::Type => Outline::Hole {
            choices: TYPES.iter().map(|(word, _)| (*word).to_owned()).collect(),
            is_text: true,
        },
        Follows::Text => Outline::Open { is_text: true },
        Follows::Value => Outline::Open { is_text: false },
        Follows::List => Outline::List(vec![Outline::Open { is_text: true }]),
        Follows::Map => Outline::Map(Vec::new()),
    }
}

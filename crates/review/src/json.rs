//! Changes as data for programs.
//!
//! Input: the changes. Output: one JSON document with a version. Invariant: keys are only added while the version stays.

use serde_json::{Value, json};

use crate::change::{ChangedPlace, ChangedScenario, FieldChange, PartChange, Review};

/// The version of the JSON format.
pub const VERSION: u8 = 1;

/// The changes as JSON.
#[must_use]
pub fn json(review: &Review) -> Value {
    let declarations = review.declarations.iter().map(|changed| {
        let mut value = part(&changed.part);
        value["system"] = json!(changed.system);
        value
    });
    json!({
        "version": VERSION,
        "count": review.len(),
        "declarations": declarations.collect::<Vec<_>>(),
        "scenarios": {
            "compared": review.behaviour.compared,
            "changed": review.behaviour.changed.iter().map(scenario).collect::<Vec<_>>(),
        },
    })
}

fn part(part: &PartChange) -> Value {
    json!({
        "noun": part.noun,
        "name": part.name,
        "word": part.word,
        "change": part.verb(),
        "former": part.former(),
        "base": part.base.as_ref().map(place),
        "head": part.head.as_ref().map(place),
        "fields": part.fields.iter().map(field).collect::<Vec<_>>(),
        "parts": part.parts.iter().map(self::part).collect::<Vec<_>>(),
    })
}

fn scenario(changed: &ChangedScenario) -> Value {
    let difference = &changed.difference;
    json!({
        "title": changed.title,
        "at": place(&changed.place),
        "behind": difference.behind,
        "before": difference.before,
        "after": difference.after,
        "isEnd": difference.is_end,
    })
}

fn field(field: &FieldChange) -> Value {
    json!({
        "topic": field.topic.word(),
        "path": field.path,
        "before": field.before,
        "after": field.after,
        "isItems": field.is_items,
        "at": field.at.as_ref().map(place),
    })
}

fn place(place: &ChangedPlace) -> Value {
    json!({"path": place.path, "line": place.line})
}

//! JSON Schemas in declarations: words that no schema has, where it is plain which one was meant.
//!
//! Input: a mapping that describes values; output: issues. Invariant: an unknown keyword is ignored unless it
//! is nearly one of JSON Schema's, and so is a mapping that may be no schema at all.

use super::{Binder, IssueKind, Place};
use crate::suggest;
use crate::value::{Data, SpannedEntry, SpannedValue};

/// A part of a JSON Schema that does not mean what it looks like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaFault {
    /// The message of the finding.
    pub message: String,
    /// What to write instead.
    pub help: String,
    /// The word as written, and the word to replace it with; `None` if no single word helps.
    pub words: Option<(String, &'static str)>,
}

/// The types in JSON Schema.
const TYPES: &[&str] = &["string", "number", "integer", "boolean", "object", "array", "null"];
/// Names of types in other languages, each with the JSON type.
const OTHER_TYPES: &[(&str, &str)] = &[
    ("str", "string"),
    ("text", "string"),
    ("int", "integer"),
    ("long", "integer"),
    ("float", "number"),
    ("double", "number"),
    ("decimal", "number"),
    ("bool", "boolean"),
    ("list", "array"),
    ("dict", "object"),
    ("map", "object"),
    ("none", "null"),
];
/// The keywords of JSON Schema and of OpenAPI.
const KEYWORDS: &[&str] = &[
    "type",
    "properties",
    "required",
    "items",
    "enum",
    "const",
    "title",
    "description",
    "default",
    "examples",
    "example",
    "format",
    "pattern",
    "minLength",
    "maxLength",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minItems",
    "maxItems",
    "uniqueItems",
    "contains",
    "minContains",
    "maxContains",
    "prefixItems",
    "additionalItems",
    "additionalProperties",
    "patternProperties",
    "propertyNames",
    "minProperties",
    "maxProperties",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
    "unevaluatedItems",
    "unevaluatedProperties",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "definitions",
    "$defs",
    "$ref",
    "$id",
    "$schema",
    "$anchor",
    "$comment",
    "$dynamicRef",
    "$dynamicAnchor",
    "$vocabulary",
    "readOnly",
    "writeOnly",
    "deprecated",
    "nullable",
    "discriminator",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
];
/// A word that is less similar to a keyword is assumed to belong to another system.
const SIMILARITY_MIN: f64 = 0.8;
/// Schemas nested deeper than this are not checked.
const DEPTH_MAX: usize = 32;

impl<'v, 't> Binder<'v, 't> {
    pub(super) fn schema(&mut self, place: Place, value: &'v SpannedValue<'t>, depth: usize) {
        let Some(members) = value.as_map().filter(|_| depth < DEPTH_MAX) else { return };
        for member in members {
            let place = Place { at: member.value.at, ..place };
            match (member.key.as_ref(), &member.value.data) {
                ("type", Data::Text(_)) => self.schema_type(place, &member.value),
                ("type", Data::List(words)) => {
                    words.iter().for_each(|word| self.schema_type(Place { at: word.at, ..place }, word));
                }
                ("properties" | "patternProperties" | "definitions" | "$defs", Data::Map(parts)) => {
                    parts.iter().for_each(|part| self.schema(place, &part.value, depth + 1));
                }
                (
                    "items" | "additionalProperties" | "not" | "contains" | "if" | "then" | "else",
                    Data::Map(_),
                ) => {
                    self.schema(place, &member.value, depth + 1);
                }
                ("anyOf" | "oneOf" | "allOf" | "prefixItems", Data::List(parts)) => {
                    parts.iter().for_each(|part| self.schema(place, part, depth + 1));
                }
                ("required", Data::Bool(_)) if members.iter().any(|member| member.key == "type") => {
                    self.fault(
                        place,
                        "`required` takes a list of names, not a boolean".to_owned(),
                        "list the name in the `required` of the object around it".to_owned(),
                        None,
                    );
                }
                _ => self.keyword(Place { at: member.key_at, ..place }, members, &member.key),
            }
        }
    }

    fn schema_type(&mut self, place: Place, value: &SpannedValue<'_>) {
        let Some(word) = value.as_text().filter(|word| !TYPES.contains(word)) else { return };
        let other = OTHER_TYPES.iter().find(|(other, _)| word.eq_ignore_ascii_case(other));
        let meant = other.map(|(_, meant)| *meant).or_else(|| suggest::nearest(word, TYPES.iter().copied()));
        let Some(meant) = meant else { return };
        self.fault(
            place,
            format!("`{word}` is not a type of JSON Schema"),
            format!("write `{meant}`"),
            Some((word.to_owned(), meant)),
        );
    }

    /// Checks for a misspelt keyword, if other keywords are next to it.
    fn keyword(&mut self, place: Place, beside: &[SpannedEntry<'_>], key: &str) {
        if KEYWORDS.contains(&key) || !beside.iter().any(|member| KEYWORDS.contains(&member.key.as_ref())) {
            return;
        }
        let near = suggest::nearest(key, KEYWORDS.iter().copied());
        let Some(meant) = near.filter(|near| suggest::similarity(key, near) >= SIMILARITY_MIN) else {
            return;
        };
        if beside.iter().any(|member| member.key == meant) {
            return;
        }
        self.fault(
            place,
            format!("JSON Schema has no keyword `{key}`"),
            format!("write `{meant}`"),
            Some((key.to_owned(), meant)),
        );
    }

    fn fault(&mut self, place: Place, message: String, help: String, words: Option<(String, &'static str)>) {
        self.report(place, IssueKind::Schema(SchemaFault { message, help, words }));
    }
}

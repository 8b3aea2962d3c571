//! The values that models answer with, where not a text is wanted. In: what the answer is for; out: its JSON Schema, and
//! the value in what the model said. Invariant: a shape's root is an object, since the protocols take no other.

use nodewise_engine::ask::Purpose;
use nodewise_simulation::system::RunnableSystem;
use serde_json::{Value as Json, json};

use crate::systems;

/// The structure that an answer must have.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Shape {
    /// The name of the structure on the wire.
    pub(super) name: &'static str,
    pub(super) schema: Json,
    /// Whether the schema is simple enough that servers can enforce it strictly.
    pub(super) is_strict: bool,
    /// Whether the wanted value is wrapped in an object, under the key [`WRAPPED`].
    is_wrapped: bool,
}

/// The key of a wanted value that is not an object itself.
const WRAPPED: &str = "value";

/// The longest fact that the engine keeps, as a description for the model.
const LONGEST_FACT: &str = "At most 280 characters.";

impl Shape {
    /// The structure that the answer to a question must have; `None` for plain text.
    pub(super) fn of(system: RunnableSystem, purpose: Purpose, output: Option<&Json>) -> Option<Shape> {
        let text = || json!({"type": "string"});
        // Optional members are `null` instead of absent, because servers that enforce a schema allow no optional members.
        let maybe_text = || json!({"type": ["string", "null"]});
        match (purpose, systems::of(system).judge_approves()) {
            (Purpose::Work, _) => output.map(Shape::declared),
            (Purpose::Route, _) => {
                Some(Shape::built_in("route", [("next_node", text()), ("reasoning", text())]))
            }
            (Purpose::Judge, true) => {
                let approved = ("approved", json!({"type": "boolean"}));
                let confidence = ("confidence", json!({"type": "number"}));
                Some(Shape::built_in("decision", [approved, confidence, ("reasoning", text())]))
            }
            (Purpose::Judge, _) => {
                let score = ("score", json!({"type": "number", "description": "From 0 to 1."}));
                let suggestions = ("suggestions", maybe_text());
                Some(Shape::built_in("judgement", [score, ("reasoning", text()), suggestions]))
            }
            (Purpose::Extract, _) => {
                let fact = json!({"type": "string", "description": LONGEST_FACT});
                let facts = ("facts", json!({"type": "array", "items": fact}));
                Some(Shape::built_in("facts", [facts, ("reasoning", maybe_text())]))
            }
        }
    }

    /// Describes the structure in the prompt, for servers that cannot enforce it.
    pub(super) fn in_words(&self) -> String {
        format!(
            "Answer with one JSON object and nothing else. This JSON Schema describes it:\n{}",
            self.schema
        )
    }

    /// The wanted value from the object that the model gave.
    pub(super) fn unwrapped(&self, object: Json) -> Json {
        match object {
            Json::Object(mut entries) if self.is_wrapped && entries.contains_key(WRAPPED) => {
                entries.remove(WRAPPED).unwrap_or_default()
            }
            Json::Object(mut entries) if self.is_strict => {
                entries.retain(|_, value| !value.is_null());
                Json::Object(entries)
            }
            object => object,
        }
    }

    /// Finds the value in a text of the model. It tries the whole text, then the text in a fenced block, then from the first
    /// brace to the last.
    pub(super) fn value_in(&self, text: &str) -> Option<Json> {
        let parsed = |text: &str| serde_json::from_str(text.trim()).ok();
        let fenced = || {
            let (_, rest) = text.split_once("```")?;
            let (_, rest) = rest.split_once('\n')?;
            parsed(rest.split_once("```")?.0)
        };
        let braced = || parsed(text.get(text.find('{')?..=text.rfind('}')?)?);
        parsed(text).or_else(fenced).or_else(braced).map(|value| self.unwrapped(value))
    }

    fn built_in<const N: usize>(name: &'static str, properties: [(&str, Json); N]) -> Shape {
        let required: Vec<&str> = properties.iter().map(|(name, _)| *name).collect();
        let required = json!(required);
        let properties = properties.into_iter().map(|(name, schema)| (name.to_owned(), schema));
        let properties = Json::Object(properties.collect());
        let schema = json!({
            "type": "object", "properties": properties, "required": required, "additionalProperties": false
        });
        Shape { name, schema, is_strict: true, is_wrapped: false }
    }

    fn declared(schema: &Json) -> Shape {
        let is_object = schema.get("type").and_then(Json::as_str) == Some("object");
        let schema = match is_object {
            true => schema.clone(),
            false => json!({"type": "object", "properties": {WRAPPED: schema}, "required": [WRAPPED]}),
        };
        Shape { name: "answer", schema, is_strict: false, is_wrapped: !is_object }
    }
}

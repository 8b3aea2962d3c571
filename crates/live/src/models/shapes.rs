//! The values that models answer with, where not a text is wanted. In: what the answer is for; out: its JSON Schema, what the
//! model reads, and the value in what it said. Invariant: a shape's root is an object, since the protocols take no other.

use nodewise_engine::ask::Purpose;
use nodewise_simulation::system::RunnableSystem;
use serde_json::{Value as Json, json};

use crate::systems;

/// The shape of an answer.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Shape {
    /// What it is called on the wire.
    pub(super) name: &'static str,
    /// As JSON Schema.
    pub(super) schema: Json,
    /// Whether the schema is of the small sort that servers can hold a model to.
    pub(super) is_strict: bool,
    /// The instructions for the model.
    pub(super) instruction: &'static str,
    /// Whether the value that is wanted is under [`WRAPPED`].
    is_wrapped: bool,
}

/// Where a value is that is no object.
const WRAPPED: &str = "value";

const ROUTE: &str = "Choose which node works next. `next_node` is one of the names that are listed above, exactly as written \
                     there; `__done__` ends the work and is right when the goal is reached. `reasoning` says why, in one or two sentences.";
const SCORE: &str = "Judge how good the result is. `score` is a number from 0 (useless) to 1 (cannot be better); `reasoning` says \
                     why, in a few sentences.";
const APPROVAL: &str = "Decide by these criteria, in place of a person. `approved` is your decision, `confidence` is a number from \
                        0 to 1 that says how sure you are, `reasoning` says why, in one or two sentences.";
const FACTS: &str = "Find the facts in the text that are worth remembering. `facts` lists them: each is one sentence that can be \
                     understood on its own, with at most 280 characters; at most 50 facts, and none if nothing is worth remembering.";

impl Shape {
    /// The shape of the answer that a question wants; `None` for a text.
    pub(super) fn of(system: RunnableSystem, purpose: Purpose, output: Option<&Json>) -> Option<Shape> {
        let text = || json!({"type": "string"});
        match (purpose, systems::of(system).judge_approves()) {
            (Purpose::Work, _) => output.map(Shape::declared),
            (Purpose::Route, _) => {
                Some(Shape::built_in("route", ROUTE, [("reasoning", text()), ("next_node", text())]))
            }
            (Purpose::Judge, true) => {
                let confidence = ("confidence", json!({"type": "number"}));
                let approved = ("approved", json!({"type": "boolean"}));
                Some(Shape::built_in("decision", APPROVAL, [("reasoning", text()), approved, confidence]))
            }
            (Purpose::Judge, _) => {
                let score = ("score", json!({"type": "number"}));
                Some(Shape::built_in("judgement", SCORE, [("reasoning", text()), score]))
            }
            (Purpose::Extract, _) => {
                let facts = json!({"type": "array", "items": {"type": "string"}});
                Some(Shape::built_in("facts", FACTS, [("facts", facts)]))
            }
        }
    }

    /// What tells the shape to a model that cannot be held to it.
    pub(super) fn in_words(&self) -> String {
        format!(
            "Answer with one JSON object and nothing else. This JSON Schema describes it:\n{}",
            self.schema
        )
    }

    /// The value that is wanted, of the object that came.
    pub(super) fn unwrapped(&self, object: Json) -> Json {
        match object {
            Json::Object(mut entries) if self.is_wrapped && entries.contains_key(WRAPPED) => {
                entries.remove(WRAPPED).unwrap_or_default()
            }
            object => object,
        }
    }

    /// The value in what a model said: all of it, what stands between fences, or from the first brace to the last.
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

    fn built_in<const N: usize>(
        name: &'static str,
        instruction: &'static str,
        properties: [(&str, Json); N],
    ) -> Shape {
        let required: Vec<&str> = properties.iter().map(|(name, _)| *name).collect();
        let required = json!(required);
        let properties = properties.into_iter().map(|(name, schema)| (name.to_owned(), schema));
        let properties = Json::Object(properties.collect());
        let schema = json!({
            "type": "object", "properties": properties, "required": required, "additionalProperties": false
        });
        Shape { name, schema, is_strict: true, instruction, is_wrapped: false }
    }

    fn declared(schema: &Json) -> Shape {
        let is_object = schema.get("type").and_then(Json::as_str) == Some("object");
        let schema = match is_object {
            true => schema.clone(),
            false => json!({"type": "object", "properties": {WRAPPED: schema}, "required": [WRAPPED]}),
        };
        Shape { name: "answer", schema, is_strict: false, instruction: "", is_wrapped: !is_object }
    }
}

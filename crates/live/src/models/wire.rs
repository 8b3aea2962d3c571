//! What the protocols have in common: what is asked, what is heard, and what servers may refuse to know. Invariant: what a server
//! has refused once is not sent to it again.

use std::collections::BTreeSet;

use nodewise_engine::usage::Usage;
use serde_json::{Map, Value as Json, json};

use super::attachments::{Attachment, Attachments};
use super::call_failure::CallFailure;
use super::conversation::{Call, Conversation, Turn};
use super::plan::Planned;
use super::shapes::Shape;
use super::stream::Event;
use crate::wiring::OfferedTool;

pub(super) struct Asking<'a> {
    pub(super) planned: &'a Planned,
    pub(super) conversation: &'a Conversation,
    pub(super) shape: Option<&'a Shape>,
    pub(super) attachments: &'a Attachments,
    pub(super) temperature: Option<f64>,
    pub(super) refused: &'a Refused,
}

impl Asking<'_> {
    /// The attachments that are sent with a turn: those whose marks it has. The first turn also gets those of the author's text.
    pub(super) fn attachments_of(&self, position: usize, turn: &Turn) -> Vec<&Attachment> {
        let system = if position == 0 { self.conversation.system.as_str() } else { "" };
        let has = |attachment: &&Attachment| match turn {
            Turn::User(text) => attachment.is_in(text) || attachment.is_in(system),
            Turn::Results(results) => results.iter().any(|result| attachment.is_in(&result.text)),
            Turn::Model { .. } => false,
        };
        self.attachments.all().iter().filter(has).collect()
    }
}

/// A feature of the protocol that a server may refuse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Feature {
    /// An answer that follows a JSON Schema.
    Schema,
    /// An answer that is any JSON object.
    JsonObject,
    /// A tool that the model must call.
    ForcedTool,
    /// An answer in parts.
    Stream,
    /// The usage at the end of an answer in parts.
    StreamUsage,
    Temperature,
    /// The key `max_tokens`, in place of which newer servers want `max_completion_tokens`.
    MaxTokens,
    /// Marks of what the provider should cache.
    PromptCache,
}

/// The features that a server refused.
pub(super) type Refused = BTreeSet<Feature>;

/// What a model said and called.
#[derive(Debug, Default)]
pub(super) struct ModelOutput {
    pub(super) text: String,
    pub(super) calls: Vec<Call>,
}

/// Reads an answer in one protocol.
pub(super) trait Reading: Send {
    /// Reads an event. Returns what the model says in it.
    fn event(&mut self, event: &Event) -> Result<Option<String>, CallFailure>;

    /// Reads an answer that arrives as a whole.
    fn whole(&mut self, json: &Json) -> Result<(), CallFailure>;

    /// The text of the answer so far.
    fn text(&self) -> String;

    /// Whether the answer is complete.
    fn is_complete(&self) -> bool;

    /// The tokens used so far, as far as the provider reports them.
    fn usage(&self) -> Usage;

    /// Takes the complete answer.
    fn model_output(&mut self) -> Result<ModelOutput, CallFailure>;
}

/// The feature that a server refused, found by words in its message; `None` if the message names none that was used.
pub(super) fn refused_part(text: &str, asking: &Asking<'_>, is_anthropic: bool) -> Option<Feature> {
    let text = text.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let has_shape =
        asking.shape.is_some() && says(&["response_format", "json", "schema", "structured", "grammar"]);
    let candidates = [
        (Feature::StreamUsage, !is_anthropic && says(&["stream_options", "include_usage"])),
        (Feature::Temperature, asking.temperature.is_some() && says(&["temperature"])),
        (Feature::MaxTokens, asking.planned.max_tokens.is_some() && says(&["max_completion_tokens"])),
        (Feature::PromptCache, asking.planned.settings.prompt_cache().is_some() && says(&["cache_control"])),
        (Feature::ForcedTool, is_anthropic && asking.shape.is_some() && says(&["tool_choice"])),
        (Feature::Schema, !is_anthropic && has_shape),
        (Feature::JsonObject, !is_anthropic && has_shape),
        (Feature::Stream, says(&["stream"]) && says(&["support", "allowed", "disabled"])),
    ];
    let new =
        candidates.into_iter().find(|(feature, is_meant)| *is_meant && !asking.refused.contains(feature));
    new.map(|(feature, _)| feature)
}

/// The JSON Schema of a tool's arguments. The protocols require the schema of an object.
pub(super) fn parameters(tool: &OfferedTool) -> Json {
    match &tool.parameters {
        Json::Object(schema) if schema.contains_key("type") => tool.parameters.clone(),
        Json::Object(schema) => {
            let mut schema = schema.clone();
            schema.insert("type".to_owned(), json!("object"));
            Json::Object(schema)
        }
        _ => json!({"type": "object", "properties": {}}),
    }
}

/// Reads the arguments of a call from a JSON text. `is_cut_short` means that the answer reached its length limit, perhaps inside
/// of this text.
pub(super) fn arguments(tool: &str, text: &str, is_cut_short: bool) -> Result<Json, CallFailure> {
    if text.trim().is_empty() {
        return Ok(Json::Object(Map::new()));
    }
    match serde_json::from_str(text) {
        Ok(Json::Object(arguments)) => Ok(Json::Object(arguments)),
        Err(_) if is_cut_short => Err(CallFailure::malformed(format!(
            "reached the length limit of an answer in the middle of the call of `{tool}`; raise `max_tokens` \
             under [live.models]"
        ))),
        Ok(_) => {
            Err(CallFailure::malformed(format!("called `{tool}` with arguments that are not a JSON object")))
        }
        Err(error) => {
            Err(CallFailure::malformed(format!("called `{tool}` with arguments that are not JSON ({error})")))
        }
    }
}

/// The number under a key of an object; 0 if there is none.
pub(super) fn number(json: &Json, key: &str) -> f64 {
    json.get(key).and_then(Json::as_f64).unwrap_or(0.0)
}

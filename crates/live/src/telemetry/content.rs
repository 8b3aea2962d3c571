//! What models read and write, as the conventions write it: messages of parts.
//!
//! Input: questions and answers as they are stored; output: JSON. Invariant: no text leaves here but through the mask.

use serde_json::{Value as Json, json};

/// Turns content into attributes of spans.
pub(super) struct Content<'c> {
    /// Masks secrets in a text.
    pub(super) mask: &'c (dyn Fn(&str) -> String + Send + Sync),
}

impl Content<'_> {
    /// JSON as the text of an attribute, with secrets masked.
    pub(super) fn text(&self, json: &Json) -> String {
        // Mask twice: texts in JSON are escaped, and an escaped secret could escape the mask.
        (self.mask)(&self.masked(json).to_string())
    }

    fn masked(&self, json: &Json) -> Json {
        match json {
            Json::String(text) => Json::String((self.mask)(text)),
            Json::Array(items) => items.iter().map(|item| self.masked(item)).collect(),
            Json::Object(members) => {
                let masked = members.iter().map(|(key, value)| ((self.mask)(key), self.masked(value)));
                Json::Object(masked.collect())
            }
            other => other.clone(),
        }
    }
}

/// The messages that a model reads, without the author's instructions.
pub(super) fn input(question: &Json) -> Json {
    messages(question).filter(|message| role(message) != "system").map(message).collect()
}

/// The author's instructions.
pub(super) fn instructions(question: &Json) -> Json {
    let own = messages(question).filter(|message| role(message) == "system");
    own.filter_map(|message| message.get("content").map(part_of_text)).collect()
}

/// The message of a model.
pub(super) fn output(reply: &Json) -> Json {
    let said = reply.get("text").filter(|text| text.as_str().is_some_and(|text| !text.is_empty()));
    let mut parts: Vec<Json> = said.or_else(|| reply.get("value")).map(part_of_text).into_iter().collect();
    parts.extend(calls(reply));
    let reason = if calls(reply).next().is_some() { "tool_call" } else { "stop" };
    json!([{"role": "assistant", "parts": parts, "finish_reason": reason}])
}

fn messages(question: &Json) -> impl Iterator<Item = &Json> {
    question.get("prompt").and_then(Json::as_array).into_iter().flatten()
}

fn message(message: &Json) -> Json {
    let content = message.get("content").unwrap_or(&Json::Null);
    if let Some(answered) = message.get("answers") {
        let part = json!({"type": "tool_call_response", "id": answered.get("id"), "response": content});
        return json!({"role": "tool", "parts": [part]});
    }
    let is_blank = content.as_str().is_some_and(str::is_empty) || content.is_null();
    let said = (!is_blank).then(|| part_of_text(content));
    let parts: Vec<Json> = said.into_iter().chain(calls(message)).collect();
    let role = if role(message) == "model" { "assistant" } else { "user" };
    json!({"role": role, "parts": parts})
}

fn role(message: &Json) -> &str {
    message.get("role").and_then(Json::as_str).unwrap_or_default()
}

fn part_of_text(content: &Json) -> Json {
    let text = content.as_str().map_or_else(|| content.to_string(), str::to_owned);
    json!({"type": "text", "content": text})
}

/// The calls of tools in a message.
fn calls(message: &Json) -> impl Iterator<Item = Json> {
    let calls = message.get("calls").and_then(Json::as_array).into_iter().flatten();
    calls.map(|call| {
        json!({
            "type": "tool_call", "id": call.get("id"), "name": call.get("tool"),
            "arguments": call.get("arguments"),
        })
    })
}

//! What a tool of a server answers, as a value.
//!
//! Input: the result of a call; output: its value as JSON, or the failure that it reports. Invariant: nothing of the content is
//! lost but what is about the protocol itself.

use nodewise_engine::outcome::Failure;
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::Value as Json;

use super::TOOL_CLASS;

/// The keys of a content block that only concern the protocol.
const ABOUT_PROTOCOL: [&str; 3] = ["_meta", "annotations", "icons"];

/// The value of a result: the structured content if there is any, a single text unchanged, several parts as a list. A text is
/// read as JSON only if the tool declares an output schema.
pub(super) fn value(tool: &str, result: CallToolResult, has_shape: bool) -> Result<Json, Failure> {
    if result.is_error == Some(true) {
        let texts: Vec<&str> = result.content.iter().filter_map(text).collect();
        let message = match (texts.is_empty(), &result.structured_content) {
            (false, _) => texts.join("\n"),
            (true, Some(structured)) => structured.to_string(),
            (true, None) => format!("`{tool}` failed without a message"),
        };
        return Err(Failure::new(TOOL_CLASS, message));
    }
    if let Some(structured) = result.structured_content {
        return Ok(structured);
    }
    let texts: Option<Vec<&str>> = result.content.iter().map(text).collect();
    Ok(match texts {
        Some(texts) if texts.is_empty() => Json::Null,
        Some(texts) => {
            let text = texts.join("\n");
            let read = has_shape.then(|| serde_json::from_str(&text).ok()).flatten();
            read.unwrap_or(Json::String(text))
        }
        None => {
            let mut parts = result.content.iter().map(part);
            match (parts.next(), parts.len()) {
                (Some(one), 0) => one,
                (first, _) => first.into_iter().chain(parts).collect(),
            }
        }
    })
}

fn text(block: &ContentBlock) -> Option<&str> {
    block.as_text().map(|text| text.text.as_str())
}

/// A part of a result: a text unchanged, anything else as data.
fn part(block: &ContentBlock) -> Json {
    if let Some(text) = text(block) {
        return Json::String(text.to_owned());
    }
    let mut data = serde_json::to_value(block).unwrap_or_default();
    tidy(&mut data);
    if let Some(resource) = data.get_mut("resource") {
        tidy(resource);
    }
    data
}

fn tidy(data: &mut Json) {
    if let Json::Object(data) = data {
        for key in ABOUT_PROTOCOL {
            data.shift_remove(key);
        }
    }
}

//! Anthropic's messages. In: a conversation; out: a body to send, and what the model said. A value of a fixed shape is asked for as
//! the arguments of a tool that the model has to call. Invariant: that tool is never a call of the run.

use std::collections::BTreeMap;

use nodewise_engine::usage::Usage;
use nodewise_project::config::live::PromptCache;
use serde_json::{Value as Json, json};

use super::attachments::Attachment;
use super::call_failure::CallFailure;
use super::conversation::{Call, Turn};
use super::settings::put;
use super::shapes::Shape;
use super::stream::Event;
use super::wire::{Asking, Feature, ModelOutput, Reading, arguments, number, parameters};

/// The version of the protocol, which a header of each request names.
pub(super) const VERSION: &str = "2023-06-01";
/// The description of the tool through which the model gives its final answer.
const ANSWER: &str = "Takes the final answer. Call it once, when the answer is ready.";

/// The body of a request.
pub(super) fn body(asking: &Asking<'_>) -> Json {
    let conversation = asking.conversation;
    let continues = matches!(conversation.turns.last(), Some(Turn::Results(_)));
    let thinks = asking.planned.settings.thinking(continues);
    // If a model thinks, the protocol allows neither a temperature nor a tool that the model must call.
    let takes = |feature: Feature| {
        let clashes = matches!(feature, Feature::Temperature | Feature::ForcedTool) && thinks.is_some();
        !clashes && !asking.refused.contains(&feature)
    };
    // The protocol counts the tokens of thinking as a part of the answer.
    let max_tokens = asking.planned.max_tokens.map(|most| most.saturating_add(thinks.unwrap_or(0)));
    let cache = asking.planned.settings.prompt_cache().filter(|_| takes(Feature::PromptCache));
    let mut messages = messages(asking);
    // The next request of the conversation begins with everything up to here, so it can be read from the cache.
    if let (Some(cache), Some(last)) = (cache, messages.last_mut()) {
        mark(
            last.pointer_mut("/content").and_then(Json::as_array_mut).and_then(|blocks| blocks.last_mut()),
            cache,
        );
    }
    let mut body = json!({
        "model": asking.planned.model.as_str(),
        "max_tokens": max_tokens,
        "messages": messages,
    });
    if takes(Feature::Stream) {
        put(&mut body, "stream", json!(true));
    }
    let mut system = conversation.system.clone();
    if let Some(shape) = asking.shape.filter(|_| !takes(Feature::ForcedTool)) {
        system = format!("{system}\n\n{}", shape.in_words()).trim_start().to_owned();
    }
    let is_system_marked = cache.is_some() && !system.is_empty();
    match cache.filter(|_| is_system_marked) {
        Some(cache) => {
            let mut block = text_block(&system);
            mark(Some(&mut block), cache);
            put(&mut body, "system", json!([block]));
        }
        None if system.is_empty() => {}
        None => put(&mut body, "system", json!(system)),
    }
    if let Some(temperature) = asking.temperature.filter(|_| takes(Feature::Temperature)) {
        put(&mut body, "temperature", json!(temperature.clamp(0.0, 1.0)));
    }
    let tools = conversation.tools.iter().map(|tool| {
        let name = conversation.names.on_wire(&tool.name);
        let description = tool.description.clone().unwrap_or_default();
        json!({"name": name, "description": description, "input_schema": parameters(tool)})
    });
    let mut tools: Vec<Json> = tools.collect();
    if let Some(shape) = asking.shape {
        tools.push(json!({"name": shape.name, "description": ANSWER, "input_schema": shape.schema}));
        let choice = match conversation.tools.is_empty() {
            _ if !takes(Feature::ForcedTool) => json!({"type": "auto"}),
            true => json!({"type": "tool", "name": shape.name}),
            false => json!({"type": "any"}),
        };
        put(&mut body, "tool_choice", choice);
    }
    // The protocol places tools before the author's text, so a mark on that text covers the tools too.
    if let Some(cache) = cache.filter(|_| !is_system_marked) {
        mark(tools.last_mut(), cache);
    }
    if !tools.is_empty() {
        put(&mut body, "tools", Json::Array(tools));
    }
    asking.planned.settings.add_to_anthropic(&mut body, thinks);
    body
}

/// The messages of a request. The protocol wants strict turns, so results of tools and what a user says after them become one
/// message.
fn messages(asking: &Asking<'_>) -> Vec<Json> {
    let conversation = asking.conversation;
    let mut messages: Vec<(&str, Vec<Json>)> = Vec::with_capacity(conversation.turns.len());
    for (position, turn) in conversation.turns.iter().enumerate() {
        let (role, mut blocks) = match turn {
            Turn::User(text) => ("user", vec![text_block(text)]),
            Turn::Results(results) => {
                let result = |id: &str, text: &str| json!({"type": "tool_result", "tool_use_id": plain_id(id), "content": text});
                ("user", results.iter().map(|one| result(&one.id, &one.text)).collect())
            }
            Turn::Model { text, calls } => {
                let text = Some(text).filter(|text| !text.trim().is_empty());
                let calls = calls.iter().map(|call| {
                    let id = plain_id(&call.id);
                    json!({"type": "tool_use", "id": id, "name": call.tool, "input": call.arguments})
                });
                ("assistant", text.map(|text| text_block(text)).into_iter().chain(calls).collect())
            }
        };
        let attached = asking.attachments_of(position, turn);
        blocks.extend(attached.into_iter().map(Attachment::anthropic_block));
        match messages.last_mut() {
            Some((last, earlier)) if *last == role => earlier.extend(blocks),
            _ => messages.push((role, blocks)),
        }
    }
    messages.into_iter().map(|(role, content)| json!({"role": role, "content": content})).collect()
}

/// Marks a block, so that the provider caches the request up to it.
fn mark(block: Option<&mut Json>, cache: PromptCache) {
    let mark = match cache {
        PromptCache::FiveMinutes => json!({"type": "ephemeral"}),
        PromptCache::OneHour => json!({"type": "ephemeral", "ttl": "1h"}),
    };
    if let Some(block) = block {
        put(block, "cache_control", mark);
    }
}

fn text_block(text: &str) -> Json {
    json!({"type": "text", "text": text})
}

/// An id with only the characters that the protocol allows.
fn plain_id(id: &str) -> String {
    let is_taken = |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '-');
    id.chars().map(|character| if is_taken(character) { character } else { '_' }).collect()
}

/// Collects an answer while it is read.
#[derive(Debug, Default)]
pub(super) struct Reader {
    /// The parts of the answer by their positions.
    blocks: BTreeMap<u64, Block>,
    usage: Usage,
    is_complete: bool,
    is_cut_short: bool,
}

/// A part of an answer.
#[derive(Debug)]
enum Block {
    Text(String),
    Call { id: String, tool: String, arguments: String },
}

impl Reader {
    fn count(&mut self, holder: &Json) {
        let Some(usage) = holder.get("usage").filter(|usage| usage.is_object()) else { return };
        let input = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"];
        let input = input.iter().map(|key| number(usage, key)).sum();
        // The end of an answer may repeat the numbers or leave them out, so keep the largest.
        self.usage.cached_tokens =
            f64::max(self.usage.cached_tokens, number(usage, "cache_read_input_tokens"));
        self.usage.cache_write_tokens =
            f64::max(self.usage.cache_write_tokens, number(usage, "cache_creation_input_tokens"));
        self.usage.input_tokens = f64::max(self.usage.input_tokens, input);
        self.usage.output_tokens = f64::max(self.usage.output_tokens, number(usage, "output_tokens"));
    }

    fn take_end(&mut self, holder: &Json) {
        self.is_cut_short |= holder.get("stop_reason").and_then(Json::as_str) == Some("max_tokens");
    }

    fn begin(&mut self, position: u64, block: &Json) -> Option<String> {
        let text = |key: &str| block.get(key).and_then(Json::as_str).unwrap_or_default().to_owned();
        match text("type").as_str() {
            "text" => {
                let said = text("text");
                self.blocks.insert(position, Block::Text(said.clone()));
                Some(said).filter(|said| !said.is_empty())
            }
            "tool_use" => {
                let input = block
                    .get("input")
                    .filter(|input| input.as_object().is_some_and(|input| !input.is_empty()));
                let arguments = input.map(Json::to_string).unwrap_or_default();
                self.blocks.insert(position, Block::Call { id: text("id"), tool: text("name"), arguments });
                None
            }
            // Thinking is not a part of the answer.
            _ => None,
        }
    }

    fn go_on(&mut self, position: u64, delta: &Json) -> Option<String> {
        let text = |key: &str| delta.get(key).and_then(Json::as_str);
        match self.blocks.get_mut(&position)? {
            Block::Text(said) => {
                let part = text("text")?;
                said.push_str(part);
                Some(part.to_owned())
            }
            Block::Call { arguments, .. } => {
                arguments.push_str(text("partial_json")?);
                None
            }
        }
    }
}

impl Reading for Reader {
    fn event(&mut self, event: &Event) -> Result<Option<String>, CallFailure> {
        let json: Json = serde_json::from_str(&event.data)
            .map_err(|error| CallFailure::malformed(format!("sent a part that is not JSON ({error})")))?;
        let kind = json.get("type").and_then(Json::as_str).unwrap_or(&event.name);
        let position = json.get("index").and_then(Json::as_u64).unwrap_or_default();
        let part = |key: &str| json.get(key).unwrap_or(&Json::Null);
        match kind {
            "message_start" => self.count(part("message")),
            "content_block_start" => return Ok(self.begin(position, part("content_block"))),
            "content_block_delta" => return Ok(self.go_on(position, part("delta"))),
            "message_delta" => {
                self.count(&json);
                self.take_end(part("delta"));
            }
            "message_stop" => self.is_complete = true,
            "error" => return Err(CallFailure::of_error(part("error"))),
            _ => {}
        }
        Ok(None)
    }

    fn whole(&mut self, json: &Json) -> Result<(), CallFailure> {
        if let Some(error) = json.get("error") {
            return Err(CallFailure::of_error(error));
        }
        let blocks = json.get("content").and_then(Json::as_array);
        let blocks = blocks.ok_or_else(|| CallFailure::malformed("sent an answer without content"))?;
        for (position, block) in blocks.iter().enumerate() {
            self.begin(position as u64, block);
        }
        self.count(json);
        self.take_end(json);
        self.is_complete = true;
        Ok(())
    }

    fn text(&self) -> String {
        let texts = self.blocks.values().filter_map(|block| match block {
            Block::Text(text) => Some(text.as_str()),
            Block::Call { .. } => None,
        });
        texts.collect()
    }

    fn is_complete(&self) -> bool {
        self.is_complete
    }

    fn usage(&self) -> Usage {
        self.usage
    }

    fn model_output(&mut self) -> Result<ModelOutput, CallFailure> {
        let mut model_output = ModelOutput::default();
        for block in std::mem::take(&mut self.blocks).into_values() {
            match block {
                Block::Text(text) => model_output.text.push_str(&text),
                Block::Call { id, tool, arguments: text } => {
                    let arguments = arguments(&tool, &text, self.is_cut_short)?;
                    model_output.calls.push(Call { id, tool, arguments });
                }
            }
        }
        Ok(model_output)
    }
}

/// Removes the call of the answer tool from what a model said. Returns the answer, unless there are other calls.
pub(super) fn take_answer(model_output: &mut ModelOutput, shape: &Shape) -> Option<Json> {
    let place = model_output.calls.iter().position(|call| call.tool == shape.name)?;
    let answer = model_output.calls.remove(place);
    model_output.calls.retain(|call| call.tool != shape.name);
    model_output.calls.is_empty().then(|| shape.unwrapped(answer.arguments))
}

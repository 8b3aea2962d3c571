//! Chat completions, as OpenAI has them, and vLLM, Ollama, llama.cpp and many services. In: a conversation; out: a body to send, and
//! what the model said. Invariant: an answer that ends without a reason to end is not complete.

use nodewise_engine::usage::Usage;
use serde_json::{Value as Json, json};

use super::attachments::Attachment;
use super::call_failure::CallFailure;
use super::conversation::{Call, Turn};
use super::settings::put;
use super::stream::Event;
use super::wire::{Asking, Feature, ModelOutput, Reading, arguments, number, parameters};

/// The data of the last event of an answer in parts.
const DONE: &str = "[DONE]";

/// The body of a request.
pub(super) fn body(asking: &Asking<'_>) -> Json {
    let takes = |feature: Feature| !asking.refused.contains(&feature);
    let mut body = json!({"model": asking.planned.model.as_str(), "messages": messages(asking)});
    if takes(Feature::Stream) {
        put(&mut body, "stream", json!(true));
        if takes(Feature::StreamUsage) {
            put(&mut body, "stream_options", json!({"include_usage": true}));
        }
    }
    if let Some(temperature) = asking.temperature.filter(|_| takes(Feature::Temperature)) {
        put(&mut body, "temperature", json!(temperature));
    }
    if let Some(most) = asking.planned.max_tokens {
        let key = if takes(Feature::MaxTokens) { "max_tokens" } else { "max_completion_tokens" };
        put(&mut body, key, json!(most));
    }
    let tools = asking.conversation.tools.iter().map(|tool| {
        let name = asking.conversation.names.on_wire(&tool.name);
        let description = tool.description.clone().unwrap_or_default();
        let function = json!({"name": name, "description": description, "parameters": parameters(tool)});
        json!({"type": "function", "function": function})
    });
    let tools: Vec<Json> = tools.collect();
    if !tools.is_empty() {
        put(&mut body, "tools", Json::Array(tools));
    }
    if let Some(shape) = asking.shape {
        let described = json!({"name": shape.name, "schema": shape.schema, "strict": shape.is_strict});
        if takes(Feature::Schema) {
            put(&mut body, "response_format", json!({"type": "json_schema", "json_schema": described}));
        } else if takes(Feature::JsonObject) {
            put(&mut body, "response_format", json!({"type": "json_object"}));
        }
    }
    asking.planned.settings.add_to_openai(&mut body);
    body
}

fn messages(asking: &Asking<'_>) -> Vec<Json> {
    let mut messages = Vec::with_capacity(asking.conversation.turns.len() + 1);
    let mut system = asking.conversation.system.clone();
    if let Some(shape) = asking.shape.filter(|_| asking.refused.contains(&Feature::Schema)) {
        system = format!("{system}\n\n{}", shape.in_words()).trim_start().to_owned();
    }
    if !system.is_empty() {
        messages.push(json!({"role": "system", "content": system}));
    }
    for (position, turn) in asking.conversation.turns.iter().enumerate() {
        let attached: Vec<Json> =
            asking.attachments_of(position, turn).into_iter().map(Attachment::openai_part).collect();
        match turn {
            Turn::User(text) if attached.is_empty() => {
                messages.push(json!({"role": "user", "content": text}));
            }
            Turn::User(text) => {
                let text = json!({"type": "text", "text": text});
                let content: Vec<Json> = std::iter::once(text).chain(attached).collect();
                messages.push(json!({"role": "user", "content": content}));
            }
            Turn::Model { text, calls } => messages.push(model_message(text, calls)),
            Turn::Results(results) => {
                messages.extend(results.iter().map(
                    |result| json!({"role": "tool", "tool_call_id": result.id, "content": result.text}),
                ));
                // In this protocol the result of a tool is only text, so its attachments follow in a message of their own.
                if !attached.is_empty() {
                    messages.push(json!({"role": "user", "content": attached}));
                }
            }
        }
    }
    messages
}

fn model_message(text: &str, calls: &[Call]) -> Json {
    let content = if text.is_empty() { Json::Null } else { json!(text) };
    let mut message = json!({"role": "assistant", "content": content});
    let calls = calls.iter().map(|call| {
        let function = json!({"name": call.tool, "arguments": call.arguments.to_string()});
        json!({"id": call.id, "type": "function", "function": function})
    });
    let calls: Vec<Json> = calls.collect();
    if !calls.is_empty() {
        put(&mut message, "tool_calls", Json::Array(calls));
    }
    message
}

/// Collects an answer while it is read.
#[derive(Debug, Default)]
pub(super) struct Reader {
    text: String,
    calls: Vec<PartialCall>,
    usage: Usage,
    is_complete: bool,
    is_cut_short: bool,
}

/// A call that arrives in parts.
#[derive(Debug, Default)]
struct PartialCall {
    /// The position of the call in the answer, which each of its parts names.
    index: u64,
    id: String,
    tool: String,
    arguments: String,
}

impl Reader {
    fn count(&mut self, answer: &Json) {
        if let Some(usage) = answer.get("usage").filter(|usage| usage.is_object()) {
            self.usage.input_tokens = number(usage, "prompt_tokens");
            self.usage.output_tokens = number(usage, "completion_tokens");
            let details = usage.get("prompt_tokens_details");
            self.usage.cached_tokens = details.map_or(0.0, |details| number(details, "cached_tokens"));
        }
    }

    fn take_end(&mut self, choice: &Json) {
        let reason = text(choice, "finish_reason");
        self.is_complete |= reason.is_some();
        self.is_cut_short |= reason == Some("length");
    }

    /// Reads a message, or a part of one. Returns what the model says in it.
    fn take(&mut self, message: &Json) -> Option<String> {
        for (position, part) in list(message, "tool_calls").iter().enumerate() {
            self.take_call(part, position as u64);
        }
        let said = content(message).or_else(|| text(message, "refusal").map(str::to_owned))?;
        self.text.push_str(&said);
        Some(said).filter(|said| !said.is_empty())
    }

    fn take_call(&mut self, part: &Json, position: u64) {
        let id = text(part, "id").unwrap_or_default();
        let function = part.get("function").unwrap_or(&Json::Null);
        let index = part.get("index").and_then(Json::as_u64).unwrap_or(position);
        // Some servers give all calls of an answer the same position, but different ids.
        let is_its = |call: &PartialCall| call.index == index && (id.is_empty() || call.id == id);
        let place = self.calls.iter().rposition(is_its);
        if place.is_none() {
            self.calls.push(PartialCall { index, id: id.to_owned(), ..PartialCall::default() });
        }
        let place = place.unwrap_or(self.calls.len() - 1);
        if let Some(call) = self.calls.get_mut(place) {
            call.tool.push_str(text(function, "name").unwrap_or_default());
            match function.get("arguments") {
                Some(Json::String(text)) => call.arguments.push_str(text),
                Some(Json::Object(arguments)) => {
                    call.arguments = Json::Object(arguments.clone()).to_string();
                }
                _ => {}
            }
        }
    }
}

impl Reading for Reader {
    fn event(&mut self, event: &Event) -> Result<Option<String>, CallFailure> {
        if event.data.trim() == DONE {
            self.is_complete = true;
            return Ok(None);
        }
        let chunk: Json = serde_json::from_str(&event.data)
            .map_err(|error| CallFailure::malformed(format!("sent a part that is not JSON ({error})")))?;
        if let Some(error) = chunk.get("error").filter(|error| !error.is_null()) {
            return Err(CallFailure::of_error(error));
        }
        self.count(&chunk);
        let Some(choice) = list(&chunk, "choices").first() else { return Ok(None) };
        self.take_end(choice);
        Ok(choice.get("delta").and_then(|delta| self.take(delta)))
    }

    fn whole(&mut self, json: &Json) -> Result<(), CallFailure> {
        if let Some(error) = json.get("error").filter(|error| !error.is_null()) {
            return Err(CallFailure::of_error(error));
        }
        self.count(json);
        let choice = list(json, "choices").first();
        let Some((choice, message)) = choice.and_then(|choice| Some((choice, choice.get("message")?))) else {
            return Err(CallFailure::malformed("sent an answer without a message"));
        };
        self.take(message);
        self.take_end(choice);
        self.is_complete = true;
        Ok(())
    }

    fn text(&self) -> String {
        self.text.clone()
    }

    fn is_complete(&self) -> bool {
        self.is_complete
    }

    fn usage(&self) -> Usage {
        self.usage
    }

    fn model_output(&mut self) -> Result<ModelOutput, CallFailure> {
        let calls = std::mem::take(&mut self.calls).into_iter().map(|call| {
            let arguments = arguments(&call.tool, &call.arguments, self.is_cut_short)?;
            Ok(Call { id: call.id, tool: call.tool, arguments })
        });
        Ok(ModelOutput {
            calls: calls.collect::<Result<_, CallFailure>>()?,
            text: std::mem::take(&mut self.text),
        })
    }
}

/// The text of a message, which may consist of parts.
fn content(message: &Json) -> Option<String> {
    match message.get("content")? {
        Json::String(text) => Some(text.clone()),
        Json::Array(parts) => Some(parts.iter().filter_map(|part| text(part, "text")).collect()),
        _ => None,
    }
}

fn list<'j>(json: &'j Json, key: &str) -> &'j [Json] {
    json.get(key).and_then(Json::as_array).map_or(&[], Vec::as_slice)
}

fn text<'j>(json: &'j Json, key: &str) -> Option<&'j str> {
    json.get(key).and_then(Json::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is heard of events, each the JSON of a chunk's choice, as text and calls.
    fn check_heard(choices: &[Json], expected: &str) {
        let mut reader = Reader::default();
        for choice in choices {
            let data = json!({"choices": [choice]}).to_string();
            reader.event(&Event { name: String::new(), data }).expect("JSON");
        }
        let model_output = reader.model_output().expect("complete");
        let calls =
            model_output.calls.iter().map(|call| format!(" {}:{}{}", call.id, call.tool, call.arguments));
        let shown = format!("{}{} {}", model_output.text, calls.collect::<String>(), reader.is_complete());
        assert_eq!(shown, expected);
    }

    fn call(index: Json, id: &str, name: &str, arguments: Json) -> Json {
        let function = json!({"name": name, "arguments": arguments});
        json!({"delta": {"tool_calls": [{"index": index, "id": id, "function": function}]}})
    }

    #[test]
    fn servers_number_calls_in_their_own_ways() {
        let ended = json!({"delta": {}, "finish_reason": "tool_calls"});
        let (one, two) = (json!({"a": 1}), json!({"a": 2}));
        let expected = " x:f{\"a\":1} y:g{\"a\":2} true";
        let text = |json: &Json| Json::String(json.to_string());
        check_heard(
            &[call(json!(0), "x", "f", text(&one)), call(json!(0), "y", "g", text(&two)), ended.clone()],
            expected,
        );
        check_heard(
            &[call(json!(0), "x", "f", one.clone()), call(json!(1), "y", "g", two.clone()), ended.clone()],
            expected,
        );
        check_heard(&[call(Json::Null, "x", "f", one), call(Json::Null, "y", "g", two), ended], expected);
        let parts = [("x", "f", "{\"a\""), ("", "", ":1}")]
            .map(|(id, name, text)| call(json!(3), id, name, json!(text)));
        check_heard(&parts, " x:f{\"a\":1} false");
    }

    #[test]
    fn texts_may_come_in_pieces_of_a_list() {
        let pieces = json!([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]);
        check_heard(&[json!({"delta": {"content": pieces}, "finish_reason": "stop"})], "ab true");
        check_heard(&[json!({"delta": {"content": null, "refusal": "no"}})], "no false");
        check_heard(&[json!({"delta": {"reasoning_content": "hm", "content": ""}})], " false");
    }
}

//! Answers on the wire, in both protocols. In: an answer of a script; out: bytes on a connection, with the answer's faults. Invariant:
//! which protocol it is says the path of the request.

use std::io;
use std::net::TcpStream;

use serde_json::{Value as Json, json};

use super::Request;
use super::http;
use super::script::{Answer, Call};

/// How many characters of a text one chunk of a stream has.
const PART: usize = 7;

/// Answers a request. It calls the given function when the answer begins. An error means that the caller closed the
/// connection.
pub(super) fn speak(
    stream: &mut TcpStream,
    request: &Request,
    answer: &Answer,
    is_over: &dyn Fn() -> bool,
    begins: &dyn Fn(),
) -> io::Result<()> {
    if answer.hangs {
        let end = http::wait_for_end(stream, is_over);
        begins();
        return end;
    }
    std::thread::sleep(answer.wait);
    begins();
    let key = request.header("x-api-key").or_else(|| request.header("authorization")).unwrap_or_default();
    if let Some(status) = answer.status {
        let body = if answer.echoes { format!("{} {key}", answer.body) } else { answer.body.clone() };
        http::begin(stream, status, &answer.headers, "application/json")?;
        http::piece(stream, body.as_bytes(), answer.slow)?;
        return http::end(stream);
    }
    let mut answer = answer.clone();
    if answer.echoes {
        answer.text.push_str(key);
    }
    let is_anthropic = request.path.ends_with("/messages");
    if let Some(value) = answer.json.take() {
        match forced_tool(&request.body).filter(|_| is_anthropic) {
            Some(tool) => {
                answer.calls.push(Call { id: "toolu_answer".to_owned(), tool, arguments: value.to_string() });
            }
            None => answer.text.push_str(&value.to_string()),
        }
    }
    let is_stream = request.body.get("stream").and_then(Json::as_bool) == Some(true);
    if !is_stream || answer.is_whole {
        let whole = if is_anthropic { anthropic_whole(&answer) } else { openai_whole(&answer) };
        let text = if answer.malformed.is_some() { "{\"choices\": [".to_owned() } else { whole.to_string() };
        http::begin(stream, 200, &answer.headers, "application/json")?;
        let bytes = text.as_bytes();
        let length = if answer.cut.is_some() { bytes.len() / 2 } else { bytes.len() };
        http::piece(stream, bytes.get(..length).unwrap_or_default(), answer.slow)?;
        return if answer.cut.is_some() { Ok(()) } else { http::end(stream) };
    }
    let counts = request.body.pointer("/stream_options/include_usage").is_some();
    let events = if is_anthropic { anthropic_events(&answer) } else { openai_events(&answer, counts) };
    http::begin(stream, 200, &answer.headers, "text/event-stream; charset=utf-8")?;
    for (place, event) in events.iter().enumerate() {
        if answer.cut == Some(place) {
            return Ok(());
        }
        let event = if answer.malformed == Some(place) { "data: {\"choices\": [\n\n" } else { event };
        http::piece(stream, event.as_bytes(), answer.slow)?;
    }
    http::end(stream)
}

/// The tool that the model must call: the one that the request names, or the last one if any may be called.
fn forced_tool(body: &Json) -> Option<String> {
    let choice = body.get("tool_choice")?;
    let last = || body.get("tools")?.as_array()?.last()?.get("name");
    let name = choice.get("name").or_else(last)?;
    name.as_str().map(str::to_owned)
}

fn openai_events(answer: &Answer, counts: bool) -> Vec<String> {
    let event = |json: &Json| format!("data: {json}\n\n");
    let chunk = |delta: Json, finish: Json| {
        event(&json!({
            "id": "chatcmpl-1", "object": "chat.completion.chunk",
            "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]
        }))
    };
    let mut events = vec![chunk(json!({"role": "assistant", "content": ""}), Json::Null)];
    events.extend(parts(&answer.text).iter().map(|part| chunk(json!({"content": part}), Json::Null)));
    for (index, call) in answer.calls.iter().enumerate() {
        let begun = json!({"index": index, "id": call.id, "type": "function",
                           "function": {"name": call.tool, "arguments": ""}});
        events.push(chunk(json!({"tool_calls": [begun]}), Json::Null));
        events.extend(parts(&call.arguments).iter().map(|part| {
            let part = json!({"index": index, "function": {"arguments": part}});
            chunk(json!({"tool_calls": [part]}), Json::Null)
        }));
    }
    if let Some(error) = &answer.error_event {
        events.push(event(&json!({"error": error})));
        return events;
    }
    events.push(chunk(json!({}), json!(openai_reason(answer))));
    if counts {
        events.push(event(&json!({"choices": [], "usage": openai_usage(answer)})));
    }
    events.push("data: [DONE]\n\n".to_owned());
    events
}

fn openai_whole(answer: &Answer) -> Json {
    let calls = answer.calls.iter().map(|call| {
        json!({"id": call.id, "type": "function", "function": {"name": call.tool, "arguments": call.arguments}})
    });
    let mut message = json!({"role": "assistant", "content": answer.text});
    let calls: Vec<Json> = calls.collect();
    if let (Json::Object(message), false) = (&mut message, calls.is_empty()) {
        message.insert("tool_calls".to_owned(), Json::Array(calls));
    }
    let choice = json!({"index": 0, "message": message, "finish_reason": openai_reason(answer)});
    json!({"id": "chatcmpl-1", "object": "chat.completion", "choices": [choice], "usage": openai_usage(answer)})
}

fn openai_usage(answer: &Answer) -> Json {
    let (read, written) = answer.usage;
    let mut usage =
        json!({"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written});
    if answer.cached.0 > 0 {
        usage["prompt_tokens_details"] = json!({"cached_tokens": answer.cached.0});
    }
    usage
}

fn anthropic_events(answer: &Answer) -> Vec<String> {
    let event = |json: Json| {
        let name = json.get("type").and_then(Json::as_str).unwrap_or_default();
        format!("event: {name}\ndata: {json}\n\n")
    };
    let (_, written) = answer.usage;
    let usage = anthropic_usage(answer, written.min(1));
    let message = json!({"id": "msg_1", "role": "assistant", "content": [], "usage": usage});
    let mut events =
        vec![event(json!({"type": "message_start", "message": message})), event(json!({"type": "ping"}))];
    let delta = |index: usize, delta: Json| {
        event(json!({"type": "content_block_delta", "index": index, "delta": delta}))
    };
    let mut index = 0;
    if !answer.text.is_empty() {
        let block = json!({"type": "text", "text": ""});
        events.push(event(json!({"type": "content_block_start", "index": index, "content_block": block})));
        let texts = parts(&answer.text);
        events.extend(texts.iter().map(|part| delta(index, json!({"type": "text_delta", "text": part}))));
        events.push(event(json!({"type": "content_block_stop", "index": index})));
        index += 1;
    }
    for call in &answer.calls {
        let block = json!({"type": "tool_use", "id": call.id, "name": call.tool, "input": {}});
        events.push(event(json!({"type": "content_block_start", "index": index, "content_block": block})));
        let texts = parts(&call.arguments);
        let part = |part: &String| delta(index, json!({"type": "input_json_delta", "partial_json": part}));
        events.extend(texts.iter().map(part));
        events.push(event(json!({"type": "content_block_stop", "index": index})));
        index += 1;
    }
    if let Some(error) = &answer.error_event {
        events.push(event(json!({"type": "error", "error": error})));
        return events;
    }
    let usage = json!({"output_tokens": written});
    events.push(event(
        json!({"type": "message_delta", "delta": {"stop_reason": anthropic_reason(answer)}, "usage": usage}),
    ));
    events.push(event(json!({"type": "message_stop"})));
    events
}

fn anthropic_whole(answer: &Answer) -> Json {
    let calls = answer.calls.iter().map(|call| {
        let input: Json = serde_json::from_str(&call.arguments).unwrap_or_default();
        json!({"type": "tool_use", "id": call.id, "name": call.tool, "input": input})
    });
    let text = Some(&answer.text).filter(|text| !text.is_empty());
    let text = text.map(|text| json!({"type": "text", "text": text}));
    let content: Vec<Json> = text.into_iter().chain(calls).collect();
    json!({"id": "msg_1", "type": "message", "role": "assistant", "content": content, "stop_reason": anthropic_reason(answer),
           "usage": anthropic_usage(answer, answer.usage.1)})
}

/// In this protocol, tokens that are read from the cache and written to it are not a part of the other numbers.
fn anthropic_usage(answer: &Answer, written: u64) -> Json {
    let mut usage = json!({"input_tokens": answer.usage.0, "output_tokens": written});
    if answer.cached != (0, 0) {
        usage["cache_read_input_tokens"] = answer.cached.0.into();
        usage["cache_creation_input_tokens"] = answer.cached.1.into();
    }
    usage
}

fn openai_reason(answer: &Answer) -> &'static str {
    match (answer.is_cut_short, answer.calls.is_empty()) {
        (true, _) => "length",
        (false, true) => "stop",
        (false, false) => "tool_calls",
    }
}

fn anthropic_reason(answer: &Answer) -> &'static str {
    match (answer.is_cut_short, answer.calls.is_empty()) {
        (true, _) => "max_tokens",
        (false, true) => "end_turn",
        (false, false) => "tool_use",
    }
}

fn parts(text: &str) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    characters.chunks(PART).map(|part| part.iter().collect()).collect()
}

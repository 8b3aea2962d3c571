//! What a server says. In: a script, a request; out: the answer to it. Invariant: an answer is given as often as it says.

use std::time::Duration;

use serde_json::{Value as Json, json};

use super::Request;

/// The answers that are not used yet.
#[derive(Debug)]
pub(super) struct Script {
    answers: Vec<(Answer, Option<u64>)>,
    refuses: Vec<String>,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Answer {
    when: String,
    pub(super) text: String,
    pub(super) json: Option<Json>,
    pub(super) calls: Vec<Call>,
    /// How many tokens were read and written.
    pub(super) usage: (u64, u64),
    /// How many tokens were read from a cache and written to it.
    pub(super) cached: (u64, u64),
    pub(super) status: Option<u16>,
    pub(super) body: String,
    pub(super) headers: Vec<(String, String)>,
    pub(super) wait: Duration,
    pub(super) slow: Option<Duration>,
    pub(super) cut: Option<usize>,
    pub(super) malformed: Option<usize>,
    pub(super) error_event: Option<Json>,
    pub(super) is_whole: bool,
    pub(super) is_cut_short: bool,
    pub(super) hangs: bool,
    pub(super) echoes: bool,
}

/// A call of a tool.
#[derive(Debug, Clone)]
pub(super) struct Call {
    pub(super) id: String,
    pub(super) tool: String,
    pub(super) arguments: String,
}

const KEYS: [&str; 20] = [
    "when",
    "times",
    "text",
    "json",
    "calls",
    "usage",
    "status",
    "body",
    "headers",
    "wait_ms",
    "slow_ms",
    "cut",
    "cached",
    "malformed",
    "error_event",
    "whole",
    "hangs",
    "echo",
    "note",
    "limit",
];

impl Script {
    pub(super) fn read(script: Json) -> Result<Script, String> {
        let (answers, refuses) = match script {
            Json::Array(answers) => (answers, Json::Null),
            mut script => match script.get_mut("answers").map(Json::take) {
                Some(Json::Array(answers)) => {
                    (answers, script.get_mut("refuses").map(Json::take).unwrap_or_default())
                }
                _ => return Err("a script is a list of answers, or a mapping with `answers`".to_owned()),
            },
        };
        let answers = answers.iter().map(|answer| Ok((Answer::read(answer)?, times(answer))));
        let refuses = refuses.as_array().cloned().unwrap_or_default();
        Ok(Script {
            answers: answers.collect::<Result<_, String>>()?,
            refuses: refuses.iter().filter_map(Json::as_str).map(str::to_owned).collect(),
        })
    }

    /// The answer to a request.
    pub(super) fn answer(&mut self, request: &Request) -> Answer {
        let body = request.body.to_string();
        if let Some(part) = self.refuses.iter().find(|part| has_part(&request.body, part)) {
            let message =
                format!("Unsupported parameter: '{part}' is not supported with this model.{}", hint(part));
            return Answer::error(400, &message, "invalid_request_error");
        }
        let place =
            self.answers.iter().position(|(answer, left)| *left != Some(0) && body.contains(&answer.when));
        let Some((answer, left)) = place.and_then(|place| self.answers.get_mut(place)) else {
            return Answer::error(500, "the script has no answer left", "script_exhausted");
        };
        *left = left.map(|left| left - 1);
        answer.clone()
    }
}

impl Answer {
    fn read(answer: &Json) -> Result<Answer, String> {
        let unknown = answer.as_object().into_iter().flatten().find(|(key, _)| !KEYS.contains(&key.as_str()));
        if let Some((key, _)) = unknown {
            return Err(format!("an answer of a script has no `{key}`"));
        }
        let number = |key: &str| answer.get(key).and_then(Json::as_u64);
        let text = |key: &str| answer.get(key).and_then(Json::as_str).unwrap_or_default().to_owned();
        let is_set = |key: &str| answer.get(key).and_then(Json::as_bool).unwrap_or(false);
        let usage =
            |place: usize| answer.get("usage").and_then(|usage| usage.get(place)?.as_u64()).unwrap_or(0);
        let cached =
            |place: usize| answer.get("cached").and_then(|cached| cached.get(place)?.as_u64()).unwrap_or(0);
        let calls = answer.get("calls").and_then(Json::as_array);
        let headers = answer.get("headers").and_then(Json::as_object);
        Ok(Answer {
            when: quoted(&text("when")),
            text: text("text"),
            json: answer.get("json").cloned(),
            calls: calls
                .into_iter()
                .flatten()
                .enumerate()
                .map(|(place, call)| Call::read(call, place))
                .collect(),
            usage: (usage(0), usage(1)),
            cached: (cached(0), cached(1)),
            status: number("status").and_then(|status| u16::try_from(status).ok()),
            body: match answer.get("body") {
                Some(Json::String(body)) => body.clone(),
                Some(body) => body.to_string(),
                None => String::new(),
            },
            headers: headers
                .into_iter()
                .flatten()
                .map(|(name, value)| {
                    (name.clone(), value.as_str().map_or_else(|| value.to_string(), str::to_owned))
                })
                .collect(),
            wait: Duration::from_millis(number("wait_ms").unwrap_or(0)),
            slow: number("slow_ms").map(Duration::from_millis),
            cut: number("cut").map(|count| count as usize),
            malformed: number("malformed").map(|place| place as usize),
            error_event: answer.get("error_event").cloned(),
            is_whole: is_set("whole"),
            is_cut_short: is_set("limit"),
            hangs: is_set("hangs"),
            echoes: is_set("echo"),
        })
    }

    fn error(status: u16, message: &str, kind: &str) -> Answer {
        let body = json!({"type": "error", "error": {"message": message, "type": kind}});
        Answer { status: Some(status), body: body.to_string(), ..Answer::default() }
    }
}

impl Call {
    fn read(call: &Json, place: usize) -> Call {
        let text = |key: &str| call.get(key).and_then(Json::as_str).map(str::to_owned);
        let arguments = || call.get("arguments").map_or_else(|| "{}".to_owned(), Json::to_string);
        Call {
            id: text("id").unwrap_or_else(|| format!("call_{}", place + 1)),
            tool: text("tool").unwrap_or_default(),
            arguments: text("arguments_text").unwrap_or_else(arguments),
        }
    }
}

fn times(answer: &Json) -> Option<u64> {
    match answer.get("times").and_then(Json::as_u64) {
        Some(0) => None,
        times => Some(times.unwrap_or(1)),
    }
}

/// A text as a JSON string.
fn quoted(text: &str) -> String {
    let quoted = Json::from(text).to_string();
    quoted.get(1..quoted.len() - 1).unwrap_or_default().to_owned()
}

fn has_part(body: &Json, part: &str) -> bool {
    let at = |pointer: &str| body.pointer(pointer).and_then(Json::as_str);
    match part {
        "json_schema" | "json_object" => at("/response_format/type") == Some(part),
        "tool_choice" => matches!(at("/tool_choice/type"), Some("tool" | "any")),
        "cache_control" => body.to_string().contains(part),
        part => body.get(part).is_some(),
    }
}

fn hint(part: &str) -> &'static str {
    match part {
        "max_tokens" => " Use 'max_completion_tokens' instead.",
        "json_schema" | "json_object" => " See response_format.",
        _ => "",
    }
}

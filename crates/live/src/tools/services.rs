//! What a Python function that is a service returns, as an answer of the sort that the question wants.
//!
//! Input: a value as JSON; output: an answer. Invariant: a value of another shape is a lasting failure that says which is wanted.

use nodewise_engine::ask::{Answer, RemoteReply, Reply, SessionEvent, Verdict};
use nodewise_engine::outcome::Failure;
use nodewise_engine::time::Millis;
use nodewise_expr::json::from_json;
use nodewise_expr::value::Value;
use nodewise_project::config::live::Service;
use serde::Deserialize;
use serde_json::Value as Json;
use smol_str::SmolStr;

/// The name of a service in the configuration.
pub(super) fn word(service: Service) -> &'static str {
    match service {
        Service::Extension => "extension",
        Service::Guardrail => "guardrail",
        Service::Discovery => "discovery",
        Service::Recall => "recall",
        Service::Remember => "remember",
        Service::Remote => "remote",
        Service::Fitness => "fitness",
        Service::Session => "session",
    }
}

/// Reads the returned value as the sort of answer that the service gives.
pub(super) fn answer(service: Service, function: &str, value: Json) -> Answer {
    let reply = match service {
        Service::Guardrail => {
            verdict(value).ok_or("a boolean, or a mapping with `passed` and optionally `results`")
        }
        Service::Remote => {
            remote(value).ok_or("a text, or a mapping with `state`, `task`, `artifacts` and `message`")
        }
        Service::Session => {
            session(value).ok_or("a list of mappings with `name`, and optionally `after` and `data`")
        }
        Service::Fitness if !value.is_number() => Err("a number"),
        _ => Ok(Reply::Value(from_json(value))),
    };
    match reply {
        Ok(reply) => Answer::now(reply),
        Err(wanted) => Answer::failed(Failure::lasting(
            "TypeError",
            format!("`{function}` answers for the service `{}` and must return {wanted}", word(service)),
        )),
    }
}

#[derive(Deserialize)]
struct WrittenVerdict {
    passed: bool,
    results: Option<Json>,
}

#[derive(Deserialize)]
struct WrittenRemote {
    task: Option<String>,
    state: Option<String>,
    #[serde(default)]
    artifacts: serde_json::Map<String, Json>,
    message: Option<String>,
}

#[derive(Deserialize)]
struct WrittenEvent {
    name: String,
    #[serde(default)]
    after: f64,
    #[serde(default)]
    data: Json,
}

fn verdict(value: Json) -> Option<Reply> {
    let written = match value {
        Json::Bool(passed) => WrittenVerdict { passed, results: None },
        value => serde_json::from_value(value).ok()?,
    };
    let results = written.results.map_or(Value::List([].into()), from_json);
    Some(Reply::Verdict(Verdict { passed: written.passed, results }))
}

fn remote(value: Json) -> Option<Reply> {
    let written = match value {
        Json::String(message) => WrittenRemote {
            task: None,
            state: None,
            artifacts: serde_json::Map::new(),
            message: Some(message),
        },
        value => serde_json::from_value(value).ok()?,
    };
    let artifacts = written.artifacts.into_iter();
    Some(Reply::Remote(RemoteReply {
        task: written.task.map_or_else(|| SmolStr::new_static("task-1"), SmolStr::from),
        state: written.state.map_or_else(|| SmolStr::new_static("completed"), SmolStr::from),
        artifacts: artifacts.map(|(name, content)| (name.into(), from_json(content))).collect(),
        message: written.message.map(SmolStr::from),
    }))
}

fn session(value: Json) -> Option<Reply> {
    let written: Vec<WrittenEvent> = serde_json::from_value(value).ok()?;
    let events = written.into_iter().map(|event| SessionEvent {
        name: event.name.into(),
        after: Millis::from_f64(event.after),
        data: from_json(event.data),
    });
    Some(Reply::Session(events.collect()))
}

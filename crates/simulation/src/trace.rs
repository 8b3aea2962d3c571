//! A trace read back: what is needed to replay the run that it recorded.
//!
//! Input: JSON as [`crate::render::json`] writes it, or a log; output: its answers and decisions. Invariant: with them and the same
//! declarations the run has the same log again; text that is not such a trace is reported, never guessed at.

mod question;

use std::collections::BTreeMap;

use nodewise_engine::ask::{
    Answer, CallRetry, Decision, ModelReply, RemoteReply, Reply, SessionEvent, ToolCall, Verdict,
};
use nodewise_engine::event::{AskId, Event, EventKind};
use nodewise_engine::outcome::Failure;
use nodewise_engine::provider::Provider;
use nodewise_engine::replay::Recorded;
use nodewise_engine::time::Millis;
use nodewise_engine::usage::Usage;
use nodewise_expr::json::from_json;
use nodewise_expr::value::{Map, Value};
use serde_json::{Value as Json, json};
use smol_str::SmolStr;

pub use self::question::question;
use crate::render::json::{self, VERSION};
use crate::target::TargetError;

/// What a replay needs to know of a run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Replay {
    /// The seed of its randomness.
    pub seed: u64,
    /// The answers, by their questions. Each says how long it took.
    pub answers: BTreeMap<AskId, Answer>,
    /// The decisions, in order.
    pub decisions: Vec<Decision>,
}

impl Replay {
    /// Takes the answers and decisions from a log, or from its beginning. A run with these comes to the same point again.
    #[must_use]
    pub fn of(seed: u64, log: &[Event]) -> Replay {
        let mut replay = Replay { seed, ..Replay::default() };
        let mut asked: BTreeMap<AskId, Millis> = BTreeMap::new();
        for event in log {
            match &event.kind {
                EventKind::Asked { ask, .. } => {
                    asked.insert(*ask, event.at);
                }
                EventKind::Answered { ask, answer } => {
                    let after = event.at - asked.get(ask).copied().unwrap_or(event.at);
                    replay.answers.insert(*ask, Answer { after, ..Answer::clone(answer) });
                }
                EventKind::Resumed { decision } => replay.decisions.push(Decision::clone(decision)),
                _ => {}
            }
        }
        replay
    }

    /// Adds another answer or decision in the place of `event`, which follows `log`.
    ///
    /// # Errors
    /// If the event is neither, or if `other` cannot be read.
    pub fn otherwise(mut self, log: &[Event], event: &Event, other: &Json) -> Result<Replay, TargetError> {
        let unreadable = || TargetError::new("the answer does not have the format of a trace".to_owned());
        match &event.kind {
            EventKind::Answered { ask, answer: recorded } => {
                let asked = log.iter().rev().find(
                    |event| matches!(&event.kind, EventKind::Asked { ask: number, .. } if number == ask),
                );
                let after = event.at - asked.map_or(event.at, |asked| asked.at);
                let mut other = other.clone();
                if let Some(members) = other.as_object_mut() {
                    members.entry("after").or_insert_with(|| after.0.into());
                }
                let given = answer(&other).ok_or_else(unreadable)?;
                let usage = if other.get("usage").is_some() { given.usage } else { recorded.usage };
                self.answers.insert(*ask, Answer { usage, ..given });
                Ok(self)
            }
            EventKind::Resumed { .. } => {
                self.decisions.push(decision(other).ok_or_else(unreadable)?);
                Ok(self)
            }
            _ => Err(TargetError::new("the event is neither an answer nor a decision".to_owned())),
        }
    }

    /// Reads a trace.
    ///
    /// # Errors
    /// If the text is not a trace of this version.
    pub fn read(text: &str) -> Result<Replay, TargetError> {
        let json: Json = serde_json::from_str(text)
            .map_err(|error| TargetError::new(format!("the trace is not valid JSON: {error}")))?;
        let version = json.get("version").and_then(Json::as_u64);
        if version != Some(u64::from(VERSION)) {
            return Err(TargetError::new(format!("the trace does not have version {VERSION}")));
        }
        let seed = json.get("seed").and_then(Json::as_u64).unwrap_or(0);
        let events = json.get("events").and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default();
        Replay::of_events(seed, events)
    }

    /// Reads the events of a trace, or its first ones.
    ///
    /// # Errors
    /// If an event does not have the format of a trace.
    pub fn of_events(seed: u64, events: &[Json]) -> Result<Replay, TargetError> {
        let mut replay = Replay { seed, ..Replay::default() };
        let mut asked: BTreeMap<AskId, Millis> = BTreeMap::new();
        for (position, event) in events.iter().enumerate() {
            let broken = || TargetError::new(format!("event {position} of the trace cannot be read"));
            let at = Millis(event.get("at").and_then(Json::as_u64).ok_or_else(broken)?);
            match event.get("event").and_then(Json::as_str).ok_or_else(broken)? {
                "asked" => {
                    asked.insert(ask_of(event).ok_or_else(broken)?, at);
                }
                "answered" => {
                    let ask = ask_of(event).ok_or_else(broken)?;
                    let answer = event.get("answer").and_then(answer).ok_or_else(broken)?;
                    let after = at - asked.get(&ask).copied().unwrap_or(at);
                    replay.answers.insert(ask, Answer { after, ..answer });
                }
                "resumed" => {
                    replay.decisions.push(event.get("decision").and_then(decision).ok_or_else(broken)?);
                }
                _ => {}
            }
        }
        Ok(replay)
    }

    /// The answers and decisions as events of a trace, from which [`Replay::of_events`] reads them again.
    #[must_use]
    pub fn events(&self) -> Vec<Json> {
        let answers = self.answers.iter().flat_map(|(ask, answer)| {
            let asked = json!({"at": 0, "event": "asked", "ask": ask.0});
            [asked, json!({"at": answer.after.0, "event": "answered", "ask": ask.0, "answer": json::answer(answer)})]
        });
        let decisions = self.decisions.iter();
        let decisions =
            decisions.map(|one| json!({"at": 0, "event": "resumed", "decision": json::decision(one)}));
        answers.chain(decisions).collect()
    }

    /// A provider that gives the recorded answers, and asks `otherwise` for all others.
    pub fn provider<P: Provider>(self, otherwise: P) -> Recorded<P> {
        Recorded::of(self.answers, self.decisions, otherwise)
    }
}

/// The answer as it is after writing it to a trace and reading it again. Runs get this form, so that a replay gets exactly
/// the same.
#[must_use]
pub fn as_recorded(given: Answer) -> Answer {
    answer(&json::answer(&given)).unwrap_or(given)
}

/// The same for a decision.
#[must_use]
pub fn decision_as_recorded(given: Decision) -> Decision {
    decision(&json::decision(&given)).unwrap_or(given)
}

fn ask_of(event: &Json) -> Option<AskId> {
    Some(AskId(u32::try_from(event.get("ask")?.as_u64()?).ok()?))
}

/// Reads an answer. `None` if the JSON is not an answer.
#[must_use]
pub fn answer(json: &Json) -> Option<Answer> {
    let usage = json.get("usage").map(usage).unwrap_or_default();
    let result = match json.get("failure") {
        Some(cause) => Err(failure(cause)?),
        None => Ok(reply(json.get("reply")?)?),
    };
    let after = Millis(json.get("after")?.as_u64()?);
    let retries = json.get("retries").and_then(Json::as_array).into_iter().flatten();
    let retries = retries.map(retry).collect::<Option<_>>()?;
    Some(Answer {
        after,
        usage,
        result,
        aside: json.get("aside").map(value),
        retries,
        fallback: text(json, "fallback"),
        pinned: text(json, "pinned"),
    })
}

/// Reads an answer that may say no time. It then takes no time.
#[must_use]
pub fn answer_at_once(mut json: Json) -> Option<Answer> {
    if let Some(members) = json.as_object_mut() {
        members.entry("after").or_insert_with(|| 0.into());
    }
    answer(&json)
}

fn retry(json: &Json) -> Option<CallRetry> {
    Some(CallRetry { wait: Millis(json.get("wait")?.as_u64()?), reason: text(json, "reason")? })
}

fn usage(json: &Json) -> Usage {
    let amount = |key: &str| json.get(key).and_then(Json::as_f64).unwrap_or(0.0);
    Usage {
        input_tokens: amount("input_tokens"),
        cached_tokens: amount("cached_tokens"),
        cache_write_tokens: amount("cache_write_tokens"),
        output_tokens: amount("output_tokens"),
        cost_usd: amount("cost_usd"),
    }
}

fn failure(json: &Json) -> Option<Failure> {
    Some(Failure {
        class: text(json, "class")?,
        message: text(json, "message")?,
        retryable: json.get("retryable")?.as_bool()?,
        cause: text(json, "cause"),
    })
}

fn reply(json: &Json) -> Option<Reply> {
    Some(match json.get("of")?.as_str()? {
        "model" => Reply::Model(ModelReply {
            text: text(json, "text")?,
            value: json.get("value").map(value),
            calls: json.get("calls")?.as_array()?.iter().map(call).collect::<Option<_>>()?,
        }),
        "value" => Reply::Value(json.get("value").map_or(Value::Undefined, value)),
        "decision" => Reply::Decision(decision(json.get("decision")?)?),
        "verdict" => Reply::Verdict(Verdict {
            passed: json.get("passed")?.as_bool()?,
            results: value(json.get("results")?),
        }),
        "remote" => Reply::Remote(RemoteReply {
            task: text(json, "task")?,
            state: text(json, "state")?,
            artifacts: json.get("artifacts")?.as_array()?.iter().map(artifact).collect::<Option<_>>()?,
            message: text(json, "message"),
        }),
        "session" => {
            Reply::Session(json.get("events")?.as_array()?.iter().map(session_event).collect::<Option<_>>()?)
        }
        _ => return None,
    })
}

fn call(json: &Json) -> Option<ToolCall> {
    Some(ToolCall {
        id: text(json, "id")?,
        tool: text(json, "tool")?,
        arguments: value(json.get("arguments")?),
    })
}

fn artifact(json: &Json) -> Option<(SmolStr, Value)> {
    Some((json.get(0)?.as_str()?.into(), value(json.get(1)?)))
}

fn session_event(json: &Json) -> Option<SessionEvent> {
    let after = Millis(json.get("after")?.as_u64()?);
    Some(SessionEvent { name: text(json, "name")?, after, data: value(json.get("data")?) })
}

/// Reads a decision. `None` if the JSON is not a decision.
#[must_use]
pub fn decision(json: &Json) -> Option<Decision> {
    let updates = match json.get("updates").map(value) {
        Some(Value::Map(updates)) => updates.as_ref().clone(),
        _ => Map::new(),
    };
    let after = Millis(json.get("after").map_or(Some(0), Json::as_u64)?);
    Some(Decision { word: text(json, "word")?, data: json.get("data").map(value), updates, after })
}

fn text(json: &Json, key: &str) -> Option<SmolStr> {
    json.get(key)?.as_str().map(SmolStr::new)
}

fn value(json: &Json) -> Value {
    from_json(json.clone())
}

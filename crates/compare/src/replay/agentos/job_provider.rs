//! The answers of a job's script.
//!
//! Input is the script of a job, by node. Output is answers. Invariant: if a node has several steps, each attempt uses
//! the next one, and later attempts repeat the last one. Nodes without a script succeed.

use nodewise_engine::ask::{
    Answer, Ask, Decision, ModelQuestion, ModelReply, Question, Reply, Role, SessionEvent, ToolCall, Verdict,
};
use nodewise_engine::event::AskId;
use nodewise_engine::outcome::Failure;
use nodewise_engine::provider::Provider;
use nodewise_engine::systems::agentos::THROWN;
use nodewise_engine::time::Millis;
use nodewise_expr::json::from_json;
use nodewise_expr::value::{Map, Value as Plain};
use serde_json::{Value, json};
use smol_str::SmolStr;

/// The answers for one run.
#[derive(Clone)]
pub(super) struct JobProvider<'j> {
    job: &'j Value,
    script: &'j Value,
    main: String,
}

/// The error if there is no voice session.
const NO_SESSION: &str = "Voice node requires voiceTransport in state.scratch";

/// The steps of a node in a script.
pub(super) fn steps(written: &Value) -> Vec<&Value> {
    match written {
        Value::Null => Vec::new(),
        Value::Array(steps) => steps.iter().collect(),
        step => vec![step],
    }
}

/// The duration of a wait in milliseconds. No wait takes no time, every other wait takes at least one millisecond.
pub(super) fn wait(written: &Value) -> Millis {
    match written.as_f64() {
        None | Some(0.0) => Millis::ZERO,
        Some(wait) => Millis::from_f64(wait).max(Millis(1)),
    }
}

impl<'j> JobProvider<'j> {
    pub(super) fn new(job: &'j Value, script: &'j Value, main: &str) -> JobProvider<'j> {
        JobProvider { job, script, main: main.to_owned() }
    }

    pub(super) fn main(&self) -> &str {
        &self.main
    }

    fn step(&self, ask: &Ask) -> Value {
        let script = if ask.graph == self.main {
            self.script
        } else {
            &self.job["subgraphScript"][ask.graph.as_str()]
        };
        let steps = steps(&script[ask.node.as_str()]);
        let attempt = usize::try_from(ask.attempt).unwrap_or(usize::MAX).min(steps.len());
        let step = attempt.checked_sub(1).and_then(|place| steps.get(place));
        step.map_or_else(|| json!({"success": true}), |step| (*step).clone())
    }
}

impl Provider for JobProvider<'_> {
    fn answer(&mut self, _: AskId, ask: &Ask) -> Answer {
        let step = self.step(ask);
        let answer = match &ask.what {
            Question::Tool(tool) => match &tool.call {
                Some(call) => return of_call(&step, call, &tool.tool),
                None => of_tool(&step, json!({"tool": tool.tool.as_str(), "node": ask.node.as_str()})),
            },
            Question::Extension(_) => of_extension(&step, json!({format!("{}_done", ask.node): true})),
            Question::Model(model) => of_model(&step, model, &ask.node),
            Question::Guardrail(guardrail) => of_guardrails(&step, &guardrail.guardrails),
            Question::Discovery(discovery) => {
                return of_search(&self.job["discovery"][discovery.query.as_str()]);
            }
            Question::Session(session) => return of_session(&step, &session.mode),
            _ => return Answer::failed(Failure::lasting(THROWN, "the job says nothing of it")),
        };
        let answer = match step["throw"].as_str() {
            Some(message) => Answer::failed(Failure::new(THROWN, message)),
            None => answer,
        };
        Answer { after: wait(&step["delayMs"]), ..answer }
    }

    fn decide(&mut self, _: &Plain) -> Option<Decision> {
        None
    }
}

fn has(step: &Value, key: &str) -> bool {
    step.get(key).is_some()
}

fn of_tool(step: &Value, otherwise: Value) -> Answer {
    let success = match (step.get("success"), step.get("isError")) {
        (Some(success), _) if !success.is_null() => *success == json!(true),
        (_, Some(is_error)) => *is_error != json!(true),
        _ => !has(step, "error"),
    };
    let otherwise = (!has(step, "error")).then_some(otherwise);
    service(step, success, otherwise)
}

fn of_extension(step: &Value, otherwise: Value) -> Answer {
    let success = match step.get("success") {
        Some(success) if !success.is_null() => *success == json!(true),
        _ => !has(step, "error"),
    };
    service(step, success, Some(otherwise))
}

/// A result of a service: its output, and whether it succeeded.
fn service(step: &Value, success: bool, otherwise: Option<Value>) -> Answer {
    let output = step.get("output").cloned().or(otherwise);
    let mut aside = Map::new();
    aside.insert("success", Plain::Bool(success));
    if let Some(error) = step.get("error").filter(|error| !error.is_null()) {
        aside.insert("error", from_json(error.clone()));
    }
    let output = output.map_or(Plain::Undefined, from_json);
    Answer { aside: Some(aside.into()), ..Answer::value(output) }
}

fn of_model(step: &Value, model: &ModelQuestion, node: &str) -> Answer {
    if let Some(error) = step.get("error") {
        return Answer::failed(Failure::new(THROWN, text(error)));
    }
    let number = 1 + model.prompt.iter().filter(|message| message.role == Role::Model).count();
    let round =
        step["rounds"].as_array().and_then(|rounds| rounds.get(number.min(rounds.len()).checked_sub(1)?));
    let said = match round {
        Some(round) => round["text"].as_str().unwrap_or_default().to_owned(),
        None => match (step["text"].as_str(), step["output"].as_str()) {
            (Some(text), _) | (None, Some(text)) => text.to_owned(),
            _ => format!("text of {node}"),
        },
    };
    let tools = round.and_then(|round| round["tools"].as_array()).into_iter().flatten();
    let calls = tools.enumerate().map(|(position, tool)| ToolCall {
        id: format!("{number}:{position}").into(),
        tool: tool["name"].as_str().unwrap_or_default().into(),
        arguments: Map::new().into(),
    });
    Answer::now(Reply::Model(ModelReply { text: said.into(), value: None, calls: calls.collect() }))
}

/// The result of a tool call in a round. The id of the call identifies the round.
fn of_call(step: &Value, call: &str, name: &str) -> Answer {
    let number: usize = call.split(':').next().and_then(|number| number.parse().ok()).unwrap_or(1);
    let rounds = step["rounds"].as_array().map(Vec::as_slice).unwrap_or_default();
    let round = number.min(rounds.len()).checked_sub(1).and_then(|place| rounds.get(place));
    let mut tools = round.and_then(|round| round["tools"].as_array()).into_iter().flatten();
    let tool = tools.find(|tool| tool["name"] == name).cloned().unwrap_or_default();
    match tool.get("error") {
        Some(error) => Answer::failed(Failure::new("ToolError", text(error))),
        None => {
            Answer::value(tool.get("output").map_or(Plain::Undefined, |output| from_json(output.clone())))
        }
    }
}

fn of_guardrails(step: &Value, guardrails: &[SmolStr]) -> Answer {
    let passed =
        step.get("passed").filter(|passed| !passed.is_null()).is_none_or(|passed| *passed == json!(true));
    let results = match &step["results"] {
        Value::Null => {
            let each = |name: &SmolStr| json!({"guardrailId": name.as_str(), "passed": passed});
            guardrails.iter().map(each).collect()
        }
        results => results.clone(),
    };
    Answer::now(Reply::Verdict(Verdict { passed, results: from_json(results) }))
}

fn of_search(results: &Value) -> Answer {
    match results["throw"].as_str() {
        Some(message) => Answer::failed(Failure::new(THROWN, message)),
        None if results.is_null() => Answer::value(Plain::List([].into())),
        None => Answer::value(from_json(results.clone())),
    }
}

fn of_session(step: &Value, mode: &str) -> Answer {
    let Some(events) = step["session"].as_array() else {
        return Answer::failed(Failure::new("NoSession", NO_SESSION));
    };
    if mode == "speak-only" {
        return Answer::now(Reply::Session(Vec::new()));
    }
    // The oracle waits for one millisecond before it plays the session.
    let opening = SessionEvent { name: SmolStr::default(), after: Millis(1), data: Plain::Undefined };
    let events = events.iter().map(|event| SessionEvent {
        name: event["event"].as_str().unwrap_or_default().into(),
        after: wait(&event["afterMs"]),
        data: from_json(event.clone()),
    });
    Answer::now(Reply::Session(std::iter::once(opening).chain(events).collect()))
}

/// The text of an error in an exception.
fn text(error: &Value) -> String {
    error.as_str().map_or_else(|| error.to_string(), str::to_owned)
}

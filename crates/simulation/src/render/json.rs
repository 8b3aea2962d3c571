//! A run as JSON: the versioned trace. It holds the log completely, so that the run can be replayed from it, and what is
//! needed to show the run without the project: the graphs with their places, why edges were followed.
//!
//! Input: a recording; output: JSON. Invariant: equal recordings give equal bytes; what is read back with
//! [`crate::trace`] is the log.

use std::sync::Arc;

use nodewise_engine::ask::{Answer, Ask, CallRetry, Decision, Message, Question, Reply, Role, ToolCall};
use nodewise_engine::event::{Event, EventKind, VisitId};
use nodewise_engine::fold::States;
use nodewise_engine::outcome::{Failure, Outcome, Status};
use nodewise_engine::time::Millis;
use nodewise_engine::usage::Usage;
use nodewise_expr::json::{number_to_json, to_json, to_json_with_marks};
use nodewise_expr::value::{Map, Value};
use serde_json::{Value as Json, json};
use smol_str::SmolStr;

use crate::chart::{Chart, ChartEdge, Charts, SourceLocation};
use crate::explain::{Explanation, explain};
use crate::recording::{LogIndex, Recording, now};
use crate::system::{ConditionContext, RunnableSystem};

/// The version of the format. It grows with changes that readers must know of.
pub const VERSION: u32 = 1;

#[must_use]
pub fn trace(recording: &Recording) -> Json {
    let mut writer = EventWriter::new(
        recording.system,
        Arc::clone(&recording.charts),
        recording.beside.clone(),
        recording.clock,
    );
    let events: Vec<Json> = recording.events.iter().map(|event| writer.event(event)).collect();
    let mut trace = json!({
        "version": VERSION,
        "system": recording.system.dialect().id,
        "title": recording.title,
        "seed": recording.seed,
        "outcome": outcome(&recording.outcome),
        "time": recording.time.0,
        "spent": usage(&recording.spent),
    });
    put(&mut trace, "place", recording.failure_place().as_ref().map(place));
    put(&mut trace, "notes", (!recording.notes.is_empty()).then(|| json!(recording.notes)));
    put(&mut trace, "graphs", Some(recording.charts.iter().map(chart).collect()));
    put(&mut trace, "events", Some(Json::Array(events)));
    trace
}

/// The beginning of a run's trace, before any event: what it is about, and its graphs.
#[must_use]
pub fn beginning(system: RunnableSystem, title: &str, seed: u64, charts: &Charts) -> Json {
    json!({
        "version": VERSION,
        "system": system.dialect().id,
        "title": title,
        "seed": seed,
        "graphs": charts.iter().map(chart).collect::<Vec<_>>(),
    })
}

/// The trace as text, an event a line.
#[must_use]
pub fn trace_text(recording: &Recording) -> String {
    let trace = trace(recording);
    let mut text = String::from("{\n");
    let members = trace.as_object().into_iter().flatten();
    for (position, (key, value)) in members.enumerate() {
        if position > 0 {
            text.push_str(",\n");
        }
        text.push_str(&format!("  {}: ", Json::from(key.as_str())));
        match value {
            Json::Array(items) if !items.is_empty() => {
                let lines: Vec<String> = items.iter().map(|item| format!("    {item}")).collect();
                text.push_str(&format!("[\n{}\n  ]", lines.join(",\n")));
            }
            value => text.push_str(&value.to_string()),
        }
    }
    text.push_str("\n}\n");
    text
}

/// Writes the events of a log one after another, as a trace has them.
#[derive(Debug, Clone)]
pub struct EventWriter {
    system: RunnableSystem,
    charts: Arc<Charts>,
    beside: Map,
    clock: f64,
    cast: LogIndex,
    states: States,
}

impl EventWriter {
    /// A writer for a run of these graphs that has not begun. `clock` is the time that conditions read at its beginning, in
    /// seconds.
    #[must_use]
    pub fn new(system: RunnableSystem, charts: Arc<Charts>, beside: Map, clock: f64) -> EventWriter {
        EventWriter { system, charts, beside, clock, cast: LogIndex::default(), states: States::default() }
    }

    /// Writes the next event.
    pub fn event(&mut self, event: &Event) -> Json {
        self.cast.apply(event);
        self.states.apply(event);
        let mut written = json!({"at": event.at.0});
        if let (Json::Object(written), Json::Object(rest)) = (&mut written, self.kind(event)) {
            written.extend(rest);
        }
        written
    }

    fn kind(&self, event: &Event) -> Json {
        match &event.kind {
            EventKind::GraphStarted { scope, graph, by, state } => {
                let mut started =
                    json!({"event": "graph-started", "scope": scope.0, "graph": graph.as_str()});
                put(&mut started, "by", by.map(|visit| visit.0.into()));
                put(&mut started, "state", Some(to_json(state)));
                started
            }
            EventKind::VisitStarted { visit, scope, node, reads } => {
                let mut started = json!({"event": "visit-started", "visit": visit.0, "scope": scope.0, "node": node.as_str()});
                put(&mut started, "reads", value(reads));
                started
            }
            EventKind::Retried { visit, attempt, wait, failure: cause } => json!({
                "event": "retried", "visit": visit.0, "attempt": attempt, "wait": wait.0, "failure": failure(cause),
            }),
            EventKind::TriedAgain { visit, attempt } => {
                json!({"event": "tried-again", "visit": visit.0, "attempt": attempt})
            }
            EventKind::Asked { ask, visit, what } => asked(ask.0, *visit, what),
            EventKind::Answered { ask, answer: given } => {
                json!({"event": "answered", "ask": ask.0, "answer": answer(given)})
            }
            EventKind::Wrote { scope, visit, key, value: new } => {
                let mut wrote = json!({"event": "wrote", "scope": scope.0, "key": key.as_str()});
                put(&mut wrote, "visit", visit.map(|visit| visit.0.into()));
                put(&mut wrote, "value", value(new));
                wrote
            }
            EventKind::Dropped { visit, key, reason } => {
                json!({"event": "dropped", "visit": visit.0, "key": key.as_str(), "reason": reason.as_str()})
            }
            EventKind::EdgeJudged { visit, edge, target, followed, reason } => {
                let judged = json!({
                    "event": "edge-judged", "visit": visit.0, "edge": edge, "target": target.as_str(),
                    "followed": followed,
                });
                let reason = reason.as_ref().map(|reason| reason.as_str().into());
                with(with(judged, "reason", reason), "why", self.why(event, *visit, *edge, target))
            }
            EventKind::HandedOver { visit, target, reason } => {
                json!({"event": "handed-over", "visit": visit.0, "target": target.as_str(), "reason": reason.as_str()})
            }
            EventKind::Skipped { scope, node } => {
                json!({"event": "skipped", "scope": scope.0, "node": node.as_str()})
            }
            EventKind::Spent { visit, usage: spent } => {
                json!({"event": "spent", "visit": visit.0, "usage": usage(spent)})
            }
            EventKind::CheckpointSaved { checkpoint, node, content } => json!({
                "event": "checkpoint-saved", "checkpoint": checkpoint, "node": node.as_str(), "content": to_json(content),
            }),
            EventKind::VisitEnded { visit, result } => ended(*visit, result),
            EventKind::Paused { visit, question } => {
                json!({"event": "paused", "visit": visit.0, "question": to_json(question)})
            }
            EventKind::Resumed { decision: taken } => {
                json!({"event": "resumed", "decision": decision(taken)})
            }
            EventKind::Cancelled => json!({"event": "cancelled"}),
            EventKind::Native { name, detail } => {
                json!({"event": "native", "name": name.as_str(), "detail": to_json(detail)})
            }
            EventKind::GraphEnded { scope, outcome: end } => {
                json!({"event": "graph-ended", "scope": scope.0, "outcome": outcome(end)})
            }
        }
    }

    /// The condition of an edge with the values of its parts, which explain why it was followed or not.
    fn why(&self, event: &Event, visit: VisitId, number: u32, target: &str) -> Option<Json> {
        let chart = self.cast.chart(&self.charts, visit)?;
        let visited = self.cast.visit(visit)?;
        let condition = chart.edge(&visited.node, number, target)?.condition.as_ref()?;
        let mut explanation = json!({"condition": &*condition.text});
        let state = self.states.of(visited.scope)?;
        let beside = &self.beside;
        let error = visited.error.as_ref();
        let moment = ConditionContext {
            now: now(self.clock, event.at),
            state,
            beside,
            native: self.cast.seen(),
            error,
        };
        if let Some(explained) = explain(self.system, condition, &moment, chart.strict_taint) {
            put(&mut explanation, "value", Some(explanation_value(&explained)));
            let parts = explained.parts.iter().map(|(text, value)| match value {
                Ok(value) => json!({"text": text.as_str(), "value": to_json_with_marks(value)}),
                Err(message) => json!({"text": text.as_str(), "error": message}),
            });
            put(&mut explanation, "parts", Some(parts.collect()));
        }
        Some(explanation)
    }
}

/// Whether two events of a trace are equal. The words that explain why an edge was followed or not are ignored, because
/// they depend on the version that wrote them, and a waiting run can outlive a version.
#[must_use]
pub fn is_same_event(one: &Json, other: &Json) -> bool {
    const EXPLAINS: [&str; 2] = ["reason", "why"];
    let (Some(one), Some(other)) = (one.as_object(), other.as_object()) else { return one == other };
    let is_edge = one.get("event").and_then(Json::as_str) == Some("edge-judged");
    let counts = |key: &&String| !(is_edge && EXPLAINS.contains(&key.as_str()));
    let count = |event: &serde_json::Map<String, Json>| event.keys().filter(counts).count();
    count(one) == count(other) && one.keys().filter(counts).all(|key| one.get(key) == other.get(key))
}

fn explanation_value(explanation: &Explanation) -> Json {
    match &explanation.value {
        Ok(value) => to_json_with_marks(value),
        Err(message) => json!({"error": message}),
    }
}

fn ended(visit: VisitId, result: &Result<Value, Failure>) -> Json {
    let ended = json!({"event": "visit-ended", "visit": visit.0});
    match result {
        Ok(yields) => with(ended, "yields", value(yields)),
        Err(cause) => with(ended, "failure", Some(failure(cause))),
    }
}

/// How a run ended.
pub fn outcome(outcome: &Outcome) -> Json {
    let mut written = json!({"status": outcome.status.word()});
    if let Status::Stopped(limit) = outcome.status {
        put(&mut written, "limit", Some(limit.noun().into()));
    }
    put(&mut written, "failure", outcome.failure.as_ref().map(failure));
    put(&mut written, "output", value(&outcome.output));
    written
}

/// What was used.
pub fn usage(usage: &Usage) -> Json {
    let mut written = json!({
        "input_tokens": number_to_json(usage.input_tokens),
        "output_tokens": number_to_json(usage.output_tokens),
        "cost_usd": number_to_json(usage.cost_usd),
    });
    let of_cache = [("cached_tokens", usage.cached_tokens), ("cache_write_tokens", usage.cache_write_tokens)];
    for (key, tokens) in of_cache {
        put(&mut written, key, (tokens > 0.0).then(|| number_to_json(tokens)));
    }
    written
}

fn failure(failure: &Failure) -> Json {
    let mut written = json!({"class": failure.class.as_str(), "message": failure.message.as_str(), "retryable": failure.retryable});
    put(&mut written, "cause", failure.cause.as_ref().map(|cause| cause.as_str().into()));
    written
}

fn asked(number: u32, visit: VisitId, ask: &Ask) -> Json {
    json!({
        "event": "asked", "ask": number, "visit": visit.0, "graph": ask.graph.as_str(), "node": ask.node.as_str(),
        "attempt": ask.attempt, "of": ask.what.noun(), "question": question(&ask.what),
    })
}

/// What is asked.
#[must_use]
pub fn question(question: &Question) -> Json {
    match question {
        Question::Model(model) => {
            let mut written = json!({
                "agent": model.agent.as_str(),
                "purpose": format!("{:?}", model.purpose).to_lowercase(),
                "prompt": model.prompt.iter().map(message).collect::<Vec<_>>(),
                "tools": names(&model.tools),
            });
            put(&mut written, "temperature", model.temperature.map(number_to_json));
            written
        }
        Question::Tool(tool) => {
            let mut written = json!({"tool": tool.tool.as_str(), "arguments": to_json(&tool.arguments)});
            put(&mut written, "call", tool.call.as_ref().map(|call| call.as_str().into()));
            written
        }
        Question::Function(function) => {
            json!({"path": function.path.as_str(), "input": to_json(&function.input)})
        }
        Question::Extension(asked) => json!({
            "extension": asked.extension.as_str(), "method": asked.method.as_str(), "input": to_json(&asked.input),
        }),
        Question::Human(human) => json!({"prompt": human.prompt.as_str(), "review": to_json(&human.review)}),
        Question::Guardrail(guardrail) => json!({
            "guardrails": names(&guardrail.guardrails), "content": to_json(&guardrail.content),
        }),
        Question::Discovery(discovery) => {
            json!({"query": discovery.query.as_str(), "kind": discovery.kind.as_deref()})
        }
        Question::Recall(recall) => json!({
            "text": recall.text.as_deref(), "entities": names(&recall.entities), "tags": names(&recall.tags),
            "max_facts": recall.max_facts.map(number_to_json),
        }),
        Question::Remember(facts) => json!({"facts": to_json(facts)}),
        Question::Remote(remote) => json!({
            "server": remote.server.as_str(), "skill": remote.skill.as_deref(), "input": to_json(&remote.input),
            "resumed": remote.resumed.as_ref().map(|task| json!({
                "task": task.task.as_str(), "response": to_json(&task.response),
            })),
        }),
        Question::Fitness(candidate) => json!({"candidate": to_json(candidate)}),
        Question::Session(session) => json!({"mode": session.mode.as_str(), "line": session.line.as_deref()}),
    }
}

fn message(message: &Message) -> Json {
    let role = match message.role {
        Role::System => "system",
        Role::Human => "human",
        Role::Model => "model",
        Role::Tool => "tool",
        Role::State => "state",
        Role::Task => "task",
    };
    let mut written = json!({"role": role, "content": to_json(&message.content)});
    let calls = (!message.calls.is_empty()).then(|| message.calls.iter().map(call).collect());
    put(&mut written, "calls", calls);
    put(&mut written, "answers", message.answers.as_ref().map(call));
    written
}

fn call(call: &ToolCall) -> Json {
    json!({"id": call.id.as_str(), "tool": call.tool.as_str(), "arguments": to_json(&call.arguments)})
}

#[must_use]
pub fn answer(answer: &Answer) -> Json {
    let mut written = json!({"after": answer.after.0});
    put(&mut written, "usage", (!answer.usage.is_zero()).then(|| usage(&answer.usage)));
    match &answer.result {
        Ok(given) => put(&mut written, "reply", Some(reply(given))),
        Err(cause) => put(&mut written, "failure", Some(failure(cause))),
    }
    put(&mut written, "aside", answer.aside.as_ref().map(to_json));
    let retry = |retry: &CallRetry| json!({"wait": retry.wait.0, "reason": retry.reason.as_str()});
    let retries = answer.retries.iter().map(retry).collect::<Vec<_>>();
    put(&mut written, "retries", (!retries.is_empty()).then(|| Json::Array(retries)));
    put(&mut written, "fallback", answer.fallback.as_ref().map(|model| model.as_str().into()));
    put(&mut written, "pinned", answer.pinned.as_ref().map(|run| run.as_str().into()));
    written
}

pub(crate) fn reply(reply: &Reply) -> Json {
    match reply {
        Reply::Model(model) => {
            let mut written = json!({"of": "model", "text": model.text.as_str()});
            put(&mut written, "value", model.value.as_ref().map(to_json));
            put(&mut written, "calls", Some(model.calls.iter().map(call).collect()));
            written
        }
        Reply::Value(given) => {
            let mut written = json!({"of": "value"});
            put(&mut written, "value", value(given));
            written
        }
        Reply::Decision(taken) => json!({"of": "decision", "decision": decision(taken)}),
        Reply::Verdict(verdict) => {
            json!({"of": "verdict", "passed": verdict.passed, "results": to_json(&verdict.results)})
        }
        Reply::Remote(remote) => {
            let artifacts =
                remote.artifacts.iter().map(|(name, content)| json!([name.as_str(), to_json(content)]));
            let artifacts: Vec<Json> = artifacts.collect();
            let mut written = json!({"of": "remote", "task": remote.task.as_str(), "state": remote.state.as_str(), "artifacts": artifacts});
            put(&mut written, "message", remote.message.as_ref().map(|text| text.as_str().into()));
            written
        }
        Reply::Session(events) => {
            let event = |event: &nodewise_engine::ask::SessionEvent| json!({"name": event.name.as_str(), "after": event.after.0, "data": to_json(&event.data)});
            json!({"of": "session", "events": events.iter().map(event).collect::<Vec<_>>()})
        }
    }
}

/// A person's decision.
#[must_use]
pub fn decision(decision: &Decision) -> Json {
    let mut written = json!({"word": decision.word.as_str()});
    put(&mut written, "data", decision.data.as_ref().map(to_json));
    let updates = &decision.updates;
    put(&mut written, "updates", (!updates.is_empty()).then(|| map(updates)));
    put(&mut written, "after", (decision.after > Millis::ZERO).then(|| json!(decision.after.0)));
    written
}

fn map(map: &Map) -> Json {
    Json::Object(map.iter().map(|(key, value)| (key.to_string(), to_json(value))).collect())
}

fn chart(chart: &Chart) -> Json {
    let nodes = chart.nodes.iter().map(|node| {
        let mut written =
            json!({"id": node.id.as_str(), "label": node.label.as_str(), "kind": node.kind.as_str()});
        put(&mut written, "place", node.place.as_ref().map(place));
        written
    });
    json!({
        "id": chart.id.as_str(),
        "nodes": nodes.collect::<Vec<_>>(),
        "edges": chart.edges.iter().map(edge).collect::<Vec<_>>(),
    })
}

fn edge(edge: &ChartEdge) -> Json {
    let mut written = json!({"number": edge.number});
    put(&mut written, "from", edge.from.as_ref().map(|from| from.as_str().into()));
    put(&mut written, "to", edge.to.as_ref().map(|to| to.as_str().into()));
    put(&mut written, "id", edge.id.as_ref().map(|id| id.as_str().into()));
    put(&mut written, "condition", edge.condition.as_ref().map(|condition| Json::from(&*condition.text)));
    put(&mut written, "place", edge.place.as_ref().map(place));
    written
}

fn place(place: &SourceLocation) -> Json {
    json!({"file": place.path.as_str(), "line": place.line, "column": place.column})
}

fn names(names: &[SmolStr]) -> Json {
    names.iter().map(SmolStr::as_str).collect()
}

/// A value as JSON. [`Value::Undefined`] has no JSON.
fn value(value: &Value) -> Option<Json> {
    (!matches!(value, Value::Undefined)).then(|| to_json(value))
}

fn with(mut object: Json, key: &str, value: Option<Json>) -> Json {
    put(&mut object, key, value);
    object
}

fn put(object: &mut Json, key: &str, value: Option<Json>) {
    if let (Json::Object(object), Some(value)) = (object, value) {
        object.insert(key.to_owned(), value);
    }
}

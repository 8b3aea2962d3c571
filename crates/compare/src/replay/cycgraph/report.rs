//! A run in the format of the recordings.
//!
//! Input is a run's log and outcome. Output is the text that the recording program prints. Invariant: parts that this
//! program leaves out if they are empty are left out here too.

use nodewise_engine::ask::{Ask, Question};
use nodewise_engine::event::{Event, EventKind};
use nodewise_engine::outcome::Outcome;
use nodewise_engine::systems::cycgraph::failures::NOT_THROWN;
use nodewise_expr::json::to_json;
use nodewise_expr::value::{Map, Value as Plain};
use serde_json::{Map as Object, Value, json};

use super::values::{list, map, number, text};

/// The keys whose values are times.
const MOMENTS: [&str; 2] = ["evaluated_at", "reflected_at"];
/// The events of a whole run.
const LIFECYCLE: [&str; 10] = [
    "workflow:start",
    "workflow:complete",
    "workflow:failed",
    "workflow:waiting",
    "workflow:timeout",
    "workflow:cancelled",
    "workflow:rollback",
    "workflow:paused",
    "security:policy",
    "budget:threshold_reached",
];

/// A run in the format of the recordings.
pub(super) fn report(log: &[Event], outcome: &Outcome, with_events: bool) -> Value {
    let nothing = Map::new();
    let state = map(Some(&outcome.output)).unwrap_or(&nothing);
    let mut report = Object::new();
    let field = |key: &str| state.get(key).map_or(Value::Null, json_of);
    report.insert("status".into(), field("status"));
    report.insert("visited".into(), field("visited_nodes"));
    report.insert("executed".into(), natives(log, "node:start").map(json_of).collect());
    report.insert("iterations".into(), field("iteration_count"));
    report.insert("memory".into(), field("memory"));
    if let Some(failure) = outcome.failure.as_ref().filter(|failure| failure.class != NOT_THROWN) {
        let mut error = json!({"name": failure.class.as_str(), "message": failure.message.as_str()});
        if let (Some(cause), Some(error)) = (&failure.cause, error.as_object_mut()) {
            error.insert("cause".into(), cause.as_str().into());
        }
        report.insert("error".into(), error);
    }
    let mut note = |key: &str, value: Value| {
        if !is_empty(&value) {
            report.insert(key.to_owned(), value);
        }
    };
    note("last_error", field("last_error"));
    note("handoffs", list(state.get("supervisor_history")).iter().map(handoff).collect());
    note("taint", taint(state));
    note("retries", natives(log, "node:retry").map(json_of).collect());
    note("failures", natives(log, "node:failed").map(json_of).collect());
    note("swarm_handoffs", field("swarm_handoff_count"));
    let stack = list(state.get("compensation_stack")).iter();
    note("compensation_stack", stack.map(|entry| json_of(part(entry, "compensation_action"))).collect());
    note("drops", list(state.get("memory_drops")).iter().map(dropped).collect());
    note("pending", field("pending_approval"));
    if let (Some(since), Some(until)) =
        (number(state.get("waiting_since")), number(state.get("waiting_timeout_at")))
    {
        report.insert("waiting_ms".into(), json!(until - since));
    }
    report.insert("tokens".into(), field("total_tokens_used"));
    report.insert("cost_usd".into(), field("total_cost_usd"));
    report.insert("lifecycle".into(), log.iter().filter_map(lifecycle).collect());
    report.insert("model_calls".into(), asked(log).filter_map(model_call).collect());
    let mut note = |key: &str, value: Value| {
        if !is_empty(&value) {
            report.insert(key.to_owned(), value);
        }
    };
    note("tool_calls", asked(log).filter_map(tool_call).collect());
    note("facts", facts(log));
    note("queries", asked(log).filter_map(query).collect());
    note("a2a_calls", asked(log).filter_map(remote_call).collect());
    if with_events {
        let entries = log.iter().filter_map(entry).enumerate();
        report.insert(
            "events".into(),
            entries.map(|(number, entry)| json!(format!("{number} {entry}"))).collect(),
        );
    }
    Value::Object(report)
}

/// The contents of the run's own events with this name.
fn natives<'l>(log: &'l [Event], wanted: &'static str) -> impl Iterator<Item = &'l Plain> {
    log.iter().filter_map(move |event| match &event.kind {
        EventKind::Native { name, detail } if name == wanted => Some(detail),
        _ => None,
    })
}

fn asked(log: &[Event]) -> impl Iterator<Item = &Ask> {
    log.iter().filter_map(|event| match &event.kind {
        EventKind::Asked { what, .. } => Some(what.as_ref()),
        _ => None,
    })
}

fn lifecycle(event: &Event) -> Option<Value> {
    let EventKind::Native { name, detail } = &event.kind else { return None };
    LIFECYCLE.contains(&name.as_str()).then(|| match detail {
        Plain::Number(percent) => json!(format!("{name}:{percent}")),
        _ => json!(name.as_str()),
    })
}

/// An entry of the event log.
fn entry(event: &Event) -> Option<String> {
    let EventKind::Native { name, detail } = &event.kind else { return None };
    let (is_inner, own) = match name.strip_prefix("child_") {
        Some(own) => (true, own),
        None => (false, name.as_str()),
    };
    let prefix = if is_inner { "child_" } else { "" };
    let node = match detail {
        Plain::Text(node) if is_inner || !own.starts_with('_') => format!(" {node}"),
        _ => String::new(),
    };
    match own {
        "node_started" | "action_dispatched" | "workflow_started" => Some(format!("{prefix}{own}{node}")),
        change if change.starts_with('_') => Some(format!("{prefix}internal_dispatched:{change}{node}")),
        _ => None,
    }
}

fn handoff(entry: &Plain) -> Value {
    let word = |key: &str| text(Some(part(entry, key))).unwrap_or_default();
    let iteration = number(Some(part(entry, "iteration"))).unwrap_or_default();
    json!(format!("{}->{}@{iteration}", word("supervisor_id"), word("delegated_to")))
}

fn taint(state: &Map) -> Value {
    let Some(registry) = map(state.get("taint_registry")) else { return Value::Null };
    let entry = |(key, entry): (&smol_str::SmolStr, &Plain)| {
        let source = text(Some(part(entry, "source"))).unwrap_or_default();
        let from: Vec<_> =
            list(Some(part(entry, "derived_from"))).iter().filter_map(|key| text(Some(key))).collect();
        let shown =
            if from.is_empty() { source.to_string() } else { format!("{source}({})", from.join(",")) };
        (key.to_string(), json!(shown))
    };
    Value::Object(registry.iter().map(entry).collect())
}

fn dropped(entry: &Plain) -> Value {
    let word = |key: &str| text(Some(part(entry, key))).unwrap_or_default();
    json!(format!("{}:{}", word("key"), word("reason")))
}

fn model_call(ask: &Ask) -> Option<Value> {
    let Question::Model(model) = &ask.what else { return None };
    Some(json!({"agent": model.agent.as_str(), "temperature": model.temperature}))
}

fn tool_call(ask: &Ask) -> Option<Value> {
    let Question::Tool(tool) = &ask.what else { return None };
    Some(json!({"tool": tool.tool.as_str(), "args": json_of(&tool.arguments)}))
}

fn query(ask: &Ask) -> Option<Value> {
    let Question::Recall(recall) = &ask.what else { return None };
    let mut query = Object::new();
    if let Some(text) = &recall.text {
        query.insert("text".into(), text.as_str().into());
    }
    let texts =
        |texts: &[smol_str::SmolStr]| texts.iter().map(|text| json!(text.as_str())).collect::<Value>();
    if !recall.entities.is_empty() {
        query.insert("entityIds".into(), texts(&recall.entities));
    }
    if !recall.tags.is_empty() {
        query.insert("tags".into(), texts(&recall.tags));
    }
    if let Some(most) = recall.max_facts {
        query.insert("maxFacts".into(), json!(most));
    }
    Some(Value::Object(query))
}

fn remote_call(ask: &Ask) -> Option<Value> {
    let Question::Remote(remote) = &ask.what else { return None };
    let mut call = Object::new();
    match &remote.resumed {
        Some(resumed) => {
            call.insert("kind".into(), "resume".into());
            call.insert("taskId".into(), resumed.task.as_str().into());
            if resumed.response != Plain::Undefined {
                call.insert("response".into(), json_of(&resumed.response));
            }
        }
        None => {
            call.insert("kind".into(), "run".into());
            call.insert("input".into(), json_of(&remote.input));
            if let Some(skill) = &remote.skill {
                call.insert("skillId".into(), skill.as_str().into());
            }
        }
    }
    Some(Value::Object(call))
}

/// The written facts.
fn facts(log: &[Event]) -> Value {
    let mut open = std::collections::BTreeMap::new();
    let mut written = Vec::new();
    for event in log {
        match &event.kind {
            EventKind::Asked { ask, what, .. } => {
                if let Question::Remember(facts) = &what.what {
                    open.insert(*ask, facts.clone());
                }
            }
            EventKind::Answered { ask, answer } if answer.result.is_ok() => {
                let facts = open.remove(ask).unwrap_or(Plain::Null);
                written.extend(list(Some(&facts)).iter().map(fact));
            }
            _ => {}
        }
    }
    Value::Array(written)
}

/// A fact with only the source of its provenance, as in the recordings.
fn fact(fact: &Plain) -> Value {
    let mut shown = Object::new();
    for key in ["content", "tags", "entities"] {
        if *part(fact, key) != Plain::Undefined {
            shown.insert(key.to_owned(), json_of(part(fact, key)));
        }
    }
    shown.insert("source".to_owned(), json_of(part(part(fact, "provenance"), "source")));
    Value::Object(shown)
}

fn part<'v>(value: &'v Plain, key: &str) -> &'v Plain {
    map(Some(value)).and_then(|map| map.get(key)).unwrap_or(&Plain::Undefined)
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        Value::Number(number) => number.as_f64() == Some(0.0),
        _ => false,
    }
}

/// A value as JSON, without undefined values and times.
fn json_of(value: &Plain) -> Value {
    match value {
        Plain::Map(map) => {
            let defined = map.iter().filter(|(_, value)| **value != Plain::Undefined);
            let member = |(key, value): (&smol_str::SmolStr, &Plain)| match MOMENTS.contains(&key.as_str()) {
                true => (key.to_string(), json!("<time>")),
                false => (key.to_string(), json_of(value)),
            };
            Value::Object(defined.map(member).collect())
        }
        Plain::List(items) => items.iter().map(json_of).collect(),
        value => to_json(value),
    }
}

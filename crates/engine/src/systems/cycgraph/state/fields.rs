//! The state as values, with the names of the release. In: a state; out: values that share its parts. Invariant: a
//! field has the same value alone and in the whole.

use nodewise_expr::filtrex::state_fields;
use nodewise_expr::value::{Map, Value};
use smol_str::SmolStr;

use super::{Handover, ResumePoint, RunState, THRESHOLDS};
use crate::time::Millis;

/// The whole state: every field that has a value.
pub(super) fn all(state: &RunState) -> Value {
    let fields =
        state_fields().iter().map(|known| (SmolStr::new_static(known.name), field(state, known.name)));
    fields.filter(|(_, value)| *value != Value::Undefined).collect::<Map>().into()
}

/// A field; undefined if the state has none with this name.
pub(super) fn field(state: &RunState, name: &str) -> Value {
    match name {
        "memory" => Value::Map(state.memory.clone()),
        "goal" => Value::Text(state.goal.clone()),
        "constraints" => texts(state.constraints.iter()),
        "status" => state.status.word().into(),
        "current_node" => text(state.current.as_ref().map(|current| &current.name)),
        "iteration_count" => count(state.iterations),
        "max_iterations" => Value::Number(state.max_iterations),
        "visited_nodes" => texts(state.visited.iter()),
        "tainted" => Value::Bool(!state.taint.is_empty()),
        "tainted_keys" => texts(state.taint.iter().map(|(key, _)| key)),
        "taint_registry" => Value::Map(state.taint.clone()),
        "last_error" => text(state.last_error.as_ref()),
        "workflow_id" => Value::Text(state.workflow_id.clone()),
        "run_id" => Value::Text(state.run_id.clone()),
        "max_execution_time_ms" => Value::Number(state.max_execution_time_ms),
        "retry_count" => Value::Number(0.0),
        "max_retries" => Value::Number(3.0),
        "state_schema_version" => Value::Number(2.0),
        _ => spending(state, name).or_else(|| coordination(state, name)).unwrap_or(Value::Undefined),
    }
}

fn spending(state: &RunState, name: &str) -> Option<Value> {
    Some(match name {
        "total_tokens_used" => Value::Number(state.tokens),
        "total_input_tokens" => Value::Number(state.spent.input_tokens),
        "total_output_tokens" => Value::Number(state.spent.output_tokens),
        "total_cost_usd" => Value::Number(state.spent.cost_usd),
        "max_token_budget" => number(state.max_token_budget),
        "budget_usd" => number(state.budget_usd),
        "_cost_alert_thresholds_fired" => THRESHOLDS
            .iter()
            .take(state.thresholds_reached)
            .map(|threshold| Value::Number(*threshold))
            .collect(),
        _ => return None,
    })
}

fn coordination(state: &RunState, name: &str) -> Option<Value> {
    let waiting = state.waiting.as_ref();
    let waited = |value: fn(&super::Waiting) -> Value| waiting.map_or(Value::Undefined, value);
    Some(match name {
        "waiting_for" => waited(|_| "human_approval".into()),
        "waiting_since" => waited(|waiting| moment(waiting.since)),
        "waiting_timeout_at" => waited(|waiting| moment(waiting.until)),
        "pending_approval" => waited(|waiting| waiting.pending.to_value()),
        "started_at" => state.started_at.map_or(Value::Undefined, moment),
        "supervisor_history" => state.handovers.iter().map(handover).collect(),
        "policy_approvals" => record(state.approved.iter().map(|node| (node.clone(), Value::Bool(true)))),
        "subgraph_checkpoints" => {
            record(state.checkpoints.iter().map(|(node, checkpoint)| (node.clone(), kept(checkpoint))))
        }
        "subgraph_stack" => texts(state.stack.iter()),
        "swarm_handoff_count" => count(state.swarm_handovers),
        "compensation_stack" => state.compensations.iter().map(|entry| entry.to_value()).collect(),
        "memory_drops" => state.refused.iter().map(refused).collect(),
        _ => return None,
    })
}

fn handover(handover: &Handover) -> Value {
    record([
        ("supervisor_id".into(), Value::Text(handover.by.clone())),
        ("delegated_to".into(), Value::Text(handover.to.clone())),
        ("reasoning".into(), Value::Text(handover.reasoning.clone())),
        ("iteration".into(), count(handover.iteration)),
    ])
}

fn refused(refused: &super::Refused) -> Value {
    record([("key".into(), Value::Text(refused.key.clone())), ("reason".into(), refused.reason.into())])
}

fn kept(checkpoint: &ResumePoint) -> Value {
    match checkpoint {
        ResumePoint::Graph(child) => child.to_value(),
        ResumePoint::Task(task) => record([("task_id".into(), Value::Text(task.clone()))]),
    }
}

fn record(entries: impl IntoIterator<Item = (SmolStr, Value)>) -> Value {
    entries.into_iter().collect::<Map>().into()
}

fn texts<'t>(texts: impl Iterator<Item = &'t SmolStr>) -> Value {
    texts.map(|text| Value::Text(text.clone())).collect()
}

fn text(text: Option<&SmolStr>) -> Value {
    text.map_or(Value::Undefined, |text| Value::Text(text.clone()))
}

fn number(number: Option<f64>) -> Value {
    number.map_or(Value::Undefined, Value::Number)
}

fn moment(moment: Millis) -> Value {
    count(moment.0)
}

fn count(count: u64) -> Value {
    Value::Number(count as f64)
}

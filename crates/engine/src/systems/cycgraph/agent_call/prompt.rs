//! The prompt of an agent, and later messages to its model. In: the job and the state; out: messages. Invariant:
//! messages contain values as they are, so that nothing is formatted that nobody reads.

use std::sync::Arc;

use nodewise_expr::value::Value;
use smol_str::{SmolStr, format_smolstr};

use super::AgentJob;
use crate::ask::{Message, RecallQuestion, Role};
use crate::opening::Surroundings;
use crate::outcome::Failure;
use crate::systems::cycgraph::host::HostAgent;
use crate::systems::cycgraph::program::Query;
use crate::systems::cycgraph::slice::StateSlice;
use crate::systems::cycgraph::state::RunState;
use crate::time::Millis;

/// The class of errors that a provider reports; the failure says whether another call may help.
const PROVIDER_ERROR: &str = "AI_APICallError";
/// How often the client library repeats a call.
const CLIENT_RETRIES: u32 = 2;
/// Its first wait. Each wait is twice as long as the one before.
const FIRST_CLIENT_WAIT_MS: u64 = 2000;

/// The prompt of an agent before its first answer.
pub(super) fn messages(
    job: &AgentJob,
    agent: &HostAgent,
    slice: &StateSlice,
    state: &RunState,
    facts: &Value,
) -> Vec<Message> {
    let mut prompt = Vec::with_capacity(6);
    prompt.push(Message::new(Role::System, Value::Text(agent.prompt.clone())));
    if !state.goal.is_empty() {
        prompt.push(Message::new(Role::System, Value::Text(format_smolstr!("Goal: {}", state.goal))));
    }
    if !state.constraints.is_empty() {
        prompt.push(Message::new(Role::System, constraints(&state.constraints)));
    }
    if has_facts(facts) {
        prompt.push(Message::new(Role::State, facts.clone()));
    }
    if let Some(context) = &job.context {
        prompt.push(Message::new(Role::Task, context.clone()));
    }
    prompt.push(Message::new(Role::State, slice.value()));
    prompt.push(Message::new(Role::Human, task(job.attempt, &state.goal)));
    prompt
}

/// What a node learns about its run.
pub(crate) fn surroundings(state: &RunState, slice: &StateSlice, recalled: &Value) -> Surroundings {
    Surroundings {
        goal: state.goal.clone(),
        constraints: state.constraints.clone(),
        recalled: recalled.clone(),
        memory: slice.memory.clone(),
        tainted: slice.taint.iter().map(|(key, _)| key.clone()).collect(),
    }
}

/// The constraints of a run as one text.
pub(crate) fn constraints(constraints: &[SmolStr]) -> Value {
    Value::Text(format_smolstr!("Constraints: {}", constraints.join(", ")))
}

fn task(attempt: u32, goal: &SmolStr) -> Value {
    Value::Text(match attempt {
        0 | 1 => goal.clone(),
        attempt => format_smolstr!("This is attempt {attempt}.\n\nGoal: {goal}"),
    })
}

/// The message to a model whose answer was empty.
pub(super) fn continuation() -> Message {
    Message::new(Role::Task, "Your last message was empty. Answer now.".into())
}

/// The message to a model that called a tool which it does not have.
pub(super) fn unavailable(tool: &str, available: &Arc<[SmolStr]>) -> Value {
    let available = available.join(", ");
    Value::Text(format_smolstr!("There is no tool '{tool}'. Available tools: {available}."))
}

/// The query for long-term memory. If the node gives no text or other condition, the goal is the text.
pub(crate) fn recall(query: &Query, goal: &SmolStr) -> RecallQuestion {
    let text = query.text.clone().filter(|text| !text.is_empty());
    let is_empty = text.is_none() && query.entities.is_empty() && query.tags.is_empty();
    RecallQuestion {
        text: if is_empty { Some(goal.clone()) } else { text },
        entities: query.entities.clone(),
        tags: query.tags.clone(),
        max_facts: query.max_facts,
    }
}

/// Whether memory returned facts: a list, or a mapping that contains one.
pub(crate) fn has_facts(facts: &Value) -> bool {
    match facts {
        Value::List(facts) => !facts.is_empty(),
        Value::Map(found) => found.get("facts").is_some_and(has_facts),
        _ => false,
    }
}

/// The sampling temperature, limited to what the provider accepts.
pub(super) fn temperature(wanted: Option<f64>, agent: &HostAgent) -> f64 {
    let most = if agent.provider == "anthropic" { 1.0 } else { 2.0 };
    wanted.unwrap_or(agent.temperature).clamp(0.0, most)
}

/// The failure of a model whose answer is not one of a model.
pub(super) fn no_answer() -> Failure {
    Failure::new("Error", "the reply is not the answer of a model")
}

/// How long the client library waits before it repeats the call; or the failure, if it does not.
pub(crate) fn client_retry(failure: &Failure, failures: u32) -> Result<Millis, Failure> {
    let tried = failures + 1;
    let may_help = failure.class == PROVIDER_ERROR && failure.retryable;
    if !may_help && failures == 0 {
        return Err(failure.clone());
    }
    let given_up = |message: SmolStr| Failure::new("AI_RetryError", message);
    if failures >= CLIENT_RETRIES {
        return Err(given_up(format_smolstr!(
            "Failed after {tried} attempts. Last error: {}: {}",
            failure.class,
            failure.message
        )));
    }
    if !may_help {
        return Err(given_up(format_smolstr!(
            "Failed after {tried} attempts with non-retryable error: '{}: {}'",
            failure.class,
            failure.message
        )));
    }
    Ok(Millis(FIRST_CLIENT_WAIT_MS << failures))
}

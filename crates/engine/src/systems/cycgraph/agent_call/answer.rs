//! The result of an agent's work: what it writes, and what that taints. In: what it saved and said; out: an action.
//! Invariant: only keys are written that both node and agent may write.

use std::sync::Arc;

use nodewise_expr::value::{Map, Value};
use smol_str::SmolStr;

use super::{AgentJob, Progress};
use crate::systems::cycgraph::action::NodeAction;
use crate::systems::cycgraph::clean::cleaned;
use crate::systems::cycgraph::host::HostAgent;
use crate::systems::cycgraph::program::ALL;
use crate::systems::cycgraph::slice::StateSlice;
use crate::systems::cycgraph::taint;
use crate::systems::cycgraph::tools::Origin;
use crate::time::Millis;

/// The keys that an agent may write for a node.
pub(crate) fn effective_writes(granted: &Arc<[SmolStr]>, ceiling: Option<&Arc<[SmolStr]>>) -> Arc<[SmolStr]> {
    let has_all = |keys: &[SmolStr]| keys.iter().any(|key| key == ALL);
    match ceiling {
        None => granted.clone(),
        Some(ceiling) if has_all(ceiling) => granted.clone(),
        Some(ceiling) if has_all(granted) => ceiling.clone(),
        Some(ceiling) => granted.iter().filter(|key| ceiling.contains(key)).cloned().collect(),
    }
}

/// Whether a key is among those that may be written.
pub(crate) fn may_write(writes: &[SmolStr], key: &str) -> bool {
    writes.iter().any(|granted| granted == key || granted == ALL)
}

/// The answer of the tool that saves.
pub(crate) fn saved(arguments: &Value) -> Value {
    let part = |key: &str| match arguments {
        Value::Map(arguments) => arguments.get(key).cloned().unwrap_or(Value::Undefined),
        _ => Value::Undefined,
    };
    let mut result = Map::new();
    result.insert("key", part("key"));
    result.insert("value", part("value"));
    result.insert("saved", Value::Bool(true));
    result.into()
}

/// The taint of keys that an agent writes after it called a tool whose results are tainted.
pub(super) fn tool_taint(origin: &Origin) -> Value {
    match origin {
        Origin::Custom => taint::entry(origin.word(), &[]),
        Origin::Server(server) => taint::entry(origin.word(), &[("server_id", Value::Text(server.clone()))]),
    }
}

/// The action of an agent that has finished.
pub(super) fn action(
    job: &AgentJob,
    agent: &HostAgent,
    slice: &StateSlice,
    writes: &[SmolStr],
    progress: Progress,
    now: Millis,
) -> NodeAction {
    let mut updates = progress.saved;
    if updates.is_empty() {
        let text = match progress.text.trim().is_empty() {
            true => progress.last_spoken,
            false => Some(progress.text),
        };
        if let Some(text) = text
            && let Some(key) = text_key(job, writes)
        {
            updates.insert(key, Value::Text(cleaned(&text).into()));
        }
    }
    let keys = || updates.iter().map(|(key, _)| key.clone()).collect::<Vec<_>>();
    let mut taints = match slice.taint.is_empty() {
        true => Map::new(),
        false => taint::derived(&slice.taint, &keys(), &job.agent, &job.label, now),
    };
    let is_untrusted = job.memory_query.as_ref().is_some_and(|query| query.untrusted) && progress.has_facts;
    let of_tool = || {
        let entry = progress.taint.as_ref()?;
        Some(taint::with(entry, "tool_name", taint::joined(&progress.called)))
    };
    let overall = if is_untrusted { Some(taint::entry("retrieval", &[])) } else { of_tool() };
    if let Some(entry) = overall {
        let entry = taint::with(&entry, "agent_id", Value::Text(job.agent.clone()));
        for (key, value) in updates.iter() {
            taints.insert(key.clone(), taint::of_value(&entry, value, &job.label, now));
        }
    }
    let mut action = NodeAction::update(updates);
    action.taint = taints;
    action.usage = Some(progress.usage);
    action.model = Some(agent.model.clone());
    action
}

/// The key that a plain answer is written to; `None` if it is not clear which one is meant.
fn text_key(job: &AgentJob, writes: &[SmolStr]) -> Option<SmolStr> {
    if may_write(writes, &job.output_key) {
        return Some(job.output_key.clone());
    }
    if let Some(key) = &job.default_write
        && may_write(writes, key)
    {
        return Some(key.clone());
    }
    match writes {
        [only] => Some(only.clone()),
        _ => None,
    }
}

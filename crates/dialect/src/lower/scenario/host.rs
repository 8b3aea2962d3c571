//! How the program around the graph is set up.

use nodewise_model::scenario::{HostSetup, ModelPrice, RegisteredAgent};
use nodewise_model::{Located, Origin};
use smol_str::SmolStr;

use super::{boolean, key, keyed, members, number, span, text, texts};
use crate::value::{Data, SpannedEntry, SpannedValue};

pub(super) fn host(value: &SpannedValue<'_>) -> HostSetup {
    let flag = |key: &str| boolean(value, key).map(|flag| flag.value);
    HostSetup {
        profile: text(value, "profile"),
        reading: text(value, "reading"),
        max_iterations: number(value, "max_iterations"),
        max_tokens: number(value, "max_tokens"),
        max_cost_usd: number(value, "max_cost"),
        max_time_ms: span(value, "max_time"),
        now: number(value, "now"),
        run_id: text(value, "run_id").map(|id| id.value),
        implicit_completion: flag("implicit_completion"),
        auto_rollback: flag("auto_rollback"),
        strict: flag("strict"),
        accounts: flag("accounts"),
        tools: value.get("tools").map(|_| texts(value, "tools")),
        untrusted_tools: texts(value, "untrusted_tools"),
        agents: members(value, "agents").iter().map(agent).collect(),
        prices: members(value, "prices").iter().map(|member| (key(member), price(&member.value))).collect(),
        without: texts(value, "without"),
        traits: members(value, "traits").iter().filter_map(strength).collect(),
        checkpoint_store: text(value, "checkpoint_store"),
        servers: members(value, "servers").iter().map(server).collect(),
        server_tools: members(value, "mcp").iter().map(server_tools).collect(),
        policy: members(value, "policy").iter().filter_map(effect).collect(),
        compensations: members(value, "compensations").iter().map(keyed).collect(),
    }
}

fn agent(member: &SpannedEntry<'_>) -> RegisteredAgent {
    let value = &member.value;
    let amount = |key: &str| number(value, key).map(|number| number.value);
    RegisteredAgent {
        id: key(member),
        prompt: text(value, "system_prompt").map(|prompt| prompt.value),
        tools: texts(value, "tools"),
        reads: names(value, "read_keys"),
        writes: names(value, "write_keys"),
        max_steps: amount("max_steps"),
        temperature: amount("temperature"),
        price: value.get("price").map(|member| price(&member.value)),
    }
}

/// The texts in a list; `None` if there is no list.
fn names(value: &SpannedValue<'_>, key: &str) -> Option<Vec<SmolStr>> {
    value.get(key).map(|_| texts(value, key).into_iter().map(|text| text.value).collect())
}

fn price(value: &SpannedValue<'_>) -> ModelPrice {
    let amount = |key: &str| number(value, key).map_or(0.0, |number| number.value);
    ModelPrice { input: amount("input"), output: amount("output") }
}

fn strength(member: &SpannedEntry<'_>) -> Option<(Located<SmolStr>, f64)> {
    match member.value.data {
        Data::Number(number) => Some((key(member), number)),
        _ => None,
    }
}

fn server(member: &SpannedEntry<'_>) -> (Located<SmolStr>, Option<Vec<SmolStr>>) {
    (key(member), names(&member.value, "allowed_agents"))
}

fn server_tools(member: &SpannedEntry<'_>) -> (Located<SmolStr>, Vec<SmolStr>) {
    let tools = match &member.value.data {
        Data::List(tools) => tools.iter().filter_map(|tool| tool.as_text().map(SmolStr::new)).collect(),
        _ => Vec::new(),
    };
    (key(member), tools)
}

fn effect(member: &SpannedEntry<'_>) -> Option<(Located<SmolStr>, Located<SmolStr>)> {
    let at: Origin = member.value.at;
    Some((key(member), Located::new(SmolStr::new(member.value.as_text()?), at)))
}

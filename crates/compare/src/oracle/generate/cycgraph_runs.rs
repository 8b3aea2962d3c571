//! Runs of cycgraph: a graph, the answers of its agents, tools and people, and its initial state.
//!
//! Input is random choices. Output is a scenario in the format of the recorded ones. Invariant: most graphs are valid
//! for the package, every type of node and every policy occurs, and a virtual clock can skip all waits and delays.

mod nodes;
mod world;

use serde_json::{Map, Value, json};

use super::super::random::Random;

/// Keys of the memory.
const KEYS: &[&str] = &["a", "b", "c", "n", "flag", "rows", "who", "deep"];
/// The maximum depth of subgraphs.
const MAX_DEPTH: usize = 2;

/// A question for the package's engine.
pub(in crate::oracle) fn question(random: &mut Random) -> Value {
    json!({"ask": "run", "scenario": scenario(random)})
}

/// The data that is collected while graphs are generated.
#[derive(Default)]
struct Draft {
    /// The subgraphs.
    graphs: Vec<Value>,
    /// The agents in nodes, with their settings.
    agents: Map<String, Value>,
    tools: Map<String, Value>,
    servers: Map<String, Value>,
    /// The ids of all nodes.
    nodes: Vec<String>,
}

fn scenario(random: &mut Random) -> Value {
    let mut draft = Draft::default();
    let mut scenario = Map::new();
    let main = graph(random, &mut draft, "g", 0);
    scenario.insert("graph".to_owned(), main);
    if !draft.graphs.is_empty() {
        scenario.insert("graphs".to_owned(), Value::Array(draft.graphs.clone()));
    }
    scenario.insert("state".to_owned(), world::state(random));
    world::people_and_host(random, &draft, &mut scenario);
    scenario.insert("agents".to_owned(), Value::Object(draft.agents));
    if !draft.tools.is_empty() {
        scenario.insert("tools".to_owned(), Value::Object(draft.tools));
    }
    if !draft.servers.is_empty() {
        scenario.insert("a2a".to_owned(), Value::Object(draft.servers));
    }
    Value::Object(scenario)
}

/// A graph: nodes in a sequence, with some edges that skip nodes or lead back.
fn graph(random: &mut Random, draft: &mut Draft, id: &str, depth: usize) -> Value {
    let count = 1 + random.below(if depth == 0 { 5 } else { 3 });
    let ids: Vec<String> = (0..count).map(|position| format!("{id}{position}")).collect();
    draft.nodes.extend(ids.iter().cloned());
    let nodes: Vec<Value> = ids.iter().map(|node| nodes::node(random, draft, &ids, node, depth)).collect();
    let mut ends: Vec<&str> = ids.last().map(String::as_str).into_iter().collect();
    if random.chance(15) {
        ends.push(ids[random.below(count)].as_str());
    }
    if random.chance(5) {
        ends.clear();
    }
    let mut graph = json!({
        "id": id, "name": id, "description": "d", "start_node": ids[0], "end_nodes": ends,
        "nodes": nodes, "edges": edges(random, &ids),
    });
    if random.chance(10) {
        graph["strict_taint"] = json!(true);
    }
    if depth > 0 && random.chance(25) {
        graph["inputs"] = ports(random, true);
    }
    if depth > 0 && random.chance(15) {
        graph["outputs"] = ports(random, false);
    }
    graph
}

fn edges(random: &mut Random, ids: &[String]) -> Value {
    let mut edges = Vec::new();
    for (position, id) in ids.iter().enumerate() {
        if random.chance(35) {
            let target = &ids[random.below(ids.len())];
            let condition = json!({"type": "conditional", "condition": condition(random)});
            edges.push(json!({"source": id, "target": target, "condition": condition}));
        }
        if let Some(next) = ids.get(position + 1)
            && random.chance(95)
        {
            edges.push(json!({"source": id, "target": next}));
        }
    }
    edges.into()
}

fn condition(random: &mut Random) -> String {
    let key = random.pick(KEYS);
    match random.below(9) {
        0 => format!("memory.{key} == 'go'"),
        1 => format!("memory.{key} > {}", random.below(4)),
        2 => format!("exists(memory.{key})"),
        3 => format!("memory.{key} and tainted"),
        4 => format!("iteration_count < {}", random.below(6)),
        5 => format!("not exists(memory.{key}) or memory.n > 1"),
        6 => format!("length(memory.{key}) > 1"),
        7 => format!("memory.g{}_result == 'go'", random.below(4)),
        _ => "total_tokens_used > 40".to_owned(),
    }
}

fn ports(random: &mut Random, are_inputs: bool) -> Value {
    let schema = |random: &mut Random| match random.below(6) {
        0 => json!({"type": "string"}),
        1 => json!({"type": "number"}),
        2 => json!({"type": "array", "items": {"type": "object", "properties": {"k": {"type": "number"}}}}),
        3 => json!({"type": "string", "enum": ["go", "stop"]}),
        4 => json!({"type": "object", "required": ["k"], "properties": {"k": {"type": "boolean"}}}),
        _ => json!({}),
    };
    let mut ports = Map::new();
    for _ in 0..=random.below(2) {
        let mut port = json!({"schema": schema(random)});
        if are_inputs && random.chance(50) {
            port["required"] = json!(random.chance(40));
        }
        ports.insert(random.pick(KEYS).to_owned(), port);
    }
    Value::Object(ports)
}

/// Some of the keys, each once.
fn some_keys(random: &mut Random, most: usize) -> Vec<&'static str> {
    let mut keys = Vec::new();
    for _ in 0..random.below(most + 1) {
        let key = random.pick(KEYS);
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    keys
}

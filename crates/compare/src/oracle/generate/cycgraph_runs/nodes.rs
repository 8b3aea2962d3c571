//! The nodes of generated graphs, by type.
//!
//! Input is random choices and the ids of the graph's nodes. Output is a node. Invariant: most names in a node are
//! added to the draft.

use serde_json::{Map, Value, json};

use super::super::super::random::Random;
use super::{Draft, KEYS, MAX_DEPTH, graph, some_keys, world};

const TYPES: &[&str] = &[
    "agent",
    "agent",
    "agent",
    "agent",
    "tool",
    "tool",
    "router",
    "map",
    "map",
    "voting",
    "verifier",
    "verifier",
    "approval",
    "supervisor",
    "synthesizer",
    "annealing",
    "swarm",
    "evolution",
    "reflection",
    "subgraph",
    "subgraph",
    "a2a",
];

/// A node with its settings.
pub(super) fn node(random: &mut Random, draft: &mut Draft, ids: &[String], id: &str, depth: usize) -> Value {
    let mut node = Map::new();
    node.insert("id".to_owned(), json!(id));
    let kind = random.pick(TYPES);
    let word = if matches!(kind, "annealing" | "swarm") { "agent" } else { kind };
    node.insert("type".to_owned(), json!(word));
    let reads = if random.chance(20) { vec!["*"] } else { some_keys(random, 3) };
    node.insert("read_keys".to_owned(), json!(reads));
    policies(random, &mut node);
    match kind {
        "agent" | "annealing" | "swarm" => agent(random, draft, ids, kind, &mut node),
        "tool" => tool(random, draft, &mut node),
        "map" => map(random, ids, &mut node),
        "voting" => voting(random, draft, &mut node),
        "verifier" => verifier(random, draft, &mut node),
        "approval" => approval(random, ids, &mut node),
        "supervisor" => supervisor(random, draft, ids, &mut node),
        "synthesizer" if random.chance(50) => {
            node.insert("agent_id".to_owned(), json!(world::worker(random, draft)));
            writes(random, &mut node);
        }
        "evolution" => evolution(random, draft, &mut node),
        "reflection" => reflection(random, draft, &mut node),
        "subgraph" => subgraph(random, draft, id, depth, &mut node),
        "a2a" => remote(random, draft, &mut node),
        _ => {}
    }
    Value::Object(node)
}

fn policies(random: &mut Random, node: &mut Map<String, Value>) {
    if random.chance(50) {
        let mut policy = json!({
            "max_retries": random.below(4), "initial_backoff_ms": random.pick(&[0, 1, 40, 700]),
            "backoff_strategy": random.pick(&["linear", "exponential", "fixed"]),
        });
        if random.chance(30) {
            policy["max_backoff_ms"] = json!(random.pick(&[0, 50, 1000]));
        }
        if random.chance(8) {
            policy["timeout_ms"] = json!(random.pick(&[1, 30, 90, 5000]));
        }
        if random.chance(12) {
            policy["circuit_breaker"] = json!({
                "enabled": true, "failure_threshold": 1 + random.below(2), "success_threshold": 1 + random.below(2),
                "timeout_ms": random.pick(&[0, 30, 5000]),
            });
        }
        node.insert("failure_policy".to_owned(), policy);
    }
    if random.chance(7) {
        let budget = match random.chance(60) {
            true => json!({"max_tokens": 1 + random.below(120)}),
            false => json!({"max_cost_usd": random.pick(&[0.001, 0.02, 1.0])}),
        };
        node.insert("budget".to_owned(), budget);
    }
    if random.chance(10) {
        node.insert("requires_compensation".to_owned(), json!(true));
    }
}

fn writes(random: &mut Random, node: &mut Map<String, Value>) {
    let mut keys = if random.chance(12) { vec!["*"] } else { some_keys(random, 2) };
    if keys.is_empty() && random.chance(80) {
        keys.push(random.pick(KEYS));
    }
    if !keys.is_empty() && random.chance(20) {
        let key = if keys[0] == "*" { random.pick(KEYS) } else { keys[0] };
        node.insert("default_write_key".to_owned(), json!(key));
    }
    node.insert("write_keys".to_owned(), json!(keys));
}

fn memory_query(random: &mut Random, node: &mut Map<String, Value>) {
    if random.chance(12) {
        let mut query = Map::new();
        if random.chance(40) {
            query.insert("tags".to_owned(), json!(["lesson"]));
        }
        if random.chance(30) {
            query.insert("text".to_owned(), json!("what"));
        }
        if random.chance(30) {
            query.insert("max_facts".to_owned(), json!(1 + random.below(3)));
        }
        if random.chance(50) {
            query.insert("untrusted".to_owned(), json!(random.chance(80)));
        }
        node.insert("memory_query".to_owned(), Value::Object(query));
    }
}

fn agent(random: &mut Random, draft: &mut Draft, ids: &[String], kind: &str, node: &mut Map<String, Value>) {
    node.insert("agent_id".to_owned(), json!(world::worker(random, draft)));
    writes(random, node);
    memory_query(random, node);
    if random.chance(10) {
        node.insert("tools".to_owned(), world::tool_sources(random, draft));
    }
    if kind == "annealing" || random.chance(2) {
        let mut settings =
            json!({"max_iterations": 1 + random.below(4), "threshold": random.pick(&[0.5, 0.8, 1.0])});
        match random.below(3) {
            0 => settings["evaluator_agent_id"] = json!(world::judge(random, draft)),
            1 => {
                settings["score_path"] =
                    json!(random.pick(&["$.updates.a", "$.updates.n", "$.updates..k", "$.updates["]))
            }
            _ => {}
        }
        if random.chance(30) {
            settings["diminishing_returns_delta"] = json!(random.pick(&[0.0, 0.1, 0.5]));
        }
        node.insert("annealing_config".to_owned(), settings);
    }
    if kind == "swarm" || random.chance(2) {
        let peers: Vec<&String> = (0..=random.below(2)).map(|_| &ids[random.below(ids.len())]).collect();
        node.insert(
            "swarm_config".to_owned(),
            json!({"peer_nodes": peers, "max_handoffs": 1 + random.below(2)}),
        );
        node.insert("agent_id".to_owned(), json!(world::swarmer(random, draft, ids)));
        node.insert("write_keys".to_owned(), json!(["a", "peer_delegation"]));
        node.remove("default_write_key");
    }
}

fn tool(random: &mut Random, draft: &mut Draft, node: &mut Map<String, Value>) {
    let name = world::tool(random, draft);
    let sources = if random.chance(95) { json!([name]) } else { json!(["save_to_memory"]) };
    node.insert("tool_id".to_owned(), json!(name));
    node.insert("tools".to_owned(), sources);
}

fn map(random: &mut Random, ids: &[String], node: &mut Map<String, Value>) {
    let worker = &ids[random.below(ids.len())];
    let mut settings = json!({"worker_node_id": worker});
    match random.below(20) {
        0 => {}
        1..=11 => {
            let items = [json!("x"), json!(1), json!({"k": 2}), json!(null), json!("y")];
            settings["static_items"] = items[random.below(items.len() + 1)..].into();
        }
        _ => {
            settings["items_path"] = json!(random.pick(&[
                "$.memory.rows",
                "$.memory.rows[*].k",
                "$.memory.a",
                "$.rows",
                "$.memory.rows["
            ]));
            node.insert("read_keys".to_owned(), json!(["rows", "a"]));
        }
    }
    if random.chance(40) {
        settings["error_strategy"] = json!(random.pick(&["fail_fast", "best_effort"]));
    }
    if random.chance(70) {
        settings["max_concurrency"] = json!(1 + random.below(3));
    }
    if random.chance(10) {
        settings["max_items"] = json!(1 + random.below(3));
    }
    if random.chance(15) {
        settings["task_timeout_ms"] = json!(random.pick(&[1, 25, 1000]));
    }
    memory_query(random, node);
    node.insert("map_reduce_config".to_owned(), settings);
}

fn voting(random: &mut Random, draft: &mut Draft, node: &mut Map<String, Value>) {
    let voters: Vec<String> = (0..=random.below(4)).map(|_| world::worker(random, draft)).collect();
    let mut settings = json!({"voter_agent_ids": voters});
    match random.below(4) {
        0 => {
            settings["strategy"] = json!("weighted_vote");
            settings["weights"] = json!({"w0": random.below(4), "w1": 0.5});
        }
        1 => {
            settings["strategy"] = json!("llm_judge");
            settings["judge_agent_id"] = json!(world::judge(random, draft));
        }
        _ => {}
    }
    if random.chance(20) {
        settings["quorum"] = json!(1 + random.below(4));
    }
    if random.chance(20) {
        settings["vote_key"] = json!(random.pick(KEYS));
    }
    if random.chance(12) {
        settings["task_timeout_ms"] = json!(random.pick(&[1, 25, 1000]));
    }
    memory_query(random, node);
    node.insert("voting_config".to_owned(), settings);
}

fn verifier(random: &mut Random, draft: &mut Draft, node: &mut Map<String, Value>) {
    let key = random.pick(KEYS);
    node.insert("read_keys".to_owned(), json!([key, random.pick(KEYS)]));
    let mut settings = match random.below(3) {
        0 => json!({
            "type": "llm_judge", "target_key": key, "evaluator_agent_id": world::judge(random, draft),
            "pass_threshold": random.pick(&[0.3, 0.8]),
        }),
        1 => json!({
            "type": "expression",
            "expression": random.pick(&[
                "memory.n > 1", "memory.a == 'go'", "exists(memory.rows)", "goal == \"scripted goal\"", "$.memory.n", "memory.n >",
                "not memory.flag",
            ]),
        }),
        _ => {
            json!({"type": "jsonpath", "target_key": key, "path": random.pick(&["$", "$[0].k", "$[*].k", "$.x", "$..k"]),
            "assertion": assertion(random)})
        }
    };
    if random.chance(35) {
        settings["throw_on_fail"] = json!(random.chance(80));
    }
    if random.chance(25) {
        settings["result_key"] = json!(random.pick(&["check", "a"]));
    }
    node.insert("verifier_config".to_owned(), settings);
}

fn assertion(random: &mut Random) -> Value {
    match random.below(6) {
        0 => json!({"op": "exists"}),
        1 => {
            let values = [json!("go"), json!(1), json!(null), json!([1.5, "x"])];
            json!({"op": "equals", "value": values[random.below(values.len())]})
        }
        2 => json!({"op": "matches", "pattern": random.pick(&["^g", "o$", "(a+)+", "["])}),
        3 => json!({"op": "gt", "value": random.pick(&[0.0, 1.5])}),
        4 => json!({"op": "lte", "value": random.below(3)}),
        _ => json!({"op": random.pick(&["gte", "lt"]), "value": random.below(3)}),
    }
}

fn approval(random: &mut Random, ids: &[String], node: &mut Map<String, Value>) {
    let mut settings = Map::new();
    if random.chance(40) {
        settings.insert("review_keys".to_owned(), json!([random.pick(KEYS), random.pick(KEYS)]));
    }
    if random.chance(40) {
        settings.insert("rejection_node_id".to_owned(), json!(ids[random.below(ids.len())]));
    }
    if random.chance(20) {
        settings.insert("timeout_ms".to_owned(), json!(5000));
    }
    node.insert("approval_config".to_owned(), Value::Object(settings));
}

fn supervisor(random: &mut Random, draft: &mut Draft, ids: &[String], node: &mut Map<String, Value>) {
    let managed: Vec<&String> = (0..=random.below(2)).map(|_| &ids[random.below(ids.len())]).collect();
    node.insert(
        "supervisor_config".to_owned(),
        json!({"managed_nodes": managed, "max_iterations": 1 + random.below(4)}),
    );
    node.insert("agent_id".to_owned(), json!(world::supervisor(random, draft, ids)));
    memory_query(random, node);
}

fn evolution(random: &mut Random, draft: &mut Draft, node: &mut Map<String, Value>) {
    let mut settings = json!({
        "population_size": 2 + random.below(3), "candidate_agent_id": world::worker(random, draft),
        "max_generations": 1 + random.below(4), "elite_count": random.below(2), "stagnation_generations": 1 + random.below(3),
        "fitness_threshold": random.pick(&[0.5, 0.9, 2.0]), "tournament_size": 2,
        "selection_strategy": random.pick(&["rank", "tournament", "roulette"]), "max_concurrency": 1 + random.below(3),
    });
    if random.chance(85) {
        settings["evaluator_agent_id"] = json!(world::judge(random, draft));
    }
    if random.chance(25) {
        settings["error_strategy"] = json!("fail_fast");
    }
    memory_query(random, node);
    node.insert("evolution_config".to_owned(), settings);
}

fn reflection(random: &mut Random, draft: &mut Draft, node: &mut Map<String, Value>) {
    let sources = [random.pick(KEYS), random.pick(KEYS)];
    node.insert("read_keys".to_owned(), json!([sources[0], sources[1], "who"]));
    let extractor = match random.chance(50) {
        true => json!({"type": "rule_based", "min_sentence_length": 1 + random.below(20)}),
        false => {
            json!({"type": "llm", "agent_id": world::extractor(random, draft), "max_facts": 1 + random.below(3)})
        }
    };
    let mut settings = json!({"source_keys": sources, "extractor": extractor, "tags": ["lesson"]});
    if random.chance(40) {
        settings["entity_keys"] = json!(["who"]);
    }
    if random.chance(20) {
        settings["result_key"] = json!("learnt");
    }
    node.insert("reflection_config".to_owned(), settings);
}

fn subgraph(random: &mut Random, draft: &mut Draft, id: &str, depth: usize, node: &mut Map<String, Value>) {
    let target = match random.below(40) {
        0 => "g".to_owned(),
        1 => "nowhere".to_owned(),
        _ if depth >= MAX_DEPTH => {
            draft.graphs.first().and_then(|graph| graph["id"].as_str()).unwrap_or("g").to_owned()
        }
        _ => {
            let child = format!("{id}x");
            let inner = graph(random, draft, &child, depth + 1);
            draft.graphs.push(inner);
            child
        }
    };
    let mut mapping = |count: usize| -> Map<String, Value> {
        (0..random.below(count)).map(|_| (random.pick(KEYS).to_owned(), json!(random.pick(KEYS)))).collect()
    };
    let mut settings =
        json!({"subgraph_id": target, "input_mapping": mapping(4), "output_mapping": mapping(4)});
    if random.chance(40) {
        settings["max_iterations"] = json!(1 + random.below(6));
    }
    node.insert("subgraph_config".to_owned(), settings);
}

fn remote(random: &mut Random, draft: &mut Draft, node: &mut Map<String, Value>) {
    let server = world::server(random, draft);
    let mut settings = json!({
        "server_id": server, "input_mapping": {random.pick(KEYS): "question"},
        "output_mapping": {"answer": random.pick(KEYS), "other": random.pick(KEYS)},
    });
    if random.chance(30) {
        settings["skill_id"] = json!("skill");
    }
    if random.chance(30) {
        node.insert("agent_id".to_owned(), json!("z"));
    }
    node.insert("a2a_config".to_owned(), settings);
}

//! Answers of Node as YAML. Input: what modules built. Output: the documents. Invariant: no id that was made up is in them.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Value as Json, json};

use super::yaml;
use crate::modules::Loading;
use crate::modules::answer::ModuleAnswer;

fn built(graphs: Json) -> ModuleAnswer {
    let minted = ["m1", "m2", "m3", "m4"];
    let answer = json!({"node": "v24.0.0", "graphs": graphs, "minted": minted, "files": []});
    serde_json::from_value(answer).unwrap()
}

fn check(graphs: Json, expected: &str) {
    let loading = Loading {
        node: PathBuf::from("node"),
        module: PathBuf::from("/p/src/claims.ts"),
        folder: PathBuf::from("/p"),
        variables: Vec::new(),
        calls: Vec::new(),
        limit: Duration::from_secs(1),
    };
    assert_eq!(yaml(&loading, &built(graphs)).unwrap(), expected);
}

#[test]
fn ids_that_a_package_made_up_get_names_or_go() {
    let place = |line: u32| json!({"file": "/p/src/claims.ts", "line": line, "column": 1});
    check(
        json!([
            {
                "system": "cycgraph", "builder": "graph", "place": place(3), "parts": {"look": place(2)}, "exports": [], "agents": [],
                "value": {
                    "id": "m1", "name": "Look Up", "description": "",
                    "nodes": [{"id": "look", "type": "tool", "tool_id": "look", "read_keys": []}],
                    "edges": [], "start_node": "look", "end_nodes": ["look"], "strict_taint": false,
                },
            },
            {
                "system": "cycgraph", "builder": "graph", "place": place(9), "parts": {}, "exports": ["claims"],
                "value": {
                    "id": "m2", "name": "Claims", "description": "all: of them",
                    "nodes": [
                        {"id": "inner", "type": "subgraph", "subgraph_config": {"subgraph_id": "m1", "max_iterations": 50}},
                        {"id": "write", "type": "agent", "agent_id": "m4", "write_keys": ["yes"]},
                    ],
                    "edges": [{"id": "m3", "source": "inner", "target": "write", "condition": {"type": "always"}}],
                    "start_node": "inner", "end_nodes": ["write"],
                },
                "agents": [{"id": "m4", "name": "Clerk", "model": "m", "provider": "p", "systemPrompt": "Write.", "permissions": null}],
            },
        ]),
        "# What src/claims.ts builds, written by `nodewise import` with Node v24.0.0.
# src/claims.ts:3: graph
id: look-up
name: Look Up
description: \"\"
nodes:
  # src/claims.ts:2
  - id: look
    type: tool
    tool_id: look
edges: []
start_node: look
end_nodes:
  - look
---
# src/claims.ts:9: graph, exported as claims
name: Claims
description: \"all: of them\"
nodes:
  - id: inner
    type: subgraph
    subgraph_config:
      subgraph_id: look-up
  - id: write
    type: agent
    agent_id: clerk
    write_keys:
      - \"yes\"
edges:
  - source: inner
    target: write
start_node: inner
end_nodes:
  - write
---
id: clerk
name: Clerk
model: m
provider: p
system_prompt: Write.
",
    );
}

#[test]
fn the_time_in_an_id_goes() {
    check(
        json!([{
            "system": "agentos", "builder": "workflow", "place": null, "parts": {}, "exports": ["a.b"], "agents": [],
            "value": {"id": "graph-a-1700000000000", "name": "a", "nodes": [], "edges": []},
        }]),
        "# What src/claims.ts builds, written by `nodewise import` with Node v24.0.0.
# exported as a.b
id: graph-a
name: a
nodes: []
edges: []
",
    );
}

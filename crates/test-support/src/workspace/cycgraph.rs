//! A cycgraph file of a project of any size: a graph with the nodes, conditions and settings that teams write,
//! and the agents that it calls. Every name resolves within the project; every second graph runs
//! another file's, which runs none.

use std::fmt::Write;

/// The text of file `number` of `count`.
pub fn graph(number: usize, count: usize, team: &str) -> String {
    let nested = nested(number, count);
    let agents = agents(number, team);
    format!(
        "\
# Team {team}: case {number}
id: case-{number}
name: case-{number}
description: Handle case {number} of {team}.
strict_keys: true
inputs:
  request: {{schema: {{type: object}}}}
outputs:
  answer: {{schema: {{type: string}}}}
nodes:
  - id: read
    type: agent
    agent_id: reader-{number}
    read_keys: [request]
    write_keys: [topic, score]
    budget: {{max_tokens: 4000}}
  - id: look_up
    type: tool
    tool_id: look_up
    tools: [look_up]
    read_keys: [request, topic]
    failure_policy:
      max_retries: 4
      backoff_strategy: linear
      initial_backoff_ms: 200
  - id: sane
    type: verifier
    read_keys: [look_up_result]
    verifier_config:
      type: jsonpath
      target_key: look_up_result
      path: $.status
      assertion: {{op: equals, value: ok}}
{nested}  - id: write
    type: agent
    agent_id: writer-{number}
    read_keys: [topic, advice, look_up_result]
    write_keys: [answer]
  - {{id: park, type: router}}
edges:
  - {{id: e1, source: read, target: look_up}}
  - {{id: e2, source: look_up, target: sane}}
  - id: e3
    source: sane
    target: nested
    condition: {{type: conditional, condition: \"memory.sane_verification_passed and number(memory.score) > 0.{number}\"}}
  - id: e4
    source: sane
    target: write
    condition: {{type: conditional, condition: \"memory.topic in ('{team}', 'other')\"}}
  - {{id: e5, source: sane, target: park}}
  - {{id: e6, source: nested, target: write}}
start_node: read
end_nodes: [write, park]
{agents}"
    )
}

/// A node that calls the graph of another file, or an agent.
fn nested(number: usize, count: usize) -> String {
    let called = (number * 7 + 3) % count;
    if number.is_multiple_of(2) && called % 2 == 1 {
        format!(
            "  - id: nested
    type: subgraph
    read_keys: [request]
    subgraph_config:
      subgraph_id: case-{called}
      input_mapping: {{request: request}}
      output_mapping: {{answer: advice}}
"
        )
    } else {
        format!(
            "  - {{id: nested, type: agent, agent_id: reader-{number}, read_keys: [request], write_keys: [advice]}}\n"
        )
    }
}

/// The agents that the graph calls, each as a document.
fn agents(number: usize, team: &str) -> String {
    format!(
        "\
---
id: reader-{number}
name: Reader
model: claude-sonnet-4-6
provider: anthropic
system_prompt: You read requests for {team}.
temperature: 0.2
---
id: writer-{number}
name: Writer
model: claude-sonnet-4-6
provider: anthropic
system_prompt: You answer requests for {team}.
"
    )
}

/// A graph with this many nodes: a tree with three branches at each node, and edges back from every seventh node.
pub fn large_graph(nodes: usize) -> String {
    let mut text = String::from("id: large\nname: large\nnodes:\n");
    for node in 0..nodes {
        let _ = writeln!(
            text,
            "  - {{id: step_{node}, type: agent, agent_id: clerk, read_keys: [claim], write_keys: [letter]}}"
        );
    }
    text.push_str("edges:\n");
    for (from, to) in large_graph_edges(nodes) {
        let _ = writeln!(text, "  - {{source: step_{from}, target: step_{to}}}");
    }
    let last = nodes.saturating_sub(1);
    let _ = writeln!(text, "start_node: step_0\nend_nodes: [step_{last}]");
    text.push_str(
        "---\nid: clerk\nname: Clerk\nmodel: claude-sonnet-4-6\nprovider: anthropic\nsystem_prompt: Work.\n",
    );
    text
}

/// The edges of [`large_graph`], as pairs of node numbers.
pub fn large_graph_edges(nodes: usize) -> Vec<(usize, usize)> {
    let mut edges = Vec::new();
    for node in 1..nodes {
        edges.push(((node - 1) / 3, node));
        if node % 7 == 1 {
            edges.push((node, (node - 1) / 5));
        }
    }
    edges
}

//! cycgraph: keys by type, variants, node ids, keys of the memory, in YAML and JSON.

use super::{check_accept, check_completion, check_labels};

const GRAPH: &str = "id: g
name: G
description: ''
inputs:
  topic: {schema: {type: string}}
nodes:
  - id: research
    type: agent
    agent_id: searcher
    read_keys: [topic]
    write_keys: [notes]
  - id: write
    type: agent
    agent_id: author
    read_keys: [notes]
    write_keys: [draft]
  - id: check
    type: router
edges:
  - source: research
    target: write
  - source: write
    target: check
start_node: research
end_nodes: [check]
";

/// The graph with one of its lines replaced.
fn with(line: &str, other: &str) -> String {
    assert!(GRAPH.contains(line), "{line}");
    GRAPH.replacen(line, other, 1)
}

#[test]
fn keys_by_type() {
    check_labels(
        &with("  - id: check\n    type: router\n", "  - id: check\n    type: supervisor\n    $0\n"),
        "agent_id supervisor_config memory_query read_keys write_keys default_write_key failure_policy budget …",
    );
    check_accept(
        &with("  - id: check\n    type: router\n", "  - id: check\n    type: supervisor\n    sup$0\n"),
        "supervisor_config",
        &with(
            "  - id: check\n    type: router\n",
            "  - id: check\n    type: supervisor\n    supervisor_config:\n      $0\n",
        ),
    );
    check_labels(&with("  - source: write\n", "  - $0\n"), "source id condition metadata");
    check_labels(&with("start_node: research\n", "$0\n"), "start_node outputs strict_taint strict_keys");
}

#[test]
fn node_ids() {
    check_completion(
        &with("    target: check\n", "    target: $0\n"),
        "research Node: agent
         check Node: router
         write Node: agent",
    );
    check_labels(&with("    target: check\n", "    target: ch$0\n"), "check research");
    check_labels(&with("end_nodes: [check]", "end_nodes: [check, $0]"), "research write");
    check_labels(&with("start_node: research\n", "start_node:$0\n"), "research write check");
    check_accept(
        &with("start_node: research\n", "start_node:$0\n"),
        "write",
        &with("start_node: research\n", "start_node: write\n"),
    );
}

#[test]
fn keys_of_the_memory() {
    check_completion(
        &with("    read_keys: [notes]\n", "    read_keys: [$0]\n"),
        "notes State: written by `research`
         research_output State: written by `research`
         topic State: input
         draft State: written by this node
         write_output State: written by this node
         * State: every key",
    );
    check_completion(
        &with("    read_keys: [topic]\n", "    read_keys: [topic, $0]\n"),
        "draft State: written by `write`, which does not run earlier
         write_output State: written by `write`, which does not run earlier
         notes State: written by this node
         research_output State: written by this node
         * State: every key",
    );
    check_labels(&with("    write_keys: [draft]\n", "    write_keys: [$0]\n"), "write_output topic notes …");
}

#[test]
fn graphs_and_agents() {
    let bundle = "manifest: {name: b, version: '1', requires: {models: [m1]}}
graph:
  id: main
  name: M
  description: ''
  nodes:
    - id: a
      type: agent
      agent_id: $0
    - id: s
      type: subgraph
      subgraph_config:
        subgraph_id: inner
        input_mapping: {question: query}
  edges: []
  start_node: a
  end_nodes: [a]
agents:
  - id: author
    name: A
    model: m1
    provider: p
    system_prompt: x
graphs:
  - id: inner
    name: I
    description: ''
    inputs: {query: {schema: {}}, limit: {schema: {}, required: false}}
    outputs: {answer: {schema: {}}}
    nodes: []
    edges: []
    start_node: x
    end_nodes: []
";
    check_completion(bundle, "author Declaration: Agent in this document");
    let at = |line: &str, other: &str| bundle.replacen("$0", "author", 1).replacen(line, other, 1);
    check_labels(&at("subgraph_id: inner", "subgraph_id: $0"), "inner main");
    check_completion(
        &at("{question: query}", "{question: $0}"),
        "query State: input
         limit State: input, optional",
    );
    check_labels(&at("input_mapping: {question: query}", "output_mapping: {$0}"), "answer");
    check_labels(&at("    model: m1\n", "    model: $0\n"), "m1");
}

#[test]
fn variants() {
    let node =
        |rest: &str| with("    type: router\n", &format!("    type: verifier\n    verifier_config:\n{rest}"));
    check_labels(&node("      $0\n"), "type …");
    check_accept(&node("      t$0\n"), "type", &node("      type: llm_judge\n"));
}

#[test]
fn json() {
    let graph = "{\n  \"id\": \"g\",\n  \"name\": \"G\",\n  \"start_node\": \"a\",\n  \"nodes\": [\n    {\"id\": \"a\", \"type\": \"agent\", $0}\n  ]\n}\n";
    let at = |other: &str| format!("#- /g.json\n{}", graph.replacen(", $0", other, 1));
    check_accept(&at(", $0"), "agent_id", &graph.replacen("$0", "\"agent_id\": \"$0\"", 1));
    check_accept(
        &at(", \"ag$0"),
        "agent_id",
        &graph.replacen(", $0}", ", \"agent_id\": \"$0\"", 1).replacen("\"$0\"", "\"$0\"}", 1),
    );
    check_accept(&at(", \"read$0\""), "read_keys", &graph.replacen("$0", "\"read_keys\": [\"$0\"]", 1));
    check_accept(&at("\n     $0"), "budget", &graph.replacen(", $0", ",\n     \"budget\": {$0}", 1));
    check_labels(
        &format!("#- /g.json\n{}", graph.replacen("\"agent\", $0", "\"a$0\"", 1)),
        "agent approval a2a subgraph map",
    );
    check_accept(
        &format!("#- /g.json\n{}", graph.replacen("\"agent\", $0", "$0", 1)),
        "tool",
        &graph.replacen("\"agent\", $0", "\"tool\"", 1),
    );
}

#[test]
fn templates() {
    check_accept(
        &with("  - source: write\n    target: check\n", "  - $0\n"),
        "edge",
        &with("  - source: write\n    target: check\n", "  - source: $0\n    target: \n"),
    );
    check_accept(
        &with("  - id: check\n    type: router\n", "  - $0\n"),
        "subgraph node",
        &with(
            "  - id: check\n    type: router\n",
            "  - id: id\n    type: subgraph\n    subgraph_config:\n      subgraph_id: $0\n",
        ),
    );
}

#[test]
fn expressions() {
    let at = |condition: &str| {
        with(
            "    target: check\n",
            &format!("    target: check\n    condition: {{type: conditional, condition: {condition}}}\n"),
        )
    };
    check_labels(
        &at("\"$0\""),
        "memory.notes memory.research_output memory.draft memory.write_output memory.topic …",
    );
    check_labels(&at("\"memory.$0\""), "notes research_output draft write_output topic …");
    check_accept(&at("\"memory.dr$0\""), "draft", &at("\"memory.draft\""));
    check_accept(&at("$0"), "memory.draft", &at("memory.draft"));
    check_accept(&at("memory.draft a$0"), "and", &at("memory.draft and"));
    check_labels(&at("\"memory.draft == 1 $0\""), "== != < …");
}

#[test]
fn schemas() {
    let at = |schema: &str| with("{type: string}", schema);
    check_labels(&at("{$0}"), "type description properties required …");
    check_labels(&at("{type: $0}"), "string number integer boolean object array null");
    check_labels(&at("{type: object, properties: {a: {t$0}}}"), "type …");
    check_labels(&at("{type: object, properties: {$0}}"), "");
    check_labels(&at("{items: {type: i$0}}"), "integer string");
    check_accept(&at("{$0}"), "properties", &at("{properties: {$0}}"));
    check_accept(&at("{$0}"), "type", &at("{type: string}"));
}

#[test]
fn tools() {
    let node =
        |tools: &str| with("    agent_id: author\n", &format!("    agent_id: author\n    tools:\n{tools}"));
    check_labels(
        &node("      - mcp: web\n        tools: [fetch]\n      - $0\n"),
        "mcp type fetch type: builtin type: mcp type: custom …",
    );
    check_labels(
        &node("      - type: builtin\n        name: $0\n"),
        "save_to_memory architect_draft_workflow architect_publish_workflow architect_get_workflow",
    );
    check_labels(&node("      - type: builtin\n        $0\n"), "name");
    check_labels(&node("      - type: mcp\n        $0\n"), "server_id tool_names");
    check_accept(
        &node("      - type: mcp\n        to$0\n"),
        "tool_names",
        &node("      - type: mcp\n        tool_names:\n          - $0\n"),
    );
    check_labels(&node("      - mcp: web\n      - type: mcp\n        server_id: $0\n"), "web");
}

#[test]
fn half_typed_documents() {
    check_labels(
        "name: G\nnodes:\n  - id: a\n    type: a$0\nstart_node: a\n",
        "agent approval a2a subgraph map",
    );
    check_labels("nodes:\n  - id: a\n    type: agent\n    agent_id: x\nstart_node: $0\n", "a");
    check_labels("id: g\nname: G\ndescription: ''\nnodes: []\nedges: []\nstart_node: a\nen$0", "end_nodes");
    check_labels(
        "nodes: [{id: a, type: agent, agent_id: x}, {id: b, type: $0",
        "agent tool subgraph synthesizer router supervisor map voting approval evolution verifier reflection a2a",
    );
    check_labels(&with("end_nodes: [check]", "end_nodes: [$0"), "research write check");
}

#[test]
fn numbers_and_booleans() {
    let node = |line: &str| {
        with("    agent_id: author\n", &format!("    agent_id: author\n    failure_policy:\n      {line}\n"))
    };
    check_completion(&node("max_retries: $0"), "3 Value: default; a whole number from 0 to 10");
    check_labels(&node("backoff_strategy: $0"), "linear exponential fixed");
    check_accept(&node("backoff$0"), "backoff_strategy", &node("backoff_strategy: linear"));
    check_accept(&node("max_r$0"), "max_retries", &node("max_retries: 3"));
    check_labels(&with("start_node: research\n", "start_node: research\nstrict_keys: $0\n"), "true false");
    check_labels(&node("max_retries: \"$0\""), "");
}

#[test]
fn graphs_are_found_by_their_names() {
    check_completion(
        "
#- /a.yaml
id: main
name: Main
description: x
nodes: [{id: sub, type: subgraph, subgraph_config: {subgraph_id: 0b$0}}]
edges: []
start_node: sub
end_nodes: [sub]
#- /b.yaml
id: 0b54a3f2-d5b2-4df9-a2fb-8ec6a4e5e3f0
name: Claims
description: x
nodes: [{id: a, type: router}]
edges: []
start_node: a
end_nodes: [a]
",
        "0b54a3f2-d5b2-4df9-a2fb-8ec6a4e5e3f0 Declaration: Graph `Claims` in b.yaml",
    );
}

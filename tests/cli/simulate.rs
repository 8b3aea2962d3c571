//! `simulate`.

use crate::support::{Folder, check_run};

const FLOW: &str = "#- flow.yaml
id: flow
name: flow
description: A draft is sent when it is good.
nodes:
  - {id: write, type: agent, agent_id: writer, write_keys: [draft]}
  - {id: rate, type: tool, tool_id: rate, tools: [rate], read_keys: [draft]}
  - {id: send, type: agent, agent_id: sender, read_keys: [draft], write_keys: [sent]}
edges:
  - {source: write, target: rate}
  - {source: rate, target: send, condition: {type: conditional, condition: memory.rate_result > 5}}
start_node: write
end_nodes: [send]
---
id: writer
name: Writer
model: m-1
provider: local
system_prompt: Write.
#- flow.script.yaml
script: A good draft.
agents: {writer: {text: Dear all., after: 1500}, sender: sent}
tools: {rate: 8}
";

#[test]
fn a_script_is_followed() {
    check_run(FLOW, "simulate flow.yaml --script flow.script.yaml", "@script@");
}

#[test]
fn without_a_script_everybody_echoes() {
    check_run(FLOW, "simulate flow.yaml", "@echo@");
}

#[test]
fn a_run_begins_where_it_is_told_to() {
    check_run(
        FLOW,
        "simulate flow.yaml#flow --script flow.script.yaml --start send --format mermaid",
        "@mermaid@",
    );
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let chance = FLOW.replace("rate: 8", "rate: {one_of: [{value: 3}, {value: 8}]}");
    let folder = Folder::new(&chance);
    let run = |seed: u32| folder.run(&format!("simulate flow.yaml --script flow.script.yaml --format json --seed {seed}"));
    assert_eq!(run(1), run(1));
    assert!((1..20).any(|seed| run(seed).ends_with("exit 0\n")));
    assert!((1..20).any(|seed| run(seed).ends_with("exit 1\n")));
}

#[test]
fn limits_end_a_run() {
    let folder = Folder::new(FLOW);
    let shown = folder.run("simulate flow.yaml --limit-visits 1");
    assert!(shown.contains("stopped"), "{shown}");
    assert!(shown.ends_with("exit 1\n"), "{shown}");
}

#[test]
fn a_graph_that_the_release_refuses_says_so() {
    let broken = FLOW.replace("target: rate}", "target: rated}");
    let folder = Folder::new(&broken);
    let shown = folder.run("simulate flow.yaml");
    assert!(shown.contains("note: cycgraph refuses the graph"), "{shown}");
    assert!(shown.contains("failed: ") && shown.contains("`rated`"), "{shown}");
    assert!(shown.ends_with("exit 1\n"), "{shown}");
}

#[test]
fn wrong_usage() {
    check_run(FLOW, "simulate none.yaml", "@none@");
    check_run(FLOW, "simulate flow.yaml#flew", "@flew@");
    check_run(FLOW, "simulate flow.yaml --input {x", "@input@");
    check_run(FLOW, "simulate flow.yaml --script flow.yaml", "@noscript@");
}

//! `simulate`.

#![allow(clippy::panic, reason = "a test fails by panicking")]

use crate::support::Folder;

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

/// Holds that a command line shows all of these, in this order.
fn check_shows(files: &str, words: &str, expected: &[&str]) {
    let shown = Folder::new(files).run(words);
    let mut rest = shown.as_str();
    for part in expected {
        let (_, behind) = rest.split_once(part).unwrap_or_else(|| panic!("no `{part}` in\n{shown}"));
        rest = behind;
    }
}

#[test]
fn a_script_is_followed() {
    check_shows(
        FLOW,
        "simulate flow.yaml --script flow.script.yaml",
        &[
            "graph `flow` of cycgraph\n",
            "0 ms  write  agent  flow.yaml:5\n",
            "answer  \"Dear all.\"\n",
            "1.5 s  rate  tool  flow.yaml:6\n",
            "reads   draft = \"Dear all.\"\n",
            "edge    -> send  when memory.rate_result > 5  flow.yaml:10\n",
            "memory.rate_result = 8\n",
            "answer  \"sent\"\n",
            "completed after 1.5 s, 3 visits\n",
            "exit 0\n",
        ],
    );
}

#[test]
fn without_a_script_everybody_echoes() {
    let refused =
        ["answer  \"echo of write\"", "edge    -x send", "failed after 0 ms, 2 visits: ", "exit 1\n"];
    check_shows(FLOW, "simulate flow.yaml", &refused);
}

#[test]
fn a_run_begins_where_it_is_told_to() {
    check_shows(
        FLOW,
        "simulate flow.yaml#flow --script flow.script.yaml --start send --format mermaid",
        &["flowchart TD\n", "[\"send<br/>agent\"]", "class g0n3 visited\n", "exit 0\n"],
    );
}

#[test]
fn pictures_and_traces() {
    let picture = ["<svg xmlns=", "<title>graph `flow`</title>", "</svg>\n", "exit 0\n"];
    check_shows(FLOW, "simulate flow.yaml --script flow.script.yaml --format svg", &picture);
    let trace =
        ["{\n  \"version\": 1,\n  \"system\": \"cycgraph\",", "\"event\":\"graph-started\"", "exit 0\n"];
    check_shows(FLOW, "simulate flow.yaml --script flow.script.yaml --format json", &trace);
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let chance = FLOW.replace("rate: 8", "rate: {one_of: [{value: 3}, {value: 8}]}");
    let folder = Folder::new(&chance);
    let run = |seed: u32| {
        folder.run(&format!("simulate flow.yaml --script flow.script.yaml --format json --seed {seed}"))
    };
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
    assert!(shown.contains("failed after 0 ms, 0 visits: ") && shown.contains("`rated`"), "{shown}");
    assert!(shown.ends_with("exit 1\n"), "{shown}");
}

#[test]
fn wrong_usage() {
    check_shows(FLOW, "simulate none.yaml", &["! error: ", "none.yaml", "exit 2\n"]);
    check_shows(FLOW, "simulate flow.yaml#flew", &["! error: no graph has the id `flew`\n", "exit 2\n"]);
    check_shows(FLOW, "simulate flow.yaml --input {x", &["! error: the input is not JSON", "exit 2\n"]);
    let no_script = ["! error: `flow.yaml` holds no script\n", "exit 2\n"];
    check_shows(FLOW, "simulate flow.yaml --script flow.yaml", &no_script);
}

//! `simulate`.

use crate::cli::support::{Folder, check_run};

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
    check_run(
        FLOW,
        "simulate flow.yaml --script flow.script.yaml",
        r#"
graph `flow` of cycgraph
note: the agent `sender` is not declared; it runs without tools and limits
      0 ms  write  agent  flow.yaml:5
              asks    model of `writer`
     1.5 s    answer  "Dear all."
              writes  draft = "Dear all."
              edge    -> rate  flow.yaml:9
     1.5 s  rate  tool  flow.yaml:6
              reads   draft = "Dear all."
              calls   tool rate({"draft":"Dear all."})
              answer  8
              writes  rate_result = 8
              edge    -> send  when memory.rate_result > 5  flow.yaml:10
                         memory.rate_result = 8
     1.5 s  send  agent  flow.yaml:7
              reads   draft = "Dear all."
              asks    model of `sender`: {"draft":"Dear all."}
              answer  "sent"
              writes  sent = "sent"
completed after 1.5 s, 3 visits
  output {"memory":{"draft":"Dear all.","rate_result":8,"sent":"sent"},"goal":""…
exit 0
"#,
    );
}

#[test]
fn without_a_script_everybody_echoes() {
    check_run(
        FLOW,
        "simulate flow.yaml",
        r#"
graph `flow` of cycgraph
note: the agent `sender` is not declared; it runs without tools and limits
      0 ms  write  agent  flow.yaml:5
              asks    model of `writer`
              answer  "echo of write"
              writes  draft = "echo of write"
              edge    -> rate  flow.yaml:9
      0 ms  rate  tool  flow.yaml:6
              reads   draft = "echo of write"
              calls   tool rate({"draft":"echo of write"})
              answer  {"draft":"echo of write"}
              writes  rate_result = {"draft":"echo of write"}
              edge    -x send  when memory.rate_result > 5  flow.yaml:10
                         a number is wanted here, not a mapping
                         memory.rate_result = {"draft":"echo of write"}
failed after 0 ms, 2 visits: NoMatchingEdgeError: Node 'rate' is not an end node and has no outgoing edge whose condition matched — execution cannot proceed. Check the node's edge conditions, or add it to end_nodes if it is meant to terminate.
  at flow.yaml:6
  output {"memory":{"draft":"echo of write","rate_result":{"draft":"echo of writ…
exit 1
"#,
    );
}

#[test]
fn a_run_begins_where_the_user_wants() {
    check_shows(
        FLOW,
        "simulate flow.yaml#flow --script flow.script.yaml --start send --format mermaid",
        &["flowchart TD\n", "(\"send<br/>agent\")", "class g0n3 visited\n", "exit 0\n"],
    );
}

#[test]
fn one_node_runs_alone() {
    check_run(
        FLOW,
        "simulate flow.yaml --script flow.script.yaml --only write",
        r#"
graph `flow` of cycgraph
note: the agent `sender` is not declared; it runs without tools and limits
      0 ms  write  agent  flow.yaml:5
              asks    model of `writer`
     1.5 s    answer  "Dear all."
              writes  draft = "Dear all."
              edge    -> rate  flow.yaml:9
completed after 1.5 s, 1 visit
  output {"draft":"Dear all."}
exit 0
"#,
    );
    let scenario = "#- rate.scenario.yaml
scenario: A good draft is sent.
uses: flow.script.yaml
file: flow.yaml
only: rate
memory: {draft: Dear all.}
expect: {next: send}
";
    let files = format!("{FLOW}{scenario}");
    check_shows(&files, "simulate rate.scenario.yaml", &["  rate  tool", "-> send", "1 visit\n", "exit 0\n"]);
    check_shows(&files, "test rate.scenario.yaml", &["ok ", "(1 visit, 0 ms)", "exit 0\n"]);
    let refused = &["error: the argument '--only <NODE>' cannot be used with '--start <NODE>'", "exit 2\n"];
    check_shows(FLOW, "simulate flow.yaml --only rate --start write", refused);
    let refused = &["error: a run of one node cannot be explored", "help: write `start`", "exit 2\n"];
    check_shows(&files, "simulate rate.scenario.yaml --explore", refused);
}

#[test]
fn pictures_and_traces() {
    let picture = ["<svg xmlns=", "<title>graph “flow”</title>", "</svg>\n", "exit 0\n"];
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
    check_run(
        FLOW,
        "simulate flow.yaml --limit-visits 1",
        r#"
graph `flow` of cycgraph
note: the agent `sender` is not declared; it runs without tools and limits
      0 ms  write  agent  flow.yaml:5
              asks    model of `writer`
              answer  "echo of write"
              writes  draft = "echo of write"
              edge    -> rate  flow.yaml:9
      0 ms  rate  tool  flow.yaml:6
              reads   draft = "echo of write"
stopped at its limit of visits after 0 ms, 2 visits
  at flow.yaml:6
exit 1
"#,
    );
}

#[test]
fn a_graph_that_the_release_refuses_says_so() {
    check_run(
        &FLOW.replace("target: rate}", "target: rated}"),
        "simulate flow.yaml",
        r#"
graph `flow` of cycgraph
note: the agent `sender` is not declared; it runs without tools and limits
note: cycgraph rejects the graph: flow.yaml:9: no node has the id `rated`
failed after 0 ms, 0 visits: Error: Graph validation failed: no node has the id `rated`
  output {"memory":{},"goal":"","constraints":[],"status":"failed","iteration_co…
exit 1
"#,
    );
}

#[test]
fn wrong_usage() {
    let check = |words: &str, expected: &str| check_run(FLOW, words, expected);
    check(
        "simulate none.yaml",
        "! error: none.yaml: no such file or folder\n!   help: check the path\nexit 2\n",
    );
    check(
        "simulate flow.yaml#flew",
        "! error: no graph has the id `flew`\n!   help: there are graphs `flow`\nexit 2\n",
    );
    check(
        "simulate flow.yaml --input {x",
        "! error: the input is not JSON: key must be a string at line 1 column 2\nexit 2\n",
    );
    check("simulate flow.yaml --script flow.yaml", "! error: `flow.yaml` contains no script\nexit 2\n");
}

const CLOCK: &str = "#- nodewise.toml
#- t/now.yaml
kind: LLMNode
name: desk
prompts: {system: {en: Help.}}
nodes: [{target: close, when: $now() > ts}]
---
kind: Node
name: close
func: desk.close
#- t/now.scenario.yaml
scenario: It is late.
file: now.yaml
start: desk
host: {now: 1000}
turns: [{input: hello, context: {ts: 100}}]
functions: {close: closed}
expect: {status: completed}
";

#[test]
fn the_time_of_the_host_explains_conditions_and_counts_in_coverage() {
    let folder = Folder::new(CLOCK);
    let shown = folder.run("simulate t/now.scenario.yaml");
    assert!(shown.contains("-> Node/close  when $now() > ts") && shown.contains("$now() = 1000"), "{shown}");
    let trace = folder.run("simulate t/now.scenario.yaml --format json");
    assert!(trace.contains("\"value\":1000") || trace.contains("\"value\":1e3"), "{trace}");
    assert!(!trace.contains("\"why\":{\"condition\":\"$now() > ts\",\"value\":false"), "{trace}");
    let covered = folder.run("test t/now.scenario.yaml --coverage text");
    assert!(!covered.contains("was never true"), "{covered}");
}

#[test]
fn only_agentos_has_a_documented_reading() {
    check_run(
        FLOW,
        "simulate flow.yaml --as-documented",
        "
! error: `--as-documented` has no effect on cycgraph
!   help: remove it; only AgentOS has documentation that differs from its release
exit 2
",
    );
    let shown = Folder::new(CLOCK).run("simulate t/now.scenario.yaml --as-documented");
    assert!(shown.starts_with("! error: `--as-documented` has no effect on Liman"), "{shown}");
}

const WORKFLOW: &str = "#- flow.yaml
name: daily-brief
steps:
  - id: fetch
    tool: news_search
    memory:
      read: {types: [semantic]}
  - id: write
    gmi: {instructions: Write the brief.}
";

/// AgentOS' documentation shows such files; no release reads them.
#[test]
fn workflows_are_checked_but_neither_run_nor_drawn() {
    let checked = Folder::new(WORKFLOW).run("check --format concise");
    assert!(
        checked.contains("warning[missing-field] `Workflow` lacks the required key `returns`"),
        "{checked}"
    );
    assert!(!checked.contains("error"), "{checked}");
    check_run(
        WORKFLOW,
        "graph flow.yaml",
        "
! error: no graphs to draw
!   help: nodewise checks a Workflow, but does not draw it: your program compiles it to a graph
exit 2
",
    );
    check_run(
        WORKFLOW,
        "simulate flow.yaml",
        "
! error: the file declares nothing to run: no graph and no model node
!   help: a Workflow is checked, but cannot run: a program compiles it to a graph
exit 2
",
    );
}

#[test]
fn a_graph_of_a_module_is_named_by_its_constant() {
    let folder = Folder::new(
        "#- flows/two.ts
import { graph, node } from '@cycgraph/orchestrator';
const a = node({ id: 'a', type: 'router' });
const b = node({ id: 'b', type: 'router' });
export const first = graph({ name: 'First', description: 'd', nodes: [a], edges: [], start: a, end: [a] });
export const second = graph({ name: 'Second', description: 'd', nodes: [b], edges: [], start: b, end: [b] });
",
    );
    let second = folder.run("simulate flows/two.ts#second");
    assert!(second.starts_with("graph `Second` of cycgraph\n") && second.ends_with("exit 0\n"), "{second}");
    let unknown = folder.run("simulate flows/two.ts#third");
    assert!(unknown.contains("no graph has the id `third`\n") && unknown.ends_with("exit 2\n"), "{unknown}");
}

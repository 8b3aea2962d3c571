//! Runs that cannot end well: each ends at once, with a message that names the place.

use crate::cli::support::{Folder, check_run, check_shown};

const FLOW: &str = "#- flow.yaml
id: flow
name: flow
description: A draft is rated.
nodes:
  - {id: write, type: agent, agent_id: writer, write_keys: [draft], failure_policy: {max_retries: 1}}
  - {id: rate, type: tool, tool_id: rate, tools: [rate], read_keys: [draft]}
edges:
  - {source: write, target: rate}
start_node: write
end_nodes: [rate]
";

/// Holds what a run of the flow with a script shows, without what it gives back.
#[track_caller]
fn check_script(script: &str, expected: &str) {
    let folder = Folder::new(&format!("{FLOW}#- run.script.yaml\nscript: Hostile.\n{script}"));
    check_shown(&without_output(&folder.run("simulate flow.yaml --script run.script.yaml")), expected);
}

/// Holds how a run ends: its notes, the last lines without what it gives back, the exit code.
#[track_caller]
fn check_end(folder: &Folder, words: &str, expected: &str) {
    let shown = folder.run(words);
    let is_reported = |line: &&str| {
        let of_visits =
            line.starts_with("     ") || line.starts_with("graph `") || line.starts_with("agent of");
        !of_visits && !line.starts_with("  output ")
    };
    let end: String = shown.lines().filter(is_reported).map(|line| format!("{line}\n")).collect();
    check_shown(&end, expected);
}

fn without_output(shown: &str) -> String {
    shown.lines().filter(|line| !line.starts_with("  output ")).map(|line| format!("{line}\n")).collect()
}

#[test]
fn a_script_that_runs_out() {
    check_script(
        "tools:\n  rate: {error: down}\n",
        r#"
graph `flow` of cycgraph
note: the agent `writer` is not declared; it runs without tools and limits
note: the scripted answers for tool `rate` ran out at run.script.yaml:3
      0 ms  write  agent  flow.yaml:5
              asks    model of `writer`
              answer  "echo of write"
              writes  draft = "echo of write"
              edge    -> rate  flow.yaml:8
      0 ms  rate  tool  flow.yaml:6
              reads   draft = "echo of write"
              calls   tool rate({"draft":"echo of write"})
              error   Error: down
              retries after attempt 1, in 1 s: Error: down
       1 s    calls   tool rate({"draft":"echo of write"})
              error   ScriptExhausted: the script has no answer left for the tool `rate`, which node `rate` asks
              retries after attempt 2, in 2 s: ScriptExhausted: the script has no answer left for the tool `rate`, which node `rate` asks
       3 s    calls   tool rate({"draft":"echo of write"})
              error   ScriptExhausted: the script has no answer left for the tool `rate`, which node `rate` asks
              fails   ScriptExhausted: the script has no answer left for the tool `rate`, which node `rate` asks
failed after 3 s, 2 visits: ScriptExhausted: the script has no answer left for the tool `rate`, which node `rate` asks
  at flow.yaml:6
exit 1
"#,
    );
}

#[test]
fn a_script_that_names_nobody() {
    let folder =
        Folder::new(&format!("{FLOW}#- run.script.yaml\nscript: Nobody.\nagents: {{wirter: Hello.}}\n"));
    check_end(
        &folder,
        "simulate flow.yaml --script run.script.yaml",
        "
note: the agent `writer` is not declared; it runs without tools and limits
note: the scripted answer at run.script.yaml:2 was never used
completed after 0 ms, 2 visits
exit 0
",
    );
    let scenario = "#- run.scenario.yaml\nscenario: Nobody.\nfile: flow.yaml\nagents: {wirter: Hello.}\n";
    let folder = Folder::new(&format!("{FLOW}{scenario}"));
    let shown = folder.run("check run.scenario.yaml --format concise");
    assert!(shown.contains("run.scenario.yaml:3:10: warning[unknown-scripted-name]"), "{shown}");
}

#[test]
fn a_script_that_contradicts_itself() {
    check_script(
        "agents: {writer: one}\nagents: {writer: two}\n",
        "
! error: run.script.yaml:3: duplicate key `agents` [duplicate-key]
!   help: fix the script first: nodewise does not run a part of it
exit 2
",
    );
    let folder = Folder::new("#- run.script.yaml\nscript: Both.\ntools: {rate: {value: 8, error: down}}\n");
    check_shown(
        &folder.run("check --format concise"),
        "
run.script.yaml:2:23: warning[unusable-answer] this is never answered
1 warning in 1 file (1 declaration)
exit 1
",
    );
}

#[test]
fn amounts_below_zero() {
    check_script(
        "host: {max_tokens: -5}\n",
        "
! error: run.script.yaml:2: `max_tokens` takes a number from 0 on, not -5 [out-of-range]
!   help: fix the script first: nodewise does not run a part of it
exit 2
",
    );
    let folder = Folder::new(FLOW);
    for words in [
        "--limit-visits=-1",
        "--limit-run-time=-1",
        "--limit-tokens=x",
        "--limit-cost=-1",
        "--limit-cost=nan",
    ] {
        assert!(folder.run(&format!("simulate flow.yaml {words}")).ends_with("exit 2\n"), "{words}");
    }
}

#[test]
fn limits_of_nothing() {
    let folder = Folder::new(&format!(
        "{FLOW}#- run.script.yaml\nscript: Some tokens.\nagents: {{writer: {{text: Hi., tokens: 12, cost: 0.1, after: 5}}}}\n"
    ));
    let expect = |limit: &str, expected: &str| {
        let note = "note: the agent `writer` is not declared; it runs without tools and limits\n";
        let words = format!("simulate flow.yaml --script run.script.yaml {limit} 0");
        check_end(&folder, &words, &format!("{note}{expected}exit 1\n"));
    };
    expect(
        "--limit-visits",
        "note: the scripted answer at run.script.yaml:2 was never used\nstopped at its limit of visits after 0 ms, 1 visit\n  at flow.yaml:5\n",
    );
    expect(
        "--limit-run-time",
        "stopped at its limit of time after 5 ms, 1 visit, 12 tokens, 0.1 USD\n  at flow.yaml:5\n",
    );
    expect(
        "--limit-tokens",
        "stopped at its limit of tokens after 5 ms, 1 visit, 12 tokens, 0.1 USD\n  at flow.yaml:5\n",
    );
    expect(
        "--limit-cost",
        "stopped at its limit of cost after 5 ms, 1 visit, 12 tokens, 0.1 USD\n  at flow.yaml:5\n",
    );
}

#[test]
fn a_budget_of_zero() {
    let folder = Folder::new(&format!(
        "{FLOW}#- run.script.yaml\nscript: Zero.\nhost: {{max_tokens: 0, max_cost: 0}}\nagents: {{writer: {{text: Hi., tokens: 12}}}}\n"
    ));
    check_end(
        &folder,
        "simulate flow.yaml --script run.script.yaml",
        "
note: the agent `writer` is not declared; it runs without tools and limits
note: run.script.yaml:2: cycgraph treats a budget of 0 as no limit on tokens
note: run.script.yaml:2: cycgraph treats a budget of 0 as no limit on money
completed after 0 ms, 2 visits, 12 tokens
exit 0
",
    );
    let node = FLOW.replace("write_keys: [draft],", "write_keys: [draft], budget: {max_tokens: 0},");
    check_end(
        &Folder::new(&node),
        "simulate flow.yaml",
        "
note: the agent `writer` is not declared; it runs without tools and limits
note: cycgraph rejects the graph: flow.yaml:5: `max_tokens` takes a whole number from 1 on, not 0
failed after 0 ms, 0 visits: Error: Graph validation failed: `max_tokens` takes a whole number from 1 on, not 0
exit 1
",
    );
}

#[test]
fn graphs_with_errors() {
    let folder = Folder::new(&FLOW.replace("target: rate}", "target: rated}"));
    check_end(
        &folder,
        "simulate flow.yaml",
        "
note: the agent `writer` is not declared; it runs without tools and limits
note: cycgraph rejects the graph: flow.yaml:8: no node has the id `rated`
failed after 0 ms, 0 visits: Error: Graph validation failed: no node has the id `rated`
exit 1
",
    );
    let liman = "#- desk.yaml
kind: LLMNode
name: desk
prompts: {system: {en: Help.}}
nodes:
  - {target: nobody, when: \"true\"}
  - {target: desk, when: \"a ==\"}
";
    check_shown(
        &Folder::new(liman).run("simulate desk.yaml"),
        r#"
agent of `LLMNode/desk` of Liman
      0 ms  desk  LLMNode  desk.yaml:2
              reads   "hello"
              asks    model of `desk`: "hello"
              answer  "echo of LLMNode/desk"
              edge    -> nobody  when true  desk.yaml:5
              edge    -x LLMNode/desk  when a ==  desk.yaml:6
                         the condition cannot be read: nothing follows `==`
failed after 0 ms, 1 visit: ComponentNotFoundError: Component with key 'Node:nobody' not found in the registry.
  at desk.yaml:2
exit 1
"#,
    );
    let agentos = "#- g.yaml
id: g
name: g
nodes:
  - {id: a, type: tool, executionMode: single_turn, effectClass: read, checkpoint: none}
edges:
  - {id: e1, source: __START__, target: a, type: static}
  - {id: e2, source: a, target: gone, type: static}
stateSchema: {input: {}, scratch: {}, artifacts: {}}
reducers: {}
checkpointPolicy: none
memoryConsistency: live
";
    check_end(
        &Folder::new(agentos),
        "simulate g.yaml",
        "
crashed after 0 ms, 1 visit: Thrown: node `a` has no settings that say what to run
  at g.yaml:4
exit 1
",
    );
}

#[test]
fn a_map_over_a_million_items() {
    let graph = "#- map.yaml
id: mapped
name: mapped
description: A million items.
nodes:
  - {id: each, type: map, read_keys: [items], map_reduce_config: {worker_node_id: label, items_path: $.memory.items}}
  - {id: label, type: tool, tool_id: label, tools: [label]}
edges: []
start_node: each
end_nodes: [each]
";
    let folder = Folder::new(graph);
    let items: Vec<String> = (0..1_000_000).map(|number| number.to_string()).collect();
    folder.write("items.json", format!("{{\"items\": [{}]}}", items.join(",")));
    check_end(
        &folder,
        "simulate map.yaml --input @items.json",
        "
failed after 0 ms, 1 visit: NodeConfigError: map node \"each\" is missing at most 1000 items (resolved 1000000) — chunk the input or lower the item count
  at map.yaml:5
exit 1
",
    );
}

#[test]
fn graphs_that_run_themselves() {
    let cycgraph = "#- self.yaml
id: self
name: self
description: A graph that runs itself.
nodes:
  - {id: again, type: subgraph, subgraph_config: {subgraph_id: self}, failure_policy: {max_retries: 1}}
edges: []
start_node: again
end_nodes: [again]
";
    check_end(
        &Folder::new(cycgraph),
        "simulate self.yaml",
        "
failed after 0 ms, 2 visits: NodeConfigError: subgraph node \"again\" is missing non-cyclic graph (cycle: self -> self)
  at self.yaml:5
exit 1
",
    );
    let agentos = "#- self.yaml
id: self
name: self
nodes:
  - {id: again, type: subgraph, executorConfig: {type: subgraph, graphId: self}, executionMode: single_turn, effectClass: read, checkpoint: none}
edges:
  - {id: e1, source: __START__, target: again, type: static}
  - {id: e2, source: again, target: __END__, type: static}
stateSchema: {input: {}, scratch: {}, artifacts: {}}
reducers: {}
checkpointPolicy: none
memoryConsistency: live
";
    check_end(
        &Folder::new(agentos),
        "simulate self.yaml",
        "
stopped at its limit of depth after 0 ms, 66 visits
  at self.yaml:4
exit 1
",
    );
}

#[test]
fn graphs_far_inside_one_another() {
    let level = |number: u32| {
        let inner = number + 1;
        format!(
            "id: g{number}\nname: g{number}\ndescription: A level.\nnodes:\n  - {{id: down, type: subgraph, \
             subgraph_config: {{subgraph_id: g{inner}}}, failure_policy: {{max_retries: 1}}}}\nedges: []\nstart_node: \
             down\nend_nodes: [down]\n---\n"
        )
    };
    let levels: String = (0..200).map(level).collect();
    let last = "id: g200\nname: g200\ndescription: The last.\nnodes: [{id: end, type: router}]\nedges: []\nstart_node: \
                end\nend_nodes: [end]\n";
    let shown = Folder::new(&format!("#- deep.yaml\n{levels}{last}")).run("simulate deep.yaml#g0");
    let end = shown.lines().rev().take(4).collect::<Vec<_>>();
    let failure = "failed after 0 ms, 33 visits: NodeConfigError: subgraph node \"down\" is missing subgraph nesting \
                   within depth limit (32); current chain: g0 -> g1 -> g2";
    assert!(end[3].starts_with(failure), "{}", end[3]);
    assert_eq!((end[2], end[0]), ("  at deep.yaml:5", "exit 1"));
}

#[test]
fn loops_without_an_end() {
    let cycgraph = "#- loop.yaml
id: loop
name: loop
description: An endless loop.
nodes: [{id: a, type: router}, {id: b, type: router}]
edges: [{source: a, target: b}, {source: b, target: a}]
start_node: a
end_nodes: []
";
    check_end(
        &Folder::new(cycgraph),
        "simulate loop.yaml",
        "
failed after 0 ms, 50 visits: RunFailed: Max iterations reached: 50
  at loop.yaml:4
exit 1
",
    );
    let script =
        "#- run.script.yaml\nscript: The system allows everything.\nhost: {max_iterations: 1000000000}\n";
    check_end(
        &Folder::new(&format!("{cycgraph}{script}")),
        "simulate loop.yaml --script run.script.yaml --limit-visits 5000",
        "
stopped at its limit of visits after 0 ms, 5001 visits
  at loop.yaml:4
exit 1
",
    );
    let liman = "#- loop.yaml
kind: LLMNode
name: a
prompts: {system: {en: A.}}
nodes: [{target: b, when: \"true\"}]
---
kind: LLMNode
name: b
prompts: {system: {en: B.}}
nodes: [{target: a, when: \"true\"}]
";
    check_end(
        &Folder::new(liman),
        "simulate loop.yaml",
        "
failed after 0 ms, 50 visits: MaxIterationsError: the turn took more than 50 visits
  at loop.yaml:7
exit 1
",
    );
}

#[test]
fn files_in_which_nothing_runs() {
    check_run(
        "#- broken.yaml\nid: broken\nname: \"not closed\nnodes: [{id: a\n",
        "simulate broken.yaml",
        "
! error: the file declares nothing to run: no graph and no model node
!   help: broken.yaml:2: the quoted text has no closing quote [invalid-yaml]
exit 2
",
    );
}

//! `simulate --explore` and `simulate --runs`.

use std::path::Path;

use crate::cli::support::{Folder, check_run, check_shown};

/// A tool that finds nothing, a loop that nothing leaves, an agent that nothing reaches, a key that is read too early.
const ORDERS: &str = r#"#- orders.yaml
id: orders
name: orders
description: An order is checked, then shipped or looked at again.
start_node: check
end_nodes: [done]
nodes:
  - {id: check, type: tool, tool_id: stock, tools: [{type: custom, name: stock}], read_keys: [note]}
  - {id: ask, type: approval, approval_config: {prompt_message: Ship it?, review_keys: ["*"], rejection_node_id: retry}}
  - {id: retry, type: agent, agent_id: clerk, write_keys: [note]}
  - {id: again, type: agent, agent_id: clerk, write_keys: [note]}
  - {id: lost, type: agent, agent_id: clerk, write_keys: [note]}
  - {id: done, type: router}
edges:
  - {source: check, target: ask, condition: {type: conditional, condition: "memory.check_result.status == \"here\""}}
  - {source: ask, target: done}
  - {source: retry, target: again}
  - {source: again, target: retry}
  - {source: again, target: lost, condition: {type: conditional, condition: "memory.note == 1"}}
"#;

/// Two extensions that run together and write one key; a node that waits for one that is skipped.
const REFUND: &str = r#"#- refund.json
{"id": "refund", "name": "refund", "nodes": [
  {"id": "a", "type": "extension", "executorConfig": {"type": "extension", "extensionId": "x", "methodName": "y"}, "executionMode": "single_turn", "effectClass": "read", "checkpoint": "none"},
  {"id": "b", "type": "extension", "executorConfig": {"type": "extension", "extensionId": "x", "methodName": "y"}, "executionMode": "single_turn", "effectClass": "read", "checkpoint": "none"},
  {"id": "c", "type": "guardrail", "executorConfig": {"type": "guardrail", "guardrailIds": ["pii"], "onViolation": "block"}, "executionMode": "single_turn", "effectClass": "read", "checkpoint": "none"},
  {"id": "d", "type": "human", "executorConfig": {"type": "human", "prompt": "Fine?"}, "executionMode": "single_turn", "effectClass": "human", "checkpoint": "none"}],
 "edges": [
  {"id": "e1", "source": "__START__", "target": "a", "type": "static"},
  {"id": "e2", "source": "__START__", "target": "b", "type": "static"},
  {"id": "e3", "source": "a", "target": "c", "type": "static"},
  {"id": "e4", "source": "b", "target": "c", "type": "static"},
  {"id": "e5", "source": "c", "target": "d", "type": "conditional", "condition": {"type": "expression", "expr": "scratch.ready == 'yes'"}},
  {"id": "e6", "source": "d", "target": "__END__", "type": "static"}],
 "stateSchema": {"input": {}, "scratch": {}, "artifacts": {}}, "reducers": {}, "checkpointPolicy": "none", "memoryConsistency": "snapshot"}
"#;

/// A condition that never holds, and two nodes that lead to each other.
const DESK: &str = "#- desk.yaml
kind: LLMNode
name: desk
prompts: {system: {en: Help.}}
tools: [find]
nodes:
  - {target: second, when: \"status == 'open'\"}
  - {target: never, when: \"status == 'open' and status == 'closed'\"}
---
kind: ToolNode
name: find
description: {en: finds}
func: lib.find
arguments: [{name: who, type: string, description: {en: who}}]
---
kind: LLMNode
name: second
prompts: {system: {en: Help more.}}
nodes: [desk_again]
---
kind: LLMNode
name: desk_again
prompts: {system: {en: RestoredRun.}}
nodes: [second]
---
kind: LLMNode
name: never
prompts: {system: {en: Never.}}
";

/// Explores a file, writes the scripts, and runs each of them: holds what the exploration tells, and for each script that
/// its run shows all of these, in this order.
fn check_witnesses(files: &str, file: &str, scripts: &[(&str, &[&str])]) {
    let folder = Folder::new(files);
    let printed = folder.run(&format!("simulate {file} --explore --witnesses out"));
    let mut written = names(&folder.path().join("out"));
    let is_end = |name: &String| name.starts_with("end-") || name.starts_with("most-");
    for end in written.iter().filter(|name| is_end(name)) {
        let shown = folder.run(&format!("simulate {file} --script out/{end}"));
        assert!(!shown.contains("note: the answer at"), "{end} says what nobody asks\n{shown}");
    }
    written.retain(|name| !is_end(name));
    let expected: Vec<&str> = scripts.iter().map(|(name, _)| *name).collect();
    assert_eq!(written, expected, "{printed}");
    for (name, parts) in scripts {
        assert!(printed.contains(&format!("script out/{name}\n")), "{printed}");
        let shown = folder.run(&format!("simulate {file} --script out/{name}"));
        let mut rest = shown.as_str();
        for part in *parts {
            let (_, behind) = rest.split_once(part).unwrap_or_else(|| panic!("no `{part}` in\n{shown}"));
            rest = behind;
        }
    }
}

/// The files of a folder, in order.
fn names(folder: &Path) -> Vec<String> {
    let files = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        files.map(|file| file.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort_unstable();
    names
}

#[test]
fn the_scripts_of_cycgraph_show_the_findings() {
    check_witnesses(
        ORDERS,
        "orders.yaml",
        &[
            ("03-dead-end-check.script.yaml", &["-x ask", "NoMatchingEdgeError", "exit 1\n"]),
            (
                "04-endless-loop-again.script.yaml",
                &["  retry  ", "  again  ", "  retry  ", "  again  ", "exit 1\n"],
            ),
            ("05-read-before-write-check.script.yaml", &["  check  tool", "calls   tool stock"]),
        ],
    );
}

#[test]
fn a_graph_in_a_graph_gives_what_it_declares() {
    let folder = Folder::new(
        "#- flow.yaml
id: flow
name: flow
description: Values a claim, then pays.
nodes:
  - id: value
    type: subgraph
    read_keys: [amount]
    subgraph_config: {subgraph_id: valuing, input_mapping: {amount: claimed}, output_mapping: {sum: sum}, max_iterations: 9}
  - {id: pay, type: router}
edges: [{source: value, target: pay}]
start_node: value
end_nodes: [pay]
---
id: valuing
name: valuing
description: Says what a claim is worth.
inputs: {claimed: {schema: {type: number}}}
outputs: {sum: {schema: {type: number}}}
nodes: [{id: weigh, type: agent, agent_id: actuary, read_keys: [claimed], write_keys: [sum]}]
edges: []
start_node: weigh
end_nodes: [weigh]
---
id: actuary
name: Actuary
model: m-1
provider: openai
system_prompt: You say what a claim is worth.
tools: [{type: builtin, name: save_to_memory}]
#- claim.script.yaml
script: A claim.
file: flow.yaml
graph: flow
input: {amount: 1200}
",
    );
    let printed = folder.run("simulate flow.yaml#flow --explore --script claim.script.yaml");
    assert!(printed.contains("completed at `pay`\n") && !printed.contains("unreached"), "{printed}");
}

#[test]
fn the_scripts_of_agentos_show_the_findings() {
    check_witnesses(
        REFUND,
        "refund.json",
        &[(
            "02-conflicting-writes-a.script.yaml",
            &["  a  extension", "  b  extension", "writes  scratch.ready", "writes  scratch.ready"],
        )],
    );
}

#[test]
fn the_scripts_of_liman_show_the_findings() {
    check_witnesses(
        DESK,
        "desk.yaml",
        &[(
            "03-endless-loop-llmnode-desk-again.script.yaml",
            &["  second  ", "  desk_again  ", "  second  ", "  desk_again  ", "exit 1\n"],
        )],
    );
}

/// Holds that a command line shows all of these.
fn check_shows(files: &str, words: &str, expected: &[&str]) {
    let shown = Folder::new(files).run(words);
    for part in expected {
        assert!(shown.contains(part), "no `{part}` in\n{shown}");
    }
}

#[test]
fn all_that_can_happen() {
    check_run(
        ORDERS,
        "simulate orders.yaml --explore",
        "
graph `orders` of cycgraph, all possible runs
note: the agent `clerk` is not declared; it runs without tools and limits
exhaustive: 10 states, 15 transitions

runs end
  failed NoMatchingEdgeError at `check`
    path check
  failed Error at `check`, only if a call fails
    path check
  completed at `done`
    path check -> ask -> done
  failed AgentExecutionError at `retry`, only if a call fails
    path check -> ask -> retry
  failed AgentExecutionError at `again`, only if a call fails
    path check -> ask -> retry -> again

findings
  unreached-node  orders.yaml:11  no run visits `lost`
  unreached-edge  orders.yaml:18  no run evaluates the edge from `again` to `lost`
  dead-end  orders.yaml:7  a run gets stuck at `check`: it follows no edge from there
    Node 'check' is not an end node and has no outgoing edge whose condition matched — execution cannot proceed. Check the node's edge conditions, or add it to end_nodes if it is meant to terminate.
    path check
  endless-loop  orders.yaml:10  no answer ends the loop of `again`, `retry`: only a limit stops it
    path check -> ask -> retry -> again -> retry -> again -> retry -> again -> retry -> again -> retry -> again … 23 more
  read-before-write  orders.yaml:7  `check` can read `note` before anything has written it
    path check

at most
  loops repeat up to max_iterations (50); this limit alone bounds visits, model calls, tokens and cost

--save-scripts DIR saves scripts that reproduce these runs; `--script` runs one.
exit 1
",
    );
}

#[test]
fn what_was_not_seen_within_a_bound_is_not_said_to_be_impossible() {
    check_shows(
        ORDERS,
        "simulate orders.yaml --explore --max-states 4",
        &[
            "not exhaustive: 4 states",
            "\n  there are more than 4 states\n",
            "`lost` was not reached within 4 states\n",
        ],
    );
}

/// What people usually decide, and how often the stock has what is ordered.
const USUAL: &str = "#- usual.script.yaml
script: What usually happens.
tools:
  stock:
    - {one_of: [{value: {status: here}, weight: 3, after: 200}, {value: {status: gone}, after: 50}]}
people: [approved]
";

#[test]
fn answers_of_a_script_are_the_alternatives() {
    check_shows(
        &format!("{ORDERS}{USUAL}"),
        "simulate orders.yaml --script usual.script.yaml --explore",
        &[
            "note: scripted answers are tried in every order and any number of times\n",
            "runs end\n  failed NoMatchingEdgeError at `check`\n    path check\n  completed at `done`\n    path check -> ask -> done\n\n",
            "`retry` was not reached with the scripted answers\n",
            "  dead-end  orders.yaml:7  ",
            "at most\n  3 visits, 0 model calls\n",
            "exit 1\n",
        ],
    );
}

#[test]
fn many_runs_are_spread_by_the_weights_of_a_script() {
    let folder = Folder::new(&format!("{ORDERS}{USUAL}"));
    let run = |seed: u32| {
        folder.run(&format!("simulate orders.yaml --script usual.script.yaml --runs 400 --seed {seed}"))
    };
    check_shown(
        &run(0),
        "
graph `orders` of cycgraph, 400 runs, seed 0
note: the agent `clerk` is not declared; it runs without tools and limits

outcomes
   75.2 %      301  completed
   24.8 %       99  failed NoMatchingEdgeError

paths
   75.2 %      301  check -> ask -> done
   24.8 %       99  check

runs use        median        90 %        99 %         max
  time        200 ms      200 ms      200 ms      200 ms
  tokens           0           0           0           0
  USD              0           0           0           0

visits        median        90 %        99 %         max
  again            0           0           0           0
  ask              1           1           1           1
  check            1           1           1           1
  done             1           1           1           1
  lost             0           0           0           0
  retry            0           0           0           0
exit 1
",
    );
    assert_eq!(run(0), run(0));
    assert_ne!(run(0), run(1));
}

#[test]
fn many_runs_without_a_script() {
    check_shows(
        ORDERS,
        "simulate orders.yaml --runs 50 --seed 2 --format json",
        &[
            "\"scripted\": false",
            "\"runs\": 50",
            "\"seed\": 2",
            "\"error\": \"NoMatchingEdgeError\"",
            "\"p99\": ",
            "exit 1\n",
        ],
    );
}

#[test]
fn programs_read_the_same() {
    check_shows(
        DESK,
        "simulate desk.yaml --explore --format json",
        &[
            "\"exhaustive\": true",
            "\"kind\": \"endless-loop\"",
            "\"place\": {\n        \"file\": \"desk.yaml\",\n        \"line\": 21,\n        \"column\": 7\n      }",
            "\"script\": \"script: ",
            "\"limit\": \"max_iterations (50)\"",
            "exit 1\n",
        ],
    );
}

#[test]
fn wrong_usage() {
    let refused = |words: &str, reason: &str| check_shows(ORDERS, words, &[reason, "exit 2\n"]);
    refused(
        "simulate orders.yaml --explore --format svg",
        "! error: `--explore` and `--runs` cannot be drawn\n!   help: use `--format text` or `--format json`\n",
    );
    refused("simulate orders.yaml --explore --runs 3", "cannot be used with");
    refused("simulate orders.yaml --runs 0", "invalid value '0'");
    refused("simulate orders.yaml --max-states 9", "--explore");
}

#[test]
fn the_examples_are_explored() {
    let explored = |file: &str, expected: &[&str]| {
        check_shows(
            "",
            &format!("simulate {}/examples/{file} --explore", env!("CARGO_MANIFEST_DIR")),
            expected,
        );
    };
    explored(
        "cycgraph/claims.yaml",
        &[
            "exhaustive: 111 states, 186 transitions\n",
            // The clerk may save no number.
            "  failed SubgraphInterfaceError at `settle`\n    path intake -> policy -> covered -> settle\n",
            "  completed at `confirm`\n",
            "findings\n  read-before-write",
            "exit 1\n",
        ],
    );
    explored(
        "agentos/refunds.yaml",
        &["exhaustive: 15 states, 24 transitions\n", "findings\n  none\n", "exit 0\n"],
    );
    explored(
        "liman/desk.yaml",
        &["  completed at `FunctionNode/archive_case`\n", "findings\n  none\n", "exit 0\n"],
    );
}

#[test]
fn one_core_and_several_print_the_same_of_every_example() {
    let folder = Folder::new("");
    let examples = format!("{}/examples", env!("CARGO_MANIFEST_DIR"));
    for file in [
        "agentos/refunds.yaml",
        "agentos-broken/refunds.yaml",
        "cycgraph/claims.yaml",
        "cycgraph/claims.yaml --script EXAMPLES/cycgraph/claims.script.yaml",
        "cycgraph/settlement.yaml",
        "cycgraph-broken/claims.yaml",
        "liman/desk.yaml",
        "liman/desk.yaml --start desk --max-states 30",
        "liman-broken/desk.yaml",
        "typescript/article.ts",
    ] {
        let words =
            format!("simulate EXAMPLES/{file} --explore --format json").replace("EXAMPLES", &examples);
        let run = |threads: &str| folder.command(&words).env("RAYON_NUM_THREADS", threads).output().unwrap();
        let one = run("1");
        assert!(one.stdout.starts_with(b"{"), "`{words}`: {}", String::from_utf8_lossy(&one.stderr));
        assert_eq!(one, run("4"), "`{words}` with one thread and with four");
    }
}

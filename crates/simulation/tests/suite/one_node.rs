//! Scenarios of one node: what it is given, what it answers, what it leaves behind and where it leads.

use crate::scenarios::{check_coverage_of, check_scenario};

const CLAIM: &str = r#"
#- /claim.yaml
id: claim
name: claim
description: Rates a claim.
nodes:
  - {id: intake, type: agent, agent_id: clerk, read_keys: [claim], write_keys: [sum]}
  - {id: rate, type: tool, tool_id: rate, tools: [{type: custom, name: rate}], read_keys: [sum]}
  - {id: ask, type: approval, read_keys: [sum], approval_config: {prompt_message: Pay?, rejection_node_id: refuse}}
  - {id: inner, type: subgraph, subgraph_config: {subgraph_id: deep, input_mapping: {sum: amount}, output_mapping: {deep_text: text}}}
  - {id: pay, type: tool, tool_id: pay, tools: [{type: custom, name: pay}], read_keys: [sum]}
  - {id: refuse, type: tool, tool_id: refuse, tools: [{type: custom, name: refuse}], read_keys: [sum]}
edges:
  - {source: intake, target: rate}
  - {source: rate, target: ask, condition: {type: conditional, condition: "number(memory.rate_result) > 5 and memory.sum > 9"}}
  - {source: rate, target: inner}
  - {source: inner, target: pay}
  - {source: ask, target: pay}
start_node: intake
end_nodes: [pay, refuse]
---
id: deep
name: deep
description: Looks deeper.
nodes:
  - {id: first, type: agent, agent_id: reader, read_keys: [amount], write_keys: [deep_text]}
  - {id: second, type: agent, agent_id: reader, read_keys: [amount], write_keys: [deep_text]}
edges: [{source: first, target: second}]
start_node: first
end_nodes: [second]
"#;

#[test]
fn the_node_runs_alone_and_where_it_leads_is_compared() {
    let scenario = r#"
#- /claim.scenario.yaml
scenario: A good rating asks a person.
file: claim.yaml
only: rate
memory: {sum: 12}
tools: {rate: {value: 7}}
expect:
  path: [rate]
  next: ask
  state: {rate_result: 7, sum: 12}
  calls: {rate: {count: 1, arguments: [{sum: 12}]}, pay: 0}
---
scenario: A bad one looks deeper.
graph: claim
only: rate
memory: {sum: 12}
tools: {rate: {value: 2}}
expect: {next: [ask]}
---
scenario: The inner graph is part of its node.
file: claim.yaml
only: inner
memory: {sum: 3}
expect: {path: [inner], next: [pay], visits: {at_least: 3, at_most: 3}}
---
scenario: The last node leads nowhere.
file: claim.yaml
only: pay
expect: {next: []}
"#;
    let fixture = format!("{CLAIM}{}", scenario.trim_start());
    check_scenario(
        &fixture,
        r#"
ok      claim.scenario.yaml:1  A good rating asks a person.  (1 visit, 0 ms)
FAILED  claim.scenario.yaml:12  A bad one looks deeper.  (1 visit, 0 ms)
        `rate` leads to `inner`, expected `ask`  claim.scenario.yaml:17
            edge -x ask  when number(memory.rate_result) > 5 and memory.sum > 9  claim.yaml:13
            edge -> inner  claim.yaml:14
            at claim.yaml:6
ok      claim.scenario.yaml:19  The inner graph is part of its node.  (3 visits, 0 ms)
ok      claim.scenario.yaml:25  The last node leads nowhere.  (1 visit, 0 ms)
"#,
    );
    check_coverage_of(
        &fixture,
        r#"
coverage of graph `claim`
  nodes             3/6     50 %
  edges             3/5     60 %
  conditions        1/2     50 %
  not visited   intake  claim.yaml:5
  not visited   ask  claim.yaml:7
  not visited   refuse  claim.yaml:10
  not followed  intake -> rate  claim.yaml:12
  not decided   `memory.sum > 9` was never false  claim.yaml:13
  not followed  ask -> pay  claim.yaml:16
coverage of graph `deep`
  nodes             2/2    100 %
  edges             1/1    100 %
  conditions        0/0    100 %
"#,
    );
}

#[test]
fn people_and_faults() {
    let scenario = r#"
#- /claim.scenario.yaml
scenario: A rejected payment is refused.
file: claim.yaml
only: ask
people: [rejected]
expect: {next: refuse}
---
scenario: Without a decision it waits.
file: claim.yaml
only: ask
expect: {status: waiting, next: []}
---
scenario: A tool that fails fails the node.
file: claim.yaml
only: rate
tools: {rate: {error: {class: Down, message: no answer}, times: always}}
expect: {error: {message: no answer}, next: []}
"#;
    check_scenario(
        &format!("{CLAIM}{}", scenario.trim_start()),
        r#"
ok      claim.scenario.yaml:1  A rejected payment is refused.  (1 visit, 0 ms)
ok      claim.scenario.yaml:7  Without a decision it waits.  (1 visit, 0 ms)
ok      claim.scenario.yaml:12  A tool that fails fails the node.  (1 visit, 3 s)
"#,
    );
}

#[test]
fn nodes_of_liman() {
    check_scenario(
        r#"
#- /desk.yaml
kind: LLMNode
name: desk
prompts: {system: {en: Help.}}
tools: [find]
nodes:
  - {target: close, when: customer.known and not customer.angry}
  - {target: ask, when: not customer.known}
---
kind: FunctionNode
name: close
func: desk.close
---
kind: FunctionNode
name: ask
func: desk.ask
---
kind: ToolNode
name: find
description: {en: Finds.}
func: desk.find
#- /desk.scenario.yaml
scenario: A known customer's case is closed.
file: desk.yaml
only: desk
input: hello
context: {customer: {known: true, angry: false}}
nodes: {desk: Hi.}
expect: {path: [desk], next: close}
---
scenario: The model calls a tool.
file: desk.yaml
only: desk
input: hello
context: {customer: {known: true, angry: false}}
nodes: {desk: [{calls: [{tool: find, arguments: {}}]}, Hi.]}
expect: {path: [desk], next: find}
---
scenario: A function alone.
file: desk.yaml
only: close
input: hello
functions: {desk.close: {value: 3}}
expect: {path: [close], output: 3, next: []}
"#,
        r#"
ok      desk.scenario.yaml:1  A known customer's case is closed.  (1 visit, 0 ms)
ok      desk.scenario.yaml:9  The model calls a tool.  (1 visit, 0 ms)
ok      desk.scenario.yaml:17  A function alone.  (1 visit, 0 ms)
"#,
    );
}

#[test]
fn nodes_of_agentos() {
    check_scenario(
        &format!(
            "{}{}",
            crate::scenarios::AGENTOS,
            r#"#- /refund.scenario.yaml
scenario: A small risk is paid.
file: refund.yaml
only: score
input: {risk: 0.2, known: false}
tools: {score: {value: {sum: 7}, after: 40}}
expect: {path: [score], next: pay, state: {artifacts: {score: {sum: 7}}}}
---
scenario: The payment is the last one.
file: refund.yaml
only: pay
tools: {pay: {value: {receipt: R-1}}}
expect: {path: [pay], next: [refuse]}
"#
        ),
        r#"
ok      refund.scenario.yaml:1  A small risk is paid.  (1 visit, 40 ms)
FAILED  refund.scenario.yaml:8  The payment is the last one.  (1 visit, 0 ms)
        `pay` leads to nothing, expected `refuse`  refund.scenario.yaml:12
            edge -> __END__  refund.yaml:11
            at refund.yaml:5
"#,
    );
}

#[test]
fn what_a_script_says_counts() {
    let scenario = r#"
#- /more/usual.script.yaml
script: The usual answers.
file: ../claim.yaml
tools: {rate: 8}
#- /claim.scenario.yaml
scenario: The script says where the node is.
uses: more/usual.script.yaml
only: rate
memory: {sum: 12}
expect: {next: ask, state: {rate_result: 8}}
---
scenario: A node that is not there.
uses: more/usual.script.yaml
only: raet
"#;
    check_scenario(
        &format!("{CLAIM}{}", scenario.trim_start()),
        r#"
ok      claim.scenario.yaml:1  The script says where the node is.  (1 visit, 0 ms)
error   claim.scenario.yaml:7  A node that is not there.
        line 9: the graph has no node `raet` [unknown-run-target]
          help: write `rate`
"#,
    );
}

//! Rules applied to projects of every system.

use std::sync::Arc;

use nodewise_model::SourceId;

use super::rule_test::{RuleTestResult, difference, run};
use crate::facts::FileFacts;
use crate::project_rules::ActiveRule;
use crate::settings::Settings;
use crate::testing::check_rule;

/// A project with its rule: checks that the rule has exactly the marked findings.
fn check_project_rule(name: &str, rule: &str, files: &str) {
    let (rule, files) = (rule.trim_start(), files.trim_start());
    let id = format!("project/{name}");
    check_rule(&id, &format!("#- /rules/{name}.rule.yaml\nrule: {name}\n{rule}\n{files}"));
    // The same files as a test in the rule's file.
    let inside: String = files.lines().map(|line| format!("      {line}\n")).collect();
    let text = format!("rule: {name}\n{rule}\ntests:\n  - test: the files\n    files: |\n{inside}");
    let active = active(&text);
    assert_eq!(run(&active, &active.rule.tests[0]), RuleTestResult::Passed);
}

/// The rule that a text declares.
fn active(text: &str) -> ActiveRule {
    let settings = Arc::new(Settings::default());
    let facts = FileFacts::new(SourceId(0), "a.rule.yaml".into(), Arc::from(text), settings);
    ActiveRule::of_document(&facts.documents[0]).expect("the rule can be applied")
}

const BUDGET: &str = r#"
message: "`{node}` of `{graph}` may use {max_tokens} tokens"
help: "write at most 20000"
node: {kind: agent}
must: {max_tokens: {at_most: 20000}}"#;

#[test]
fn every_agent_has_a_budget() {
    check_project_rule(
        "agent-with-budget",
        BUDGET,
        "
#- /g.yaml
id: g
name: g
description: d
nodes:
  - {id: a, type: agent, agent_id: x, budget: {max_tokens: 500}}
  - {id: b, type: agent, agent_id: x}
#        ^ warning[project/agent-with-budget]: `b` of `g` may use none tokens
  - {id: c, type: agent, agent_id: x, budget: {max_tokens: 30000}}
#                                                          ^^^^^ warning[project/agent-with-budget]: `c` of `g` may use 30000 tokens
  - {id: d, type: tool, tool_id: t}
edges: [{source: a, target: b}, {source: b, target: c}, {source: c, target: d}]
start_node: a
end_nodes: [d]
#- /chat.yaml
kind: LLMNode
name: chat
prompts: {system: {en: Hello}}
",
    );
}

#[test]
fn only_approved_models() {
    check_project_rule(
        "approved-models",
        r#"
severity: error
message: "`{model}` of `{agent}` is not an approved model"
agent: {model: {not: [claude-*, gpt-5]}}"#,
        "
#- /agents.yaml
id: writer
name: w
provider: anthropic
model: claude-sonnet-4-6
system_prompt: Write.
---
id: reader
name: r
provider: openai
model: gpt-4
#      ^^^^^ error[project/approved-models]: `gpt-4` of `reader` is not an approved model
system_prompt: Read.
#- /aos.yaml
id: aos
name: aos
nodes:
  - id: write
    type: gmi
    executorConfig: {type: gmi, instructions: Write.}
    llm: {providerId: openai, model: gpt-5}
  - id: check
    type: gmi
    executorConfig: {type: gmi, instructions: Check.}
    llm: {providerId: openai, model: o1}
#                                    ^^ error[project/approved-models]: `o1` of `check` is not an approved model
  - id: host
    type: gmi
    executorConfig: {type: gmi, instructions: Check.}
edges:
  - {id: a, source: __START__, target: write, type: static}
  - {id: b, source: write, target: check, type: static}
  - {id: c, source: check, target: host, type: static}
  - {id: d, source: host, target: __END__, type: static}
stateSchema: {input: {}, scratch: {}, artifacts: {}}
reducers: {}
checkpointPolicy: none
memoryConsistency: live
",
    );
}

const APPROVAL: &str = r#"
severity: error
message: "`{to}` follows `{from}` without an approval: {path}"
path:
  from: {servers: "*"}
  to: {tools: [pay_*, refund_*]}
  without: {kind: person}"#;

#[test]
fn an_approval_between_servers_and_payments() {
    check_project_rule(
        "approval-before-payment",
        APPROVAL,
        "
#- /agents.yaml
id: web
name: web
provider: anthropic
model: m
system_prompt: Look.
tools: [{type: mcp, server_id: search}]
#- /safe.yaml
id: safe
name: safe
description: d
nodes:
  - {id: look, type: agent, agent_id: web, write_keys: [found]}
  - {id: ask, type: approval, approval_config: {approval_type: human_review, prompt_message: Pay?}}
  - {id: pay, type: tool, tool_id: pay_card}
edges: [{source: look, target: ask}, {source: ask, target: pay}]
start_node: look
end_nodes: [pay]
#- /unsafe.yaml
id: unsafe
name: unsafe
description: d
nodes:
  - {id: look, type: agent, agent_id: web, write_keys: [found]}
  - {id: ask, type: approval, approval_config: {approval_type: human_review, prompt_message: Pay?}}
  - {id: think, type: agent, agent_id: thinker}
  - {id: pay, type: tool, tool_id: pay_card}
#        ^^^ error[project/approval-before-payment]: `pay` follows `look` without an approval: look → think → pay
  - {id: alone, type: tool, tool_id: refund_all}
edges:
  - {source: look, target: ask}
  - {source: ask, target: pay}
  - {source: look, target: think}
  - {source: think, target: pay}
start_node: look
end_nodes: [pay]
#- /both.yaml
id: both
name: both
description: d
nodes:
  - {id: it, type: agent, agent_id: web, tools: [{type: mcp, server_id: bank, tools: [pay_card]}]}
#        ^^ error[project/approval-before-payment]: `it` follows `it` without an approval: it
edges: []
start_node: it
end_nodes: [it]
",
    );
}

#[test]
fn graphs_that_run_graphs_are_looked_into() {
    check_project_rule(
        "approval-before-payment",
        APPROVAL,
        "
#- /a_parent.yaml
id: parent
name: parent
description: d
nodes:
  - {id: look, type: agent, agent_id: a, tools: [{type: mcp, server_id: search}], write_keys: [found]}
  - {id: ask, type: subgraph, subgraph_config: {subgraph_id: asking}}
  - {id: pay, type: subgraph, subgraph_config: {subgraph_id: paying}}
edges: [{source: look, target: ask}, {source: ask, target: pay}]
start_node: look
end_nodes: [pay]
#- /asking.yaml
id: asking
name: asking
description: d
nodes: [{id: ask, type: approval, approval_config: {approval_type: human_review, prompt_message: Pay?}}]
edges: []
start_node: ask
end_nodes: [ask]
#- /paying.yaml
id: paying
name: paying
description: d
nodes: [{id: pay, type: tool, tool_id: pay_card}]
edges: []
start_node: pay
end_nodes: [pay]
#- /second.yaml
id: second
name: second
description: d
nodes:
  - {id: look, type: agent, agent_id: a, tools: [{type: mcp, server_id: search}], write_keys: [found]}
  - {id: pay, type: subgraph, subgraph_config: {subgraph_id: paying}}
#        ^^^ error[project/approval-before-payment]: `pay` follows `look` without an approval: look → pay
edges: [{source: look, target: pay}]
start_node: look
end_nodes: [pay]
#- /third.yaml
id: third
name: third
description: d
nodes:
  - {id: look, type: agent, agent_id: a, tools: [{type: mcp, server_id: search}], write_keys: [found]}
  - {id: unknown, type: subgraph, subgraph_config: {subgraph_id: elsewhere}}
  - {id: pay, type: tool, tool_id: pay_card}
edges: [{source: look, target: unknown}, {source: unknown, target: pay}]
start_node: look
end_nodes: [pay]
",
    );
}

#[test]
fn paths_from_the_start_and_to_the_end() {
    let rule = r#"
message: "a run deletes before a person agreed"
path: {from: start, to: {tools: delete_*}, without: {kind: person}}"#;
    check_project_rule(
        "agreed-deletion",
        rule,
        "
#- /aos.yaml
id: aos
name: aos
nodes:
  - {id: ask, type: human, executorConfig: {type: human, prompt: Delete?}}
  - {id: wipe, type: tool, executorConfig: {type: tool, toolName: delete_all}}
  - {id: wipe2, type: tool, executorConfig: {type: tool, toolName: delete_one}}
#        ^^^^^ warning[project/agreed-deletion]: a run deletes before a person agreed
edges:
  - {id: a, source: __START__, target: ask, type: static}
  - {id: b, source: ask, target: wipe, type: static}
  - {id: c, source: wipe, target: __END__, type: static}
  - {id: d, source: __START__, target: wipe2, type: static}
stateSchema: {input: {}, scratch: {}, artifacts: {}}
reducers: {}
checkpointPolicy: none
memoryConsistency: live
",
    );
    let rule = r#"
message: "after `{from}` a run ends without a receipt"
path: {from: {tools: pay_*}, to: end, without: {tools: send_receipt}}"#;
    check_project_rule(
        "receipt",
        rule,
        "
#- /g.yaml
id: g
name: g
description: d
nodes:
  - {id: card, type: tool, tool_id: pay_card}
#        ^^^^ warning[project/receipt]: after `card` a run ends without a receipt
  - {id: bank, type: tool, tool_id: pay_bank}
#        ^^^^ warning[project/receipt]: after `bank` a run ends without a receipt
  - {id: cash, type: tool, tool_id: pay_cash}
  - {id: mail, type: tool, tool_id: send_receipt}
  - {id: done, type: tool, tool_id: log}
edges:
  - {source: card, target: cash}
  - {source: cash, target: mail}
  - {source: mail, target: done}
  - {source: card, target: bank}
  - {source: bank, target: done}
start_node: card
end_nodes: [done]
",
    );
}

#[test]
fn documents_that_are_nodes() {
    check_project_rule(
        "checked-answer",
        r#"
message: "`{from}` leads to `{to}` unchecked"
path: {from: {tools: search}, to: {id: publish}, without: {id: check*}}"#,
        "
#- /a.yaml
kind: LLMNode
name: research
#     ^^^^^^^^ warning[project/checked-answer]: `research` leads to `publish` unchecked
prompts: {system: {en: Look.}}
tools: [search]
nodes: [check, write]
---
kind: LLMNode
name: careful
prompts: {system: {en: Look.}}
tools: [search]
nodes: [check]
---
kind: ToolNode
name: search
description: {en: d}
func: x.y
---
kind: Node
name: check
func: x.y
nodes: [publish]
---
kind: LLMNode
name: write
prompts: {system: {en: Write.}}
nodes: [publish]
---
kind: Node
name: publish
func: x.y
",
    );
}

#[test]
fn reads_writes_and_flags() {
    check_project_rule(
        "card-number",
        r#"
message: "`{node}` reads `card_number`"
node: {reads: card_number, id: {not: pay-*}}"#,
        "
#- /g.yaml
id: g
name: g
description: d
inputs: {card_number: {schema: {type: string}}}
nodes:
  - {id: pay-card, type: agent, agent_id: a, read_keys: [card_number]}
  - {id: mail, type: agent, agent_id: a, read_keys: [card_number]}
#                                                    ^^^^^^^^^^^ warning[project/card-number]: `mail` reads `card_number`
  - {id: all, type: agent, agent_id: a, read_keys: ['*']}
#                                                   ^^^ warning[project/card-number]: `all` reads `card_number`
edges: [{source: pay-card, target: mail}, {source: mail, target: all}]
start_node: pay-card
end_nodes: [all]
",
    );
    check_project_rule(
        "no-wildcards",
        r#"
severity: hint
message: "`{node}` may write every key"
node: {any: [{writes_all: true}, {id: never}], not: {id: root}}"#,
        "
#- /g.yaml
id: g
name: g
description: d
nodes:
  - {id: root, type: agent, agent_id: a, write_keys: ['*']}
  - {id: b, type: agent, agent_id: a, write_keys: ['*']}
#        ^ hint[project/no-wildcards]: `b` may write every key
edges: [{source: root, target: b}]
start_node: root
end_nodes: [b]
",
    );
}

#[test]
fn graphs_and_lists() {
    check_project_rule(
        "small-graph",
        r#"
message: "`{graph}` has {node_count} nodes"
graph: {node_count: {at_least: 2}}"#,
        "
#- /g.yaml
id: g
#   ^ warning[project/small-graph]: `g` has 2 nodes
name: g
description: d
nodes: [{id: a, type: tool, tool_id: t}, {id: b, type: tool, tool_id: t}]
edges: [{source: a, target: b}]
start_node: a
end_nodes: [b]
",
    );
    check_project_rule(
        "known-tools",
        r#"
message: "`{node}` calls a tool that is not on the list"
node: {}
must: {tools: {only: [find_*, log]}}"#,
        "
#- /g.yaml
id: g
name: g
description: d
nodes:
  - {id: a, type: tool, tool_id: find_x}
  - {id: b, type: tool, tool_id: shell}
#                                ^^^^^ warning[project/known-tools]: `b` calls a tool that is not on the list
  - {id: c, type: agent, agent_id: of-a-program}
edges: [{source: a, target: b}, {source: b, target: c}]
start_node: a
end_nodes: [c]
",
    );
}

#[test]
fn comments_silence_rules_and_broken_rules_do_nothing() {
    check_project_rule(
        "agent-with-budget",
        BUDGET,
        "
#- /g.yaml
id: g
name: g
description: d
nodes:
  - {id: b, type: agent, agent_id: x}  # nodewise: ignore[project/agent-with-budget] a prototype
edges: []
start_node: b
end_nodes: [b]
",
    );
    let files = "
#- /rules/a.rule.yaml
rule: every-node
message: m
node: {knd: agent}
#- /g.yaml
id: g
name: g
description: d
nodes: [{id: b, type: agent, agent_id: x}]
edges: []
start_node: b
end_nodes: [b]
";
    check_rule("project/every-node", files);
}

#[test]
fn a_failing_test_says_which_lines_differ() {
    let text = "\
rule: no-tools
message: \"`{node}` calls a tool\"
node: {kind: tool}
tests:
  - files: |
      kind: ToolNode
      name: a
      #     ^ error[project/no-tools]: `a` calls a tool
      description: {en: d}
      func: x.y
";
    let active = active(text);
    let RuleTestResult::Failed { expected, actual } = run(&active, &active.rule.tests[0]) else {
        panic!("the severity differs")
    };
    let lines: Vec<(usize, bool, String)> = difference(&expected, &actual)
        .into_iter()
        .map(|line| (line.number, line.is_expected, line.text.trim_start_matches(['#', ' ', '^']).to_owned()))
        .collect();
    let error = (2, true, "error[project/no-tools]: `a` calls a tool".to_owned());
    let warning = (2, false, "warning[project/no-tools]: `a` calls a tool".to_owned());
    assert_eq!(lines, [error, warning]);
}

#[test]
fn a_rule_that_takes_too_long_is_reported_and_nothing_else_of_it() {
    let steps = crate::steps::StepBudget::new(2);
    assert!(steps.take() && steps.take() && !steps.take() && steps.is_out());
    // 6,000 nodes, each compared with 199 texts.
    let nodes: String =
        (0..6_000).map(|node| format!("  - {{id: n{node}, type: tool, tool_id: t}}\n")).collect();
    let many = vec!["never"; 199].join(", ");
    let fixture = format!(
        "#- /a.rule.yaml\nrule: slow\nmessage: m\nnode: {{any: [{{id: [{many}]}}, {{kind: tool}}]}}\n#- /g.yaml\nid: g\n^^ warning[project/slow]: the rule stopped: it takes more than 1000000 steps in this file\nname: g\ndescription: d\nnodes:\n{nodes}edges: []\nstart_node: n0\nend_nodes: [n0]\n"
    );
    check_rule("project/slow", &fixture);
}

#[test]
fn a_search_over_documents_that_takes_too_long_is_reported_once() {
    // 6,000 documents, each compared with 199 texts.
    let nodes: String = (0..6_000)
        .map(|node| format!("kind: LLMNode\nname: n{node}\nprompts: {{system: {{en: Hi}}}}\n---\n"))
        .collect();
    let many = vec!["never"; 199].join(", ");
    let fixture = format!(
        "#- /a.rule.yaml\nrule: slow\nmessage: m\npath: {{from: {{id: [a, b]}}, to: {{id: [{many}]}}}}\n#- /all.yaml\n{nodes}kind: LLMNode\nname: a\n#     ^ warning[project/slow]: the rule stopped: it takes more than 1000000 steps for the nodes of all files\nprompts: {{system: {{en: Hi}}}}\n---\nkind: LLMNode\nname: b\nprompts: {{system: {{en: Hi}}}}\n"
    );
    check_rule("project/slow", &fixture);
}

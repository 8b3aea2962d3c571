//! What the text says about changes.

use nodewise_review::{markdown, text};

use crate::corpora::{compared, files};

/// Holds the text about the changes from `base` to `head` against `expected`.
#[track_caller]
fn check_changes(base: &str, head: &str, expected: &str) {
    assert_eq!(text::text(&compared(&files(base), &files(head))).trim(), expected.trim());
}

const FLOW: &str = r#"
#- flow.yaml
id: flow
name: Flow
description: x
nodes:
  - {id: draft, type: agent, agent_id: writer, write_keys: [draft, notes], failure_policy: {max_retries: 2}}
  - {id: rate, type: verifier, read_keys: [draft], verifier_config: {type: expression, expression: memory.draft}}
  - {id: send, type: tool, tool_id: mail, read_keys: [rate_verification]}
edges:
  - {source: draft, target: rate}
  - {source: rate, target: send, condition: {type: conditional, condition: "memory.rate_verification > 5"}}
  - {source: rate, target: draft}
start_node: draft
end_nodes: [send]
---
id: writer
name: Writer
model: small
provider: anthropic
system_prompt: |
  You write.
  Be brief.
"#;

#[track_caller]
fn check_flow(edits: &[(&str, &str)], expected: &str) {
    let mut head = FLOW.to_owned();
    for (before, after) in edits {
        assert!(head.contains(before), "{before}");
        head = head.replace(before, after);
    }
    check_changes(FLOW, &head, expected);
}

#[test]
fn layout_and_order_change_nothing() {
    check_flow(
        &[
            ("[draft, notes]", "[notes, draft]"),
            ("{source: draft, target: rate}", "{target: rate, condition: {type: always}, source: draft}"),
            ("memory.rate_verification > 5", "memory.rate_verification>5"),
            ("end_nodes: [send]", "end_nodes: ['send']\nstrict_keys: false"),
            (
                "failure_policy: {max_retries: 2}",
                "failure_policy: {max_backoff_ms: 60000, max_retries: 2}, budget: ",
            ),
        ],
        "no changes in meaning",
    );
}

#[test]
fn a_renamed_node_is_one_change() {
    check_flow(
        &[
            ("id: rate", "id: judge"),
            ("target: rate", "target: judge"),
            ("source: rate", "source: judge"),
            ("rate_verification", "judge_verification"),
        ],
        "
~ graph `flow`  flow.yaml:1
  ~ node `rate` is now `judge`

1 change in 1 declaration",
    );
}

#[test]
fn a_renamed_agent_is_one_change() {
    check_flow(
        &[("id: writer", "id: author")],
        "
~ agent `writer` is now `author`  flow.yaml:15

1 change in 1 declaration",
    );
}

#[test]
fn changes_are_named() {
    check_flow(
        &[
            ("max_retries: 2", "max_retries: 3"),
            ("[draft, notes]", "[draft, log]"),
            ("memory.rate_verification > 5\"", "memory.rate_verification > 7\""),
            ("tool_id: mail", "tool_id: post"),
            ("model: small", "model: large"),
            ("Be brief.", "Be exact."),
        ],
        "
~ graph `flow`  flow.yaml:1
  ~ node `draft`
      policy `failure_policy.max_retries`: `2` -> `3`
      grant `write_keys`: -`notes`, +`log`
  ~ node `send`
      grant `tool_id`: `mail` -> `post`
  ~ edge `rate -> send`
      condition `condition.condition`: `memory.rate_verification > 5` -> `memory.rate_verification > 7`

~ agent `writer`  flow.yaml:15
  model `model`: `small` -> `large`
  prompt `system_prompt`:
    - Be brief.
    + Be exact.

6 changes in 2 declarations",
    );
}

#[test]
fn a_condition_that_comes_or_goes_is_one_change() {
    check_flow(
        &[
            (", condition: {type: conditional, condition: \"memory.rate_verification > 5\"}", ""),
            (
                "{source: rate, target: draft}",
                "{source: rate, target: draft, condition: {type: conditional, condition: 'memory.x'}}",
            ),
        ],
        "
~ graph `flow`  flow.yaml:1
  ~ edge `rate -> send`
      condition `condition`: `memory.rate_verification > 5` -> `always`
  ~ edge `rate -> draft`
      condition `condition`: `always` -> `memory.x`

2 changes in 1 declaration",
    );
}

#[test]
fn nodes_and_edges_come_and_go() {
    check_flow(
        &[
            ("  - {id: send,", "  - {id: log, type: tool, tool_id: log}\n  - {id: send,"),
            ("{source: rate, target: draft}", "{source: rate, target: log}"),
            (
                "{source: draft, target: rate}",
                "{source: draft, target: rate}\n  - {source: log, target: send}",
            ),
        ],
        "
~ graph `flow`  flow.yaml:1
  + node `log` (tool)
  ~ edge `rate -> draft` is now `rate -> log`
  + edge `log -> send`

3 changes in 1 declaration",
    );
}

#[test]
fn the_order_of_edges_counts_where_they_leave_one_node() {
    check_flow(
        &[
            ("  - {source: draft, target: rate}\n", ""),
            (
                "  - {source: rate, target: draft}\n",
                "  - {source: rate, target: draft}\n  - {source: draft, target: rate}\n",
            ),
        ],
        "no changes in meaning",
    );
    let edge = "  - {source: rate, target: send, condition: {type: conditional, condition: \"memory.rate_verification > 5\"}}\n";
    check_flow(
        &[
            (edge, ""),
            ("  - {source: rate, target: draft}\n", &format!("  - {{source: rate, target: draft}}\n{edge}")),
        ],
        "
~ graph `flow`  flow.yaml:1
  ~ the edges from `rate` are tried in another order

1 change in 1 declaration",
    );
}

const DESK: &str = "
#- desk.yaml
kind: LLMNode
name: desk
prompts: {system: Help people.}
tools: [find, refund]
nodes:
  - target: close
    when: done == true
---
kind: ToolNode
name: find
description: Finds an order
func: shop.find
---
kind: ToolNode
name: refund
description: Pays back
func: shop.refund
---
kind: Node
name: close
func: shop.close
";

#[test]
fn declarations_that_lead_to_one_another() {
    check_changes(
        DESK,
        &DESK
            .replace("[find, refund]", "[find]")
            .replace("done == true", "done==true")
            .replace("name: close", "name: end")
            .replace("target: close", "target: [end]")
            .replace("system: Help people.", "en: {system: Help people.}, de: {system: Hilf Leuten.}"),
        "
~ LLMNode `desk`  desk.yaml:1
  prompt `prompts.system.de`: added, `Hilf Leuten.`
  grant `tools`: -`refund`

~ Node `close` is now `end`  desk.yaml:19

3 changes in 2 declarations",
    );
}

#[test]
fn names_of_files_cannot_become_markdown() {
    let head = FLOW
        .replace("id: send", "id: '`<b>'")
        .replace("target: send", "target: '`<b>'")
        .replace("[send]", "['`<b>']");
    let found = markdown::markdown(&compared(&files(FLOW), &files(&head)));
    assert!(found.contains("node `send` is now `` `<b> ``"), "{found}");
    assert!(found.contains("n1[\"#96;#60;b#62;<br/>tool\"]"), "{found}");
}

#[test]
fn a_removed_edge_is_drawn_at_the_new_name_of_its_node() {
    let head = FLOW
        .replace("id: rate", "id: judge")
        .replace("target: rate", "target: judge")
        .replace("source: rate", "source: judge")
        .replace("rate_verification", "judge_verification")
        .replace("  - {source: judge, target: draft}\n", "");
    let found = markdown::markdown(&compared(&files(FLOW), &files(&head)));
    assert!(found.contains("removed edge `rate -> draft`"), "{found}");
    assert!(!found.contains("\"rate"), "{found}");
}

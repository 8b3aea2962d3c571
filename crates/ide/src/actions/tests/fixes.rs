//! The fixes of rules.

use super::{check_action, check_titles};

#[test]
fn a_fix_of_a_rule() {
    check_action(
        "
kind: LLMNode
name: chat
prompts: {system: {en: Hi}}
tools: [serch$0]
---
kind: ToolNode
name: search
description: {en: Searches.}
func: a.b
",
        "Replace it with `search`",
        "
kind: LLMNode
name: chat
prompts: {system: {en: Hi}}
tools: [search]
---
kind: ToolNode
name: search
description: {en: Searches.}
func: a.b
",
    );
}

#[test]
fn all_of_a_rule_and_all_that_is_safe() {
    let before = "
kind: Node
name: a
func: \"pkg:ru$0n\"
---
kind: Node
name: b
func: \"pkg:go\"
nodes: [a]  # nodewise: ignore nothing
";
    check_titles(before, "Fix", &["Fix all 2 `func-path` in the file", "Fix everything that is safe to fix"]);
    check_action(
        before,
        "Fix all 2 `func-path` in the file",
        "
kind: Node
name: a
func: \"pkg.run\"
---
kind: Node
name: b
func: \"pkg.go\"
nodes: [a]  # nodewise: ignore nothing
",
    );
    check_action(
        before,
        "Fix everything that is safe to fix",
        "
kind: Node
name: a
func: \"pkg.run\"
---
kind: Node
name: b
func: \"pkg.go\"
nodes: [a]
",
    );
}

#[test]
fn what_overlaps_waits_for_the_next_round() {
    check_action(
        "
name: desk
description: A desk.
nodes:
  - {id: a, type: agent, agent_id: x, read_keys: [k, k, k, k$0], write_keys: [k]}
edges: []
start_node: a
end_nodes: [a]
",
        "Fix all 3 `repeated-entry` in the file",
        "
name: desk
description: A desk.
nodes:
  - {id: a, type: agent, agent_id: x, read_keys: [k], write_keys: [k]}
edges: []
start_node: a
end_nodes: [a]
",
    );
}

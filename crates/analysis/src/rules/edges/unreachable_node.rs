//! ## What it does
//!
//! Reports a node that no run reaches.
//!
//! In cycgraph and AgentOS, this is a node to which neither an edge nor a node that delegates leads from where
//! runs begin. If other unreachable nodes follow it, one finding counts them.
//!
//! In Liman, this is a Node or FunctionNode that no edge leads to, in a project with an LLMNode where a run can
//! begin because nothing leads to it. The rule is silent if a file cannot be read.
//!
//! ## Why it matters
//!
//! In cycgraph and Liman, the node never runs. In AgentOS, it runs at once, before its input exists. An edge is
//! missing, or you can delete the node.
//!
//! ## Example
//!
//! In cycgraph:
//!
//! ```yaml expect=unreachable-node
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: router}
//!   - {id: b, type: router}
//! edges: []
//! start_node: a
//! end_nodes: [a, b]
//! ```
//!
//! In Liman:
//!
//! ```yaml expect=unreachable-node
//! kind: LLMNode
//! name: chat
//! prompts: {system: {en: Hi}}
//! ---
//! kind: Node
//! name: notify
//! func: desk.notify
//! ```
//!
//! ## Instead
//!
//! In cycgraph:
//!
//! ```yaml ok
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: router}
//!   - {id: b, type: router}
//! edges:
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [b]
//! ```
//!
//! In Liman:
//!
//! ```yaml ok
//! kind: LLMNode
//! name: chat
//! prompts: {system: {en: Hi}}
//! nodes:
//!   - {target: notify, when: urgent}
//! ---
//! kind: Node
//! name: notify
//! func: desk.notify
//! ```

use crate::rule::{Category, Rule};

/// The rule. Its page is the head of this file.
pub static RULE: Rule = Rule {
    id: "unreachable-node",
    former: &["unreachable"],
    category: Category::Suspicious,
    is_fixable: false,
    since: "0.1.0",
    own: &[],
};

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn a_node_with_the_id_of_the_beginning_is_reached() {
        check_rule(
            "unreachable-node",
            r"
id: g
name: g
nodes:
  - {id: __START__, type: tool, executorConfig: {type: tool, toolName: t}}
  - {id: lost, type: tool, executorConfig: {type: tool, toolName: t}}
#        ^^^^ warning[unreachable-node]: `lost` is unreachable
edges:
  - {id: a, source: __START__, target: __END__, type: static}
stateSchema: {input: {}, scratch: {}, artifacts: {}}
",
        );
    }

    #[test]
    fn what_edges_and_handing_over_do_not_reach() {
        check_rule(
            "unreachable-node",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: approval, approval_config: {rejection_node_id: c}}
  - {id: b, type: router}
#        ^ warning[unreachable-node]: `b` is unreachable
  - {id: c, type: router}
  - {id: d, type: router}
edges:
  - {source: c, target: d}
  - {source: b, target: a}
start_node: a
end_nodes: [b]
",
        );
    }
}

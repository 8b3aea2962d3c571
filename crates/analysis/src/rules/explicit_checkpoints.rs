//! ## What it does
//!
//! Reports the checkpoint policy `explicit` of a graph in which no node asks for a checkpoint.
//!
//! ## Why it matters
//!
//! To the runtime `explicit` and `none` are the same: a node's own `checkpoint` counts under both, and nothing
//! else is saved but interrupts and failures. Here nothing is saved at all.
//!
//! ## Example
//!
//! ```yaml expect=explicit-checkpoints
//! id: graph-a
//! name: a
//! nodes:
//!   - {id: a, type: tool, executorConfig: {type: tool, toolName: a}, executionMode: single_turn, effectClass: external, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: a, type: static}
//!   - {id: e2, source: a, target: __END__, type: static}
//! stateSchema: {input: {}, scratch: {}, artifacts: {}}
//! reducers: {}
//! checkpointPolicy: explicit
//! memoryConsistency: snapshot
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! id: graph-a
//! name: a
//! nodes:
//!   - {id: a, type: tool, executorConfig: {type: tool, toolName: a}, executionMode: single_turn, effectClass: external, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: a, type: static}
//!   - {id: e2, source: a, target: __END__, type: static}
//! stateSchema: {input: {}, scratch: {}, artifacts: {}}
//! reducers: {}
//! checkpointPolicy: every_node
//! memoryConsistency: snapshot
//! ```

use nodewise_dialect::tables::agentos::{EXPLICIT_POLICY, NO_CHECKPOINT};

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Context, Needs, Report, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "explicit-checkpoints",
    spec: None,
    systems: &["agentos"],
    severity: Severity::Hint,
    absence: false,
    about_syntax: false,
    about_form: false,
    needs: Needs::Nothing,
    check,
};

fn check(context: &Context<'_>, report: &mut Report) {
    for (graph, _) in context.flows() {
        let asks = graph.nodes.iter().filter_map(|node| node.conduct.checkpoint.as_ref());
        let Some(policy) = graph.checkpoints.as_ref().filter(|policy| policy.value == EXPLICIT_POLICY) else {
            continue;
        };
        if asks.into_iter().all(|checkpoint| checkpoint.value == NO_CHECKPOINT) {
            report.push(
                Finding::new(policy.at, "no node asks for a checkpoint")
                    .label("it means the same as `none`: nothing is saved")
                    .help("write `every_node`, or let nodes ask"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn a_node_that_asks_is_enough() {
        check_rule(
            "explicit-checkpoints",
            r#"
checkpointPolicy: explicit
#                 ^^^^^^^^ hint[explicit-checkpoints]: no node asks for a checkpoint
nodes:
  - {id: a, executorConfig: {type: tool}, checkpoint: none}
edges: []
---
checkpointPolicy: explicit
nodes:
  - {id: a, executorConfig: {type: tool}, checkpoint: after}
edges: []
"#,
        );
    }
}

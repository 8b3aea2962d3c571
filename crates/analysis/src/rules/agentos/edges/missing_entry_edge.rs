//! ## What it does
//!
//! Reports an AgentOS graph in which no edge comes from `__START__`.
//!
//! ## Why it matters
//!
//! The validator refuses the graph: a run has nowhere to begin.
//!
//! ## Example
//!
//! ```yaml expect=missing-entry-edge
//! id: graph-a
//! name: a
//! nodes:
//!   - {id: a, type: tool, executorConfig: {type: tool, toolName: a}, executionMode: single_turn, effectClass: external, checkpoint: none}
//! edges:
//!   - {id: e1, source: a, target: __END__, type: static}
//! stateSchema: {input: {}, scratch: {}, artifacts: {}}
//! reducers: {}
//! checkpointPolicy: none
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
//! checkpointPolicy: none
//! memoryConsistency: snapshot
//! ```

use nodewise_dialect::tables::agentos::START;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Needs, Report, Rule, RulePart};
use crate::rules::graph_findings;

pub(crate) static RULE: Rule = Rule {
    id: "missing-entry-edge",
    former: &[],
    category: Category::Correctness,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart {
        spec: Some("agentos:R5"),
        severity: Severity::Error,
        absence: true,
        needs: Needs::Edges,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for (graph, _) in context.whole_graphs() {
        if !graph_findings::begins(graph) {
            report.push(
                Finding::new(graph.edges_at.unwrap_or(graph.head), format!("no edge comes from `{START}`"))
                    .label("a run has nowhere to begin")
                    .help(format!("add an edge with the source `{START}`")),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn any_type_of_edge_counts() {
        check_rule(
            "missing-entry-edge",
            r#"
nodes:
  - {id: a, executorConfig: {type: tool}}
edges:
^^^^^ error[missing-entry-edge]: no edge comes from `__START__`
  - {source: a, target: __END__, type: static}
---
nodes:
  - {id: a, executorConfig: {type: tool}}
edges:
  - {source: __START__, target: a, type: conditional, condition: {type: expression, expr: "true"}}
"#,
        );
    }
}

//! ## What it does
//!
//! Reports an AgentOS graph in which no edge leads to `__END__`.
//!
//! ## Why it matters
//!
//! The validator refuses the graph: a run has nowhere to end.
//!
//! ## Example
//!
//! ```yaml expect=missing-exit-edge
//! id: graph-a
//! name: a
//! nodes:
//!   - {id: a, type: tool, executorConfig: {type: tool, toolName: a}, executionMode: single_turn, effectClass: external, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: a, type: static}
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

use nodewise_dialect::tables::agentos::END;
use nodewise_model::graph::EndpointRole;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Needs, Report, Rule, RulePart};

pub(crate) static RULE: Rule = Rule {
    id: "missing-exit-edge",
    former: &[],
    category: Category::Correctness,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart {
        spec: Some("agentos:R6"),
        severity: Severity::Error,
        absence: true,
        needs: Needs::Edges,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for (graph, _) in context.whole_graphs() {
        let mut ends = graph.edges.iter().filter_map(|edge| edge.target.as_ref());
        if !ends.any(|end| end.role == EndpointRole::End) {
            report.push(
                Finding::new(graph.edges_at.unwrap_or(graph.head), format!("no edge leads to `{END}`"))
                    .label("a run has nowhere to end")
                    .help(format!("add an edge with the target `{END}`")),
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
            "missing-exit-edge",
            r#"
nodes:
  - {id: a, executorConfig: {type: tool}}
edges:
^^^^^ error[missing-exit-edge]: no edge leads to `__END__`
  - {source: __START__, target: a, type: static}
---
nodes:
  - {id: a, executorConfig: {type: tool}}
edges:
  - {source: a, target: __END__, type: conditional, condition: {type: expression, expr: "true"}}
"#,
        );
    }
}

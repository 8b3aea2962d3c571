//! ## What it does
//!
//! Reports an edge of an AgentOS graph that leads to `__CONDITIONAL__` or `__DISCOVERY__`.
//!
//! ## Why it matters
//!
//! Builders write these targets for a function or a search to fill in, as `addConditionalEdge` does. The runtime
//! takes such an edge for one to every node, so that every node waits for its source, the source too, and nothing
//! runs.
//!
//! ## Example
//!
//! ```yaml expect=placeholder-target
//! id: graph-a
//! name: a
//! nodes:
//!   - {id: a, type: tool, executorConfig: {type: tool, toolName: a}, executionMode: single_turn, effectClass: external, checkpoint: none}
//!   - {id: b, type: tool, executorConfig: {type: tool, toolName: b}, executionMode: single_turn, effectClass: external, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: a, type: static}
//!   - {id: e2, source: a, target: __CONDITIONAL__, type: conditional, condition: {type: expression, expr: "artifacts.a.next"}}
//!   - {id: e3, source: b, target: __END__, type: static}
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
//!   - {id: b, type: tool, executorConfig: {type: tool, toolName: b}, executionMode: single_turn, effectClass: external, checkpoint: none}
//!   - {id: c, type: tool, executorConfig: {type: tool, toolName: c}, executionMode: single_turn, effectClass: external, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: a, type: static}
//!   - {id: e2, source: a, target: b, type: conditional, condition: {type: expression, expr: "artifacts.a.next === 'b'"}}
//!   - {id: e3, source: a, target: c, type: conditional, condition: {type: expression, expr: "artifacts.a.next === 'c'"}}
//!   - {id: e4, source: b, target: __END__, type: static}
//!   - {id: e5, source: c, target: __END__, type: static}
//! stateSchema: {input: {}, scratch: {}, artifacts: {}}
//! reducers: {}
//! checkpointPolicy: none
//! memoryConsistency: snapshot
//! ```

use nodewise_model::graph::{Endpoint, EndpointRole, Graph, GraphEdge};

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};

pub(crate) static RULE: Rule = Rule {
    id: "placeholder-target",
    former: &[],
    category: Category::Correctness,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart {
        spec: Some("agentos:I14"),
        severity: Severity::Error,
        about_value: true,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for (graph, _) in context.whole_graphs() {
        for edge in &graph.edges {
            let Some(target) = edge.target.as_ref().filter(|target| target.role == EndpointRole::Placeholder)
            else {
                continue;
            };
            let finding = Finding::new(target.name.at, format!("`{}` means every node", target.name.value))
                .label("every node waits for this edge, and nothing runs")
                .help("draw a conditional edge to each node that may come next");
            // Then the source waits for itself too, which the validator refuses as a cycle.
            report.push(if is_waited_for(graph, edge) { finding.spec("agentos:R1") } else { finding });
        }
    }
}

/// Whether nodes wait for the edge: its source is a node or a placeholder, or cannot be read.
fn is_waited_for(graph: &Graph, edge: &GraphEdge) -> bool {
    let waits = |source: &Endpoint| matches!(source.role, EndpointRole::Node | EndpointRole::Placeholder);
    !graph.nodes.is_empty() && edge.source.as_ref().is_none_or(waits)
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn both_placeholders() {
        check_rule(
            "placeholder-target",
            r#"
nodes:
  - {id: a, executorConfig: {type: tool}}
edges:
  - {source: __START__, target: __CONDITIONAL__, type: static}
#                               ^^^^^^^^^^^^^^^ error[placeholder-target]: `__CONDITIONAL__` means every node
  - {source: a, target: __DISCOVERY__, type: static}
#                       ^^^^^^^^^^^^^ error[placeholder-target]: `__DISCOVERY__` means every node
  - {source: a, target: __END__, type: static}
"#,
        );
    }
}

//! ## What it does
//!
//! Reports a key of an edge that belongs to another type of edge, such as a condition on a static edge, and exits
//! on a node that is no voice node.
//!
//! ## Why it matters
//!
//! The key is ignored.
//!
//! ## Example
//!
//! ```yaml expect=misplaced-key
//! id: graph-a
//! name: a
//! nodes:
//!   - {id: a, type: tool, executorConfig: {type: tool, toolName: a}, executionMode: single_turn, effectClass: external, checkpoint: none}
//!   - {id: b, type: tool, executorConfig: {type: tool, toolName: b}, executionMode: single_turn, effectClass: external, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: a, type: static}
//!   - {id: e2, source: a, target: b, type: static, condition: {type: expression, expr: artifacts.a.ok}}
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
//! edges:
//!   - {id: e1, source: __START__, target: a, type: static}
//!   - {id: e2, source: a, target: b, type: conditional, condition: {type: expression, expr: "artifacts.a.ok"}}
//!   - {id: e3, source: b, target: __END__, type: static}
//! stateSchema: {input: {}, scratch: {}, artifacts: {}}
//! reducers: {}
//! checkpointPolicy: none
//! memoryConsistency: snapshot
//! ```

use nodewise_model::agentos::Work;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::ranges;

pub(crate) static RULE: Rule = Rule {
    id: "misplaced-key",
    former: &[],
    category: Category::Suspicious,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { spec: Some("agentos:I41"), severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for edge in context.whole_graphs().flat_map(|(graph, _)| &graph.edges) {
        for key in &edge.foreign_keys {
            let name = ranges::source(context, *key).trim_matches(['"', '\'']);
            report.push(
                Finding::new(
                    *key,
                    format!("`{}` belongs to another type of edge", crate::rules::wording::short(name)),
                )
                .label("it is ignored")
                .help("remove it, or change the edge's `type`"),
            );
        }
    }
    for node in context.graph_nodes().filter(|node| !matches!(Work::of(node), Work::Voice(_) | Work::Unknown))
    {
        if let Some(at) = node.execution.exits_at {
            report.push(
                Finding::new(at, "only voice nodes have exits")
                    .spec("agentos:I2")
                    .label("it is ignored")
                    .help("draw edges in the graph's `edges`"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn edges_and_exits() {
        check_rule(
            "misplaced-key",
            r#"
nodes:
  - {id: a, executorConfig: {type: tool}, edges: {hangup: b}}
#                                         ^^^^^ warning[misplaced-key]: only voice nodes have exits
  - {id: b, executorConfig: {type: voice}, edges: {hangup: a}}
edges:
  - {source: a, target: b, type: static, discoveryKind: tool, personalityCondition: {}}
#                                        ^^^^^^^^^^^^^ warning[misplaced-key]: `discoveryKind` belongs to another type of edge
#                                                             ^^^^^^^^^^^^^^^^^^^^ warning[misplaced-key]: `personalityCondition` belongs to another type of edge
  - {source: a, target: b, type: discovery, discoveryQuery: q, discoveryKind: any}
  - {source: a, target: b, type: odd, condition: {}}
"#,
        );
    }

    #[test]
    fn keys_in_quotes_are_named_without_them() {
        check_rule(
            "misplaced-key",
            r#"
id: g
name: g
nodes: []
edges:
  - {id: a, source: __START__, target: __END__, type: static, "discoveryQuery": web}
#                                                             ^^^^^^^^^^^^^^^^ warning[misplaced-key]: `discoveryQuery` belongs to another type of edge
stateSchema: {input: {}, scratch: {}, artifacts: {}}
"#,
        );
    }
}

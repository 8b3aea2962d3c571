//! ## What it does
//!
//! Reports a condition of an AgentOS graph that is a function.
//!
//! ## Why it matters
//!
//! A function gets lost when a graph is written down. A router without its function, and a node with such an
//! edge, throw when they decide, and the run ends without its last event.
//!
//! ## Example
//!
//! ```yaml expect=unsupported-function-condition
//! id: graph-a
//! name: a
//! nodes:
//!   - {id: pick, type: router, executorConfig: {type: router, condition: {type: function, description: picks}}, executionMode: single_turn, effectClass: pure, checkpoint: none}
//!   - {id: a, type: tool, executorConfig: {type: tool, toolName: a}, executionMode: single_turn, effectClass: external, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: pick, type: static}
//!   - {id: e2, source: pick, target: a, type: static}
//!   - {id: e3, source: a, target: __END__, type: static}
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
//!   - {id: pick, type: router, executorConfig: {type: router, condition: {type: expression, expr: "input.fast ? 'a' : 'b'"}}, executionMode: single_turn, effectClass: pure, checkpoint: none}
//!   - {id: a, type: tool, executorConfig: {type: tool, toolName: a}, executionMode: single_turn, effectClass: external, checkpoint: none}
//!   - {id: b, type: tool, executorConfig: {type: tool, toolName: b}, executionMode: single_turn, effectClass: external, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: pick, type: static}
//!   - {id: e2, source: pick, target: a, type: static}
//!   - {id: e3, source: pick, target: b, type: static}
//!   - {id: e4, source: a, target: __END__, type: static}
//!   - {id: e5, source: b, target: __END__, type: static}
//! stateSchema: {input: {}, scratch: {}, artifacts: {}}
//! reducers: {}
//! checkpointPolicy: none
//! memoryConsistency: snapshot
//! ```

use nodewise_model::Origin;
use nodewise_model::agentos::Work;
use nodewise_model::graph::{EdgeCondition, EdgeGuard, EndpointRole, GraphEdge};

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};

pub(crate) static RULE: Rule = Rule {
    id: "unsupported-function-condition",
    former: &["function-condition"],
    category: Category::Correctness,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Error, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for node in context.graph_nodes() {
        if let Work::Router(router) = Work::of(node)
            && let Some(EdgeCondition::Function(at)) = &router.condition
        {
            report.push(lost(*at, "the router throws, and the run is aborted").spec("agentos:I20"));
        }
    }
    for (graph, _) in context.whole_graphs() {
        for edge in graph.edges.iter().filter(|edge| is_evaluated(edge)) {
            if let EdgeGuard::When(Some(EdgeCondition::Function(at))) = &edge.guard {
                report.push(lost(*at, "the run is aborted when the edge is evaluated").spec("agentos:I37"));
            }
        }
    }
}

fn lost(at: Origin, harm: &str) -> Finding {
    Finding::new(at, "a document cannot hold a function")
        .label(harm)
        .help("write an expression: `type: expression` and its `expr`")
}

fn is_evaluated(edge: &GraphEdge) -> bool {
    edge.source.as_ref().is_none_or(|source| source.role != EndpointRole::Start)
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn where_it_is_evaluated() {
        check_rule(
            "unsupported-function-condition",
            r#"
nodes:
  - {id: a, executorConfig: {type: router, condition: {type: function}}}
#                                                     ^^^^^^^^^^^^^^^^ error[unsupported-function-condition]: a document cannot hold a function
  - {id: b, executorConfig: {type: tool}}
edges:
  - {source: __START__, target: a, type: conditional, condition: {type: function}}
  - {source: a, target: b, type: conditional, condition: {type: function, description: x}}
#                                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[unsupported-function-condition]: a document cannot hold a function
  - {source: a, target: b, type: static, condition: {type: function}}
"#,
        );
    }
}

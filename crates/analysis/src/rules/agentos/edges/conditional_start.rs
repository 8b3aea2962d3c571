//! ## What it does
//!
//! Reports an edge out of `__START__` that is conditional, or follows a search or a persona.
//!
//! ## Why it matters
//!
//! Edges out of `__START__` are never evaluated. Its target runs in any case, and nothing says so.
//!
//! ## Example
//!
//! ```yaml expect=conditional-start
//! id: graph-a
//! name: a
//! nodes:
//!   - {id: day, type: tool, executorConfig: {type: tool, toolName: day}, executionMode: single_turn, effectClass: external, checkpoint: none}
//!   - {id: night, type: tool, executorConfig: {type: tool, toolName: night}, executionMode: single_turn, effectClass: external, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: day, type: conditional, condition: {type: expression, expr: "input.shift === 'day'"}}
//!   - {id: e2, source: __START__, target: night, type: conditional, condition: {type: expression, expr: "input.shift === 'night'"}}
//!   - {id: e3, source: day, target: __END__, type: static}
//!   - {id: e4, source: night, target: __END__, type: static}
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
//!   - {id: shift, type: router, executorConfig: {type: router, condition: {type: expression, expr: "input.shift === 'day' ? 'day' : 'night'"}}, executionMode: single_turn, effectClass: pure, checkpoint: none}
//!   - {id: day, type: tool, executorConfig: {type: tool, toolName: day}, executionMode: single_turn, effectClass: external, checkpoint: none}
//!   - {id: night, type: tool, executorConfig: {type: tool, toolName: night}, executionMode: single_turn, effectClass: external, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: shift, type: static}
//!   - {id: e2, source: shift, target: day, type: static}
//!   - {id: e3, source: shift, target: night, type: static}
//!   - {id: e4, source: day, target: __END__, type: static}
//!   - {id: e5, source: night, target: __END__, type: static}
//! stateSchema: {input: {}, scratch: {}, artifacts: {}}
//! reducers: {}
//! checkpointPolicy: none
//! memoryConsistency: snapshot
//! ```

use nodewise_model::graph::{EdgeGuard, EndpointRole};

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};

pub(crate) static RULE: Rule = Rule {
    id: "conditional-start",
    former: &["condition-at-start"],
    category: Category::Suspicious,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { spec: Some("agentos:I15"), severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for (graph, _) in context.whole_graphs() {
        for edge in &graph.edges {
            let Some(source) = edge.source.as_ref().filter(|source| source.role == EndpointRole::Start)
            else {
                continue;
            };
            if !matches!(edge.guard, EdgeGuard::Always | EdgeGuard::Unknown) {
                report.push(
                    Finding::new(
                        source.name.at,
                        format!("edges out of `{}` are never evaluated", source.name.value),
                    )
                    .label("the target runs in any case")
                    .help("begin with a router that decides, or make the edge static"),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn every_type_but_static() {
        check_rule(
            "conditional-start",
            r#"
nodes:
  - {id: a, executorConfig: {type: tool}}
edges:
  - {source: __START__, target: a, type: conditional, condition: {type: expression, expr: "true"}}
#            ^^^^^^^^^ warning[conditional-start]: edges out of `__START__` are never evaluated
  - {source: __START__, target: a, type: personality}
#            ^^^^^^^^^ warning[conditional-start]: edges out of `__START__` are never evaluated
  - {source: __START__, target: a, type: discovery}
#            ^^^^^^^^^ warning[conditional-start]: edges out of `__START__` are never evaluated
  - {source: __START__, target: a, type: static}
  - {source: __START__, target: a, type: odd}
  - {source: a, target: __END__, type: conditional, condition: {type: expression, expr: "true"}}
"#,
        );
    }
}

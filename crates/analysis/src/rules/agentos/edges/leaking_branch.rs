//! ## What it does
//!
//! Reports an arm of a choice with nodes behind it that only this arm leads to.
//!
//! ## Why it matters
//!
//! Being left out does not spread. A node that was not chosen counts as done, so that the nodes behind it run all
//! the same, in spite of the choice.
//!
//! ## Example
//!
//! ```yaml expect=leaking-branch
//! id: graph-a
//! name: a
//! nodes:
//!   - {id: pick, type: router, executorConfig: {type: router, condition: {type: expression, expr: "input.digital ? 'email' : 'pack'"}}, executionMode: single_turn, effectClass: pure, checkpoint: none}
//!   - {id: email, type: tool, executorConfig: {type: tool, toolName: email}, executionMode: single_turn, effectClass: external, checkpoint: none}
//!   - {id: pack, type: tool, executorConfig: {type: tool, toolName: pack}, executionMode: single_turn, effectClass: external, checkpoint: none}
//!   - {id: ship, type: tool, executorConfig: {type: tool, toolName: ship}, executionMode: single_turn, effectClass: external, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: pick, type: static}
//!   - {id: e2, source: pick, target: email, type: static}
//!   - {id: e3, source: pick, target: pack, type: static}
//!   - {id: e4, source: pack, target: ship, type: static}
//!   - {id: e5, source: email, target: __END__, type: static}
//!   - {id: e6, source: ship, target: __END__, type: static}
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
//!   - {id: pick, type: router, executorConfig: {type: router, condition: {type: expression, expr: "input.digital ? 'email' : 'pack'"}}, executionMode: single_turn, effectClass: pure, checkpoint: none}
//!   - {id: email, type: tool, executorConfig: {type: tool, toolName: email}, executionMode: single_turn, effectClass: external, checkpoint: none}
//!   - {id: pack, type: tool, executorConfig: {type: tool, toolName: pack}, executionMode: single_turn, effectClass: external, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: pick, type: static}
//!   - {id: e2, source: pick, target: email, type: static}
//!   - {id: e3, source: pick, target: pack, type: static}
//!   - {id: e4, source: pack, target: __END__, type: static}
//!   - {id: e5, source: email, target: __END__, type: static}
//! stateSchema: {input: {}, scratch: {}, artifacts: {}}
//! reducers: {}
//! checkpointPolicy: none
//! memoryConsistency: snapshot
//! ```

use nodewise_expr::agentos;
use nodewise_model::agentos::Work;
use nodewise_model::graph::{EdgeCondition, Graph};
use rustc_hash::FxHashSet;

use crate::diagnostic::{Finding, Severity};
use crate::graphs::GraphFacts;
use crate::rule::{Category, Context, Needs, Report, Rule, RulePart};
use crate::rules::agentos::routing_targets;
use crate::rules::graph_findings;
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "leaking-branch",
    former: &[],
    category: Category::Suspicious,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart {
        spec: Some("agentos:I16"),
        severity: Severity::Warning,
        needs: Needs::Edges,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for (graph, facts) in context.whole_graphs() {
        let named = named(graph, facts);
        for position in 0..graph.nodes.len() {
            let refusing = facts.incoming(position).iter().find(|edge| facts.is_refusable(**edge));
            let Some(edge) = refusing.filter(|_| !facts.dependents(position).is_empty()) else { continue };
            // What the choice names instead of the arm is meant to run without it.
            let is_left =
                |node: &&usize| !facts.source(*edge).is_some_and(|by| named.contains(&(by, **node)));
            let behind = facts.dependents(position).iter().find(is_left);
            let target = graph.edges.get(*edge).and_then(|edge| edge.target.as_ref());
            let (Some(target), Some(behind)) = (target, behind.and_then(|node| graph.nodes.get(*node)))
            else {
                continue;
            };
            let name = short(&target.name.value);
            report.push(
                Finding::new(
                    target.name.at,
                    format!("{} runs even when `{name}` does not", graph_findings::named(behind)),
                )
                .label("nodes that are not chosen count as done")
                .help("put the rest of this arm into a graph of its own, and run that")
                .related(graph_findings::id_place(behind), "runs in any case"),
            );
        }
    }
}

/// Pairs of nodes in which the first one names the second one itself, even without an edge. Another rule reports the
/// missing edge.
fn named(graph: &Graph, facts: &GraphFacts) -> FxHashSet<(usize, usize)> {
    let chosen = routing_targets::chosen(graph).filter(|choice| choice.is_possible);
    let mut named: FxHashSet<_> = chosen
        .filter_map(|choice| Some((facts.node(choice.source?)?, facts.node(&choice.target.value)?)))
        .collect();
    for (position, node) in graph.nodes.iter().enumerate() {
        let Work::Router(router) = Work::of(node) else { continue };
        let Some(EdgeCondition::Expression(Some(condition))) = &router.condition else { continue };
        let routes = agentos::routes(&agentos::parse(&condition.text)).constant;
        named.extend(routes.iter().filter_map(|route| Some((position, facts.node(&route.name)?))));
    }
    named
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn joins_behind_a_choice_are_fine() {
        check_rule(
            "leaking-branch",
            r#"
nodes:
  - {id: a, executorConfig: {type: tool}}
  - {id: b, executorConfig: {type: tool}}
  - {id: c, executorConfig: {type: tool}}
  - {id: d, executorConfig: {type: tool}}
  - {id: e, executorConfig: {type: tool}}
  - {id: f, executorConfig: {type: tool}}
edges:
  - {source: __START__, target: a, type: static}
  - {source: a, target: b, type: conditional, condition: {type: expression, expr: "scratch.x"}}
  - {source: a, target: c, type: conditional, condition: {type: expression, expr: "scratch.y"}}
  - {source: b, target: d, type: static}
  - {source: c, target: d, type: static}
  - {source: d, target: e, type: conditional, condition: {type: expression, expr: "scratch.z"}}
#                       ^ warning[leaking-branch]: `f` runs even when `e` does not
  - {source: e, target: f, type: static}
  - {source: f, target: __END__, type: static}
"#,
        );
    }

    fn graph(rest: &str) -> String {
        format!(
            r"
id: g
name: g
stateSchema: {{input: {{}}, scratch: {{}}, artifacts: {{}}}}
nodes:
  - {{id: near, type: tool, executorConfig: {{type: tool, toolName: t}}}}
  - {{id: far, type: tool, executorConfig: {{type: tool, toolName: t}}}}
{rest}"
        )
    }

    #[test]
    fn the_rest_of_an_arm() {
        check_rule(
            "leaking-branch",
            &graph(
                r"  - {id: gate, type: guardrail, executorConfig: {type: guardrail, guardrailIds: [pii], onViolation: reroute, rerouteTarget: __END__}}
edges:
  - {id: a, source: gate, target: near, type: static}
#                                 ^^^^ warning[leaking-branch]: `far` runs even when `near` does not
  - {id: b, source: near, target: far, type: static}
",
            ),
        );
    }

    #[test]
    fn what_the_choice_names_itself() {
        check_rule(
            "leaking-branch",
            &graph(
                r"  - {id: gate, type: guardrail, executorConfig: {type: guardrail, guardrailIds: [pii], onViolation: reroute, rerouteTarget: far}}
edges:
  - {id: a, source: gate, target: near, type: static}
  - {id: b, source: near, target: far, type: static}
",
            ),
        );
        check_rule(
            "leaking-branch",
            &graph(
                r#"  - {id: gate, type: router, executorConfig: {type: router, condition: {type: expression, expr: "input.x ? 'far' : '__END__'"}}}
edges:
  - {id: a, source: gate, target: near, type: static}
  - {id: b, source: near, target: far, type: static}
  - {id: c, source: gate, target: __END__, type: static}
"#,
            ),
        );
    }
}

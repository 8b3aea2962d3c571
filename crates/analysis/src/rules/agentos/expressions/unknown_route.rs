//! ## What it does
//!
//! Reports a name that a router of AgentOS can return, and to which none of its edges leads.
//!
//! ## Why it matters
//!
//! A router leads to the node that its expression names. When no edge leads there, every target of the router is
//! left out, and the run continues without them. Nothing is reported. `true` and `false` are names here, too.
//!
//! ## Example
//!
//! ```yaml expect=unknown-route
//! id: triage
//! name: triage
//! nodes:
//!   - id: pick
//!     type: router
//!     executorConfig:
//!       type: router
//!       condition: {type: expression, expr: "input.level > 2 ? 'urgent' : 'normal'"}
//!     executionMode: single_turn
//!     effectClass: pure
//!     checkpoint: none
//!   - id: normal
//!     type: tool
//!     executorConfig: {type: tool, toolName: mail}
//!     executionMode: single_turn
//!     effectClass: external
//!     checkpoint: none
//! edges:
//!   - {id: e1, source: __START__, target: pick, type: static}
//!   - {id: e2, source: pick, target: normal, type: static}
//!   - {id: e3, source: normal, target: __END__, type: static}
//! stateSchema: {input: {}, scratch: {}, artifacts: {}}
//! reducers: {}
//! checkpointPolicy: none
//! memoryConsistency: snapshot
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! id: triage
//! name: triage
//! nodes:
//!   - id: pick
//!     type: router
//!     executorConfig:
//!       type: router
//!       condition: {type: expression, expr: "input.level > 2 ? '__END__' : 'normal'"}
//!     executionMode: single_turn
//!     effectClass: pure
//!     checkpoint: none
//!   - id: normal
//!     type: tool
//!     executorConfig: {type: tool, toolName: mail}
//!     executionMode: single_turn
//!     effectClass: external
//!     checkpoint: none
//! edges:
//!   - {id: e1, source: __START__, target: pick, type: static}
//!   - {id: e2, source: pick, target: normal, type: static}
//!   - {id: e3, source: normal, target: __END__, type: static}
//! stateSchema: {input: {}, scratch: {}, artifacts: {}}
//! reducers: {}
//! checkpointPolicy: none
//! memoryConsistency: snapshot
//! ```

use std::collections::BTreeSet;

use nodewise_dialect::tables::agentos::END;
use nodewise_expr::agentos;
use nodewise_expr::ast::ExprKind;
use nodewise_expr::language::Route;
use nodewise_model::graph::{EndpointRole, Graph};
use nodewise_syntax::TextRange;

use crate::conditions::ConditionFacts;
use crate::diagnostic::{Finding, Severity};
use crate::graphs::GraphFacts;
use crate::graphs::State;
use crate::rule::{Category, Context, Needs, Report, Rule, RulePart};
use crate::rules::agentos::routing::{self, Decider, Expressions, RoutingExpression};
use crate::rules::agentos::routing_targets;
use crate::rules::wording::{one_of, short};
use crate::schema;
use crate::suggest::nearest;

pub(crate) static RULE: Rule = Rule {
    id: "unknown-route",
    former: &[],
    category: Category::Correctness,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart {
        spec: Some("agentos:I21"),
        severity: Severity::Warning,
        needs: Needs::Nodes,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    let expressions = Expressions::new(context);
    for (graph, facts) in context.whole_graphs() {
        let state = State::new(graph, facts);
        for (decider, expression) in expressions.deciding(graph) {
            let Decider::Router(position) = decider else { continue };
            // If the expression has another finding, it may return other names than it seems to.
            if !expression.facts.findings.is_empty() || !facts.is_meant(graph, position) {
                continue;
            }
            if let Some(targets) = targets(graph, facts, position) {
                let is_led_to = |name: &str| {
                    targets.contains(name)
                        || routing_targets::has_misspelt_edge(context, (graph, facts), position, name)
                };
                for (range, finding) in unknown_routes(expression, &state, &targets, is_led_to) {
                    let finding = Finding { at: expression.place(range), ..finding };
                    report.push(finding.label("all targets of the router are left out"));
                }
            }
        }
    }
}

/// The ids of the targets of the router's edges; `None` if there are no edges or a program decides.
fn targets<'a>(graph: &'a Graph, facts: &GraphFacts, router: usize) -> Option<BTreeSet<&'a str>> {
    let ends = facts.outgoing(router).iter().map(|edge| graph.edges.get(*edge)?.target.as_ref());
    let ends: Option<Vec<_>> = ends.collect();
    let ends = ends.filter(|ends| !ends.is_empty())?;
    let decided_at_run_time = ends.iter().any(|end| end.role == EndpointRole::Placeholder);
    (!decided_at_run_time).then(|| ends.into_iter().map(|end| end.name.value.as_str()).collect())
}

/// Adds findings for the parts of an expression that name no target.
fn unknown_routes(
    expression: &RoutingExpression<'_>,
    state: &State<'_>,
    targets: &BTreeSet<&str>,
    is_led_to: impl Fn(&str) -> bool,
) -> Vec<(TextRange, Finding)> {
    let expr = expression.parsed();
    // An empty name leaves the decision to the edges, and the name of the end ends the run on purpose.
    let is_unknown = |name: &str| !name.is_empty() && name != END && !is_led_to(name);
    let mut found: Vec<(TextRange, Finding)> = Vec::new();
    for route in agentos::routes(expr).constant {
        let is_new = found.last().is_none_or(|(range, _)| *range != route.range);
        if is_new && is_unknown(&route.name) {
            found.push((route.range, constant(expression, &route, targets)));
        }
    }
    for (path, range) in routing::results(expr) {
        let listed = state.schema_at(path).into_iter().flat_map(schema::listed_texts);
        if let Some(text) = listed.into_iter().find(|text| is_unknown(text)) {
            let message =
                format!("`{}` may be `{}`, where no edge leads", short(&path.dotted()), short(text));
            found.push((
                range,
                Finding::new(expression.facts.at, message).help("add an edge, or drop the value"),
            ));
        }
    }
    found
}

/// The finding about a name that is written in the expression or results from its operators.
fn constant(expression: &RoutingExpression<'_>, route: &Route, targets: &BTreeSet<&str>) -> Finding {
    let facts = expression.facts;
    if matches!(expression.parsed().kind, ExprKind::Compare(_) | ExprKind::Logic(_)) {
        let message = "the router returns `true` or `false`, and no edge leads there";
        return Finding::new(facts.at, message)
            .help("write `condition ? 'one' : 'other'`, with the ids of two nodes");
    }
    let finding = Finding::new(facts.at, format!("no edge of the router leads to `{}`", short(&route.name)));
    match nearest(&route.name, targets.iter().copied()) {
        Some(near) => {
            let finding = finding.help(format!("write `{}`", short(near)));
            let name = written(facts, route.range).replace(route.name.as_str(), near);
            expression.replace(finding, (route.range, &name))
        }
        None => finding.help(format!("add an edge, or name {}", one_of(targets.iter().copied()))),
    }
}

/// A part of the expression as it is written, including quotes.
fn written(facts: &ConditionFacts, range: TextRange) -> &str {
    facts.text.get(std::ops::Range::<usize>::from(range)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_fix, check_rule};

    fn router(expression: &str) -> String {
        format!(
            r#"
id: g
name: g
nodes:
  - id: pick
    type: router
    executorConfig:
      type: router
      condition:
        type: expression
        expr: {expression}
  - {{id: urgently, type: tool, executorConfig: {{type: tool, toolName: t}}}}
stateSchema: {{input: {{properties: {{to: {{enum: [urgently, later]}}}}}}, scratch: {{}}, artifacts: {{}}}}
edges:
  - {{id: a, source: pick, target: urgently, type: static}}
  - {{id: b, source: pick, target: normal, type: static}}
"#
        )
    }

    #[test]
    fn names_without_an_edge() {
        check_rule(
            "unknown-route",
            &router(
                r#""input.n > 3 ? 'urgentl' : null"
#                            ^^^^^^^^^ warning[unknown-route]: no edge of the router leads to `urgentl`
#                                        ^^^^ warning[unknown-route]: no edge of the router leads to `false`"#,
            ),
        );
        check_rule(
            "unknown-route",
            &router(
                r#"|-
          input.n > 3
#         ^^^^^^^^^^^ warning[unknown-route]: the router returns `true` or `false`, and no edge leads there"#,
            ),
        );
        check_rule(
            "unknown-route",
            &router(
                r#""input.n ? input.to : 'normal'"
#                        ^^^^^^^^ warning[unknown-route]: `input.to` may be `later`, where no edge leads"#,
            ),
        );
    }

    #[test]
    fn names_with_an_edge_and_names_that_nobody_knows() {
        for expression in [
            "\"input.n ? 'urgently' : normal\"",
            "scratch.lane",
            "\"input.n ? '__END__' : ''\"",
            "\"input.n and input.m\"",
        ] {
            check_rule("unknown-route", &router(expression));
        }
    }

    #[test]
    fn the_nearest_target_is_offered() {
        check_fix(
            "unknown-route",
            &router("'input.n ? \"urgentl\" : ''normal'''"),
            &router("'input.n ? \"urgently\" : ''normal'''"),
        );
    }
}

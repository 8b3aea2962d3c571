//! ## What it does
//!
//! Reports a conditional edge of AgentOS that no run follows: its expression always comes to the same text, or
//! reads a value that is a number, a mapping or another text, by declaration or because another expression of the
//! graph orders it by size. An expression that is not read as it looks is left to the rule that says so.
//!
//! ## Why it matters
//!
//! An edge is followed when its expression comes to `true` or to the id of its own target. Any other text is taken
//! for another node's id: the edge is left out, and its target with it. A number such as `5` is no `true` here.
//!
//! ## Example
//!
//! ```yaml expect=unfollowed-edge
//! id: risk
//! name: risk
//! nodes:
//!   - id: gate
//!     type: guardrail
//!     executorConfig: {type: guardrail, guardrailIds: [pii], onViolation: block}
//!     executionMode: single_turn
//!     effectClass: pure
//!     checkpoint: none
//!   - id: store
//!     type: tool
//!     executorConfig: {type: tool, toolName: insert}
//!     executionMode: single_turn
//!     effectClass: write
//!     checkpoint: none
//! edges:
//!   - {id: e1, source: __START__, target: gate, type: static}
//!   - id: e2
//!     source: gate
//!     target: store
//!     type: conditional
//!     condition: {type: expression, expr: artifacts.gate}
//!   - {id: e3, source: store, target: __END__, type: static}
//! stateSchema: {input: {}, scratch: {}, artifacts: {}}
//! reducers: {}
//! checkpointPolicy: none
//! memoryConsistency: snapshot
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! id: risk
//! name: risk
//! nodes:
//!   - id: gate
//!     type: guardrail
//!     executorConfig: {type: guardrail, guardrailIds: [pii], onViolation: block}
//!     executionMode: single_turn
//!     effectClass: pure
//!     checkpoint: none
//!   - id: store
//!     type: tool
//!     executorConfig: {type: tool, toolName: insert}
//!     executionMode: single_turn
//!     effectClass: write
//!     checkpoint: none
//! edges:
//!   - {id: e1, source: __START__, target: gate, type: static}
//!   - id: e2
//!     source: gate
//!     target: store
//!     type: conditional
//!     condition: {type: expression, expr: artifacts.gate.passed}
//!   - {id: e3, source: store, target: __END__, type: static}
//! stateSchema: {input: {}, scratch: {}, artifacts: {}}
//! reducers: {}
//! checkpointPolicy: none
//! memoryConsistency: snapshot
//! ```

use nodewise_expr::agentos;
use nodewise_expr::ast::Path;
use nodewise_model::agentos::Work;
use nodewise_model::graph::{EndpointRole, GraphEdge};
use nodewise_syntax::TextRange;
use rustc_hash::FxHashSet;

use crate::diagnostic::{Finding, Severity};
use crate::graphs::State;
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::agentos::routing::{self, Decider, Expressions, RoutingExpression};
use crate::rules::wording::short;
use crate::schema;

pub(crate) static RULE: Rule = Rule {
    id: "unfollowed-edge",
    former: &["edge-never-followed"],
    category: Category::Suspicious,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart { spec: Some("agentos:I45"), severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    let expressions = Expressions::new(context);
    for (graph, facts) in context.whole_graphs() {
        let state = State::new(graph, facts);
        let ordered = routing::ordered_paths(graph, &expressions);
        for (decider, expression) in expressions.deciding(graph) {
            let Decider::Edge(edge) = decider else { continue };
            // If the expression has another finding, it does not mean what it looks like, and another rule reports that.
            let Some(target) = target(edge).filter(|_| expression.facts.findings.is_empty()) else {
                continue;
            };
            let found = always_the_same(expression, target)
                .or_else(|| never_the_target(expression, (&state, &ordered), target));
            if let Some(finding) = found {
                report.push(finding.label("the target is left out"));
            }
        }
    }
}

fn target(edge: &GraphEdge) -> Option<&str> {
    let target = edge.target.as_ref()?;
    matches!(target.role, EndpointRole::Node | EndpointRole::End).then_some(target.name.value.as_str())
}

fn always_the_same(expression: &RoutingExpression<'_>, target: &str) -> Option<Finding> {
    let found = agentos::never_follows(&expression.facts.text, expression.parsed(), target)?;
    Some(Finding::new(expression.place(found.range), found.message).help_if(found.help))
}

/// The finding about state values that can be neither `true` nor the target.
fn never_the_target(
    expression: &RoutingExpression<'_>,
    (state, ordered): (&State<'_>, &FxHashSet<String>),
    target: &str,
) -> Option<Finding> {
    let expr = expression.parsed();
    let is_number = |path: &Path| ordered.contains(&path.dotted()) && state.schema_at(path).is_none();
    let can_be = |path: &Path, text: &str| state.can_be_text(path, text) && !is_number(path);
    let follows = |text: &str| text == "true" || text == target;
    let results = routing::results(expr);
    let can_follow = agentos::routes(expr).constant.iter().any(|route| follows(&route.name))
        || results.iter().any(|(path, _)| can_be(path, "true") || can_be(path, target));
    let (path, range) = results.first().filter(|_| !can_follow)?;
    let dotted = path.dotted();
    let shown = short(&dotted);
    let finding =
        |what: &str| Finding::new(expression.place(*range), format!("`{shown}` is {what}: never followed"));
    if state.is_mapping(path) {
        return Some(with_member(finding("a mapping"), expression, state, (path, *range)));
    }
    let help = format!("compare the value, or give the edge a text that is `{}`", short(target));
    let what = match state.schema_at(path).map_or(Some("number"), schema::type_word) {
        Some("number" | "integer") => "a number",
        Some("object") => "a mapping",
        Some("null") => "nothing",
        _ => "another text by its schema",
    };
    Some(finding(what).help(help))
}

/// Names the field of the mapping that was probably meant.
fn with_member(
    finding: Finding,
    expression: &RoutingExpression<'_>,
    state: &State<'_>,
    (path, range): (&Path, TextRange),
) -> Finding {
    let producers = path.segments.get(1).map(|key| state.producers(&key.name)).unwrap_or_default();
    let member = match producers.first().map(|node| Work::of(node)) {
        Some(Work::Human(_)) => "approved",
        Some(Work::Guardrail(_)) => "passed",
        _ => return finding.help("name a field of it, and compare that"),
    };
    let meant = format!("{}.{member}", path.dotted());
    let finding = finding.help(format!("write `{}`", short(&meant)));
    expression.replace(finding, (range, &meant))
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_fix, check_rule};

    const GATE: &str = r"
id: g
name: g
nodes:
  - {id: ask, type: human, executorConfig: {type: human, prompt: ok}}
  - {id: rate, type: extension, executorConfig: {type: extension, extensionId: x, method: m}}
  - {id: five, type: tool, executorConfig: {type: tool, toolName: t}}
stateSchema:
  input: {}
  scratch: {type: object, properties: {n: {type: integer}, lane: {enum: [slow, five]}, to: {enum: [a, b]}, ok: {type: boolean}, t: {type: string}}}
  artifacts: {}
edges:
";

    fn edges(edges: &str) -> String {
        format!("{GATE}{edges}")
    }

    #[test]
    fn constants_numbers_mappings_and_other_texts() {
        check_rule(
            "unfollowed-edge",
            &edges(
                r#"
  - {id: a, source: rate, target: five, type: conditional, condition: {type: expression, expr: scratch.n}}
#                                                                                              ^^^^^^^^^ warning[unfollowed-edge]: `scratch.n` is a number: never followed
  - {id: b, source: rate, target: five, type: conditional, condition: {type: expression, expr: scratch.to}}
#                                                                                              ^^^^^^^^^^ warning[unfollowed-edge]: `scratch.to` is another text by its schema: never followed
  - {id: c, source: ask, target: five, type: conditional, condition: {type: expression, expr: artifacts.ask}}
#                                                                                             ^^^^^^^^^^^^^ warning[unfollowed-edge]: `artifacts.ask` is a mapping: never followed
  - {id: d, source: ask, target: five, type: conditional, condition: {type: expression, expr: "input.a ? 'b' : scratch.n"}}
#                                                                                                              ^^^^^^^^^ warning[unfollowed-edge]
  - {id: e, source: ask, target: five, type: conditional, condition: {type: expression, expr: "'b'"}}
#                                                                                              ^^^ warning[unfollowed-edge]: the condition always comes to `b`: never followed
  - {id: f, source: ask, target: five, type: conditional, condition: {type: expression, expr: input.m}}
#                                                                                             ^^^^^^^ warning[unfollowed-edge]: `input.m` is a number: never followed
  - {id: h, source: ask, target: five, type: conditional, condition: {type: expression, expr: "(input.m > 3)"}}
"#,
            ),
        );
    }

    #[test]
    fn what_a_run_may_follow() {
        check_rule(
            "unfollowed-edge",
            &edges(
                r#"
  - {id: a, source: rate, target: five, type: conditional, condition: {type: expression, expr: scratch.ok}}
  - {id: b, source: rate, target: five, type: conditional, condition: {type: expression, expr: scratch.lane}}
  - {id: c, source: rate, target: five, type: conditional, condition: {type: expression, expr: scratch.t}}
  - {id: d, source: rate, target: five, type: conditional, condition: {type: expression, expr: scratch.unknown}}
  - {id: e, source: rate, target: five, type: conditional, condition: {type: expression, expr: artifacts.five}}
  - {id: f, source: rate, target: five, type: conditional, condition: {type: expression, expr: artifacts.ask.approved}}
  - {id: h, source: rate, target: five, type: conditional, condition: {type: expression, expr: "false"}}
  - {id: i, source: rate, target: five, type: conditional, condition: {type: expression, expr: "input.a ? scratch.n : five"}}
  - {id: j, source: __START__, target: five, type: conditional, condition: {type: expression, expr: "'x'"}}
  - {id: k, source: rate, target: five, type: conditional, condition: {type: expression, expr: "input.a ? b : c\n"}}
  - {id: l, source: rate, target: five, type: conditional, condition: {type: expression, expr: "!input.a"}}
"#,
            ),
        );
    }

    #[test]
    fn the_decision_of_a_person_is_a_field() {
        let edge = |expression: &str| {
            edges(&format!(
                "  - {{id: c, source: ask, target: five, type: conditional, condition: {{type: expression, expr: {expression}}}}}\n"
            ))
        };
        check_fix("unfollowed-edge", &edge("artifacts.ask"), &edge("artifacts.ask.approved"));
    }
}

//! ## What it does
//!
//! Reports an `artifacts` path in a routing expression of AgentOS that begins with a key under which no node of the
//! graph leaves its output.
//!
//! ## Why it matters
//!
//! A node leaves its output under its `outputAs`, else under its id; routers leave none. Any other key is undefined,
//! so the expression decides every run in the same way.
//!
//! ## Example
//!
//! ```yaml expect=unknown-artifact
//! id: triage
//! name: triage
//! nodes:
//!   - id: rate
//!     type: tool
//!     executorConfig: {type: tool, toolName: rate}
//!     executionMode: single_turn
//!     effectClass: external
//!     checkpoint: none
//!   - id: keep
//!     type: tool
//!     executorConfig: {type: tool, toolName: keep}
//!     executionMode: single_turn
//!     effectClass: write
//!     checkpoint: none
//! edges:
//!   - {id: e1, source: __START__, target: rate, type: static}
//!   - id: e2
//!     source: rate
//!     target: keep
//!     type: conditional
//!     condition: {type: expression, expr: artifacts.ratee > 0.5}
//!   - {id: e3, source: keep, target: __END__, type: static}
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
//!   - id: rate
//!     type: tool
//!     executorConfig: {type: tool, toolName: rate}
//!     executionMode: single_turn
//!     effectClass: external
//!     checkpoint: none
//!   - id: keep
//!     type: tool
//!     executorConfig: {type: tool, toolName: keep}
//!     executionMode: single_turn
//!     effectClass: write
//!     checkpoint: none
//! edges:
//!   - {id: e1, source: __START__, target: rate, type: static}
//!   - id: e2
//!     source: rate
//!     target: keep
//!     type: conditional
//!     condition: {type: expression, expr: artifacts.rate > 0.5}
//!   - {id: e3, source: keep, target: __END__, type: static}
//! stateSchema: {input: {}, scratch: {}, artifacts: {}}
//! reducers: {}
//! checkpointPolicy: none
//! memoryConsistency: snapshot
//! ```

use nodewise_dialect::tables::agentos::ARTIFACTS;
use nodewise_expr::ast::{Path, Segment};
use nodewise_model::agentos::Work;
use nodewise_model::graph::{Graph, GraphNode};
use rustc_hash::FxHashSet;

use crate::diagnostic::{Finding, Severity};
use crate::graphs::GraphFacts;
use crate::graphs::State;
use crate::rule::{Category, Context, Needs, Report, Rule, RulePart};
use crate::rules::agentos::fixes;
use crate::rules::agentos::routing::{Decider, Expressions, RoutingExpression};
use crate::rules::list_fixes;
use crate::rules::wording::{one_of, short};
use crate::suggest::nearest;

pub(crate) static RULE: Rule = Rule {
    id: "unknown-artifact",
    former: &[],
    category: Category::Dataflow,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Warning, needs: Needs::Nodes, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    let expressions = Expressions::new(context);
    for (graph, facts) in context.whole_graphs() {
        let state = State::new(graph, facts);
        let mut read = Vec::new();
        for (decider, expression) in expressions.deciding(graph) {
            read.extend(expression.read_paths().into_iter().map(|path| (decider, expression, path)));
        }
        let keys: FxHashSet<&str> =
            read.iter().filter_map(|(.., path)| Some(&*artifact(path)?.name)).collect();
        for (decider, expression, path) in &read {
            let Some(key) = artifact(path).filter(|key| !state.may_produce(&key.name)) else { continue };
            // What the schema does not list either is reported as that.
            if state.undeclared(path).is_none() {
                let found = finding(expression, path, key);
                let found = with_advice(found, expression, key, (graph, facts, &state));
                let node = unread_node(graph, facts, &state, (decider, key))
                    .filter(|node| node.id.as_ref().is_some_and(|id| !keys.contains(&*id.value)));
                report.push(with_output(context, found, node, key));
            }
        }
    }
}

/// The artifact key that a path reads.
fn artifact(path: &Path) -> Option<&Segment> {
    match path.segments.as_slice() {
        [part, key, ..] if part.name == ARTIFACTS => Some(key),
        _ => None,
    }
}

/// The node whose output was probably meant and which writes it under its own id: a node with a similar id, or else the
/// source of the edge.
fn unread_node<'g>(
    graph: &'g Graph,
    facts: &GraphFacts,
    state: &State<'_>,
    (decider, key): (&Decider<'_>, &Segment),
) -> Option<&'g GraphNode> {
    let node = |id: &str| graph.nodes.get(facts.node(id)?);
    let similar = nearest(&key.name, state.artifact_keys().iter().copied());
    let source = match decider {
        Decider::Edge(edge) => edge.source.as_ref().map(|source| source.name.value.as_str()),
        Decider::Router(_) => None,
    };
    let meant = node(similar.or(source)?)?;
    let leaves_output = !matches!(Work::of(meant), Work::Router(_)) && meant.execution.output_as.is_none();
    leaves_output.then_some(meant)
}

/// Adds a fix that makes the node write its output under the key that is read.
fn with_output(context: &Context<'_>, found: Finding, node: Option<&GraphNode>, key: &Segment) -> Finding {
    let Some((node, id)) = node.and_then(|node| Some((node, node.id.as_ref()?))) else { return found };
    let title = format!("Let `{}` leave its output as `{}`", short(&id.value), short(&key.name));
    list_fixes::offer(found, title, false, fixes::with_output_name(context, node, &key.name))
}

fn finding(expression: &RoutingExpression<'_>, path: &Path, key: &Segment) -> Finding {
    let place = expression.place(path.range());
    Finding::new(place, format!("no node leaves an artifact `{}`", short(&key.name)))
        .label("always undefined")
}

fn with_advice(
    finding: Finding,
    expression: &RoutingExpression<'_>,
    key: &Segment,
    (graph, facts, state): (&Graph, &GraphFacts, &State<'_>),
) -> Finding {
    let node = facts.node(&key.name).and_then(|position| graph.nodes.get(position));
    let renamed = node.and_then(|node| node.execution.output_as.as_ref());
    let keys = state.artifact_keys();
    let meant = match (node, renamed) {
        (_, Some(renamed)) => Some(renamed.value.as_str()),
        (Some(node), None) if matches!(Work::of(node), Work::Router(_)) => {
            return finding.help("a router leaves no output; read what it decides by");
        }
        _ => nearest(&key.name, keys.iter().copied()),
    };
    match meant {
        Some(meant) => {
            let finding = finding.help(format!("write `artifacts.{}`", short(meant)));
            expression.replace(finding, (key.range, meant))
        }
        None if keys.is_empty() => finding.help("no node of this graph leaves an output"),
        None => finding.help(format!("name {}", one_of(keys))),
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_fix, check_no_fix, check_rule};

    fn graph(expression: &str) -> String {
        format!(
            r#"
id: g
name: g
nodes:
  - {{id: rate, type: tool, executorConfig: {{type: tool, toolName: t}}}}
  - {{id: draft, type: gmi, executorConfig: {{type: gmi, instructions: x}}, metadata: {{outputAs: note}}}}
  - id: pick
    type: router
    executorConfig:
      type: router
      condition:
        type: expression
        expr: {expression}
stateSchema: {{input: {{}}, scratch: {{}}, artifacts: {{}}}}
edges: []
"#
        )
    }

    #[test]
    fn keys_under_which_no_node_leaves_anything() {
        check_rule(
            "unknown-artifact",
            &graph(
                r#"artifacts.rat.x && artifacts.draft && artifacts.pick == artifacts.other
#             ^^^^^^^^^^^^^^^ warning[unknown-artifact]: no node leaves an artifact `rat`
#                                ^^^^^^^^^^^^^^^ warning[unknown-artifact]: no node leaves an artifact `draft`
#                                                   ^^^^^^^^^^^^^^ warning[unknown-artifact]: no node leaves an artifact `pick`
#                                                                     ^^^^^^^^^^^^^^^ warning[unknown-artifact]: no node leaves an artifact `other`"#,
            ),
        );
        check_rule(
            "unknown-artifact",
            &graph("artifacts.rate.x && artifacts.note && artifacts && input.rat"),
        );
    }

    #[test]
    fn the_node_in_front_of_the_edge_may_leave_its_output_so() {
        let edge = "edges: [{id: e, source: rate, target: draft, type: conditional, condition: {type: expression, \
                    expr: artifacts.verdict > 1}}]";
        let before = graph("input.x").replace("edges: []", edge);
        let named = "toolName: t}, metadata: {outputAs: verdict}}";
        check_fix("unknown-artifact", &before, &before.replace("toolName: t}}", named));
        // Somebody reads it under its id.
        let taken = graph("artifacts.rate.x").replace("edges: []", edge);
        check_no_fix("unknown-artifact", &taken);
    }

    #[test]
    fn the_key_of_the_output_is_offered() {
        check_fix("unknown-artifact", &graph("artifacts.draft === 'x'"), &graph("artifacts.note === 'x'"));
    }
}

//! ## What it does
//!
//! Reports a subgraph node that runs the graph it stands in, by itself or through other graphs of the project.
//!
//! ## Why it matters
//!
//! The graph starts itself again and again; the nesting never ends.
//!
//! ## Example
//!
//! ```yaml expect=self-delegation
//! id: graph-a
//! name: a
//! nodes:
//!   - {id: again, type: subgraph, executorConfig: {type: subgraph, graphId: graph-a}, executionMode: single_turn, effectClass: read, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: again, type: static}
//!   - {id: e2, source: again, target: __END__, type: static}
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
//!   - {id: again, type: subgraph, executorConfig: {type: subgraph, graphId: graph-b}, executionMode: single_turn, effectClass: read, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: again, type: static}
//!   - {id: e2, source: again, target: __END__, type: static}
//! stateSchema: {input: {}, scratch: {}, artifacts: {}}
//! reducers: {}
//! checkpointPolicy: none
//! memoryConsistency: snapshot
//! ```

use nodewise_model::work::Work;
use nodewise_model::{Declaration, Reference};
use smol_str::SmolStr;

use super::wiring;
use super::wording::short;
use crate::diagnostic::{Finding, Severity};
use crate::rule::{Context, Report, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "self-delegation",
    spec: Some("agentos:I27"),
    systems: &["agentos"],
    severity: Severity::Error,
    absence: false,
    about_syntax: false,
    source: include_str!("self_delegation.rs"),
    check,
};

fn check(context: &Context<'_>, report: &mut Report) {
    if !context.is_agentos() {
        return;
    }
    for declaration in context.declarations() {
        let Some(own) = &declaration.name else { continue };
        for reference in delegates(declaration) {
            if !leads_back(context, reference, &own.value) {
                continue;
            }
            let message = match reference.name == own.value {
                true => format!("`{}` is the graph that this node stands in", short(&reference.name)),
                false => format!("`{}` leads back to this graph", short(&reference.name)),
            };
            report.push(
                Finding::new(reference.at, message)
                    .label("the graph starts itself again without end")
                    .help("run another graph, or end the nesting in the program"),
            );
        }
    }
}

/// The graphs that a graph runs.
fn delegates(declaration: &Declaration) -> impl Iterator<Item = &Reference> {
    let nodes = declaration.graphs().flat_map(|graph| &graph.nodes);
    nodes.filter_map(|node| match &node.work {
        Work::Subgraph(subgraph) => subgraph.graph.as_ref(),
        _ => None,
    })
}

/// How many graphs are looked into before the rule gives up.
const VISITED_MAX: usize = 64;

/// Whether the graph that is named runs the graph `own`, by itself or through others.
fn leads_back(context: &Context<'_>, reference: &Reference, own: &SmolStr) -> bool {
    let mut pending = vec![reference];
    let mut visited: Vec<&SmolStr> = Vec::new();
    while let Some(reference) = pending.pop() {
        if reference.name == *own {
            return true;
        }
        if visited.len() < VISITED_MAX && !visited.contains(&&reference.name) {
            visited.push(&reference.name);
            pending.extend(wiring::declaration(context, reference).into_iter().flat_map(delegates));
        }
    }
    false
}

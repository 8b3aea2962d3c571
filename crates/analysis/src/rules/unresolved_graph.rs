//! ## What it does
//!
//! Reports a subgraph node whose graph no document of the project declares. Only where the project declares other
//! graphs, so that this one is likely to be among them.
//!
//! ## Why it matters
//!
//! Unless the host resolves the id, the node fails: "Subgraph not found".
//!
//! ## Example
//!
//! ```yaml expect=unresolved-graph
//! #- /b.yaml
//! id: graph-b
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
//! #- /main.yaml
//! id: graph-a
//! name: a
//! nodes:
//!   - {id: load, type: subgraph, executorConfig: {type: subgraph, graphId: graph-bb}, executionMode: single_turn, effectClass: read, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: load, type: static}
//!   - {id: e2, source: load, target: __END__, type: static}
//! stateSchema: {input: {}, scratch: {}, artifacts: {}}
//! reducers: {}
//! checkpointPolicy: none
//! memoryConsistency: snapshot
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! #- /b.yaml
//! id: graph-b
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
//! #- /main.yaml
//! id: graph-a
//! name: a
//! nodes:
//!   - {id: load, type: subgraph, executorConfig: {type: subgraph, graphId: graph-b}, executionMode: single_turn, effectClass: read, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: load, type: static}
//!   - {id: e2, source: load, target: __END__, type: static}
//! stateSchema: {input: {}, scratch: {}, artifacts: {}}
//! reducers: {}
//! checkpointPolicy: none
//! memoryConsistency: snapshot
//! ```
//!
//! ## Options
//!
//! `[agentos.outside] graphs` in `nodewise.toml` lists graphs that the host resolves.

use nodewise_model::work::Work;

use super::unresolved;
use crate::diagnostic::Severity;
use crate::index::Resolution;
use crate::rule::{Context, Report, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "unresolved-graph",
    spec: Some("agentos:I27"),
    systems: &["agentos"],
    severity: Severity::Warning,
    absence: false,
    about_syntax: false,
    source: include_str!("unresolved_graph.rs"),
    check,
};

fn check(context: &Context<'_>, report: &mut Report) {
    if !context.is_agentos() {
        return;
    }
    for declaration in context.declarations() {
        let nodes = declaration.graphs().flat_map(|graph| &graph.nodes);
        let references = nodes.filter_map(|node| match &node.work {
            Work::Subgraph(subgraph) => subgraph.graph.as_ref(),
            _ => None,
        });
        for reference in references {
            if context.index.resolve(reference) == Resolution::Nothing
                && !unresolved::is_outside(context, reference)
                && context.index.declares_others(declaration.kind, declaration.name.as_ref())
            {
                report.push(unresolved::unresolved(context, reference));
            }
        }
    }
}

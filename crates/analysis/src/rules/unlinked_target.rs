//! ## What it does
//!
//! Reports a node that a choice names (where a violation is rerouted to, what a search falls back to, where a
//! voice session leaves to) and to which no edge leads from the same node.
//!
//! ## Why it matters
//!
//! Choices only leave out what they have an edge to. A node without such an edge runs as soon as everything else
//! that leads to it has run, at once if nothing does, whatever is chosen.
//!
//! ## Example
//!
//! ```yaml expect=unlinked-target
//! id: graph-a
//! name: a
//! nodes:
//!   - {id: gate, type: guardrail, executorConfig: {type: guardrail, guardrailIds: [pii], onViolation: reroute, rerouteTarget: redact}, executionMode: single_turn, effectClass: pure, checkpoint: none}
//!   - {id: store, type: tool, executorConfig: {type: tool, toolName: store}, executionMode: single_turn, effectClass: external, checkpoint: none}
//!   - {id: redact, type: tool, executorConfig: {type: tool, toolName: redact}, executionMode: single_turn, effectClass: external, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: gate, type: static}
//!   - {id: e2, source: gate, target: store, type: static}
//!   - {id: e3, source: __START__, target: redact, type: static}
//!   - {id: e4, source: store, target: __END__, type: static}
//!   - {id: e5, source: redact, target: __END__, type: static}
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
//!   - {id: gate, type: guardrail, executorConfig: {type: guardrail, guardrailIds: [pii], onViolation: reroute, rerouteTarget: redact}, executionMode: single_turn, effectClass: pure, checkpoint: none}
//!   - {id: store, type: tool, executorConfig: {type: tool, toolName: store}, executionMode: single_turn, effectClass: external, checkpoint: none}
//!   - {id: redact, type: tool, executorConfig: {type: tool, toolName: redact}, executionMode: single_turn, effectClass: external, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: gate, type: static}
//!   - {id: e2, source: gate, target: store, type: static}
//!   - {id: e3, source: gate, target: redact, type: static}
//!   - {id: e4, source: store, target: __END__, type: static}
//!   - {id: e5, source: redact, target: __END__, type: static}
//! stateSchema: {input: {}, scratch: {}, artifacts: {}}
//! reducers: {}
//! checkpointPolicy: none
//! memoryConsistency: snapshot
//! ```

use nodewise_model::Located;
use nodewise_model::graph::{Graph, GraphNode, GuardrailPolicy, HostPolicies, Way};
use nodewise_model::work::Work;
use smol_str::SmolStr;

use super::step;
use super::wording::short;
use crate::diagnostic::{Finding, Severity};
use crate::rule::{Context, Report, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "unlinked-target",
    spec: Some("agentos:I11"),
    systems: &["agentos"],
    severity: Severity::Warning,
    absence: false,
    about_syntax: false,
    source: include_str!("unlinked_target.rs"),
    check,
};

fn check(context: &Context<'_>, report: &mut Report) {
    for (graph, flow) in context.flows() {
        for (source, name) in named_targets(graph) {
            let Some(from) = source.and_then(|source| flow.node(source)) else { continue };
            let Some(to) = flow.node(&name.value).filter(|to| !flow.is_linked(from, *to)) else { continue };
            let Some(node) = graph.nodes.get(from) else { continue };
            report.push(
                Finding::new(
                    name.at,
                    format!("no edge leads from {} to `{}`", step::named(node), short(&name.value)),
                )
                .label(match flow.incoming(to) {
                    [] => "it runs at once, whatever is chosen",
                    _ => "it runs after the others that lead to it, whatever is chosen",
                })
                .help("add this edge to the graph's edges"),
            );
        }
    }
}

/// Every name of a target outside the ends of edges, with the id of the node that chooses it. The two outcomes of
/// a persona's edge are another rule's.
fn named_targets(graph: &Graph) -> impl Iterator<Item = (Option<&str>, &Located<SmolStr>)> {
    let of_nodes = graph.nodes.iter().flat_map(|node| {
        let id = node.id.as_ref().map(|id| id.value.as_str());
        chosen_by(node).into_iter().map(move |name| (id, name))
    });
    let of_edges = graph.edges.iter().flat_map(|edge| {
        let source = edge.source.as_ref().map(|source| source.name.value.as_str());
        let fallback = match &edge.way {
            Way::Discovery(search) => search.fallback.as_ref(),
            _ => None,
        };
        fallback.into_iter().chain(rerouted(edge.host.as_deref())).map(move |name| (source, name))
    });
    of_nodes.chain(of_edges)
}

fn chosen_by(node: &GraphNode) -> Vec<&Located<SmolStr>> {
    let mut names: Vec<&Located<SmolStr>> = rerouted(node.host.as_deref()).into_iter().collect();
    match &node.work {
        Work::Guardrail(guardrail) => names.extend(&guardrail.reroute),
        // An exit that never happens leads nowhere.
        Work::Voice(voice) => names.extend(node.conduct.exits.iter().filter_map(|exit| {
            exit.target.as_ref().filter(|_| exit.kind.as_ref().is_some_and(|reason| voice.can_end(reason)))
        })),
        _ => {}
    }
    names
}

fn rerouted(host: Option<&HostPolicies>) -> Option<&Located<SmolStr>> {
    host.and_then(|host| host.guardrails.as_ref())
        .and_then(|policy: &GuardrailPolicy| policy.reroute.as_ref())
}

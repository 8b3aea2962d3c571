//! Nodes that no run visits, and edges that no run follows. In: all transitions; out: findings. Invariant: an edge of a
//! node that is itself not reached is not reported too.

use std::collections::{BTreeMap, BTreeSet};

use smol_str::SmolStr;

use super::FindingInputs;
use crate::explore::view::{At, Observation};
use crate::explore::{ExplorationFinding, ExplorationFindingKind};

pub(super) fn findings(inputs: &FindingInputs<'_>) -> Vec<ExplorationFinding> {
    let mut visited: BTreeSet<&At> = BTreeSet::new();
    let mut judged: BTreeMap<(&SmolStr, &SmolStr, u32), bool> = BTreeMap::new();
    for observation in observations(inputs) {
        match observation {
            Observation::Began(at) => {
                visited.insert(at);
            }
            Observation::Judged { from, number, is_followed } => {
                *judged.entry((&from.graph, &from.node, *number)).or_default() |= is_followed;
            }
            _ => {}
        }
    }
    let handed: BTreeSet<(&At, &SmolStr)> = observations(inputs)
        .filter_map(|observation| match observation {
            Observation::HandedOver(handed) => Some((&handed.0, &handed.1)),
            _ => None,
        })
        .collect();
    let mut found = Vec::new();
    for outline in inputs.guide.outlines() {
        let graph = &outline.id;
        let is_visited = |node: &SmolStr| visited.contains(&At { graph: graph.clone(), node: node.clone() });
        let mut report = |kind| found.push(ExplorationFinding { kind, graph: graph.clone(), witness: None });
        for node in outline.nodes.iter().filter(|node| !is_visited(&node.id)) {
            report(ExplorationFindingKind::UnreachedNode(node.id.clone()));
        }
        for edge in outline.edges.iter().filter(|edge| is_visited(&edge.from)) {
            let verdict = judged.get(&(graph, &edge.from, edge.number));
            let from = At { graph: graph.clone(), node: edge.from.clone() };
            if verdict != Some(&true) && !handed.contains(&(&from, &edge.to)) {
                report(ExplorationFindingKind::UnreachedEdge {
                    from: edge.from.clone(),
                    to: edge.to.clone(),
                    number: edge.number,
                    is_judged: verdict.is_some(),
                });
            }
        }
    }
    found
}

fn observations<'g>(inputs: &'g FindingInputs<'_>) -> impl Iterator<Item = &'g Observation> {
    inputs.paths.explored.transitions.iter().flat_map(|transition| &transition.observations)
}

//! What can be covered in a graph, before anything ran.
//!
//! Input: a chart; output: its nodes, its edges and the parts of its conditions, all of them uncovered. Invariant: targets of
//! one edge are one entry.

use std::ops::Range;
use std::sync::Arc;

use smol_str::SmolStr;

use super::observe::{KnownAtoms, spot, spot_of};
use super::{Conditions, EdgeCoverage, GraphCoverage, NodeCoverage};
use crate::chart::{Chart, ChartCondition};
use crate::system::RunnableSystem;

/// A graph of which nothing is covered yet.
pub(super) fn skeleton(system: RunnableSystem, chart: &Chart, atoms: &KnownAtoms) -> GraphCoverage {
    let title = match system.nodes_are_one_graph() {
        true => "nodes of the project".to_owned(),
        _ if chart.id.is_empty() => "a graph without a name".to_owned(),
        _ => format!("graph `{}`", chart.id),
    };
    let mut graph = GraphCoverage { title, ..GraphCoverage::default() };
    for node in &chart.nodes {
        let choice = node.condition.as_ref().filter(|condition| atoms.is_choice(condition));
        let covered = NodeCoverage {
            label: node.label.clone(),
            place: node.place.clone(),
            visits: 0,
            condition: choice.map(|condition| conditions(condition, atoms)),
        };
        graph.nodes.insert(spot(node.place.as_ref(), node.id.clone()), covered);
    }
    let label = |id: &SmolStr| chart.node(id).map_or_else(|| id.clone(), |node| node.label.clone());
    for edge in chart.edges.iter().filter(|edge| edge.is_declared()) {
        let condition = edge.condition.as_ref().map(|condition| conditions(condition, atoms));
        let covered = graph.edges.entry(spot_of(edge)).or_insert_with(|| EdgeCoverage {
            from: edge.from.as_ref().map(label),
            to: Vec::new(),
            place: edge.place.clone(),
            followed: 0,
            passed_over: 0,
            condition,
        });
        covered.to.extend(edge.to.as_ref().map(label));
    }
    graph
}

/// A condition that was not evaluated yet. If it is not an expression, it is a single part.
fn conditions(condition: &ChartCondition, atoms: &KnownAtoms) -> Conditions {
    let text = &condition.text;
    let parts: Arc<[SmolStr]> = match atoms.of(condition) {
        Some(atoms) => atoms
            .ranges()
            .map(|range| SmolStr::new(text.get(Range::<usize>::from(range)).unwrap_or_default()))
            .collect(),
        None => [SmolStr::new(text)].into(),
    };
    Conditions::new(Arc::clone(text), parts)
}

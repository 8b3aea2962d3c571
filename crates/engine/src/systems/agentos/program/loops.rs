//! Which edges of a graph lead back.
//!
//! Input: a graph; output: the shape of each edge. Invariant: without the edges that lead back the graph has no cycle.

use super::super::node::Id;
use super::Graph;

/// The shape of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// It leads forward.
    Forward,
    /// It leads back to a place on the path to it.
    Back,
    /// It begins where no path leads.
    Unreached,
}

/// How far the search got with a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    New,
    OnWay,
    Behind,
}

/// The shape of each edge, found by a depth-first search from the start that follows the edges in their order.
pub(super) fn shapes(graph: &Graph) -> Vec<Shape> {
    let mut shapes = vec![Shape::Unreached; graph.edges.len()];
    let mut marks = vec![Mark::New; graph.names.len()];
    let mut way = vec![(Id::START, 0)];
    while let Some((id, place)) = way.last_mut() {
        let Some(edge) = graph.ways_from(*id).get(*place).copied() else {
            if let Some(mark) = marks.get_mut(id.place()) {
                *mark = Mark::Behind;
            }
            way.pop();
            continue;
        };
        *place += 1;
        if let Some(mark) = marks.get_mut(id.place()) {
            *mark = Mark::OnWay;
        }
        let Some(target) = graph.target(edge) else { continue };
        let mark = marks.get(target.place()).copied().unwrap_or(Mark::Behind);
        if let Some(shape) = shapes.get_mut(edge as usize) {
            *shape = if mark == Mark::OnWay { Shape::Back } else { Shape::Forward };
        }
        if mark == Mark::New {
            if let Some(mark) = marks.get_mut(target.place()) {
                *mark = Mark::OnWay;
            }
            way.push((target, 0));
        }
    }
    shapes
}

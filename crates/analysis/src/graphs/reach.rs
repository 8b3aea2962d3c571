//! Where a run can get to. In: a graph and its connections; out: what is reached from the start, what a set of nodes
//! leads to. Each is one walk over nodes and edges, without recursion.

use nodewise_model::graph::{EndpointRole, Graph, GraphEdge};

use super::{GraphFacts, leads_to_the_end, name_of};

/// The most nodes that a quick search looks at.
const NEAR_MAX: usize = 24;

impl GraphFacts {
    /// The targets of the edges of the node at `position`. Targets that do not exist are left out.
    pub fn next(&self, position: usize) -> impl Iterator<Item = usize> {
        self.outgoing(position).iter().filter_map(|edge| self.target(*edge))
    }

    /// For each node whether a path leads from it to the end.
    pub(crate) fn on_the_way_to_the_end(&self, graph: &Graph) -> Vec<bool> {
        let mut leads = vec![false; graph.nodes.len()];
        let last = graph.edges.iter().enumerate().filter(|(_, edge)| leads_to_the_end(edge));
        let mut pending: Vec<usize> = last.filter_map(|(position, _)| self.source(position)).collect();
        while let Some(node) = pending.pop() {
            if !std::mem::replace(&mut leads[node], true) {
                pending.extend(self.incoming(node).iter().filter_map(|edge| self.source(*edge)));
            }
        }
        leads
    }

    /// For each node whether a run can get there after it has left one of the nodes `from`.
    #[must_use]
    pub fn led_to(&self, from: &[usize]) -> Vec<bool> {
        let mut reached = vec![false; self.meant.len()];
        let mut waiting: Vec<usize> = from.iter().map(|position| self.meant(*position)).collect();
        let mut left = vec![false; self.meant.len()];
        while let Some(position) = waiting.pop() {
            if std::mem::replace(&mut left[position], true) {
                continue;
            }
            for next in self.next(position).chain(self.handed(position).iter().copied()) {
                reached[next] = true;
                waiting.push(next);
            }
        }
        reached
    }

    /// The nodes that no run reaches and to which no other such node leads, each with the number of unreached nodes behind it. Of
    /// a cycle, this is the first node. A node behind two of them counts for the first.
    pub(crate) fn first_unreached(&self) -> Vec<(usize, usize)> {
        let is_unreached =
            |position: &usize| self.meant(*position) == *position && !self.is_reached(*position);
        let unreached: Vec<usize> = (0..self.meant.len()).filter(is_unreached).collect();
        let next = |position: usize| self.next(position).chain(self.handed(position).iter().copied());
        let mut is_behind = vec![false; self.meant.len()];
        for position in &unreached {
            next(*position).filter(|next| next != position).for_each(|next| is_behind[next] = true);
        }
        let (behind, first): (Vec<usize>, Vec<usize>) =
            unreached.into_iter().partition(|position| is_behind[*position]);
        let mut is_seen = vec![false; self.meant.len()];
        let mut roots = Vec::new();
        // What is still unseen after the nodes to which nothing leads is in a cycle, or behind one.
        for root in first.into_iter().chain(behind) {
            let mut waiting = vec![root];
            let mut count = 0;
            while let Some(position) = waiting.pop() {
                if !std::mem::replace(&mut is_seen[position], true) {
                    count += 1;
                    waiting.extend(next(position).filter(|next| !self.is_reached(*next)));
                }
            }
            if count > 0 {
                roots.push((root, count - 1));
            }
        }
        roots
    }

    /// Whether a run that has just left one of `from` gets to `to` after few nodes. Most keys are read close to where they
    /// are written, so this quick search usually saves a walk through the whole graph.
    #[must_use]
    pub fn leads_soon(&self, from: &[usize], to: usize) -> bool {
        let mut seen: Vec<usize> = from.iter().take(NEAR_MAX).map(|position| self.meant(*position)).collect();
        let mut at = 0;
        while let Some(position) = seen.get(at).copied() {
            at += 1;
            for next in self.next(position).chain(self.handed(position).iter().copied()) {
                if next == to {
                    return true;
                }
                if seen.len() < NEAR_MAX && !seen.contains(&next) {
                    seen.push(next);
                }
            }
        }
        false
    }
}

/// For each node whether a run visits it by itself; see [`GraphFacts::is_visited`].
pub(super) fn visited(graph: &Graph, facts: &GraphFacts) -> Vec<bool> {
    let mut visited = vec![false; graph.nodes.len()];
    let mut visit = |position: Option<usize>| {
        if let Some(is_visited) = position.and_then(|position| visited.get_mut(position)) {
            *is_visited = true;
        }
    };
    visit(graph.start.as_ref().and_then(|start| facts.node(&start.value)));
    facts.ends.iter().for_each(|(_, target)| visit(*target));
    for node in &graph.nodes {
        let visits = node.work.hand_overs().into_iter().filter(|hand_over| hand_over.is_visit());
        visits.for_each(|hand_over| visit(facts.node(&hand_over.target.value)));
    }
    visited
}

/// For each node whether a run can reach it, over all edges and hand-overs, whatever decides about them. Begins at the
/// start node and at the edges out of the start place, and continues past the end place, as the runtimes do.
pub(super) fn reached(graph: &Graph, facts: &GraphFacts) -> Vec<bool> {
    let comes_from = |role| {
        let edges = graph.edges.iter();
        edges.filter(move |edge| edge.source.as_ref().is_some_and(|source| source.role == role))
    };
    let mut reached = vec![false; graph.nodes.len()];
    let mut nodes: Vec<usize> = Vec::new();
    let mut edges: Vec<&GraphEdge> = comes_from(EndpointRole::Start).collect();
    let named = graph.start.as_ref().and_then(|start| facts.node(&start.value));
    // A node whose id is that of the start place counts as reached.
    let start = graph.conventions.terminals.as_ref().and_then(|terminals| facts.node(terminals.start));
    nodes.extend(named);
    if let Some(start) = start {
        reached[start] = true;
    }
    let (mut is_past_the_end, mut is_everywhere) = (false, false);
    loop {
        while let Some(node) = nodes.pop() {
            if !std::mem::replace(&mut reached[node], true) {
                nodes.extend(facts.handed(node));
                edges.extend(facts.outgoing(node).iter().filter_map(|edge| graph.edges.get(*edge)));
            }
        }
        let Some(edge) = edges.pop() else { return reached };
        if leads_to_the_end(edge) && !std::mem::replace(&mut is_past_the_end, true) {
            edges.extend(comes_from(EndpointRole::End));
        }
        match edge.target.as_ref().map(|target| target.role) {
            // The first placeholder already reaches every node, so later ones add nothing.
            Some(EndpointRole::Placeholder) if !std::mem::replace(&mut is_everywhere, true) => {
                nodes.extend((0..graph.nodes.len()).filter(|node| facts.is_meant(graph, *node)));
            }
            _ => nodes.extend(name_of(&edge.target).and_then(|name| facts.node(name))),
        }
    }
}

/// The number of nodes on the shortest path from the start to a node where a run may end: a declared end, or a node that
/// can end the run itself.
pub(super) fn shortest_run(graph: &Graph, facts: &GraphFacts) -> Option<usize> {
    let ends = graph.ends.iter().flat_map(|ends| &ends.value);
    let mut may_end = vec![false; graph.nodes.len()];
    for position in ends.filter_map(|end| facts.node(&end.value)) {
        may_end[position] = true;
    }
    let mut nearest = vec![facts.node(&graph.start.as_ref()?.value)?];
    let mut is_seen = vec![false; graph.nodes.len()];
    let mut length = 1;
    while !nearest.is_empty() {
        let is_over = |position: &usize| may_end[*position] || graph.nodes[*position].work.may_end_run();
        if nearest.iter().any(is_over) {
            return Some(length);
        }
        let mut further = Vec::new();
        for position in nearest {
            let next = facts.next(position).chain(facts.handed(position).iter().copied());
            further.extend(next.filter(|next| !std::mem::replace(&mut is_seen[*next], true)));
        }
        nearest = further;
        length += 1;
    }
    None
}

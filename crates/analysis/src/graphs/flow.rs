//! Where a run can get to. In: a graph and its connections; out: what is reached from the start, whether edges
//! form a cycle, what a set of nodes leads to. Each is one walk over nodes and edges, without recursion.

use nodewise_model::graph::Graph;
use nodewise_model::work::Work;

use super::{GraphFacts, working_swarm};

/// How many nodes count as a few.
const NEAR_MAX: usize = 24;

/// What a run can reach from the start.
#[derive(Debug, Default)]
pub struct Reach {
    /// For each meant node whether it is reached.
    reached: Vec<bool>,
}

impl Reach {
    /// Whether the node that is meant at `position` is reached.
    #[must_use]
    pub fn holds(&self, position: usize) -> bool {
        self.reached.get(position).copied().unwrap_or(false)
    }
}

impl GraphFacts {
    /// The nodes that the edges of the node at `position` lead to, those that do not exist left out.
    pub fn next(&self, position: usize) -> impl Iterator<Item = usize> {
        self.outgoing(position).iter().filter_map(|edge| *self.targets.get(*edge)?)
    }

    /// For each node whether a run that has just left one of `from` can come to it.
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

    /// Whether a run that has just left one of `from` comes to the node at `to` within a few nodes. Most keys are read
    /// close to where they are written, so that this spares the walk through the whole graph.
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

/// For each node whether a run visits it by itself.
pub(super) fn visited(graph: &Graph, facts: &GraphFacts) -> Vec<bool> {
    let mut visited = vec![false; graph.nodes.len()];
    let mut visit = |position: Option<usize>| {
        if let Some(is_visited) = position.and_then(|position| visited.get_mut(position)) {
            *is_visited = true;
        }
    };
    visit(graph.start.as_ref().and_then(|start| facts.node(&start.value)));
    facts.targets.iter().for_each(|target| visit(*target));
    for node in &graph.nodes {
        match &node.work {
            Work::Supervisor(supervisor) => {
                supervisor.managed.iter().for_each(|id| visit(facts.node(&id.value)))
            }
            Work::Human(human) => human.rejection.iter().for_each(|id| visit(facts.node(&id.value))),
            Work::Tool(_)
            | Work::Router(_)
            | Work::Subgraph(_)
            | Work::Model(_)
            | Work::Extension(_)
            | Work::Guardrail(_)
            | Work::Voice(_)
            | Work::Agent(_)
            | Work::Synthesizer
            | Work::RemoteAgent(_)
            | Work::Map(_)
            | Work::Voting(_)
            | Work::Evolution(_)
            | Work::Verifier(_)
            | Work::Reflection(_)
            | Work::Unknown => {
                let peers = working_swarm(node).into_iter().flat_map(|swarm| &swarm.peers);
                peers.for_each(|peer| visit(facts.node(&peer.value)));
            }
        }
    }
    visited
}

pub(super) fn reach(graph: &Graph, facts: &GraphFacts) -> Reach {
    let start = graph.start.as_ref().and_then(|start| facts.node(&start.value));
    let mut reached = match start {
        Some(start) => facts.led_to(&[start]),
        None => vec![false; graph.nodes.len()],
    };
    if let Some(start) = start {
        reached[start] = true;
    }
    Reach { reached }
}

/// The nodes on the shortest way from the start to a node where a run may be over: an end, or a supervisor, which
/// ends runs itself.
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
        let is_over = |position: &usize| {
            may_end[*position] || matches!(graph.nodes[*position].work, Work::Supervisor(_))
        };
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

/// Whether taking away nodes without a way in, one after another, leaves nodes over.
pub(super) fn has_cycle(graph: &Graph, facts: &GraphFacts) -> bool {
    let nodes: Vec<usize> =
        (0..graph.nodes.len()).filter(|position| facts.meant(*position) == *position).collect();
    let mut ways_in = vec![0usize; graph.nodes.len()];
    for position in &nodes {
        facts.next(*position).for_each(|next| ways_in[next] += 1);
    }
    let mut free: Vec<usize> = nodes.iter().copied().filter(|position| ways_in[*position] == 0).collect();
    let mut taken = 0;
    while let Some(position) = free.pop() {
        taken += 1;
        for next in facts.next(position) {
            ways_in[next] -= 1;
            if ways_in[next] == 0 {
                free.push(next);
            }
        }
    }
    taken < nodes.len()
}

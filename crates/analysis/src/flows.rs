//! Where untrusted values go in a graph: from the nodes that bring them in to the nodes that act on them.
//!
//! Input: a graph with its facts, and what each node means to such values. Output: how they come to each node that they can
//! reach, with the nodes on the path. A value moves from a node to one that a run can visit later and that may read a key which
//! the first one leaves; where the state is open to every node, that is every later node. Invariants: no path leads through a node
//! that checks values; a node appears once, by a path with the fewest moves; the same graph takes the same steps.

use std::collections::VecDeque;

use nodewise_model::graph::{EndpointRole, Graph, GraphEdge};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use crate::graphs::GraphFacts;
use crate::steps::StepBudget;

/// What a node does with untrusted values.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct FlowRole {
    /// The node brings untrusted values into the graph.
    pub(crate) is_source: bool,
    /// A person or a check decides at the node, so values do not pass it unseen.
    pub(crate) is_check: bool,
    /// What the node writes depends on what it reads, so it passes untrusted values on.
    pub(crate) is_carrier: bool,
    /// The search does not continue after this node.
    pub(crate) is_last: bool,
}

/// A step on the path of an untrusted value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FlowStep {
    pub(crate) node: usize,
    /// The state key through which the value reaches the node; `None` if it needs no key.
    pub(crate) key: Option<SmolStr>,
    /// Whether the run only passes this node and the value is not read here.
    pub(crate) is_passed: bool,
}

/// How a value reaches a node for the first time.
#[derive(Debug, Clone)]
struct Arrival {
    /// The node that wrote the value; `None` for the first node of the path.
    before: Option<usize>,
    key: Option<SmolStr>,
    /// The nodes that the run visits between the two.
    between: Vec<usize>,
}

/// The search for untrusted values in one graph.
pub(crate) struct FlowSearch<'s> {
    pub(crate) graph: &'s Graph,
    pub(crate) facts: &'s GraphFacts,
    /// The role of each node, by position.
    pub(crate) roles: &'s [FlowRole],
    pub(crate) steps: &'s StepBudget,
}

/// Where untrusted values can get to in a graph.
#[derive(Debug, Default)]
pub(crate) struct Flows {
    arrivals: FxHashMap<usize, Arrival>,
    /// The nodes that pass values on, each with the nodes that a run can visit after it without a check between.
    moves: Vec<(usize, Vec<usize>)>,
}

impl FlowSearch<'_> {
    /// Follows the values that the graph's own nodes bring in, and the values that the caller passes under the keys
    /// `given`.
    pub(crate) fn run(&self, given: &[SmolStr]) -> Flows {
        let mut flows = Flows::default();
        let mut waiting: VecDeque<usize> = VecDeque::new();
        let own = (0..self.roles.len()).filter(|node| self.roles[*node].is_source && self.is_visited(*node));
        for source in own {
            flows.arrivals.insert(source, Arrival { before: None, key: None, between: Vec::new() });
            waiting.push_back(source);
        }
        if !given.is_empty() {
            self.arrive_from_outside(given, &mut flows, &mut waiting);
        }
        while let Some(node) = waiting.pop_front() {
            let role = self.roles[node];
            if role.is_source || role.is_carrier {
                self.move_on(node, &mut flows, &mut waiting);
            }
        }
        flows
    }

    /// Whether a run can visit the node.
    fn is_visited(&self, node: usize) -> bool {
        self.facts.is_meant(self.graph, node) && self.facts.is_reached(node)
    }

    /// Marks the nodes that read the values passed by the caller.
    fn arrive_from_outside(&self, given: &[SmolStr], flows: &mut Flows, waiting: &mut VecDeque<usize>) {
        let keys: FxHashSet<&str> = given.iter().map(SmolStr::as_str).collect();
        let Some(start) = self.graph.start.as_ref().and_then(|start| self.facts.node(&start.value)) else {
            return;
        };
        let first = (!self.roles[start].is_check).then_some((start, start));
        for (node, _) in first.into_iter().chain(self.later(start)) {
            if let Some(key) = self.shared(&keys, false, node)
                && !flows.arrivals.contains_key(&node)
            {
                flows.arrivals.insert(node, Arrival { before: None, key, between: Vec::new() });
                waiting.push_back(node);
            }
        }
    }

    /// Marks the nodes that may read what `node` writes.
    fn move_on(&self, node: usize, flows: &mut Flows, waiting: &mut VecDeque<usize>) {
        let Some(access) = self.facts.access.get(node) else { return };
        let keys: FxHashSet<&str> = access.leaves.iter().chain(&access.writes).map(SmolStr::as_str).collect();
        let later = self.later(node);
        let parents: FxHashMap<usize, usize> = later.iter().copied().collect();
        for (next, _) in &later {
            if flows.arrivals.contains_key(next) {
                continue;
            }
            if let Some(key) = self.shared(&keys, access.writes_all, *next) {
                let between = between(&parents, node, *next);
                flows.arrivals.insert(*next, Arrival { before: Some(node), key, between });
                waiting.push_back(*next);
            }
        }
        flows.moves.push((node, later.into_iter().map(|(next, _)| next).collect()));
    }

    /// The key through which a node reads one of the values under `keys`, or any key if `all`. The inner `None` means that
    /// it needs no key; the outer `None` that it does not read them.
    fn shared(&self, keys: &FxHashSet<&str>, all: bool, node: usize) -> Option<Option<SmolStr>> {
        if self.graph.conventions.parts.is_some() {
            return Some(None);
        }
        let (declared, access) = (self.graph.nodes.get(node)?, self.facts.access.get(node)?);
        let mapped = declared.work.call().into_iter().flat_map(|call| &call.inputs);
        let mut reads = access.reads.iter().chain(mapped.map(|mapping| &mapping.from.value));
        match reads.find(|key| all && !self.facts.is_ambient(key) || keys.contains(key.as_str())) {
            Some(key) => Some(Some(key.clone())),
            None if access.reads_all && (all || !keys.is_empty()) => Some(None),
            None => None,
        }
    }

    /// The nodes that a run can visit before any check, each with a shortest path to it: the nodes before it, from the
    /// start on.
    pub(crate) fn unchecked(&self) -> Vec<(usize, Vec<usize>)> {
        let named = self.graph.start.iter().map(|start| &start.value);
        let comes_from_start =
            |edge: &&GraphEdge| edge.source.as_ref().is_some_and(|end| end.role == EndpointRole::Start);
        let first = self.graph.edges.iter().filter(comes_from_start);
        let targets = first.filter_map(|edge| Some(&edge.target.as_ref()?.name.value));
        let starts = named.chain(targets).filter_map(|name| self.facts.node(name));
        let found = self.walk(starts.map(|start| (start, None)));
        let parents: FxHashMap<usize, usize> =
            found.iter().filter_map(|(node, before)| Some((*node, (*before)?))).collect();
        let before = |node: &usize| parents.get(node).copied();
        let path = |node: usize| {
            let mut path: Vec<usize> = std::iter::successors(before(&node), before).collect();
            path.reverse();
            path
        };
        found.iter().map(|(node, _)| (*node, path(*node))).collect()
    }

    /// The nodes that a run can visit after `node` without a check between, nearest first, each with the node before it on
    /// the path.
    fn later(&self, node: usize) -> Vec<(usize, usize)> {
        let found = self.walk(self.after(node).map(|next| (next, Some(node))));
        found.into_iter().filter_map(|(next, before)| Some((next, before?))).collect()
    }

    /// The nodes that a run can visit directly after a node, by an edge or by a hand-over.
    fn after(&self, node: usize) -> impl Iterator<Item = usize> {
        self.facts.next(node).chain(self.facts.handed(node).iter().copied())
    }

    /// A breadth-first walk from `starts` (included) that does not enter checks. Returns the nodes nearest first, each with
    /// the node before it. Stops early when the budget is used up.
    fn walk(&self, starts: impl Iterator<Item = (usize, Option<usize>)>) -> Vec<(usize, Option<usize>)> {
        let mut seen: FxHashSet<usize> = FxHashSet::default();
        let mut visits = |node: usize| !self.roles[node].is_check && seen.insert(node);
        let mut found: Vec<(usize, Option<usize>)> =
            starts.filter(|(node, _)| self.steps.take() && visits(*node)).collect();
        let mut taken = 0;
        while let Some((before, _)) = found.get(taken).copied() {
            taken += 1;
            if self.roles[before].is_last {
                continue;
            }
            for next in self.after(before) {
                if !self.steps.take() {
                    return found;
                }
                if visits(next) {
                    found.push((next, Some(before)));
                }
            }
        }
        found
    }
}

/// The nodes between `from` and `to` on the path given by `parents`.
fn between(parents: &FxHashMap<usize, usize>, from: usize, to: usize) -> Vec<usize> {
    let mut nodes = Vec::new();
    let mut at = parents.get(&to).copied();
    while let Some(node) = at.filter(|node| *node != from) {
        nodes.push(node);
        at = parents.get(&node).copied();
    }
    nodes.reverse();
    nodes
}

impl Flows {
    /// Whether untrusted values can get to the node.
    pub(crate) fn reach(&self, node: usize) -> bool {
        self.arrivals.contains_key(&node)
    }

    /// The path of a value to the node, which is its last step; `None` if no value gets there.
    pub(crate) fn path(&self, node: usize) -> Option<Vec<FlowStep>> {
        let mut steps = Vec::new();
        let mut at = Some(node);
        while let Some(node) = at {
            let arrival = self.arrivals.get(&node)?;
            steps.push(FlowStep { node, key: arrival.key.clone(), is_passed: false });
            let passed = arrival.between.iter().rev();
            steps.extend(passed.map(|node| FlowStep { node: *node, key: None, is_passed: true }));
            at = arrival.before;
        }
        steps.reverse();
        Some(steps)
    }

    /// The nodes that pass values on, each with the nodes that a run can visit after it without a check between.
    pub(crate) fn moves(&self) -> &[(usize, Vec<usize>)] {
        &self.moves
    }
}

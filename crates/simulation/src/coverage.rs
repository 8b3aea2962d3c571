//! How much of graphs runs went through: their nodes, their edges, and the parts of their conditions.
//!
//! Input: recordings; output: what was visited, followed and decided, and what was not, with places. Invariant: adding up
//! coverages gives the same whatever the order, and everything is reported in the order of the text.

mod decided;
mod observe;
mod skeleton;
mod written;

use std::collections::BTreeMap;

use nodewise_engine::event::EventKind;
use smol_str::SmolStr;

use crate::chart::{Chart, SourceLocation};
use crate::recording::Recording;
use crate::system::RunnableSystem;

pub(crate) use decided::Row;
pub use decided::{Conditions, PartCoverage};
pub(crate) use observe::{CoverageFact, ObservedRun, Observer, key_of, result_of};
pub use written::{json, lcov, text};

/// How much runs covered of some graphs.
#[derive(Debug, Clone, Default)]
pub struct Coverage {
    graphs: BTreeMap<GraphKey, GraphCoverage>,
}

/// Identifies a graph by the file that declares it and its id. Both are empty if all nodes of a project form one graph.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct GraphKey {
    path: SmolStr,
    id: SmolStr,
}

/// A place that can be sorted: file, line, column, and a name for things at the same place.
pub(crate) type Spot = (SmolStr, u32, u32, SmolStr);

/// How much runs covered of one graph.
#[derive(Debug, Clone, Default)]
pub struct GraphCoverage {
    /// Its title, such as "graph `claims`".
    pub title: String,
    nodes: BTreeMap<Spot, NodeCoverage>,
    edges: BTreeMap<Spot, EdgeCoverage>,
}

#[derive(Debug, Clone)]
pub struct NodeCoverage {
    /// The name that people use for it.
    pub label: SmolStr,
    pub place: Option<SourceLocation>,
    /// How often it was visited.
    pub visits: u64,
    /// The condition by which it chooses where to continue, if it chooses.
    pub condition: Option<Conditions>,
}

#[derive(Debug, Clone)]
pub struct EdgeCoverage {
    /// The node that it leaves; `None` where runs begin.
    pub from: Option<SmolStr>,
    /// The nodes that it leads to; empty if a run ends there.
    pub to: Vec<SmolStr>,
    pub place: Option<SourceLocation>,
    /// How often it was followed.
    pub followed: u64,
    /// How often it was evaluated and not followed.
    pub passed_over: u64,
    /// The condition that decides whether it is followed.
    pub condition: Option<Conditions>,
}

/// A number of things, and how many of them are covered.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    pub covered: usize,
    pub all: usize,
}

/// Shares of a graph, or of several.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Totals {
    /// Nodes that were visited.
    pub nodes: Share,
    /// Edges that were followed.
    pub edges: Share,
    /// Parts of conditions that were shown to decide by themselves, true and false, whether an edge is followed or where
    /// a router leads (MC/DC).
    pub conditions: Share,
}

/// The graph that a run begins with.
pub(crate) fn main_graph(recording: &Recording) -> Option<GraphKey> {
    let begun = recording.events.iter().find_map(|event| match &event.kind {
        EventKind::GraphStarted { graph, .. } => Some(graph),
        _ => None,
    })?;
    Some(observe::key_of(recording.system, recording.charts.graph(begun)?))
}

impl Coverage {
    /// The coverage of one run.
    #[must_use]
    pub fn of(recording: &Recording) -> Coverage {
        let run = ObservedRun {
            system: recording.system,
            charts: &recording.charts,
            beside: &recording.beside,
            clock: recording.clock,
        };
        let mut observer = Observer::new(run);
        let atoms = observe::KnownAtoms::default();
        let (mut coverage, mut facts) = (Coverage::default(), Vec::new());
        for event in &recording.events {
            observer.read(event, &mut facts);
            for fact in facts.drain(..) {
                if let CoverageFact::Began(id) = &fact
                    && let Some(chart) = recording.charts.graph(id)
                {
                    coverage.add_uncovered(recording.system, chart, &atoms);
                }
                coverage.apply(fact);
            }
        }
        coverage
    }

    /// Adds a graph without any coverage, unless the graph is known.
    fn add_uncovered(&mut self, system: RunnableSystem, chart: &Chart, atoms: &observe::KnownAtoms) {
        let key = observe::key_of(system, chart);
        self.graphs.entry(key).or_insert_with(|| skeleton::skeleton(system, chart, atoms));
    }

    /// A graph without any coverage.
    pub(crate) fn uncovered(system: RunnableSystem, chart: &Chart) -> Coverage {
        let mut coverage = Coverage::default();
        coverage.add_uncovered(system, chart, &observe::KnownAtoms::default());
        coverage
    }

    /// Counts something that happened in a run.
    fn apply(&mut self, fact: CoverageFact) {
        match fact {
            CoverageFact::Began(_) => {}
            CoverageFact::Visited(graph, node) => {
                if let Some(covered) = self.node_mut(&graph, &node) {
                    covered.visits += 1;
                }
            }
            CoverageFact::Followed(graph, edge) => {
                if let Some(covered) = self.edge_mut(&graph, &edge) {
                    covered.followed += 1;
                }
            }
            CoverageFact::Judged { graph, edge, is_followed, values } => {
                let Some(covered) = self.edge_mut(&graph, &edge) else { return };
                covered.followed += u64::from(is_followed);
                covered.passed_over += u64::from(!is_followed);
                if let (Some(values), Some(condition)) = (values, &mut covered.condition) {
                    condition.count(values, result_of(is_followed));
                }
            }
            CoverageFact::Chose { graph, node, target, values } => {
                let covered = self.node_mut(&graph, &node);
                if let Some(conditions) = covered.and_then(|covered| covered.condition.as_mut()) {
                    conditions.count(values, target);
                }
            }
        }
    }

    fn node_mut(&mut self, graph: &GraphKey, node: &Spot) -> Option<&mut NodeCoverage> {
        self.graphs.get_mut(graph)?.nodes.get_mut(node)
    }

    fn edge_mut(&mut self, graph: &GraphKey, edge: &Spot) -> Option<&mut EdgeCoverage> {
        self.graphs.get_mut(graph)?.edges.get_mut(edge)
    }

    /// The graphs with their keys.
    pub(crate) fn keyed(&self) -> impl Iterator<Item = (&GraphKey, &GraphCoverage)> {
        self.graphs.iter()
    }

    /// Adds the coverage of other runs.
    pub fn add(&mut self, other: &Coverage) {
        for (key, graph) in &other.graphs {
            match self.graphs.get_mut(key) {
                Some(known) => known.add(graph),
                None => {
                    self.graphs.insert(key.clone(), graph.clone());
                }
            }
        }
    }

    /// The graphs, in the order of their files and ids.
    pub fn graphs(&self) -> impl Iterator<Item = &GraphCoverage> {
        self.graphs.values()
    }

    #[must_use]
    pub fn graph(&self, key: &GraphKey) -> Option<&GraphCoverage> {
        self.graphs.get(key)
    }

    /// The shares of all graphs together.
    #[must_use]
    pub fn totals(&self) -> Totals {
        let mut totals = Totals::default();
        for graph in self.graphs() {
            totals.add(graph.totals());
        }
        totals
    }
}

impl GraphCoverage {
    /// The nodes with their places.
    pub(crate) fn nodes_at(&self) -> impl Iterator<Item = (&Spot, &NodeCoverage)> {
        self.nodes.iter()
    }

    /// The edges with their places.
    pub(crate) fn edges_at(&self) -> impl Iterator<Item = (&Spot, &EdgeCoverage)> {
        self.edges.iter()
    }

    /// The nodes, in the order of the text.
    pub fn nodes(&self) -> impl Iterator<Item = &NodeCoverage> {
        self.nodes.values()
    }

    /// The edges, in the order of the text.
    pub fn edges(&self) -> impl Iterator<Item = &EdgeCoverage> {
        self.edges.values()
    }

    /// The shares of this graph.
    #[must_use]
    pub fn totals(&self) -> Totals {
        let mut totals = Totals::default();
        for node in self.nodes() {
            totals.nodes.count(node.visits > 0);
            for part in node.condition.iter().flat_map(Conditions::parts) {
                totals.conditions.count(part.decides);
            }
        }
        for edge in self.edges() {
            totals.edges.count(edge.followed > 0);
            for part in edge.condition.iter().flat_map(Conditions::parts) {
                totals.conditions.count(part.decides);
            }
        }
        totals
    }

    fn add(&mut self, other: &GraphCoverage) {
        for (spot, node) in &other.nodes {
            match self.nodes.get_mut(spot) {
                Some(known) => known.add(node),
                None => {
                    self.nodes.insert(spot.clone(), node.clone());
                }
            }
        }
        for (spot, edge) in &other.edges {
            match self.edges.get_mut(spot) {
                Some(known) => known.add(edge),
                None => {
                    self.edges.insert(spot.clone(), edge.clone());
                }
            }
        }
    }
}

impl NodeCoverage {
    fn add(&mut self, other: &NodeCoverage) {
        self.visits += other.visits;
        if let (Some(own), Some(other)) = (&mut self.condition, &other.condition) {
            own.add(other);
        }
    }
}

impl EdgeCoverage {
    /// The edge in words: "`a` -> `b`".
    #[must_use]
    pub fn title(&self) -> String {
        let from = self.from.as_deref().unwrap_or("start");
        let to = if self.to.is_empty() { "end".to_owned() } else { self.to.join(", ") };
        format!("{from} -> {to}")
    }

    fn add(&mut self, other: &EdgeCoverage) {
        self.followed += other.followed;
        self.passed_over += other.passed_over;
        if let (Some(own), Some(other)) = (&mut self.condition, &other.condition) {
            own.add(other);
        }
    }
}

impl Share {
    /// The share in percent. 100 if there is nothing to cover.
    #[must_use]
    pub fn percent(self) -> f64 {
        if self.all == 0 { 100.0 } else { self.covered as f64 * 100.0 / self.all as f64 }
    }

    fn count(&mut self, is_covered: bool) {
        self.all += 1;
        self.covered += usize::from(is_covered);
    }

    fn add(&mut self, other: Share) {
        self.covered += other.covered;
        self.all += other.all;
    }
}

impl Totals {
    /// The shares with their names.
    #[must_use]
    pub fn named(self) -> [(&'static str, Share); 3] {
        [("nodes", self.nodes), ("edges", self.edges), ("conditions", self.conditions)]
    }

    /// Adds the shares of others.
    pub fn add(&mut self, other: Totals) {
        self.nodes.add(other.nodes);
        self.edges.add(other.edges);
        self.conditions.add(other.conditions);
    }
}

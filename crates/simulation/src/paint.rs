//! What a run did in each graph, to paint it: how often nodes were visited and edges followed.
//!
//! Input: a recording; output: the graphs that ran, in the order in which they first did. Invariant: edges keep their
//! places in the chart, and what the chart lacks is added behind them.

use std::collections::{BTreeMap, BTreeSet};

use nodewise_diagram::svg::Picture;
use nodewise_diagram::trail::{NodeTrail, Trail};
use nodewise_diagram::view::{EdgeKind, EdgeView, GraphView, NodeRole, NodeView};
use nodewise_engine::event::EventKind;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::chart::Chart;
use crate::recording::{LogIndex, Recording};

/// A graph and what a run did in it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Painting {
    pub(crate) view: GraphView,
    /// What the run did, to mark it in the graph.
    pub(crate) trail: Trail,
}

impl Painting {
    /// The graph with the trail, to draw it.
    pub(crate) fn picture(&self) -> Picture<'_> {
        Picture { view: &self.view, trail: Some(&self.trail) }
    }
}

/// The graphs that ran, each with what the run did in it.
pub(crate) fn paintings(recording: &Recording) -> Vec<Painting> {
    let mut cast = LogIndex::default();
    let mut painters: Vec<Painter> = Vec::new();
    let mut positions: BTreeMap<SmolStr, usize> = BTreeMap::new();
    for event in &recording.events {
        cast.apply(event);
        if let EventKind::GraphStarted { graph, .. } = &event.kind
            && !positions.contains_key(graph)
        {
            positions.insert(graph.clone(), painters.len());
            painters.push(Painter::new(graph, recording.charts.graph(graph)));
        }
        let visit = match &event.kind {
            EventKind::VisitStarted { visit, .. }
            | EventKind::VisitEnded { visit, .. }
            | EventKind::EdgeJudged { visit, .. }
            | EventKind::HandedOver { visit, .. } => *visit,
            _ => continue,
        };
        let Some(visited) = cast.visit(visit) else { continue };
        let position = cast.scope(visited.scope).and_then(|scope| positions.get(&scope.graph));
        let Some(painter) = position.and_then(|position| painters.get_mut(*position)) else { continue };
        painter.event(&event.kind, &visited.node, recording);
    }
    painters.into_iter().map(Painter::finish).collect()
}

struct Painter {
    graph: SmolStr,
    painting: Painting,
    nodes: FxHashMap<SmolStr, usize>,
    /// The positions of edges, by the node that they leave and their number in the log.
    edges: FxHashMap<(usize, u32), Vec<usize>>,
    /// The nodes that each edge joins.
    ends: Vec<(usize, usize)>,
    /// The edges that the run evaluated.
    is_judged: BTreeSet<usize>,
    is_begun: bool,
    last: Option<usize>,
    end: Option<usize>,
}

impl Painter {
    fn new(graph: &SmolStr, chart: Option<&Chart>) -> Painter {
        let mut painter = Painter {
            graph: graph.clone(),
            painting: Painting::default(),
            nodes: FxHashMap::default(),
            edges: FxHashMap::default(),
            ends: Vec::new(),
            is_judged: BTreeSet::new(),
            is_begun: false,
            last: None,
            end: None,
        };
        let name = chart.and_then(|chart| chart.name.as_ref()).unwrap_or(graph);
        painter.painting.view.title = format!("graph `{name}`");
        let Some(chart) = chart else { return painter };
        let has_start = chart.edges.iter().any(|edge| edge.from.is_none());
        if has_start {
            painter.mark(NodeRole::Start);
        }
        for node in &chart.nodes {
            let position = painter.node(&node.id);
            if let Some(view) = painter.painting.view.nodes.get_mut(position) {
                view.label = node.label.clone();
                view.kind = node.kind.clone();
                view.work = node.work;
                view.at = node.place.as_ref().map(|place| place.origin);
            }
        }
        for edge in &chart.edges {
            let from = match &edge.from {
                Some(from) => painter.node(from),
                None => painter.mark(NodeRole::Start),
            };
            let to = match &edge.to {
                Some(to) => painter.node(to),
                None => {
                    let end = painter.mark(NodeRole::End);
                    painter.end = Some(end);
                    end
                }
            };
            let condition = edge.condition.as_ref().map(|condition| condition.text.to_string());
            let kind = if condition.is_some() { EdgeKind::Conditional } else { EdgeKind::Always };
            let at = edge.place.as_ref().map(|place| place.origin);
            let position = painter.edge(from, to, EdgeView { condition, kind, at, ..EdgeView::default() });
            painter.edges.entry((from, edge.number)).or_default().push(position);
        }
        painter
    }

    fn event(&mut self, kind: &EventKind, node: &SmolStr, recording: &Recording) {
        let position = self.node(node);
        match kind {
            EventKind::VisitStarted { .. } => {
                if let Some(painted) = self.painting.trail.nodes.get_mut(position) {
                    painted.visits += 1;
                }
                if !std::mem::replace(&mut self.is_begun, true) {
                    self.follow_from_start(position);
                }
                self.last = Some(position);
            }
            EventKind::VisitEnded { result, .. } => {
                if let Some(painted) = self.painting.trail.nodes.get_mut(position) {
                    painted.failed = result.is_err();
                }
            }
            EventKind::EdgeJudged { edge, target, followed, .. } => {
                self.judged(position, *edge, target, *followed);
            }
            EventKind::HandedOver { target, .. } => {
                let to = self.named(target, recording);
                self.follow(position, to);
            }
            _ => {}
        }
    }

    /// Counts the edge from the last visited node to the end, if the chart has one that the run did not evaluate.
    fn finish(mut self) -> Painting {
        if let (Some(last), Some(end)) = (self.last, self.end)
            && let Some(position) = self.leading(last, end)
            && !self.is_judged.contains(&position)
        {
            self.count(position);
        }
        self.painting
    }

    fn judged(&mut self, from: usize, number: u32, target: &SmolStr, followed: bool) {
        let to = self.nodes.get(target).copied();
        let numbered = self.edges.get(&(from, number)).cloned().unwrap_or_default();
        let leads = |position: &&usize| {
            to.is_none() || self.ends.get(**position).is_some_and(|(_, end)| Some(*end) == to)
        };
        let fitting: Vec<usize> = numbered.iter().filter(leads).copied().collect();
        for position in if fitting.is_empty() { numbered } else { fitting } {
            self.is_judged.insert(position);
            if followed {
                self.count(position);
            }
        }
    }

    fn follow_from_start(&mut self, to: usize) {
        if let Some(start) = self.nodes.get(&mark_id(NodeRole::Start)).copied() {
            self.follow(start, to);
        }
    }

    fn follow(&mut self, from: usize, to: usize) {
        let position = match self.leading(from, to) {
            Some(position) => position,
            None => self.edge(from, to, EdgeView::default()),
        };
        self.count(position);
    }

    fn count(&mut self, position: usize) {
        if let Some(followed) = self.painting.trail.followed.get_mut(position) {
            *followed += 1;
        }
    }

    /// The first edge that leads from one node to another.
    fn leading(&self, from: usize, to: usize) -> Option<usize> {
        self.ends.iter().position(|ends| *ends == (from, to))
    }

    fn edge(&mut self, from: usize, to: usize, edge: EdgeView) -> usize {
        let id =
            |node: usize| self.painting.view.nodes.get(node).map(|node| node.id.clone()).unwrap_or_default();
        let edge = EdgeView { from: id(from), to: id(to), ..edge };
        self.painting.view.edges.push(edge);
        self.painting.trail.followed.push(0);
        self.ends.push((from, to));
        self.ends.len() - 1
    }

    fn named(&mut self, name: &SmolStr, recording: &Recording) -> usize {
        let chart = recording.charts.graph(&self.graph);
        let id = chart
            .and_then(|chart| chart.node_called(name))
            .map_or_else(|| name.clone(), |node| node.id.clone());
        self.node(&id)
    }

    fn node(&mut self, id: &SmolStr) -> usize {
        if let Some(position) = self.nodes.get(id) {
            return *position;
        }
        let position = self.painting.view.nodes.len();
        self.nodes.insert(id.clone(), position);
        let node = NodeView { id: id.to_string(), label: id.clone(), ..NodeView::default() };
        self.painting.view.nodes.push(node);
        self.painting.trail.nodes.push(NodeTrail::default());
        position
    }

    fn mark(&mut self, role: NodeRole) -> usize {
        let position = self.node(&mark_id(role));
        if let Some(node) = self.painting.view.nodes.get_mut(position) {
            node.label = role.word().into();
            node.role = role;
        }
        position
    }
}

/// The id of a mark. No node has it, because ids of nodes do not begin with a space.
fn mark_id(role: NodeRole) -> SmolStr {
    smol_str::format_smolstr!(" {}", role.word())
}

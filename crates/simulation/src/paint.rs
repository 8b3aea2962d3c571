//! What a run did in each graph, to paint it: how often nodes were visited and edges followed.
//!
//! Input: a recording; output: the graphs that ran, in the order in which they first did. Invariant: edges keep their
//! places in the chart, and what the chart lacks is added behind them.

use std::collections::BTreeMap;

use nodewise_engine::event::EventKind;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::chart::Chart;
use crate::recording::{Cast, Recording};

/// A graph and what a run did in it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Painting {
    /// The graph's id.
    pub(crate) graph: SmolStr,
    /// Its nodes, with marks for the beginning and the end.
    pub(crate) nodes: Vec<PaintedNode>,
    /// Its edges.
    pub(crate) edges: Vec<PaintedEdge>,
}

/// A node.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct PaintedNode {
    pub(crate) label: SmolStr,
    pub(crate) kind: SmolStr,
    pub(crate) is_mark: bool,
    pub(crate) visits: u32,
    pub(crate) failed: bool,
}

/// An edge, by the positions of its nodes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct PaintedEdge {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) label: String,
    pub(crate) followed: u32,
    pub(crate) refused: u32,
}

/// Where a run begins and ends, in drawings.
const START: &str = "start";
const END: &str = "end";

/// The graphs that ran.
pub(crate) fn paintings(recording: &Recording) -> Vec<Painting> {
    let mut cast = Cast::default();
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
    painting: Painting,
    nodes: FxHashMap<SmolStr, usize>,
    /// The edges by node and the number in the log, each with its position.
    edges: FxHashMap<(usize, u32), Vec<usize>>,
    is_begun: bool,
    last: Option<usize>,
    end: Option<usize>,
}

impl Painter {
    fn new(graph: &SmolStr, chart: Option<&Chart>) -> Painter {
        let mut painter = Painter {
            painting: Painting { graph: graph.clone(), ..Painting::default() },
            nodes: FxHashMap::default(),
            edges: FxHashMap::default(),
            is_begun: false,
            last: None,
            end: None,
        };
        let Some(chart) = chart else { return painter };
        let has_start = chart.edges.iter().any(|edge| edge.from.is_none());
        if has_start {
            painter.mark(START);
        }
        for node in &chart.nodes {
            let position = painter.node(&node.id);
            if let Some(painted) = painter.painting.nodes.get_mut(position) {
                painted.label = node.label.clone();
                painted.kind = node.kind.clone();
            }
        }
        for edge in &chart.edges {
            let from = match &edge.from {
                Some(from) => painter.node(from),
                None => painter.mark(START),
            };
            let to = match &edge.to {
                Some(to) => painter.node(to),
                None => {
                    let end = painter.mark(END);
                    painter.end = Some(end);
                    end
                }
            };
            let label =
                edge.condition.as_ref().map(|condition| condition.text.to_string()).unwrap_or_default();
            painter.edges.entry((from, edge.number)).or_default().push(painter.painting.edges.len());
            painter.painting.edges.push(PaintedEdge { from, to, label, ..PaintedEdge::default() });
        }
        painter
    }

    fn event(&mut self, kind: &EventKind, node: &SmolStr, recording: &Recording) {
        let position = self.node(node);
        match kind {
            EventKind::VisitStarted { .. } => {
                if let Some(painted) = self.painting.nodes.get_mut(position) {
                    painted.visits += 1;
                }
                if !std::mem::replace(&mut self.is_begun, true) {
                    self.follow_from_start(position);
                }
                self.last = Some(position);
            }
            EventKind::VisitEnded { result, .. } => {
                if let Some(painted) = self.painting.nodes.get_mut(position) {
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

    /// The last visited node leads to the end, where an edge of the chart does.
    fn finish(mut self) -> Painting {
        if let (Some(last), Some(end)) = (self.last, self.end) {
            let leads = |edge: &&mut PaintedEdge| edge.from == last && edge.to == end;
            if let Some(edge) = self.painting.edges.iter_mut().find(leads)
                && edge.followed + edge.refused == 0
            {
                edge.followed += 1;
            }
        }
        self.painting
    }

    fn judged(&mut self, from: usize, number: u32, target: &SmolStr, followed: bool) {
        let to = self.nodes.get(target).copied();
        let numbered = self.edges.get(&(from, number)).cloned().unwrap_or_default();
        let leads = |position: &&usize| {
            let edge = self.painting.edges.get(**position);
            to.is_none() || edge.is_some_and(|edge| Some(edge.to) == to)
        };
        let fitting: Vec<usize> = numbered.iter().filter(leads).copied().collect();
        for position in if fitting.is_empty() { numbered } else { fitting } {
            if let Some(edge) = self.painting.edges.get_mut(position) {
                edge.followed += u32::from(followed);
                edge.refused += u32::from(!followed);
            }
        }
    }

    fn follow_from_start(&mut self, to: usize) {
        if let Some(start) = self.nodes.get(&mark_id(START)).copied() {
            self.follow(start, to);
        }
    }

    fn follow(&mut self, from: usize, to: usize) {
        match self.painting.edges.iter_mut().find(|edge| edge.from == from && edge.to == to) {
            Some(edge) => edge.followed += 1,
            None => self.painting.edges.push(PaintedEdge { from, to, followed: 1, ..PaintedEdge::default() }),
        }
    }

    fn named(&mut self, name: &SmolStr, recording: &Recording) -> usize {
        let chart = recording.charts.graph(&self.painting.graph);
        let id = chart
            .and_then(|chart| chart.node_called(name))
            .map_or_else(|| name.clone(), |node| node.id.clone());
        self.node(&id)
    }

    fn node(&mut self, id: &SmolStr) -> usize {
        if let Some(position) = self.nodes.get(id) {
            return *position;
        }
        let position = self.painting.nodes.len();
        self.nodes.insert(id.clone(), position);
        self.painting.nodes.push(PaintedNode { label: id.clone(), ..PaintedNode::default() });
        position
    }

    fn mark(&mut self, word: &str) -> usize {
        let position = self.node(&mark_id(word));
        if let Some(node) = self.painting.nodes.get_mut(position) {
            node.label = word.into();
            node.is_mark = true;
        }
        position
    }
}

/// The id of a mark; ids of nodes do not begin with a blank that way.
fn mark_id(word: &str) -> SmolStr {
    smol_str::format_smolstr!(" {word}")
}

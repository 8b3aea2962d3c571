//! The graphs that a run can visit, as they are shown: nodes and edges with their places in the text.
//!
//! Input: graphs and declarations of a snapshot; output: charts by the id that the log calls a graph by. Invariant: the
//! nodes and edges stand in the order of the text, and an edge is found by the number that the log gives it.

mod build;

use std::collections::BTreeMap;
use std::sync::Arc;

use nodewise_analysis::workspace::Snapshot;
use nodewise_expr::language::Language;
use nodewise_model::work::{QuestionKind, WorkKind};
use nodewise_model::{Origin, SourceId};
use nodewise_syntax::LineIndex;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

pub(crate) use build::{of_agent, of_graph};

/// A place in a file of the project, as people read it: path, line and column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceLocation {
    /// The path relative to the project.
    pub path: SmolStr,
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// The same place as a range of the snapshot, for programs.
    pub origin: Origin,
}

#[derive(Debug, Clone)]
pub struct ChartNode {
    /// The id that the log uses for it.
    pub id: SmolStr,
    /// The name that people use for it.
    pub label: SmolStr,
    /// The word for its kind, as shown.
    pub kind: SmolStr,
    /// What runs when it is visited.
    pub work: WorkKind,
    /// The kind of question that it asks when it runs.
    pub asks: QuestionKind,
    /// The node that runs this one, if another node does. Scripts answer this node's questions as questions of that node.
    pub asks_for: Option<SmolStr>,
    /// The condition by which the node itself chooses where to continue. `None` if its edges decide.
    pub condition: Option<ChartCondition>,
    pub place: Option<SourceLocation>,
}

/// An edge, or the part of one that leads to one of its targets.
#[derive(Debug, Clone)]
pub struct ChartEdge {
    /// The node that it leaves; `None` where a run begins.
    pub from: Option<SmolStr>,
    /// The node that it leads to; `None` where a run ends.
    pub to: Option<SmolStr>,
    /// Its number in the log: its position in its graph, or in its node if nodes declare edges. The largest number stands
    /// for an edge that the document does not declare.
    pub number: u32,
    /// Its id, if the author gave it one.
    pub id: Option<SmolStr>,
    /// The condition that decides whether it is followed.
    pub condition: Option<ChartCondition>,
    pub place: Option<SourceLocation>,
}

/// The condition of an edge, or of a node that chooses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChartCondition {
    pub text: Arc<str>,
    /// Its language; `None` if it is not an expression.
    pub language: Option<Language>,
}

/// A graph as it is shown: nodes and edges with their places in the text.
#[derive(Debug, Clone, Default)]
pub struct Chart {
    /// The id that the log uses for it.
    pub id: SmolStr,
    /// Its name for people, if that differs from the id.
    pub name: Option<SmolStr>,
    pub nodes: Vec<ChartNode>,
    pub edges: Vec<ChartEdge>,
    /// Whether a condition that reads a tainted key never holds.
    pub strict_taint: bool,
    nodes_by_id: FxHashMap<SmolStr, usize>,
    leaving: FxHashMap<SmolStr, Vec<usize>>,
}

/// The graphs that a run can visit.
#[derive(Debug, Clone, Default)]
pub struct Charts {
    graphs: BTreeMap<SmolStr, Chart>,
}

/// The number of edges that the document does not declare: where runs begin and end, where nodes hand over, and where
/// models call tools.
pub(crate) const NO_EDGE: u32 = u32::MAX;

impl ChartEdge {
    /// Whether the document declares it as an edge.
    #[must_use]
    pub fn is_declared(&self) -> bool {
        self.number != NO_EDGE
    }
}

impl Chart {
    /// A graph of these nodes and edges.
    #[must_use]
    pub fn new(id: SmolStr, nodes: Vec<ChartNode>, edges: Vec<ChartEdge>) -> Chart {
        let mut nodes_by_id = FxHashMap::default();
        for (position, node) in nodes.iter().enumerate() {
            nodes_by_id.entry(node.id.clone()).or_insert(position);
        }
        let mut leaving: FxHashMap<SmolStr, Vec<usize>> = FxHashMap::default();
        for (position, edge) in edges.iter().enumerate() {
            leaving.entry(edge.from.clone().unwrap_or_default()).or_default().push(position);
        }
        Chart { id, name: None, nodes, edges, strict_taint: false, nodes_by_id, leaving }
    }

    /// The first node with this id.
    #[must_use]
    pub fn node(&self, id: &str) -> Option<&ChartNode> {
        self.nodes.get(*self.nodes_by_id.get(id)?)
    }

    /// The node with this id, or else the first node with this label.
    #[must_use]
    pub fn node_called(&self, name: &str) -> Option<&ChartNode> {
        self.node(name).or_else(|| self.nodes.iter().find(|node| node.label == name))
    }

    /// The edges that leave a node, in order.
    pub fn leaving<'c>(&'c self, node: &str) -> impl Iterator<Item = &'c ChartEdge> + use<'c> {
        let positions = self.leaving.get(node).map(Vec::as_slice).unwrap_or_default();
        positions.iter().filter_map(|position| self.edges.get(*position))
    }

    /// The edge that an event of the log refers to. If several edges of the node have the number, the one to `target` is
    /// preferred.
    #[must_use]
    pub fn edge(&self, from: &str, number: u32, target: &str) -> Option<&ChartEdge> {
        let numbered = || self.leaving(from).filter(move |edge| edge.number == number);
        numbered().find(|edge| edge.to.as_deref() == Some(target)).or_else(|| numbered().next())
    }
}

impl Charts {
    /// Adds a graph, unless there is already one with its id.
    pub fn add(&mut self, chart: Chart) {
        self.graphs.entry(chart.id.clone()).or_insert(chart);
    }

    /// The graph with this id.
    #[must_use]
    pub fn graph(&self, id: &str) -> Option<&Chart> {
        self.graphs.get(id)
    }

    /// The first node with this id or label, in any graph.
    #[must_use]
    pub fn node_called(&self, name: &str) -> Option<&ChartNode> {
        self.iter().find_map(|chart| chart.node_called(name))
    }

    /// All graphs, in the order of their ids.
    pub fn iter(&self) -> impl Iterator<Item = &Chart> {
        self.graphs.values()
    }
}

/// Finds the lines and columns of origins. The lines of each file are counted only once.
pub(crate) struct Places<'s> {
    snapshot: &'s Snapshot,
    files: FxHashMap<SourceId, (SmolStr, LineIndex)>,
}

impl<'s> Places<'s> {
    pub(crate) fn new(snapshot: &'s Snapshot) -> Places<'s> {
        Places { snapshot, files: FxHashMap::default() }
    }

    /// The path, line and column of an origin. `None` if its file is not in the snapshot.
    pub(crate) fn find(&mut self, origin: Origin) -> Option<SourceLocation> {
        if !self.files.contains_key(&origin.source) {
            let file = self.snapshot.file(origin.source)?;
            self.files.insert(origin.source, (SmolStr::new(&file.path), LineIndex::new(&file.text)));
        }
        let (path, lines) = self.files.get(&origin.source)?;
        let at = lines.line_col(origin.range.start());
        Some(SourceLocation { path: path.clone(), line: at.line, column: at.column, origin })
    }
}

/// The path, line and column of an origin. `None` if its file is not in the snapshot.
#[must_use]
pub fn place_of(snapshot: &Snapshot, at: Origin) -> Option<SourceLocation> {
    Places::new(snapshot).find(at)
}

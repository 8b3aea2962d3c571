//! A graph as data to draw: nodes with what they do, read and write, edges with what decides them, where a run begins and
//! ends.
//!
//! Input: the code that finds graphs fills it in; output: what the forms print. Invariant: edges name nodes by ids of the same
//! graph, and everything stands in the order of the text.

use std::collections::BTreeMap;

use nodewise_model::Origin;
use nodewise_model::work::WorkKind;
use smol_str::SmolStr;

use crate::marks::PartMark;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GraphView {
    /// The title, such as "graph `main`".
    pub title: String,
    /// The names by which a user can ask for it: its id and its name.
    pub names: Vec<SmolStr>,
    /// Where it is declared; `None` if several documents together form it.
    pub at: Option<Origin>,
    /// The nodes, with marks for the start and the end of a run.
    pub nodes: Vec<NodeView>,
    pub edges: Vec<EdgeView>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NodeView {
    /// The id, which edges refer to. It is unique in the graph.
    pub id: String,
    /// The display name.
    pub label: SmolStr,
    /// The dialect's word for its kind; empty for a mark or an unknown node.
    pub kind: SmolStr,
    pub role: NodeRole,
    /// What the node does, in terms that fit every system.
    pub work: WorkKind,
    /// The name of the graph that it runs, as written.
    pub runs: Option<SmolStr>,
    /// That graph, if it is drawn inside the node.
    pub inner: Option<Box<GraphView>>,
    /// The place of its name; `None` for a mark.
    pub at: Option<Origin>,
    /// The state keys that it names to read them.
    pub reads: Vec<SmolStr>,
    /// The state keys that it names to write them.
    pub writes: Vec<SmolStr>,
    /// The number of errors and warnings.
    pub problems: usize,
    /// The number of errors.
    pub errors: usize,
    /// Whether no run can reach it.
    pub is_unreachable: bool,
    /// Additional marks that a drawing shows.
    pub marks: Vec<PartMark>,
}

/// What a node of the drawing is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum NodeRole {
    /// The start of a run.
    Start,
    #[default]
    Node,
    /// A name that an edge leads to but that nothing declares.
    Unknown,
    /// The end of a run.
    End,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EdgeView {
    /// The id of the node that it leaves.
    pub from: String,
    /// The id of the node that it leads to.
    pub to: String,
    /// The condition, as written.
    pub condition: Option<String>,
    pub at: Option<Origin>,
    /// Why a run follows it.
    pub kind: EdgeKind,
    /// Whether a run follows it only if the conditions of the edges before it are false.
    pub is_default: bool,
    /// Whether a run follows it together with other edges of the node.
    pub is_parallel: bool,
    /// The number of errors and warnings.
    pub problems: usize,
    /// The number of errors.
    pub errors: usize,
    /// Additional marks that a drawing shows.
    pub marks: Vec<PartMark>,
}

/// Why a run follows an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EdgeKind {
    #[default]
    Always,
    /// Its condition is true.
    Conditional,
    /// A search finds a capability.
    Discovery,
    /// A trait of the persona decides.
    Personality,
    /// The node hands the run over, as a supervisor or a swarm does.
    HandOver,
    /// The target does the work for each item, and the run returns to the node.
    Worker,
    /// A model calls a tool.
    Tool,
    /// The session ended for a certain reason.
    Exit,
    /// A person rejected.
    Rejection,
    /// A guardrail was violated.
    Violation,
    /// The search found nothing.
    Fallback,
    /// The type of the edge is unknown.
    Unknown,
}

/// The line style of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stroke {
    /// For the normal path.
    Solid,
    /// For what happens if something goes wrong.
    Dashed,
    /// For work that is done for the node, which then continues.
    Dotted,
}

impl NodeRole {
    /// The name in JSON and other data.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            NodeRole::Start => "start",
            NodeRole::Node => "node",
            NodeRole::Unknown => "unknown",
            NodeRole::End => "end",
        }
    }
}

impl EdgeKind {
    /// The name in JSON and other data.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            EdgeKind::Always => "always",
            EdgeKind::Conditional => "conditional",
            EdgeKind::Discovery => "discovery",
            EdgeKind::Personality => "personality",
            EdgeKind::HandOver => "handOver",
            EdgeKind::Worker => "worker",
            EdgeKind::Tool => "tool",
            EdgeKind::Exit => "exit",
            EdgeKind::Rejection => "rejection",
            EdgeKind::Violation => "violation",
            EdgeKind::Fallback => "fallback",
            EdgeKind::Unknown => "unknown",
        }
    }

    pub(crate) fn stroke(self) -> Stroke {
        match self {
            EdgeKind::Always
            | EdgeKind::Conditional
            | EdgeKind::Discovery
            | EdgeKind::Personality
            | EdgeKind::HandOver
            | EdgeKind::Exit
            | EdgeKind::Unknown => Stroke::Solid,
            EdgeKind::Rejection | EdgeKind::Violation | EdgeKind::Fallback => Stroke::Dashed,
            EdgeKind::Tool | EdgeKind::Worker => Stroke::Dotted,
        }
    }
}

impl EdgeView {
    /// The label of an edge: its condition, or else the reason why a run follows it, unless that is obvious.
    #[must_use]
    pub fn label(&self) -> String {
        let condition = self.condition.as_deref().map(one_line);
        match (self.kind, condition) {
            (EdgeKind::Discovery, Some(query)) => format!("finds: {query}"),
            (EdgeKind::Exit, Some(reason)) => format!("on {reason}"),
            (EdgeKind::Rejection, _) => "rejected".to_owned(),
            (EdgeKind::Violation, _) => "violation".to_owned(),
            (EdgeKind::Fallback, _) => "otherwise".to_owned(),
            (EdgeKind::Worker, _) => "each item".to_owned(),
            (EdgeKind::HandOver, _) => "hands over".to_owned(),
            (EdgeKind::Discovery, None) => "finds something".to_owned(),
            (EdgeKind::Unknown, None) => "unknown type".to_owned(),
            (EdgeKind::Always, None) if self.is_default => "else".to_owned(),
            (_, Some(condition)) => condition,
            (_, None) => String::new(),
        }
    }
}

impl EdgeView {
    /// The problems of the edge, as text.
    pub(crate) fn remarks(&self) -> Vec<String> {
        counted(self.problems, self.errors).collect()
    }
}

impl NodeView {
    /// Whether it marks the start or the end of a run.
    #[must_use]
    pub fn is_mark(&self) -> bool {
        matches!(self.role, NodeRole::Start | NodeRole::End)
    }

    /// The text below its name: its kind, and the graph that it runs.
    pub(crate) fn caption(&self) -> String {
        match (&self.runs, self.role) {
            (_, NodeRole::Unknown) if self.kind.is_empty() => "not declared".to_owned(),
            (Some(graph), _) => format!("{} → {}", self.kind, one_line(graph)),
            (None, _) => self.kind.to_string(),
        }
    }

    /// Information that the picture itself does not show, as text.
    pub(crate) fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        let keys = |keys: &[SmolStr]| keys.iter().map(|key| one_line(key)).collect::<Vec<_>>().join(", ");
        if !self.reads.is_empty() {
            remarks.push(format!("reads {}", keys(&self.reads)));
        }
        if !self.writes.is_empty() {
            remarks.push(format!("writes {}", keys(&self.writes)));
        }
        remarks.extend(counted(self.problems, self.errors));
        if self.is_unreachable {
            remarks.push("unreachable".to_owned());
        }
        remarks
    }
}

impl GraphView {
    /// Marks the nodes that no path from a start reaches. Does nothing if the graph has no start.
    pub fn mark_unreachable(&mut self) {
        let mut leading: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        for (_, from, to) in self.joined() {
            if let Some(list) = leading.get_mut(from) {
                list.push(to);
            }
        }
        let mut open: Vec<usize> = (0..self.nodes.len())
            .filter(|node| self.nodes.get(*node).is_some_and(|node| node.role == NodeRole::Start))
            .collect();
        if open.is_empty() {
            return;
        }
        for node in &mut self.nodes {
            node.is_unreachable = true;
        }
        while let Some(position) = open.pop() {
            if let Some(node) = self.nodes.get_mut(position)
                && std::mem::replace(&mut node.is_unreachable, false)
            {
                open.extend(leading.get(position).into_iter().flatten());
            }
        }
    }

    /// The index of each node by its id. If several nodes have the same id, the first one.
    pub(crate) fn positions(&self) -> BTreeMap<&str, usize> {
        let mut positions = BTreeMap::new();
        for (position, node) in self.nodes.iter().enumerate() {
            positions.entry(node.id.as_str()).or_insert(position);
        }
        positions
    }

    /// The edges whose ends exist, each as its own index and the indices of its source and target.
    pub(crate) fn joined(&self) -> Vec<(usize, usize, usize)> {
        let positions = self.positions();
        let ends = |(edge, view): (usize, &EdgeView)| {
            Some((edge, *positions.get(view.from.as_str())?, *positions.get(view.to.as_str())?))
        };
        self.edges.iter().enumerate().filter_map(ends).collect()
    }
}

/// The numbers of errors and of warnings, as text. Zeros are left out.
fn counted(problems: usize, errors: usize) -> impl Iterator<Item = String> {
    let errors_said = match errors {
        0 => None,
        1 => Some("1 error".to_owned()),
        errors => Some(format!("{errors} errors")),
    };
    let others_said = match problems.saturating_sub(errors) {
        0 => None,
        1 => Some("1 warning".to_owned()),
        others => Some(format!("{others} warnings")),
    };
    errors_said.into_iter().chain(others_said)
}

/// A text on one line: white space becomes single spaces, and control characters are removed.
pub(crate) fn one_line(text: &str) -> String {
    let words: Vec<String> = text
        .split_whitespace()
        .map(|word| word.chars().filter(|character| !is_invisible(*character)).collect())
        .collect();
    words.join(" ")
}

/// Whether it is a control character, or changes the writing direction.
fn is_invisible(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}'
                | '\u{fffe}' | '\u{ffff}'
        )
}

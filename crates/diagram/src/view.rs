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
    /// What it is: "graph `main`".
    pub title: String,
    /// What it can be asked for by: its id, its name.
    pub names: Vec<SmolStr>,
    /// Where it is declared; nowhere, where many documents make it together.
    pub at: Option<Origin>,
    /// Its nodes, with marks for where a run begins and ends.
    pub nodes: Vec<NodeView>,
    pub edges: Vec<EdgeView>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NodeView {
    /// What edges name it by; unique in the graph.
    pub id: String,
    /// What people call it.
    pub label: SmolStr,
    /// The dialect's word for its kind; nothing for a mark or an unknown node.
    pub kind: SmolStr,
    pub role: NodeRole,
    /// What runs when it is visited, whatever the dialect calls it.
    pub work: WorkKind,
    /// The graph that it runs, as the text names it.
    pub runs: Option<SmolStr>,
    /// That graph, where it is drawn inside the node.
    pub inner: Option<Box<GraphView>>,
    /// Its name in the text, unless it is a mark.
    pub at: Option<Origin>,
    /// The keys of the state that it names to read them.
    pub reads: Vec<SmolStr>,
    /// The keys of the state that it names to write them.
    pub writes: Vec<SmolStr>,
    /// How many errors and warnings it has.
    pub problems: usize,
    /// How many of them are errors.
    pub errors: usize,
    /// Whether no run can come to it.
    pub is_unreachable: bool,
    /// What a drawing says about it beside the graph itself.
    pub marks: Vec<PartMark>,
}

/// What a node of the drawing is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum NodeRole {
    /// Where a run begins.
    Start,
    #[default]
    Node,
    /// A name that something leads to, and that nothing declares.
    Unknown,
    /// Where a run ends.
    End,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EdgeView {
    /// The id of the node that it leaves.
    pub from: String,
    /// The id of the node that it leads to.
    pub to: String,
    /// What decides it, as it is written.
    pub condition: Option<String>,
    pub at: Option<Origin>,
    /// Why a run goes there.
    pub kind: EdgeKind,
    /// Whether a run goes there because the conditions of the edges before it fail.
    pub is_default: bool,
    /// Whether a run goes there and along other edges of the node at the same time.
    pub is_parallel: bool,
    /// How many errors and warnings it has.
    pub problems: usize,
    /// How many of them are errors.
    pub errors: usize,
    /// What a drawing says about it beside the graph itself.
    pub marks: Vec<PartMark>,
}

/// Why a run goes along an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EdgeKind {
    #[default]
    Always,
    /// When its condition holds.
    Conditional,
    /// When a search finds a capability.
    Discovery,
    /// By a trait of the persona.
    Personality,
    /// Because the node hands over: a supervisor, a swarm.
    HandOver,
    /// To do its work for each of many items, and come back.
    Worker,
    /// Because a model calls a tool.
    Tool,
    /// Because the session ended for a reason.
    Exit,
    /// Because a person said no.
    Rejection,
    /// Because a guardrail was violated.
    Violation,
    /// Because a search found nothing.
    Fallback,
    /// By a word that nothing knows.
    Unknown,
}

/// How an edge is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stroke {
    /// The usual way.
    Solid,
    /// What is done when things do not go the usual way.
    Dashed,
    /// Work that is done for the node, which then continues.
    Dotted,
}

impl NodeRole {
    /// The word for it, in data.
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
    /// The word for it, in data.
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
    /// What is written beside it: its condition, or why a run goes there where that is not plain.
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
    /// What is wrong with it.
    pub(crate) fn remarks(&self) -> Vec<String> {
        counted(self.problems, self.errors).collect()
    }
}

impl NodeView {
    /// Whether it marks where runs begin or end.
    #[must_use]
    pub fn is_mark(&self) -> bool {
        matches!(self.role, NodeRole::Start | NodeRole::End)
    }

    /// What is written below its name: its kind, and the graph that it runs.
    pub(crate) fn caption(&self) -> String {
        match (&self.runs, self.role) {
            (_, NodeRole::Unknown) if self.kind.is_empty() => "not declared".to_owned(),
            (Some(graph), _) => format!("{} → {}", self.kind, one_line(graph)),
            (None, _) => self.kind.to_string(),
        }
    }

    /// What is worth knowing of it beside what the picture shows.
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
    /// Marks the nodes that no way leads to from where runs begin; none where nothing says where that is.
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

    /// The position of each node, by its id; of several the first.
    pub(crate) fn positions(&self) -> BTreeMap<&str, usize> {
        let mut positions = BTreeMap::new();
        for (position, node) in self.nodes.iter().enumerate() {
            positions.entry(node.id.as_str()).or_insert(position);
        }
        positions
    }

    /// The edges whose ends exist: the position of each, and of its ends.
    pub(crate) fn joined(&self) -> Vec<(usize, usize, usize)> {
        let positions = self.positions();
        let ends = |(edge, view): (usize, &EdgeView)| {
            Some((edge, *positions.get(view.from.as_str())?, *positions.get(view.to.as_str())?))
        };
        self.edges.iter().enumerate().filter_map(ends).collect()
    }
}

/// How many errors there are, and how many warnings.
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

/// A text on one line: spaces and line breaks become single spaces, control characters nothing.
pub(crate) fn one_line(text: &str) -> String {
    let words: Vec<String> = text
        .split_whitespace()
        .map(|word| word.chars().filter(|character| !is_invisible(*character)).collect())
        .collect();
    words.join(" ")
}

/// Control characters, and characters that turn the direction of writing.
fn is_invisible(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}'
                | '\u{fffe}' | '\u{ffff}'
        )
}

//! Edits of a graph as a board offers them: nodes and edges that are added, moved, renamed or deleted. In: a snapshot, a
//! place in the graph, what to do. Out: the smallest edits of the text that do it, or the reason why it cannot be done
//! and what to do instead. Invariant: the text gets no new syntax problem, and every byte that the edit is not about
//! stays as it is.

mod assist;
mod conditions;
mod edge_text;
mod edges;
mod graph_text;
mod names;
mod network;
mod network_nodes;
mod nodes;
#[cfg(test)]
mod tests;
mod values;
mod working_copy;

use std::fmt;

use nodewise_analysis::facts::DocumentId;
use nodewise_analysis::workspace::Snapshot;
use nodewise_diagram::view::{EdgeView, GraphView, NodeView};

use crate::actions::SourceChange;
use crate::graph::declared::{END, START};
use crate::graph::{graph_at, graph_place, is_node};
use crate::position::FilePosition;
use crate::rename::{RenameOptions, RenameRefusal, rename};
pub use assist::{ConditionAssist, ConditionItem, condition_assist};
pub use values::{NodeChoices, NodeKindChoice, node_choices};
use working_copy::WorkingCopy;

/// What to do with a graph. Nodes are named by the ids of [`GraphView`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BoardEdit {
    /// Adds a node that comes after another one. If only one edge leaves that node and it has no condition, the new node
    /// is put into that edge.
    AddNode {
        /// The node before it.
        after: String,
        node: NewNode,
    },
    /// Puts a new node into an edge, whose condition stays before the node.
    InsertNode { edge: BoardEdge, node: NewNode },
    /// Adds an edge.
    Connect {
        /// The node that it leaves.
        from: String,
        /// The node that it leads to.
        to: String,
        /// When it is followed. Always without one.
        condition: Option<String>,
    },
    /// Moves one end of an edge to another node.
    Reconnect {
        edge: BoardEdge,
        /// The end to move.
        end: EdgeEnd,
        /// The other node.
        node: String,
    },
    /// Deletes a node and its edges.
    DeleteNode { node: String },
    /// Deletes an edge.
    DeleteEdge { edge: BoardEdge },
    /// Renames a node everywhere.
    RenameNode {
        node: String,
        /// Its new name.
        name: String,
    },
    /// Sets or removes the condition of an edge.
    SetCondition {
        edge: BoardEdge,
        /// The condition. An edge without one is always followed.
        condition: Option<String>,
    },
}

/// A node to add.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewNode {
    /// Its kind: a word of [`node_choices`].
    pub kind: String,
    pub name: String,
}

/// An edge of a [`GraphView`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardEdge {
    /// Its index in the view.
    pub index: usize,
    /// The id of the node that it leaves, to recognise an outdated index.
    pub from: String,
    /// The id of the node that it leads to.
    pub to: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EdgeEnd {
    /// Where it comes from.
    From,
    /// Where it leads.
    To,
}

/// Why an edit is not made, and what to do instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardRefusal {
    /// The reason, as sentences.
    pub reason: String,
    /// Whether the edit is possible with a condition.
    pub needs_condition: bool,
}

impl fmt::Display for BoardRefusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.reason)
    }
}

impl std::error::Error for BoardRefusal {}

impl BoardRefusal {
    fn new(reason: impl Into<String>) -> BoardRefusal {
        BoardRefusal { reason: reason.into(), needs_condition: false }
    }
}

impl From<RenameRefusal> for BoardRefusal {
    fn from(refusal: RenameRefusal) -> BoardRefusal {
        let mut letters = refusal.reason.chars();
        let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
        BoardRefusal::new(format!("{first}{}.", letters.as_str()))
    }
}

/// The result of a part of an edit.
type Edited = Result<(), BoardRefusal>;

/// The edits that make a change to the graph at a position.
pub fn board_edit(
    snapshot: &Snapshot,
    position: FilePosition,
    edit: &BoardEdit,
) -> Result<SourceChange, BoardRefusal> {
    let mut copy = WorkingCopy::new(snapshot);
    edited(&mut copy, snapshot, position, edit)?;
    copy.finish()
}

/// Makes a change to the graph at a position, in a copy of the project.
fn edited(
    copy: &mut WorkingCopy<'_>,
    snapshot: &Snapshot,
    position: FilePosition,
    edit: &BoardEdit,
) -> Edited {
    let nothing = || BoardRefusal::new("There is no graph here any more. Open the file that declares it.");
    let (document, part) = graph_place(snapshot, position).ok_or_else(nothing)?;
    let view = graph_at(snapshot, position).ok_or_else(nothing)?;
    match edit {
        BoardEdit::RenameNode { node, name } => renamed(copy, snapshot, &view, node, name),
        _ if is_node(snapshot, document) => in_network(copy, &view, edit),
        _ => declared(copy, GraphId { document, part }, &view, edit),
    }?;
    check_meaning(copy, position, edit)
}

/// Refuses an edit if its result differs from what the user asked for. This happens if a name refers to another node
/// than the one on the board, for example in a graph with mistakes.
fn check_meaning(copy: &WorkingCopy<'_>, position: FilePosition, edit: &BoardEdit) -> Edited {
    let Some(view) = graph_at(&copy.now(), position) else { return Ok(()) };
    let leads = |from: &str, to: &str| view.edges.iter().any(|edge| edge.from == from && edge.to == to);
    let is_meant = match edit {
        BoardEdit::Connect { from, to, .. } => leads(from, to),
        BoardEdit::Reconnect { edge, end: EdgeEnd::From, node } => leads(node, &edge.to),
        BoardEdit::Reconnect { edge, end: EdgeEnd::To, node } => leads(&edge.from, node),
        BoardEdit::RenameNode { node, .. } => {
            !view.edges.iter().any(|edge| edge.from == *node || edge.to == *node)
        }
        _ => true,
    };
    match is_meant {
        true => Ok(()),
        false => Err(BoardRefusal::new(
            "The text has a mistake that gives a name here another meaning. Correct the text, or edit it there.",
        )),
    }
}

/// A graph that one document declares.
#[derive(Debug, Clone, Copy)]
struct GraphId {
    document: DocumentId,
    part: usize,
}

/// Makes a change to a graph that one document declares.
fn declared(copy: &mut WorkingCopy<'_>, graph: GraphId, view: &GraphView, edit: &BoardEdit) -> Edited {
    match edit {
        BoardEdit::AddNode { after, node } => nodes::add(copy, graph, view, after, node),
        BoardEdit::InsertNode { edge, node } => nodes::insert(copy, graph, found(view, edge)?, node),
        BoardEdit::Connect { from, to, condition } => {
            edges::connect(copy, graph, (from, to), condition.as_deref())
        }
        BoardEdit::Reconnect { edge, end, node } => {
            edges::reconnect(copy, graph, found(view, edge)?, *end, node)
        }
        BoardEdit::DeleteNode { node } => nodes::delete(copy, graph, view, node),
        BoardEdit::DeleteEdge { edge } => edges::delete(copy, graph, view, found(view, edge)?),
        BoardEdit::SetCondition { edge, condition } => {
            conditions::set(copy, graph, found(view, edge)?, condition.as_deref())
        }
        // Renames are handled above.
        BoardEdit::RenameNode { .. } => Ok(()),
    }
}

/// Makes a change to a graph whose nodes are separate documents.
fn in_network(copy: &mut WorkingCopy<'_>, view: &GraphView, edit: &BoardEdit) -> Edited {
    match edit {
        BoardEdit::AddNode { after, node } => {
            network_nodes::add(copy, view, &network::named(view, after)?, node)
        }
        BoardEdit::InsertNode { edge, node } => {
            let edge = found(view, edge)?;
            network_nodes::insert(
                copy,
                edge,
                &network::named(view, &edge.from)?,
                &network::named(view, &edge.to)?,
                node,
            )
        }
        BoardEdit::Connect { from, to, condition } => network::connect(
            copy,
            &network::named(view, from)?,
            &network::named(view, to)?,
            condition.as_deref(),
        ),
        BoardEdit::Reconnect { edge, end, node } => {
            network::reconnect(copy, view, found(view, edge)?, *end, &network::named(view, node)?)
        }
        BoardEdit::DeleteNode { node } => network_nodes::delete(copy, &network::named(view, node)?),
        BoardEdit::DeleteEdge { edge } => {
            let edge = found(view, edge)?;
            network::delete(copy, edge.at.ok_or_else(unwritable)?)
        }
        BoardEdit::SetCondition { edge, condition } => {
            network::set_condition(copy, found(view, edge)?, condition.as_deref())
        }
        // Renames are handled above.
        BoardEdit::RenameNode { .. } => Ok(()),
    }
}

fn renamed(
    copy: &mut WorkingCopy<'_>,
    snapshot: &Snapshot,
    view: &GraphView,
    node: &str,
    name: &str,
) -> Edited {
    let found = view.nodes.iter().find(|one| one.id == node);
    let (at, label, kind) =
        found.and_then(|one| Some((one.at?, &one.label, &one.kind))).ok_or_else(|| unnamed(node))?;
    let is_network = node != label && node.contains('/');
    let is_same = |one: &&NodeView| one.label == *label && (!is_network || one.kind == *kind);
    if view.nodes.iter().filter(is_same).count() > 1 {
        return Err(repeated(label));
    }
    let position = FilePosition::new(at.source, at.range.start());
    let found = rename(snapshot, position, name, RenameOptions::default())?;
    found.into_iter().try_for_each(|file| copy.apply(file.source, file.edits))
}

/// The edge of a view that a request means.
fn found<'v>(view: &'v GraphView, edge: &BoardEdge) -> Result<&'v EdgeView, BoardRefusal> {
    let found = view.edges.get(edge.index).filter(|found| found.from == edge.from && found.to == edge.to);
    found.ok_or_else(|| BoardRefusal::new("The graph has changed since it was drawn. Try again."))
}

/// A name that several nodes have.
fn repeated(name: &str) -> BoardRefusal {
    BoardRefusal::new(format!(
        "Several nodes have the id `{name}`. Give each of them its own id in the text first."
    ))
}

/// A node that the text does not declare, so it cannot be edited.
fn unnamed(node: &str) -> BoardRefusal {
    BoardRefusal::new(match node {
        START | END => "The start and the end of a run are no nodes. Edit their edges instead.".to_owned(),
        _ => format!("`{}` is not declared in this graph. Add it to the nodes first.", node.trim()),
    })
}

/// A place that an edit cannot write.
fn unwritable() -> BoardRefusal {
    BoardRefusal::new(
        "The text of this part cannot be edited safely: it is broken, or written with an alias. Edit the text instead.",
    )
}

//! A condition while it is typed on a board: what can be written at the cursor, and what is wrong with it. In: an edit
//! that sets a condition. Out: completions as whole texts, and messages. The edit is made in a copy of the project, so
//! completion and rules see the condition where it would be written.

use nodewise_analysis::diagnostic::Severity;
use nodewise_analysis::workspace::Snapshot;
use nodewise_diagram::view::GraphView;
use nodewise_dialect::table::Language;
use nodewise_model::graph::{EdgeCondition, EdgeGuard, GraphEdge};
use nodewise_model::{Body, Origin};
use nodewise_syntax::edit::{TextEdit, apply_edits};
use nodewise_syntax::{Scalar, TextRange, parse};

use super::edges::name_of;
use super::graph_text::GraphText;
use super::network::{NodeDocument, named};
use super::working_copy::WorkingCopy;
use super::{BoardEdit, BoardRefusal, GraphId, edited, unwritable};
use crate::completion::{CompletionSettings, ItemKind, complete};
use crate::cursor_context::CursorContext;
use crate::graph::{graph_at, graph_place, is_node};
use crate::names::declaration;
use crate::position::FilePosition;

/// Completions and problems for a condition that the user is typing.
#[derive(Debug, Clone, PartialEq)]
pub struct ConditionAssist {
    pub language: Language,
    /// What can be inserted at the cursor, the best first.
    pub items: Vec<ConditionItem>,
    /// The messages of the rules about the condition.
    pub problems: Vec<String>,
}

/// Something that can be inserted into a condition at the cursor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConditionItem {
    /// The text in a list.
    pub label: String,
    pub kind: ItemKind,
    /// A few words next to it.
    pub detail: Option<String>,
    /// The whole condition after the insertion.
    pub text: String,
    /// The byte offset of the cursor after the insertion.
    pub offset: usize,
}

/// Completions and problems for the condition of an edit, at a byte offset of its text.
pub fn condition_assist(
    snapshot: &Snapshot,
    position: FilePosition,
    edit: &BoardEdit,
    offset: usize,
) -> Result<ConditionAssist, BoardRefusal> {
    let (document, part) = graph_place(snapshot, position).ok_or_else(unwritable)?;
    let view = graph_at(snapshot, position).ok_or_else(unwritable)?;
    let (from, to, text) = match edit {
        BoardEdit::SetCondition { edge, condition: Some(text) } => (&edge.from, &edge.to, text),
        BoardEdit::Connect { from, to, condition: Some(text) } => (from, to, text),
        _ => return Err(BoardRefusal::new("This edit has no condition.")),
    };
    let mut copy = WorkingCopy::new(snapshot);
    edited(&mut copy, snapshot, position, edit)?;
    let now = copy.now();
    let at = match is_node(snapshot, document) {
        true => in_network(&now, &view, (from, to), text),
        false => in_graph(&now, GraphId { document, part }, (from, to), text),
    };
    let at = at.ok_or_else(unwritable)?;
    assist_at(&now, at, offset).ok_or_else(unwritable)
}

/// The place of an edge's condition in a graph.
fn in_graph(now: &Snapshot, graph: GraphId, (from, to): (&str, &str), text: &str) -> Option<Origin> {
    let graph = GraphText::of(now, graph).ok()?;
    let (from, to) = (name_of(&graph, from), name_of(&graph, to));
    let is_between = |edge: &&GraphEdge| {
        let ends = edge.source.as_ref().zip(edge.target.as_ref());
        ends.is_some_and(|(source, target)| source.name.value == from && target.name.value == to)
    };
    let condition = |edge: &GraphEdge| match &edge.guard {
        EdgeGuard::When(Some(EdgeCondition::Expression(Some(condition)))) => {
            (&*condition.text == text).then_some(condition.at)
        }
        _ => None,
    };
    graph.graph.edges.iter().filter(is_between).find_map(condition)
}

/// The place of an edge's condition in the document of a node.
fn in_network(now: &Snapshot, view: &GraphView, (from, to): (&str, &str), text: &str) -> Option<Origin> {
    let (from, to) = (named(view, from).ok()?, named(view, to).ok()?);
    let Body::Node(node) = &declaration(now, NodeDocument::of(now, &from).ok()?.id)?.body else {
        return None;
    };
    node.edges.iter().find_map(|edge| {
        let leads = edge.targets.iter().any(|target| target.name == to.name);
        edge.condition.as_ref().filter(|condition| leads && &*condition.text == text).map(|one| one.at)
    })
}

fn assist_at(now: &Snapshot, at: Origin, offset: usize) -> Option<ConditionAssist> {
    let file = now.file(at.source)?;
    let is_there = |node: &nodewise_syntax::SyntaxNode<'_>| at.range.contains_range(node.range());
    let scalar = file.tree().nodes().filter(is_there).find_map(|node| node.as_scalar())?;
    let cooked = scalar.cooked_with_map();
    let cursor = cooked.map.source_offset(offset.min(cooked.text.len()));
    let position = FilePosition::new(at.source, cursor);
    let language = CursorContext::at(now, position)?.expression?.language;
    let found = complete(now, position, CompletionSettings::default());
    let items = found.items.into_iter().filter_map(|item| {
        let (text, offset) = written(scalar, item.edit.replace, &item.edit.text)?;
        Some(ConditionItem { label: item.label, kind: item.kind, detail: item.detail, text, offset })
    });
    let items = items.collect();
    let diagnostics = now.diagnostics(at.source);
    let own = diagnostics
        .iter()
        .filter(|one| one.severity != Severity::Hint && at.range.contains_range(one.finding.at.range));
    let problems = own.map(|one| one.finding.message.clone()).collect();
    Some(ConditionAssist { language, items, problems })
}

/// The text of a scalar on one line after an edit, and the offset after the inserted text.
fn written(scalar: Scalar<'_>, range: TextRange, text: &str) -> Option<(String, usize)> {
    let start = scalar.node().range().start();
    let inside = TextRange::new(range.start().checked_sub(start)?, range.end().checked_sub(start)?);
    let after = |text: String| {
        let raw = apply_edits(scalar.raw(), &mut [TextEdit { range: inside, text }]).ok()?;
        let tree = parse(format!("k: {raw}\n"));
        let root = tree.documents().next()?.root()?.as_mapping()?;
        let value = root.get("k")?.value()?.as_scalar()?.cooked().into_owned();
        Some(value)
    };
    let whole = after(text.to_owned())?;
    let old = scalar.cooked();
    let behind = old.len().checked_sub(scalar.cooked_with_map().cooked_offset(range.end()))?;
    let offset = whole.len().checked_sub(behind)?;
    whole.is_char_boundary(offset).then_some((whole, offset))
}

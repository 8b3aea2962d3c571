//! The text of a graph that one document declares: the lists of its nodes and edges. In: a snapshot and the graph. Out:
//! the parts of the syntax tree, and the shapes that the table gives them.

use nodewise_analysis::facts::FileFacts;
use nodewise_analysis::workspace::Snapshot;
use nodewise_dialect::table::{Dialect, Field, Shape, Symbol};
use nodewise_model::Origin;
use nodewise_model::graph::{Graph, GraphEdge, GraphNode};
use nodewise_syntax::edit::TextEdit;
use nodewise_syntax::write::{MemberPosition, NewValue, Writer};
use nodewise_syntax::{Mapping, Sequence};

use super::{BoardRefusal, GraphId, unwritable};
use crate::actions::chain;
use crate::actions::create::{add_to_list, item_shape};
use crate::actions::skeleton::declares;
use crate::cursor_context::CursorContext;
use crate::names::declaration;
use crate::position::FilePosition;

pub(super) struct GraphText<'s> {
    pub(super) file: &'s FileFacts,
    pub(super) dialect: &'static Dialect,
    pub(super) graph: &'s Graph,
    pub(super) mapping: Mapping<'s>,
    shape: &'static Shape,
}

/// A list of a graph: its field, the shape of its items, and the items if the list is written.
#[derive(Clone, Copy)]
pub(super) struct MemberList<'s> {
    pub(super) field: &'static Field,
    pub(super) item: &'static Shape,
    pub(super) sequence: Option<Sequence<'s>>,
}

impl<'s> GraphText<'s> {
    pub(super) fn of(snapshot: &'s Snapshot, id: GraphId) -> Result<GraphText<'s>, BoardRefusal> {
        GraphText::find(snapshot, id).ok_or_else(unwritable)
    }

    fn find(snapshot: &'s Snapshot, id: GraphId) -> Option<GraphText<'s>> {
        let graph = declaration(snapshot, id.document)?.graph(id.part)?;
        let head = FilePosition::new(id.document.source, graph.head.range.start());
        let spot = CursorContext::at(snapshot, head)?;
        let file = spot.file;
        let dialect = spot.dialect?;
        let links = chain::links(&spot);
        let link = links.iter().rev().find(|link| link.value.head() == graph.head)?;
        let mapping = link.mapping(file.tree())?;
        Some(GraphText { file, dialect, graph, mapping, shape: link.shape()? })
    }

    pub(super) fn writer(&self) -> Writer<'s> {
        writer(self.file)
    }

    pub(super) fn nodes(&self) -> Result<MemberList<'s>, BoardRefusal> {
        self.list(Symbol::Node)
    }

    pub(super) fn edges(&self) -> Result<MemberList<'s>, BoardRefusal> {
        self.list(Symbol::Edge)
    }

    /// The list whose items declare symbols of this kind.
    fn list(&self, symbol: Symbol) -> Result<MemberList<'s>, BoardRefusal> {
        let mut fields = self.shape.fields.iter();
        let list = fields.find_map(|field| {
            let item = item_shape(field.ty).filter(|shape| declares(shape, symbol))?;
            let sequence = self.mapping.get(field.key).and_then(|entry| entry.value()?.as_sequence());
            Some(MemberList { field, item, sequence })
        });
        list.ok_or_else(|| {
            BoardRefusal::new("This document is only a part of a graph. Open the file of the whole graph.")
        })
    }

    /// The edits that add an item to a list.
    pub(super) fn add(
        &self,
        list: MemberList<'s>,
        place: MemberPosition,
        value: &NewValue,
    ) -> Result<Vec<TextEdit>, BoardRefusal> {
        let edits = add_to_list(&self.writer(), self.mapping, list.field.key, place, value);
        edits.ok_or_else(unwritable)
    }

    /// The node with a name.
    pub(super) fn node(&self, name: &str) -> Result<&'s GraphNode, BoardRefusal> {
        let is_called = |node: &&GraphNode| node.id.as_ref().is_some_and(|id| id.value == name);
        let mut called = self.graph.nodes.iter().filter(is_called);
        match (called.next(), called.next()) {
            (Some(node), None) => Ok(node),
            (Some(_), Some(_)) => Err(super::repeated(name)),
            (None, _) => Err(super::unnamed(name)),
        }
    }

    /// The edge of the list that is written at a place.
    pub(super) fn edge(&self, at: Option<Origin>) -> Option<&'s GraphEdge> {
        self.graph.edges.iter().find(|edge| Some(edge.at) == at)
    }
}

impl<'s> MemberList<'s> {
    /// The sequence and the index of the item that is written at a place.
    pub(super) fn item(&self, at: Origin) -> Result<(Sequence<'s>, usize), BoardRefusal> {
        let sequence = self.sequence.ok_or_else(unwritable)?;
        let is_there = |item: &nodewise_syntax::Item<'_>| item.range().contains_range(at.range);
        let index = sequence.items().position(|item| is_there(&item)).ok_or_else(unwritable)?;
        Ok((sequence, index))
    }

    /// The mapping of the item that is written at a place.
    pub(super) fn mapping(&self, at: Origin) -> Result<Mapping<'s>, BoardRefusal> {
        let (sequence, index) = self.item(at)?;
        let node = sequence.items().nth(index).and_then(|item| item.node());
        node.and_then(|node| node.as_mapping()).ok_or_else(unwritable)
    }
}

/// The writer for edits of a file.
pub(super) fn writer(file: &FileFacts) -> Writer<'_> {
    Writer::new(file.tree(), is_json(file))
}

/// Whether a file must stay JSON.
pub(super) fn is_json(file: &FileFacts) -> bool {
    file.path.ends_with(".json")
}

//! The names in the document at the cursor: what each does, and whether it belongs to the graph around the cursor. In:
//! the context of a cursor. Out: names in reading order. It reads the values directly, so it also works in an incomplete document.

use nodewise_dialect::table::{Dialect, Kind, KindRole, NameUse, Shape, Symbol, Type};
use nodewise_dialect::value::{SpannedEntry, SpannedValue};
use nodewise_dialect::walk::{Slot, Visitor, walk};
use nodewise_model::{NameScope, Origin};

use crate::cursor_context::CursorContext;

/// A name in the document.
pub(super) struct Named<'v> {
    /// What it refers to.
    pub(super) what: SymbolTarget,
    /// The name.
    pub(super) text: &'v str,
    pub(super) at: Origin,
    /// Whether the graph around the cursor contains it.
    pub(super) is_around: bool,
    /// The graph that contains it, by its first line.
    graph: Option<Origin>,
}

/// What a name refers to.
#[derive(Debug, Clone, Copy)]
pub(super) enum SymbolTarget {
    /// A symbol of the document.
    Symbol(Symbol, NameUse),
    /// A declaration.
    Reference(&'static NameScope),
}

/// The names of the graph around the cursor. Without a graph, those of the document.
pub(super) fn of_graph<'v>(spot: &'v CursorContext<'_>) -> Vec<Named<'v>> {
    let (Some(kind), Some(root)) = (spot.kind, &spot.root) else { return Vec::new() };
    let around: Vec<Origin> = spot.around().into_iter().map(SpannedValue::head).collect();
    let mut collector =
        Collector { around, open: Vec::new(), graphs: Vec::new(), own: None, found: Vec::new() };
    walk(kind, spot.patched, root, &mut collector);
    let own = collector.own;
    collector.found.into_iter().filter(|name| name.graph == own).collect()
}

/// Whether a scope contains graphs.
pub(super) fn is_of_graphs(dialect: &Dialect, scope: &NameScope) -> bool {
    let is_graph = |kind: &Kind| kind.role == KindRole::Graph;
    dialect.kinds.iter().any(|kind| is_graph(kind) && scope.kinds.contains(&kind.name))
}

struct Collector<'v> {
    /// The mappings around the cursor.
    around: Vec<Origin>,
    /// For each mapping around the current value, whether it is also around the cursor.
    open: Vec<bool>,
    /// For each mapping around the current value, the graph that it is, if it is one.
    graphs: Vec<Option<Origin>>,
    /// The innermost graph around the cursor.
    own: Option<Origin>,
    found: Vec<Named<'v>>,
}

impl<'v> Collector<'v> {
    fn push(&mut self, what: SymbolTarget, text: &'v str, at: Origin) {
        let graph = self.graphs.iter().rev().find_map(|graph| *graph);
        let is_of_graph = self.graphs.last().is_some_and(Option::is_some);
        let is_around = !is_of_graph && self.open.last().copied().unwrap_or_default();
        self.found.push(Named { what, text, at, is_around, graph });
    }
}

impl<'v, 't> Visitor<'v, 't> for Collector<'v> {
    fn open(&mut self, shape: &'static Shape, value: &'v SpannedValue<'t>) {
        let declares_graph = shape
            .fields
            .iter()
            .any(|field| matches!(field.ty, Type::Symbol(Symbol::Graph, NameUse::Declares)));
        let head = value.head();
        let is_around = self.around.contains(&head);
        if declares_graph && is_around {
            self.own = Some(head);
        }
        self.open.push(is_around);
        self.graphs.push(declares_graph.then_some(head));
    }

    fn close(&mut self, _shape: &'static Shape, _value: &'v SpannedValue<'t>) {
        self.open.pop();
        self.graphs.pop();
    }

    fn free_key(&mut self, ty: Type, _slot: Slot, member: &'v SpannedEntry<'t>) {
        if let Type::Symbol(symbol, usage) = ty {
            self.push(SymbolTarget::Symbol(symbol, usage), &member.key, member.key_at);
        }
    }

    fn leaf(&mut self, ty: Type, _slot: Slot, value: &'v SpannedValue<'t>) {
        let Some(text) = value.as_text() else { return };
        match ty {
            Type::Symbol(symbol, usage) => self.push(SymbolTarget::Symbol(symbol, usage), text, value.at),
            Type::Slug(symbol) => self.push(SymbolTarget::Symbol(symbol, NameUse::Refers), text, value.at),
            Type::Reference(scope) => self.push(SymbolTarget::Reference(scope), text, value.at),
            _ => {}
        }
    }
}

//! The names in the document at the cursor, as far as it is written: what each does, and whether it belongs to the
//! graph around the cursor. In: a spot; out: names in reading order. It reads the values themselves, so that a
//! half-typed document has its names too.

use nodewise_dialect::table::{Shape, Symbol, Type, Use};
use nodewise_dialect::value::{Member, Value};
use nodewise_dialect::walk::{Slot, Visitor, walk};
use nodewise_model::{Origin, Scope};

use crate::spot::Spot;

/// A name in the document.
pub(super) struct Named<'v> {
    /// What it stands for.
    pub(super) what: What,
    /// The name.
    pub(super) text: &'v str,
    /// Where it stands.
    pub(super) at: Origin,
    /// Whether a part of the graph that is around the cursor holds it.
    pub(super) is_around: bool,
    /// The graph that it belongs to, by its first line.
    graph: Option<Origin>,
}

/// What a name stands for.
#[derive(Debug, Clone, Copy)]
pub(super) enum What {
    /// Something of the document.
    Symbol(Symbol, Use),
    /// Something that documents declare.
    Reference(&'static Scope),
}

/// The names of the graph around the cursor, or of the document where no graph is.
pub(super) fn of_graph<'v>(spot: &'v Spot<'_>) -> Vec<Named<'v>> {
    let (Some(kind), Some(root)) = (spot.kind, &spot.root) else { return Vec::new() };
    let around: Vec<Origin> = spot.around().into_iter().map(Value::head).collect();
    let mut collector =
        Collector { around, open: Vec::new(), graphs: Vec::new(), own: None, found: Vec::new() };
    walk(kind, spot.patched, root, &mut collector);
    let own = collector.own;
    collector.found.into_iter().filter(|name| name.graph == own).collect()
}

struct Collector<'v> {
    /// The mappings around the cursor.
    around: Vec<Origin>,
    /// Whether each mapping around what is looked at is around the cursor too.
    open: Vec<bool>,
    /// The graph that each mapping around what is looked at is.
    graphs: Vec<Option<Origin>>,
    /// The innermost graph around the cursor.
    own: Option<Origin>,
    found: Vec<Named<'v>>,
}

impl<'v> Collector<'v> {
    fn push(&mut self, what: What, text: &'v str, at: Origin) {
        let graph = self.graphs.iter().rev().find_map(|graph| *graph);
        let is_of_graph = self.graphs.last().is_some_and(Option::is_some);
        let is_around = !is_of_graph && self.open.last().copied().unwrap_or_default();
        self.found.push(Named { what, text, at, is_around, graph });
    }
}

impl<'v, 't> Visitor<'v, 't> for Collector<'v> {
    fn open(&mut self, shape: &'static Shape, value: &'v Value<'t>) {
        let declares_graph =
            shape.fields.iter().any(|field| matches!(field.ty, Type::Symbol(Symbol::Graph, Use::Declares)));
        let head = value.head();
        let is_around = self.around.contains(&head);
        if declares_graph && is_around {
            self.own = Some(head);
        }
        self.open.push(is_around);
        self.graphs.push(declares_graph.then_some(head));
    }

    fn close(&mut self, _shape: &'static Shape, _value: &'v Value<'t>) {
        self.open.pop();
        self.graphs.pop();
    }

    fn free_key(&mut self, ty: Type, _slot: Slot, member: &'v Member<'t>) {
        if let Type::Symbol(symbol, usage) = ty {
            self.push(What::Symbol(symbol, usage), &member.key, member.key_at);
        }
    }

    fn leaf(&mut self, ty: Type, _slot: Slot, value: &'v Value<'t>) {
        let Some(text) = value.as_text() else { return };
        match ty {
            Type::Symbol(symbol, usage) => self.push(What::Symbol(symbol, usage), text, value.at),
            Type::Slug(symbol) => self.push(What::Symbol(symbol, Use::Refers), text, value.at),
            Type::Reference(scope) => self.push(What::Reference(scope), text, value.at),
            _ => {}
        }
    }
}

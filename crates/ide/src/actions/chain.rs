//! The path from a document's root to the cursor, with the value and the table's types at each step. In: the context of a cursor. Out:
//! links, the root first. Actions use the innermost link that they support.

use nodewise_dialect::place::{self, PathStep};
use nodewise_dialect::table::{Shape, Type};
use nodewise_dialect::value::SpannedValue;
use nodewise_dialect::walk::Slot;
use nodewise_syntax::{Mapping, Sequence, SyntaxNode, Tree};

use crate::cursor_context::CursorContext;

/// One value on the path to the cursor.
pub(crate) struct PathValue<'a, 's> {
    /// The step that leads to it. `None` for the root.
    pub(crate) step: Option<PathStep<'a>>,
    pub(crate) value: &'a SpannedValue<'s>,
    /// The field that contains it, at any depth of lists.
    pub(crate) slot: Option<Slot>,
    /// Its possible types, the most likely first.
    pub(crate) types: Vec<Type>,
}

/// The values from the root to the cursor.
pub(crate) fn links<'a, 's>(spot: &'a CursorContext<'s>) -> Vec<PathValue<'a, 's>> {
    let (Some(kind), Some(root)) = (spot.kind, spot.root.as_ref()) else { return Vec::new() };
    let path = spot.path();
    let mut links = Vec::new();
    let mut value = Some(root);
    for depth in 0..=path.len() {
        if let Some(step) = depth.checked_sub(1).and_then(|before| path.get(before)) {
            value = value.and_then(|value| place::part(value, *step));
        }
        let Some(value) = value else { break };
        let step = depth.checked_sub(1).and_then(|before| path.get(before)).copied();
        let expected = place::expected(kind, spot.patched, Some(root), path.get(..depth).unwrap_or_default());
        let slot = expected.iter().find_map(|expectation| expectation.slot);
        links.push(PathValue { step, value, slot, types: expected.iter().map(|one| one.ty).collect() });
    }
    links
}

impl<'a> PathValue<'a, '_> {
    /// The tree node of the value.
    pub(crate) fn node<'t>(&self, tree: &'t Tree) -> Option<SyntaxNode<'t>> {
        tree.node(self.value.node?)
    }

    /// The mapping that the value is.
    pub(crate) fn mapping<'t>(&self, tree: &'t Tree) -> Option<Mapping<'t>> {
        self.node(tree)?.as_mapping()
    }

    /// The sequence that the value is.
    pub(crate) fn sequence<'t>(&self, tree: &'t Tree) -> Option<Sequence<'t>> {
        self.node(tree)?.as_sequence()
    }

    /// The shape whose keys the value has, if it is a mapping of one.
    pub(crate) fn shape(&self) -> Option<&'static Shape> {
        let members = self.value.as_map()?;
        let shapes = self.types.iter().filter_map(|ty| match ty {
            Type::Object(shape) | Type::Open(shape) => Some(*shape),
            Type::Variant(variant) => {
                let word = members.iter().find(|member| member.key == variant.key)?.value.as_text()?;
                Some(&variant.case(word)?.shape)
            }
            _ => None,
        });
        let mut shapes = shapes;
        shapes.next()
    }

    /// The key that leads to the value.
    pub(crate) fn key(&self) -> Option<&'a str> {
        match self.step {
            Some(PathStep::Key(key)) => Some(key),
            _ => None,
        }
    }
}

/// The two forms of a type that is a text or a mapping, also inside lists.
pub(crate) fn text_or(ty: Type) -> Option<(Type, &'static Shape)> {
    match ty {
        Type::TextOr(text, shape) => Some((*text, shape)),
        Type::List(inner) | Type::OneOrMany(inner) | Type::Sized(inner, _) => text_or(*inner),
        _ => None,
    }
}

/// Whether a shape is that of an edge: it has a condition.
pub(crate) fn is_edge(shape: &Shape) -> bool {
    shape.fields.iter().any(|field| matches!(field.ty, Type::Condition(_)))
}

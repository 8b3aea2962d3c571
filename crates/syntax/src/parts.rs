//! The arena as it is, for the formatter: every construct and every token, spaces included.
//!
//! Input: a tree. Output: its parts in the order of the text. Invariant: the tokens below the roots, in order, are
//! the text.

use text_size::TextRange;

pub use crate::event::SyntaxKind as PartKind;
use crate::node::{Children, SyntaxNode, SyntaxNodeId};
use crate::tree::Tree;

/// A construct or a token of a tree.
#[derive(Clone, Copy)]
pub struct SyntaxElement<'t> {
    tree: &'t Tree,
    index: u32,
    kind: PartKind,
}

/// The outermost parts of a text: documents, and the tokens between them.
pub fn roots(tree: &Tree) -> impl Iterator<Item = SyntaxElement<'_>> {
    Children::new(tree.events(), 0, tree.events().len()).map(|(index, event)| SyntaxElement {
        tree,
        index,
        kind: event.kind,
    })
}

/// Every part in the order of the text. A construct comes before its children.
pub fn all(tree: &Tree) -> impl Iterator<Item = SyntaxElement<'_>> {
    tree.events().iter().zip(0..).map(|(event, index)| SyntaxElement { tree, index, kind: event.kind })
}

impl<'t> SyntaxElement<'t> {
    pub fn kind(self) -> PartKind {
        self.kind
    }

    /// True for a part that contains other parts. The others are tokens.
    pub fn is_construct(self) -> bool {
        self.kind.is_construct()
    }

    /// True for a part that begins a node.
    pub fn is_node(self) -> bool {
        self.kind.is_node()
    }

    /// The index of the part in the tree.
    pub fn index(self) -> usize {
        self.index as usize
    }

    /// The index after the last part that this part contains.
    pub fn end_index(self) -> usize {
        match self.tree.event(self.index) {
            Some(event) if event.kind.is_construct() => event.end as usize,
            _ => self.index as usize + 1,
        }
    }

    /// The text of a token; empty for a construct.
    pub fn text(self) -> &'t str {
        match self.tree.event(self.index) {
            Some(event) if !event.kind.is_construct() => self.tree.slice(event.start, event.end),
            _ => "",
        }
    }

    /// The range of the part. The last line break of a block scalar belongs to its body here.
    pub fn range(self) -> TextRange {
        let Some(event) = self.tree.event(self.index) else { return TextRange::default() };
        let end = if event.kind.is_construct() { self.tree.end_of(self.index) } else { event.end };
        TextRange::new(event.start.into(), end.max(event.start).into())
    }

    /// The column at which the lines of a block scalar's body begin; 0 for everything else.
    pub fn indentation(self) -> usize {
        match self.tree.event(self.index) {
            Some(event) if event.kind == PartKind::BlockBody => event.indentation(),
            _ => 0,
        }
    }

    /// The direct children.
    pub fn children(self) -> impl Iterator<Item = SyntaxElement<'t>> + Clone {
        let tree = self.tree;
        Children::of(tree, self.index).map(move |(index, event)| SyntaxElement {
            tree,
            index,
            kind: event.kind,
        })
    }

    /// All descendants, in the order of the text.
    pub fn within(self) -> impl Iterator<Item = SyntaxElement<'t>> {
        let tree = self.tree;
        let events = tree.events().get(self.index()..self.end_index()).unwrap_or_default();
        (self.index..).zip(events).skip(1).map(move |(index, event)| SyntaxElement {
            tree,
            index,
            kind: event.kind,
        })
    }

    /// The node that begins at this part.
    pub fn node(self) -> Option<SyntaxNode<'t>> {
        self.is_node().then(|| SyntaxNode::new(self.tree, self.index))
    }
}

/// The part at which a node begins.
pub fn part_of(tree: &Tree, node: SyntaxNodeId) -> Option<SyntaxElement<'_>> {
    let event = tree.event(node.index())?;
    event.kind.is_node().then_some(SyntaxElement { tree, index: node.index(), kind: event.kind })
}

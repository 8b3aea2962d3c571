//! The expressions inside declarations, in the layout of their language. In: a tree and the kinds of its documents;
//! out: what each of their scalars becomes. Invariant: an expression keeps its meaning, and its place in a
//! scalar of one line; what is no expression of its language stays as it is.

use std::collections::BTreeMap;

use nodewise_dialect::table::{Kind, Language, Type};
use nodewise_dialect::value::{Data, SpannedValue};
use nodewise_dialect::walk::{Slot, Visitor, walk};
use nodewise_model::SourceId;
use nodewise_syntax::parts::{self, PartKind};
use nodewise_syntax::write::{ScalarPosition, scalar_like};
use nodewise_syntax::{SyntaxNodeId, SyntaxNodeKind, TextRange, TextSize, Tree};

/// An expression before and after formatting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rewrite {
    /// The text of the expression before.
    pub before: String,
    /// The text of the expression after.
    pub after: String,
    /// The whole scalar with the formatted expression, as it is written to the file.
    pub source: String,
}

/// Rewrites by the offset of the scalar's start.
pub(crate) type Rewrites = BTreeMap<TextSize, Rewrite>;

/// The rewrites of a text. `kinds` has the kind of each document, if it is known.
pub(crate) fn rewrites(tree: &Tree, kinds: &[Option<&'static Kind>]) -> Rewrites {
    let mut finder = Finder { tree, brackets: brackets(tree), found: Rewrites::new() };
    for (document, kind) in tree.documents().zip(kinds) {
        let (Some(kind), Some(root)) = (kind, document.root()) else { continue };
        let value = SpannedValue::from_node(root, SourceId(0));
        walk(kind, None, &value, &mut finder);
    }
    finder.found
}

/// Whether a value is written at its own place. A value that comes from an alias or a merge key is formatted at the
/// anchor.
pub(crate) fn stands_here(tree: &Tree, value: &SpannedValue<'_>) -> bool {
    let node = value.node.and_then(|node| tree.node(node));
    node.is_none_or(|node| node.kind() != SyntaxNodeKind::Alias)
}

/// The ranges of the outermost flow collections.
fn brackets(tree: &Tree) -> Vec<TextRange> {
    let mut found: Vec<TextRange> = Vec::new();
    let flows = parts::all(tree).filter(|part| matches!(part.kind(), PartKind::FlowMap | PartKind::FlowSeq));
    for flow in flows {
        let range = flow.range();
        if found.last().is_none_or(|last| last.end() <= range.start()) {
            found.push(range);
        }
    }
    found
}

struct Finder<'t> {
    tree: &'t Tree,
    brackets: Vec<TextRange>,
    found: Rewrites,
}

impl<'v, 't> Visitor<'v, 't> for Finder<'_> {
    fn enters(&mut self, value: &'v SpannedValue<'t>) -> bool {
        stands_here(self.tree, value)
    }

    fn leaf(&mut self, ty: Type, _slot: Slot, value: &'v SpannedValue<'t>) {
        let language = match ty {
            Type::Expression(language) | Type::Condition(language) => language,
            _ => return,
        };
        if let (Data::Text(text), Some(node)) = (&value.data, value.node) {
            let rewrite = self.rewrite(language, text, node);
            self.found.extend(rewrite);
        }
    }
}

impl Finder<'_> {
    fn rewrite(&self, language: Language, text: &str, node: SyntaxNodeId) -> Option<(TextSize, Rewrite)> {
        let scalar = self.tree.node(node)?.as_scalar()?;
        if scalar.raw().contains(['\n', '\r']) {
            return None;
        }
        let after = language.canonical(text)?;
        // An expression that contains only white space of its language is no expression.
        if after == text || after.trim().is_empty() || after.contains(['\n', '\r']) {
            return None;
        }
        let at = scalar.node().range().start();
        let setting = if self.is_in_brackets(at) { ScalarPosition::Flow } else { ScalarPosition::Block };
        let source = scalar_like(scalar, &after, setting);
        Some((at, Rewrite { before: text.to_owned(), after, source }))
    }

    fn is_in_brackets(&self, at: TextSize) -> bool {
        let behind = self.brackets.partition_point(|range| range.start() <= at);
        self.brackets[..behind].last().is_some_and(|range| range.contains(at))
    }
}

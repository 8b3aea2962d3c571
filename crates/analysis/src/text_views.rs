//! What is made of the text of a file beside its facts: its tree and its lines. Few files are asked for theirs, so they are made
//! when a request needs them.

use std::sync::{Arc, OnceLock};

use nodewise_modules::{NoOthers, is_module};
use nodewise_syntax::{LineIndex, Tree, json};

use crate::ownership::is_shared_ending;

/// Data computed from a file's text on demand, in addition to its facts.
#[derive(Debug, Default)]
pub(crate) struct TextViews {
    tree: OnceLock<Tree>,
    lines: OnceLock<LineIndex>,
}

impl TextViews {
    /// Views that already contain the tree from reading the file.
    pub(crate) fn of_tree(tree: Tree) -> OnceLock<Box<TextViews>> {
        OnceLock::from(Box::new(TextViews { tree: OnceLock::from(tree), lines: OnceLock::new() }))
    }

    /// The syntax tree. It is three times as large as the text and parsing takes only microseconds, so it is not kept for
    /// each file.
    pub(crate) fn tree(&self, path: &str, text: &Arc<str>) -> &Tree {
        self.tree.get_or_init(|| parse(path, text))
    }

    /// Whether the tree is already parsed.
    pub(crate) fn has_tree(&self) -> bool {
        self.tree.get().is_some()
    }

    pub(crate) fn lines(&self, text: &str) -> &LineIndex {
        self.lines.get_or_init(|| LineIndex::new(text))
    }
}

/// Parses a text. Comments in JSON are skipped, so that the rest can be checked.
pub(crate) fn parse(path: &str, text: &Arc<str>) -> Tree {
    if is_module(path) {
        return nodewise_modules::read(path, text, &NoOthers).into_tree(text).0;
    }
    let masked = is_shared_ending(path).then(|| json::masked(text)).flatten();
    nodewise_syntax::parse(masked.map_or_else(|| Arc::clone(text), Arc::from))
}

//! The syntax tree of a module.
//!
//! Input: a path, for the notation, and a text. Output: a tree that has a node for everything that can be read. Invariant:
//! parsing ends after a number of steps that depends on the length of the text alone.

use std::ops::{ControlFlow, Range};
use std::sync::{Arc, OnceLock};

use nodewise_syntax::TextRange;
use tree_sitter::{Language, ParseOptions, Parser, Tree};

pub(crate) use crate::nodes::span;
use crate::nodes::{Node, Nodes, Words};
use crate::trees::{KnownTree, Trees};

/// The minimum number of steps that the parser may take for any text. A step of the parser is about a hundred operations.
const STEPS_MIN: usize = 20_000;
/// Longer texts are not read, because their offsets would not fit into the records of nodes.
const LENGTH_MAX: usize = 1 << 26;

/// Whether modules with JSX are not read. True for WebAssembly, where the tables of a second grammar would make the file
/// larger by a fifth.
const LACKS_JSX: bool = cfg!(target_family = "wasm");

/// A module with its text and syntax nodes.
pub(crate) struct Source {
    /// Its path relative to the project.
    pub(crate) path: String,
    pub(crate) text: Arc<str>,
    pub(crate) nodes: Arc<Nodes>,
}

impl Source {
    /// Parses a text. `None` if it is too long, or if it is so broken that parsing would take too many steps. `trees` only
    /// makes it faster: the result is the same without.
    pub(crate) fn parse(path: &str, text: &Arc<str>, trees: Option<&Trees>) -> Option<Source> {
        if text.len() > LENGTH_MAX {
            return None;
        }
        let known = trees.and_then(|trees| trees.find(path));
        let (tree, nodes) = match known {
            Some(known) if *known.text == **text => (known.tree, known.nodes),
            known => {
                // Only a text without errors is parsed with the known tree. With errors, the parser might repair the text
                // differently than without a known tree.
                let again = known.and_then(|known| again(path, text, &known));
                let (tree, nodes) = match again {
                    Some(again) => again,
                    None => {
                        let tree = tree_of(path, text, None)?;
                        let nodes = Nodes::new(&tree, words(is_plain(path)));
                        (tree, nodes)
                    }
                };
                (tree, Arc::new(nodes))
            }
        };
        if let Some(trees) = trees {
            let (path, text, nodes) = (path.to_owned(), Arc::clone(text), Arc::clone(&nodes));
            trees.keep(KnownTree { path, text, tree, nodes });
        }
        Some(Source { path: path.to_owned(), text: Arc::clone(text), nodes })
    }

    /// The text of a node.
    pub(crate) fn text_of(&self, node: Node<'_>) -> &str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }
}

/// Parses a text with the help of a known tree for a similar text. `None` if the text has errors.
fn again(path: &str, text: &str, known: &KnownTree) -> Option<(Tree, Nodes)> {
    let difference = known.difference(text);
    let edited = known.edited(&difference, text);
    let tree = tree_of(path, text, Some(&edited)).filter(|tree| !tree.root_node().has_error())?;
    let changed: Vec<_> =
        edited.changed_ranges(&tree).map(|range| range.start_byte..range.end_byte).collect();
    let before = |part: &Range<usize>| {
        let is_changed = changed.iter().any(|range| range.start <= part.end && part.start <= range.end);
        if is_changed { None } else { difference.before(part) }
    };
    let nodes = Nodes::updated(&tree, &known.nodes, before);
    Some((tree, nodes))
}

/// Parses a text. `known` is the tree of a similar text, in which the changed part is marked.
fn tree_of(path: &str, text: &str, known: Option<&Tree>) -> Option<Tree> {
    let is_plain = is_plain(path);
    let mut parser = Parser::new();
    parser.set_language(&language(is_plain)).ok()?;
    let mut steps = STEPS_MIN + text.len();
    let mut progress = |_: &_| {
        steps = steps.saturating_sub(1);
        if steps == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let options = ParseOptions::new().progress_callback(&mut progress);
    let bytes = text.as_bytes();
    let mut input = |from: usize, _| bytes.get(from..).unwrap_or_default();
    let tree = parser.parse_with_options(&mut input, known, Some(options))?;
    (!LACKS_JSX || is_plain || !tree.root_node().has_error()).then_some(tree)
}

/// Whether a module cannot contain JSX, by its ending.
fn is_plain(path: &str) -> bool {
    path.ends_with(".ts") || path.ends_with(".mts") || path.ends_with(".cts")
}

/// The names in the grammar for a module.
fn words(is_plain: bool) -> &'static Words {
    static PLAIN: OnceLock<Words> = OnceLock::new();
    static WITH_JSX: OnceLock<Words> = OnceLock::new();
    Words::of(&language(is_plain), if is_plain { &PLAIN } else { &WITH_JSX })
}

/// The grammar for a module. Both grammars read a module without JSX alike, unless it has type assertions in `<>`.
#[cfg(not(target_family = "wasm"))]
fn language(is_plain: bool) -> Language {
    match is_plain {
        true => tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
        false => tree_sitter_typescript::LANGUAGE_TSX.into(),
    }
}

#[cfg(target_family = "wasm")]
fn language(_: bool) -> Language {
    tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into()
}

/// The range of a node.
pub(crate) fn range(node: Node<'_>) -> TextRange {
    node.range()
}

/// The named children of a node without comments.
pub(crate) fn parts(node: Node<'_>) -> Vec<Node<'_>> {
    node.children().filter(|child| child.is_named() && child.kind() != "comment").collect()
}

pub(crate) fn callee(call: Node<'_>) -> Option<Node<'_>> {
    call.child("function").or_else(|| call.child("constructor"))
}

/// The outermost call of the method chain that begins at a node.
pub(crate) fn chain_end(beginning: Node<'_>) -> Node<'_> {
    let mut current = beginning;
    loop {
        let member = current
            .parent()
            .filter(|member| member.kind() == "member_expression" && member.child("object") == Some(current));
        match member.and_then(|member| member.parent()).filter(|outer| callee(*outer) == member) {
            Some(outer) => current = outer,
            None => return current,
        }
    }
}

//! The event stream of a tree in the notation of the YAML test suite.
//!
//! Input: a tree. Output: one line an event (`+STR`, `+DOC ---`, `=VAL :text`, …). Invariant: for a valid text
//! these are the events that the specification asks for; error nodes give none.

use crate::node::{Alias, Mapping, NodeValue, Scalar, ScalarStyle, Sequence, SyntaxNode};
use crate::tags::{Handles, expand};
use crate::tree::{Document, Tree};

/// Writes the tree in the event notation of the YAML test suite.
pub fn event_text(tree: &Tree) -> String {
    let mut writer = Writer { text: String::from("+STR\n"), handles: Handles::default() };
    for document in tree.documents() {
        writer.document(&document);
    }
    writer.line("-STR");
    writer.text
}

struct Writer<'t> {
    text: String,
    handles: Handles<'t>,
}

impl<'t> Writer<'t> {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn document(&mut self, document: &Document<'t>) {
        self.handles = Handles::of(document);
        self.line(if document.start_marker().is_some() { "+DOC ---" } else { "+DOC" });
        self.node(document.root());
        self.line(if document.end_marker().is_some() { "-DOC ..." } else { "-DOC" });
    }

    fn node(&mut self, node: Option<SyntaxNode<'t>>) {
        let Some(node) = node else {
            self.line("=VAL :");
            return;
        };
        match node.value() {
            NodeValue::Mapping(mapping) => self.mapping(node, mapping),
            NodeValue::Sequence(sequence) => self.sequence(node, sequence),
            NodeValue::Scalar(scalar) => self.scalar(node, scalar),
            NodeValue::Alias(alias) => self.alias(alias),
            NodeValue::Empty | NodeValue::Unknown => {
                self.head("=VAL", "", node);
                self.line(" :");
            }
        }
    }

    /// The start of an event line: its name, its style, the node's properties.
    fn head(&mut self, name: &str, style: &str, node: SyntaxNode<'t>) {
        self.text.push_str(name);
        self.text.push_str(style);
        if let Some(anchor) = node.anchor() {
            self.text.push_str(" &");
            self.text.push_str(anchor.name);
        }
        if let Some(tag) = node.tag() {
            self.text.push_str(" <");
            self.text.push_str(&expand(tag.text, &self.handles));
            self.text.push('>');
        }
    }

    fn mapping(&mut self, node: SyntaxNode<'t>, mapping: Mapping<'t>) {
        self.head("+MAP", if mapping.is_flow() { " {}" } else { "" }, node);
        self.text.push('\n');
        for entry in mapping.entries() {
            self.node(entry.key());
            self.node(entry.value());
        }
        self.line("-MAP");
    }

    fn sequence(&mut self, node: SyntaxNode<'t>, sequence: Sequence<'t>) {
        self.head("+SEQ", if sequence.is_flow() { " []" } else { "" }, node);
        self.text.push('\n');
        for item in sequence.items() {
            self.node(item.node());
        }
        self.line("-SEQ");
    }

    fn scalar(&mut self, node: SyntaxNode<'t>, scalar: Scalar<'t>) {
        self.head("=VAL", "", node);
        self.text.push(' ');
        self.text.push(match scalar.style() {
            ScalarStyle::Plain => ':',
            ScalarStyle::SingleQuoted => '\'',
            ScalarStyle::DoubleQuoted => '"',
            ScalarStyle::Literal => '|',
            ScalarStyle::Folded => '>',
        });
        push_escaped(&mut self.text, &scalar.cooked());
        self.text.push('\n');
    }

    fn alias(&mut self, alias: Alias<'t>) {
        self.text.push_str("=ALI *");
        self.text.push_str(alias.name());
        self.text.push('\n');
    }
}

fn push_escaped(text: &mut String, scalar: &str) {
    for character in scalar.chars() {
        match character {
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\t' => text.push_str("\\t"),
            '\r' => text.push_str("\\r"),
            '\x08' => text.push_str("\\b"),
            '\0' => text.push_str("\\0"),
            other => text.push(other),
        }
    }
}

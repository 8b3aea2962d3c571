//! The typed view: nodes, mappings, sequences, scalars, aliases over the arena.
//!
//! Input: an event of a tree. Output: what it is to the language. Invariant: a view is two words, copies
//! nothing, and steps over a child in one move.

use std::borrow::Cow;
use std::fmt;

use text_size::TextRange;

use crate::build::{Given, LettersElsewhere};
use crate::cook::{self, BlockStyle, CookedText, SourceMap};
use crate::event::{Event, SyntaxKind};
use crate::resolve::{self, ScalarValue};
use crate::tree::Tree;

/// The id of a node. It is valid for the tree that it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SyntaxNodeId(pub(crate) u32);

impl SyntaxNodeId {
    /// The id as a number, for tables with one element for each node.
    pub fn index(self) -> u32 {
        self.0
    }
}

/// A node of the tree: a value with its anchor and tag.
#[derive(Clone, Copy)]
pub struct SyntaxNode<'t> {
    tree: &'t Tree,
    event: u32,
}

/// What kind of value a node has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyntaxNodeKind {
    /// Keys with values.
    Mapping,
    /// Items in order.
    Sequence,
    /// Text.
    Scalar,
    /// A reference to an anchored node.
    Alias,
    /// Properties without content.
    Empty,
    /// An unknown part of a built tree.
    Unknown,
}

/// A node's value.
#[derive(Clone, Copy, Debug)]
pub enum NodeValue<'t> {
    /// Keys with values.
    Mapping(Mapping<'t>),
    /// Items in order.
    Sequence(Sequence<'t>),
    /// Text.
    Scalar(Scalar<'t>),
    /// A reference to an anchored node.
    Alias(Alias<'t>),
    /// Properties without content.
    Empty,
    /// An unknown part of a built tree.
    Unknown,
}

/// An anchor, which aliases refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Anchor<'t> {
    /// The name without its `&`.
    pub name: &'t str,
    /// Where it is, with its `&`.
    pub range: TextRange,
}

/// A node's tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tag<'t> {
    /// The tag as written.
    pub text: &'t str,
    pub range: TextRange,
}

/// A mapping, in block or flow style.
#[derive(Clone, Copy)]
pub struct Mapping<'t>(SyntaxNode<'t>);

/// A key with its value.
#[derive(Clone, Copy)]
pub struct Entry<'t> {
    tree: &'t Tree,
    event: u32,
}

/// A sequence, in block or flow style.
#[derive(Clone, Copy)]
pub struct Sequence<'t>(SyntaxNode<'t>);

/// An item of a sequence.
#[derive(Clone, Copy, Debug)]
pub struct Item<'t> {
    node: Option<SyntaxNode<'t>>,
    range: TextRange,
}

/// A scalar, in any of the five styles.
#[derive(Clone, Copy)]
pub struct Scalar<'t>(SyntaxNode<'t>);

/// How a scalar is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScalarStyle {
    /// Without quotes.
    Plain,
    /// Between `'`.
    SingleQuoted,
    /// Between `"`.
    DoubleQuoted,
    /// Behind `|`.
    Literal,
    /// Behind `>`.
    Folded,
}

/// A reference to an anchored node.
#[derive(Clone, Copy)]
pub struct Alias<'t>(SyntaxNode<'t>);

/// The direct children of a construct.
#[derive(Clone)]
pub(crate) struct Children<'t> {
    events: &'t [Event],
    next: usize,
    end: usize,
}

impl<'t> Children<'t> {
    pub(crate) fn new(events: &'t [Event], next: usize, end: usize) -> Children<'t> {
        Children { events, next, end }
    }

    pub(crate) fn of(tree: &'t Tree, construct: u32) -> Children<'t> {
        let end = match tree.event(construct) {
            Some(event) if event.kind.is_construct() => event.end as usize,
            _ => 0,
        };
        Children::new(tree.events(), construct as usize + 1, end)
    }
}

impl<'t> Iterator for Children<'t> {
    type Item = (u32, &'t Event);

    fn next(&mut self) -> Option<Self::Item> {
        if self.next >= self.end {
            return None;
        }
        let index = self.next;
        let event = self.events.get(index)?;
        let is_construct = event.kind.is_construct();
        self.next = if is_construct { (event.end as usize).max(index + 1) } else { index + 1 };
        Some((u32::try_from(index).unwrap_or(u32::MAX), event))
    }
}

impl<'t> SyntaxNode<'t> {
    pub(crate) fn new(tree: &'t Tree, event: u32) -> SyntaxNode<'t> {
        SyntaxNode { tree, event }
    }

    /// The node's handle.
    pub fn id(self) -> SyntaxNodeId {
        SyntaxNodeId(self.event)
    }

    /// The range of the content, without anchor and tag.
    pub fn range(self) -> TextRange {
        match self.content() {
            Some(content) => event_range(self.tree, content),
            None => self.full_range(),
        }
    }

    /// The range, with anchor and tag.
    pub fn full_range(self) -> TextRange {
        event_range(self.tree, self.event)
    }

    /// The node's anchor.
    pub fn anchor(self) -> Option<Anchor<'t>> {
        let (name, range) = self.property(SyntaxKind::Anchor)?;
        Some(Anchor { name: name.strip_prefix('&').unwrap_or(name), range })
    }

    /// The node's tag.
    pub fn tag(self) -> Option<Tag<'t>> {
        let (text, range) = self.property(SyntaxKind::Tag)?;
        Some(Tag { text, range })
    }

    /// What kind of value the node has.
    pub fn kind(self) -> SyntaxNodeKind {
        match self.value() {
            NodeValue::Mapping(_) => SyntaxNodeKind::Mapping,
            NodeValue::Sequence(_) => SyntaxNodeKind::Sequence,
            NodeValue::Scalar(_) => SyntaxNodeKind::Scalar,
            NodeValue::Alias(_) => SyntaxNodeKind::Alias,
            NodeValue::Empty => SyntaxNodeKind::Empty,
            NodeValue::Unknown => SyntaxNodeKind::Unknown,
        }
    }

    /// The node's value.
    pub fn value(self) -> NodeValue<'t> {
        match self.content_kind() {
            Some(SyntaxKind::BlockMap | SyntaxKind::FlowMap | SyntaxKind::FlowPair) => {
                NodeValue::Mapping(Mapping(self))
            }
            Some(SyntaxKind::BlockSeq | SyntaxKind::FlowSeq) => NodeValue::Sequence(Sequence(self)),
            Some(SyntaxKind::Alias) => NodeValue::Alias(Alias(self)),
            Some(SyntaxKind::Unknown) => NodeValue::Unknown,
            Some(_) => NodeValue::Scalar(Scalar(self)),
            None => NodeValue::Empty,
        }
    }

    /// The node as a mapping, if it is one.
    pub fn as_mapping(self) -> Option<Mapping<'t>> {
        if let NodeValue::Mapping(mapping) = self.value() { Some(mapping) } else { None }
    }

    /// The node as a sequence, if it is one.
    pub fn as_sequence(self) -> Option<Sequence<'t>> {
        if let NodeValue::Sequence(sequence) = self.value() { Some(sequence) } else { None }
    }

    /// The node as a scalar, if it is one.
    pub fn as_scalar(self) -> Option<Scalar<'t>> {
        if let NodeValue::Scalar(scalar) = self.value() { Some(scalar) } else { None }
    }

    /// The tree that the node is a part of.
    pub fn tree(self) -> &'t Tree {
        self.tree
    }

    /// The index of the event of the content, after anchor and tag.
    pub(crate) fn content(self) -> Option<u32> {
        let mut event = self.event;
        while self.tree.event(event)?.kind == SyntaxKind::Properties {
            event = Children::of(self.tree, event).find(|(_, child)| child.kind.is_node())?.0;
        }
        Some(event)
    }

    pub(crate) fn content_kind(self) -> Option<SyntaxKind> {
        self.tree.event(self.content()?).map(|event| event.kind)
    }

    fn property(self, kind: SyntaxKind) -> Option<(&'t str, TextRange)> {
        let mut event = self.event;
        while self.tree.event(event)?.kind == SyntaxKind::Properties {
            let mut children = Children::of(self.tree, event);
            if let Some((index, found)) = children.clone().find(|(_, child)| child.kind == kind) {
                return Some((self.tree.slice(found.start, found.end), event_range(self.tree, index)));
            }
            event = children.find(|(_, child)| child.kind.is_node())?.0;
        }
        None
    }
}

impl fmt::Debug for SyntaxNode<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?}@{:?}", self.content_kind(), self.full_range())
    }
}

impl<'t> Mapping<'t> {
    /// The entries in the order of the text. Half-typed ones are included.
    pub fn entries(self) -> impl Iterator<Item = Entry<'t>> {
        let tree = self.0.tree;
        let entries = children_of(self.0)
            .filter(|(_, event)| matches!(event.kind, SyntaxKind::Entry | SyntaxKind::BareEntry));
        entries.map(move |(event, _)| Entry::new(tree, event))
    }

    /// The first entry whose key is this text.
    pub fn get(self, key: &str) -> Option<Entry<'t>> {
        self.entries().find(|entry| entry.key_text().as_deref() == Some(key))
    }

    /// True for `{…}` and for a pair in a flow sequence.
    pub fn is_flow(self) -> bool {
        self.0.content_kind() != Some(SyntaxKind::BlockMap)
    }

    /// The range without anchor and tag.
    pub fn range(self) -> TextRange {
        self.0.range()
    }

    /// The mapping as a node.
    pub fn node(self) -> SyntaxNode<'t> {
        self.0
    }
}

impl fmt::Debug for Mapping<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.entries()).finish()
    }
}

impl<'t> Entry<'t> {
    pub(crate) fn new(tree: &'t Tree, event: u32) -> Entry<'t> {
        Entry { tree, event }
    }

    /// The key; `None` if it is empty.
    pub fn key(self) -> Option<SyntaxNode<'t>> {
        let mut parts =
            Children::of(self.tree, self.event).take_while(|(_, event)| event.kind != SyntaxKind::Colon);
        let (event, _) = parts.find(|(_, event)| event.kind.is_node())?;
        Some(SyntaxNode::new(self.tree, event))
    }

    /// The value; `None` if it is empty.
    pub fn value(self) -> Option<SyntaxNode<'t>> {
        let parts = Children::of(self.tree, self.event);
        if self.colon().is_none() {
            let (event, _) = parts.filter(|(_, event)| event.kind.is_node()).nth(1)?;
            return Some(SyntaxNode::new(self.tree, event));
        }
        let mut behind_colon = parts.skip_while(|(_, event)| event.kind != SyntaxKind::Colon);
        let (event, _) = behind_colon.find(|(_, event)| event.kind.is_node())?;
        Some(SyntaxNode::new(self.tree, event))
    }

    /// The range from the key to the value's end.
    pub fn range(self) -> TextRange {
        event_range(self.tree, self.event)
    }

    /// The range of the colon, if there is one.
    pub fn colon(self) -> Option<TextRange> {
        let mut parts = Children::of(self.tree, self.event);
        let (event, _) = parts.find(|(_, event)| event.kind == SyntaxKind::Colon)?;
        Some(event_range(self.tree, event))
    }

    /// The text of a scalar key.
    pub fn key_text(self) -> Option<Cow<'t, str>> {
        self.key()?.as_scalar().map(Scalar::cooked)
    }

    /// True for a bare word: a line of a block mapping without a colon.
    pub fn is_half_typed(self) -> bool {
        self.tree.event(self.event).is_some_and(|event| event.kind == SyntaxKind::BareEntry)
    }
}

impl fmt::Debug for Entry<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?}: {:?}", self.key(), self.value())
    }
}

impl<'t> Sequence<'t> {
    /// The items in the order of the text.
    pub fn items(self) -> impl Iterator<Item = Item<'t>> {
        let tree = self.0.tree;
        children_of(self.0).filter_map(move |(index, event)| {
            let node = match event.kind {
                SyntaxKind::Item => {
                    Children::of(tree, index).find(|(_, child)| child.kind.is_node()).map(|(child, _)| child)
                }
                kind if kind.is_node() => Some(index),
                _ => return None,
            };
            Some(Item {
                node: node.map(|child| SyntaxNode::new(tree, child)),
                range: event_range(tree, index),
            })
        })
    }

    /// True for `[…]`.
    pub fn is_flow(self) -> bool {
        self.0.content_kind() == Some(SyntaxKind::FlowSeq)
    }

    /// The range without anchor and tag.
    pub fn range(self) -> TextRange {
        self.0.range()
    }

    /// The sequence as a node.
    pub fn node(self) -> SyntaxNode<'t> {
        self.0
    }
}

impl fmt::Debug for Sequence<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.items()).finish()
    }
}

impl<'t> Item<'t> {
    /// The item's node; `None` if the item is empty.
    pub fn node(self) -> Option<SyntaxNode<'t>> {
        self.node
    }

    /// The range, with the dash in a block sequence.
    pub fn range(self) -> TextRange {
        self.range
    }
}

impl<'t> Scalar<'t> {
    /// How the scalar is written.
    pub fn style(self) -> ScalarStyle {
        if let Some(given) = self.given() {
            // A given text is what it is: YAML does not turn `true` or `1` into another type.
            let is_text = given.value == ScalarValue::Text;
            return if is_text { ScalarStyle::DoubleQuoted } else { ScalarStyle::Plain };
        }
        match self.0.content_kind() {
            Some(SyntaxKind::SingleQuoted) => ScalarStyle::SingleQuoted,
            Some(SyntaxKind::DoubleQuoted) => ScalarStyle::DoubleQuoted,
            Some(SyntaxKind::Literal) => ScalarStyle::Literal,
            Some(SyntaxKind::Folded) => ScalarStyle::Folded,
            _ => ScalarStyle::Plain,
        }
    }

    /// Where the letters are, if they are in another file than the tree.
    pub fn elsewhere(self) -> Option<&'t LettersElsewhere> {
        self.given()?.elsewhere.as_ref()
    }

    /// The source of the scalar, with quotes or block header.
    pub fn raw(self) -> &'t str {
        let range = self.0.range();
        self.0.tree.slice(range.start().into(), range.end().into())
    }

    /// The text that the scalar stands for. It is borrowed if the source already is that text.
    pub fn cooked(self) -> Cow<'t, str> {
        if let Some(given) = self.given() {
            return Cow::Borrowed(&given.text);
        }
        match self.token() {
            Some(token) => cook::cook(token.kind, self.0.tree.slice(token.start, token.end), token.start),
            None => self.cooked_block(false).text,
        }
    }

    /// The cooked text, with a map to the source.
    pub fn cooked_with_map(self) -> CookedText<'t> {
        if let Some(given) = self.given() {
            return CookedText { text: Cow::Borrowed(&given.text), map: given.map.clone() };
        }
        match self.token() {
            Some(token) => {
                cook::cook_with_map(token.kind, self.0.tree.slice(token.start, token.end), token.start)
            }
            None => self.cooked_block(true),
        }
    }

    /// The value under the core schema of YAML. The tag is respected.
    pub fn resolve(self) -> ScalarValue {
        match self.given() {
            Some(given) => given.value.clone(),
            None => self.untyped().map_or(ScalarValue::Text, |text| resolve::resolve(&text)),
        }
    }

    /// Like `resolve`, and also returns the cooked text. The text is only cooked once.
    pub fn resolve_with_text(self) -> (ScalarValue, Cow<'t, str>) {
        match self.untyped() {
            Some(text) => (resolve::resolve(&text), text),
            None => (self.resolve(), self.cooked()),
        }
    }

    /// The cooked text, if the schema decides its type: of a plain scalar, or of one with a tag such as `!!int`.
    fn untyped(self) -> Option<Cow<'t, str>> {
        let is_untyped = match self.0.tag().map(|tag| tag.text) {
            None => self.style() == ScalarStyle::Plain,
            Some(tag) => matches!(tag, "!!null" | "!!bool" | "!!int" | "!!float"),
        };
        (is_untyped && self.given().is_none()).then(|| self.cooked())
    }

    /// The scalar as a node.
    pub fn node(self) -> SyntaxNode<'t> {
        self.0
    }

    /// The value of the scalar in a built tree; `None` in a parsed one.
    fn given(self) -> Option<&'t Given> {
        if self.0.content_kind() == Some(SyntaxKind::Given) {
            return self.0.tree.given(self.0.content()?);
        }
        None
    }

    fn token(self) -> Option<Event> {
        let event = self.0.tree.event(self.0.content()?)?;
        (!event.kind.is_construct()).then_some(*event)
    }

    fn cooked_block(self, with_map: bool) -> CookedText<'t> {
        let tree = self.0.tree;
        let parts = || Children::of(tree, self.0.content().unwrap_or(self.0.event));
        let header = parts().find(|(_, event)| event.kind == SyntaxKind::BlockHeader);
        let header = header.map_or("", |(_, event)| tree.slice(event.start, event.end));
        let is_folded = self.style() == ScalarStyle::Folded;
        match parts().find(|(_, event)| event.kind == SyntaxKind::BlockBody) {
            Some((_, body)) => {
                let style = BlockStyle { is_folded, header, indentation: body.indentation() };
                cook::cook_block(&style, tree.slice(body.start, body.end), body.start, with_map)
            }
            None => {
                let end = self.0.range().end();
                CookedText { text: Cow::Borrowed(""), map: SourceMap::empty_at(end) }
            }
        }
    }
}

impl fmt::Debug for Scalar<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?}", self.cooked())
    }
}

impl<'t> Alias<'t> {
    /// The name without its `*`.
    pub fn name(self) -> &'t str {
        let range = self.range();
        let text = self.0.tree.slice(range.start().into(), range.end().into());
        text.strip_prefix('*').unwrap_or(text)
    }

    /// The node that the alias refers to: the last one before it in the document with that anchor.
    pub fn target(self) -> Option<SyntaxNode<'t>> {
        let target = self.0.tree.alias_target(self.0.content()?)?;
        Some(SyntaxNode::new(self.0.tree, target))
    }

    /// The range of the alias, with its `*`.
    pub fn range(self) -> TextRange {
        self.0.range()
    }
}

impl fmt::Debug for Alias<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "*{}", self.name())
    }
}

fn children_of(node: SyntaxNode<'_>) -> Children<'_> {
    Children::of(node.tree, node.content().unwrap_or(node.event))
}

fn event_range(tree: &Tree, index: u32) -> TextRange {
    let start = tree.event(index).map_or(0, |event| event.start);
    TextRange::new(start.into(), tree.end_of(index).max(start).into())
}

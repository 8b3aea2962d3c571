//! The tree of a text: its events, its problems, its documents.
//!
//! Input: a text. Output: everything that can be asked of its syntax. Invariant: the tree never changes, and
//! its tokens, concatenated, are the text.

use std::sync::Arc;

use text_size::{TextRange, TextSize};

use crate::build::{Built, Given};
use crate::event::{Event, SyntaxKind};
use crate::node::{Children, SyntaxNode, SyntaxNodeId};
use crate::parse::parse_text;
use crate::problem::{Problem, ProblemKind};

/// A parsed text.
#[derive(Clone, Debug)]
pub struct Tree {
    text: Arc<str>,
    events: Box<[Event]>,
    problems: Box<[Problem]>,
    alias_targets: Box<[(u32, u32)]>,
    /// The data of a built tree that its events do not contain; `None` for a parsed tree.
    built: Option<Box<Built>>,
}

/// A document of a stream.
#[derive(Clone, Copy, Debug)]
pub struct Document<'t> {
    tree: &'t Tree,
    event: u32,
    index: usize,
}

/// A comment, from its `#` to the end of its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comment<'t> {
    /// The comment's text with its `#`.
    pub text: &'t str,
    pub range: TextRange,
}

/// A directive line, such as `%YAML 1.2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Directive<'t> {
    /// The line's text with its `%`.
    pub text: &'t str,
    pub range: TextRange,
}

/// Parses a text. Any text gives a tree.
pub fn parse(text: impl Into<Arc<str>>) -> Tree {
    let text = text.into();
    let parsed = parse_text(&text);
    Tree {
        events: parsed.events.into_boxed_slice(),
        problems: parsed.problems.into_boxed_slice(),
        alias_targets: parsed.alias_targets.into_boxed_slice(),
        built: None,
        text,
    }
}

impl Tree {
    /// A tree that was built.
    pub(crate) fn of_events(text: Arc<str>, events: Vec<Event>, built: Built) -> Tree {
        Tree {
            text,
            events: events.into_boxed_slice(),
            problems: Box::default(),
            alias_targets: Box::default(),
            built: Some(Box::new(built)),
        }
    }

    /// Whether the text is not YAML but, for instance, a program, so that YAML cannot be written to it.
    pub fn is_built(&self) -> bool {
        self.built.is_some()
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// The problems, in the order of the text.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// True when the text is valid YAML 1.2 and every alias has its anchor.
    pub fn is_valid(&self) -> bool {
        !self
            .problems
            .iter()
            .any(|problem| problem.is_syntax() || problem.kind == ProblemKind::UndefinedAlias)
    }

    /// Whether the tree contains an alias whose anchor exists.
    pub fn has_aliases(&self) -> bool {
        !self.alias_targets.is_empty()
    }

    /// The documents of the stream.
    pub fn documents(&self) -> impl Iterator<Item = Document<'_>> {
        let all = Children::new(&self.events, 0, self.events.len());
        let documents = all.filter(|(_, event)| event.kind == SyntaxKind::Document);
        documents.enumerate().map(|(index, (event, _))| Document { tree: self, event, index })
    }

    /// The comments of the text. Those in block scalar headers are included.
    pub fn comments(&self) -> impl Iterator<Item = Comment<'_>> {
        let comments = self.events.iter().filter(|event| event.kind == SyntaxKind::Comment);
        comments.map(|event| Comment { text: self.slice(event.start, event.end), range: range(event) })
    }

    /// The node with an id of this tree.
    pub fn node(&self, id: SyntaxNodeId) -> Option<SyntaxNode<'_>> {
        let event = self.events.get(id.0 as usize)?;
        event.kind.is_node().then(|| SyntaxNode::new(self, id.0))
    }

    /// Every node in the order of the text, keys included. A node with an anchor or a tag comes twice: with them, and
    /// without them.
    pub fn nodes(&self) -> impl Iterator<Item = SyntaxNode<'_>> {
        let nodes = self.events.iter().zip(0..).filter(|(event, _)| event.kind.is_node());
        nodes.map(|(_, index)| SyntaxNode::new(self, index))
    }

    /// The text of every token, in order. Together they are the whole text.
    pub fn token_texts(&self) -> impl Iterator<Item = &str> {
        let tokens = self.events.iter().filter(|event| !event.kind.is_construct());
        tokens.map(|event| self.slice(event.start, event.end))
    }

    /// The size of the tree on the heap, without the text, in bytes.
    pub fn heap_size(&self) -> usize {
        size_of_val(&*self.events) + size_of_val(&*self.problems) + size_of_val(&*self.alias_targets)
    }

    pub(crate) fn events(&self) -> &[Event] {
        &self.events
    }

    pub(crate) fn event(&self, index: u32) -> Option<&Event> {
        self.events.get(index as usize)
    }

    pub(crate) fn given(&self, event: u32) -> Option<&Given> {
        self.built.as_ref()?.scalar(event)
    }

    pub(crate) fn slice(&self, start: u32, end: u32) -> &str {
        self.text.get(start as usize..end as usize).unwrap_or_default()
    }

    pub(crate) fn alias_target(&self, alias: u32) -> Option<u32> {
        let found = self.alias_targets.binary_search_by_key(&alias, |&(from, _)| from).ok()?;
        self.alias_targets.get(found).map(|&(_, target)| target)
    }

    /// The end of a construct or a token. The last line break of a block scalar does not belong to it.
    pub(crate) fn end_of(&self, index: u32) -> u32 {
        let Some(event) = self.event(index) else { return 0 };
        if !event.kind.is_construct() {
            return self.token_end(event);
        }
        let last = event.end.saturating_sub(1);
        match self.event(last) {
            Some(token) if last > index && !token.kind.is_construct() => self.token_end(token),
            Some(construct) => construct.start,
            None => event.start,
        }
    }

    fn token_end(&self, token: &Event) -> u32 {
        if token.kind != SyntaxKind::BlockBody {
            return token.end;
        }
        let body = self.slice(token.start, token.end);
        let line_break = if body.ends_with("\r\n") { 2 } else { u32::from(body.ends_with(['\n', '\r'])) };
        token.end - line_break
    }
}

impl<'t> Document<'t> {
    /// The document's range, markers and directives included.
    pub fn range(&self) -> TextRange {
        let start = self.tree.event(self.event).map_or(0, |event| event.start);
        TextRange::new(start.into(), self.tree.end_of(self.event).max(start).into())
    }

    /// The document's number in the stream, from 0.
    pub fn index(&self) -> usize {
        self.index
    }

    /// The kind of the document, if the tree was built with one.
    pub fn kind(&self) -> Option<&'static str> {
        self.tree.built.as_ref()?.kind(self.index)
    }

    /// The root node, if the document has one.
    pub fn root(&self) -> Option<SyntaxNode<'t>> {
        let (index, _) = self.children().find(|(_, event)| event.kind.is_node())?;
        Some(SyntaxNode::new(self.tree, index))
    }

    /// Every node of the document in order, keys included.
    pub fn nodes(&self) -> impl Iterator<Item = SyntaxNode<'t>> + use<'t> {
        let tree = self.tree;
        let end = tree.event(self.event).map_or(0, |event| event.end);
        let is_node = move |index: &u32| tree.event(*index).is_some_and(|event| event.kind.is_node());
        (self.event + 1..end).filter(is_node).map(move |index| SyntaxNode::new(tree, index))
    }

    /// The range of the `---` marker, if the document has one.
    pub fn start_marker(&self) -> Option<TextRange> {
        self.children()
            .find(|(_, event)| event.kind == SyntaxKind::DocumentStart)
            .map(|(_, event)| range(event))
    }

    /// The range of the `...` marker, if the document has one.
    pub fn end_marker(&self) -> Option<TextRange> {
        self.children()
            .find(|(_, event)| event.kind == SyntaxKind::DocumentEnd)
            .map(|(_, event)| range(event))
    }

    /// The document's directives.
    pub fn directives(&self) -> impl Iterator<Item = Directive<'t>> {
        let tree = self.tree;
        let directives = self.children().filter(|(_, event)| event.kind == SyntaxKind::Directive);
        directives.map(move |(_, event)| Directive {
            text: tree.slice(event.start, event.end),
            range: range(event),
        })
    }

    fn children(&self) -> Children<'t> {
        Children::of(self.tree, self.event)
    }
}

fn range(event: &Event) -> TextRange {
    TextRange::new(TextSize::from(event.start), TextSize::from(event.end))
}

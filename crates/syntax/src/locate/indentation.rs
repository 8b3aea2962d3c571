//! The answer for a cursor that has nothing before it on its line: its column decides.
//!
//! Input: a finder and the last token before the cursor. Output: the place. Invariant: the collection chosen is
//! the innermost open one that is not deeper than the cursor, as an editor's user sees it.

use text_size::TextRange;

use super::finder::{Finder, Found, nothing, range_of};
use super::trail::Trail;
use super::{KeyPlace, Place, Sibling, TreeStep, ValuePlace};
use crate::event::{Event, SyntaxKind};
use crate::node::{Children, Entry, NodeValue, SyntaxNode, SyntaxNodeId};

/// A block collection around the cursor.
#[derive(Clone, Copy)]
struct Frame {
    level: usize,
    column: usize,
    kind: SyntaxKind,
}

impl<'t> Finder<'t> {
    /// The cursor is on a line with nothing before it.
    pub(super) fn on_own_line(&self, before: Option<u32>) -> Found {
        let here = TextRange::empty(self.offset.into());
        if let Some(index) = before {
            let trail = Trail::to(self.tree, index);
            if self.is_inside_flow(&trail, index) {
                return self.new_element_or_value(&trail, index);
            }
            if let Some(found) = self.inside_block_scalar(&trail, index) {
                return found;
            }
        }
        if self.has_content_behind() {
            return nothing();
        }
        self.by_indentation(before, here)
    }

    /// True when the cursor is in the indentation of a line with content.
    fn has_content_behind(&self) -> bool {
        let rest = self.tree.text().get(self.offset as usize..).unwrap_or_default();
        let content = rest.trim_start_matches([' ', '\t']).chars().next();
        !matches!(content, None | Some('\n' | '\r' | '#'))
    }

    /// True when the cursor is inside a flow collection. A collection without its closing bracket ends at the first
    /// line that is not deeper than the collection around it.
    fn is_inside_flow(&self, trail: &Trail<'t>, before: u32) -> bool {
        let Some(level) = self.open_flow(trail, before) else { return false };
        let outermost =
            trail.levels.iter().find(|level| matches!(level.kind, SyntaxKind::FlowMap | SyntaxKind::FlowSeq));
        let is_closed = outermost.is_some_and(|flow| self.closer(flow.event).is_some());
        let parent = self.frames(trail).into_iter().rev().find(|frame| frame.level < level);
        is_closed || parent.is_none_or(|parent| self.column(self.offset) > parent.column)
    }

    fn new_element_or_value(&self, trail: &Trail<'t>, before: u32) -> Found {
        match self.tree.event(before).map(|event| event.kind) {
            Some(SyntaxKind::Colon) => match trail.innermost(|level| level.kind == SyntaxKind::Entry) {
                Some(level) => self.value_of_entry(trail, level, false),
                None => nothing(),
            },
            Some(SyntaxKind::Anchor | SyntaxKind::Tag | SyntaxKind::Question | SyntaxKind::ErrorText) => {
                nothing()
            }
            _ => self.new_element(trail, before),
        }
    }

    /// The cursor is on a blank line that belongs to the block scalar before it.
    fn inside_block_scalar(&self, trail: &Trail<'t>, before: u32) -> Option<Found> {
        let scalar = trail
            .levels
            .last()
            .filter(|level| matches!(level.kind, SyntaxKind::Literal | SyntaxKind::Folded))?;
        let last = self.tree.event(before)?;
        let column = self.column(self.offset);
        let is_inside = match last.kind {
            SyntaxKind::BlockBody => {
                let between =
                    self.tree.events().get(before as usize + 1..self.boundary()).unwrap_or_default();
                let is_blank = between.iter().all(|event| event.kind == SyntaxKind::Space);
                is_blank && column >= last.indentation().max(1)
            }
            SyntaxKind::BlockHeader => self.frames(trail).last().is_none_or(|frame| column > frame.column),
            _ => false,
        };
        if !is_inside || self.has_content_behind() {
            return None;
        }
        let holder = trail.innermost(|level| {
            !matches!(level.kind, SyntaxKind::Properties | SyntaxKind::Literal | SyntaxKind::Folded)
        })?;
        let content = SyntaxNodeId(scalar.event);
        let typed = self.typed(content);
        Some((trail.path.clone(), Place::Value(self.scalar_at(trail, holder, content, typed))))
    }

    /// The block collections around a token, the outermost first.
    fn frames(&self, trail: &Trail<'t>) -> Vec<Frame> {
        let levels = trail.levels.iter().enumerate();
        let blocks =
            levels.filter(|(_, level)| matches!(level.kind, SyntaxKind::BlockMap | SyntaxKind::BlockSeq));
        let frame = |(number, level): (usize, &super::trail::Level)| {
            let start = self.tree.event(level.event).map_or(0, |event| event.start);
            Frame { level: number, column: self.column(start), kind: level.kind }
        };
        blocks.map(frame).collect()
    }

    /// What a word at the column of `typed` would be, according to the indentation.
    pub(super) fn by_indentation(&self, before: Option<u32>, typed: TextRange) -> Found {
        let event = before.and_then(|index| self.tree.event(index));
        let (Some(index), Some(event)) = (before, event) else { return self.at_root(None, typed) };
        match event.kind {
            SyntaxKind::DocumentStart | SyntaxKind::DocumentEnd => return self.at_root(Some(event), typed),
            SyntaxKind::Directive => return nothing(),
            _ => {}
        }
        let column = self.column(typed.start().into());
        let trail = Trail::to(self.tree, index);
        let frames = self.frames(&trail);
        let Some(frame) =
            frames.iter().rposition(|frame| frame.column <= column).or((!frames.is_empty()).then_some(0))
        else {
            return self.beside_root(index, typed);
        };
        // A sequence may have the same column as its key. A word at that column is a key of the mapping.
        let outer = frame.checked_sub(1).and_then(|outer| frames.get(outer));
        let Some(&innermost) = frames.get(frame) else { return nothing() };
        let flat_parent = outer.filter(|outer| outer.column == innermost.column && outer.column >= column);
        let frame = *flat_parent.unwrap_or(&innermost);
        match (frame.kind, frame.column >= column) {
            (SyntaxKind::BlockMap, true) => {
                let key = self.key_in(trail.node_id(frame.level), typed, frame.column);
                (trail.path_to(frame.level), Place::Key(key))
            }
            (SyntaxKind::BlockMap, false) => self.below_entry(&trail, frame, index, typed),
            (_, true) => {
                let path = trail.path_to(frame.level);
                let sequence = trail.levels.get(frame.level).map_or(0, |level| level.event);
                self.new_item(path, sequence, trail.node_id(frame.level), typed)
            }
            (_, false) => self.below_item(&trail, frame, index, typed),
        }
    }

    /// Nothing is before the cursor in the document, except perhaps its `---`.
    fn at_root(&self, marker: Option<&Event>, typed: TextRange) -> Found {
        let mut documents = self.tree.documents();
        let current = match marker.filter(|event| event.kind == SyntaxKind::DocumentStart) {
            Some(start) => documents.find(|document| document.start_marker() == Some(range_of(start))),
            None => documents.find(|document| document.range().end() >= typed.end()).filter(|document| {
                document.start_marker().is_none() && document.directives().next().is_none()
            }),
        };
        match current.and_then(|document| document.root()) {
            Some(root) => self.before_child(Vec::new(), root, typed),
            None => {
                let value = self.empty_value(typed);
                (Vec::new(), Place::Either { key: self.new_key(typed, Vec::new()), value })
            }
        }
    }

    /// The cursor is on a line after a root that is not a block collection.
    fn beside_root(&self, before: u32, typed: TextRange) -> Found {
        let Some(event) = self.tree.event(before).filter(|event| event.kind == SyntaxKind::Plain) else {
            return nothing();
        };
        let is_beside = self.column(event.start) == self.column(typed.start().into());
        let node = SyntaxNode::new(self.tree, before);
        match is_beside {
            true => (Vec::new(), Place::Key(self.new_key(typed, vec![sibling(node)]))),
            false => nothing(),
        }
    }

    /// The line is deeper than the mapping of a frame, so it belongs to the mapping's last entry.
    fn below_entry(&self, trail: &Trail<'t>, frame: Frame, before: u32, typed: TextRange) -> Found {
        let Some(mapping) = trail.levels.get(frame.level).map(|level| level.event) else { return nothing() };
        let members = Children::of(self.tree, mapping).take_while(|&(index, _)| index <= before);
        let entries =
            members.filter(|(_, event)| matches!(event.kind, SyntaxKind::Entry | SyntaxKind::BareEntry));
        let Some((event, _)) = entries.last() else { return nothing() };
        let entry = Entry::new(self.tree, event);
        let Some(key) = entry.key() else { return nothing() };
        let mut path = trail.path_to(frame.level);
        let text = super::trail::key_text(key).into_owned();
        path.push(TreeStep::Key { text, range: key.range(), mapping: trail.node_id(frame.level) });
        self.below(path, entry.value(), typed, false)
    }

    /// The line is deeper than the dashes of a frame, so it belongs to the sequence's last item.
    fn below_item(&self, trail: &Trail<'t>, frame: Frame, before: u32, typed: TextRange) -> Found {
        let Some(sequence) = trail.levels.get(frame.level).map(|level| level.event) else { return nothing() };
        let members = Children::of(self.tree, sequence).take_while(|&(index, _)| index <= before);
        let items: Vec<_> =
            members.filter(|(_, event)| event.kind == SyntaxKind::Item).map(|(index, _)| index).collect();
        let Some(&item) = items.last() else { return nothing() };
        let node = Children::of(self.tree, item).find(|(_, event)| event.kind.is_node());
        let node = node.map(|(index, _)| SyntaxNode::new(self.tree, index));
        let mut path = trail.path_to(frame.level);
        path.push(TreeStep::Item { index: items.len() - 1, sequence: trail.node_id(frame.level) });
        self.below(path, node, typed, true)
    }

    /// The line is at the place of a value: below its key, or in its item.
    fn below(
        &self,
        path: Vec<TreeStep>,
        node: Option<SyntaxNode<'t>>,
        typed: TextRange,
        after_dash: bool,
    ) -> Found {
        let filled = node.filter(|node| Self::is_filled(*node));
        let Some(filled) = filled else {
            let key = self.key_of_step(path.last());
            let node = node.map(SyntaxNode::id);
            let value = ValuePlace { key, node, after_dash, ..self.empty_value(typed) };
            return (path, Place::Either { key: self.new_key(typed, Vec::new()), value });
        };
        self.before_child(path, filled, typed)
    }

    /// The line is before the children of a node that already exists.
    fn before_child(&self, mut path: Vec<TreeStep>, node: SyntaxNode<'t>, typed: TextRange) -> Found {
        match node.value() {
            NodeValue::Mapping(mapping) if !mapping.is_flow() => {
                let indent = self.column(mapping.range().start().into());
                (path, Place::Key(self.key_in(node.id(), typed, indent)))
            }
            NodeValue::Sequence(sequence) if !sequence.is_flow() => {
                let content = node.content().unwrap_or_default();
                self.new_item(path, content, node.id(), typed)
            }
            NodeValue::Scalar(_) if node.full_range().start() >= typed.start() => {
                let key = self.key_of_step(path.last());
                let value = ValuePlace { key, node: Some(node.id()), ..self.empty_value(typed) };
                (std::mem::take(&mut path), Place::Value(value))
            }
            NodeValue::Scalar(scalar) if self.is_bare_word(node, typed) => {
                let key: KeyPlace = self.new_key(typed, vec![sibling(scalar.node())]);
                (path, Place::Key(key))
            }
            _ => nothing(),
        }
    }

    /// True for a plain word before the cursor, at the cursor's column: it may become a key.
    fn is_bare_word(&self, node: SyntaxNode<'t>, typed: TextRange) -> bool {
        let Some(content) = node.content() else { return false };
        let Some(event) = self.tree.event(content).filter(|event| event.kind == SyntaxKind::Plain) else {
            return false;
        };
        let is_one_line = !self.tree.slice(event.start, event.end).contains(['\n', '\r']);
        is_one_line && self.column(event.start) == self.column(typed.start().into())
    }

    /// A new item of a block sequence, without its dash.
    fn new_item(
        &self,
        mut path: Vec<TreeStep>,
        sequence: u32,
        node: SyntaxNodeId,
        typed: TextRange,
    ) -> Found {
        let members = Children::of(self.tree, sequence);
        let before = members.take_while(|(_, event)| event.start < u32::from(typed.start()));
        let index = before.filter(|(_, event)| event.kind == SyntaxKind::Item).count();
        path.push(TreeStep::Item { index, sequence: node });
        let value = ValuePlace { needs_dash: true, ..self.empty_value(typed) };
        (path, Place::Value(value))
    }
}

fn sibling(node: SyntaxNode<'_>) -> Sibling {
    Sibling { text: super::trail::key_text(node).into_owned(), range: node.range() }
}

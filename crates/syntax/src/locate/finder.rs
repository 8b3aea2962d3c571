//! The answer for a cursor that touches a token, or stands behind one on its line.
//!
//! Input: a tree and an offset. Output: the location. Invariant: a cursor that touches nothing and has nothing
//! before it on its line is answered by `indentation`.

use memchr::memrchr2;
use text_size::{TextRange, TextSize};

use super::trail::{Trail, key_text};
use super::{FlowPlace, KeyPlace, Location, Place, Sibling, TreeStep, ValuePlace};
use crate::event::{Event, SyntaxKind};
use crate::node::{Children, Entry, Scalar, ScalarStyle, SyntaxNode, SyntaxNodeId, SyntaxNodeKind};
use crate::tree::Tree;

/// The tree, and an offset in its text at a character boundary.
pub(super) struct Finder<'t> {
    pub(super) tree: &'t Tree,
    pub(super) offset: u32,
}

/// A path, and the place to which it leads.
pub(super) type Found = (Vec<TreeStep>, Place);

impl<'t> Finder<'t> {
    pub(super) fn new(tree: &'t Tree, offset: TextSize) -> Finder<'t> {
        let text = tree.text();
        let mut offset = usize::from(offset).min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let before = text.as_bytes().get(..offset).unwrap_or_default();
        let behind = text.as_bytes().get(offset..).unwrap_or_default();
        if before.ends_with(b"\r") && behind.starts_with(b"\n") {
            offset -= 1;
        }
        Finder { tree, offset: u32::try_from(offset).unwrap_or(u32::MAX) }
    }

    pub(super) fn find(&self) -> Location {
        if self.tree.is_built() {
            return self.find_built();
        }
        let (path, place) = self.found();
        Location { document: self.document(), path, place }
    }

    fn found(&self) -> Found {
        let left = self.before(self.boundary());
        if let Some((_, comment)) =
            left.filter(|(_, event)| event.kind == SyntaxKind::Comment && self.touches(event))
        {
            return (Vec::new(), Place::Comment { range: range_of(comment) });
        }
        if let Some((index, event)) = left.filter(|(_, event)| self.touches(event)) {
            match event.kind {
                kind if is_text(kind) => return self.at_text(index, event),
                SyntaxKind::Anchor
                | SyntaxKind::Tag
                | SyntaxKind::Directive
                | SyntaxKind::DocumentStart
                | SyntaxKind::DocumentEnd => {
                    return nothing();
                }
                _ => {}
            }
        }
        let right = self.token_from(self.boundary());
        if let Some((index, event)) =
            right.filter(|(_, event)| event.start == self.offset && is_text(event.kind))
        {
            return self.at_text(index, event);
        }
        let before = self.significant_before(self.boundary());
        match before {
            Some((index, event)) if self.is_on_line(event) => self.behind_token(index, event),
            _ => self.on_own_line(before.map(|(index, _)| index)),
        }
    }

    /// The index of the document at the cursor.
    fn document(&self) -> usize {
        let mut number = 0;
        for document in self.tree.documents() {
            if u32::from(document.range().start()) > self.offset {
                break;
            }
            let is_over = document.end_marker().is_some_and(|marker| u32::from(marker.end()) <= self.offset);
            number = document.index() + usize::from(is_over);
        }
        number
    }

    /// The index of the first event at or after the cursor.
    pub(super) fn boundary(&self) -> usize {
        self.tree.events().partition_point(|event| event.start < self.offset)
    }

    /// The last token before an event.
    fn before(&self, boundary: usize) -> Option<(u32, &'t Event)> {
        self.last_before(boundary, |event| !event.kind.is_construct())
    }

    /// The last token before an event that is neither white space nor a comment.
    pub(super) fn significant_before(&self, boundary: usize) -> Option<(u32, &'t Event)> {
        self.last_before(boundary, |event| !event.kind.is_construct() && !event.kind.is_trivia())
    }

    fn last_before(&self, boundary: usize, is_wanted: impl Fn(&Event) -> bool) -> Option<(u32, &'t Event)> {
        let before = self.tree.events().get(..boundary)?;
        let index = before.iter().rposition(is_wanted)?;
        Some((u32::try_from(index).ok()?, before.get(index)?))
    }

    fn token_from(&self, boundary: usize) -> Option<(u32, &'t Event)> {
        let behind = self.tree.events().get(boundary..)?;
        let distance = behind.iter().position(|event| !event.kind.is_construct())?;
        Some((u32::try_from(boundary + distance).ok()?, behind.get(distance)?))
    }

    /// True when the cursor stands inside the token or at its end.
    fn touches(&self, event: &Event) -> bool {
        let is_open_end = event.kind != SyntaxKind::BlockBody
            || !self.tree.slice(event.start, event.end).ends_with(['\n', '\r']);
        event.start < self.offset && (self.offset < event.end || self.offset == event.end && is_open_end)
    }

    /// Where the line of an offset begins.
    pub(super) fn line_start(&self, offset: u32) -> u32 {
        let text = self.tree.text();
        let before = text.as_bytes().get(..offset as usize).unwrap_or_default();
        match memrchr2(b'\n', b'\r', before) {
            Some(line_break) => u32::try_from(line_break + 1).unwrap_or(offset),
            None if text.starts_with('\u{feff}') => offset.min(3),
            None => 0,
        }
    }

    /// The column of an offset, in bytes.
    pub(super) fn column(&self, offset: u32) -> usize {
        offset.saturating_sub(self.line_start(offset)) as usize
    }

    /// True when the token ends on the cursor's line.
    fn is_on_line(&self, event: &Event) -> bool {
        event.kind != SyntaxKind::BlockBody && event.end > self.line_start(self.offset)
    }

    /// True when nothing but white space stands before an offset on its line.
    pub(super) fn is_first_on_line(&self, offset: u32) -> bool {
        let lead = self.tree.slice(self.line_start(offset), offset);
        lead.bytes().all(|byte| matches!(byte, b' ' | b'\t'))
    }

    /// The cursor touches a scalar, an alias, or text that is no part of the structure.
    pub(super) fn at_text(&self, index: u32, event: &Event) -> Found {
        if event.kind == SyntaxKind::ErrorText {
            return self.at_error(index, event);
        }
        let trail = Trail::to(self.tree, index);
        let holder = trail.innermost(|level| {
            !matches!(level.kind, SyntaxKind::Properties | SyntaxKind::Literal | SyntaxKind::Folded)
        });
        let Some((level, kind)) = holder.and_then(|level| Some((level, trail.levels.get(level)?.kind)))
        else {
            return nothing();
        };
        let is_block_scalar = matches!(event.kind, SyntaxKind::BlockHeader | SyntaxKind::BlockBody);
        let content = if is_block_scalar {
            SyntaxNodeId(trail.levels.last().map_or(0, |level| level.event))
        } else {
            SyntaxNodeId(index)
        };
        let typed = self.typed(content);
        match kind {
            SyntaxKind::Entry | SyntaxKind::BareEntry if self.is_key(&trail, level, index) => {
                (trail.path_to(level), Place::Key(self.key_at(&trail, level, typed)))
            }
            SyntaxKind::Error => {
                self.by_indentation(self.significant_before(index as usize).map(|(before, _)| before), typed)
            }
            _ => {
                let value = self.scalar_at(&trail, level, content, typed);
                let may_open = event.kind == SyntaxKind::Plain
                    && self.may_be_first_key(kind, event)
                    && value.flow.is_none();
                let place = match may_open {
                    true => Place::Either { key: self.new_key(typed, Vec::new()), value },
                    false => Place::Value(value),
                };
                (trail.path, place)
            }
        }
    }

    /// True for a plain scalar that would become the first key of a mapping if a colon followed.
    fn may_be_first_key(&self, holder: SyntaxKind, event: &Event) -> bool {
        let is_one_line = !self.tree.slice(event.start, event.end).contains(['\n', '\r']);
        is_one_line && (holder == SyntaxKind::Item || self.is_first_on_line(event.start))
    }

    /// The cursor is at text that does not fit into the structure. A word on its own line may become a key or an item.
    fn at_error(&self, index: u32, event: &Event) -> Found {
        let text = self.tree.slice(event.start, event.end);
        let is_word = text.starts_with(|first: char| first.is_alphanumeric() || "_\"'".contains(first));
        if !is_word || text.contains(['\n', '\r']) || !self.is_first_on_line(event.start) {
            return nothing();
        }
        let before = self.significant_before(index as usize).map(|(before, _)| before);
        self.by_indentation(before, range_of(event))
    }

    /// The range of a scalar's content, without quotes. It reaches at least to the cursor.
    pub(super) fn typed(&self, content: SyntaxNodeId) -> TextRange {
        let node = SyntaxNode::new(self.tree, content.0);
        let range = node.range();
        let Some(scalar) = node.as_scalar() else { return range };
        let (start, end) = (u32::from(range.start()), u32::from(range.end()));
        match scalar.style() {
            ScalarStyle::Plain => range,
            ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => {
                let end = if is_closed(scalar) { end.saturating_sub(1) } else { end.max(self.offset) };
                TextRange::new((start + 1).into(), end.max(start + 1).into())
            }
            ScalarStyle::Literal | ScalarStyle::Folded => {
                let mut parts = Children::of(self.tree, content.0);
                match parts.find(|(_, event)| event.kind == SyntaxKind::BlockBody) {
                    Some((_, body)) => TextRange::new(body.start.into(), end.max(body.start).into()),
                    None => TextRange::empty(self.offset.into()),
                }
            }
        }
    }

    /// True when the token is the key of the entry at a level, or a part of it.
    fn is_key(&self, trail: &Trail<'t>, level: usize, index: u32) -> bool {
        let Some(entry) = trail.levels.get(level) else { return false };
        let mut parts = Children::of(self.tree, entry.event)
            .filter(|(_, event)| event.kind == SyntaxKind::Colon || event.kind.is_node());
        match parts.next() {
            Some((first, event)) if event.kind.is_node() => {
                index >= first
                    && (!event.kind.is_construct() && index == first
                        || event.kind.is_construct() && index < event.end)
            }
            _ => false,
        }
    }

    /// The place of the key of the entry at a level.
    fn key_at(&self, trail: &Trail<'t>, level: usize, typed: TextRange) -> KeyPlace {
        let entry = trail.levels.get(level).map_or(0, |level| level.event);
        let entry = Entry::new(self.tree, entry);
        let mapping = trail.node_id(level.saturating_sub(1));
        let key = entry.key();
        let start = key.map_or(typed.start(), |key| key.full_range().start());
        let flow = innermost_flow(trail);
        KeyPlace {
            mapping: Some(mapping),
            key: key.map(SyntaxNode::id),
            typed,
            siblings: self.siblings(mapping, key.map(SyntaxNode::id)),
            indent: self.column(start.into()),
            has_colon: entry.colon().is_some(),
            flow: flow.map(|flow| self.flow_around(flow, entry.range())),
        }
    }

    /// The place of a key that would begin a mapping.
    pub(super) fn new_key(&self, typed: TextRange, siblings: Vec<Sibling>) -> KeyPlace {
        let indent = self.column(typed.start().into());
        KeyPlace { mapping: None, key: None, typed, siblings, indent, has_colon: false, flow: None }
    }

    /// The place of a new key in a block mapping.
    pub(super) fn key_in(&self, mapping: SyntaxNodeId, typed: TextRange, indent: usize) -> KeyPlace {
        let siblings = self.siblings(mapping, None);
        KeyPlace { mapping: Some(mapping), key: None, typed, siblings, indent, has_colon: false, flow: None }
    }

    fn siblings(&self, mapping: SyntaxNodeId, but: Option<SyntaxNodeId>) -> Vec<Sibling> {
        let Some(mapping) = SyntaxNode::new(self.tree, mapping.0).as_mapping() else { return Vec::new() };
        let keys = mapping.entries().filter_map(Entry::key).filter(|key| Some(key.id()) != but);
        keys.map(|key| Sibling { text: key_text(key).into_owned(), range: key.range() }).collect()
    }

    /// The place of the scalar or alias that the cursor touches.
    pub(super) fn scalar_at(
        &self,
        trail: &Trail<'t>,
        level: usize,
        content: SyntaxNodeId,
        typed: TextRange,
    ) -> ValuePlace {
        let holder = trail.levels.get(level).map_or(SyntaxKind::Document, |level| level.kind);
        let node = self.with_properties(trail, content);
        let scalar = SyntaxNode::new(self.tree, content.0).as_scalar();
        let range = SyntaxNode::new(self.tree, node.0).full_range();
        ValuePlace {
            node: Some(node),
            style: scalar.map(Scalar::style),
            cooked_offset: scalar.and_then(|scalar| self.cooked_offset(scalar, typed)),
            after_dash: holder == SyntaxKind::Item,
            key: self.key_of_step(trail.path.last()),
            flow: innermost_flow(trail).map(|flow| self.flow_around(flow, range)),
            ..self.empty_value(typed)
        }
    }

    /// The node with the scalar's anchor or tag, if it has one; else the scalar itself.
    fn with_properties(&self, trail: &Trail<'t>, content: SyntaxNodeId) -> SyntaxNodeId {
        let is_wrapper = |kind: SyntaxKind| {
            matches!(kind, SyntaxKind::Properties | SyntaxKind::Literal | SyntaxKind::Folded)
        };
        let inside = trail.levels.iter().rev().take_while(|level| is_wrapper(level.kind));
        inside.last().map_or(content, |level| SyntaxNodeId(level.event))
    }

    pub(super) fn key_of_step(&self, step: Option<&TreeStep>) -> Option<TextRange> {
        match step {
            Some(TreeStep::Key { range, .. }) => Some(*range),
            _ => None,
        }
    }

    pub(super) fn empty_value(&self, typed: TextRange) -> ValuePlace {
        ValuePlace {
            key: None,
            node: None,
            style: None,
            typed,
            cooked_offset: None,
            after_dash: false,
            needs_dash: false,
            needs_space: false,
            flow: None,
        }
    }

    fn cooked_offset(&self, scalar: Scalar<'t>, typed: TextRange) -> Option<usize> {
        let offset = TextSize::from(self.offset);
        let is_quoted = matches!(scalar.style(), ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted);
        let is_outside = is_quoted && (offset < typed.start() || offset > typed.end());
        let is_header =
            matches!(scalar.style(), ScalarStyle::Literal | ScalarStyle::Folded) && offset < typed.start();
        (!is_outside && !is_header).then(|| scalar.cooked_with_map().cooked_offset(offset))
    }

    /// The commas that are missing around a range inside a flow collection.
    fn flow_around(&self, collection: u32, range: TextRange) -> FlowPlace {
        let events = self.tree.events();
        let last = u32::from(range.end()).max(self.offset);
        let start = events.partition_point(|event| event.start < u32::from(range.start()));
        let end = events.partition_point(|event| event.start < last);
        let before = self.significant_before(start).map(|(_, event)| event.kind);
        let inside = self.tree.event(collection).map_or(end, |flow| (flow.end as usize).max(end));
        let mut behind = events.get(end..inside).unwrap_or_default().iter();
        let behind = behind.find(|event| !event.kind.is_construct() && !event.kind.is_trivia());
        FlowPlace {
            needs_comma_before: !matches!(
                before,
                None | Some(
                    SyntaxKind::Comma | SyntaxKind::Opener | SyntaxKind::Colon | SyntaxKind::Question
                )
            ),
            needs_comma_after: !matches!(
                behind.map(|event| event.kind),
                None | Some(SyntaxKind::Comma | SyntaxKind::Closer | SyntaxKind::Colon)
            ),
        }
    }

    /// The cursor stands behind a token on its line, and touches no text.
    fn behind_token(&self, index: u32, event: &Event) -> Found {
        let trail = Trail::to(self.tree, index);
        let here = TextRange::empty(self.offset.into());
        match event.kind {
            SyntaxKind::Colon => self.behind_colon(&trail, event),
            SyntaxKind::Dash => self.behind_dash(&trail, event),
            SyntaxKind::Opener | SyntaxKind::Comma => self.new_element(&trail, index),
            SyntaxKind::Plain => self.at_text(index, event),
            SyntaxKind::SingleQuoted | SyntaxKind::DoubleQuoted if !self.is_closed_token(index) => {
                self.at_text(index, event)
            }
            SyntaxKind::BlockHeader => self.at_text(index, event),
            SyntaxKind::Anchor | SyntaxKind::Tag => self.behind_property(&trail, index),
            SyntaxKind::Question => match trail.innermost(|level| level.kind == SyntaxKind::Entry) {
                Some(entry) => {
                    let mapping = trail.node_id(entry.saturating_sub(1));
                    let key = self.key_in(mapping, here, self.column(self.offset));
                    (trail.path_to(entry), Place::Key(key))
                }
                None => nothing(),
            },
            SyntaxKind::DocumentStart => {
                let root = self.tree.documents().nth(self.document()).and_then(|document| document.root());
                let value = ValuePlace { node: root.map(SyntaxNode::id), ..self.empty_value(here) };
                (Vec::new(), Place::Value(value))
            }
            _ => nothing(),
        }
    }

    fn is_closed_token(&self, index: u32) -> bool {
        SyntaxNode::new(self.tree, index).as_scalar().is_none_or(is_closed)
    }

    fn behind_colon(&self, trail: &Trail<'t>, colon: &Event) -> Found {
        let Some(level) =
            trail.innermost(|level| matches!(level.kind, SyntaxKind::Entry | SyntaxKind::BareEntry))
        else {
            return nothing();
        };
        self.value_of_entry(trail, level, colon.end == self.offset)
    }

    /// The value of the entry at a level, where the cursor does not touch it.
    pub(super) fn value_of_entry(&self, trail: &Trail<'t>, level: usize, needs_space: bool) -> Found {
        let here = TextRange::empty(self.offset.into());
        let entry = Entry::new(self.tree, trail.levels.get(level).map_or(0, |level| level.event));
        let mut path = trail.path_to(level);
        path.extend(trail.key_step(level));
        let value = ValuePlace {
            key: self.key_of_step(path.last()),
            node: entry.value().map(SyntaxNode::id),
            needs_space,
            flow: innermost_flow(trail).map(|flow| self.flow_around(flow, here)),
            ..self.empty_value(here)
        };
        (path, Place::Value(value))
    }

    fn behind_dash(&self, trail: &Trail<'t>, dash: &Event) -> Found {
        let here = TextRange::empty(self.offset.into());
        let Some(level) = trail.innermost(|level| level.kind == SyntaxKind::Item) else { return nothing() };
        let mut path = trail.path_to(level);
        path.extend(trail.item_step(level));
        let item = trail.levels.get(level).map_or(0, |level| level.event);
        let node = Children::of(self.tree, item).find(|(_, event)| event.kind.is_node());
        let node = node.map(|(index, _)| SyntaxNode::new(self.tree, index));
        if let Some(mapping) = node.and_then(SyntaxNode::as_mapping).filter(|mapping| !mapping.is_flow()) {
            let indent = self.column(mapping.range().start().into());
            return (path, Place::Key(self.key_in(mapping.node().id(), here, indent)));
        }
        let needs_space = dash.end == self.offset;
        let value = ValuePlace {
            node: node.map(SyntaxNode::id),
            after_dash: true,
            needs_space,
            ..self.empty_value(here)
        };
        let place = match node {
            None => Place::Either { key: self.new_key(here, Vec::new()), value },
            Some(_) => Place::Value(value),
        };
        (path, place)
    }

    /// The cursor stands behind an anchor or a tag: the node that they belong to.
    fn behind_property(&self, trail: &Trail<'t>, index: u32) -> Found {
        let here = TextRange::empty(self.offset.into());
        let Some(level) = trail.innermost(|level| level.kind != SyntaxKind::Properties) else {
            return nothing();
        };
        match trail.levels.get(level).map(|level| level.kind) {
            Some(SyntaxKind::Entry | SyntaxKind::BareEntry) if self.is_key(trail, level, index) => nothing(),
            Some(SyntaxKind::Entry | SyntaxKind::BareEntry) => self.value_of_entry(trail, level, false),
            Some(kind @ (SyntaxKind::Item | SyntaxKind::FlowSeq | SyntaxKind::Document)) => {
                let node = trail.node_id(level + 1);
                let is_item = kind == SyntaxKind::Item;
                let flow = innermost_flow(trail).map(|flow| self.flow_around(flow, here));
                let value =
                    ValuePlace { node: Some(node), after_dash: is_item, flow, ..self.empty_value(here) };
                (trail.path.clone(), Place::Value(value))
            }
            _ => nothing(),
        }
    }

    /// A new element of the innermost flow collection that is open behind a token.
    pub(super) fn new_element(&self, trail: &Trail<'t>, before: u32) -> Found {
        let here = TextRange::empty(self.offset.into());
        let Some(level) = self.open_flow(trail, before) else { return nothing() };
        let mut path = trail.path_to(level);
        let collection = trail.node_id(level);
        let Some(found) = trail.levels.get(level) else { return nothing() };
        let flow = Some(self.flow_around(found.event, here));
        if found.kind == SyntaxKind::FlowMap {
            let key = KeyPlace { flow, ..self.key_in(collection, here, self.column(self.offset)) };
            return (path, Place::Key(key));
        }
        let elements = Children::of(self.tree, found.event).take_while(|&(index, _)| index <= before);
        let index = elements.filter(|(_, event)| event.kind.is_node()).count();
        path.push(TreeStep::Item { index, sequence: collection });
        let value = ValuePlace { flow, ..self.empty_value(here) };
        (path, Place::Value(value))
    }

    /// The innermost flow collection around a token that is not closed by it or before it.
    pub(super) fn open_flow(&self, trail: &Trail<'t>, before: u32) -> Option<usize> {
        trail.innermost(|level| {
            let is_flow = matches!(level.kind, SyntaxKind::FlowMap | SyntaxKind::FlowSeq);
            is_flow && self.closer(level.event).is_none_or(|closer| closer > before)
        })
    }

    /// The closing bracket of a flow collection.
    pub(super) fn closer(&self, collection: u32) -> Option<u32> {
        let last = self.tree.event(collection)?.end.checked_sub(1)?;
        (self.tree.event(last)?.kind == SyntaxKind::Closer).then_some(last)
    }

    /// True for a node that has content.
    pub(super) fn is_filled(node: SyntaxNode<'t>) -> bool {
        node.kind() != SyntaxNodeKind::Empty
    }
}

pub(super) fn nothing() -> Found {
    (Vec::new(), Place::Nothing)
}

pub(super) fn range_of(event: &Event) -> TextRange {
    TextRange::new(event.start.into(), event.end.into())
}

/// The innermost flow collection around a token.
fn innermost_flow(trail: &Trail<'_>) -> Option<u32> {
    let level = trail.innermost(|level| matches!(level.kind, SyntaxKind::FlowMap | SyntaxKind::FlowSeq))?;
    trail.levels.get(level).map(|level| level.event)
}

/// True for tokens that hold a text: a cursor at either end touches them.
fn is_text(kind: SyntaxKind) -> bool {
    matches!(
        kind,
        SyntaxKind::Plain
            | SyntaxKind::SingleQuoted
            | SyntaxKind::DoubleQuoted
            | SyntaxKind::Alias
            | SyntaxKind::BlockHeader
            | SyntaxKind::BlockBody
            | SyntaxKind::ErrorText
    )
}

/// True for a scalar that has its closing quote, or needs none.
fn is_closed(scalar: Scalar<'_>) -> bool {
    let raw = scalar.raw();
    let quote = match scalar.style() {
        ScalarStyle::SingleQuoted => '\'',
        ScalarStyle::DoubleQuoted => '"',
        _ => return true,
    };
    crate::cook::is_closed(raw, quote)
}

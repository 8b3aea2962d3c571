//! Block structure: nodes by indentation, mappings and their entries, sequences and their items.
//!
//! Input: the parser behind an indicator (or at a document's start). Output: the node's events. Invariant: a
//! collection at column c with parent indentation n reads lines deeper than n alone, and each of its rounds
//! consumes at least one byte.

use super::properties::Seen;
use super::scalar::deeper;
use super::{DEPTH_LIMIT, Frame, Parser};
use crate::event::SyntaxKind;
use crate::problem::ProblemKind;

/// The token or place that a node follows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum NodeContext {
    /// The start of a document without `---`.
    Document,
    /// `---`.
    ExplicitDocument,
    /// `-`.
    Item,
    /// The colon of an implicit key.
    Value,
    /// `?`, or the colon that belongs to it.
    Explicit,
}

impl NodeContext {
    /// True when a block collection may begin on the same line.
    fn is_compact(self) -> bool {
        matches!(self, NodeContext::Document | NodeContext::Item | NodeContext::Explicit)
    }

    /// True when a sequence may have the same indentation as its parent.
    fn holds_flat_sequence(self) -> bool {
        matches!(self, NodeContext::Value | NodeContext::Explicit)
    }
}

/// What a scalar, an alias or a flow collection may become.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum NodePlace {
    /// The key of an entry.
    Key,
    /// A value, or the first key of a mapping.
    ValueOrKey,
    Value,
}

impl NodePlace {
    fn of(may_open: bool) -> NodePlace {
        if may_open { NodePlace::ValueOrKey } else { NodePlace::Value }
    }
}

/// What the next line means for the collection that is being read.
pub(super) enum Step {
    End,
    /// An entry or an item.
    Member,
    /// Something that does not fit into the collection. It is kept inside as an error.
    Stray,
}

impl Parser<'_> {
    /// Reads the node after an indicator, if there is one.
    pub(super) fn block_node(&mut self, parent: isize, place: NodeContext) {
        if self.depth >= DEPTH_LIMIT {
            self.too_deep(parent);
            return;
        }
        self.depth += 1;
        let mut wrapper = None;
        let mut seen = Seen::default();
        let mut may_open = place.is_compact();
        while self.starts_node(parent, place) {
            may_open |= self.fresh;
            if self.fresh && self.tab && !deeper(self.indentation, parent) {
                self.tab_problem();
            }
            let mark = self.mark();
            let mut own = Seen::default();
            if self.at_property() {
                self.properties(&mut own);
                let goes_on = self.fresh || self.at_end();
                if goes_on || self.at_indicator(b'-') || self.at_indicator(b'?') {
                    if !goes_on {
                        self.problem(ProblemKind::MisplacedProperty, self.position, self.position + 1);
                    }
                    self.merge_properties(&mut wrapper, &mut seen, own, mark);
                    continue;
                }
            }
            let is_key = self.content(parent, mark, may_open, own.anchor || own.tag);
            let is_alias = self.events.get(mark).is_some_and(|first| first.kind == SyntaxKind::Alias);
            if is_alias && (seen.anchor || seen.tag) {
                self.problem_at_event(ProblemKind::PropertyOnAlias, mark);
            }
            if !is_key && (own.anchor || own.tag) {
                self.merge_properties(&mut wrapper, &mut seen, own, mark);
            }
            break;
        }
        if let Some(index) = wrapper {
            self.close(index);
        }
        self.depth -= 1;
    }

    /// Assigns the properties read since `mark` to the node. The wrapper of the node is opened at the first of them.
    fn merge_properties(&mut self, wrapper: &mut Option<usize>, seen: &mut Seen, own: Seen, mark: usize) {
        let at = self.events.get(mark).map_or(self.position, |first| first.start as usize);
        if seen.anchor && own.anchor {
            self.problem(ProblemKind::SecondAnchor, at, at + 1);
        }
        if seen.tag && own.tag {
            self.problem(ProblemKind::SecondTag, at, at + 1);
        }
        seen.anchor |= own.anchor;
        seen.tag |= own.tag;
        if wrapper.is_none() {
            *wrapper = Some(self.open_before(mark, SyntaxKind::Properties));
        }
    }

    /// True when the next content belongs to the node after an indicator, in a collection at `parent`.
    fn starts_node(&mut self, parent: isize, place: NodeContext) -> bool {
        loop {
            if self.at_end() {
                return false;
            }
            if !self.fresh {
                return true;
            }
            if self.at_marker() {
                if !self.is_marker_garbage(parent) {
                    return false;
                }
                self.error_line();
                continue;
            }
            let is_flat_sequence =
                place.holds_flat_sequence() && self.at_indicator(b'-') && self.is_at(parent);
            if is_flat_sequence || deeper(self.column, parent) {
                return true;
            }
            if !self.odd_line_before_child(parent, place) {
                return false;
            }
            self.error_line();
        }
    }

    fn is_at(&self, parent: isize) -> bool {
        !deeper(self.column, parent) && deeper(self.column, parent - 1)
    }

    /// Reads the content of a node. Returns whether its properties (if any) belong to the first key of a mapping.
    fn content(&mut self, parent: isize, mark: usize, may_open: bool, has_properties: bool) -> bool {
        let column = self.mark_column(mark);
        let was_fresh = self.fresh || has_properties;
        if self.at_indicator(b'-') {
            self.check_opening(may_open, ProblemKind::SequenceNotAllowed);
            self.block_sequence(parent, self.column);
            return false;
        }
        if self.at_indicator(b'?') || self.at_indicator(b':') {
            self.check_opening(may_open, ProblemKind::MappingNotAllowed);
            let key = has_properties.then_some(mark);
            let map = self.open_map(mark, key);
            self.block_map(parent, column, map);
            return true;
        }
        let line = self.line_start;
        let start_tab = self.tab;
        self.simple_node(parent, NodePlace::of(may_open), has_properties);
        if self.at_value_colon() {
            if may_open {
                if start_tab {
                    self.tab_problem();
                }
                self.check_key_line(line, mark);
                let key = has_properties.then_some(mark);
                let map = self.open_map(mark, key);
                self.block_map(parent, column, map);
                return true;
            }
            self.mapping_on_key_line();
        }
        let ends_line = self.fresh || self.at_end();
        if ends_line && may_open && was_fresh && self.bare_key_precedes(parent, mark, column) {
            let map = self.first_bare_entry(mark, has_properties);
            self.frames.push(Frame { column, is_sequence: false });
            self.map_rounds(parent, column, map);
            return true;
        }
        if !ends_line {
            self.junk_line();
        }
        false
    }

    /// The column of the event at `mark`, which must be on the current line.
    fn mark_column(&self, mark: usize) -> usize {
        match self.events.get(mark) {
            Some(first) => (first.start as usize).saturating_sub(self.line_start),
            None => self.column,
        }
    }

    fn check_opening(&mut self, may_open: bool, kind: ProblemKind) {
        if !may_open {
            self.problem(kind, self.position, self.position + 1);
        } else if self.tab {
            self.tab_problem();
        }
    }

    /// Opens a mapping and its first entry before the key at `mark`. `wrapped` is the event at which the properties of
    /// the key begin, if it has any.
    pub(super) fn open_map(&mut self, mark: usize, wrapped: Option<usize>) -> usize {
        if let Some(properties) = wrapped {
            let key = self.open_before(properties, SyntaxKind::Properties);
            self.close(key);
        }
        if mark == self.events.len() {
            let map = self.open(SyntaxKind::BlockMap);
            self.open(SyntaxKind::Entry);
            return map;
        }
        self.open_before(mark, SyntaxKind::Entry);
        self.open_before(mark, SyntaxKind::BlockMap)
    }

    /// True on a colon that ends the implicit key just read.
    pub(super) fn at_value_colon(&self) -> bool {
        !self.fresh && self.at_indicator(b':')
    }

    /// Reads a mapping. Its first entry is already open, up to its colon (or its `?`).
    fn block_map(&mut self, parent: isize, column: usize, map: usize) {
        self.frames.push(Frame { column, is_sequence: false });
        self.entry_rest(map + 1, column);
        self.map_rounds(parent, column, map);
    }

    /// Reads the entries after the first one. The mapping's frame must already exist.
    fn map_rounds(&mut self, parent: isize, column: usize, map: usize) {
        let mut entry = map + 1;
        loop {
            match self.map_step(parent, column) {
                Step::End => break,
                Step::Member => entry = self.map_entry(self.column.max(column)),
                Step::Stray => self.stray_item(entry, column),
            }
        }
        self.frames.pop();
        self.close(map);
        self.check_keys(map);
    }

    /// Reads one entry of a mapping, and returns the index of its event. Its value must be deeper than `column`.
    fn map_entry(&mut self, column: usize) -> usize {
        if self.tab {
            self.tab_problem();
        }
        let entry = self.open(SyntaxKind::Entry);
        if self.at_indicator(b'?') || self.at_indicator(b':') {
            self.entry_rest(entry, column);
            return entry;
        }
        let mark = self.mark();
        let mut seen = Seen::default();
        if self.at_property() {
            self.properties(&mut seen);
        }
        let has_properties = seen.anchor || seen.tag;
        let line = self.line_start;
        if has_properties && (self.fresh || self.at_end()) {
            self.problem_at_event(ProblemKind::MisplacedProperty, mark);
            let key = self.open_before(mark, SyntaxKind::Properties);
            self.close(key);
            self.set_kind(entry, SyntaxKind::BareEntry);
            self.close(entry);
            return entry;
        }
        if !(has_properties && self.at_indicator(b':')) {
            self.simple_node(self.key_parent(column), NodePlace::Key, has_properties);
        }
        if has_properties {
            let key = self.open_before(mark, SyntaxKind::Properties);
            self.close(key);
        }
        if self.at_value_colon() {
            self.check_key_line(line, mark);
            self.entry_rest(entry, column);
        } else {
            self.bare_entry(entry, mark, column, line);
        }
        entry
    }

    fn key_parent(&self, column: usize) -> isize {
        isize::try_from(column).unwrap_or(isize::MAX)
    }

    /// Reads an entry from its `?` or its colon on.
    fn entry_rest(&mut self, entry: usize, column: usize) {
        let indentation = self.key_parent(column);
        if self.at_indicator(b'?') {
            self.token(SyntaxKind::Question, self.position + 1);
            self.block_node(indentation, NodeContext::Explicit);
            let has_value = self.fresh && self.column == column && self.at_indicator(b':') && !self.tab;
            if has_value {
                self.token(SyntaxKind::Colon, self.position + 1);
                self.block_node(indentation, NodeContext::Explicit);
            }
        } else {
            self.token(SyntaxKind::Colon, self.position + 1);
            self.block_node(indentation, NodeContext::Value);
        }
        self.close(entry);
    }

    /// Reads a sequence. The parser must be at its first dash.
    pub(super) fn block_sequence(&mut self, parent: isize, column: usize) {
        let sequence = self.open(SyntaxKind::BlockSeq);
        self.frames.push(Frame { column, is_sequence: true });
        self.sequence_item();
        loop {
            match self.sequence_step(parent, column) {
                Step::End => break,
                Step::Member => {
                    if self.tab {
                        self.tab_problem();
                    }
                    self.sequence_item();
                }
                Step::Stray => self.stray_line(),
            }
        }
        self.frames.pop();
        self.close(sequence);
    }

    fn sequence_item(&mut self) {
        let indentation = self.key_parent(self.column);
        let item = self.open(SyntaxKind::Item);
        self.token(SyntaxKind::Dash, self.position + 1);
        self.block_node(indentation, NodeContext::Item);
        self.close(item);
    }

    /// Reads a scalar, an alias or a flow collection.
    pub(super) fn simple_node(&mut self, parent: isize, place: NodePlace, has_properties: bool) {
        let is_key = place == NodePlace::Key;
        match self.byte() {
            Some(b'"' | b'\'') => self.quoted(parent, place != NodePlace::Value),
            Some(b'[' | b'{') => self.flow_collection(parent),
            Some(b'*') => {
                if has_properties {
                    let end = self.name_end(self.position);
                    self.problem(ProblemKind::PropertyOnAlias, self.position, end);
                }
                self.alias();
            }
            Some(b'|' | b'>') if !is_key && !self.is_key_line(self.position) => self.block_scalar(parent),
            _ => self.plain(parent, is_key),
        }
    }

    /// Reports a key that is not on one line, or is longer than 1,024 characters.
    fn check_key_line(&mut self, line: usize, mark: usize) {
        if self.line_start != line {
            self.problem_at_event(ProblemKind::MultilineKey, mark);
            return;
        }
        let start = self.events.get(mark).map_or(self.position, |first| first.start as usize);
        self.check_key_length(start);
    }

    pub(super) fn check_key_length(&mut self, start: usize) {
        const LIMIT: usize = 1024;
        if self.position - start > LIMIT {
            let key = self.text.get(start..self.position).unwrap_or_default();
            if key.chars().count() > LIMIT {
                self.problem(ProblemKind::LongKey, start, self.position);
            }
        }
    }
}

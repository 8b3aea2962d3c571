//! Recovery: which collection an odd line belongs to, and how it is kept.
//!
//! Input: the parser at the head of a line that fits nowhere. Output: error events inside the collection that
//! continues after the line. Invariant: a valid text takes none of these paths, and each call consumes at least
//! one byte (questions excepted).

use super::block::{NodeContext, Step};
use super::cursor::event;
use super::scalar::deeper;
use super::{Frame, Parser};
use crate::event::SyntaxKind;
use crate::problem::{Problem, ProblemKind};

/// A line that interrupts a collection.
#[derive(Clone, Copy)]
pub(super) enum OddLine {
    Word,
    /// A key with its complete value on the same line.
    Entry,
}

impl Parser<'_> {
    /// What the next line means for a mapping at `column`.
    pub(super) fn map_step(&mut self, parent: isize, column: usize) -> Step {
        loop {
            if !self.reach_line() {
                return Step::End;
            }
            if self.at_marker() {
                if self.is_marker_garbage(parent) {
                    self.error_line();
                    continue;
                }
                return Step::End;
            }
            let is_item = self.at_indicator(b'-');
            if self.column == column && !is_item {
                return Step::Member;
            }
            if !deeper(self.column, parent) {
                match self.odd_line(column, false) {
                    Some(OddLine::Word) => self.bare_line(),
                    Some(OddLine::Entry) => {
                        self.line_problem(ProblemKind::BadIndentation);
                        return Step::Member;
                    }
                    None => return Step::End,
                }
                continue;
            }
            if is_item {
                return if self.sequence_takes_item(column) { Step::End } else { Step::Stray };
            }
            self.line_problem(ProblemKind::BadIndentation);
            return Step::Member;
        }
    }

    /// What the next line means for a sequence at `column`.
    pub(super) fn sequence_step(&mut self, parent: isize, column: usize) -> Step {
        loop {
            if !self.reach_line() {
                return Step::End;
            }
            if self.at_marker() {
                if self.is_marker_garbage(parent) {
                    self.error_line();
                    continue;
                }
                return Step::End;
            }
            let is_item = self.at_indicator(b'-');
            if is_item && self.column == column {
                return Step::Member;
            }
            if !deeper(self.column, parent) {
                match self.odd_line(column, true) {
                    Some(OddLine::Word) => self.bare_line(),
                    Some(OddLine::Entry) => self.error_line(),
                    None => return Step::End,
                }
                continue;
            }
            if is_item {
                self.line_problem(ProblemKind::BadIndentation);
                return Step::Member;
            }
            if self.column == column && self.byte() == Some(b'-') {
                self.named_problem(ProblemKind::MissingSpace, self.position, self.position + 1);
                return Step::Member;
            }
            return Step::Stray;
        }
    }

    /// Skips text after a complete value. Returns false at the end of the text.
    fn reach_line(&mut self) -> bool {
        while !self.at_end() && !self.fresh {
            self.junk_line();
        }
        !self.at_end()
    }

    /// True when an item at the current column belongs to a sequence around the mapping at `column`.
    fn sequence_takes_item(&self, column: usize) -> bool {
        let Some((_, outer)) = self.frames.split_last() else { return false };
        match outer.last() {
            Some(&Frame { column: outer_column, is_sequence: true }) => {
                self.column == outer_column || self.column < column || self.tab
            }
            _ => false,
        }
    }

    /// What the current line is, if it interrupts the collection at `column`: the line after it continues that
    /// collection, and cannot continue anything else.
    fn odd_line(&mut self, column: usize, is_sequence: bool) -> Option<OddLine> {
        let odd = self.odd_candidate()?;
        let (content, next_column) = self.next_line()?;
        let is_item = self.byte_at(content) == Some(b'-') && self.is_blank_at(content + 1);
        let fits = if is_sequence { is_item } else { !is_item && self.is_key_line(content) };
        (next_column == column && fits && self.is_apart(&odd, content, is_item)).then_some(odd)
    }

    /// True when the current line interrupts a key and its deeper lines.
    pub(super) fn odd_line_before_child(&mut self, parent: isize, place: NodeContext) -> bool {
        const CLEARLY_DEEPER: usize = 2;
        if place != NodeContext::Value {
            return false;
        }
        let Some(odd) = self.odd_candidate() else { return false };
        let Some((content, next_column)) = self.next_line() else { return false };
        let is_item = self.byte_at(content) == Some(b'-') && self.is_blank_at(content + 1);
        let is_deeper = match odd {
            OddLine::Word => deeper(next_column, parent),
            OddLine::Entry => next_column >= self.column + CLEARLY_DEEPER,
        };
        is_deeper && self.is_structure(content) && self.is_apart(&odd, content, is_item)
    }

    /// What the current line is, if it interrupts a collection. The result is cached, because each collection that
    /// ends here asks.
    fn odd_candidate(&mut self) -> Option<OddLine> {
        if self.candidate.0 != self.position {
            self.candidate = (self.position, self.find_odd_candidate());
        }
        self.candidate.1
    }

    fn find_odd_candidate(&mut self) -> Option<OddLine> {
        if self.at_indicator(b'-') || self.at_indicator(b'?') || self.at_indicator(b':') {
            return None;
        }
        if self.is_bare_word() {
            return Some(OddLine::Word);
        }
        self.inline_value(self.position).map(|_| OddLine::Entry)
    }

    /// False when the line at `content` could continue the plain value of the odd line.
    fn is_apart(&self, odd: &OddLine, content: usize, is_item: bool) -> bool {
        let is_plain = match odd {
            OddLine::Word => false,
            OddLine::Entry => self
                .inline_value(self.position)
                .and_then(|value| self.byte_at(value))
                .is_some_and(|first| !matches!(first, b'"' | b'\'' | b'[' | b'{')),
        };
        let behind_dash = if is_item { self.after_blanks(content + 1) } else { content };
        !is_plain || self.is_key_line(behind_dash)
    }

    /// True for a `---` line with invalid text after it, if the next line continues a collection.
    pub(super) fn is_marker_garbage(&mut self, parent: isize) -> bool {
        let rest = self.after_blanks(self.position + 3);
        if parent < 0 && self.frames.is_empty() || self.byte() != Some(b'-') || !self.is_key_line(rest) {
            return false;
        }
        let Some((content, column)) = self.next_line() else { return false };
        column > 0 && self.frames.iter().any(|frame| frame.column == column) && self.is_structure(content)
    }

    fn is_bare_word(&mut self) -> bool {
        let position = self.position;
        if self.key_line.0 != position {
            self.key_line = (position, self.is_key_line(position));
        }
        let is_indicator = matches!(self.byte(), Some(b'-' | b'?' | b':')) && self.is_blank_at(position + 1);
        !self.key_line.1 && !is_indicator
    }

    /// The position and the column of the first content after the current line.
    fn next_line(&self) -> Option<(usize, usize)> {
        let mut line = self.after_break(self.line_end(self.position));
        loop {
            let content = self.after_blanks(line);
            match self.byte_at(content)? {
                b'\n' | b'\r' => line = self.after_break(content),
                b'#' => line = self.after_break(self.line_end(content)),
                _ => return Some((content, content - line)),
            }
        }
    }

    /// Reads a bare word as a separate entry of the collection around it.
    fn bare_line(&mut self) {
        let end = self.content_end(self.position);
        self.named_problem(ProblemKind::MissingColon, self.position, end);
        let entry = self.open(SyntaxKind::BareEntry);
        self.token(SyntaxKind::Plain, end);
        self.close(entry);
        while !self.fresh && !self.at_end() {
            self.junk_line();
        }
    }

    /// True when the scalar before is alone on its line and the next line is a key at the same column. The scalar is
    /// then a key whose colon is missing.
    pub(super) fn bare_key_precedes(&mut self, parent: isize, mark: usize, column: usize) -> bool {
        let is_scalar = matches!(
            self.last_kind(),
            Some(SyntaxKind::Plain | SyntaxKind::SingleQuoted | SyntaxKind::DoubleQuoted)
        );
        let is_beside =
            !self.at_end() && self.column == column && deeper(column, parent) && !self.at_marker();
        if !is_scalar || !is_beside || self.at_indicator(b'-') || !self.is_key_line(self.position) {
            return false;
        }
        let Some(last) = self.events.last() else { return false };
        let scalar = self.text.get(last.start as usize..last.end as usize).unwrap_or_default();
        self.events.get(mark).is_some() && !scalar.contains(['\n', '\r'])
    }

    pub(super) fn missing_colon(&mut self, mark: usize) {
        let Some(first) = self.events.get(mark) else { return };
        let start = first.start as usize;
        let end = self.events.last().map_or(start, |last| last.end as usize);
        self.named_problem(ProblemKind::MissingColon, start, end);
    }

    /// Reads the rest of an entry whose key has no colon. The key stays, and deeper lines are its value.
    pub(super) fn bare_entry(&mut self, entry: usize, mark: usize, column: usize, line: usize) {
        if self.split_at_colon(mark) {
            self.line_start = line;
            self.token(SyntaxKind::Colon, self.position + 1);
            if !self.fresh && self.has_deeper_structure(column) {
                self.error_line();
            }
            self.block_node(isize::try_from(column).unwrap_or(isize::MAX), NodeContext::Value);
            self.close(entry);
            return;
        }
        self.missing_colon(mark);
        self.set_kind(entry, SyntaxKind::BareEntry);
        while !self.fresh && !self.at_end() {
            self.junk_line();
        }
        if self.fresh && !self.at_end() {
            self.block_node(isize::try_from(column).unwrap_or(isize::MAX), NodeContext::Value);
        }
        self.close(entry);
    }

    /// True when a collection that is deeper than `column` begins on the next line.
    fn has_deeper_structure(&self, column: usize) -> bool {
        self.next_line()
            .is_some_and(|(content, next_column)| next_column > column && self.is_structure(content))
    }

    /// Splits `name:value` where an entry is required: the key ends at the colon.
    fn split_at_colon(&mut self, mark: usize) -> bool {
        let is_alone = self.events.len() == mark + 1;
        let Some(last) = self.events.last().copied().filter(|last| is_alone && last.kind.is_node()) else {
            return false;
        };
        let (start, end) = (last.start as usize, last.end as usize);
        let is_quoted_key = last.kind != SyntaxKind::Plain && self.byte_at(end) == Some(b':');
        let inside = if last.kind == SyntaxKind::Plain { self.colon_inside(start, end) } else { None };
        let Some(colon) = inside.or(is_quoted_key.then_some(end)) else { return false };
        self.missing_space(start, colon);
        if let Some(key) = self.events.last_mut() {
            *key = event(key.kind, start, colon);
        }
        self.pending.clear();
        self.position = colon;
        self.fresh = false;
        true
    }

    /// The colon of `name:value` in a plain scalar. The colon of a URL does not count.
    fn colon_inside(&self, start: usize, end: usize) -> Option<usize> {
        let scalar = self.text.get(start..end)?;
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        let length = scalar.bytes().take_while(is_name).count();
        let value = scalar.get(length..)?.strip_prefix(':')?;
        (length > 0 && !value.starts_with("//")).then_some(start + length)
    }

    fn missing_space(&mut self, start: usize, colon: usize) {
        let name = self.text.get(start..colon).unwrap_or_default();
        let range = super::cursor::range(colon, colon + 1);
        self.problems.push(Problem::new(ProblemKind::MissingSpace, range).named(name));
    }

    /// The scalar that was just read becomes the first key of a mapping, although no colon and space follow it.
    pub(super) fn first_bare_entry(&mut self, mark: usize, has_properties: bool) -> usize {
        let last = self.events.last().copied().filter(|last| last.kind == SyntaxKind::Plain);
        let colon = last.and_then(|last| self.colon_inside(last.start as usize, last.end as usize));
        let (Some(last), Some(colon)) = (last, colon) else {
            self.missing_colon(mark);
            let map = self.open_map(mark, has_properties.then_some(mark));
            self.set_kind(map + 1, SyntaxKind::BareEntry);
            self.close(map + 1);
            return map;
        };
        let (start, end) = (last.start as usize, last.end as usize);
        self.missing_space(start, colon);
        self.events.pop();
        self.events.push(event(SyntaxKind::Plain, start, colon));
        let map = self.open_map(mark, has_properties.then_some(mark));
        self.events.push(event(SyntaxKind::Colon, colon, colon + 1));
        if end > colon + 1 {
            self.events.push(event(SyntaxKind::Plain, colon + 1, end));
        }
        self.close(map + 1);
        map
    }

    /// There is a second colon on the line of a key. A plain value takes the rest of the line.
    pub(super) fn mapping_on_key_line(&mut self) {
        self.problem(ProblemKind::MappingNotAllowed, self.position, self.position + 1);
        if self.last_kind() == Some(SyntaxKind::Plain)
            && self.pending.iter().all(|trivia| trivia.kind == SyntaxKind::Space)
        {
            self.extend_plain(self.position);
        }
    }

    /// Reads an item where a mapping expects an entry. If the item is deeper than the entry before it, it replaces
    /// that entry's scalar. Otherwise it is an error node.
    pub(super) fn stray_item(&mut self, entry: usize, column: usize) {
        self.line_problem(ProblemKind::ItemInMapping);
        let parent = isize::try_from(column).unwrap_or(isize::MAX);
        let last = self.events.len().saturating_sub(1);
        let is_scalar = matches!(
            self.last_kind(),
            Some(SyntaxKind::Plain | SyntaxKind::SingleQuoted | SyntaxKind::DoubleQuoted)
        );
        if self.column > column && is_scalar && last > entry + 1 && self.is_direct_value(entry, last) {
            self.set_kind(last, SyntaxKind::ErrorText);
            self.block_sequence(parent, self.column);
            self.close(entry);
            return;
        }
        let error = self.open(SyntaxKind::Error);
        self.block_sequence(parent.min(isize::try_from(self.column).unwrap_or(isize::MAX)) - 1, self.column);
        self.close(error);
    }

    /// True when the event at `last` is the value of the entry, and not part of a deeper node.
    fn is_direct_value(&self, entry: usize, last: usize) -> bool {
        let between = self.events.get(entry + 1..last).unwrap_or_default();
        between.iter().all(|event| !event.kind.is_construct())
    }

    /// Reads a line without a dash in a sequence. Its mapping or word becomes an error node.
    pub(super) fn stray_line(&mut self) {
        self.line_problem(ProblemKind::MissingDash);
        if self.is_bare_word() {
            self.error_text(self.content_end(self.position));
            return;
        }
        let parent = isize::try_from(self.column).unwrap_or(isize::MAX) - 1;
        let before = self.position;
        let error = self.open(SyntaxKind::Error);
        self.block_node(parent, NodeContext::Document);
        self.close(error);
        if self.position == before {
            self.error_line();
        }
    }

    /// Reads text after a complete value, up to the end of its line.
    pub(super) fn junk_line(&mut self) {
        let end = self.content_end(self.position);
        let kind = match self.byte() {
            Some(b']' | b'}') => ProblemKind::UnexpectedCloser,
            _ => ProblemKind::UnexpectedText,
        };
        self.named_problem(kind, self.position, end);
        self.error_text(end);
    }

    /// Makes the whole current line an error.
    pub(super) fn error_line(&mut self) {
        let end = self.content_end(self.position);
        self.named_problem(ProblemKind::UnexpectedText, self.position, end);
        self.error_text(end);
    }

    fn error_text(&mut self, end: usize) {
        self.token(SyntaxKind::ErrorText, end);
    }

    /// The end of the line's content. A comment after white space is not a part of it.
    fn content_end(&self, from: usize) -> usize {
        let line_end = self.line_end(from);
        let line = self.bytes.get(from..line_end).unwrap_or_default();
        let comment = line.windows(2).position(|pair| matches!(pair, [b' ' | b'\t', b'#']));
        self.trim_end(from, comment.map_or(line_end, |found| from + found))
            .max(from + 1)
            .min(line_end.max(from + 1))
    }

    /// Makes everything that belongs to the node after an indicator one error token.
    pub(super) fn too_deep(&mut self, parent: isize) {
        self.problem(ProblemKind::TooDeep, self.position, self.content_end(self.position));
        let mut end = self.position;
        let mut line = self.position;
        loop {
            let line_end = self.line_end(line);
            end = end.max(self.trim_end(line, line_end));
            line = self.after_break(line_end);
            let content = self.after_blanks(line);
            let is_blank = matches!(self.byte_at(content), Some(b'\n' | b'\r'));
            let goes_on = content < self.bytes.len() && (is_blank || deeper(content - line, parent));
            if line == line_end || !goes_on || self.is_marker_at(line) {
                break;
            }
        }
        if end > self.position {
            self.long_token(SyntaxKind::ErrorText, end);
        }
    }

    /// Reports the first tab on the line, once.
    pub(super) fn tab_problem(&mut self) {
        let line_start = self.line_start;
        let before = self.bytes.get(line_start..self.position).unwrap_or_default();
        let tab =
            before.iter().position(|&byte| byte == b'\t').map_or(line_start, |found| line_start + found);
        self.problem(ProblemKind::TabIndentation, tab, tab + 1);
    }

    fn line_problem(&mut self, kind: ProblemKind) {
        if self.tab {
            self.tab_problem();
        } else {
            self.problem(kind, self.position, self.content_end(self.position));
        }
    }

    pub(super) fn problem_at_event(&mut self, kind: ProblemKind, index: usize) {
        let Some(event) = self.events.get(index).copied() else { return };
        let end = if event.kind.is_construct() { event.start + 1 } else { event.end };
        self.problem(kind, event.start as usize, end as usize);
    }
}

//! The parser's place in the text: white space and comments, tokens, constructs.
//!
//! Input: the text's bytes. Output: events. Invariant: between two calls, every byte before `position` is
//! covered by a token of `events` or of `pending` (trivia whose owner is not known yet), and `position`
//! stands on content or at the end of the text.

use memchr::{memchr2, memrchr};
use text_size::{TextRange, TextSize};

use super::Parser;
use crate::event::{Event, SyntaxKind};
use crate::problem::{Problem, ProblemKind};

/// The width of a tab in an indentation, in columns. Tabs are an error there, but the parser still needs a column.
const TAB_WIDTH: usize = 4;

impl<'t> Parser<'t> {
    #[inline]
    pub(super) fn byte(&self) -> Option<u8> {
        self.bytes.get(self.position).copied()
    }

    #[inline]
    pub(super) fn byte_at(&self, position: usize) -> Option<u8> {
        self.bytes.get(position).copied()
    }

    #[inline]
    pub(super) fn at_end(&self) -> bool {
        self.position >= self.bytes.len()
    }

    /// True when `position` is the end of the text, a line break, a space or a tab.
    #[inline]
    pub(super) fn is_blank_at(&self, position: usize) -> bool {
        matches!(self.byte_at(position), None | Some(b' ' | b'\t' | b'\n' | b'\r'))
    }

    /// True when `indicator`, followed by white space, is at the current position.
    #[inline]
    pub(super) fn at_indicator(&self, indicator: u8) -> bool {
        self.byte() == Some(indicator) && self.is_blank_at(self.position + 1)
    }

    /// True on `---` or `...` at the head of a line.
    #[inline]
    pub(super) fn at_marker(&self) -> bool {
        self.position == self.line_start && self.is_marker_at(self.position)
    }

    pub(super) fn is_marker_at(&self, line_start: usize) -> bool {
        let head = self.bytes.get(line_start..line_start + 3);
        (head == Some(b"---") || head == Some(b"...")) && self.is_blank_at(line_start + 3)
    }

    /// The end of the line that contains `from`, without its line break.
    pub(super) fn line_end(&self, from: usize) -> usize {
        let rest = self.bytes.get(from..).unwrap_or_default();
        memchr2(b'\n', b'\r', rest).map_or(self.bytes.len(), |length| from + length)
    }

    /// The start of the line after the line break at `line_end`.
    pub(super) fn after_break(&self, line_end: usize) -> usize {
        match (self.byte_at(line_end), self.byte_at(line_end + 1)) {
            (Some(b'\r'), Some(b'\n')) => line_end + 2,
            (Some(_), _) => line_end + 1,
            (None, _) => line_end,
        }
    }

    /// The first position from `from` that is not a space.
    pub(super) fn after_spaces(&self, mut from: usize) -> usize {
        while self.byte_at(from) == Some(b' ') {
            from += 1;
        }
        from
    }

    /// The first position from `from` that is neither a space nor a tab.
    pub(super) fn after_blanks(&self, mut from: usize) -> usize {
        while matches!(self.byte_at(from), Some(b' ' | b'\t')) {
            from += 1;
        }
        from
    }

    /// The end of `from..to` without trailing spaces and tabs.
    pub(super) fn trim_end(&self, from: usize, mut to: usize) -> usize {
        while to > from && matches!(self.byte_at(to - 1), Some(b' ' | b'\t')) {
            to -= 1;
        }
        to
    }

    /// Reads white space and comments after a token. Records the position of the next content on its line.
    #[inline]
    pub(super) fn trivia(&mut self) {
        self.fresh = false;
        self.spaced = false;
        self.tab = false;
        let is_content = self.byte().is_some_and(|byte| byte > b' ' && byte != b'#');
        if is_content {
            self.column = self.position - self.line_start;
            self.indentation = self.column;
        } else {
            self.read_trivia();
        }
    }

    pub(super) fn read_trivia(&mut self) {
        loop {
            self.read_white_space();
            match self.byte() {
                Some(b'#') => self.read_comment(),
                Some(b'<' | b'=' | b'>' | b'|') if self.at_conflict_marker() => self.read_conflict_marker(),
                _ => break,
            }
        }
        self.column = self.position - self.line_start;
        self.indentation = self.column;
        if self.tab && self.fresh {
            self.measure_tabs();
        }
    }

    fn read_white_space(&mut self) {
        let start = self.position;
        let rest = self.bytes.get(start..).unwrap_or_default();
        let mut line_start = None;
        let mut has_tab = self.tab;
        let mut length = 0;
        for &byte in rest {
            match byte {
                b' ' => {}
                b'\t' => has_tab = true,
                // After the line feed of a `\r\n`, the line starts one byte later.
                b'\n' | b'\r' => {
                    line_start = Some(start + length + 1);
                    has_tab = false;
                }
                _ => break,
            }
            length += 1;
        }
        if let Some(line_start) = line_start {
            self.line_start = line_start;
            self.fresh = true;
        }
        if length > 0 {
            self.tab = has_tab;
            self.spaced = true;
            self.position = start + length;
            self.pending.push(event(SyntaxKind::Space, start, self.position));
        }
    }

    fn read_comment(&mut self) {
        let start = self.position;
        let end = self.line_end(start);
        if !self.spaced && start != self.line_start {
            self.problem(ProblemKind::CommentNeedsSpace, start, start + 1);
        }
        self.pending.push(event(SyntaxKind::Comment, start, end));
        self.position = end;
    }

    /// True at seven equal characters at the start of a line, which a merge leaves behind. Inside a block collection
    /// such a line is always an error (column 0 and no key), so a valid text never loses a line here.
    fn at_conflict_marker(&self) -> bool {
        if self.frames.is_empty() || self.position != self.line_start {
            return false;
        }
        let Some(head) = self.bytes.get(self.position..self.position + 7) else { return false };
        let same = head.iter().all(|byte| Some(byte) == head.first());
        same && self.is_blank_at(self.position + 7) && !self.is_key_line(self.position)
    }

    fn read_conflict_marker(&mut self) {
        let start = self.position;
        let end = self.line_end(start);
        self.named_problem(ProblemKind::ConflictMarker, start, end);
        self.pending.push(event(SyntaxKind::ErrorText, start, end));
        self.position = end;
    }

    fn measure_tabs(&mut self) {
        self.indentation = self.after_spaces(self.line_start) - self.line_start;
        let lead = self.bytes.get(self.line_start..self.position).unwrap_or_default();
        self.column = lead.iter().fold(0, |column, &byte| match byte {
            b'\t' => (column / TAB_WIDTH + 1) * TAB_WIDTH,
            _ => column + 1,
        });
    }

    /// Adds the pending trivia, and returns the index of the next event.
    #[inline]
    pub(super) fn mark(&mut self) -> usize {
        match self.pending.as_slice() {
            [] => {}
            &[only] => {
                self.events.push(only);
                self.pending.clear();
            }
            _ => self.events.append(&mut self.pending),
        }
        self.events.len()
    }

    /// Adds a token that ends at `end`, and reads the trivia after it.
    #[inline]
    pub(super) fn token(&mut self, kind: SyntaxKind, end: usize) {
        self.mark();
        self.events.push(event(kind, self.position, end));
        self.position = end;
        self.trivia();
    }

    /// Like `token`, for a token that may contain line breaks.
    pub(super) fn long_token(&mut self, kind: SyntaxKind, end: usize) {
        let inside = self.bytes.get(self.position..end).unwrap_or_default();
        // A line can also end with a lone carriage return. The last line break of either kind counts.
        let last_break = memrchr(b'\n', inside).max(memrchr(b'\r', inside));
        if let Some(last) = last_break {
            self.line_start = self.position + last + 1;
        }
        self.token(kind, end);
    }

    /// Opens a construct at the current position.
    #[inline]
    pub(super) fn open(&mut self, kind: SyntaxKind) -> usize {
        let index = self.mark();
        self.events.push(event(kind, self.position, 0));
        index
    }

    /// Opens a construct at an earlier position. The events from `mark` on become its children.
    pub(super) fn open_before(&mut self, mark: usize, kind: SyntaxKind) -> usize {
        let start = self.events.get(mark).map_or(self.position, |first| first.start as usize);
        // The end of a construct is an index of an event, and those move by one. The end of a token is a text offset.
        for moved in self.events.iter_mut().skip(mark) {
            if moved.kind.is_construct() {
                moved.end += 1;
            }
        }
        self.events.insert(mark, event(kind, start, 0));
        mark
    }

    /// Closes a construct after the last event.
    #[inline]
    pub(super) fn close(&mut self, index: usize) {
        let end = offset(self.events.len());
        if let Some(construct) = self.events.get_mut(index) {
            construct.end = end;
        }
    }

    pub(super) fn set_kind(&mut self, index: usize, kind: SyntaxKind) {
        if let Some(changed) = self.events.get_mut(index) {
            changed.kind = kind;
        }
    }

    pub(super) fn problem(&mut self, kind: ProblemKind, start: usize, end: usize) {
        self.problems.push(Problem::new(kind, range(start, self.character_end(end))));
    }

    /// Adds a problem whose message quotes the text in its range.
    pub(super) fn named_problem(&mut self, kind: ProblemKind, start: usize, end: usize) {
        let end = self.character_end(end);
        let name = self.text.get(start..end).unwrap_or_default();
        self.problems.push(Problem::new(kind, range(start, end)).named(name));
    }

    /// The first character boundary from `position` on.
    pub(super) fn character_end(&self, mut position: usize) -> usize {
        while position < self.text.len() && !self.text.is_char_boundary(position) {
            position += 1;
        }
        position.min(self.text.len())
    }
}

#[inline]
pub(super) fn event(kind: SyntaxKind, start: usize, end: usize) -> Event {
    Event::new(kind, offset(start), offset(end))
}

pub(super) fn range(start: usize, end: usize) -> TextRange {
    TextRange::new(TextSize::from(offset(start)), TextSize::from(offset(end.max(start))))
}

/// Offsets always fit, because `parse_text` rejects longer texts.
#[inline]
fn offset(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

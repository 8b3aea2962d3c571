//! Scalars: where plain, quoted and block scalars end.
//!
//! Input: the parser on a scalar's first byte, and `parent`, the indentation that every further line must
//! exceed (-1 at the root). Output: their tokens. Invariant: each call consumes at least one byte.

use memchr::{memchr, memchr2};

use super::Parser;
use super::cursor::event;
use crate::event::SyntaxKind;
use crate::problem::ProblemKind;

/// The reason why a line of a plain scalar ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PlainStop {
    LineEnd,
    Comment,
    Indicator,
}

/// Where a quoted scalar ends.
enum QuoteEnd {
    Closed(usize),
    Unclosed(usize),
}

struct BlockHeader {
    digit: Option<usize>,
    keep: bool,
}

/// The bytes at which a plain scalar may end. The parser skips all others.
static PLAIN_STOP: [bool; 256] = {
    let mut table = [false; 256];
    let stops = b"\n\r:#,[]{}";
    let mut index = 0;
    while index < stops.len() {
        table[stops[index] as usize] = true;
        index += 1;
    }
    table
};

impl Parser<'_> {
    /// Reads a plain scalar. `one_line` is true where only a key is possible.
    pub(super) fn plain(&mut self, parent: isize, one_line: bool) {
        self.check_plain_start();
        let in_flow = !self.brackets.is_empty();
        let (first_end, mut stop) = self.plain_line(self.position, in_flow);
        let first_end = first_end.max(self.position + 1);
        let mut end = first_end;
        if !one_line {
            while stop == PlainStop::LineEnd {
                let Some(next) = self.continuation(end, parent) else { break };
                let (line_end, line_stop) = self.plain_line(next, in_flow);
                if line_end == next {
                    break;
                }
                if line_stop == PlainStop::Indicator && !in_flow {
                    self.key_line = (next, true);
                    break;
                }
                (end, stop) = (line_end, line_stop);
            }
        }
        if end == first_end {
            self.token(SyntaxKind::Plain, self.character_end(end));
        } else {
            self.long_token(SyntaxKind::Plain, end);
        }
    }

    /// Extends the plain scalar just read to the end of its line.
    pub(super) fn extend_plain(&mut self, from: usize) {
        let mut end = self.line_end(from);
        let line = self.bytes.get(from..end).unwrap_or_default();
        if let Some(comment) = line.windows(2).position(|pair| matches!(pair, [b' ' | b'\t', b'#'])) {
            end = from + comment;
        }
        end = self.trim_end(from, end);
        self.pending.clear();
        if let Some(last) = self.events.last_mut() {
            *last = event(SyntaxKind::Plain, last.start as usize, end);
        }
        self.position = end;
        self.trivia();
    }

    /// True when an implicit key begins at `from`.
    pub(super) fn is_key_line(&self, from: usize) -> bool {
        if self.key_line.0 == from {
            return self.key_line.1;
        }
        let key_end = self.key_end(from);
        key_end.is_some_and(|end| self.byte_at(end) == Some(b':') && self.is_blank_at(end + 1))
    }

    /// The start of the value after the key at `from`, if the whole value is on the same line.
    pub(super) fn inline_value(&self, from: usize) -> Option<usize> {
        let key_end = self.key_end(from).filter(|&end| self.byte_at(end) == Some(b':'))?;
        let value = self.after_blanks(key_end + 1);
        let line = self.bytes.get(value..self.line_end(value))?;
        let is_whole = match line.first()? {
            b'#' | b'|' | b'>' | b'&' | b'!' => false,
            b'[' | b'{' => closing_bracket(line).is_some(),
            &quote @ (b'"' | b'\'') => closing_quote(line.get(1..)?, quote).is_some(),
            _ => true,
        };
        is_whole.then_some(value)
    }

    /// The end of a possible key at `from`; `None` if it is not on one line.
    fn key_end(&self, mut from: usize) -> Option<usize> {
        while let Some(b'&' | b'!') = self.byte_at(from) {
            from = self.after_blanks(self.name_end(from + 1));
        }
        let end = match self.byte_at(from)? {
            quote @ (b'"' | b'\'') => {
                let line = self.bytes.get(from + 1..self.line_end(from))?;
                from + 2 + closing_quote(line, quote)?
            }
            b'[' | b'{' => from + closing_bracket(self.bytes.get(from..self.line_end(from))?)?,
            b'*' => self.name_end(from + 1),
            _ => {
                let (end, stop) = self.plain_line(from, false);
                if stop != PlainStop::Indicator {
                    return None;
                }
                end
            }
        };
        Some(self.after_blanks(end))
    }

    /// Reads a quoted scalar. With `may_be_key`, a scalar without a closing quote ends before its colon.
    pub(super) fn quoted(&mut self, parent: isize, may_be_key: bool) {
        let start = self.position;
        let is_double = self.byte() == Some(b'"');
        let kind = if is_double { SyntaxKind::DoubleQuoted } else { SyntaxKind::SingleQuoted };
        match self.quote_end(start, parent) {
            QuoteEnd::Closed(end) => {
                if is_double {
                    self.check_escapes(start + 1, end - 1);
                }
                self.long_token(kind, end);
            }
            QuoteEnd::Unclosed(line_end) => {
                let (key_end, stop) = self.plain_line(start + 1, false);
                let is_key = may_be_key && stop == PlainStop::Indicator && key_end > start + 1;
                let end = if is_key { key_end } else { line_end };
                self.problem(ProblemKind::UnclosedQuote, start, end);
                if !is_key {
                    self.greedy_quote = Some(start);
                }
                self.long_token(kind, end);
            }
        }
    }

    fn quote_end(&mut self, start: usize, parent: isize) -> QuoteEnd {
        // INVARIANT: the parser is at a quote when this is called.
        let quote = self.byte().unwrap_or(b'"');
        let mut line_end = match self.quoted_line(start + 1, quote) {
            QuoteEnd::Closed(end) => return QuoteEnd::Closed(end),
            QuoteEnd::Unclosed(line_end) => line_end,
        };
        let unclosed = QuoteEnd::Unclosed(self.trim_end(start + 1, line_end));
        let mut shallow_line = None;
        loop {
            let line = self.content_line(line_end);
            let content = self.after_blanks(line);
            if content >= self.bytes.len() || self.is_marker_at(line) {
                return unclosed;
            }
            if !deeper(self.after_spaces(line) - line, parent) {
                if self.byte_at(content) != Some(quote) && self.is_structure(content) {
                    return unclosed;
                }
                shallow_line = shallow_line.or(Some((line, content)));
            }
            match self.quoted_line(content, quote) {
                QuoteEnd::Closed(end) if self.is_junk_behind(end) => return unclosed,
                QuoteEnd::Closed(end) => {
                    if let Some((line, content)) = shallow_line {
                        self.problem(ProblemKind::BadIndentation, line, content);
                    }
                    return QuoteEnd::Closed(end);
                }
                QuoteEnd::Unclosed(end) => line_end = end,
            }
        }
    }

    /// Where the quote closes on the line at `from`, or where that line ends. It reads no byte after that, because a
    /// long line may contain many quotes.
    fn quoted_line(&self, from: usize, quote: u8) -> QuoteEnd {
        let mut position = from;
        let escape = if quote == b'"' { b'\\' } else { quote };
        let may_end = |byte: &u8| [quote, escape, b'\n', b'\r'].contains(byte);
        loop {
            let rest = self.bytes.get(position..).unwrap_or_default();
            position += rest.iter().position(may_end).unwrap_or(rest.len());
            match (self.byte_at(position), self.byte_at(position + 1)) {
                (None | Some(b'\n' | b'\r'), _) => return QuoteEnd::Unclosed(position),
                (Some(b'\\'), None | Some(b'\n' | b'\r')) => return QuoteEnd::Unclosed(position + 1),
                (Some(b'\\'), Some(_)) | (Some(b'\''), Some(b'\'')) => position += 2,
                _ => return QuoteEnd::Closed(position + 1),
            }
        }
    }

    /// The start of the first line after `line_end` that is not blank.
    fn content_line(&self, line_end: usize) -> usize {
        let mut line = self.after_break(line_end);
        loop {
            let content = self.after_blanks(line);
            if !matches!(self.byte_at(content), Some(b'\n' | b'\r')) {
                return line;
            }
            line = self.after_break(content);
        }
    }

    /// True when text follows the quote at `end`. Then that quote closes nothing: the closing quote is missing on the
    /// line of the opening one.
    fn is_junk_behind(&self, end: usize) -> bool {
        match self.byte_at(self.after_blanks(end)) {
            None | Some(b'\n' | b'\r' | b':') => false,
            Some(b'#') => !self.is_blank_at(end),
            Some(b',' | b']' | b'}') => self.brackets.is_empty(),
            Some(_) => true,
        }
    }

    /// True when an item or a key begins at `content`.
    pub(super) fn is_structure(&self, content: usize) -> bool {
        let is_item = matches!(self.byte_at(content), Some(b'-' | b'?')) && self.is_blank_at(content + 1);
        is_item || self.is_key_line(content)
    }

    fn check_escapes(&mut self, from: usize, to: usize) {
        let mut position = from;
        while let Some(found) = memchr(b'\\', self.bytes.get(position..to).unwrap_or_default()) {
            let start = position + found;
            let (length, is_known) = escape_at(self.bytes.get(start..to).unwrap_or_default());
            if !is_known {
                let end = self.after_character(start + length - 1);
                self.named_problem(ProblemKind::BadEscape, start, end);
            }
            position = start + length;
        }
    }

    /// Reads a block scalar: its header, a comment, its body.
    pub(super) fn block_scalar(&mut self, parent: isize) {
        let is_literal = self.byte() == Some(b'|');
        let scalar = self.open(if is_literal { SyntaxKind::Literal } else { SyntaxKind::Folded });
        let header = self.block_header();
        if self.at_end() && self.position == self.line_start {
            self.close(scalar);
            return;
        }
        let (indentation, end) = self.block_body(parent, &header);
        if end > self.position {
            self.mark();
            let body = event(SyntaxKind::BlockBody, self.position, end).with_indentation(indentation);
            self.events.push(body);
            self.position = end;
            self.line_start = end;
        }
        self.close(scalar);
        self.fresh = true;
        self.spaced = true;
        self.tab = false;
        self.read_trivia();
    }

    fn block_header(&mut self) -> BlockHeader {
        let start = self.position;
        let line_end = self.line_end(start);
        let mut header = BlockHeader { digit: None, keep: false };
        let mut end = start + 1;
        let mut has_chomping = false;
        loop {
            match self.byte_at(end) {
                Some(digit @ b'1'..=b'9') if header.digit.is_none() => {
                    header.digit = Some(usize::from(digit - b'0'));
                }
                Some(sign @ (b'+' | b'-')) if !has_chomping => {
                    has_chomping = true;
                    header.keep = sign == b'+';
                }
                _ => break,
            }
            end += 1;
        }
        let word_end = self.name_end(end).min(line_end);
        if word_end > end && self.byte_at(end) != Some(b'#') {
            self.named_problem(ProblemKind::BadBlockHeader, start, line_end);
            end = self.trim_end(end, line_end);
        }
        self.mark();
        self.events.push(event(SyntaxKind::BlockHeader, start, end));
        self.position = end;
        self.header_trivia(line_end);
        header
    }

    /// Reads the rest of the header's line: white space, a comment, the line break.
    fn header_trivia(&mut self, line_end: usize) {
        let blanks_end = self.after_blanks(self.position);
        if blanks_end > self.position {
            self.events.push(event(SyntaxKind::Space, self.position, blanks_end));
        }
        if blanks_end < line_end {
            if self.byte_at(blanks_end) == Some(b'#') {
                if blanks_end == self.position {
                    self.problem(ProblemKind::CommentNeedsSpace, blanks_end, blanks_end + 1);
                }
                self.events.push(event(SyntaxKind::Comment, blanks_end, line_end));
            } else {
                self.named_problem(ProblemKind::UnexpectedText, blanks_end, line_end);
                self.events.push(event(SyntaxKind::ErrorText, blanks_end, line_end));
            }
        }
        let next = self.after_break(line_end);
        if next > line_end {
            self.events.push(event(SyntaxKind::Space, line_end, next));
        }
        self.position = next;
        self.line_start = next;
    }

    /// Finds the content indentation of a block scalar, and the end of its body.
    fn block_body(&mut self, parent: isize, header: &BlockHeader) -> (usize, usize) {
        let base = usize::try_from(parent).unwrap_or(0);
        let mut line = self.position;
        let mut deepest_blank = (0, self.position);
        let mut indentation = header.digit.map(|digit| base + digit);
        let mut body_end = self.position;
        while line < self.bytes.len() {
            let content = self.after_spaces(line);
            let spaces = content - line;
            let is_break = matches!(self.byte_at(content), None | Some(b'\n' | b'\r'));
            let is_blank = is_break && indentation.is_none_or(|needed| spaces <= needed);
            if is_blank {
                if indentation.is_none() && spaces > deepest_blank.0 {
                    deepest_blank = (spaces, content);
                }
            } else {
                let needed = match indentation {
                    Some(needed) => needed,
                    None if deeper(spaces, parent) => {
                        if deepest_blank.0 > spaces {
                            let (depth, at) = deepest_blank;
                            self.problem(ProblemKind::DeepBlankLine, at - depth, at);
                        }
                        *indentation.insert(spaces)
                    }
                    None => break,
                };
                if spaces < needed || (needed == 0 && self.is_marker_at(line)) {
                    break;
                }
            }
            line = self.after_break(self.line_end(content));
            if !is_blank || header.keep {
                body_end = line;
            }
        }
        if let (None, Some(b'\t')) = (indentation, self.byte_at(self.after_spaces(line))) {
            self.problem(ProblemKind::TabIndentation, line, self.after_blanks(line));
        }
        (indentation.unwrap_or(deepest_blank.0.max(base)), body_end)
    }

    /// The end of a plain scalar on the line of `from`, and why it ends.
    fn plain_line(&self, from: usize, in_flow: bool) -> (usize, PlainStop) {
        let mut position = from;
        loop {
            let rest = self.bytes.get(position..).unwrap_or_default();
            let length = before_stop(rest);
            let Some(&byte) = rest.get(length) else { break };
            position += length;
            let stop = match byte {
                b'\n' | b'\r' => PlainStop::LineEnd,
                b':' if self.is_blank_at(position + 1) => PlainStop::Indicator,
                b':' if in_flow && self.byte_at(position + 1).is_some_and(is_flow_indicator) => {
                    PlainStop::Indicator
                }
                b'#' if position > from && matches!(self.byte_at(position - 1), Some(b' ' | b'\t')) => {
                    PlainStop::Comment
                }
                b'#' if position == from
                    && matches!(
                        self.byte_at(from.wrapping_sub(1)),
                        None | Some(b' ' | b'\t' | b'\n' | b'\r')
                    ) =>
                {
                    PlainStop::Comment
                }
                b',' | b'[' | b']' | b'{' | b'}' if in_flow => PlainStop::Indicator,
                _ => {
                    position += 1;
                    continue;
                }
            };
            return (self.trim_end(from, position), stop);
        }
        (self.trim_end(from, self.bytes.len()), PlainStop::LineEnd)
    }

    /// The content of the next line that is not blank, if it can continue a plain scalar that ends at `end`.
    fn continuation(&mut self, end: usize, parent: isize) -> Option<usize> {
        let line = self.content_line(self.after_blanks(end));
        let content = self.after_blanks(line);
        if self.byte_at(content)? == b'#' || self.is_marker_at(line) {
            return None;
        }
        let is_deeper = deeper(self.after_spaces(line) - line, parent);
        (is_deeper || self.continues_flow(line, content)).then_some(content)
    }

    /// True when a line of a flow collection continues a plain scalar although it is not indented enough.
    fn continues_flow(&mut self, line: usize, content: usize) -> bool {
        let is_end = self.byte_at(content).is_some_and(is_flow_indicator);
        if self.brackets.is_empty() || is_end || self.is_block_line(content) {
            return false;
        }
        self.problem(ProblemKind::BadIndentation, line, content + 1);
        true
    }

    fn check_plain_start(&mut self) {
        let start = self.position;
        let is_reserved = match self.byte() {
            Some(b'-' | b'?' | b':') => {
                let next = self.byte_at(start + 1);
                let in_flow = !self.brackets.is_empty();
                self.is_blank_at(start + 1) || (in_flow && next.is_some_and(is_flow_indicator))
            }
            Some(b',' | b'[' | b']' | b'{' | b'}' | b'#' | b'&' | b'*' | b'!' | b'|' | b'>') => true,
            Some(b'\'' | b'"' | b'%' | b'@' | b'`') => true,
            _ => false,
        };
        if is_reserved {
            self.named_problem(ProblemKind::ReservedCharacter, start, start + 1);
        }
    }

    /// The offset behind the character at `position`.
    pub(super) fn after_character(&self, position: usize) -> usize {
        let rest = self.bytes.get(position + 1..).unwrap_or_default();
        let continued = rest.iter().take_while(|&&byte| byte & 0xc0 == 0x80).count();
        (position + 1 + continued).min(self.bytes.len())
    }
}

pub(super) fn is_flow_indicator(byte: u8) -> bool {
    matches!(byte, b',' | b'[' | b']' | b'{' | b'}')
}

/// True when a line at `column` is deeper than indentation `parent`.
#[inline]
pub(super) fn deeper(column: usize, parent: isize) -> bool {
    isize::try_from(column).unwrap_or(isize::MAX) > parent
}

/// The number of bytes before the first one at which a plain scalar may end.
fn before_stop(text: &[u8]) -> usize {
    let may_stop = |&byte: &u8| PLAIN_STOP[usize::from(byte)];
    let (groups, _) = text.as_chunks::<4>();
    let clear =
        groups.iter().take_while(|group| !group.iter().fold(false, |found, byte| found | may_stop(byte)));
    let length = clear.count() * 4;
    let rest = text.get(length..).unwrap_or_default();
    length + rest.iter().position(may_stop).unwrap_or(rest.len())
}

/// The offset of the quote that closes the text. Escaped and doubled quotes do not count.
fn closing_quote(text: &[u8], quote: u8) -> Option<usize> {
    let mut position = 0;
    loop {
        let rest = text.get(position..)?;
        let found = if quote == b'"' { memchr2(b'"', b'\\', rest)? } else { memchr(b'\'', rest)? };
        position += found;
        let is_pair = match text.get(position) {
            Some(b'\\') => true,
            Some(b'\'') => text.get(position + 1) == Some(&b'\''),
            _ => false,
        };
        if !is_pair {
            return Some(position);
        }
        position += 2;
    }
}

/// The offset after the bracket that closes the one at the start of the text.
fn closing_bracket(text: &[u8]) -> Option<usize> {
    let mut depth = 0_usize;
    let mut position = 0;
    while let Some(&byte) = text.get(position) {
        position += 1;
        match byte {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => {
                depth -= 1;
                if depth == 0 {
                    return Some(position);
                }
            }
            b'"' | b'\'' => position += closing_quote(text.get(position..)?, byte)? + 1,
            _ => {}
        }
    }
    None
}

/// The length of the escape at the start of the text, and whether YAML knows it.
fn escape_at(text: &[u8]) -> (usize, bool) {
    let digits = match text.get(1) {
        Some(b'x') => 2,
        Some(b'u') => 4,
        Some(b'U') => 8,
        Some(b'\r') if text.get(2) == Some(&b'\n') => return (3, true),
        Some(byte) => return (2, b"0abt\tnvfre \"/\\N_LP\n\r".contains(byte)),
        None => return (1, false),
    };
    let written = text.get(2..).unwrap_or_default().iter().take(digits);
    let count = written.take_while(|byte| byte.is_ascii_hexdigit()).count();
    match crate::cook::escaped_character(text).filter(|_| count == digits) {
        Some((_, length)) => (length, true),
        None => (2 + count, false),
    }
}

//! Cooking: from a scalar's source to the text that it means.
//!
//! Input: the source of a scalar token or of a block scalar's body. Output: its text, borrowed where the source
//! is the text already, and on request the map from the text back to the source. Invariant: the map's pieces
//! cover the cooked text without gap, in order.

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr, memchr2, memchr3};
use text_size::{TextRange, TextSize};

use crate::event::SyntaxKind;

/// A scalar's text, and a map from it to the source.
#[derive(Clone, Debug)]
pub struct CookedText<'t> {
    /// The text that the scalar stands for, with quotes and escapes resolved.
    pub text: Cow<'t, str>,
    /// The place in the source of each byte of `text`.
    pub map: SourceMap,
}

/// A map from offsets in a cooked text to offsets in the source.
#[derive(Clone, Debug)]
pub struct SourceMap {
    pieces: Vec<Piece>,
    end: u32,
}

/// A piece of cooked text: a copy of the source, or the result of an escape or a line break.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    pub(crate) cooked_start: u32,
    pub(crate) source_start: u32,
    pub(crate) source_end: u32,
    pub(crate) is_copy: bool,
}

impl CookedText<'_> {
    /// The offset in the text for an offset in the source. Inside an escape or a line break, its start.
    pub fn cooked_offset(&self, source: TextSize) -> usize {
        let source = u32::from(source);
        let behind = self.map.pieces.partition_point(|piece| piece.source_start <= source);
        let Some(piece) = behind.checked_sub(1).and_then(|last| self.map.pieces.get(last)) else { return 0 };
        let start = piece.cooked_start as usize;
        if piece.is_copy {
            let length = piece.source_end.saturating_sub(piece.source_start);
            let distance = source.saturating_sub(piece.source_start);
            return (start + distance.min(length) as usize).min(self.text.len());
        }
        if source < piece.source_end {
            return start;
        }
        self.map.pieces.get(behind).map_or(self.text.len(), |next| next.cooked_start as usize)
    }
}

impl SourceMap {
    /// A map from its pieces. `end` is the source offset of the end of the text.
    pub(crate) fn new(pieces: Vec<Piece>, end: u32) -> SourceMap {
        SourceMap { pieces, end }
    }

    /// The map of an empty text at this place of the source.
    pub(crate) fn empty_at(source: TextSize) -> SourceMap {
        SourceMap { pieces: Vec::new(), end: source.into() }
    }

    /// The source offset for a byte offset in the cooked text. For the result of an escape, the start of the escape.
    pub fn source_offset(&self, cooked_offset: usize) -> TextSize {
        TextSize::from(self.start_of(u32::try_from(cooked_offset).unwrap_or(u32::MAX)))
    }

    /// The source range for a range in the cooked text, with everything that stands for its characters.
    pub fn source_range(&self, cooked: Range<usize>) -> TextRange {
        let start = self.start_of(u32::try_from(cooked.start).unwrap_or(u32::MAX));
        if cooked.end <= cooked.start {
            return TextRange::empty(TextSize::from(start));
        }
        let last = u32::try_from(cooked.end - 1).unwrap_or(u32::MAX);
        let end = match self.piece_at(last) {
            Some(piece) if piece.is_copy => {
                (piece.source_start + (last - piece.cooked_start) + 1).min(piece.source_end)
            }
            Some(piece) => piece.source_end,
            None => self.end,
        };
        TextRange::new(TextSize::from(start), TextSize::from(end.max(start)))
    }

    /// The source range of a range in the cooked text, if it is written without escapes and in one piece; otherwise
    /// `None`.
    pub fn letters(&self, cooked: Range<usize>) -> Option<TextRange> {
        let is_inside = |(position, piece): &(usize, &Piece)| {
            let next = self.pieces.get(position + 1).map_or(usize::MAX, |next| next.cooked_start as usize);
            (piece.cooked_start as usize) < cooked.end && next > cooked.start
        };
        let pieces: Vec<&Piece> =
            self.pieces.iter().enumerate().filter(is_inside).map(|(_, piece)| piece).collect();
        let are_joined = pieces.windows(2).all(|pair| pair[0].source_end == pair[1].source_start);
        let are_letters = !pieces.is_empty() && pieces.iter().all(|piece| piece.is_copy);
        (are_letters && are_joined).then(|| self.source_range(cooked))
    }

    /// The offset in the cooked text for an offset in the source; `None` outside the pieces that are copies.
    pub(crate) fn letter_at(&self, source: u32) -> Option<usize> {
        let is_around =
            |piece: &&Piece| piece.is_copy && piece.source_start <= source && source <= piece.source_end;
        let piece = self.pieces.iter().find(is_around)?;
        Some((piece.cooked_start + (source - piece.source_start)) as usize)
    }

    fn start_of(&self, cooked_offset: u32) -> u32 {
        match self.piece_at(cooked_offset) {
            Some(piece) if piece.is_copy => {
                let distance = cooked_offset - piece.cooked_start;
                piece.source_start.saturating_add(distance).min(piece.source_end)
            }
            Some(piece) => piece.source_start,
            None => self.end,
        }
    }

    fn piece_at(&self, cooked_offset: u32) -> Option<&Piece> {
        let behind = self.pieces.partition_point(|piece| piece.cooked_start <= cooked_offset);
        self.pieces.get(behind.checked_sub(1)?)
    }
}

/// Collects the cooked text, and its pieces if the caller needs them.
struct Cook<'s> {
    source: &'s str,
    /// The offset of `source` in the whole text.
    base: u32,
    text: String,
    pieces: Option<Vec<Piece>>,
}

/// The text of a plain or quoted scalar token. `base` is the offset of the token.
pub(crate) fn cook(kind: SyntaxKind, raw: &str, base: u32) -> Cow<'_, str> {
    let (inner, inner_base) = inner(kind, raw, base);
    if is_literal_text(kind, inner) {
        return Cow::Borrowed(inner);
    }
    let mut cook =
        Cook { source: inner, base: inner_base, text: String::with_capacity(inner.len()), pieces: None };
    cook.flow_lines(kind);
    Cow::Owned(cook.text)
}

/// Like `cook`, with a map to the source.
pub(crate) fn cook_with_map(kind: SyntaxKind, raw: &str, base: u32) -> CookedText<'_> {
    let (inner, inner_base) = inner(kind, raw, base);
    let end = inner_base + size(inner.len());
    if is_literal_text(kind, inner) {
        let piece = Piece { cooked_start: 0, source_start: inner_base, source_end: end, is_copy: true };
        return CookedText { text: Cow::Borrowed(inner), map: SourceMap { pieces: vec![piece], end } };
    }
    let mut cook = Cook { source: inner, base: inner_base, text: String::new(), pieces: Some(Vec::new()) };
    cook.flow_lines(kind);
    CookedText {
        text: Cow::Owned(cook.text),
        map: SourceMap { pieces: cook.pieces.unwrap_or_default(), end },
    }
}

/// The properties of a block scalar that its text depends on.
pub(crate) struct BlockStyle<'t> {
    pub(crate) is_folded: bool,
    pub(crate) header: &'t str,
    pub(crate) indentation: usize,
}

/// The text of the body of a block scalar.
pub(crate) fn cook_block(
    style: &BlockStyle<'_>,
    body: &str,
    base: u32,
    with_map: bool,
) -> CookedText<'static> {
    let pieces = with_map.then(Vec::new);
    let mut cook = Cook { source: body, base, text: String::with_capacity(body.len()), pieces };
    cook.block_lines(style);
    let end = base + size(body.len());
    CookedText {
        text: Cow::Owned(cook.text),
        map: SourceMap { pieces: cook.pieces.unwrap_or_default(), end },
    }
}

/// The character and the length of the escape (`\x`, `\u` or `\U`) at the start of `text`.
pub(crate) fn escaped_character(text: &[u8]) -> Option<(char, usize)> {
    let digits = match text.get(1)? {
        b'x' => 2,
        b'u' => 4,
        b'U' => 8,
        _ => return None,
    };
    let value = hex(text.get(2..2 + digits)?)?;
    if let Some(character) = char::from_u32(value) {
        return Some((character, 2 + digits));
    }
    // JSON writes a character above the 16-bit range as two escapes.
    let low_escape = text.get(6..12)?;
    let low = if low_escape.starts_with(b"\\u") { hex(low_escape.get(2..)?)? } else { return None };
    let is_pair = digits == 4 && (0xd800..0xdc00).contains(&value) && (0xdc00..0xe000).contains(&low);
    let character = is_pair.then(|| 0x10000 + ((value - 0xd800) << 10) + (low - 0xdc00));
    Some((char::from_u32(character?)?, 12))
}

fn hex(digits: &[u8]) -> Option<u32> {
    let text = std::str::from_utf8(digits).ok()?;
    if text.bytes().all(|byte| byte.is_ascii_hexdigit()) { u32::from_str_radix(text, 16).ok() } else { None }
}

/// The text between the quotes, and its offset. The closing quote may be missing.
fn inner(kind: SyntaxKind, raw: &str, base: u32) -> (&str, u32) {
    let quote = match kind {
        SyntaxKind::SingleQuoted => '\'',
        SyntaxKind::DoubleQuoted => '"',
        _ => return (raw, base),
    };
    let open = raw.strip_prefix(quote).unwrap_or(raw);
    let close = if is_closed(raw, quote) { open.strip_suffix(quote).unwrap_or(open) } else { open };
    (close, base + size(raw.len() - open.len()))
}

/// True when a quoted scalar has its closing quote.
pub(crate) fn is_closed(raw: &str, quote: char) -> bool {
    let open = raw.strip_prefix(quote).unwrap_or(raw);
    open.ends_with(quote) && !ends_escaped(open, quote)
}

/// True when the last quote is a part of the text, because it is escaped.
fn ends_escaped(open: &str, quote: char) -> bool {
    let mut before = open.bytes().rev().skip(1);
    if quote == '"' {
        before.take_while(|&byte| byte == b'\\').count() % 2 == 1
    } else {
        before.next() == Some(b'\'') && open.bytes().rev().take_while(|&byte| byte == b'\'').count() % 2 == 0
    }
}

fn is_literal_text(kind: SyntaxKind, inner: &str) -> bool {
    let special = match kind {
        SyntaxKind::DoubleQuoted => b'\\',
        SyntaxKind::SingleQuoted => b'\'',
        _ => b'\n',
    };
    memchr3(b'\n', b'\r', special, inner.as_bytes()).is_none()
}

fn size(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

impl Cook<'_> {
    fn copy(&mut self, source: Range<usize>) {
        if source.is_empty() {
            return;
        }
        self.note(&source, true);
        self.text.push_str(self.source.get(source).unwrap_or_default());
    }

    fn replace(&mut self, source: Range<usize>, text: &str) {
        if text.is_empty() {
            return;
        }
        self.note(&source, false);
        self.text.push_str(text);
    }

    fn breaks(&mut self, source: Range<usize>, count: usize) {
        if count > 0 {
            self.note(&source, false);
            self.text.extend(std::iter::repeat_n('\n', count));
        }
    }

    fn note(&mut self, source: &Range<usize>, is_copy: bool) {
        let cooked_start = size(self.text.len());
        let (source_start, source_end) = (self.base + size(source.start), self.base + size(source.end));
        if let Some(pieces) = &mut self.pieces {
            pieces.push(Piece { cooked_start, source_start, source_end, is_copy });
        }
    }

    fn line_end(&self, from: usize) -> usize {
        let rest = self.source.as_bytes().get(from..).unwrap_or_default();
        memchr2(b'\n', b'\r', rest).map_or(self.source.len(), |length| from + length)
    }

    fn after_break(&self, line_end: usize) -> usize {
        match self.source.as_bytes().get(line_end..).unwrap_or_default() {
            [b'\r', b'\n', ..] => line_end + 2,
            [_, ..] => line_end + 1,
            [] => line_end,
        }
    }

    fn after_blanks(&self, from: usize, to: usize) -> usize {
        let blanks = self.source.as_bytes().get(from..to).unwrap_or_default();
        from + blanks.iter().take_while(|&&byte| is_blank(byte)).count()
    }

    /// Plain and quoted scalars: line folding (YAML 1.2.2, section 6.5), then escapes.
    fn flow_lines(&mut self, kind: SyntaxKind) {
        let mut start = 0;
        let mut line_end = self.line_end(0);
        while line_end < self.source.len() {
            let (end, is_escaped) = self.content_end(kind, start, line_end);
            self.flow_line(kind, start..end);
            let mut blank_lines = 0;
            let mut next = self.after_break(line_end);
            line_end = self.line_end(next);
            start = self.after_blanks(next, line_end);
            while start == line_end && line_end < self.source.len() {
                blank_lines += 1;
                next = self.after_break(line_end);
                line_end = self.line_end(next);
                start = self.after_blanks(next, line_end);
            }
            match blank_lines {
                0 if is_escaped => {}
                0 => self.replace(end..start, " "),
                count => self.breaks(end..start, count),
            }
        }
        self.flow_line(kind, start..line_end);
    }

    /// Where the content of a line ends, and whether its line break is escaped.
    fn content_end(&self, kind: SyntaxKind, start: usize, line_end: usize) -> (usize, bool) {
        let line = self.source.as_bytes().get(start..line_end).unwrap_or_default();
        let backslashes = |text: &[u8]| text.iter().rev().take_while(|&&byte| byte == b'\\').count();
        if kind == SyntaxKind::DoubleQuoted && backslashes(line) % 2 == 1 {
            return (line_end - 1, true);
        }
        let blanks = line.iter().rev().take_while(|&&byte| is_blank(byte)).count();
        let content = line.get(..line.len() - blanks).unwrap_or_default();
        let keeps_one = kind == SyntaxKind::DoubleQuoted && blanks > 0 && backslashes(content) % 2 == 1;
        (start + content.len() + usize::from(keeps_one), false)
    }

    fn flow_line(&mut self, kind: SyntaxKind, line: Range<usize>) {
        match kind {
            SyntaxKind::DoubleQuoted => self.escapes(line),
            SyntaxKind::SingleQuoted => self.doubled_quotes(line),
            _ => self.copy(line),
        }
    }

    fn doubled_quotes(&mut self, line: Range<usize>) {
        let mut start = line.start;
        while let Some(found) = memchr(b'\'', self.source.as_bytes().get(start..line.end).unwrap_or_default())
        {
            let quote = start + found;
            self.copy(start..quote);
            let end = (quote + 2).min(line.end);
            self.replace(quote..end, "'");
            start = end;
        }
        self.copy(start..line.end);
    }

    fn escapes(&mut self, line: Range<usize>) {
        let mut start = line.start;
        let bytes = self.source.as_bytes();
        while let Some(found) = memchr(b'\\', bytes.get(start..line.end).unwrap_or_default()) {
            let escape = start + found;
            self.copy(start..escape);
            let rest = bytes.get(escape..line.end).unwrap_or_default();
            start = self.escape(escape, rest);
        }
        self.copy(start..line.end);
    }

    /// Cooks one escape, and returns the offset after it. An unknown escape is copied.
    fn escape(&mut self, start: usize, rest: &[u8]) -> usize {
        if let Some((character, length)) = escaped_character(rest) {
            let mut buffer = [0; 4];
            self.replace(start..start + length, character.encode_utf8(&mut buffer));
            return start + length;
        }
        let text = match rest.get(1) {
            Some(b'0') => "\0",
            Some(b'a') => "\x07",
            Some(b'b') => "\x08",
            Some(b't' | b'\t') => "\t",
            Some(b'n') => "\n",
            Some(b'v') => "\x0b",
            Some(b'f') => "\x0c",
            Some(b'r') => "\r",
            Some(b'e') => "\x1b",
            Some(b' ') => " ",
            Some(b'"') => "\"",
            Some(b'/') => "/",
            Some(b'\\') => "\\",
            Some(b'N') => "\u{85}",
            Some(b'_') => "\u{a0}",
            Some(b'L') => "\u{2028}",
            Some(b'P') => "\u{2029}",
            _ => {
                self.copy(start..start + 1);
                return start + 1;
            }
        };
        self.replace(start..start + 2, text);
        start + 2
    }

    /// Block scalars (YAML 1.2.2, section 8.1): indentation, folding, chomping.
    fn block_lines(&mut self, style: &BlockStyle<'_>) {
        let mut line = 0;
        let mut break_start = 0;
        let mut breaks = 0;
        let mut previous_spaced = None;
        while line < self.source.len() {
            let line_end = self.line_end(line);
            let next = self.after_break(line_end);
            let content = (line + style.indentation).min(self.after_spaces(line, line_end));
            if content == line_end {
                breaks += 1;
                line = next;
                continue;
            }
            let is_spaced = self.source.as_bytes().get(content).copied().is_some_and(is_blank);
            match previous_spaced {
                Some(false) if style.is_folded && !is_spaced && breaks == 1 => {
                    self.replace(break_start..content, " ")
                }
                Some(false) if style.is_folded && !is_spaced => self.breaks(break_start..content, breaks - 1),
                _ => self.breaks(break_start..content, breaks),
            }
            self.copy(content..line_end);
            previous_spaced = Some(is_spaced);
            break_start = line_end;
            breaks = 1;
            line = next;
        }
        let kept = match (style.header.contains('-'), style.header.contains('+')) {
            (true, _) => 0,
            (_, true) => breaks,
            _ => usize::from(previous_spaced.is_some()),
        };
        self.breaks(break_start..self.source.len(), kept);
    }

    fn after_spaces(&self, from: usize, to: usize) -> usize {
        let line = self.source.as_bytes().get(from..to).unwrap_or_default();
        from + line.iter().take_while(|&&byte| byte == b' ').count()
    }
}

#[cfg(test)]
mod tests {
    use crate::parse;

    /// The value of the key `k` is this text, and each piece of it was written as said.
    fn check_cooked(source: &str, expected: &str, pieces: &[(&str, &str)]) {
        let tree = parse(source);
        let root = tree.documents().next().and_then(|document| document.root()).unwrap();
        let scalar = root.as_mapping().unwrap().get("k").unwrap().value().unwrap().as_scalar().unwrap();
        assert_eq!(scalar.cooked(), expected, "{source:?}");
        let cooked = scalar.cooked_with_map();
        assert_eq!(cooked.text, expected, "{source:?}");
        for (piece, written) in pieces {
            let start = expected.find(piece).unwrap();
            let range = cooked.map.source_range(start..start + piece.len());
            assert_eq!(&source[range], *written, "{piece:?} in {source:?}");
            assert_eq!(cooked.map.source_offset(start), range.start());
        }
        let all = cooked.map.source_range(0..expected.len());
        assert!(usize::from(all.end()) <= source.len());
        assert_eq!(
            cooked.map.source_offset(expected.len()),
            cooked.map.source_range(expected.len()..expected.len()).end()
        );
    }

    #[test]
    fn plain_scalars() {
        check_cooked("k: a b", "a b", &[("a b", "a b"), ("b", "b")]);
        check_cooked(
            "k: a\n   b\n\n   c",
            "a b\nc",
            &[("a", "a"), (" ", "\n   "), ("b", "b"), ("\n", "\n\n   ")],
        );
        check_cooked("k: aé𝄞z", "aé𝄞z", &[("é", "é"), ("𝄞", "𝄞"), ("z", "z")]);
        check_cooked("k: a\r\n   b\r\n", "a b", &[("b", "b"), (" ", "\r\n   ")]);
    }

    #[test]
    fn single_quoted_scalars() {
        check_cooked(
            "k: 'a == ''b'' && c'",
            "a == 'b' && c",
            &[("'b'", "''b''"), ("c", "c"), ("a ==", "a ==")],
        );
        check_cooked("k: ''", "", &[]);
        check_cooked("k: 'a\n\n  b '", "a\nb ", &[("b ", "b ")]);
    }

    #[test]
    fn double_quoted_scalars() {
        check_cooked(r#"k: "a\tb""#, "a\tb", &[("a", "a"), ("\t", r"\t"), ("b", "b"), ("a\tb", r"a\tb")]);
        check_cooked(
            r#"k: "\u00e9\x41\U0001F600z""#,
            "éA😀z",
            &[("é", r"\u00e9"), ("A", r"\x41"), ("z", "z")],
        );
        check_cooked(r#"k: "\ud83d\ude00!""#, "😀!", &[("😀", r"\ud83d\ude00"), ("!", "!")]);
        check_cooked("k: \"a \\\n   b\"", "a b", &[("a ", "a "), ("b", "b")]);
        check_cooked(r#"k: "a\qb""#, r"a\qb", &[("b", "b")]);
        check_cooked(r#"k: "\\\"""#, "\\\"", &[("\\", r"\\"), ("\"", r#"\""#)]);
    }

    #[test]
    fn quotes_that_are_not_closed() {
        check_cooked("k: 'abc", "abc", &[("c", "c")]);
        check_cooked("k: \"abc\\\"", "abc\"", &[("c", "c")]);
    }

    #[test]
    fn literal_scalars() {
        check_cooked("k: |\n  a\n   b\n\n  c\n", "a\n b\n\nc\n", &[("a", "a"), (" b", " b"), ("c", "c")]);
        check_cooked("k: |-\n  a == 1\n\nz: 1", "a == 1", &[("== 1", "== 1")]);
        check_cooked("k: |+\n  a\n\n", "a\n\n", &[("a", "a")]);
        check_cooked("k: |2\n    a\n", "  a\n", &[("  a", "  a")]);
        check_cooked("k: |\r\n  a\r\n  b\r\n", "a\nb\n", &[("b", "b")]);
        check_cooked("k: |\n", "", &[]);
        check_cooked("k: |", "", &[]);
    }

    #[test]
    fn folded_scalars() {
        check_cooked(
            "k: >\n  a\n  b\n\n  c\n   d\n  e\n",
            "a b\nc\n d\ne\n",
            &[("b", "b"), ("c", "c"), (" d", " d")],
        );
        check_cooked("k: >-\n  a\n  b\n", "a b", &[(" ", "\n  "), ("b", "b")]);
    }
}

//! Conversions between byte offsets and positions of the protocol.
//!
//! Input: a text, once, and the negotiated encoding. Output: lines and columns from 0. Columns count code units of the
//! encoding. Invariant: every offset of the text has one position. A position outside of the text means the nearest
//! place before it. Both directions take logarithmic time in the length of the text.

use nodewise_syntax::{TextRange, TextSize};

/// The code units in which columns are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Encoding {
    /// UTF-8: bytes.
    Utf8,
    /// UTF-16, which every client supports.
    #[default]
    Utf16,
    /// UTF-32: characters.
    Utf32,
}

/// A position as the protocol counts it. Lines and columns begin at 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Position {
    pub line: u32,
    /// The column, in code units of the encoding.
    pub column: u32,
}

/// The start and the end of a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// The first position.
    pub start: Position,
    /// The position after the last character.
    pub end: Position,
}

/// Where the lines of a text begin, and where it has characters of more than one byte. This is all that conversions need.
#[derive(Debug, Clone)]
pub struct LineTable {
    encoding: Encoding,
    /// The byte offsets of each line: its start, and its end without the line break.
    lines: Box<[(u32, u32)]>,
    wide: Box<[Wide]>,
    length: u32,
}

/// A character of more than one byte.
#[derive(Debug, Clone, Copy)]
struct Wide {
    start: u32,
    /// The length in bytes.
    length: u32,
    /// How many bytes more than code units the text has from its start to the end of this character.
    surplus: u32,
}

impl Encoding {
    /// The number of code units of a character.
    pub fn units(self, character: char) -> u32 {
        let units = match self {
            Encoding::Utf8 => character.len_utf8(),
            Encoding::Utf16 => character.len_utf16(),
            Encoding::Utf32 => 1,
        };
        size(units)
    }
}

impl LineTable {
    /// Prepares the conversions for a text.
    #[must_use]
    pub fn new(text: &str, encoding: Encoding) -> LineTable {
        let bytes = text.as_bytes();
        let (mut lines, mut start) = (Vec::new(), 0);
        for (at, byte) in bytes.iter().enumerate().filter(|(_, byte)| matches!(byte, b'\n' | b'\r')) {
            let is_first_half = *byte == b'\r' && bytes.get(at + 1) == Some(&b'\n');
            if is_first_half {
                continue;
            }
            let is_second_half = *byte == b'\n' && at > 0 && bytes.get(at - 1) == Some(&b'\r');
            lines.push((size(start), size(at - usize::from(is_second_half))));
            start = at + 1;
        }
        lines.push((size(start), size(text.len())));
        let wide = if text.is_ascii() { Vec::new() } else { wide_characters(text, encoding) };
        LineTable { encoding, lines: lines.into(), wide: wide.into(), length: size(text.len()) }
    }

    /// The position of a byte offset. Inside a character, it is the position of that character.
    #[must_use]
    pub fn position(&self, offset: TextSize) -> Position {
        let offset = self.floor(u32::from(offset).min(self.length));
        let line = self.lines.partition_point(|(start, _)| *start <= offset).saturating_sub(1);
        let (start, end) = self.lines.get(line).copied().unwrap_or_default();
        // An offset between the two bytes of a line break is at the end of the line.
        let offset = offset.min(end);
        Position { line: size(line), column: self.units(offset) - self.units(start) }
    }

    /// The byte offset of a position. After the end of a line, it is the end of the line.
    #[must_use]
    pub fn offset(&self, position: Position) -> TextSize {
        let Some(&(start, end)) = self.lines.get(position.line as usize) else { return self.length.into() };
        let wanted = self.units(start).saturating_add(position.column);
        let before = self.wide.partition_point(|wide| self.units(wide.start) < wanted);
        let offset = match before.checked_sub(1).and_then(|at| self.wide.get(at)) {
            // A position inside a character means the place before it.
            Some(wide) if wanted < self.units(wide.start + wide.length) => wide.start,
            Some(wide) => wanted.saturating_add(wide.surplus),
            None => wanted,
        };
        offset.clamp(start, end).into()
    }

    /// The positions of a range.
    #[must_use]
    pub fn span(&self, range: TextRange) -> Span {
        Span { start: self.position(range.start()), end: self.position(range.end()) }
    }

    /// The range between two positions, in any order.
    #[must_use]
    pub fn range(&self, span: Span) -> TextRange {
        let (start, end) = (self.offset(span.start), self.offset(span.end));
        TextRange::new(start.min(end), end.max(start))
    }

    /// The encoding that columns use.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// The number of units before an offset. The offset must not be inside a character.
    fn units(&self, offset: u32) -> u32 {
        let behind = self.wide.partition_point(|wide| wide.start < offset);
        let surplus = behind.checked_sub(1).and_then(|at| self.wide.get(at)).map_or(0, |wide| wide.surplus);
        offset - surplus
    }

    /// The offset. If it is inside a character, the start of that character.
    fn floor(&self, offset: u32) -> u32 {
        let behind = self.wide.partition_point(|wide| wide.start < offset);
        match behind.checked_sub(1).and_then(|at| self.wide.get(at)) {
            Some(wide) if offset < wide.start + wide.length => wide.start,
            _ => offset,
        }
    }
}

fn wide_characters(text: &str, encoding: Encoding) -> Vec<Wide> {
    let mut surplus = 0;
    let wide = text.char_indices().filter(|(_, character)| !character.is_ascii());
    wide.map(|(start, character)| {
        let length = size(character.len_utf8());
        surplus += length - encoding.units(character);
        Wide { start: size(start), length, surplus }
    })
    .collect()
}

fn size(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;

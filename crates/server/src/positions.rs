//! Byte offsets to positions on the wire, and back.
//!
//! Input: a text, once, and the encoding that client and server agreed on. Output: lines and columns from 0, columns
//! in code units of the encoding. Invariant: every offset of the text has one position, a position that is nowhere
//! means the nearest place before it, and both directions cost the logarithm of the text.

use nodewise_syntax::{TextRange, TextSize};

/// The code units that columns count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Encoding {
    /// Bytes.
    Utf8,
    /// What every client knows.
    #[default]
    Utf16,
    /// Characters.
    Utf32,
}

/// A position on the wire, both parts from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column, in code units.
    pub column: u32,
}

/// Where a range begins and where it ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// The first position.
    pub start: Position,
    /// The position behind the last.
    pub end: Position,
}

/// The lines of a text, and where its characters are longer than a byte.
#[derive(Debug, Clone)]
pub struct LineTable {
    encoding: Encoding,
    /// Where each line begins, and where it ends without its break.
    lines: Box<[(u32, u32)]>,
    wide: Box<[Wide]>,
    length: u32,
}

/// A character of more than one byte.
#[derive(Debug, Clone, Copy)]
struct Wide {
    start: u32,
    /// In bytes.
    length: u32,
    /// By how much the bytes from the text's beginning up to the end of this character are more than the units.
    surplus: u32,
}

impl Encoding {
    /// How many units a character has.
    pub(crate) fn units(self, character: char) -> u32 {
        let units = match self {
            Encoding::Utf8 => character.len_utf8(),
            Encoding::Utf16 => character.len_utf16(),
            Encoding::Utf32 => 1,
        };
        size(units)
    }
}

impl LineTable {
    /// Reads the lines of a text.
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

    /// The position of a byte offset; inside a character it is that of the character.
    #[must_use]
    pub fn position(&self, offset: TextSize) -> Position {
        let offset = self.floor(u32::from(offset).min(self.length));
        let line = self.lines.partition_point(|(start, _)| *start <= offset).saturating_sub(1);
        let (start, end) = self.lines.get(line).copied().unwrap_or_default();
        // Between the two halves of a line break is still the end of the line.
        let offset = offset.min(end);
        Position { line: size(line), column: self.units(offset) - self.units(start) }
    }

    /// The byte offset of a position.
    #[must_use]
    pub fn offset(&self, position: Position) -> TextSize {
        let Some(&(start, end)) = self.lines.get(position.line as usize) else { return self.length.into() };
        let wanted = self.units(start).saturating_add(position.column);
        let before = self.wide.partition_point(|wide| self.units(wide.start) < wanted);
        let offset = match before.checked_sub(1).and_then(|at| self.wide.get(at)) {
            // Inside the character: the place before it.
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

    /// The range of two positions, in whatever order.
    #[must_use]
    pub fn range(&self, span: Span) -> TextRange {
        let (start, end) = (self.offset(span.start), self.offset(span.end));
        TextRange::new(start.min(end), end.max(start))
    }

    /// The encoding that columns are in.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// How many units the text has before an offset that is no character's inside.
    fn units(&self, offset: u32) -> u32 {
        let behind = self.wide.partition_point(|wide| wide.start < offset);
        let surplus = behind.checked_sub(1).and_then(|at| self.wide.get(at)).map_or(0, |wide| wide.surplus);
        offset - surplus
    }

    /// The offset, or where the character begins that it is inside of.
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

//! Offsets to lines and columns, and back.
//!
//! Input: a text, once. Output: positions from 1, columns in characters. Invariant: `\n`, `\r\n` and a lone `\r`
//! end a line, and every offset of the text has one position.

use memchr::memchr2_iter;
use text_size::{TextRange, TextSize};

/// A position in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineCol {
    /// The line number, from 1.
    pub line: u32,
    /// The column, from 1. It counts characters.
    pub column: u32,
}

/// The line starts of a text, and the places of characters that are longer than one byte.
#[derive(Clone, Debug)]
pub struct LineIndex {
    starts: Box<[u32]>,
    /// The end of each line without its line break, to keep an offset inside its line.
    ends: Box<[u32]>,
    /// The offsets of the bytes that continue a character.
    continuations: Box<[u32]>,
    length: u32,
}

impl LineIndex {
    /// Finds the lines of `text`.
    pub fn new(text: &str) -> LineIndex {
        let bytes = text.as_bytes();
        let (mut starts, mut ends) = (vec![0], Vec::new());
        for found in memchr2_iter(b'\n', b'\r', bytes) {
            let is_second_half = bytes.get(found) == Some(&b'\n') && starts.last() == Some(&size(found + 1));
            let is_first_half = bytes.get(found) == Some(&b'\r') && bytes.get(found + 1) == Some(&b'\n');
            if !is_second_half {
                ends.push(size(found));
                starts.push(size(found + 1 + usize::from(is_first_half)));
            }
        }
        ends.push(size(text.len()));
        let is_continuation = |&(_, &byte): &(u32, &u8)| byte & 0xc0 == 0x80;
        let continuations = match text.is_ascii() {
            true => Vec::new(),
            false => (0..).zip(bytes).filter(is_continuation).map(|(offset, _)| offset).collect(),
        };
        LineIndex {
            starts: starts.into_boxed_slice(),
            ends: ends.into_boxed_slice(),
            continuations: continuations.into_boxed_slice(),
            length: size(text.len()),
        }
    }

    /// The number of lines. If the text ends with a line break, the empty line after it counts.
    pub fn line_count(&self) -> u32 {
        size(self.starts.len())
    }

    /// The position of a byte offset. An offset after the end of the text is treated as the end.
    pub fn line_col(&self, offset: TextSize) -> LineCol {
        let offset = u32::from(offset).min(self.length);
        let line = self.starts.partition_point(|&start| start <= offset).max(1);
        let start = self.starts.get(line - 1).copied().unwrap_or(0);
        let continued = self.continuations_before(offset) - self.continuations_before(start);
        LineCol { line: size(line), column: offset - start - size(continued) + 1 }
    }

    /// The byte offset of a position. A column after the end of the line is treated as that end. `None` if there is no
    /// such line.
    pub fn offset(&self, position: LineCol) -> Option<TextSize> {
        let index = position.line.checked_sub(1)? as usize;
        let (start, end) = (*self.starts.get(index)?, *self.ends.get(index)?);
        let mut offset = start.saturating_add(position.column.checked_sub(1)?);
        let behind_start = self.continuations.get(self.continuations_before(start)..).unwrap_or_default();
        for &continuation in behind_start {
            if continuation > offset {
                break;
            }
            offset += 1;
        }
        Some(offset.min(end).into())
    }

    /// The range of a line, with its line break. Lines count from 1.
    pub fn line_range(&self, line: u32) -> Option<TextRange> {
        let index = line.checked_sub(1)? as usize;
        let start = self.starts.get(index).copied()?;
        let end = self.starts.get(index + 1).copied().unwrap_or(self.length);
        Some(TextRange::new(start.into(), end.into()))
    }

    fn continuations_before(&self, offset: u32) -> usize {
        self.continuations.partition_point(|&continuation| continuation < offset)
    }
}

fn size(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::{LineCol, LineIndex};

    #[test]
    fn offsets_and_positions_agree() {
        let text = "a\nbé𝄞c\r\n\rd\n\r\ne";
        let index = LineIndex::new(text);
        assert_eq!(index.line_count(), 6);
        let (mut line, mut column) = (1, 1);
        let mut previous = '\0';
        for (offset, character) in text.char_indices() {
            let offset = u32::try_from(offset).unwrap().into();
            let position = index.line_col(offset);
            assert_eq!(position, LineCol { line, column }, "{offset:?}");
            let is_second_half = previous == '\r' && character == '\n';
            if !is_second_half {
                assert_eq!(index.offset(position), Some(offset));
            }
            let ends_line =
                character == '\n' || (character == '\r' && !text[usize::from(offset)..].starts_with("\r\n"));
            (line, column) = if ends_line { (line + 1, 1) } else { (line, column + 1) };
            previous = character;
        }
    }

    #[test]
    fn lines_and_what_lies_outside() {
        let text = "ab\r\ncd";
        let index = LineIndex::new(text);
        assert_eq!(index.line_range(1).map(|range| &text[range]), Some("ab\r\n"));
        assert_eq!(index.line_range(2).map(|range| &text[range]), Some("cd"));
        assert_eq!(index.line_range(3), None);
        assert_eq!(index.line_range(0), None);
        assert_eq!(index.offset(LineCol { line: 1, column: 99 }), Some(2.into()));
        assert_eq!(index.line_col(99.into()), LineCol { line: 2, column: 3 });
    }
}

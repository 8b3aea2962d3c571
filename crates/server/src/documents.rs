//! Open documents: the texts as they are in the client's editor.
//!
//! Input: texts, and edits with positions of the protocol. Output: the text. Invariant: an edit with a position outside
//! of the document is clamped to it, so no client can crash the server.

use std::sync::Arc;

use ropey::{Rope, RopeSlice};

use crate::positions::{Encoding, Position, Span};

/// An open document.
#[derive(Debug, Clone)]
pub struct DocumentText {
    rope: Rope,
    /// The client's version number of this text.
    pub version: i32,
    /// The language id that the client sent.
    pub language: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentEdit {
    /// The range to replace, or the whole text if it is missing.
    pub span: Option<Span>,
    pub text: String,
}

impl DocumentText {
    /// A newly opened document.
    #[must_use]
    pub fn new(text: &str, version: i32, language: String) -> DocumentText {
        DocumentText { rope: Rope::from_str(text), version, language }
    }

    /// Applies edits in order, each to the result of the one before.
    pub fn edit(&mut self, edits: &[DocumentEdit], version: i32, encoding: Encoding) {
        for edit in edits {
            match edit.span {
                Some(span) => self.replace(span, &edit.text, encoding),
                None => self.rope = Rope::from_str(&edit.text),
            }
        }
        self.version = version;
    }

    #[must_use]
    pub fn text(&self) -> Arc<str> {
        Arc::from(String::from(&self.rope))
    }

    /// The length of the text in bytes.
    #[must_use]
    pub fn length(&self) -> usize {
        self.rope.len_bytes()
    }

    fn replace(&mut self, span: Span, text: &str, encoding: Encoding) {
        let (one, other) = (self.character(span.start, encoding), self.character(span.end, encoding));
        let (start, end) = (one.min(other), one.max(other));
        self.rope.remove(start..end);
        self.rope.insert(start, text);
    }

    /// The index of the character at a position.
    fn character(&self, at: Position, encoding: Encoding) -> usize {
        let line = at.line as usize;
        if line >= self.rope.len_lines() {
            return self.rope.len_chars();
        }
        let start = self.rope.line_to_char(line);
        let content = without_break(self.rope.line(line));
        let column = at.column as usize;
        let inside = match encoding {
            Encoding::Utf8 => content.byte_to_char(column.min(content.len_bytes())),
            Encoding::Utf16 => content.utf16_cu_to_char(column.min(content.len_utf16_cu())),
            Encoding::Utf32 => column.min(content.len_chars()),
        };
        start + inside
    }
}

/// A line without its line break.
fn without_break(line: RopeSlice<'_>) -> RopeSlice<'_> {
    let is_break = |character: &char| matches!(character, '\n' | '\r');
    let breaks = line.chars_at(line.len_chars()).reversed().take(2).take_while(is_break).count();
    line.slice(..line.len_chars() - breaks)
}

#[cfg(test)]
mod tests;

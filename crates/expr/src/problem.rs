//! What a parser reports about a text that is not an expression of its language.
//!
//! Input: none; a plain record. Invariant: a message states a fact in at most 80 characters.

use text_size::{TextRange, TextSize};

/// A syntax problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseProblem {
    /// Its class.
    pub kind: ParseProblemKind,
    /// The range in the text. Its start is the offset in conformance tables.
    pub range: TextRange,
    /// What is wrong, with names in backticks.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
    /// The edit that the help describes, if it is certain.
    pub replacement: Option<Replacement>,
}

/// An edit of the expression's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replacement {
    /// The range to replace. It may reach beyond the problem's own range.
    pub range: TextRange,
    /// The new text.
    pub text: String,
}

/// The class of a [`ParseProblem`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParseProblemKind {
    /// There is no expression at all.
    Empty,
    /// A character that starts no token.
    IllegalCharacter,
    /// A text without its closing quote.
    UnterminatedText,
    /// A number that runs into a letter, digit, `_` or `.`.
    MalformedNumber,
    /// A token that the grammar does not allow at its place.
    UnexpectedToken,
    /// The text ends although more must follow.
    UnexpectedEnd,
    /// The text is nested too deep for the parser.
    TooDeep,
}

impl ParseProblem {
    /// The byte offset of the fault.
    pub fn offset(&self) -> TextSize {
        self.range.start()
    }
}

/// A piece of the text for a message: shortened, and without characters that change how the text looks.
pub(crate) fn quote(text: &str) -> String {
    const LONGEST: usize = 24;
    let mut shown = String::new();
    for character in text.chars() {
        match character {
            '\'' | '"' | '\\' => shown.push(character),
            other => shown.extend(other.escape_debug()),
        }
        if shown.chars().count() > LONGEST {
            shown = shown.chars().take(LONGEST).collect();
            shown.push('…');
            break;
        }
    }
    shown
}

//! What a parser has to say about a text that is no expression of its language.
//!
//! Input: none; a plain record. Invariant: a message states a fact in at most 80 characters.

use text_size::{TextRange, TextSize};

/// A syntax problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseProblem {
    /// Its class.
    pub kind: ParseProblemKind,
    /// Where; its start is the offset that conformance tables name.
    pub range: TextRange,
    /// The fact, with names in backticks.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
    /// The edit that the help means, where it is certain.
    pub replacement: Option<Replacement>,
}

/// An edit of the expression's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replacement {
    /// What is replaced; it may reach beyond the problem's own range.
    pub range: TextRange,
    /// What is put there.
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
    /// A token where the grammar has no place for it.
    UnexpectedToken,
    /// The text ends where more must follow.
    UnexpectedEnd,
    /// More nesting than the parser follows.
    TooDeep,
}

impl ParseProblem {
    /// The byte offset of the fault.
    pub fn offset(&self) -> TextSize {
        self.range.start()
    }
}

/// A piece of the text as a message shows it: cut, and without characters that change how it looks.
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

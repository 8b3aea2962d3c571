//! The text as its author may have meant it.
//!
//! Input: an expression; output: words, numbers, quoted texts and symbols, those of other languages included. The
//! runtime knows nothing of this reading; the checks compare it with the tree. Invariant: what is quoted is one
//! word, spaces are none, and the words stand in the order of the text.

use text_size::TextRange;

use super::{is_word, range};
use crate::javascript::is_blank;

/// Symbols of several characters. A symbol that begins with a shorter one comes before it.
const SYMBOLS: [&str; 18] = [
    "===", "!==", "{{", "}}", "${", "&&", "||", "??", "?.", "==", "!=", ">=", "<=", "=>", "=<", "<>", "//",
    "/*",
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WordKind {
    /// `and`, `scratch.n`
    Name,
    /// `5`, `-1.5e3`
    Number,
    /// `'text'`, in any of three quotes
    Quoted,
    /// A quote that is never closed, and everything after it.
    OpenQuote,
    /// `==`, `(`
    Symbol,
}

/// A word of the text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Word<'t> {
    pub(crate) kind: WordKind,
    pub(crate) text: &'t str,
    pub(crate) start: usize,
    /// Whether a space, or nothing, is before it.
    pub(crate) is_spaced: bool,
}

impl Word<'_> {
    pub(crate) fn end(&self) -> usize {
        self.start + self.text.len()
    }

    pub(crate) fn range(&self) -> TextRange {
        range(self.start, self.end())
    }

    pub(crate) fn is_symbol(&self, symbol: &str) -> bool {
        self.kind == WordKind::Symbol && self.text == symbol
    }

    /// Whether a value ends here, so that an operator may follow.
    pub(crate) fn ends_operand(&self) -> bool {
        match self.kind {
            WordKind::Name | WordKind::Number | WordKind::Quoted => true,
            WordKind::OpenQuote => false,
            WordKind::Symbol => matches!(self.text, ")" | "]"),
        }
    }
}

/// The words of a text.
pub(crate) fn words(text: &str) -> Vec<Word<'_>> {
    let mut words: Vec<Word<'_>> = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let blanks = rest.len() - rest.trim_start_matches(is_blank).len();
        if blanks > 0 {
            at += blanks;
            continue;
        }
        let is_spaced = words.last().is_none_or(|last| last.end() < at);
        let (kind, length) = word(rest, words.last().filter(|_| !is_spaced), words.last());
        words.push(Word { kind, text: rest.get(..length).unwrap_or(rest), start: at, is_spaced });
        at += length;
    }
    words
}

/// The kind and length of the first word of `rest`. `touching` is the word directly before it, without a space between.
fn word(rest: &str, touching: Option<&Word<'_>>, previous: Option<&Word<'_>>) -> (WordKind, usize) {
    let mut characters = rest.chars();
    let (Some(first), second) = (characters.next(), characters.next()) else { return (WordKind::Symbol, 0) };
    let after_word = touching.is_some_and(|word| matches!(word.kind, WordKind::Name | WordKind::Number));
    if matches!(first, '\'' | '"' | '`') && !after_word {
        return match closing_quote(rest, first) {
            Some(end) => (WordKind::Quoted, end),
            None => (WordKind::OpenQuote, rest.len()),
        };
    }
    let begins_name = first.is_alphabetic() || first == '_' || (first == '$' && second != Some('{'));
    if begins_name {
        return (WordKind::Name, name_length(rest));
    }
    let begins_number = |character: Option<char>| character.is_some_and(|digit| digit.is_ascii_digit());
    let is_signed = matches!(first, '+' | '-') && !previous.is_some_and(Word::ends_operand);
    if begins_number(Some(first)) || ((first == '.' || is_signed) && begins_number(second)) {
        return (WordKind::Number, number_length(rest));
    }
    let symbol = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)).copied();
    // If a digit follows `?.`, the `?` belongs to a choice, and the dot begins a number.
    let is_choice = symbol == Some("?.") && begins_number(rest.chars().nth(2));
    match symbol {
        Some(symbol) if !is_choice => (WordKind::Symbol, symbol.len()),
        _ => (WordKind::Symbol, first.len_utf8()),
    }
}

/// Where a quoted text ends, with its closing quote. A backslash escapes the next character, as most authors expect.
fn closing_quote(rest: &str, quote: char) -> Option<usize> {
    let mut is_escaped = false;
    for (at, character) in rest.char_indices().skip(1) {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if character == quote => return Some(at + quote.len_utf8()),
            _ => {}
        }
    }
    None
}

fn name_length(rest: &str) -> usize {
    let mut characters = rest.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let continues = match character {
            '.' => characters.peek().is_some_and(|(_, next)| next.is_alphanumeric() || *next == '_'),
            '$' => characters.peek().is_none_or(|(_, next)| *next != '{'),
            _ => character.is_alphanumeric() || character == '_',
        };
        if !continues {
            return at;
        }
    }
    rest.len()
}

fn number_length(rest: &str) -> usize {
    let mut before = b' ';
    let continues = |byte: &u8| {
        let is_part = is_word(*byte)
            || *byte == b'.'
            || (matches!(byte, b'+' | b'-') && matches!(before, b'e' | b'E' | b' '));
        before = *byte;
        is_part
    };
    rest.as_bytes().iter().copied().take_while(continues).count().max(1)
}

//! The tokens of filtrex, exactly as the release cuts them.
//!
//! Input: a text as written, with `'` for `"` and a leading `$.` that has no effect; output: tokens with byte ranges,
//! without spaces. Invariant: the tokens are in reading order and do not overlap. If no token begins at a character,
//! the list ends there with [`FiltrexToken::Illegal`].

use smol_str::{SmolStr, SmolStrBuilder};
use text_size::{TextRange, TextSize};

use super::tolerance::SyntaxFault;
use crate::javascript::is_blank;

/// A token with the text it covers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct FiltrexLexeme<'t> {
    pub(crate) kind: FiltrexToken,
    pub(crate) start: u32,
    pub(crate) text: &'t str,
    /// Why the language does not have this token; only known in the tolerant reading.
    pub(crate) fault: Option<SyntaxFault>,
}

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FiltrexToken {
    Star,
    Slash,
    Minus,
    Plus,
    Caret,
    Open,
    Close,
    Comma,
    Equal,
    NotEqual,
    Matches,
    GreaterOrEqual,
    LessOrEqual,
    Less,
    Greater,
    NotIn,
    And,
    Or,
    Not,
    In,
    Of,
    If,
    Then,
    Else,
    Mod,
    Number,
    /// A name with all its dots.
    Symbol,
    Text,
    Percent,
    Question,
    Colon,
    /// `['key']` after a name; only in the tolerant reading.
    Index,
    /// A character that begins no token.
    Illegal,
    /// The end of the text, the last token of each list.
    End,
}

/// The signs, in the order in which they are tried.
const SIGNS: &[(&str, FiltrexToken)] = &[
    ("*", FiltrexToken::Star),
    ("/", FiltrexToken::Slash),
    ("-", FiltrexToken::Minus),
    ("+", FiltrexToken::Plus),
    ("^", FiltrexToken::Caret),
    ("(", FiltrexToken::Open),
    (")", FiltrexToken::Close),
    (",", FiltrexToken::Comma),
    ("==", FiltrexToken::Equal),
    ("!=", FiltrexToken::NotEqual),
    ("~=", FiltrexToken::Matches),
    (">=", FiltrexToken::GreaterOrEqual),
    ("<=", FiltrexToken::LessOrEqual),
    ("<", FiltrexToken::Less),
    (">", FiltrexToken::Greater),
    ("%", FiltrexToken::Percent),
    ("?", FiltrexToken::Question),
    (":", FiltrexToken::Colon),
];

impl<'t> FiltrexLexeme<'t> {
    /// The token that consists of the `length` bytes of `text` after `start`.
    pub(crate) fn new(kind: FiltrexToken, text: &'t str, start: usize, length: usize) -> FiltrexLexeme<'t> {
        let text = text.get(start..start + length).unwrap_or_default();
        FiltrexLexeme { kind, start: start as u32, text, fault: None }
    }

    pub(crate) fn end(&self) -> u32 {
        self.start + self.text.len() as u32
    }

    pub(crate) fn range(&self) -> TextRange {
        TextRange::new(TextSize::new(self.start), TextSize::new(self.end()))
    }

    /// The empty range before the token.
    pub(crate) fn empty_range(&self) -> TextRange {
        TextRange::empty(TextSize::new(self.start))
    }
}

impl FiltrexToken {
    /// Whether the token ends an operand, so that an operator may follow.
    pub(crate) fn ends_operand(self) -> bool {
        matches!(
            self,
            FiltrexToken::Number
                | FiltrexToken::Symbol
                | FiltrexToken::Text
                | FiltrexToken::Close
                | FiltrexToken::Index
        )
    }

    /// Whether an operand may begin with the token.
    pub(crate) fn begins_operand(self) -> bool {
        matches!(
            self,
            FiltrexToken::Number
                | FiltrexToken::Symbol
                | FiltrexToken::Text
                | FiltrexToken::Open
                | FiltrexToken::Not
                | FiltrexToken::If
                | FiltrexToken::Minus
        )
    }

    /// Whether the token is a reserved word, not a name.
    pub(crate) fn is_keyword(self) -> bool {
        matches!(
            self,
            FiltrexToken::NotIn
                | FiltrexToken::And
                | FiltrexToken::Or
                | FiltrexToken::Not
                | FiltrexToken::In
                | FiltrexToken::Of
                | FiltrexToken::If
                | FiltrexToken::Then
                | FiltrexToken::Else
                | FiltrexToken::Mod
        )
    }
}

/// The tokens of a text, up to the first place where the release finds no token.
pub(crate) fn lex(text: &str) -> Vec<FiltrexLexeme<'_>> {
    let mut lexemes = Vec::with_capacity(text.len() / 4 + 2);
    let mut position = first_position(text);
    while let Some(rest) = text.get(position..)
        && let Some(first) = rest.chars().next()
    {
        if let Some((kind, length)) = sign(rest) {
            lexemes.push(FiltrexLexeme::new(kind, text, position, length));
            position += length;
        } else if let Some((kind, length)) = keyword(rest) {
            lexemes.push(FiltrexLexeme::new(kind, text, position, length));
            position += length + swallowed(rest, length).map_or(0, char::len_utf8);
        } else if is_blank(first) {
            position += first.len_utf8();
        } else if let Some((kind, length)) = operand(rest) {
            lexemes.push(FiltrexLexeme::new(kind, text, position, length));
            position += length;
        } else {
            lexemes.push(FiltrexLexeme::new(FiltrexToken::Illegal, text, position, first.len_utf8()));
            break;
        }
    }
    lexemes.push(FiltrexLexeme::new(FiltrexToken::End, text, text.len(), 0));
    lexemes
}

/// The offset after a leading `$.`, where the first token may begin.
pub(crate) fn first_position(text: &str) -> usize {
    if text.starts_with("$.") { 2 } else { 0 }
}

/// The sign at the start of a text, and its length.
pub(crate) fn sign(rest: &str) -> Option<(FiltrexToken, usize)> {
    SIGNS
        .iter()
        .find(|(spelling, _)| rest.starts_with(spelling))
        .map(|(spelling, kind)| (*kind, spelling.len()))
}

/// The keyword at the start of a text, and its length. The next character must not be part of a word.
pub(crate) fn keyword(rest: &str) -> Option<(FiltrexToken, usize)> {
    let word = word(rest);
    let behind = rest.get(word.len()..).filter(|behind| !behind.is_empty())?;
    let kind = keyword_token(word)?;
    if kind == FiltrexToken::Not {
        let second = behind.trim_start_matches(is_blank);
        let is_apart = second.len() < behind.len();
        if is_apart && self::word(second) == "in" && second.len() > "in".len() {
            return Some((FiltrexToken::NotIn, rest.len() - second.len() + "in".len()));
        }
    }
    Some((kind, word.len()))
}

/// The character after a keyword of this length, which the release swallows: one unit of UTF-16.
pub(crate) fn swallowed(rest: &str, length: usize) -> Option<char> {
    let next = rest.get(length..).and_then(|behind| behind.chars().next());
    next.filter(|next| next.len_utf16() == 1)
}

/// The keyword, if the word is one.
pub(crate) fn keyword_token(word: &str) -> Option<FiltrexToken> {
    Some(match word {
        "and" => FiltrexToken::And,
        "or" => FiltrexToken::Or,
        "not" => FiltrexToken::Not,
        "in" => FiltrexToken::In,
        "of" => FiltrexToken::Of,
        "if" => FiltrexToken::If,
        "then" => FiltrexToken::Then,
        "else" => FiltrexToken::Else,
        "mod" => FiltrexToken::Mod,
        _ => return None,
    })
}

/// The number, name or text at the start of a text, and its length.
pub(crate) fn operand(rest: &str) -> Option<(FiltrexToken, usize)> {
    match rest.bytes().next()? {
        b'0'..=b'9' => number(rest).map(|length| (FiltrexToken::Number, length)),
        b'"' | b'\'' => text(rest).map(|length| (FiltrexToken::Text, length)),
        _ => symbol(rest).map(|length| (FiltrexToken::Symbol, length)),
    }
}

/// The length of the name at the start of a text.
pub(crate) fn symbol(rest: &str) -> Option<usize> {
    let is_first = |byte: u8| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$');
    let is_later = |byte: &u8| is_first(*byte) || byte.is_ascii_digit() || *byte == b'.';
    rest.bytes().next().filter(|first| is_first(*first))?;
    Some(rest.bytes().take_while(is_later).count())
}

/// The letters, digits and `_` at the start of a text.
pub(crate) fn word(rest: &str) -> &str {
    let length = rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
    rest.get(..length).unwrap_or_default()
}

/// The length of the digits, with a fraction or without, at the start of a text.
pub(crate) fn digits(rest: &str) -> usize {
    let count = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let whole = count(rest);
    match rest.get(whole..).and_then(|behind| behind.strip_prefix('.')).map(count) {
        Some(fraction) if fraction > 0 => whole + 1 + fraction,
        _ => whole,
    }
}

/// Whether digits are read as octal: they begin with a superfluous zero, and have no 8 or 9 before a point.
pub(crate) fn is_octal(digits: &str) -> bool {
    let whole = digits.split('.').next().unwrap_or_default();
    whole.len() > 1 && whole.starts_with('0') && whole.bytes().all(|digit| digit < b'8')
}

/// The value of a text literal. `\` escapes a quote or itself, and every quote becomes a double one.
pub(crate) fn decode(literal: &str) -> SmolStr {
    let inner = literal.get(1..literal.len().saturating_sub(1)).unwrap_or_default();
    if !inner.contains('\\') {
        return SmolStr::new(inner);
    }
    let mut value = SmolStrBuilder::new();
    let mut characters = inner.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some('\'') => value.push('"'),
                Some(escaped) => value.push(escaped),
                None => {}
            },
            other => value.push(other),
        }
    }
    value.finish()
}

/// The length of a number. An octal number has no fraction, and no point may follow a number.
fn number(rest: &str) -> Option<usize> {
    let length = digits(rest);
    let written = rest.get(..length)?;
    let runs_on = rest.get(length..).is_some_and(|behind| behind.starts_with('.'));
    let is_octal_fraction = is_octal(written) && written.contains('.');
    (!runs_on && !is_octal_fraction).then_some(length)
}

fn text(rest: &str) -> Option<usize> {
    let mut bytes = rest.bytes().enumerate().skip(1);
    loop {
        match bytes.next()? {
            (index, b'"' | b'\'') => return Some(index + 1),
            (_, b'\\') => {
                bytes.next().filter(|(_, escaped)| matches!(escaped, b'"' | b'\'' | b'\\'))?;
            }
            _ => {}
        }
    }
}

//! The tokens of LimanCE, as in liman:4.2.
//!
//! Input: a text; output: tokens with byte ranges, without spaces. Invariant: the tokens are in reading order, do not
//! overlap, and every byte that is not a space belongs to one.

use logos::Logos;
use text_size::{TextRange, TextSize};

/// A token with the text it covers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct LimanceLexeme<'t> {
    pub(crate) kind: LimanceToken,
    pub(crate) start: u32,
    pub(crate) text: &'t str,
}

/// The kind of a token.
#[derive(Logos, Debug, Clone, Copy, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\x0C]+")]
pub(crate) enum LimanceToken {
    /// A name; also any word after a dot.
    #[regex(r"[A-Za-z_][A-Za-z0-9_]*")]
    Word,
    #[token("true")]
    True,
    #[token("false")]
    False,
    #[token("null")]
    Null,
    #[token("and")]
    #[token("&&")]
    And,
    #[token("or")]
    #[token("||")]
    Or,
    #[token("not")]
    #[token("!")]
    Not,
    #[token("in")]
    In,
    /// `not` and `in` after an operand; two words, one operator.
    NotIn,
    #[regex(r"\$[A-Za-z_][A-Za-z0-9_]*")]
    Builtin,
    #[regex(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")]
    Number,
    #[regex(r#"'([^'\\\r\n]|\\[^\r\n])*'"#)]
    #[regex(r#""([^"\\\r\n]|\\[^\r\n])*""#)]
    Text,
    #[token("==")]
    Equal,
    #[token("!=")]
    NotEqual,
    #[token(">=")]
    GreaterOrEqual,
    #[token("<=")]
    LessOrEqual,
    #[token(">")]
    Greater,
    #[token("<")]
    Less,
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token(",")]
    Comma,
    #[token(".")]
    Dot,
    #[token(";")]
    Semicolon,
    /// Characters directly after a number: `a` in `1a`.
    NumberSuffix,
    /// A text from its opening quote to the end of the line, without a closing quote.
    #[regex(r#"'([^'\\\r\n]|\\[^\r\n])*\\?"#, priority = 1)]
    #[regex(r#""([^"\\\r\n]|\\[^\r\n])*\\?"#, priority = 1)]
    OpenText,
    /// A character that begins no token.
    Illegal,
    /// The end of the text or of the inside of parentheses, the last token of each list.
    End,
    /// Parentheses that are already parsed. The number is their slot in [`super::groups::Groups`].
    Group(u32),
}

impl LimanceLexeme<'_> {
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

/// The tokens of a text.
pub(crate) fn lex(text: &str) -> Vec<LimanceLexeme<'_>> {
    let mut lexemes: Vec<LimanceLexeme<'_>> = Vec::with_capacity(text.len() / 3 + 2);
    let mut raw = LimanceToken::lexer(text);
    while let Some(token) = raw.next() {
        let span = raw.span();
        let lexeme = LimanceLexeme {
            kind: token.unwrap_or(LimanceToken::Illegal),
            start: span.start as u32,
            text: text.get(span.clone()).unwrap_or_default(),
        };
        push(&mut lexemes, lexeme, text);
    }
    lexemes.push(LimanceLexeme { kind: LimanceToken::End, start: text.len() as u32, text: "" });
    lexemes
}

/// Whether the token ends an operand, so that an operator may follow.
pub(crate) fn ends_operand(token: LimanceToken) -> bool {
    matches!(
        token,
        LimanceToken::Word
            | LimanceToken::True
            | LimanceToken::False
            | LimanceToken::Null
            | LimanceToken::Number
            | LimanceToken::Text
            | LimanceToken::Close
    )
}

/// Whether the token is spelled like a name.
fn is_wordlike(token: LimanceToken) -> bool {
    matches!(
        token,
        LimanceToken::True
            | LimanceToken::False
            | LimanceToken::Null
            | LimanceToken::And
            | LimanceToken::Or
            | LimanceToken::Not
            | LimanceToken::In
    )
}

/// Adds a token. The tokens before it decide what some words mean.
fn push<'t>(lexemes: &mut Vec<LimanceLexeme<'t>>, mut lexeme: LimanceLexeme<'t>, text: &'t str) {
    let Some(previous) = lexemes.last().copied() else {
        lexemes.push(lexeme);
        return;
    };
    if is_wordlike(lexeme.kind) && previous.kind == LimanceToken::Dot && starts_name(lexeme.text) {
        lexeme.kind = LimanceToken::Word;
    } else if lexeme.kind == LimanceToken::In && previous.text == "not" && previous.kind == LimanceToken::Not
    {
        let before = lexemes.iter().rev().nth(1);
        if before.is_some_and(|before| ends_operand(before.kind)) {
            lexemes.pop();
            lexeme = LimanceLexeme {
                kind: LimanceToken::NotIn,
                start: previous.start,
                text: text.get(previous.start as usize..lexeme.end() as usize).unwrap_or_default(),
            };
        }
    }
    let glued = previous.kind == LimanceToken::Number && previous.end() == lexeme.start;
    if glued && (starts_name(lexeme.text) || lexeme.text.starts_with('.')) {
        lexeme.kind = LimanceToken::NumberSuffix;
    }
    lexemes.push(lexeme);
}

fn starts_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
}

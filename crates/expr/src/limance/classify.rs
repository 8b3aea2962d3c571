//! The tokens of a condition by the part they play, for highlighting and completion.
//!
//! Input: a text; output: classified tokens in reading order. Invariant: every byte that is no blank belongs to
//! one token, also in broken text.

use text_size::TextRange;

use super::lexer::{self, Lexeme, Token};

/// A token and its part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClassifiedToken {
    /// What it is.
    pub class: TokenClass,
    /// Where it stands.
    pub range: TextRange,
}

/// The part that a token plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenClass {
    /// `and`, `or`, `not`, `in`, `not in`
    Keyword,
    /// `true`, `false`, `null`
    Literal,
    /// A number.
    Number,
    /// A text with its quotes.
    Text,
    /// A text without its closing quote.
    OpenText,
    /// The first name of a variable.
    Variable,
    /// A name behind a dot.
    Property,
    /// A `$name`.
    Builtin,
    /// `==`, `&&`, `!` and the like.
    Operator,
    /// `(`
    OpenParenthesis,
    /// `)`
    CloseParenthesis,
    /// `,`
    Comma,
    /// `.`
    Dot,
    /// `;`
    Semicolon,
    /// What the language has no use for.
    Illegal,
}

/// The tokens of a text, in reading order.
pub fn tokens(text: &str) -> impl Iterator<Item = ClassifiedToken> {
    let mut after_dot = false;
    lexer::lex(text).into_iter().filter(|lexeme| lexeme.kind != Token::End).map(move |lexeme| {
        let class = class(&lexeme, after_dot);
        after_dot = lexeme.kind == Token::Dot;
        ClassifiedToken { class, range: lexeme.range() }
    })
}

fn class(lexeme: &Lexeme<'_>, after_dot: bool) -> TokenClass {
    match lexeme.kind {
        Token::Word if after_dot => TokenClass::Property,
        Token::Word => TokenClass::Variable,
        Token::True | Token::False | Token::Null => TokenClass::Literal,
        Token::And | Token::Or | Token::Not | Token::In | Token::NotIn => {
            if lexeme.text.starts_with(|first: char| first.is_ascii_alphabetic()) {
                TokenClass::Keyword
            } else {
                TokenClass::Operator
            }
        }
        Token::Builtin => TokenClass::Builtin,
        Token::Number => TokenClass::Number,
        Token::Text => TokenClass::Text,
        Token::OpenText => TokenClass::OpenText,
        Token::Equal
        | Token::NotEqual
        | Token::GreaterOrEqual
        | Token::LessOrEqual
        | Token::Greater
        | Token::Less => TokenClass::Operator,
        Token::Open => TokenClass::OpenParenthesis,
        Token::Close => TokenClass::CloseParenthesis,
        Token::Comma => TokenClass::Comma,
        Token::Dot => TokenClass::Dot,
        Token::Semicolon => TokenClass::Semicolon,
        Token::NumberSuffix | Token::Illegal | Token::End | Token::Group(_) => TokenClass::Illegal,
    }
}

//! The tokens of a condition by the part they play.
//!
//! Input: a text; output: classified tokens in reading order. Invariant: every byte that is no blank belongs to
//! one token, also in broken text.

use super::builtin;
use super::lexer::{self, Lexeme, Token};
use crate::builtins::Arguments;
use crate::token::{self, TokenClass};

/// The tokens of a text, in reading order.
pub(crate) fn tokens(text: &str) -> Vec<token::Token> {
    let mut reader = Reader::default();
    let lexemes = lexer::lex(text);
    let shown = lexemes.iter().filter(|lexeme| lexeme.kind != Token::End);
    let mut tokens: Vec<token::Token> =
        shown.map(|lexeme| token::Token { class: reader.class(lexeme), range: lexeme.range() }).collect();
    if is_function_path(&lexemes)
        && let Some(last) = tokens.last_mut()
    {
        last.class = TokenClass::Function;
    }
    tokens
}

/// What has been read, as far as it decides what the next word is.
#[derive(Default)]
struct Reader {
    after_dot: bool,
    /// Whether the last token is a builtin whose arguments are not looked up.
    after_error_builtin: bool,
    /// How many parentheses are open within such arguments, their own included.
    error_depth: usize,
}

impl Reader {
    fn class(&mut self, lexeme: &Lexeme<'_>) -> TokenClass {
        match lexeme.kind {
            Token::Open if self.after_error_builtin || self.error_depth > 0 => self.error_depth += 1,
            Token::Close => self.error_depth = self.error_depth.saturating_sub(1),
            _ => {}
        }
        let class = match lexeme.kind {
            Token::Word if self.error_depth > 0 => TokenClass::Word,
            Token::Word if self.after_dot => TokenClass::Property,
            _ => class(lexeme),
        };
        self.after_dot = lexeme.kind == Token::Dot;
        self.after_error_builtin = lexeme.kind == Token::Builtin
            && builtin(lexeme.text).is_some_and(|builtin| builtin.arguments == Arguments::ErrorTypes);
        class
    }
}

fn class(lexeme: &Lexeme<'_>) -> TokenClass {
    match lexeme.kind {
        Token::Word => TokenClass::Name,
        Token::True | Token::False | Token::Null => TokenClass::Constant,
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
        Token::Open | Token::Close | Token::Comma | Token::Dot | Token::Semicolon => TokenClass::Punctuation,
        Token::NumberSuffix | Token::Illegal | Token::End | Token::Group(_) => TokenClass::Illegal,
    }
}

/// Whether the whole condition is a name with dots, which refers to a function.
fn is_function_path(lexemes: &[Lexeme<'_>]) -> bool {
    let is_path = lexemes.iter().enumerate().all(|(index, lexeme)| match lexeme.kind {
        Token::Word => index % 2 == 0,
        Token::Dot => index % 2 == 1,
        kind => kind == Token::End,
    });
    // A name, a dot and a name, or more, and the end.
    is_path && lexemes.len() >= 4 && lexemes.len().is_multiple_of(2)
}

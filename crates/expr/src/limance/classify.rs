//! The tokens of a condition, classified by their role.
//!
//! Input: a text; output: classified tokens in reading order. Invariant: every byte that is not a space belongs to
//! one token, even in broken text.

use super::builtin;
use super::lexer::{self, LimanceLexeme, LimanceToken};
use crate::builtins::Arguments;
use crate::token::{self, TokenClass};

/// The tokens of a text, in reading order.
pub(crate) fn tokens(text: &str) -> Vec<token::Token> {
    let mut reader = Reader::default();
    let lexemes = lexer::lex(text);
    let shown = lexemes.iter().filter(|lexeme| lexeme.kind != LimanceToken::End);
    let mut tokens: Vec<token::Token> =
        shown.map(|lexeme| token::Token { class: reader.class(lexeme), range: lexeme.range() }).collect();
    if is_function_path(&lexemes)
        && let Some(last) = tokens.last_mut()
    {
        last.class = TokenClass::Function;
    }
    tokens
}

/// What the tokens so far say about the next word.
#[derive(Default)]
struct Reader {
    after_dot: bool,
    /// Whether the last token is a builtin whose arguments are not evaluated.
    after_error_builtin: bool,
    /// How many parentheses are open within such arguments, with those around them.
    error_depth: usize,
}

impl Reader {
    fn class(&mut self, lexeme: &LimanceLexeme<'_>) -> TokenClass {
        match lexeme.kind {
            LimanceToken::Open if self.after_error_builtin || self.error_depth > 0 => self.error_depth += 1,
            LimanceToken::Close => self.error_depth = self.error_depth.saturating_sub(1),
            _ => {}
        }
        let class = match lexeme.kind {
            LimanceToken::Word if self.error_depth > 0 => TokenClass::Word,
            LimanceToken::Word if self.after_dot => TokenClass::Property,
            _ => class(lexeme),
        };
        self.after_dot = lexeme.kind == LimanceToken::Dot;
        self.after_error_builtin = lexeme.kind == LimanceToken::Builtin
            && builtin(lexeme.text).is_some_and(|builtin| builtin.arguments == Arguments::ErrorTypes);
        class
    }
}

fn class(lexeme: &LimanceLexeme<'_>) -> TokenClass {
    match lexeme.kind {
        LimanceToken::Word => TokenClass::Name,
        LimanceToken::True | LimanceToken::False | LimanceToken::Null => TokenClass::Constant,
        LimanceToken::And | LimanceToken::Or | LimanceToken::Not | LimanceToken::In | LimanceToken::NotIn => {
            if lexeme.text.starts_with(|first: char| first.is_ascii_alphabetic()) {
                TokenClass::Keyword
            } else {
                TokenClass::Operator
            }
        }
        LimanceToken::Builtin => TokenClass::Builtin,
        LimanceToken::Number => TokenClass::Number,
        LimanceToken::Text => TokenClass::Text,
        LimanceToken::OpenText => TokenClass::OpenText,
        LimanceToken::Equal
        | LimanceToken::NotEqual
        | LimanceToken::GreaterOrEqual
        | LimanceToken::LessOrEqual
        | LimanceToken::Greater
        | LimanceToken::Less => TokenClass::Operator,
        LimanceToken::Open
        | LimanceToken::Close
        | LimanceToken::Comma
        | LimanceToken::Dot
        | LimanceToken::Semicolon => TokenClass::Punctuation,
        LimanceToken::NumberSuffix | LimanceToken::Illegal | LimanceToken::End | LimanceToken::Group(_) => {
            TokenClass::Illegal
        }
    }
}

/// Whether the whole condition is a name with dots, which refers to a function.
fn is_function_path(lexemes: &[LimanceLexeme<'_>]) -> bool {
    let is_path = lexemes.iter().enumerate().all(|(index, lexeme)| match lexeme.kind {
        LimanceToken::Word => index % 2 == 0,
        LimanceToken::Dot => index % 2 == 1,
        kind => kind == LimanceToken::End,
    });
    // A name, then pairs of a dot and a name, then the end token: an even number of at least four tokens.
    is_path && lexemes.len() >= 4 && lexemes.len().is_multiple_of(2)
}

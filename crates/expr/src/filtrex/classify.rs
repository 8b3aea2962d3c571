//! The tokens of an expression, classified by their role.
//!
//! Input: a text; output: classified tokens in reading order. Invariant: a text that the release compiles is cut into
//! tokens like the release does it. Other texts are read as their authors may have meant them.

use text_size::{TextRange, TextSize};

use super::lexer::{FiltrexLexeme, FiltrexToken};
use super::tolerance::SyntaxFault;
use super::{lexer, parser, tolerance};
use crate::token::{self, TokenClass, of_names};

/// The tokens of a text, in reading order.
pub(crate) fn tokens(text: &str) -> Vec<token::Token> {
    let exact = lexer::lex(text);
    let parsed = parser::parse(&exact);
    let is_compiled = parsed.misplaced.is_empty() && parsed.too_deep.is_none();
    let lexemes = if is_compiled { exact } else { tolerance::lex(text) };
    let mut tokens = Vec::with_capacity(lexemes.len() + 8);
    let ignored = lexer::first_position(text);
    if ignored > 0 {
        let range = TextRange::up_to(TextSize::try_from(ignored).unwrap_or_default());
        tokens.push(token::Token { class: TokenClass::Punctuation, range });
    }
    for (index, lexeme) in lexemes.iter().enumerate() {
        match lexeme.kind {
            FiltrexToken::End => {}
            FiltrexToken::Symbol => symbol(lexeme, lexemes.get(index + 1).map(|next| next.kind), &mut tokens),
            _ => tokens.push(token::Token { class: class(lexeme), range: lexeme.range() }),
        }
    }
    tokens
}

/// Adds a name with all its dots. Before a parenthesis it is the name of a function.
fn symbol(lexeme: &FiltrexLexeme<'_>, next: Option<FiltrexToken>, tokens: &mut Vec<token::Token>) {
    if next == Some(FiltrexToken::Open) {
        tokens.push(token::Token { class: TokenClass::Function, range: lexeme.range() });
        return;
    }
    let first = if next == Some(FiltrexToken::Of) { TokenClass::Property } else { TokenClass::Name };
    let mut start = TextSize::new(lexeme.start);
    let names = lexeme.text.split('.').map(|name| {
        let range = TextRange::at(start, TextSize::of(name));
        start = range.end() + TextSize::of('.');
        range
    });
    of_names(names, first, tokens);
}

fn class(lexeme: &FiltrexLexeme<'_>) -> TokenClass {
    match lexeme.kind {
        FiltrexToken::Number => TokenClass::Number,
        FiltrexToken::Text => match lexeme.fault {
            Some(SyntaxFault::OpenText) => TokenClass::OpenText,
            Some(SyntaxFault::RegularExpression) => TokenClass::Pattern,
            _ => TokenClass::Text,
        },
        FiltrexToken::Open | FiltrexToken::Close | FiltrexToken::Comma => TokenClass::Punctuation,
        FiltrexToken::Symbol => TokenClass::Name,
        FiltrexToken::Index | FiltrexToken::Illegal | FiltrexToken::End => TokenClass::Illegal,
        kind if kind.is_keyword() && lexeme.text.starts_with(|first: char| first.is_ascii_alphabetic()) => {
            TokenClass::Keyword
        }
        _ => TokenClass::Operator,
    }
}

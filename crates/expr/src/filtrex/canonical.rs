//! The canonical layout of an expression.
//!
//! Input: a text; output: its tokens, with a single space where a reader wants one. Invariant: the output has the
//! same S-expression, and printing it again changes nothing; a text that is not an expression stays as it is.

use super::lexer::{self, FiltrexLexeme, FiltrexToken};
use super::parse;

/// The canonical layout: spaces around operators and after commas; texts and parentheses as written.
pub fn canonical(text: &str) -> String {
    if !parse(text).accepted() {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len() + 8);
    out.push_str(text.get(..lexer::first_position(text)).unwrap_or_default());
    let mut before: Option<(FiltrexLexeme<'_>, bool)> = None;
    for lexeme in lexer::lex(text) {
        let follows_operand = before.is_some_and(|(last, _)| last.kind.ends_operand());
        if before.is_some_and(|(last, is_sign)| !is_sign && is_apart(last, lexeme)) {
            out.push(' ');
        }
        out.push_str(if lexeme.kind == FiltrexToken::NotIn { "not in" } else { lexeme.text });
        before = Some((lexeme, lexeme.kind == FiltrexToken::Minus && !follows_operand));
    }
    out
}

/// Whether there is a space between two tokens. The first one is not the sign of a number.
fn is_apart(last: FiltrexLexeme<'_>, next: FiltrexLexeme<'_>) -> bool {
    let is_call = last.kind == FiltrexToken::Symbol && next.kind == FiltrexToken::Open;
    let is_inside = last.kind == FiltrexToken::Open
        || matches!(next.kind, FiltrexToken::Close | FiltrexToken::Comma | FiltrexToken::End);
    !is_call && !is_inside
}

//! The tokens of an expression by the part they play.
//!
//! Input: a text; output: classified tokens in reading order, as the runtime reads the text, or as its author may
//! have meant it. Invariant: in the first reading, a text that stands for itself is one token.

use nodewise_platform::sorting::Sorting;
use text_size::{TextRange, TextSize};

use super::authored::{Word, WordKind, words};
use super::cut::COMPARISONS;
use super::parse;
use crate::ast::{Expr, ExprKind};
use crate::token::{Token, TokenClass, of_names};

/// The tokens as the runtime reads the text, without the signs of a choice.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    collect(&parse(text), &mut tokens);
    tokens.arrange_by_key(|token| token.range.start());
    tokens
}

/// The tokens that the author may have meant.
pub(crate) fn meant_tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    for word in words(text) {
        match word.kind {
            WordKind::Name => name(&word, &mut tokens),
            _ => tokens.push(Token { class: class_of(&word), range: word.range() }),
        }
    }
    tokens
}

fn collect(expr: &Expr, tokens: &mut Vec<Token>) {
    let mut add = |class, range: TextRange| {
        if !range.is_empty() {
            tokens.push(Token { class, range });
        }
    };
    match &expr.kind {
        ExprKind::Variable(path) => {
            of_names(path.segments.iter().map(|segment| segment.range), TokenClass::Name, tokens);
        }
        ExprKind::Compare(compare) => {
            add(TokenClass::Operator, compare.operator_range);
            expr.each_child(&mut |child| collect(child, tokens));
        }
        ExprKind::Logic(logic) => {
            logic.rest.iter().for_each(|link| add(TokenClass::Operator, link.operator_range));
            expr.each_child(&mut |child| collect(child, tokens));
        }
        ExprKind::Text(_) => add(TokenClass::Text, expr.range),
        ExprKind::Number(_) => add(TokenClass::Number, expr.range),
        ExprKind::Bool(_) | ExprKind::Null | ExprKind::Undefined => add(TokenClass::Constant, expr.range),
        ExprKind::Error(_) => add(TokenClass::Illegal, expr.range),
        ExprKind::Bare(_) => add(TokenClass::Word, expr.range),
        _ => expr.each_child(&mut |child| collect(child, tokens)),
    }
}

fn name(word: &Word<'_>, tokens: &mut Vec<Token>) {
    if matches!(word.text, "true" | "false" | "null" | "undefined") {
        tokens.push(Token { class: TokenClass::Constant, range: word.range() });
        return;
    }
    let mut start = word.range().start();
    let names = word.text.split('.').map(|name| {
        let range = TextRange::at(start, TextSize::of(name));
        start = range.end() + TextSize::of('.');
        range
    });
    of_names(names, TokenClass::Name, tokens);
}

fn class_of(word: &Word<'_>) -> TokenClass {
    match word.kind {
        WordKind::Name => TokenClass::Name,
        WordKind::Number => TokenClass::Number,
        WordKind::Quoted => TokenClass::Text,
        WordKind::OpenQuote => TokenClass::OpenText,
        WordKind::Symbol => {
            let is_comparison = COMPARISONS.iter().any(|operator| operator.spelled() == word.text);
            match word.text {
                "." => TokenClass::Punctuation,
                "&&" | "||" | "?" | ":" => TokenClass::Operator,
                _ if is_comparison => TokenClass::Operator,
                _ => TokenClass::Illegal,
            }
        }
    }
}

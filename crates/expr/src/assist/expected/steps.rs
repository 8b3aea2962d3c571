//! What can be written in a path, outside its scripts.
//!
//! Input: the tokens of a path, an offset; output: what can be written there. Invariant: a name is expected after a
//! dot, an opening bracket or a comma, and at the beginning.

use smol_str::SmolStr;
use text_size::{TextRange, TextSize};

use super::{Expected, Wanted};
use crate::assist::context::Source;
use crate::token::TokenClass;

/// What can be written at an offset outside scripts.
pub(super) fn expected(source: &Source<'_>, offset: TextSize) -> Expected {
    let index = source.tokens.partition_point(|token| token.range.end() < offset);
    let touched = source.tokens.get(index).filter(|token| token.range.start() < offset);
    let is_word = |class: TokenClass| {
        matches!(class, TokenClass::Name | TokenClass::Property | TokenClass::Builtin | TokenClass::Number)
    };
    let (before, replace) = match touched {
        Some(token) if is_word(token.class) => (index, token.range),
        Some(token) if offset < token.range.end() => return nothing(source, offset),
        Some(_) => (index + 1, TextRange::empty(offset)),
        None => (index, TextRange::empty(offset)),
    };
    Expected::at(source.text, replace, offset, kinds(source, before))
}

fn nothing(source: &Source<'_>, offset: TextSize) -> Expected {
    Expected::at(source.text, TextRange::empty(offset), offset, Vec::new())
}

fn kinds(source: &Source<'_>, before: usize) -> Vec<Wanted> {
    let Some(last) = before.checked_sub(1) else {
        return vec![Wanted::Path, Wanted::Member { path: Vec::new() }];
    };
    let path = names(source, before);
    match source.spelling(last) {
        "." | "[" | "," => vec![Wanted::Member { path }, Wanted::Selector],
        ".." => vec![Wanted::Member { path }],
        "'" | "\"" if last > 0 && source.spelling(last - 1) == "[" => vec![Wanted::Member { path }],
        _ => Vec::new(),
    }
}

/// The names that lead to the place: those of complete steps, and `*` for steps that are not names.
fn names(source: &Source<'_>, before: usize) -> Vec<SmolStr> {
    let mut names = Vec::new();
    let mut step: Option<SmolStr> = None;
    let mut depth = 0usize;
    for index in 0..before {
        let spelling = source.spelling(index);
        match source.class(index) {
            Some(TokenClass::Punctuation) => match spelling {
                "[" => depth += 1,
                "]" => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        names.extend(step.take());
                    }
                }
                _ => {}
            },
            Some(TokenClass::Builtin) if depth == 0 && spelling == "$" => {}
            Some(TokenClass::Operator) if spelling == ".." => names.push("*".into()),
            Some(TokenClass::Name | TokenClass::Property) if depth == 0 => names.push(spelling.into()),
            // A name in brackets counts after the brackets are closed. Several names, a number or a script stand for
            // an item.
            Some(TokenClass::Name | TokenClass::Property) if depth == 1 && step.is_none() => {
                step = Some(spelling.into());
            }
            _ if depth > 0 => step = Some("*".into()),
            _ => names.push("*".into()),
        }
    }
    names
}

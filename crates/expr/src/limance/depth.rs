//! A check before parsing: how deep the tree would be.
//!
//! Input: tokens; output: the first token that goes too deep. Invariant: a text that passes has a tree with at most
//! [`MAXIMUM`] levels of parentheses and negations, so that recursion over it does not overflow the stack.

use super::lexer::{LimanceLexeme, LimanceToken};

/// How many parentheses and negations may enclose a term.
pub(crate) const MAXIMUM: usize = 400;

/// The first token that goes too deep.
pub(crate) fn first_too_deep<'t>(tokens: &[LimanceLexeme<'t>]) -> Option<LimanceLexeme<'t>> {
    let mut depth = 0usize;
    let mut negations = 0usize;
    let mut enclosing: Vec<usize> = Vec::new();
    for lexeme in tokens {
        match lexeme.kind {
            LimanceToken::Not => negations += 1,
            LimanceToken::Open => {
                let levels = negations + 1;
                enclosing.push(levels);
                depth += levels;
                negations = 0;
            }
            LimanceToken::Close => {
                depth -= enclosing.pop().unwrap_or_default();
                negations = 0;
            }
            _ => negations = 0,
        }
        if depth + negations > MAXIMUM {
            return Some(*lexeme);
        }
    }
    None
}

/// The same for the release, where a negation or a change of operator reaches to the end of its parentheses.
pub(crate) fn first_too_deep_in_release<'t>(tokens: &[LimanceLexeme<'t>]) -> Option<LimanceLexeme<'t>> {
    let mut depth = 0usize;
    let mut enclosing: Vec<(usize, Option<LimanceToken>)> = Vec::new();
    let mut operator: Option<LimanceToken> = None;
    for lexeme in tokens {
        match lexeme.kind {
            LimanceToken::Not => depth += 1,
            LimanceToken::And | LimanceToken::Or if operator != Some(lexeme.kind) => {
                operator = Some(lexeme.kind);
                depth += 1;
            }
            LimanceToken::Open => {
                enclosing.push((depth, operator));
                operator = None;
                depth += 1;
            }
            LimanceToken::Close => (depth, operator) = enclosing.pop().unwrap_or_default(),
            _ => {}
        }
        if depth > MAXIMUM {
            return Some(*lexeme);
        }
    }
    None
}

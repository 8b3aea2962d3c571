//! Parentheses, innermost first, so that the grammar itself never recurses.
//!
//! Input: tokens, and a parser for the text between two parentheses; output: the tree of the whole. Each pair of
//! parentheses becomes one token that refers to its tree. Invariant: the stack does not grow with nesting.

use super::lexer::{LimanceLexeme, LimanceToken};
use crate::ast::{Expr, ExprKind};

/// The trees of parentheses that are already parsed.
#[derive(Default)]
pub(crate) struct Groups {
    slots: Vec<Option<Expr>>,
}

impl Groups {
    /// The tree that a token refers to. Each tree can be taken once.
    pub(crate) fn take(&mut self, lexeme: LimanceLexeme<'_>) -> Option<Expr> {
        match lexeme.kind {
            LimanceToken::Group(slot) => self.slots.get_mut(slot as usize)?.take(),
            _ => None,
        }
    }
}

/// Parses one level: tokens without parentheses other than those of calls, and an end token.
pub(crate) trait ParseLevel {
    /// The result of the outermost level.
    type Output;

    /// The inside of parentheses.
    fn inner(&mut self, tokens: &[LimanceLexeme<'_>], groups: &mut Groups) -> Option<Expr>;

    /// The outermost level.
    fn outermost(&mut self, tokens: &[LimanceLexeme<'_>], groups: &mut Groups) -> Option<Self::Output>;

    /// Whether to continue if parentheses are never closed. `end` is the end token.
    fn accepts_unclosed(&mut self, end: LimanceLexeme<'_>) -> bool;
}

/// An opening parenthesis whose closing one was not found yet.
struct Opened {
    index: usize,
    is_call: bool,
}

/// Parses tokens that end with an end token.
pub(crate) fn parse<P: ParseLevel>(
    text: &str,
    tokens: &[LimanceLexeme<'_>],
    level: &mut P,
) -> Option<P::Output> {
    let mut groups = Groups::default();
    let mut pending: Vec<LimanceLexeme<'_>> = Vec::with_capacity(tokens.len());
    let mut opened: Vec<Opened> = Vec::new();
    for &lexeme in tokens {
        match lexeme.kind {
            LimanceToken::Open => {
                let is_call = pending.last().is_some_and(|callee| callee.kind == LimanceToken::Builtin);
                opened.push(Opened { index: pending.len(), is_call });
            }
            LimanceToken::Close => {
                if let Some(Opened { index, is_call: false }) = opened.pop() {
                    close(text, &mut pending, index, lexeme, &mut groups, level)?;
                    continue;
                }
            }
            LimanceToken::End => {
                while let Some(Opened { index, is_call }) = opened.pop() {
                    if !level.accepts_unclosed(lexeme) {
                        return None;
                    }
                    if !is_call {
                        close(text, &mut pending, index, lexeme, &mut groups, level)?;
                    }
                }
            }
            _ => {}
        }
        pending.push(lexeme);
    }
    level.outermost(&pending, &mut groups)
}

/// Replaces the tokens from an opening parenthesis on by one token for their tree.
fn close<'t, P: ParseLevel>(
    text: &'t str,
    pending: &mut Vec<LimanceLexeme<'t>>,
    index: usize,
    close: LimanceLexeme<'t>,
    groups: &mut Groups,
    level: &mut P,
) -> Option<()> {
    let open = *pending.get(index)?;
    pending.push(LimanceLexeme { kind: LimanceToken::End, start: close.start, text: "" });
    let inner = level.inner(pending.get(index + 1..)?, groups)?;
    pending.truncate(index);
    let covered = text.get(open.start as usize..close.end() as usize).unwrap_or_default();
    let group = LimanceLexeme {
        kind: LimanceToken::Group(groups.slots.len() as u32),
        start: open.start,
        text: covered,
    };
    groups.slots.push(Some(Expr { range: group.range(), kind: ExprKind::Group(Box::new(inner)) }));
    pending.push(group);
    Some(())
}

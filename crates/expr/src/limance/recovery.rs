//! How the thorough pass handles tokens that the grammar does not allow.
//!
//! Input: the parser's input at such a token; output: the names in the skipped text. Invariant: each parser here
//! fails in the fast pass. In the thorough pass it reports one fault, at the first token that it takes.

use chumsky::input::InputRef;
use text_size::TextRange;

use super::grammar::{self, Pass, Tokens};
use super::groups::Groups;
use super::lexer::{LimanceLexeme, LimanceToken};
use crate::ast::{Expr, ExprKind, Path};

/// Skipped text with what could be read in it.
pub(crate) struct SkippedText {
    pub(crate) range: TextRange,
    pub(crate) parts: Vec<Expr>,
}

/// Tokens between an operand and the next place where the grammar can continue.
pub(crate) fn skipped_text<'t, P: Pass<'t>>(
    input: &mut InputRef<'t, '_, Tokens<'t>, P>,
) -> Result<SkippedText, P::Error> {
    skip(input, |token| {
        matches!(token, LimanceToken::And | LimanceToken::Or | LimanceToken::Close | LimanceToken::Semicolon)
    })
}

/// Tokens after the end of the condition.
pub(crate) fn leftover<'t, P: Pass<'t>>(
    input: &mut InputRef<'t, '_, Tokens<'t>, P>,
) -> Result<SkippedText, P::Error> {
    skip(input, |_| false)
}

/// An invalid argument list: the tokens between its parentheses. If these are not closed, the tokens up to the next
/// logical operator; if there are none, nothing.
pub(crate) fn arguments<'t, P: Pass<'t>>(
    input: &mut InputRef<'t, '_, Tokens<'t>, P>,
) -> Result<(Vec<Expr>, TextRange), P::Error> {
    let start = input.cursor();
    match input.peek() {
        Some(open) if P::RECOVERS && open.kind == LimanceToken::Open => {
            let mut skipped = Vec::new();
            let before = input.save();
            take_balanced(input, &mut skipped);
            if skipped.last().is_none_or(|last| last.kind != LimanceToken::Close) {
                input.rewind(before);
                let kept = skipped
                    .iter()
                    .position(|lexeme| matches!(lexeme.kind, LimanceToken::And | LimanceToken::Or));
                skipped.truncate(kept.unwrap_or(skipped.len()));
                skipped.iter().for_each(|_| input.skip());
            }
            let end = skipped.last().map_or(open.range(), LimanceLexeme::range);
            Ok((parts(&skipped, input.state()), end))
        }
        Some(next) if P::RECOVERS => Ok((Vec::new(), next.empty_range())),
        _ => Err(P::fault(input.span_since(&start))),
    }
}

/// An error node over a whole list of tokens that no parser may see.
pub(crate) fn sweep(tokens: &[LimanceLexeme<'_>], range: TextRange) -> Expr {
    Expr { kind: ExprKind::Error(parts(tokens, &mut Groups::default())), range }
}

/// The variables, literals and groups among tokens, in reading order.
fn parts(tokens: &[LimanceLexeme<'_>], groups: &mut Groups) -> Vec<Expr> {
    let mut parts = Vec::new();
    let mut rest = tokens.iter().copied().peekable();
    while let Some(lexeme) = rest.next() {
        if lexeme.kind != LimanceToken::Word {
            parts.extend(grammar::literal_of(lexeme).or_else(|| groups.take(lexeme)));
            continue;
        }
        let mut segments = vec![grammar::segment(lexeme)];
        while rest.next_if(|next| next.kind == LimanceToken::Dot).is_some() {
            match rest.next_if(|next| next.kind == LimanceToken::Word) {
                Some(word) => segments.push(grammar::segment(word)),
                None => break,
            }
        }
        parts.push(grammar::variable(Path { segments }));
    }
    parts
}

/// Takes tokens until one for which `stops` holds outside of parentheses that were opened since then, or until the end.
fn skip<'t, P: Pass<'t>>(
    input: &mut InputRef<'t, '_, Tokens<'t>, P>,
    stops: impl Fn(LimanceToken) -> bool,
) -> Result<SkippedText, P::Error> {
    let start = input.cursor();
    let mut skipped: Vec<LimanceLexeme<'t>> = Vec::new();
    while P::RECOVERS
        && let Some(next) = input.peek()
        && next.kind != LimanceToken::End
        && !stops(next.kind)
    {
        take_balanced(input, &mut skipped);
    }
    let span = input.span_since(&start);
    let (Some(first), Some(last)) = (skipped.first(), skipped.last()) else {
        return Err(P::fault(span));
    };
    input.emit(P::fault(span));
    let range = first.range().cover(last.range());
    Ok(SkippedText { range, parts: parts(&skipped, input.state()) })
}

/// Takes one token, or all from a call's opening parenthesis to its closing one.
fn take_balanced<'t, P: Pass<'t>>(
    input: &mut InputRef<'t, '_, Tokens<'t>, P>,
    taken: &mut Vec<LimanceLexeme<'t>>,
) {
    let mut open = 0usize;
    while let Some(next) = input.peek()
        && next.kind != LimanceToken::End
    {
        input.skip();
        taken.push(next);
        match next.kind {
            LimanceToken::Open => open += 1,
            LimanceToken::Close => open = open.saturating_sub(1),
            _ => {}
        }
        if open == 0 {
            return;
        }
    }
}

//! LimanCE as read by the parser in liman_core 0.1.0 and 0.1.1.
//!
//! Input: a text; output: its tokens and tree, or the offset of the first fault. The lexer of that parser only knows
//! the tokens that may come next, logical operators group to the right, and a negation takes everything after it.
//! Invariant: a text that [`lex`] accepts has balanced parentheses, and an operand on both sides of each operator.

use logos::Logos;

use super::grammar::{self, Tokens};
use super::lexer::{LimanceLexeme, LimanceToken};
use crate::ast::{Expr, ExprKind, Path};

/// Tokens that are allowed where an operand is expected.
#[derive(Logos, Debug, Clone, Copy, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\x0C]+")]
enum OperandToken {
    #[regex(r"[A-Za-z_][A-Za-z0-9_]*")]
    Word,
    #[token("true")]
    True,
    #[token("false")]
    False,
    #[token("not")]
    NotWord,
    #[token("!")]
    NotSymbol,
    #[token("(")]
    Open,
    #[regex(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")]
    Number,
    #[regex(r#"'([^'\\]|\\\\[^\n])*'"#)]
    #[regex(r#""([^"\\\n]|\\[^\n])*""#)]
    Text,
}

/// Tokens that are allowed after an operand. A keyword needs no boundary, because no name is allowed here.
#[derive(Logos, Debug, Clone, Copy, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\x0C]+")]
enum OperatorToken {
    #[token("and")]
    #[token("&&")]
    And,
    #[token("or")]
    #[token("||")]
    Or,
    #[token("==")]
    Equal,
    #[token("!=")]
    NotEqual,
    #[token(">")]
    Greater,
    #[token("<")]
    Less,
    #[token(")")]
    Close,
    #[token(".")]
    Dot,
}

/// What the parser has read, as far as it decides what may come next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Nothing yet.
    Start,
    /// A logical operator, a negation or an opening parenthesis.
    Operand,
    /// A comparison operator.
    ComparisonOperand,
    /// A name as the very first token.
    AfterFirstName,
    /// A dot after that name.
    AfterDot,
    /// The name after that dot.
    AfterDottedName,
    /// An operand that can be compared.
    AfterOperand,
    /// A whole comparison, or a closing parenthesis.
    AfterTerm,
}

/// The tokens of a condition of the release; the error is the offset where it stops.
pub(super) fn lex(text: &str) -> Result<Vec<LimanceLexeme<'_>>, usize> {
    let mut lexemes = Vec::with_capacity(text.len() / 3 + 2);
    let mut state = State::Start;
    let mut open = 0usize;
    let mut position = 0usize;
    loop {
        let rest = text.get(position..).unwrap_or_default();
        let Some((kind, span)) = next_token(rest, state) else { break };
        let start = position + span.start;
        let (Some(kind), Some(next)) = (kind, kind.and_then(|kind| follow(state, kind))) else {
            return Err(start);
        };
        match kind {
            LimanceToken::Open => open += 1,
            LimanceToken::Close => open = open.checked_sub(1).ok_or(start)?,
            _ => {}
        }
        let kind = if matches!(next, State::AfterDottedName) { LimanceToken::Word } else { kind };
        lexemes.push(LimanceLexeme {
            kind,
            start: start as u32,
            text: rest.get(span.clone()).unwrap_or_default(),
        });
        position += span.end;
        state = next;
    }
    let complete = matches!(
        state,
        State::AfterFirstName | State::AfterDottedName | State::AfterOperand | State::AfterTerm
    );
    if !complete || open > 0 {
        return Err(text.len());
    }
    lexemes.push(LimanceLexeme { kind: LimanceToken::End, start: text.len() as u32, text: "" });
    Ok(lexemes)
}

/// The tree of tokens that [`lex`] accepted.
pub(super) fn tree(text: &str, tokens: Tokens<'_>) -> Option<Expr> {
    if tokens.get(1).is_some_and(|second| second.kind == LimanceToken::Dot) {
        let words = tokens.iter().filter(|lexeme| lexeme.kind == LimanceToken::Word);
        let path = Path { segments: words.map(|word| grammar::segment(*word)).collect() };
        return Some(Expr { range: path.range(), kind: ExprKind::Function(path) });
    }
    grammar::parse_release(text, tokens)
}

/// The next token's kind and range. The inner `None` means that no token of this state fits; the outer one means the end.
fn next_token(rest: &str, state: State) -> Option<(Option<LimanceToken>, std::ops::Range<usize>)> {
    match state {
        State::Start | State::Operand | State::ComparisonOperand | State::AfterDot => {
            let mut lexer = OperandToken::lexer(rest);
            let found = lexer.next()?;
            Some((found.ok().map(|token| operand_kind(token, state)), lexer.span()))
        }
        State::AfterFirstName | State::AfterDottedName | State::AfterOperand | State::AfterTerm => {
            let mut lexer = OperatorToken::lexer(rest);
            let found = lexer.next()?;
            Some((found.ok().map(operator_kind), lexer.span()))
        }
    }
}

fn operand_kind(token: OperandToken, state: State) -> LimanceToken {
    match token {
        OperandToken::NotWord if matches!(state, State::ComparisonOperand | State::AfterDot) => {
            LimanceToken::Word
        }
        OperandToken::Word => LimanceToken::Word,
        OperandToken::True => LimanceToken::True,
        OperandToken::False => LimanceToken::False,
        OperandToken::NotWord | OperandToken::NotSymbol => LimanceToken::Not,
        OperandToken::Open => LimanceToken::Open,
        OperandToken::Number => LimanceToken::Number,
        OperandToken::Text => LimanceToken::Text,
    }
}

fn operator_kind(token: OperatorToken) -> LimanceToken {
    match token {
        OperatorToken::And => LimanceToken::And,
        OperatorToken::Or => LimanceToken::Or,
        OperatorToken::Equal => LimanceToken::Equal,
        OperatorToken::NotEqual => LimanceToken::NotEqual,
        OperatorToken::Greater => LimanceToken::Greater,
        OperatorToken::Less => LimanceToken::Less,
        OperatorToken::Close => LimanceToken::Close,
        OperatorToken::Dot => LimanceToken::Dot,
    }
}

/// The state after a token; `None` if the token is not allowed.
fn follow(state: State, token: LimanceToken) -> Option<State> {
    let is_value = matches!(
        token,
        LimanceToken::Word
            | LimanceToken::True
            | LimanceToken::False
            | LimanceToken::Number
            | LimanceToken::Text
    );
    match state {
        State::Start if token == LimanceToken::Word => Some(State::AfterFirstName),
        State::Start | State::Operand => match token {
            LimanceToken::Not | LimanceToken::Open => Some(State::Operand),
            _ if is_value => Some(State::AfterOperand),
            _ => None,
        },
        State::ComparisonOperand => is_value.then_some(State::AfterTerm),
        State::AfterDot => {
            let is_word = matches!(token, LimanceToken::Word | LimanceToken::True | LimanceToken::False);
            is_word.then_some(State::AfterDottedName)
        }
        State::AfterDottedName => (token == LimanceToken::Dot).then_some(State::AfterDot),
        State::AfterFirstName if token == LimanceToken::Dot => Some(State::AfterDot),
        State::AfterFirstName | State::AfterOperand => match token {
            LimanceToken::Equal | LimanceToken::NotEqual | LimanceToken::Greater | LimanceToken::Less => {
                Some(State::ComparisonOperand)
            }
            _ => after_term(token),
        },
        State::AfterTerm => after_term(token),
    }
}

fn after_term(token: LimanceToken) -> Option<State> {
    match token {
        LimanceToken::And | LimanceToken::Or => Some(State::Operand),
        LimanceToken::Close => Some(State::AfterTerm),
        _ => None,
    }
}

//! The messages about syntax faults.
//!
//! Input: the tokens, and the index of the one that is not allowed there; output: a [`ParseProblem`]. Invariant: the
//! message only depends on the tokens, and the problem starts where that token starts.

use text_size::{TextRange, TextSize};

use super::lexer::{LimanceLexeme, LimanceToken, ends_operand};
use crate::problem::{ParseProblem, ParseProblemKind, Replacement, quote};

/// A value without quotes may have this many tokens. Without a limit, a text that consists of marks would take more
/// than linear time.
const VALUE_TOKENS_MAX: usize = 32;

/// What the grammar expected at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Operand,
    ComparisonOperand,
    Operator,
    Name,
    OpeningParenthesis,
    Argument,
    CommaOrClosing,
    Nothing,
}

/// The problem of the token at `index`.
pub(crate) fn unexpected(tokens: &[LimanceLexeme<'_>], index: usize) -> ParseProblem {
    let Some(&found) = tokens.get(index).or(tokens.last()) else {
        return problem(
            ParseProblemKind::Empty,
            TextRange::default(),
            "the condition is empty".to_owned(),
            None,
        );
    };
    let before = tokens.get(..index).unwrap_or_default();
    let wanted = wanted(before);
    match found.kind {
        LimanceToken::End if before.is_empty() => empty(found),
        LimanceToken::End => unexpected_end(found, wanted, before),
        LimanceToken::OpenText => unterminated(found),
        LimanceToken::Illegal => unquoted(tokens, index, wanted).unwrap_or_else(|| illegal(found)),
        LimanceToken::NumberSuffix => {
            let message = format!("a number cannot run into `{}`", quote(found.text));
            problem(ParseProblemKind::MalformedNumber, found.range(), message, None)
        }
        LimanceToken::Close if wanted == Wanted::Operator => {
            let message = "`)` closes no parenthesis".to_owned();
            problem(ParseProblemKind::UnexpectedToken, found.range(), message, None)
        }
        _ => {
            let message = format!("`{}` cannot stand here{}", quote(found.text), suffix(wanted));
            problem(ParseProblemKind::UnexpectedToken, found.range(), message, help(found, wanted))
        }
    }
}

/// The problem of a text that is nested too deep for the parser.
pub(crate) fn too_deep(lexeme: LimanceLexeme<'_>) -> ParseProblem {
    let help = Some("split the condition over several edges or nodes".to_owned());
    problem(ParseProblemKind::TooDeep, lexeme.range(), "the condition is nested too deeply".to_owned(), help)
}

/// The problem of a text that the release's parser rejects at this byte.
pub(crate) fn release_fault(text: &str, offset: usize) -> ParseProblem {
    let rest = text.get(offset..).unwrap_or_default();
    let start = TextSize::try_from(offset).unwrap_or_default();
    match rest.chars().next() {
        None if text.is_empty() => empty(LimanceLexeme { kind: LimanceToken::End, start: 0, text: "" }),
        None => {
            let message = "liman_core 0.1.1 expects more to follow".to_owned();
            problem(ParseProblemKind::UnexpectedEnd, TextRange::empty(start), message, None)
        }
        Some(character) => {
            let word =
                rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or_default();
            let length = if word.is_empty() { TextSize::of(character) } else { TextSize::of(word) };
            let range = TextRange::at(start, length);
            let message = format!("liman_core 0.1.1 cannot read `{}` here", quote(slice(text, range)));
            problem(ParseProblemKind::UnexpectedToken, range, message, None)
        }
    }
}

fn slice(text: &str, range: TextRange) -> &str {
    text.get(usize::from(range.start())..usize::from(range.end())).unwrap_or_default()
}

fn problem(kind: ParseProblemKind, range: TextRange, message: String, help: Option<String>) -> ParseProblem {
    ParseProblem { kind, range, message, help, replacement: None }
}

fn empty(end: LimanceLexeme<'_>) -> ParseProblem {
    let help = Some("write `true` for an edge that is always followed".to_owned());
    problem(ParseProblemKind::Empty, end.range(), "the condition is empty".to_owned(), help)
}

fn unexpected_end(end: LimanceLexeme<'_>, wanted: Wanted, before: &[LimanceLexeme<'_>]) -> ParseProblem {
    let last = before.last().map_or("", |last| last.text);
    let message = match wanted {
        Wanted::Operand | Wanted::ComparisonOperand => format!("nothing follows `{}`", quote(last)),
        Wanted::Name => "a name must follow the dot".to_owned(),
        Wanted::OpeningParenthesis => format!("`{}` is called without parentheses", quote(last)),
        Wanted::Argument | Wanted::CommaOrClosing => "the argument list is not closed".to_owned(),
        Wanted::Operator | Wanted::Nothing => "a parenthesis is not closed".to_owned(),
    };
    let help = match wanted {
        Wanted::OpeningParenthesis => Some(format!("write `{}()`", quote(last))),
        Wanted::Operator | Wanted::CommaOrClosing => Some("write `)` at the end".to_owned()),
        _ => None,
    };
    problem(ParseProblemKind::UnexpectedEnd, end.range(), message, help)
}

fn unterminated(text: LimanceLexeme<'_>) -> ParseProblem {
    let mark = if text.text.starts_with('"') { '"' } else { '\'' };
    let help = Some(format!("close it with `{mark}` on the same line"));
    problem(ParseProblemKind::UnterminatedText, text.range(), "the text is not closed".to_owned(), help)
}

/// The problem of a value that begins with a mark and has no quotes: `channel == #general`.
fn unquoted(tokens: &[LimanceLexeme<'_>], index: usize, wanted: Wanted) -> Option<ParseProblem> {
    let (first, rest) = tokens.get(index..)?.split_first()?;
    if wanted != Wanted::ComparisonOperand || !matches!(first.text, "#" | "@") {
        return None;
    }
    let mut value = first.text.to_owned();
    for next in rest.iter().take(VALUE_TOKENS_MAX) {
        let is_adjacent = usize::from(next.range().start()) == first.start as usize + value.len();
        let is_part = match next.kind {
            LimanceToken::Word | LimanceToken::Number | LimanceToken::Dot => true,
            // Other characters would need an escape, or are not part of a value.
            LimanceToken::Illegal => matches!(next.text, "-" | "/" | ":" | "#" | "@"),
            _ => false,
        };
        match (is_adjacent, is_part, next.kind) {
            (true, true, _) => {}
            // It is not certain where the value ends.
            (true, false, LimanceToken::Illegal | LimanceToken::OpenText | LimanceToken::Text) => {
                return None;
            }
            _ => break,
        }
        value.push_str(next.text);
    }
    let length = TextSize::of(value.as_str());
    let written = format!("'{value}'");
    let replacement =
        Replacement { range: TextRange::at(first.range().start(), length), text: written.clone() };
    (value.len() > 1).then(|| ParseProblem {
        help: Some(format!("write `{}`", quote(&written))),
        replacement: Some(replacement),
        ..illegal(*first)
    })
}

fn illegal(lexeme: LimanceLexeme<'_>) -> ParseProblem {
    let character = lexeme.text.chars().next().unwrap_or(' ');
    let start = TextSize::new(lexeme.start);
    let range = TextRange::at(start, TextSize::of(character));
    let help = match character {
        '=' => Some("write `==` to compare"),
        '&' => Some("write `&&` or `and`"),
        '|' => Some("write `||` or `or`"),
        '+' | '-' | '*' | '/' | '%' => Some("conditions have no arithmetic; compute the value before"),
        '[' | ']' => Some("conditions have no lists or indexing; use dots to reach into a mapping"),
        '{' | '}' => Some("write the variable's name without braces"),
        '?' | ':' => Some("conditions have no `?:`; use `and` and `or`"),
        '#' => Some("conditions have no comments"),
        letter if letter.is_alphabetic() => Some("names are made of ASCII letters, digits and `_`"),
        '$' => Some("write a builtin: `$is_error()`, `$now()`"),
        _ => None,
    };
    let message = format!("`{}` is not part of the language", quote(&character.to_string()));
    problem(ParseProblemKind::IllegalCharacter, range, message, help.map(str::to_owned))
}

fn suffix(wanted: Wanted) -> &'static str {
    match wanted {
        Wanted::Operand => ": a value is expected",
        Wanted::ComparisonOperand => ": a plain value is expected",
        Wanted::Operator => ": an operator is expected",
        Wanted::Name => ": a name is expected",
        Wanted::OpeningParenthesis => ": `(` is expected",
        Wanted::Argument => ": a name or text is expected",
        Wanted::CommaOrClosing => ": `,` or `)` is expected",
        Wanted::Nothing => ": the condition ends before it",
    }
}

fn help(found: LimanceLexeme<'_>, wanted: Wanted) -> Option<String> {
    let help = match (found.kind, wanted) {
        (LimanceToken::Word, Wanted::Operator) => match found.text {
            "AND" | "And" => "write `and`",
            "OR" | "Or" => "write `or`",
            "IN" | "In" => "write `in`",
            "is" | "IS" | "eq" => "write `==`",
            "notin" => "write `not in`",
            "LIKE" | "like" | "matches" | "MATCHES" | "contains" | "startswith" | "startsWith"
            | "endswith" | "endsWith" => {
                "conditions have no patterns; compare the whole text, or name a function that decides"
            }
            _ => "join two terms with `and` or `or`",
        },
        (LimanceToken::Not, Wanted::Operator) => "write `not in`, or put `not` before the comparison",
        (LimanceToken::Open, Wanted::ComparisonOperand) => {
            "an operand cannot be in parentheses; leave them out"
        }
        (LimanceToken::Open, Wanted::Operator) => "only builtins can be called: `$is_error()`, `$now()`",
        (LimanceToken::Not, Wanted::ComparisonOperand) => "put the negation before the whole comparison",
        (LimanceToken::Equal | LimanceToken::NotEqual, Wanted::Operator) => {
            "a term in parentheses cannot be compared"
        }
        (LimanceToken::Semicolon, Wanted::Nothing) => "write one `;` at most, or none",
        (LimanceToken::And | LimanceToken::Or, Wanted::Operand) => {
            "write a value on both sides of the operator"
        }
        (LimanceToken::Builtin, Wanted::Argument) => "arguments are names or texts",
        _ => return None,
    };
    Some(help.to_owned())
}

/// What the grammar expects after these tokens, all of which it has accepted.
fn wanted(before: &[LimanceLexeme<'_>]) -> Wanted {
    let Some(last) = before.last() else { return Wanted::Operand };
    let in_arguments = in_arguments(before);
    match last.kind {
        LimanceToken::Dot => Wanted::Name,
        LimanceToken::Builtin => Wanted::OpeningParenthesis,
        LimanceToken::Open | LimanceToken::Comma if in_arguments => Wanted::Argument,
        LimanceToken::Semicolon => Wanted::Nothing,
        kind if ends_operand(kind) && in_arguments => Wanted::CommaOrClosing,
        kind if ends_operand(kind) => Wanted::Operator,
        LimanceToken::And | LimanceToken::Or | LimanceToken::Not | LimanceToken::Open => Wanted::Operand,
        _ => Wanted::ComparisonOperand,
    }
}

/// Whether the innermost open parenthesis belongs to a call.
fn in_arguments(before: &[LimanceLexeme<'_>]) -> bool {
    let mut closed = 0usize;
    for (index, lexeme) in before.iter().enumerate().rev() {
        match lexeme.kind {
            LimanceToken::Close => closed += 1,
            LimanceToken::Open if closed > 0 => closed -= 1,
            LimanceToken::Open => {
                let callee = index.checked_sub(1).and_then(|callee| before.get(callee));
                return callee.is_some_and(|callee| callee.kind == LimanceToken::Builtin);
            }
            _ => {}
        }
    }
    false
}

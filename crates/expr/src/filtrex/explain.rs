//! Messages about text that is not filtrex, and the edits that fix it.
//!
//! Input: the text, its tokens and what is wrong with one of them; output: a [`ParseProblem`]. Invariant: a replacement
//! is the spelling of the language for what the text says in another.

use text_size::{TextRange, TextSize};

use super::lexer::{FiltrexLexeme, FiltrexToken};
use super::parser::{ExpectedToken, Misplaced};
use super::tolerance::SyntaxFault;
use crate::javascript::{is_blank, number_to_text, text_to_number};
use crate::problem::{ParseProblem, ParseProblemKind, Replacement, quote};

/// The parts of a [`ParseProblem`] besides its kind and range.
struct Words {
    message: String,
    help: Option<String>,
    replacement: Option<Replacement>,
}

/// The problem of a token that the language does not have.
pub(crate) fn fault(text: &str, lexeme: FiltrexLexeme<'_>) -> Option<ParseProblem> {
    let range = lexeme.range();
    let shown = quote(lexeme.text);
    let (kind, words) = match lexeme.fault? {
        SyntaxFault::Foreign(meant) => (ParseProblemKind::UnexpectedToken, foreign(text, lexeme, meant)),
        SyntaxFault::Swallows => (ParseProblemKind::UnexpectedToken, swallows(text, lexeme)),
        SyntaxFault::KeywordName => {
            let keyword = lexeme.text.split(['.', '$']).next().unwrap_or_default();
            let message = format!("`{keyword}` is a keyword and begins no name");
            (ParseProblemKind::UnexpectedToken, said(message, "read it below its owner, as in `memory.or.x`"))
        }
        SyntaxFault::MixedQuotes => {
            let message = "the other quote ends the text too".to_owned();
            (
                ParseProblemKind::UnexpectedToken,
                said(message, "leave it out: a text holds neither `'` nor `\"`"),
            )
        }
        SyntaxFault::Escape(at) => (ParseProblemKind::IllegalCharacter, escape(lexeme, at)),
        SyntaxFault::OpenText => {
            let mark = lexeme.text.chars().next().unwrap_or('"');
            let help = format!("close it with `{mark}`");
            (ParseProblemKind::UnterminatedText, said("the text is not closed".to_owned(), &help))
        }
        SyntaxFault::Number => (ParseProblemKind::MalformedNumber, number(lexeme)),
        SyntaxFault::RegularExpression => {
            let pattern = lexeme.text.trim_matches('/').replace('\\', "\\\\");
            let message = "a regular expression is written as a text".to_owned();
            (ParseProblemKind::UnexpectedToken, replaced(message, range, format!("\"{pattern}\"")))
        }
        SyntaxFault::Index => (ParseProblemKind::UnexpectedToken, index(lexeme)),
        SyntaxFault::Illegal => {
            let message = format!("`{shown}` is not part of the language");
            let help = illegal_help(lexeme.text).map(str::to_owned);
            (ParseProblemKind::IllegalCharacter, Words { message, help, replacement: None })
        }
    };
    let range = match lexeme.fault {
        Some(SyntaxFault::Escape(at)) => TextRange::at(range.start() + TextSize::new(at), TextSize::new(1)),
        _ => range,
    };
    Some(problem(kind, range, words))
}

/// The problem of a token that is not allowed at its place.
pub(crate) fn misplaced(text: &str, tokens: &[FiltrexLexeme<'_>], misplaced: Misplaced) -> ParseProblem {
    let Misplaced { index, wanted } = misplaced;
    let Some(&found) = tokens.get(index).or(tokens.last()) else { return empty(TextRange::default()) };
    let before = tokens.get(..index).unwrap_or_default();
    let shown = quote(found.text);
    if found.kind == FiltrexToken::End {
        return match before.last() {
            None => empty(found.range()),
            Some(last) => unexpected_end(found, wanted, *last),
        };
    }
    let words = match (found.kind, wanted) {
        (FiltrexToken::Close, ExpectedToken::Operator) => just("`)` closes no parenthesis".to_owned()),
        (FiltrexToken::Close, ExpectedToken::Operand)
            if before.last().is_some_and(|last| last.kind == FiltrexToken::Open) =>
        {
            said("nothing stands in the parentheses".to_owned(), "a list has two elements or more")
        }
        (FiltrexToken::Symbol, ExpectedToken::Operator) => foreign_word(text, tokens, index),
        _ => {
            let message = format!("`{shown}` cannot stand here: {} is expected", name(wanted));
            Words { message, help: help(found.kind, wanted).map(str::to_owned), replacement: None }
        }
    };
    problem(ParseProblemKind::UnexpectedToken, found.range(), words)
}

/// The problem of a text that is nested too deep for the parser.
pub(crate) fn too_deep(lexeme: FiltrexLexeme<'_>) -> ParseProblem {
    let message = "the condition is nested too deeply".to_owned();
    problem(ParseProblemKind::TooDeep, lexeme.range(), said(message, "split it over several edges or nodes"))
}

fn problem(kind: ParseProblemKind, range: TextRange, words: Words) -> ParseProblem {
    let Words { message, help, replacement } = words;
    ParseProblem { kind, range, message, help, replacement }
}

fn just(message: String) -> Words {
    Words { message, help: None, replacement: None }
}

fn said(message: String, help: &str) -> Words {
    Words { message, help: Some(help.to_owned()), replacement: None }
}

fn replaced(message: String, range: TextRange, text: String) -> Words {
    let help =
        Some(if text.is_empty() { "leave it out".to_owned() } else { format!("write `{}`", text.trim()) });
    Words { message, help, replacement: Some(Replacement { range, text }) }
}

fn empty(range: TextRange) -> ParseProblem {
    let message = "the condition is empty: it never holds".to_owned();
    problem(
        ParseProblemKind::Empty,
        range,
        said(message, "leave the condition out for an edge that is always followed"),
    )
}

fn unexpected_end(end: FiltrexLexeme<'_>, wanted: ExpectedToken, last: FiltrexLexeme<'_>) -> ParseProblem {
    let words = match wanted {
        ExpectedToken::Operand => just(format!("nothing follows `{}`", quote(last.text))),
        ExpectedToken::Operator | ExpectedToken::Close => {
            said("a parenthesis is not closed".to_owned(), "write `)` at the end")
        }
        ExpectedToken::Then => said("`if` without `then`".to_owned(), "write `if a then b else c`"),
        ExpectedToken::Else => said("`if` without `else`".to_owned(), "write `if a then b else c`"),
        ExpectedToken::Colon => said("`?` without `:`".to_owned(), "write `if a then b else c`"),
    };
    problem(ParseProblemKind::UnexpectedEnd, end.range(), words)
}

/// Another language's spelling; a word keeps a blank on both sides.
fn foreign(text: &str, lexeme: FiltrexLexeme<'_>, meant: &str) -> Words {
    let message = format!("`{}` is not part of the language", quote(lexeme.text));
    let mut written = meant.to_owned();
    if meant.starts_with(|first: char| first.is_ascii_alphabetic()) {
        let before = text.get(..lexeme.start as usize).and_then(|before| before.chars().next_back());
        let after = text.get(lexeme.end() as usize..).and_then(|after| after.chars().next());
        if before.is_some_and(|before| !is_blank(before) && before != '(') {
            written.insert(0, ' ');
        }
        if after.is_none_or(|after| !is_blank(after)) {
            written.push(' ');
        }
    }
    replaced(message, lexeme.range(), written)
}

/// A keyword swallows the character after it, so a space must follow that can be swallowed.
fn swallows(text: &str, lexeme: FiltrexLexeme<'_>) -> Words {
    let next = text.get(lexeme.end() as usize..).and_then(|after| after.chars().next()).unwrap_or(' ');
    let shown = quote(&next.to_string());
    let message = format!("`{}` needs a blank behind it, or `{shown}` is lost", quote(lexeme.text));
    let help = format!("write `{} {shown}`", quote(lexeme.text));
    let replacement = Replacement { range: TextRange::empty(lexeme.range().end()), text: " ".to_owned() };
    Words { message, help: Some(help), replacement: Some(replacement) }
}

/// A backslash stands for itself when it is doubled.
fn escape(lexeme: FiltrexLexeme<'_>, at: u32) -> Words {
    let escaped = lexeme.text.get(at as usize + 1..).and_then(|rest| rest.chars().next());
    let shown: String = escaped.into_iter().collect();
    let message = format!("`\\{}` is no escape; only `\\\\` and `\\\"` are", quote(&shown));
    let mut literal = String::with_capacity(lexeme.text.len() + 2);
    let mut characters = lexeme.text.chars().peekable();
    while let Some(character) = characters.next() {
        literal.push(character);
        if character == '\\' {
            match characters.next_if(|next| matches!(next, '"' | '\'' | '\\')) {
                Some(escaped) => literal.push(escaped),
                None => literal.push('\\'),
            }
        }
    }
    replaced(message, lexeme.range(), literal)
}

fn number(lexeme: FiltrexLexeme<'_>) -> Words {
    let message = format!("`{}` is no number of the language", quote(lexeme.text));
    let value = text_to_number(&lexeme.text.replace('_', ""));
    let plain = number_to_text(value);
    if plain.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        return replaced(message, lexeme.range(), plain);
    }
    said(message, "numbers are digits, with a point between digits or without")
}

fn index(lexeme: FiltrexLexeme<'_>) -> Words {
    let message = "brackets are not part of the language".to_owned();
    let key = lexeme.text.trim_matches(['[', ']', '"', '\'']);
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$');
    if !key.is_empty() && key.bytes().all(is_plain) {
        return replaced(message, lexeme.range(), format!(".{key}"));
    }
    said(message, "a key of other characters than letters, digits, `_` is out of reach")
}

fn illegal_help(text: &str) -> Option<&'static str> {
    Some(match text.chars().next()? {
        '[' | ']' => "reach into a value with dots: `memory.items.0`",
        '{' | '}' => "write the name without braces",
        '#' => "conditions have no comments",
        '/' => "conditions have no comments",
        ';' => "leave it out",
        '.' => "a name begins with a letter, `_` or `$`",
        '?' => "write `if exists(a) then a else b`",
        '`' | '‘' | '’' | '“' | '”' => "write `'` or `\"` around a text",
        '\\' => "`\\` stands in texts alone",
        letter if letter.is_alphabetic() => "names are made of ASCII letters, digits, `_`, `$` and dots",
        _ => return None,
    })
}

/// What is expected, in words.
fn name(wanted: ExpectedToken) -> &'static str {
    match wanted {
        ExpectedToken::Operand => "a value",
        ExpectedToken::Operator => "an operator",
        ExpectedToken::Close => "`)`",
        ExpectedToken::Then => "`then`",
        ExpectedToken::Else => "`else`",
        ExpectedToken::Colon => "`:`",
    }
}

fn help(found: FiltrexToken, wanted: ExpectedToken) -> Option<&'static str> {
    Some(match (found, wanted) {
        (FiltrexToken::Not, ExpectedToken::Operator) => "write `not in`, or put `not` before the comparison",
        (FiltrexToken::NotIn, ExpectedToken::Operand) => "write `x not in (a, b)`",
        (FiltrexToken::Slash, ExpectedToken::Operand) => "a pattern stands in quotes, behind `~=`",
        (FiltrexToken::Of, ExpectedToken::Operator) => "only a name can stand before `of`",
        (FiltrexToken::Open, ExpectedToken::Operator) => "only a name can be called",
        (FiltrexToken::Then | FiltrexToken::Else, _) => "write `if a then b else c`",
        (FiltrexToken::Comma, ExpectedToken::Operator) => "a list stands in parentheses: `(a, b)`",
        (FiltrexToken::Number | FiltrexToken::Text | FiltrexToken::If, ExpectedToken::Operator) => {
            "join two terms with `and` or `or`"
        }
        (kind, ExpectedToken::Operand) if kind.is_keyword() => "write a value on both sides of the operator",
        _ => return None,
    })
}

/// A word where an operator is expected.
fn foreign_word(text: &str, tokens: &[FiltrexLexeme<'_>], index: usize) -> Words {
    let Some(word) = tokens.get(index) else { return just(String::new()) };
    let shown = quote(word.text);
    let message = format!("`{shown}` cannot stand here: an operator is expected");
    match word.text.to_ascii_lowercase().as_str() {
        "is" => presence(text, tokens, index).unwrap_or_else(|| said(message, "write `==` or `!=`")),
        "eq" | "equals" => replaced(message, word.range(), "==".to_owned()),
        "ne" => replaced(message, word.range(), "!=".to_owned()),
        "gt" => replaced(message, word.range(), ">".to_owned()),
        "gte" | "ge" => replaced(message, word.range(), ">=".to_owned()),
        "lt" => replaced(message, word.range(), "<".to_owned()),
        "lte" | "le" => replaced(message, word.range(), "<=".to_owned()),
        "matches" | "like" => replaced(message, word.range(), "~=".to_owned()),
        "contains" | "includes" => said(message, "write `includes(list, value)`"),
        "startswith" => said(message, "write `x ~= '^start'`"),
        "endswith" => said(message, "write `x ~= 'end$'`"),
        "div" => replaced(message, word.range(), "/".to_owned()),
        "xor" => said(message, "write `a != b`"),
        _ => said(message, "join two terms with `and` or `or`"),
    }
}

/// `x is null`, `x is not null`: tests of whether something is there.
fn presence(text: &str, tokens: &[FiltrexLexeme<'_>], index: usize) -> Option<Words> {
    let subject = tokens.get(index.checked_sub(1)?).filter(|subject| subject.kind == FiltrexToken::Symbol)?;
    let starts_term = match index.checked_sub(2) {
        None => true,
        Some(before) => tokens.get(before).is_some_and(|before| {
            matches!(
                before.kind,
                FiltrexToken::And | FiltrexToken::Or | FiltrexToken::Open | FiltrexToken::If
            )
        }),
    };
    let negated = tokens.get(index + 1).is_some_and(|next| next.text.eq_ignore_ascii_case("not"));
    let literal = tokens.get(index + if negated { 2 } else { 1 })?;
    let literal_name = literal.text.to_ascii_lowercase();
    if !starts_term || !matches!(literal_name.as_str(), "null" | "none" | "undefined" | "nil" | "empty") {
        return None;
    }
    let name = text.get(subject.start as usize..subject.end() as usize)?;
    let function = if literal_name == "empty" { "empty" } else { "exists" };
    let negation = if negated == (function == "empty") { "not " } else { "" };
    let range = subject.range().cover(literal.range());
    Some(replaced(
        format!("`is` is no operator; `{function}` asks for that"),
        range,
        format!("{negation}{function}({name})"),
    ))
}

//! Compares the class of each character of an expression, between the lexers of nodewise and the grammars.
//!
//! Input is the conformance tables. Output is whether all agree. The texts are those that nodewise and tree-sitter read
//! alike. For TextMate, only those on one line. Invariant: spaces and punctuation are not compared.

use std::ops::Range;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use nodewise_expr::ast::Expr;
use nodewise_expr::language::Language;
use nodewise_expr::token::TokenClass;
use serde_json::Value;

use super::Grammar;
use super::ledger::{Subject, Tally};
use super::tools::Tools;

/// The classes of a text, one letter for each character. Names and unknown characters also have letters, so that a
/// difference is easy to read.
type Classes = String;

const NOTHING: char = ' ';

/// Compares the captures of tree-sitter's highlights, and prints differences that are not in the ledger.
pub(crate) fn check_highlights(tools: &Tools, grammar: &Grammar, rows: &[(&str, Expr)]) -> Result<bool> {
    let texts: Vec<&str> = rows.iter().map(|(text, _)| *text).collect();
    let theirs = captured(&tools.captures(grammar, &texts)?, &texts)?;
    Ok(compare(grammar, Subject::Highlights, rows.iter().zip(theirs)))
}

/// Compares the scopes of TextMate's tokens for texts of one line, and prints differences that are not in the ledger.
pub(crate) fn check_scopes(
    root: &Path,
    tools: &Tools,
    grammar: &Grammar,
    rows: &[(&str, Expr)],
) -> Result<bool> {
    let lines: Vec<&(&str, Expr)> = rows.iter().filter(|(text, _)| !text.contains(['\n', '\r'])).collect();
    let texts: Vec<&str> = lines.iter().map(|(text, _)| *text).collect();
    let file = root.join("grammars/textmate").join(format!("{}.tmLanguage.json", grammar.name));
    let answers = tools.scopes(&file, &texts)?;
    ensure!(answers.len() == texts.len(), "{} answers for {} texts", answers.len(), texts.len());
    let theirs: Result<Vec<Classes>> =
        texts.iter().zip(&answers).map(|(text, answer)| scoped(text, answer)).collect();
    Ok(compare(grammar, Subject::TextMate, lines.into_iter().zip(theirs?)))
}

fn compare<'r>(
    grammar: &Grammar,
    subject: Subject,
    rows: impl Iterator<Item = (&'r (&'r str, Expr), Classes)>,
) -> bool {
    let mut tally = Tally::new(grammar.name, subject);
    let mut count = 0;
    for ((text, expr), theirs) in rows {
        count += 1;
        let ours = our_classes(grammar.language, text);
        if ours != theirs {
            tally.differs(text, Some(expr), &ours, &theirs);
        }
    }
    tally.is_fine(count)
}

fn our_classes(language: Language, text: &str) -> Classes {
    let mut classes = vec![NOTHING; text.len()];
    for token in language.tokens(text) {
        paint(
            &mut classes,
            usize::from(token.range.start())..usize::from(token.range.end()),
            letter(token.class),
        );
    }
    without_blanks(text, &classes)
}

fn letter(class: TokenClass) -> char {
    match class {
        TokenClass::Keyword => 'k',
        TokenClass::Operator => 'o',
        TokenClass::Number => 'n',
        TokenClass::Text | TokenClass::OpenText | TokenClass::Pattern => 's',
        TokenClass::Constant => 'c',
        TokenClass::Word => 'w',
        TokenClass::Name => 'v',
        TokenClass::Property => 'p',
        TokenClass::Function | TokenClass::Builtin => 'f',
        TokenClass::Punctuation | TokenClass::Illegal => NOTHING,
    }
}

/// The class of a capture.
fn letter_of_capture(capture: &str) -> char {
    match capture {
        "keyword.operator" | "keyword.conditional" => 'k',
        "operator" => 'o',
        "number" => 'n',
        "string" => 's',
        "boolean" | "constant.builtin" => 'c',
        "constant" => 'w',
        "variable" => 'v',
        "property" => 'p',
        "function" | "function.builtin" => 'f',
        _ => NOTHING,
    }
}

/// The class of a scope, by the first of these prefixes.
fn letter_of_scope(scope: &str) -> char {
    const SCOPES: [(&str, char); 12] = [
        ("keyword.operator.word", 'k'),
        ("keyword.control", 'k'),
        ("keyword.operator", 'o'),
        ("constant.numeric", 'n'),
        ("string", 's'),
        ("constant.language", 'c'),
        ("constant.other", 'w'),
        ("variable.other.property", 'p'),
        ("variable.other", 'v'),
        ("entity.name.function", 'f'),
        ("support.function", 'f'),
        ("", NOTHING),
    ];
    SCOPES.iter().find(|(prefix, _)| scope.starts_with(prefix)).map_or(NOTHING, |(_, letter)| *letter)
}

/// `    pattern:  0, capture: 0 - variable, start: (0, 0), end: (0, 1), text: …` below each file's name.
fn captured(printed: &str, texts: &[&str]) -> Result<Vec<Classes>> {
    let mut all: Vec<Vec<char>> = Vec::new();
    for line in printed.lines() {
        if let Some((_, number)) = line.rsplit_once('/')
            && number.strip_suffix(".txt") == Some(all.len().to_string().as_str())
        {
            let text = texts.get(all.len()).context("more files than texts")?;
            all.push(vec![NOTHING; text.len()]);
        } else if let Some(capture) = line.strip_prefix("    pattern:") {
            let text = texts.get(all.len().saturating_sub(1)).context("a capture in no file")?;
            let classes = all.last_mut().context("a capture in no file")?;
            let (name, range) = capture_of(capture, text).with_context(|| format!("unknown line: {line}"))?;
            paint(classes, range, letter_of_capture(name));
        }
    }
    ensure!(all.len() == texts.len(), "captures of {} files for {} texts", all.len(), texts.len());
    Ok(all.iter().zip(texts).map(|(classes, text)| without_blanks(text, classes)).collect())
}

fn capture_of<'l>(line: &'l str, text: &str) -> Option<(&'l str, Range<usize>)> {
    let (_, rest) = line.split_once(" - ")?;
    let (name, rest) = rest.split_once(", start: (")?;
    let (start, rest) = rest.split_once("), end: (")?;
    let (end, _) = rest.split_once(')')?;
    let offset = |point: &str| {
        let (row, column) = point.split_once(", ")?;
        let starts = text.match_indices('\n').map(|(at, _)| at + 1);
        let line = std::iter::once(0).chain(starts).nth(row.parse().ok()?)?;
        Some(line + column.parse::<usize>().ok()?)
    };
    Some((name, offset(start)?..offset(end)?))
}

/// Reads a list of `[start, end, scope]`, in UTF-16 units.
fn scoped(text: &str, answer: &Value) -> Result<Classes> {
    let mut classes = vec![NOTHING; text.len()];
    for token in answer.as_array().context("no list of tokens")? {
        let place = |index: usize| token[index].as_u64().and_then(|unit| byte_offset(text, unit));
        let (Some(start), Some(end)) = (place(0), place(1)) else { continue };
        paint(&mut classes, start..end, letter_of_scope(token[2].as_str().unwrap_or_default()));
    }
    Ok(without_blanks(text, &classes))
}

fn byte_offset(text: &str, unit: u64) -> Option<usize> {
    let mut units = 0;
    let ends = text.char_indices().map(|(at, character)| (at, character.len_utf16() as u64));
    for (at, length) in ends.chain([(text.len(), 1)]) {
        if units >= unit {
            return Some(at);
        }
        units += length;
    }
    None
}

fn paint(classes: &mut [char], range: Range<usize>, letter: char) {
    for class in classes.get_mut(range).unwrap_or_default() {
        *class = letter;
    }
}

/// The classes of the characters, without those of spaces.
fn without_blanks(text: &str, classes: &[char]) -> Classes {
    let class = |(at, character): (usize, char)| match character.is_whitespace() {
        true => NOTHING,
        false => classes.get(at).copied().unwrap_or(NOTHING),
    };
    text.char_indices().map(class).collect()
}

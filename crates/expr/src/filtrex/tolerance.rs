//! The tokens that the author meant, in a text that is not filtrex.
//!
//! Input: a text that the release refuses; output: tokens in which other languages' spellings count as filtrex' own,
//! each with its [`SyntaxFault`]. Invariant: the tokens are in reading order, do not overlap, and cover every byte
//! that is not a space.

use super::lexer::{self, FiltrexLexeme, FiltrexToken};
use crate::javascript::is_blank;

/// Why the language does not have a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SyntaxFault {
    /// Another language's spelling of this.
    Foreign(&'static str),
    /// A keyword without a space after it: the release loses the next character.
    Swallows,
    /// A name that begins with a keyword.
    KeywordName,
    /// A text with the other quote in it.
    MixedQuotes,
    /// A text with an invalid escape, at this byte of the text.
    Escape(u32),
    /// A text without its closing quote.
    OpenText,
    /// A number in a notation that is not known.
    Number,
    /// A regular expression between slashes.
    RegularExpression,
    /// A key or index in brackets.
    Index,
    /// A character without a meaning.
    Illegal,
}

/// Spellings of other languages, and those of filtrex that begin like them. One that begins with a shorter one comes
/// before it.
const FOREIGN: &[(&str, FiltrexToken, Option<SyntaxFault>)] = &[
    ("!==", FiltrexToken::NotEqual, Some(SyntaxFault::Foreign("!="))),
    ("===", FiltrexToken::Equal, Some(SyntaxFault::Foreign("=="))),
    ("!=", FiltrexToken::NotEqual, None),
    ("==", FiltrexToken::Equal, None),
    (">=", FiltrexToken::GreaterOrEqual, None),
    ("<=", FiltrexToken::LessOrEqual, None),
    ("~=", FiltrexToken::Matches, None),
    ("&&", FiltrexToken::And, Some(SyntaxFault::Foreign("and"))),
    ("||", FiltrexToken::Or, Some(SyntaxFault::Foreign("or"))),
    ("??", FiltrexToken::Illegal, Some(SyntaxFault::Illegal)),
    ("?.", FiltrexToken::Illegal, Some(SyntaxFault::Foreign("."))),
    ("//", FiltrexToken::Illegal, Some(SyntaxFault::Illegal)),
    ("<>", FiltrexToken::NotEqual, Some(SyntaxFault::Foreign("!="))),
    ("=~", FiltrexToken::Matches, Some(SyntaxFault::Foreign("~="))),
    ("=>", FiltrexToken::GreaterOrEqual, Some(SyntaxFault::Foreign(">="))),
    ("=<", FiltrexToken::LessOrEqual, Some(SyntaxFault::Foreign("<="))),
    ("**", FiltrexToken::Caret, Some(SyntaxFault::Foreign("^"))),
    ("=", FiltrexToken::Equal, Some(SyntaxFault::Foreign("=="))),
    ("!", FiltrexToken::Not, Some(SyntaxFault::Foreign("not"))),
    ("&", FiltrexToken::And, Some(SyntaxFault::Foreign("and"))),
    ("|", FiltrexToken::Or, Some(SyntaxFault::Foreign("or"))),
    ("≠", FiltrexToken::NotEqual, Some(SyntaxFault::Foreign("!="))),
    ("≥", FiltrexToken::GreaterOrEqual, Some(SyntaxFault::Foreign(">="))),
    ("≤", FiltrexToken::LessOrEqual, Some(SyntaxFault::Foreign("<="))),
];

/// The tokens of a text that is no expression.
pub(crate) fn lex(text: &str) -> Vec<FiltrexLexeme<'_>> {
    let mut lexer = Lexer { text, position: lexer::first_position(text), lexemes: Vec::new() };
    while let Some(rest) = text.get(lexer.position..)
        && let Some(first) = rest.chars().next()
    {
        if is_blank(first) {
            lexer.position += first.len_utf8();
        } else {
            lexer.token(rest, first);
        }
    }
    lexer.push(FiltrexToken::End, 0, None);
    let mut lexemes = lexer.lexemes;
    read_capitals(&mut lexemes);
    read_brackets(&mut lexemes);
    lexemes
}

struct Lexer<'t> {
    text: &'t str,
    position: usize,
    lexemes: Vec<FiltrexLexeme<'t>>,
}

impl Lexer<'_> {
    fn push(&mut self, kind: FiltrexToken, length: usize, fault: Option<SyntaxFault>) {
        let lexeme = FiltrexLexeme::new(kind, self.text, self.position, length);
        self.lexemes.push(FiltrexLexeme { fault, ..lexeme });
        self.position += length;
    }

    fn token(&mut self, rest: &str, first: char) {
        let foreign = FOREIGN.iter().find(|(spelling, ..)| rest.starts_with(spelling));
        if let Some((kind, length)) = keyword(rest) {
            self.keyword(rest, kind, length);
        } else if let Some(length) = self.regular_expression(rest) {
            self.push(FiltrexToken::Text, length, Some(SyntaxFault::RegularExpression));
        } else if let Some((spelling, kind, fault)) = foreign {
            self.push(*kind, spelling.len(), *fault);
        } else if let Some((kind, length)) = lexer::sign(rest) {
            self.push(kind, length, None);
        } else if first.is_ascii_digit() || (first == '.' && lexer::digits(rest) > 1) {
            self.number(rest);
        } else if matches!(first, '"' | '\'') {
            let (length, fault) = text(rest, first);
            self.push(FiltrexToken::Text, length, fault);
        } else if let Some(length) = lexer::symbol(rest) {
            self.push(FiltrexToken::Symbol, length, None);
        } else if first == '[' {
            self.bracket(rest);
        } else {
            let letters = rest.chars().take_while(|letter| letter.is_alphanumeric());
            let length = letters.map(char::len_utf8).sum::<usize>().max(first.len_utf8());
            self.push(FiltrexToken::Illegal, length, Some(SyntaxFault::Illegal));
        }
    }

    fn keyword(&mut self, rest: &str, kind: FiltrexToken, length: usize) {
        match rest.get(length..).and_then(|behind| behind.chars().next()) {
            Some('.' | '$') => {
                let length = lexer::symbol(rest).unwrap_or(length);
                self.push(FiltrexToken::Symbol, length, Some(SyntaxFault::KeywordName));
            }
            Some(next) if !is_blank(next) => self.push(kind, length, Some(SyntaxFault::Swallows)),
            _ => self.push(kind, length, None),
        }
    }

    fn number(&mut self, rest: &str) {
        let length = lexer::digits(rest);
        let written = rest.get(..length).unwrap_or_default();
        let behind = rest.get(length..).unwrap_or_default();
        let word = lexer::word(behind);
        let is_octal = lexer::is_octal(written) && written.contains('.');
        let is_faulty = is_octal || written.starts_with('.');
        if lexer::keyword_token(word).is_some() {
            self.push(FiltrexToken::Number, length, is_faulty.then_some(SyntaxFault::Number));
            return;
        }
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.');
        let mut further = behind.bytes().take_while(is_part).count();
        let has_exponent = behind.get(..further).is_some_and(|suffix| suffix.ends_with(['e', 'E']));
        let exponent = behind.get(further..).unwrap_or_default();
        if has_exponent && let Some(digits) = exponent.strip_prefix(['+', '-']) {
            further += 1 + lexer::word(digits).len();
        }
        let is_faulty = is_faulty || further > 0;
        self.push(FiltrexToken::Number, length + further, is_faulty.then_some(SyntaxFault::Number));
    }

    /// The length of a regular expression between slashes, if an operand is expected.
    fn regular_expression(&self, rest: &str) -> Option<usize> {
        let wants = self.lexemes.last().is_some_and(|last| last.kind == FiltrexToken::Matches);
        let inner = rest.strip_prefix('/').filter(|_| wants)?;
        let length = inner.find(['/', '"', '\'', '\n'])?;
        inner.get(length..)?.starts_with('/').then_some(length + 2)
    }

    /// Adds `['key']` or `[0]` after a name or another index; otherwise only the bracket.
    fn bracket(&mut self, rest: &str) {
        let is_index = self.lexemes.last().is_some_and(|last| {
            matches!(last.kind, FiltrexToken::Symbol | FiltrexToken::Index)
                && last.end() as usize == self.position
        });
        match index_length(rest).filter(|_| is_index) {
            Some(length) => self.push(FiltrexToken::Index, length, Some(SyntaxFault::Index)),
            None => self.push(FiltrexToken::Illegal, 1, Some(SyntaxFault::Illegal)),
        }
    }
}

/// The keyword at the start of a text. Unlike in the exact reading, the text may end after it.
fn keyword(rest: &str) -> Option<(FiltrexToken, usize)> {
    let at_end = || lexer::keyword_token(rest).map(|kind| (kind, rest.len()));
    lexer::keyword(rest).or_else(at_end)
}

/// The length of a text: up to the quote that it began with. If there is none, up to the next quote of any kind, or
/// the end of the line.
fn text(rest: &str, quote: char) -> (usize, Option<SyntaxFault>) {
    let mut escape = None;
    let mut other_quote = None;
    let mut line_end = None;
    let mut characters = rest.char_indices().skip(1);
    while let Some((index, character)) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some((_, '"' | '\'' | '\\')) => {}
                _ => escape = escape.or(Some(index)),
            },
            '\n' => line_end = line_end.or(Some(index)),
            '"' | '\'' if character == quote => {
                let mixed = other_quote.map(|_| SyntaxFault::MixedQuotes);
                return (index + 1, mixed.or(escape.map(|at| SyntaxFault::Escape(at as u32))));
            }
            '"' | '\'' => other_quote = other_quote.or(Some(index)),
            _ => {}
        }
    }
    match other_quote {
        Some(index) => (index + 1, escape.filter(|at| *at < index).map(|at| SyntaxFault::Escape(at as u32))),
        None => (line_end.unwrap_or(rest.len()), Some(SyntaxFault::OpenText)),
    }
}

fn index_length(rest: &str) -> Option<usize> {
    let inner = rest.get(1..)?;
    let (_, length) = lexer::operand(inner)
        .filter(|(kind, _)| matches!(kind, FiltrexToken::Number | FiltrexToken::Text))?;
    inner.get(length..)?.starts_with(']').then_some(length + 2)
}

/// Reads `AND`, `Or`, `NOT` as keywords where a keyword makes sense and a name does not.
fn read_capitals(lexemes: &mut [FiltrexLexeme<'_>]) {
    let mut ends_operand = false;
    for index in 0..lexemes.len() {
        let begins_operand = lexemes.get(index + 1).is_some_and(|next| next.kind.begins_operand());
        let next_is_open = lexemes.get(index + 1).is_some_and(|next| next.kind == FiltrexToken::Open);
        let Some(lexeme) = lexemes.get_mut(index) else { return };
        if lexeme.kind == FiltrexToken::Symbol
            && lexeme.text.len() <= "then".len()
            && let Some(kind) = keyword_token_in_any_case(lexeme.text)
        {
            let is_prefix = matches!(kind.0, FiltrexToken::Not | FiltrexToken::If);
            if ends_operand != is_prefix && (ends_operand || (begins_operand && !next_is_open)) {
                lexeme.kind = kind.0;
                lexeme.fault = Some(SyntaxFault::Foreign(kind.1));
            }
        }
        ends_operand = lexeme.kind.ends_operand();
    }
}

fn keyword_token_in_any_case(word: &str) -> Option<(FiltrexToken, &'static str)> {
    const WORDS: [&str; 9] = ["and", "or", "not", "in", "of", "if", "then", "else", "mod"];
    let lower = WORDS.iter().find(|lower| word.eq_ignore_ascii_case(lower))?;
    lexer::keyword_token(lower).map(|kind| (kind, *lower))
}

/// Reads `[1, 2]` as a list where a list is possible.
fn read_brackets(lexemes: &mut [FiltrexLexeme<'_>]) {
    let mut ends_operand = false;
    let mut is_list = Vec::new();
    for lexeme in lexemes {
        match lexeme.text {
            "[" if lexeme.kind == FiltrexToken::Illegal => {
                is_list.push(!ends_operand);
                if !ends_operand {
                    (lexeme.kind, lexeme.fault) = (FiltrexToken::Open, Some(SyntaxFault::Foreign("(")));
                }
            }
            "]" if lexeme.kind == FiltrexToken::Illegal && is_list.pop() == Some(true) => {
                (lexeme.kind, lexeme.fault) = (FiltrexToken::Close, Some(SyntaxFault::Foreign(")")));
            }
            _ => {}
        }
        ends_operand = lexeme.kind.ends_operand();
    }
}

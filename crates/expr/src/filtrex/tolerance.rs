//! The tokens that were meant, in a text that is no filtrex.
//!
//! Input: a text that the release refuses; output: tokens in which other languages' spellings stand for filtrex'
//! own, each with its [`Fault`]. Invariant: the tokens are in reading order, do not overlap, and cover every byte
//! that is no blank.

use super::lexer::{self, Lexeme, Token};
use crate::javascript::is_blank;

/// Why a token is none of the language's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Another language's spelling of this.
    Foreign(&'static str),
    /// A keyword whose next character is no blank, and is lost.
    Swallows,
    /// A name that begins with a keyword.
    KeywordName,
    /// A text with the other quote in it.
    MixedQuotes,
    /// A text with an escape that is none, at this byte of it.
    Escape(u32),
    /// A text without its closing quote.
    OpenText,
    /// A number in a notation that is not known.
    Number,
    /// A regular expression between slashes.
    RegularExpression,
    /// A key or index in brackets.
    Index,
    /// What has no meaning here.
    Illegal,
}

/// Spellings of other languages, and those of this one that begin like them; the longer first.
const FOREIGN: &[(&str, Token, Option<Fault>)] = &[
    ("!==", Token::NotEqual, Some(Fault::Foreign("!="))),
    ("===", Token::Equal, Some(Fault::Foreign("=="))),
    ("!=", Token::NotEqual, None),
    ("==", Token::Equal, None),
    (">=", Token::GreaterOrEqual, None),
    ("<=", Token::LessOrEqual, None),
    ("~=", Token::Matches, None),
    ("&&", Token::And, Some(Fault::Foreign("and"))),
    ("||", Token::Or, Some(Fault::Foreign("or"))),
    ("??", Token::Illegal, Some(Fault::Illegal)),
    ("?.", Token::Illegal, Some(Fault::Foreign("."))),
    ("//", Token::Illegal, Some(Fault::Illegal)),
    ("<>", Token::NotEqual, Some(Fault::Foreign("!="))),
    ("=~", Token::Matches, Some(Fault::Foreign("~="))),
    ("=>", Token::GreaterOrEqual, Some(Fault::Foreign(">="))),
    ("=<", Token::LessOrEqual, Some(Fault::Foreign("<="))),
    ("**", Token::Caret, Some(Fault::Foreign("^"))),
    ("=", Token::Equal, Some(Fault::Foreign("=="))),
    ("!", Token::Not, Some(Fault::Foreign("not"))),
    ("&", Token::And, Some(Fault::Foreign("and"))),
    ("|", Token::Or, Some(Fault::Foreign("or"))),
    ("≠", Token::NotEqual, Some(Fault::Foreign("!="))),
    ("≥", Token::GreaterOrEqual, Some(Fault::Foreign(">="))),
    ("≤", Token::LessOrEqual, Some(Fault::Foreign("<="))),
];

/// The tokens of a text that is no expression.
pub(crate) fn lex(text: &str) -> Vec<Lexeme<'_>> {
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
    lexer.push(Token::End, 0, None);
    let mut lexemes = lexer.lexemes;
    read_capitals(&mut lexemes);
    read_brackets(&mut lexemes);
    lexemes
}

struct Lexer<'t> {
    text: &'t str,
    position: usize,
    lexemes: Vec<Lexeme<'t>>,
}

impl Lexer<'_> {
    fn push(&mut self, kind: Token, length: usize, fault: Option<Fault>) {
        let lexeme = Lexeme::new(kind, self.text, self.position, length);
        self.lexemes.push(Lexeme { fault, ..lexeme });
        self.position += length;
    }

    fn token(&mut self, rest: &str, first: char) {
        let foreign = FOREIGN.iter().find(|(spelling, ..)| rest.starts_with(spelling));
        if let Some((kind, length)) = keyword(rest) {
            self.keyword(rest, kind, length);
        } else if let Some(length) = self.regular_expression(rest) {
            self.push(Token::Text, length, Some(Fault::RegularExpression));
        } else if let Some((spelling, kind, fault)) = foreign {
            self.push(*kind, spelling.len(), *fault);
        } else if let Some((kind, length)) = lexer::sign(rest) {
            self.push(kind, length, None);
        } else if first.is_ascii_digit() || (first == '.' && lexer::digits(rest) > 1) {
            self.number(rest);
        } else if matches!(first, '"' | '\'') {
            let (length, fault) = text(rest, first);
            self.push(Token::Text, length, fault);
        } else if let Some(length) = lexer::symbol(rest) {
            self.push(Token::Symbol, length, None);
        } else if first == '[' {
            self.bracket(rest);
        } else {
            let letters = rest.chars().take_while(|letter| letter.is_alphanumeric());
            let length = letters.map(char::len_utf8).sum::<usize>().max(first.len_utf8());
            self.push(Token::Illegal, length, Some(Fault::Illegal));
        }
    }

    fn keyword(&mut self, rest: &str, kind: Token, length: usize) {
        match rest.get(length..).and_then(|behind| behind.chars().next()) {
            Some('.' | '$') => {
                let length = lexer::symbol(rest).unwrap_or(length);
                self.push(Token::Symbol, length, Some(Fault::KeywordName));
            }
            Some(next) if !is_blank(next) => self.push(kind, length, Some(Fault::Swallows)),
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
            self.push(Token::Number, length, is_faulty.then_some(Fault::Number));
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
        self.push(Token::Number, length + further, is_faulty.then_some(Fault::Number));
    }

    /// The length of a regular expression between slashes, where one is wanted.
    fn regular_expression(&self, rest: &str) -> Option<usize> {
        let wants = self.lexemes.last().is_some_and(|last| last.kind == Token::Matches);
        let inner = rest.strip_prefix('/').filter(|_| wants)?;
        let length = inner.find(['/', '"', '\'', '\n'])?;
        inner.get(length..)?.starts_with('/').then_some(length + 2)
    }

    /// `['key']`, `[0]` behind a name or another index; else the bracket alone.
    fn bracket(&mut self, rest: &str) {
        let is_index = self.lexemes.last().is_some_and(|last| {
            matches!(last.kind, Token::Symbol | Token::Index) && last.end() as usize == self.position
        });
        match index_length(rest).filter(|_| is_index) {
            Some(length) => self.push(Token::Index, length, Some(Fault::Index)),
            None => self.push(Token::Illegal, 1, Some(Fault::Illegal)),
        }
    }
}

/// The keyword at the start of a text, also at its very end.
fn keyword(rest: &str) -> Option<(Token, usize)> {
    let at_end = || lexer::keyword_token(rest).map(|kind| (kind, rest.len()));
    lexer::keyword(rest).or_else(at_end)
}

/// A text up to the quote that it began with, or, if there is none, to the next quote or the line's end.
fn text(rest: &str, quote: char) -> (usize, Option<Fault>) {
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
                let mixed = other_quote.map(|_| Fault::MixedQuotes);
                return (index + 1, mixed.or(escape.map(|at| Fault::Escape(at as u32))));
            }
            '"' | '\'' => other_quote = other_quote.or(Some(index)),
            _ => {}
        }
    }
    match other_quote {
        Some(index) => (index + 1, escape.filter(|at| *at < index).map(|at| Fault::Escape(at as u32))),
        None => (line_end.unwrap_or(rest.len()), Some(Fault::OpenText)),
    }
}

fn index_length(rest: &str) -> Option<usize> {
    let inner = rest.get(1..)?;
    let (_, length) =
        lexer::operand(inner).filter(|(kind, _)| matches!(kind, Token::Number | Token::Text))?;
    inner.get(length..)?.starts_with(']').then_some(length + 2)
}

/// `AND`, `Or`, `NOT` where the keyword makes sense and a name makes none.
fn read_capitals(lexemes: &mut [Lexeme<'_>]) {
    let mut ends_operand = false;
    for index in 0..lexemes.len() {
        let begins_operand = lexemes.get(index + 1).is_some_and(|next| next.kind.begins_operand());
        let next_is_open = lexemes.get(index + 1).is_some_and(|next| next.kind == Token::Open);
        let Some(lexeme) = lexemes.get_mut(index) else { return };
        if lexeme.kind == Token::Symbol
            && lexeme.text.len() <= "then".len()
            && let Some(kind) = keyword_token_in_any_case(lexeme.text)
        {
            let is_prefix = matches!(kind.0, Token::Not | Token::If);
            if ends_operand != is_prefix && (ends_operand || (begins_operand && !next_is_open)) {
                lexeme.kind = kind.0;
                lexeme.fault = Some(Fault::Foreign(kind.1));
            }
        }
        ends_operand = lexeme.kind.ends_operand();
    }
}

fn keyword_token_in_any_case(word: &str) -> Option<(Token, &'static str)> {
    const WORDS: [&str; 9] = ["and", "or", "not", "in", "of", "if", "then", "else", "mod"];
    let lower = WORDS.iter().find(|lower| word.eq_ignore_ascii_case(lower))?;
    lexer::keyword_token(lower).map(|kind| (kind, *lower))
}

/// `[1, 2]` where a list can stand.
fn read_brackets(lexemes: &mut [Lexeme<'_>]) {
    let mut ends_operand = false;
    let mut is_list = Vec::new();
    for lexeme in lexemes {
        match lexeme.text {
            "[" if lexeme.kind == Token::Illegal => {
                is_list.push(!ends_operand);
                if !ends_operand {
                    (lexeme.kind, lexeme.fault) = (Token::Open, Some(Fault::Foreign("(")));
                }
            }
            "]" if lexeme.kind == Token::Illegal && is_list.pop() == Some(true) => {
                (lexeme.kind, lexeme.fault) = (Token::Close, Some(Fault::Foreign(")")));
            }
            _ => {}
        }
        ends_operand = lexeme.kind.ends_operand();
    }
}

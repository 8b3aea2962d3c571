//! Where in a configuration file a place is, also in half-typed text.
//!
//! Input: a text and an offset. Output: the path to what stands there, and what is typed of it. Invariant: every text
//! has an answer or none; nothing is parsed twice, and nothing fails.

use std::ops::Range;

/// A place in a configuration file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ConfigPlace {
    /// The path of the table around the place. For a value, its own key is the last part.
    pub(super) path: Vec<String>,
    pub(super) kind: Kind,
    /// The range of the word at the place, without its quotes.
    pub(super) word: Range<usize>,
    /// Whether the word is in quotes.
    pub(super) is_quoted: bool,
}

/// What can be written at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// The name of a table between brackets. Holds how many brackets open it.
    Header(usize),
    /// A key. Holds whether it begins its line, outside of inline tables.
    Key(bool),
    /// A value. Holds whether it is an item of a list.
    Value(bool),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token {
    Newline,
    Punct(u8),
    Word,
    /// A text in quotes. Holds how many letters its quotes have, and whether it is closed.
    Text(usize, bool),
    Comment,
}

/// The place at an offset. `None` inside a comment.
pub(super) fn place_at(text: &str, offset: usize) -> Option<ConfigPlace> {
    let mut reader = Reader::default();
    for (token, range) in (Tokens { text, at: 0 }) {
        if range.start >= offset && !(range.start == offset && is_word(token)) {
            break;
        }
        let touches = range.end >= offset && range.end > range.start;
        match token {
            Token::Comment if touches => return None,
            Token::Word if touches => return Some(reader.place(range, false)),
            Token::Text(quotes, is_closed) => {
                let end = range.end - if is_closed { quotes } else { 0 };
                let inner = range.start + quotes..end.max(range.start + quotes);
                if inner.start <= offset && offset <= inner.end {
                    return Some(reader.place(inner, true));
                }
                reader.name(text.get(inner).unwrap_or_default());
            }
            Token::Word => reader.name(text.get(range).unwrap_or_default()),
            Token::Newline => reader.end_line(),
            Token::Punct(letter) => reader.punct(letter),
            Token::Comment => {}
        }
    }
    Some(reader.place(offset..offset, false))
}

fn is_word(token: Token) -> bool {
    matches!(token, Token::Word)
}

/// What was read before the place.
#[derive(Debug, Default)]
struct Reader {
    /// The table that the last header names.
    table: Vec<String>,
    /// How many brackets open the header that is being read. `None` outside of a header.
    brackets: Option<usize>,
    /// The inline tables and lists around: the keys in front of each one, and whether it is a list.
    around: Vec<(Vec<String>, bool)>,
    /// The keys in front of the value, or of the key that is read.
    key: Vec<String>,
    is_value: bool,
}

impl Reader {
    fn place(&self, word: Range<usize>, is_quoted: bool) -> ConfigPlace {
        let mut path = Vec::new();
        let kind = match self.brackets {
            Some(brackets) => Kind::Header(brackets),
            None => {
                path.clone_from(&self.table);
                match self.is_value {
                    true => Kind::Value(self.around.last().is_some_and(|(_, is_list)| *is_list)),
                    false => Kind::Key(self.around.is_empty() && self.key.is_empty()),
                }
            }
        };
        path.extend(self.around.iter().flat_map(|(keys, _)| keys).cloned());
        path.extend(self.key.iter().cloned());
        ConfigPlace { path, kind, word, is_quoted }
    }

    fn name(&mut self, name: &str) {
        if self.brackets.is_some() || !self.is_value {
            self.key.push(name.to_owned());
        }
    }

    fn end_line(&mut self) {
        if self.brackets.take().is_some() {
            self.table = std::mem::take(&mut self.key);
        }
        if self.around.is_empty() {
            self.key.clear();
            self.is_value = false;
        }
    }

    fn punct(&mut self, letter: u8) {
        let is_list = self.around.last().is_some_and(|(_, is_list)| *is_list);
        match (letter, self.brackets) {
            (b'[', Some(brackets)) => self.brackets = Some(brackets + 1),
            (b']', Some(_)) => {
                self.brackets = None;
                self.table = std::mem::take(&mut self.key);
                // Nothing stands behind a header.
                self.is_value = true;
            }
            (_, Some(_)) => {}
            (b'[', None) if !self.is_value && self.around.is_empty() && self.key.is_empty() => {
                self.brackets = Some(1);
            }
            (b'=', None) => self.is_value = true,
            (b'[' | b'{', None) if self.is_value => {
                self.around.push((std::mem::take(&mut self.key), letter == b'['));
                self.is_value = letter == b'[';
            }
            (b']' | b'}', None) => {
                if let Some((key, _)) = self.around.pop() {
                    self.key = key;
                    self.is_value = true;
                }
            }
            (b',', None) if !is_list => {
                self.key.clear();
                self.is_value = false;
            }
            _ => {}
        }
    }
}

/// The tokens of a text.
struct Tokens<'t> {
    text: &'t str,
    at: usize,
}

impl Iterator for Tokens<'_> {
    type Item = (Token, Range<usize>);

    fn next(&mut self) -> Option<(Token, Range<usize>)> {
        let bytes = self.text.as_bytes();
        while bytes.get(self.at).is_some_and(|byte| matches!(byte, b' ' | b'\t' | b'\r')) {
            self.at += 1;
        }
        let start = self.at;
        let rest = bytes.get(start..)?;
        let first = *rest.first()?;
        let up_to = |is_end: fn(&u8) -> bool| rest.iter().position(is_end).unwrap_or(rest.len());
        let (token, length) = match first {
            b'\n' => (Token::Newline, 1),
            b'#' => (Token::Comment, up_to(|byte| *byte == b'\n')),
            b'[' | b']' | b'{' | b'}' | b'=' | b',' | b'.' => (Token::Punct(first), 1),
            b'"' | b'\'' => text_token(rest, first),
            _ => (Token::Word, up_to(|byte| b" \t\r\n#[]{}=,.\"'".contains(byte))),
        };
        self.at = start + length;
        Some((token, start..self.at))
    }
}

/// A text in quotes; one that is not closed ends with its line.
fn text_token(rest: &[u8], quote: u8) -> (Token, usize) {
    let quotes = if rest.starts_with(&[quote; 3]) { 3 } else { 1 };
    let mut at = quotes;
    while let Some(byte) = rest.get(at) {
        if rest.get(at..at + quotes).is_some_and(|end| end.iter().all(|byte| *byte == quote)) {
            return (Token::Text(quotes, true), at + quotes);
        }
        if *byte == b'\n' && quotes == 1 {
            break;
        }
        at += if *byte == b'\\' && quote == b'"' { 2 } else { 1 };
    }
    (Token::Text(quotes, false), at.min(rest.len()))
}

//! The path as its author may have meant it.
//!
//! Input: the text of a path, finished or not; output: classified tokens, and the ranges of scripts. The library
//! reads paths by rewriting the whole text, and has no tokens; if it accepts a path, both readings have the same
//! steps. Invariant: every character is read once, except for a few that decide what follows.

use text_size::{TextRange, TextSize};

use super::script::{NAMES, is_name_part, is_name_start, operator_length};
use super::steps::TYPES;
use super::traced::{Character, Traced, range_of, spells, text_of};
use crate::javascript::is_blank;
use crate::token::{Token, TokenClass};

/// A path in pieces.
#[derive(Debug)]
pub(crate) struct Authored {
    /// The tokens, in reading order.
    pub(crate) tokens: Vec<Token>,
    /// The range between the parentheses of each script.
    pub(crate) scripts: Vec<TextRange>,
}

/// The pieces of a path.
pub(crate) fn authored(text: &str) -> Authored {
    let source = Traced::of(text);
    let mut reader = Reader {
        characters: &source.characters,
        at: 0,
        end: TextSize::of(text),
        is_root: true,
        authored: Authored { tokens: Vec::new(), scripts: Vec::new() },
    };
    while reader.peek().is_some() {
        reader.step();
    }
    reader.authored
}

struct Reader<'c> {
    characters: &'c [Character],
    at: usize,
    end: TextSize,
    /// Whether no name has been read yet.
    is_root: bool,
    authored: Authored,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.ahead(0)
    }

    fn ahead(&self, distance: usize) -> Option<char> {
        self.characters.get(self.at + distance).map(|character| character.value)
    }

    /// The offset of the next character.
    fn offset(&self) -> TextSize {
        self.characters.get(self.at).map_or(self.end, |next| next.origin.start())
    }

    /// Takes this many characters as one token.
    fn take(&mut self, class: TokenClass, length: usize) {
        let end = (self.at + length).min(self.characters.len());
        if let Some(range) = self.characters.get(self.at..end).and_then(range_of) {
            self.authored.tokens.push(Token { class, range });
        }
        self.at = end;
    }

    /// How many of the next characters satisfy `is_part`.
    fn run(&self, is_part: impl Fn(char) -> bool) -> usize {
        let rest = self.characters.iter().skip(self.at);
        rest.take_while(|character| is_part(character.value)).count()
    }

    fn word(&self, length: usize) -> String {
        text_of(self.characters.get(self.at..self.at + length).unwrap_or_default())
    }

    /// Reads a piece of the path outside brackets.
    fn step(&mut self) {
        let Some(next) = self.peek() else { return };
        match next {
            _ if is_blank(next) => self.at += 1,
            '.' => {
                let is_descent = self.ahead(1) == Some('.');
                let class = if is_descent { TokenClass::Operator } else { TokenClass::Punctuation };
                self.take(class, 1 + usize::from(is_descent));
            }
            '[' => self.bracket(),
            ']' | '(' | ')' | '\'' | '"' | '`' | ',' => self.take(TokenClass::Punctuation, 1),
            '^' | '~' => self.take(TokenClass::Operator, 1),
            '@' => match self.type_selector() {
                Some(length) => self.take(TokenClass::Function, length),
                None => self.take(TokenClass::Illegal, 1),
            },
            _ => {
                let is_part = |found: char| !matches!(found, '.' | '[' | ']' | '^' | '~' | '@' | '\'' | '"');
                self.plain(self.run(is_part));
            }
        }
    }

    /// The length of `string()` or another type after an `@`, with the `@`.
    fn type_selector(&self) -> Option<usize> {
        let is_here = |word: &&&str| {
            spells(self.characters, self.at + 1, word)
                && spells(self.characters, self.at + 1 + word.len(), "()")
        };
        TYPES.iter().find(is_here).map(|word| word.len() + "@()".len())
    }

    /// Reads a name, an index or a sign, without the spaces after it.
    fn plain(&mut self, length: usize) {
        let word = self.word(length);
        let shown = word.trim_end_matches(is_blank);
        let digits = shown.strip_prefix('-').unwrap_or(shown);
        let class = match shown {
            "$" => TokenClass::Builtin,
            "*" => TokenClass::Operator,
            _ if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) => TokenClass::Number,
            _ => self.name_class(),
        };
        self.take(class, shown.chars().count());
        self.at += word.chars().count() - shown.chars().count();
    }

    fn name_class(&mut self) -> TokenClass {
        if std::mem::take(&mut self.is_root) { TokenClass::Name } else { TokenClass::Property }
    }

    /// Reads brackets and everything in them.
    fn bracket(&mut self) {
        self.take(TokenClass::Punctuation, 1);
        match self.peek() {
            Some(quote @ ('\'' | '"')) if self.closes_name(quote) => self.quoted(quote),
            Some('?') if self.ahead(1) == Some('(') => {
                self.take(TokenClass::Punctuation, 2);
                self.script();
            }
            Some('?') => {
                self.take(TokenClass::Punctuation, 1);
                self.script();
            }
            Some('(') => {
                self.take(TokenClass::Punctuation, 1);
                self.script();
            }
            _ => self.selection(),
        }
    }

    /// Whether the quoted name here is the only thing in its brackets, or is not finished.
    fn closes_name(&self, quote: char) -> bool {
        let inner =
            1 + self.characters.iter().skip(self.at + 1).take_while(|next| next.value != quote).count();
        matches!(self.ahead(inner + 1), None | Some(']'))
    }

    fn quoted(&mut self, quote: char) {
        self.take(TokenClass::Punctuation, 1);
        let length = self.run(|found| found != quote && found != ']');
        let class = self.name_class();
        self.take(class, length);
        if self.peek() == Some(quote) {
            self.take(TokenClass::Punctuation, 1);
        }
        if self.peek() == Some(']') {
            self.take(TokenClass::Punctuation, 1);
        }
    }

    /// Reads names, indices and slices, with commas between them.
    fn selection(&mut self) {
        let class = self.name_class();
        while let Some(next) = self.peek() {
            match next {
                ']' => return self.take(TokenClass::Punctuation, 1),
                ',' | ':' => self.take(TokenClass::Punctuation, 1),
                '[' => return,
                _ if is_blank(next) => self.at += 1,
                _ => {
                    // In brackets, all names of a list are of the same class.
                    self.is_root = class == TokenClass::Name;
                    self.plain(self.run(|found| !matches!(found, ',' | ':' | ']' | '[')));
                }
            }
        }
        self.is_root = false;
    }

    /// Reads a script up to the bracket that ends it.
    fn script(&mut self) {
        let start = self.offset();
        let mut depth = 0usize;
        while let Some(next) = self.peek() {
            match next {
                '(' | '[' => {
                    depth += 1;
                    self.take(TokenClass::Punctuation, 1);
                }
                ')' | ']' if depth > 0 => {
                    depth -= 1;
                    self.take(TokenClass::Punctuation, 1);
                }
                ')' | ']' => break,
                _ if is_blank(next) => self.at += 1,
                _ => self.piece_of_script(next),
            }
        }
        self.authored.scripts.push(TextRange::new(start, self.offset()));
        for closing in [')', ']'] {
            if self.peek() == Some(closing) {
                self.take(TokenClass::Punctuation, 1);
            }
        }
    }

    fn piece_of_script(&mut self, next: char) {
        match next {
            '\'' | '"' => self.text(next),
            '@' => {
                let word = 1 + self.name_length(1);
                let is_known = NAMES.iter().any(|name| name.written == self.word(word));
                let is_current = word == 1 || is_known;
                self.take(if is_current { TokenClass::Builtin } else { TokenClass::Illegal }, word);
            }
            '/' if !self.is_behind_operand() => self.pattern(),
            ',' | ';' => self.take(TokenClass::Punctuation, 1),
            '?' if self.ahead(1) == Some('.') => self.take(TokenClass::Punctuation, 2),
            '?' | ':' => self.take(TokenClass::Operator, 1),
            _ if next.is_ascii_digit()
                || (next == '.' && self.ahead(1).is_some_and(|digit| digit.is_ascii_digit())) =>
            {
                let length = self.run(|found| found.is_ascii_alphanumeric() || found == '.');
                self.take(TokenClass::Number, length);
            }
            '.' => self.take(TokenClass::Punctuation, 1),
            _ if is_name_start(next) => self.name_in_script(),
            _ => match operator_length(self.characters, self.at) {
                Some(length) => self.take(TokenClass::Operator, length),
                None if matches!(next, '!' | '~') => self.take(TokenClass::Operator, 1),
                None => self.take(TokenClass::Illegal, 1),
            },
        }
    }

    /// The length of the name that begins `distance` characters from here.
    fn name_length(&self, distance: usize) -> usize {
        let rest = self.characters.iter().skip(self.at + distance);
        rest.take_while(|character| is_name_part(character.value)).count()
    }

    fn name_in_script(&mut self) {
        let length = self.name_length(0);
        let behind = self.characters.iter().skip(self.at + length).find(|next| !is_blank(next.value));
        let is_called = behind.is_some_and(|next| next.value == '(');
        let is_part = self.last().is_some_and(|(_, spelling)| spelling == '.');
        let class = match self.word(length).as_str() {
            _ if is_called => TokenClass::Function,
            _ if is_part => TokenClass::Property,
            "true" | "false" | "null" | "undefined" => TokenClass::Constant,
            "typeof" | "void" => TokenClass::Keyword,
            _ => TokenClass::Name,
        };
        self.take(class, length);
    }

    fn text(&mut self, quote: char) {
        let mut length = 1;
        while let Some(found) = self.ahead(length) {
            length += 1;
            if found == quote {
                return self.take(TokenClass::Text, length);
            }
            length += usize::from(found == '\\');
        }
        self.take(TokenClass::OpenText, length);
    }

    fn pattern(&mut self) {
        let mut in_class = false;
        let mut length = 1;
        while let Some(found) = self.ahead(length) {
            length += 1;
            match found {
                '/' if !in_class => break,
                '[' => in_class = true,
                ']' => in_class = false,
                '\\' => length += 1,
                _ => {}
            }
        }
        let flags = self.characters.iter().skip(self.at + length);
        let flags = flags.take_while(|flag| flag.value.is_ascii_alphanumeric()).count();
        self.take(TokenClass::Pattern, length + flags);
    }

    /// The last token, and its last character.
    fn last(&self) -> Option<(TokenClass, char)> {
        let last = self.authored.tokens.last()?;
        let before = self.characters.get(..self.at)?.iter().rev().find(|before| !is_blank(before.value))?;
        Some((last.class, before.value))
    }

    /// Whether the last token ends an operand, so that a slash means division.
    fn is_behind_operand(&self) -> bool {
        self.last().is_some_and(|(class, spelling)| match class {
            TokenClass::Operator | TokenClass::Keyword | TokenClass::Illegal => false,
            TokenClass::Punctuation => matches!(spelling, ')' | ']'),
            _ => true,
        })
    }
}

//! Splits a text into words, numbers, texts, signs and spaces, whatever language it is in.

/// A piece of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) kind: Kind,
    pub(super) text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    Number,
    Text,
    /// A text from its opening quote to the end of the whole, without a closing quote.
    OpenText,
    /// Between curly quotes.
    CurlyText,
    Sign,
    Blank,
}

impl Piece {
    pub(super) fn new(kind: Kind, text: impl Into<String>) -> Piece {
        Piece { kind, text: text.into() }
    }
}

impl std::borrow::Borrow<str> for Piece {
    fn borrow(&self) -> &str {
        &self.text
    }
}

/// Signs of several characters. A sign that begins with a shorter one comes before it.
const SIGNS: &[&str] = &[
    "===", "!==", "==", "!=", ">=", "<=", "<>", "=>", "=<", "=~", "!~", "~=", "&&", "||", "??", "?.", "//",
    "/*", "${", "#{", "$.",
];

/// The pieces of a text; together they are the text.
pub(super) fn scan(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (kind, length) = next(rest, first);
        let (piece, behind) = rest.split_at_checked(length.max(first.len_utf8())).unwrap_or((rest, ""));
        pieces.push(Piece::new(kind, piece));
        rest = behind;
    }
    pieces
}

fn next(rest: &str, first: char) -> (Kind, usize) {
    let until = |stop: &dyn Fn(char) -> bool| rest.find(stop).unwrap_or(rest.len());
    match first {
        '\'' | '"' => match closing(rest, first) {
            Some(length) => (Kind::Text, length),
            None => (Kind::OpenText, rest.len()),
        },
        '‘' | '’' | '“' | '”' => {
            let inside = first.len_utf8();
            let is_curly = |letter: char| matches!(letter, '‘' | '’' | '“' | '”');
            let end = rest
                .get(inside..)
                .and_then(|inner| inner.char_indices().find(|(_, letter)| is_curly(*letter)));
            match end {
                Some((at, letter)) => (Kind::CurlyText, inside + at + letter.len_utf8()),
                None => (Kind::Sign, inside),
            }
        }
        _ if first.is_whitespace() => (Kind::Blank, until(&|letter| !letter.is_whitespace())),
        _ if first.is_ascii_digit() => {
            (Kind::Number, until(&|letter| !letter.is_ascii_digit() && letter != '.' && letter != '_'))
        }
        '$' if rest
            .get(1..)
            .is_some_and(|inner| inner.starts_with(|next: char| next.is_ascii_alphabetic())) =>
        {
            let name = rest.get(1..).unwrap_or_default();
            let length = name.find(|letter: char| !is_word(letter)).unwrap_or(name.len());
            (Kind::Word, 1 + length)
        }
        _ if is_word(first) => (Kind::Word, until(&|letter| !is_word(letter))),
        _ => {
            let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
            (Kind::Sign, sign.map_or(first.len_utf8(), |sign| sign.len()))
        }
    }
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// The length of a text with its quotes.
fn closing(rest: &str, mark: char) -> Option<usize> {
    let mut is_escaped = false;
    for (at, letter) in rest.char_indices().skip(1) {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if letter == mark => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// The position of the last piece before this one that is not a space, if an operand may end there.
pub(super) fn word_before(pieces: &[Piece], position: usize) -> Option<usize> {
    let before = (0..position)
        .rev()
        .find(|before| pieces.get(*before).is_some_and(|piece| piece.kind != Kind::Blank))?;
    let piece = pieces.get(before)?;
    let ends = matches!(piece.kind, Kind::Word | Kind::Number | Kind::Text)
        || matches!(piece.text.as_str(), ")" | "]");
    ends.then_some(before)
}

/// The position of the next word.
pub(super) fn word_after(pieces: &[Piece], position: usize) -> Option<usize> {
    let after = (position + 1..pieces.len())
        .find(|after| pieces.get(*after).is_some_and(|piece| piece.kind != Kind::Blank))?;
    pieces.get(after).filter(|piece| piece.kind == Kind::Word).map(|_| after)
}

/// Leaves one space where pieces between two others were removed, and none at both ends.
pub(super) fn tidy_blanks(pieces: &mut Vec<Piece>) {
    pieces.dedup_by(|one, before| one.kind == Kind::Blank && before.kind == Kind::Blank);
    if pieces.first().is_some_and(|piece| piece.kind == Kind::Blank) {
        pieces.remove(0);
    }
    if pieces.last().is_some_and(|piece| piece.kind == Kind::Blank) {
        pieces.pop();
    }
}

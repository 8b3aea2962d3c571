//! A text that is edited several times, as pieces of the original and new text between them. In: edits of the current
//! text. Out: the edits from the original to the current text.

use std::collections::VecDeque;

use nodewise_syntax::edit::TextEdit;
use nodewise_syntax::{TextRange, TextSize};

/// A text in pieces.
pub(super) struct Pieces {
    pieces: Vec<Piece>,
    /// The length of the original.
    length: TextSize,
}

enum Piece {
    /// A part of the original.
    Kept(TextRange),
    /// New text.
    New(String),
}

impl Pieces {
    /// A text without edits.
    pub(super) fn of(text: &str) -> Pieces {
        let length = TextSize::of(text);
        Pieces { pieces: vec![Piece::Kept(TextRange::up_to(length))], length }
    }

    /// Applies edits that are in order and do not overlap.
    pub(super) fn apply(&mut self, edits: &[TextEdit]) {
        let mut rest = VecDeque::from(std::mem::take(&mut self.pieces));
        let mut position = TextSize::new(0);
        for edit in edits {
            self.pieces.extend(taken(&mut rest, edit.range.start() - position));
            taken(&mut rest, edit.range.len());
            self.pieces.push(Piece::New(edit.text.clone()));
            position = edit.range.end();
        }
        self.pieces.extend(rest);
    }

    /// The edits of the original.
    pub(super) fn edits(&self) -> Vec<TextEdit> {
        let mut edits = Vec::new();
        let (mut position, mut new) = (TextSize::new(0), String::new());
        let end = Piece::Kept(TextRange::empty(self.length));
        for piece in self.pieces.iter().chain([&end]) {
            match piece {
                Piece::New(text) => new.push_str(text),
                Piece::Kept(range) => {
                    if position < range.start() || !new.is_empty() {
                        let replaced = TextRange::new(position, range.start());
                        edits.push(TextEdit { range: replaced, text: std::mem::take(&mut new) });
                    }
                    position = range.end();
                }
            }
        }
        edits
    }
}

/// The first pieces of a text, up to a length.
fn taken(rest: &mut VecDeque<Piece>, length: TextSize) -> Vec<Piece> {
    let mut missing = length;
    let mut taken = Vec::new();
    while missing > TextSize::new(0)
        && let Some(piece) = rest.pop_front()
    {
        let own = piece.length();
        if own <= missing {
            missing -= own;
            taken.push(piece);
        } else {
            let (head, tail) = piece.split(missing);
            missing = TextSize::new(0);
            taken.push(head);
            rest.push_front(tail);
        }
    }
    taken
}

impl Piece {
    fn length(&self) -> TextSize {
        match self {
            Piece::Kept(range) => range.len(),
            Piece::New(text) => TextSize::of(text.as_str()),
        }
    }

    fn split(self, at: TextSize) -> (Piece, Piece) {
        match self {
            Piece::Kept(range) => {
                let middle = range.start() + at;
                (
                    Piece::Kept(TextRange::new(range.start(), middle)),
                    Piece::Kept(TextRange::new(middle, range.end())),
                )
            }
            Piece::New(text) => {
                let (head, tail) = text.split_at_checked(at.into()).unwrap_or((&text, ""));
                (Piece::New(head.to_owned()), Piece::New(tail.to_owned()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use nodewise_syntax::edit::{TextEdit, apply_edits};
    use nodewise_syntax::{TextRange, TextSize};

    use super::Pieces;

    type Edits<'a> = &'a [(u32, u32, &'a str)];

    fn check_rounds(text: &str, rounds: &[Edits<'_>], expected: &str, count: usize) {
        let mut pieces = Pieces::of(text);
        let mut now = text.to_owned();
        for round in rounds {
            let edit = |(start, end, text): &(u32, u32, &str)| TextEdit {
                range: TextRange::new(TextSize::new(*start), TextSize::new(*end)),
                text: (*text).to_owned(),
            };
            let mut edits: Vec<TextEdit> = round.iter().map(edit).collect();
            pieces.apply(&edits);
            now = apply_edits(&now, &mut edits).unwrap();
        }
        let mut edits = pieces.edits();
        assert_eq!(now, expected);
        assert_eq!(edits.len(), count);
        assert_eq!(apply_edits(text, &mut edits).unwrap(), expected);
    }

    #[test]
    fn rounds_of_edits_are_one() {
        check_rounds("abcdef", &[], "abcdef", 0);
        check_rounds("abcdef", &[&[(1, 2, "X"), (4, 4, "Y")], &[(0, 1, ""), (5, 6, "ZZ")]], "XcdYZZf", 2);
        check_rounds("abcdef", &[&[(2, 4, "1234")], &[(3, 5, "-")], &[(2, 5, "")]], "abef", 1);
        check_rounds("äö", &[&[(2, 2, "ü")], &[(2, 4, "ß"), (6, 6, "!")]], "äßö!", 2);
    }
}

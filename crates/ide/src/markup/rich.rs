//! Markdown with links whose addresses are not known yet. In: text, and text that links to a place. Out: text, after
//! the caller gives the address of each place. Invariant: the text is the same with and without links.

use nodewise_model::Origin;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MarkupLinkTarget {
    /// A part of a file of the project.
    File(Origin),
    /// A line of a program, from 0.
    Program {
        /// The program's file, relative to the project.
        path: String,
        line: u32,
    },
    /// The page of a rule.
    Rule(&'static str),
}

/// Markdown in pieces.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Rich {
    pieces: Vec<Piece>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Words(String),
    Link(String, MarkupLinkTarget),
}

impl Rich {
    pub(super) fn push(&mut self, words: &str) {
        match self.pieces.last_mut() {
            Some(Piece::Words(last)) => last.push_str(words),
            _ => self.pieces.push(Piece::Words(words.to_owned())),
        }
    }

    /// Adds text that links to a place. Links inside of it are removed.
    pub(super) fn push_link(&mut self, words: &Rich, to: MarkupLinkTarget) {
        self.pieces.push(Piece::Link(words.written(&|_| None), to));
    }

    pub(super) fn append(&mut self, other: &Rich) {
        for piece in &other.pieces {
            match piece {
                Piece::Words(words) => self.push(words),
                link @ Piece::Link(..) => self.pieces.push(link.clone()),
            }
        }
    }

    /// The same with the text of each piece changed.
    pub(super) fn map(&self, change: impl Fn(&str) -> String) -> Rich {
        let changed = self.pieces.iter().map(|piece| match piece {
            Piece::Words(words) => Piece::Words(change(words)),
            Piece::Link(words, to) => Piece::Link(change(words), to.clone()),
        });
        Rich { pieces: changed.collect() }
    }

    /// The text, with links to the places that have an address.
    pub(super) fn written(&self, address: &dyn Fn(&MarkupLinkTarget) -> Option<String>) -> String {
        let mut text = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Words(words) => text.push_str(words),
                Piece::Link(words, to) => match address(to) {
                    Some(address) => text.push_str(&format!("[{words}]({address})")),
                    None => text.push_str(words),
                },
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::{MarkupLinkTarget, Rich};

    #[test]
    fn places_without_an_address_are_words() {
        let mut words = Rich::default();
        words.push("`a`");
        let mut rich = Rich::default();
        rich.push("see ");
        rich.push_link(&words, MarkupLinkTarget::Rule("a"));
        rich.push(", ");
        rich.push_link(&words, MarkupLinkTarget::Rule("b"));
        let address =
            |place: &MarkupLinkTarget| (*place == MarkupLinkTarget::Rule("b")).then(|| "x#L1".to_owned());
        assert_eq!(rich.written(&address), "see `a`, [`a`](x#L1)");
        assert_eq!(rich.map(str::to_uppercase).written(&|_| None), "SEE `A`, `A`");
    }
}

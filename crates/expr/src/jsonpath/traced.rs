//! Text whose characters remember where they were before it was rewritten.
//!
//! Input: a source text; output: a text to cut and rewrite, with ranges in the source. Invariant: the origin of
//! every character lies within the source; what a rewriting inserts has the origin of what it replaces.

use text_size::{TextRange, TextSize};

/// A character and the source it came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Character {
    /// The character.
    pub(super) value: char,
    /// The range in the source that it came from.
    pub(super) origin: TextRange,
}

/// A rewritten text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Traced {
    pub(super) characters: Vec<Character>,
    /// The place in the source of a text that is empty.
    pub(super) place: TextSize,
}

impl Traced {
    /// A text as it stands in the source.
    pub(super) fn of(source: &str) -> Traced {
        let mut characters = Vec::with_capacity(source.len());
        let mut start = TextSize::new(0);
        for value in source.chars() {
            let origin = TextRange::at(start, TextSize::of(value));
            characters.push(Character { value, origin });
            start = origin.end();
        }
        Traced { characters, place: TextSize::new(0) }
    }

    /// A text that was made from a part of the source.
    pub(super) fn made(text: &str, origin: TextRange) -> Traced {
        let characters = text.chars().map(|value| Character { value, origin }).collect();
        Traced { characters, place: origin.start() }
    }

    pub(super) fn text(&self) -> String {
        text_of(&self.characters)
    }

    /// The range in the source that the text covers.
    pub(super) fn range(&self) -> TextRange {
        range_of(&self.characters).unwrap_or(TextRange::empty(self.place))
    }

    pub(super) fn part(&self, from: usize, to: usize) -> Traced {
        let characters = self.characters.get(from..to).unwrap_or_default().to_vec();
        let place = self.characters.get(from).map_or(self.range().end(), |first| first.origin.start());
        Traced { characters, place }
    }

    /// The parts between the separators.
    pub(super) fn split(&self, separator: char) -> Vec<Traced> {
        let mut parts = Vec::new();
        let mut part = Traced { characters: Vec::new(), place: self.place };
        for character in &self.characters {
            if character.value == separator {
                let next = Traced { characters: Vec::new(), place: character.origin.end() };
                parts.push(std::mem::replace(&mut part, next));
            } else {
                part.characters.push(*character);
            }
        }
        parts.push(part);
        parts
    }
}

/// The text of some characters.
pub(super) fn text_of(characters: &[Character]) -> String {
    characters.iter().map(|character| character.value).collect()
}

/// The range in the source that some characters cover.
pub(super) fn range_of(characters: &[Character]) -> Option<TextRange> {
    let mut origins = characters.iter().map(|character| character.origin);
    let first = origins.next()?;
    Some(origins.fold(first, TextRange::cover))
}

/// Whether the characters from `at` on spell `wanted`.
pub(super) fn spells(characters: &[Character], at: usize, wanted: &str) -> bool {
    let mut found = characters.iter().skip(at);
    wanted.chars().all(|value| found.next().is_some_and(|character| character.value == value))
}

/// Appends `text` with the origin of what it replaces.
pub(super) fn insert(out: &mut Vec<Character>, text: &str, origin: TextRange) {
    out.extend(text.chars().map(|value| Character { value, origin }));
}

/// Replaces every `wanted` by `with`.
pub(super) fn replace_all(characters: &[Character], wanted: &str, with: &str) -> Vec<Character> {
    let length = wanted.chars().count();
    let mut out = Vec::with_capacity(characters.len());
    let mut at = 0;
    while let Some(&character) = characters.get(at) {
        if spells(characters, at, wanted) {
            let replaced = characters.get(at..at + length).and_then(range_of);
            insert(&mut out, with, replaced.unwrap_or(character.origin));
            at += length;
        } else {
            out.push(character);
            at += 1;
        }
    }
    out
}

/// Whether JavaScript's `.` in a regular expression does not match the character.
pub(super) fn ends_line(value: char) -> bool {
    matches!(value, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}

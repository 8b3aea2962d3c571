//! What people mean by words that a dialect does not have: synonyms, misspellings, keys of other systems.

use super::{Dialect, Foreign, KeyAlias, Shape};
use crate::suggest::{is_same_but_for_style, meant_word};

impl Dialect {
    /// The key of the shape for which people use this other word.
    #[must_use]
    pub fn aliased(&self, shape: &Shape, word: &str) -> Option<&'static str> {
        let names = |alias: &&'static KeyAlias| {
            alias.shape == shape.name && alias.words.iter().any(|known| is_same_but_for_style(known, word))
        };
        self.aliases.iter().find(names).map(|alias| alias.key)
    }

    /// The word of `words` that was meant: it has `written` as a synonym, or `written` is a misspelling of it.
    #[must_use]
    pub fn meant_word(&self, written: &str, words: &[&'static str]) -> Option<&'static str> {
        let is_other = |other: &&str| {
            *other == written
                || other.chars().any(char::is_alphabetic) && is_same_but_for_style(other, written)
        };
        let said = self.synonyms.iter().filter(|synonym| synonym.others.iter().any(is_other));
        let mut meant = said.filter_map(|synonym| words.iter().copied().find(|word| *word == synonym.word));
        meant.next().or_else(|| meant_word(written, words))
    }

    /// The advice for a key of another system, if the shape has an entry for it.
    #[must_use]
    pub fn foreign(&self, shape: &Shape, key: &str) -> Option<&'static Foreign> {
        let names = |foreign: &&'static Foreign| {
            foreign.shape == shape.name && foreign.keys.iter().any(|known| is_same_but_for_style(known, key))
        };
        self.foreign.iter().find(names)
    }
}

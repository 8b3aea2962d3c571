//! Whether a text may hold a document of a dialect, by its words alone.
//!
//! Input: a text. Output: for each dialect, whether it is worth reading. Most YAML and JSON files belong to other programs, and a search
//! for words costs much less than reading one. Invariant: a text that [`recognise`](super::recognise) would find something
//! in is worth reading.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use memchr::memmem;

use super::meant::is_compound;
use super::word_index::{Beginning, WordIndex};
use super::{EVIDENCE_MIN, NODE, evidence};
use crate::suggest;
use crate::table::{Dialect, Mark, Recognition};
use crate::tables::{self, DIALECTS};

/// The words of the dialects' tables that occur in a text.
#[derive(Debug)]
pub struct HeldWords<'t> {
    text: &'t str,
    /// Computed only when needed: in most texts, the name of a kind already decides.
    found: OnceCell<FoundWords>,
}

/// The result of searching the text.
#[derive(Debug)]
struct FoundWords {
    there: WordSet,
    /// The text has escapes by number or a backslash at the end of a line, so any word may occur.
    may_hold_all: bool,
}

/// A set of table words: one bit for each word number.
#[derive(Debug, Clone, Default)]
struct WordSet(Vec<u64>);

/// The number of bits in each number of a set.
const BITS: usize = u64::BITS as usize;

/// The words of all dialects, and the index to search for them.
struct WordSearch {
    index: WordIndex,
    words: Vec<TableWord>,
    dialects: Vec<DialectWords>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum TableWord {
    /// Exactly this spelling.
    Exact(&'static str),
    /// Any style, such as snake case or camel case.
    Key {
        /// The letters and digits of the word in lower case.
        letters: String,
        /// How many of them form the first part, which has no separator inside in any style.
        together: usize,
    },
}

/// The words that decide whether a text may contain a document of a dialect.
enum DialectWords {
    /// For dialects with kind names: the names, and how strongly each other key suggests the dialect.
    OfKinds {
        compound: WordSet,
        /// Kind names that are everyday words. They count only if `key` occurs too.
        everyday: WordSet,
        key: usize,
        beside: Vec<(usize, u32)>,
    },
    /// For other dialects: one of these sets must occur completely. Each part of a set is a choice of words.
    Sets(Vec<Vec<WordSet>>),
}

impl<'t> HeldWords<'t> {
    /// Prepares the search; the text is searched when an answer needs it.
    #[must_use]
    pub fn of(text: &'t str) -> HeldWords<'t> {
        HeldWords { text, found: OnceCell::new() }
    }

    /// Whether the text may contain a document of the dialect. `false` is certain.
    #[must_use]
    pub fn may_be(&self, dialect: &'static Dialect) -> bool {
        if self.names_kind(dialect) {
            return true;
        }
        let found = self.found.get_or_init(|| FoundWords::search(self.text));
        let words = tables::position(dialect).and_then(|position| SEARCH.dialects.get(position));
        match words {
            _ if found.may_hold_all => true,
            None => true,
            Some(DialectWords::Sets(sets)) => {
                sets.iter().any(|set| set.iter().all(|words| words.meets(&found.there)))
            }
            Some(DialectWords::OfKinds { compound, everyday, key, beside }) => {
                let speaking = beside.iter().filter(|(word, _)| found.there.contains(*word));
                let evidence = speaking.map(|(_, weight)| weight).sum();
                compound.meets(&found.there)
                    || found.there.contains(*key) && everyday.meets(&found.there)
                    || self.may_name_kind(dialect, dialect.discriminator().unwrap_or_default(), evidence)
            }
        }
    }

    /// Whether the key for the kind is followed by the name of a kind.
    fn names_kind(&self, dialect: &'static Dialect) -> bool {
        let is_name = |behind| matches!(behind, Behind::Value(value) if dialect.kind(value).is_some());
        dialect.discriminator().is_some_and(|key| self.behind(key).any(is_name))
    }

    /// Whether the value of the kind's key is almost a kind name, or any word if the other keys suggest the dialect
    /// strongly enough.
    fn may_name_kind(&self, dialect: &'static Dialect, key: &str, beside: u32) -> bool {
        self.behind(key).any(|behind| match behind {
            Behind::OtherWord => false,
            Behind::Unclear => true,
            Behind::Value(value) => {
                let names = dialect.kinds.iter().map(|kind| kind.name);
                let begins = names.clone().any(|name| name.strip_prefix(value) == Some(NODE));
                let is_enough = beside >= if begins { 1 } else { EVIDENCE_MIN };
                is_enough || suggest::nearest(value, names).is_some()
            }
        })
    }

    /// What follows at each position where the key may be.
    fn behind(&self, key: &str) -> impl Iterator<Item = Behind<'t>> {
        let (text, length) = (self.text, key.len());
        let places = memmem::find_iter(text.as_bytes(), key.as_bytes());
        places.map(move |at| Behind::of(text.get(at + length..).unwrap_or_default()))
    }
}

impl FoundWords {
    fn search(text: &str) -> FoundWords {
        let search = &*SEARCH;
        let mut there = WordSet::default();
        search.index.visit(text, |at, candidates| {
            for number in candidates {
                let is_at = || search.words.get(*number).is_some_and(|word| word.is_at(text, at));
                if !there.contains(*number) && is_at() {
                    there.insert(*number);
                }
            }
        });
        FoundWords { there, may_hold_all: has_escapes(text) }
    }
}

impl WordSet {
    fn contains(&self, word: usize) -> bool {
        self.0.get(word / BITS).is_some_and(|bits| bits >> (word % BITS) & 1 == 1)
    }

    fn insert(&mut self, word: usize) {
        self.0.resize(self.0.len().max(word / BITS + 1), 0);
        self.0.get_mut(word / BITS).into_iter().for_each(|bits| *bits |= 1 << (word % BITS));
    }

    /// Whether the sets have a common word.
    fn meets(&self, other: &WordSet) -> bool {
        self.0.iter().zip(&other.0).any(|(one, other)| one & other != 0)
    }
}

impl FromIterator<usize> for WordSet {
    fn from_iter<I: IntoIterator<Item = usize>>(words: I) -> WordSet {
        let mut set = WordSet::default();
        words.into_iter().for_each(|word| set.insert(word));
        set
    }
}

/// What follows the letters of a key.
enum Behind<'t> {
    /// The letters are a part of another word or of a sentence.
    OtherWord,
    /// The value of the key is this single word.
    Value(&'t str),
    /// Something else, such as a value on the next line, an anchor, or a string over several lines.
    Unclear,
}

impl<'t> Behind<'t> {
    fn of(behind: &'t str) -> Behind<'t> {
        let is_word = |letter| is_word_letter(letter) || letter == '.';
        if behind.starts_with(is_word) {
            return Behind::OtherWord;
        }
        let line = behind.split(['\n', '\r']).next().unwrap_or_default();
        let Some(value) = line.trim_start_matches(['"', '\'', ' ', '\t']).strip_prefix(':') else {
            // A key may have its colon on the next line, and an alias may refer to it.
            let rest = line.trim_start_matches(['"', '\'', ' ', '\t']);
            let may_be_key = rest.is_empty() || rest.starts_with(['#', ',', ']', '}']);
            return if may_be_key { Behind::Unclear } else { Behind::OtherWord };
        };
        let value = value.trim_start();
        let value = value.strip_prefix(['"', '\'']).unwrap_or(value);
        let end = value.find(|letter| !is_word(letter)).unwrap_or(value.len());
        let (word, rest) = value.split_at(end);
        let is_whole = rest.trim_start_matches(['"', '\'', ' ', '\t']);
        match !word.is_empty() && (is_whole.is_empty() || is_whole.starts_with([',', '}', '#'])) {
            true => Behind::Value(word),
            false => Behind::Unclear,
        }
    }
}

fn is_word_letter(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '-')
}

/// Whether the text contains an escape by number (`\x`, `\u`), or a backslash at the end of a line.
fn has_escapes(text: &str) -> bool {
    memchr::memchr_iter(b'\\', text.as_bytes())
        .any(|at| matches!(text.as_bytes().get(at + 1), Some(b'x' | b'u' | b'U' | b'\n' | b'\r')))
}

impl TableWord {
    fn of_key(key: &str) -> TableWord {
        let begins_part = |(_, letter): &(usize, char)| letter.is_uppercase() || !letter.is_alphanumeric();
        let next_part = key.char_indices().skip(1).find(begins_part);
        let letters = key.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase);
        TableWord::Key { letters: letters.collect(), together: next_part.map_or(key.len(), |(at, _)| at) }
    }

    fn beginning(&self) -> Beginning<'_> {
        match self {
            TableWord::Exact(word) => {
                let letters = word.trim_start_matches(|letter: char| !letter.is_alphanumeric());
                Beginning { letters, together: letters.len() }
            }
            TableWord::Key { letters, together } => Beginning { letters, together: *together },
        }
    }

    /// Whether the word is in the text at this position of its first letter or digit, and not inside a longer word.
    fn is_at(&self, text: &str, at: usize) -> bool {
        let before = match self {
            TableWord::Exact(word) => word.len() - self.beginning().letters.len(),
            TableWord::Key { .. } => 0,
        };
        let around = at.checked_sub(before).and_then(|at| text.split_at_checked(at));
        around.is_some_and(|(before, text)| self.begins(text) && !before.ends_with(char::is_alphanumeric))
    }

    /// Whether a text begins with the word, and not with a longer word.
    fn begins(&self, text: &str) -> bool {
        match self {
            TableWord::Exact(word) => {
                text.strip_prefix(word).is_some_and(|rest| !rest.starts_with(is_word_letter))
            }
            TableWord::Key { letters, .. } => {
                let mut written = text.chars();
                let mut next = || written.find(|letter| letter.is_alphanumeric());
                let is_same = |letter: char, written: char| match written.is_ascii() {
                    true => written.eq_ignore_ascii_case(&letter),
                    false => written.to_lowercase().eq(std::iter::once(letter)),
                };
                letters.chars().all(|letter| next().is_some_and(|written| is_same(letter, written)))
                    && !written.as_str().starts_with(char::is_alphanumeric)
            }
        }
    }
}

static SEARCH: LazyLock<WordSearch> = LazyLock::new(|| {
    let mut words: Vec<TableWord> = Vec::new();
    let mut number = |word: TableWord| {
        words.iter().position(|known| *known == word).unwrap_or_else(|| {
            words.push(word);
            words.len() - 1
        })
    };
    let dialects = DIALECTS.iter().map(|dialect| words_of(dialect, &mut number)).collect();
    let index = WordIndex::new(words.iter().map(TableWord::beginning));
    WordSearch { index, words, dialects }
});

fn words_of(dialect: &Dialect, number: &mut impl FnMut(TableWord) -> usize) -> DialectWords {
    match dialect.recognition {
        Recognition::ByWord { key, .. } => {
            let names = dialect.kinds.iter().map(|kind| kind.name);
            let (compound, everyday): (Vec<_>, Vec<_>) = names.partition(|name| is_compound(name));
            let mut numbers = |names: Vec<&'static str>| {
                names.into_iter().map(|name| number(TableWord::Exact(name))).collect()
            };
            let (compound, everyday) = (numbers(compound), numbers(everyday));
            let key = number(TableWord::of_key(key));
            let fields = dialect.kinds.iter().flat_map(|kind| kind.shape.fields.iter());
            let weights = fields.map(|field| (field.key, evidence(dialect, field.key)));
            let speaking: BTreeMap<_, _> = weights.filter(|(_, weight)| *weight > 0).collect();
            let beside = speaking.into_iter().map(|(key, weight)| (number(TableWord::Exact(key)), weight));
            DialectWords::OfKinds { compound, everyday, key, beside: beside.collect() }
        }
        Recognition::ByShape => {
            let sets = dialect.kinds.iter().flat_map(|kind| kind.evidence.iter());
            let of_mark = |mark: &Mark, number: &mut _| words_of_mark(mark, number);
            DialectWords::Sets(
                sets.map(|marks| marks.iter().flat_map(|mark| of_mark(mark, number)).collect()).collect(),
            )
        }
    }
}

/// The words without which a mark cannot hold. Each part is a choice of words.
fn words_of_mark(mark: &Mark, number: &mut impl FnMut(TableWord) -> usize) -> Vec<WordSet> {
    let mut set: Vec<_> =
        mark.keys().map(|key| WordSet::from_iter([number(TableWord::of_key(key))])).collect();
    if let Mark::Word(_, words) | Mark::ItemWord(_, _, words) = mark {
        set.push(words.iter().map(|word| number(TableWord::Exact(word.text))).collect());
    }
    set
}

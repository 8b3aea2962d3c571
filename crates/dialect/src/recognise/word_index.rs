//! Which words a text may hold at the places where its words begin.
//!
//! Input: words, and a text. Output: places of the text with the words whose first letters are there, small or large.
//! Invariant: no place is missing at which a word of ASCII letters is found between other characters.

use std::cmp::Ordering;
use std::collections::BTreeSet;

/// How many letters at the beginning of a word are compared.
const FIRST: usize = 4;
/// The number of bits of a hash. The table then has 8 kB and fits into the processor's fastest cache.
const HASH_BITS: u32 = 12;

/// The beginning of a word in the index.
#[derive(Debug, Clone, Copy)]
pub(super) struct Beginning<'w> {
    /// The word from its first letter or digit on.
    pub(super) letters: &'w str,
    /// How many letters come without a separator in every style. After them, another character may come, as in `read_keys`.
    pub(super) together: usize,
}

/// An index of words by a hash of their first letters.
pub(super) struct WordIndex {
    /// For each hash, the position of its list in `words`, or 0 if no word has this hash.
    positions: Vec<u16>,
    /// Lists of words with the same hash. The first list is empty.
    words: Vec<Vec<usize>>,
}

impl WordIndex {
    /// Builds the index.
    pub(super) fn new<'w>(beginnings: impl Iterator<Item = Beginning<'w>>) -> WordIndex {
        let mut index = WordIndex { positions: vec![0; 1 << HASH_BITS], words: vec![Vec::new()] };
        for (word, beginning) in beginnings.enumerate() {
            for hash in beginning.hashes() {
                index.add(word, hash);
            }
        }
        index
    }

    fn add(&mut self, word: usize, hash: usize) {
        let Some(position) = self.positions.get_mut(hash) else { return };
        if *position == 0 {
            // There are fewer lists than hashes, so the position always fits into this type.
            *position = u16::try_from(self.words.len()).unwrap_or_default();
            self.words.push(Vec::new());
        }
        self.words.get_mut(usize::from(*position)).into_iter().for_each(|words| words.push(word));
    }

    /// Calls `visit` with each position of the text where words of the index may begin, and with these words.
    pub(super) fn visit(&self, text: &str, mut visit: impl FnMut(usize, &[usize])) {
        let bytes = text.as_bytes();
        beginnings(bytes, |at| {
            let first = bytes.get(at..).unwrap_or_default();
            let hash = match first.first_chunk() {
                Some(first) => hash(*first),
                None => hash(std::array::from_fn(|at| first.get(at).copied().unwrap_or_default())),
            };
            let position = self.positions.get(hash).copied().unwrap_or_default();
            if position != 0 {
                visit(at, self.words.get(usize::from(position)).map(Vec::as_slice).unwrap_or_default());
            }
        });
    }
}

impl Beginning<'_> {
    /// The hashes of the word in all styles in which it may be written.
    fn hashes(self) -> BTreeSet<usize> {
        let letter = |at: usize| self.letters.as_bytes().get(at).copied().unwrap_or_default();
        let choices = |at: usize| match at.cmp(&self.together) {
            Ordering::Less => vec![letter(at)],
            Ordering::Equal => vec![letter(at), 0],
            Ordering::Greater => FOLDED.to_vec(),
        };
        let mut all = vec![[0; FIRST]];
        for at in 0..FIRST {
            let with = |letters: &[u8; FIRST]| {
                let mut letters = *letters;
                choices(at).into_iter().map(move |letter| {
                    letters[at] = letter;
                    letters
                })
            };
            all = all.iter().flat_map(with).collect();
            all.sort_unstable();
            all.dedup();
        }
        all.into_iter().map(hash).collect()
    }
}

/// A hash of letters or digits. Upper and lower case have the same hash, and so do all other characters.
fn hash(letters: [u8; FIRST]) -> usize {
    let folded = u32::from_le_bytes(letters.map(|letter| FOLDED[usize::from(letter)]));
    // The upper bits of the product depend on all letters.
    (folded.wrapping_mul(0x9E37_79B1) >> (u32::BITS - HASH_BITS)) as usize
}

/// For each byte its lower-case letter or digit, and 0 for other bytes.
static FOLDED: [u8; 256] = {
    let mut folded = [0; 256];
    let mut byte = 0;
    while byte < folded.len() {
        let letter = byte as u8;
        folded[byte] = if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { 0 };
        byte += 1;
    }
    folded
};

/// The number of bytes that are tested in one step. The compiler turns such a step into vector instructions.
const GROUP: usize = 64;

/// Calls `visit` with each position where an ASCII letter or digit follows another byte.
fn beginnings(bytes: &[u8], mut visit: impl FnMut(usize)) {
    let (groups, rest) = bytes.as_chunks::<GROUP>();
    let mut last = [0; GROUP];
    last.iter_mut().zip(rest).for_each(|(last, byte)| *last = *byte);
    let mut is_behind = 0;
    for (number, group) in groups.iter().chain([&last]).enumerate() {
        let is_letter = group.map(|byte| u8::from(byte.is_ascii_alphanumeric()));
        for (part, eight) in is_letter.as_chunks::<8>().0.iter().enumerate() {
            let letters = u64::from_le_bytes(*eight);
            let mut begins = letters & !(letters << u8::BITS | is_behind);
            is_behind = letters >> (u64::BITS - u8::BITS);
            while begins != 0 {
                visit(number * GROUP + part * 8 + (begins.trailing_zeros() / u8::BITS) as usize);
                begins &= begins - 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_candidates(text: &str, expected: &[(usize, &str)]) {
        let words = [("kind", 4), ("kindly", 6), ("id", 2), ("addnode", 3), ("a2a", 3)];
        let beginnings = words.iter().map(|(letters, together)| Beginning { letters, together: *together });
        let mut found = Vec::new();
        WordIndex::new(beginnings).visit(text, |at, candidates| {
            found.extend(candidates.iter().map(|word| (at, words[*word].0)));
        });
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn words_are_candidates_where_a_word_begins() {
        check_candidates("", &[]);
        check_candidates("k", &[]);
        check_candidates("id", &[(0, "id")]);
        check_candidates("x_ID: 1", &[(2, "id")]);
        check_candidates("mankind", &[]);
        check_candidates("kin", &[]);
        check_candidates("Kind", &[(0, "kind"), (0, "kindly")]);
        check_candidates("identity", &[]);
        check_candidates("addNode add_node add-x adds", &[(0, "addnode"), (8, "addnode"), (17, "addnode")]);
        check_candidates("é-A2A", &[(3, "a2a")]);
        check_candidates("éid", &[(2, "id")]);
    }

    #[test]
    fn words_begin_at_the_edges_of_groups() {
        for length in 0..200 {
            let text = format!("{} id", "x".repeat(length));
            check_candidates(&text, &[(length + 1, "id")]);
            check_candidates(&format!("{}id", "x".repeat(length + 1)), &[]);
            check_candidates(&format!("{}id", ".".repeat(length)), &[(length, "id")]);
        }
    }
}

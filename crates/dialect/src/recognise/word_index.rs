//! Which words a text may hold at the places where its words begin.
//!
//! Input: words, and a text. Output: places of the text with the words whose first letters are there, small or large.
//! Invariant: no place is missing at which a word of ASCII letters is found between other characters.

use std::cmp::Ordering;
use std::collections::BTreeSet;

/// How many first letters are compared.
const FIRST: usize = 4;
/// The bits of a hash of first letters. A table of 8 kB stays in the first cache of a processor.
const HASH_BITS: u32 = 12;

/// How a word begins.
#[derive(Debug, Clone, Copy)]
pub(super) struct Beginning<'w> {
    /// From the first letter or digit on.
    pub(super) letters: &'w str,
    /// How many of the letters stand together in every style. The next one may have another character in front of it: `read_keys`.
    pub(super) together: usize,
}

/// Words by their first letters.
pub(super) struct WordIndex {
    /// For each hash of first letters, the position of its words, or 0 if no word begins like this.
    positions: Vec<u16>,
    /// The words of each hash. The first list is empty.
    words: Vec<Vec<usize>>,
}

impl WordIndex {
    /// The index of some words.
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
            // There are fewer lists than hashes, and fewer hashes than this type has numbers.
            *position = u16::try_from(self.words.len()).unwrap_or_default();
            self.words.push(Vec::new());
        }
        self.words.get_mut(usize::from(*position)).into_iter().for_each(|words| words.push(word));
    }

    /// Visits the places of a text at which words of the index may begin, with these words.
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
    /// The hashes of all first letters with which the word may be written.
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

/// A hash of first letters or digits. Small and large letters count as the same, and all other characters do.
fn hash(letters: [u8; FIRST]) -> usize {
    let folded = u32::from_le_bytes(letters.map(|letter| FOLDED[usize::from(letter)]));
    // The upper bits of a product depend on all letters.
    (folded.wrapping_mul(0x9E37_79B1) >> (u32::BITS - HASH_BITS)) as usize
}

/// Small letters and digits for each byte, and 0 for what is neither.
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

/// How many bytes are looked at in one step, for which the compiler uses vector instructions.
const GROUP: usize = 64;

/// Visits each ASCII letter or digit that stands behind another byte.
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

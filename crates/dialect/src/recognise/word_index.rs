//! Which words a text may hold at the places where its words begin.
//!
//! Input: words, and a text. Output: places of the text with the words whose first letters are there, small or large.
//! Invariant: no place is missing at which a word of ASCII letters is found between other characters.

use std::cmp::Ordering;
use std::collections::BTreeSet;

/// How many first letters are compared.
const FIRST: usize = 4;
/// Bits of a number for first letters. The table fits into the fastest memory of a processor.
const BITS: u32 = 12;

/// What a word begins with.
#[derive(Debug, Clone, Copy)]
pub(super) struct Beginning<'w> {
    /// From the first letter or digit on.
    pub(super) letters: &'w str,
    /// So many letters stand together in every style. Other characters may be behind them.
    pub(super) together: usize,
}

/// Words by their first letters.
pub(super) struct WordIndex {
    /// For each number of first letters, the position of its list, or 0 if no word begins like this.
    lists: Vec<u16>,
    /// Words that begin alike, after an empty list.
    words: Vec<Vec<usize>>,
}

impl WordIndex {
    /// The index of some words.
    pub(super) fn new<'w>(beginnings: impl Iterator<Item = Beginning<'w>>) -> WordIndex {
        let mut index = WordIndex { lists: vec![0; 1 << BITS], words: vec![Vec::new()] };
        for (word, beginning) in beginnings.enumerate() {
            for number in beginning.numbers() {
                index.add(word, number);
            }
        }
        index
    }

    fn add(&mut self, word: usize, number: usize) {
        let Some(list) = self.lists.get_mut(number) else { return };
        if *list == 0 {
            *list = u16::try_from(self.words.len()).unwrap_or_default();
            self.words.push(Vec::new());
        }
        self.words.get_mut(usize::from(*list)).into_iter().for_each(|words| words.push(word));
    }

    /// Visits the places of a text at which words of the index may begin, with these words.
    pub(super) fn visit(&self, text: &str, mut visit: impl FnMut(usize, &[usize])) {
        let bytes = text.as_bytes();
        beginnings(bytes, |at| {
            let first = bytes.get(at..).unwrap_or_default();
            let number = match first.first_chunk() {
                Some(first) => number(*first),
                None => number(std::array::from_fn(|at| first.get(at).copied().unwrap_or_default())),
            };
            let list = self.lists.get(number).copied().unwrap_or_default();
            if list != 0 {
                visit(at, self.words.get(usize::from(list)).map(Vec::as_slice).unwrap_or_default());
            }
        });
    }
}

impl Beginning<'_> {
    /// The numbers of all first letters that the word may have in a text.
    fn numbers(self) -> BTreeSet<usize> {
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
        all.into_iter().map(number).collect()
    }
}

/// The number of first letters or digits. Small and large letters count as the same, and all other characters do.
fn number(letters: [u8; FIRST]) -> usize {
    let folded = u32::from_le_bytes(letters.map(|letter| FOLDED[usize::from(letter)]));
    // The upper bits of a product depend on all letters.
    (folded.wrapping_mul(0x9E37_79B1) >> (u32::BITS - BITS)) as usize
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

/// How many bytes are looked at together, which the compiler does at once.
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

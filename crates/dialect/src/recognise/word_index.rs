//! Which words a text may hold at the places where its words begin.
//!
//! Input: words, and a text. Output: places of the text with the words whose first three letters are there, small or large.
//! Invariant: no place is missing at which a word of ASCII letters is found between other characters.

use std::collections::BTreeSet;

/// How many first letters are compared. More than these would be needed only for words that other programs do not use.
const FIRST: usize = 3;
/// Bits of a number for first letters. The table fits into the fastest memory of a processor.
const BITS: u32 = 12;

/// Words by their first letters.
pub(super) struct WordIndex {
    /// For each number of first letters, the position of its list, or 0 if no word begins like this.
    lists: Vec<u16>,
    /// Words that begin alike, after an empty list.
    words: Vec<Vec<usize>>,
}

impl WordIndex {
    /// The index of some words, each given by how it begins.
    pub(super) fn new<'w>(beginnings: impl Iterator<Item = &'w str>) -> WordIndex {
        let mut index = WordIndex { lists: vec![0; 1 << BITS], words: vec![Vec::new()] };
        for (word, beginning) in beginnings.enumerate() {
            for number in numbers(beginning.as_bytes()) {
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
            let letter = |number: usize| first.get(number).copied().unwrap_or_default();
            let number = number([letter(0), letter(1), letter(2)]);
            let list = self.lists.get(number).copied().unwrap_or_default();
            if list != 0 {
                visit(at, self.words.get(usize::from(list)).map(Vec::as_slice).unwrap_or_default());
            }
        });
    }
}

/// The numbers of the first letters of a word. After a short one, there may be anything.
fn numbers(beginning: &[u8]) -> BTreeSet<usize> {
    let choices = |at: usize| beginning.get(at).map_or(0..=u8::MAX, |letter| *letter..=*letter);
    let pairs = choices(0).flat_map(|one| choices(1).map(move |two| (one, two)));
    pairs.flat_map(|(one, two)| choices(FIRST - 1).map(move |three| number([one, two, three]))).collect()
}

/// The number of three letters or digits. Small and large letters count as the same, and all other characters do.
fn number(letters: [u8; FIRST]) -> usize {
    let [one, two, three] = letters.map(|letter| u32::from(FOLDED[usize::from(letter)]));
    // The upper bits of a product depend on all letters.
    ((one | two << 8 | three << 16).wrapping_mul(0x9E37_79B1) >> (u32::BITS - BITS)) as usize
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

/// Visits each ASCII letter or digit that stands behind another byte. Most bytes are looked at in groups, which the compiler
/// does at once.
fn beginnings(bytes: &[u8], mut visit: impl FnMut(usize)) {
    const GROUP: usize = 64;
    let mut is_behind = 0;
    for (number, group) in bytes.chunks(GROUP).enumerate() {
        let mut is_letter = [0_u8; GROUP];
        for (is_letter, byte) in is_letter.iter_mut().zip(group) {
            *is_letter = u8::from(byte.is_ascii_alphanumeric());
        }
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
        let words = ["kind", "kindly", "id", "a2a"];
        let mut found = Vec::new();
        WordIndex::new(words.into_iter()).visit(text, |at, candidates| {
            found.extend(candidates.iter().map(|word| (at, words[*word])));
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
        check_candidates("kin", &[(0, "kind"), (0, "kindly")]);
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

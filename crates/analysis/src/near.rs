//! Near names: what the author may have meant. A similarity for two words, and a search that stays
//! cheap with tens of thousands of names.

use smol_str::SmolStr;

/// Names further apart than this many typing mistakes are not suggested.
const MISTAKES_MAX: usize = 2;
/// Two words less similar than this, from 0 to 1, are not suggested.
const SIMILARITY_MIN: f64 = 0.7;

/// Lists up to this length are searched whole.
const SEARCH_WHOLE_MAX: usize = 500;
/// How many names before and behind a word's place are looked at in a longer list.
const NEIGHBOURS: usize = 100;

/// Many names, searched for near ones without comparing each. A mistyped word keeps its beginning or
/// its ending, so what was meant stands near the word's place in one of two orders.
#[derive(Debug)]
pub(crate) struct Names {
    /// In order of their letters.
    sorted: Vec<SmolStr>,
    /// Positions in `sorted`, in order of the letters read backwards.
    by_ending: Vec<u32>,
}

impl Names {
    pub(crate) fn new(names: impl IntoIterator<Item = SmolStr>) -> Names {
        let mut sorted: Vec<SmolStr> = names.into_iter().collect();
        sorted.sort_unstable();
        sorted.dedup();
        let mut by_ending: Vec<u32> = (0..).take(sorted.len()).collect();
        by_ending.sort_unstable_by(|one, other| {
            backwards(&sorted[*one as usize]).cmp(backwards(&sorted[*other as usize]))
        });
        Names { sorted, by_ending }
    }

    /// The names that `word` may have meant, in the order of their letters: all of a short list, the
    /// neighbours in a long one.
    fn candidates(&self, word: &str) -> Vec<&str> {
        if self.sorted.len() <= SEARCH_WHOLE_MAX {
            return self.sorted.iter().map(SmolStr::as_str).collect();
        }
        let around =
            |place: usize| place.saturating_sub(NEIGHBOURS)..(place + NEIGHBOURS).min(self.sorted.len());
        let by_beginning = around(self.sorted.partition_point(|name| name.as_str() < word));
        let by_ending = around(
            self.by_ending
                .partition_point(|position| backwards(&self.sorted[*position as usize]).lt(backwards(word))),
        );
        let mut positions: Vec<usize> =
            self.by_ending[by_ending].iter().map(|position| *position as usize).chain(by_beginning).collect();
        positions.sort_unstable();
        positions.dedup();
        positions.into_iter().map(|position| self.sorted[position].as_str()).collect()
    }

    /// Whether a name is one of them.
    pub(crate) fn holds(&self, name: &str) -> bool {
        self.sorted.binary_search_by(|one| one.as_str().cmp(name)).is_ok()
    }

    /// The name nearest to `word` among those that `fits` lets through.
    pub(crate) fn nearest(&self, word: &str, fits: impl Fn(&str) -> bool) -> Option<&str> {
        nearest(word, self.candidates(word).into_iter().filter(|name| fits(name)))
    }
}

/// Whether two names differ in one number, or in one letter that stands alone: `voter-1` and `voter-2`,
/// `designer-a` and `designer-b` are two of a kind, and neither is a slip for the other.
pub(crate) fn differ_in_a_number(one: &str, other: &str) -> bool {
    let is_part = |part: &str| {
        let is_number = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        is_number || part.chars().count() == 1
    };
    let parts = |name: &str| -> Vec<String> {
        let mut parts: Vec<String> = Vec::new();
        let mut before = None;
        for letter in name.chars() {
            let sort = (letter.is_alphabetic(), letter.is_ascii_digit());
            match parts.last_mut().filter(|_| before == Some(sort)) {
                Some(part) => part.push(letter),
                None => parts.push(letter.to_string()),
            }
            before = Some(sort);
        }
        parts
    };
    let (one, other) = (parts(one), parts(other));
    let mut different = one.iter().zip(&other).filter(|(one, other)| one != other);
    let counts = |(one, other): (&String, &String)| is_part(one) && is_part(other);
    one.len() == other.len() && different.next().is_some_and(counts) && different.next().is_none()
}

fn backwards(word: &str) -> impl Iterator<Item = u8> + '_ {
    word.bytes().rev()
}

/// How similar two words are, case aside, from 0 to 1: one minus the share of letters that were mistyped.
#[must_use]
pub fn similarity(one: &str, other: &str) -> f64 {
    let longer = one.chars().count().max(other.chars().count());
    if longer == 0 {
        return 1.0;
    }
    let mistakes = strsim::osa_distance(&one.to_lowercase(), &other.to_lowercase());
    1.0 - mistakes as f64 / longer as f64
}

/// The most similar of `candidates`, if one is similar enough; the first of equals.
#[must_use]
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = Outline::of(word);
    let mut best: Option<(f64, &str)> = None;
    for candidate in candidates {
        if !wanted.may_resemble(Outline::of(candidate)) {
            continue;
        }
        let found = similarity(word, candidate);
        if found >= SIMILARITY_MIN && best.is_none_or(|(so_far, _)| found > so_far) {
            best = Some((found, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// What a word looks like from afar: its length and which letters it has. Rules most words out
/// without comparing them letter by letter.
#[derive(Debug, Clone, Copy)]
struct Outline {
    length: usize,
    letters: u64,
}

impl Outline {
    fn of(word: &str) -> Outline {
        let letters = word.bytes().fold(0u64, |mask, byte| mask | 1 << (byte.to_ascii_lowercase() & 63));
        Outline { length: word.len(), letters }
    }

    fn may_resemble(self, other: Outline) -> bool {
        let longer = self.length.max(other.length);
        let mistakes = MISTAKES_MAX.max(longer / 3);
        self.length.abs_diff(other.length) <= mistakes
            && (self.letters ^ other.letters).count_ones() as usize <= 2 * mistakes
    }
}

#[cfg(test)]
mod tests {
    use smol_str::SmolStr;

    use super::{Names, SEARCH_WHOLE_MAX, differ_in_a_number, nearest};

    #[test]
    fn suggests_what_was_meant() {
        let names = ["get_weather", "fallback", "writer", "LLMNode"];
        assert_eq!(nearest("get_wether", names), Some("get_weather"));
        assert_eq!(nearest("fallbak", names), Some("fallback"));
        assert_eq!(nearest("LlmNode", names), Some("LLMNode"));
        assert_eq!(nearest("totally_else", names), None);
    }

    #[test]
    fn two_of_a_kind_are_no_slip() {
        assert!(differ_in_a_number("voter-1", "voter-12"));
        assert!(differ_in_a_number("designer-a", "designer-b"));
        assert!(!differ_in_a_number("writter", "writer"));
        assert!(!differ_in_a_number("a-1", "b-2"));
        assert!(!differ_in_a_number("voter-1", "voter-1"));
    }

    #[test]
    fn long_lists_are_searched_where_the_word_would_stand() {
        let names = Names::new(
            (0..10 * SEARCH_WHOLE_MAX).map(|number| SmolStr::new(format!("{number}_lookup_{number}"))),
        );
        assert_eq!(names.nearest("1234_lokup_1234", |_| true), Some("1234_lookup_1234"));
        assert_eq!(names.nearest("x1234_lookup_1234", |_| true), Some("1234_lookup_1234"));
        assert_eq!(names.nearest("1234_lokup_1234", |name| !name.ends_with("34")), Some("1204_lookup_1204"));
    }
}

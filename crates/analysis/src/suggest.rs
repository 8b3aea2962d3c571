//! Suggestions of names: what the author may have meant. A search that stays cheap with tens of thousands of names; how similar
//! two words are says [`nodewise_dialect::suggest`].

use std::cmp::Ordering;
use std::hash::BuildHasher;
use std::sync::Arc;

pub(crate) use nodewise_dialect::suggest::meant;
pub use nodewise_dialect::suggest::{nearest, similarity};
use rustc_hash::FxBuildHasher;
use smol_str::SmolStr;

/// Lists with at most this many names are searched completely.
const SEARCH_WHOLE_MAX: usize = 500;
/// In longer lists, how many names before and after the word's position are compared.
const NEIGHBOURS: usize = 100;
/// How many names a new chunk has. A chunk of twice as many is split.
const CHUNK: usize = 64;

/// A set of names, searched for similar ones without comparing all. A mistyped word usually keeps its beginning or its
/// ending, so the right name is near the word in one of two orders: by beginning and by ending.
#[derive(Debug, Clone)]
pub(crate) struct Names {
    by_beginning: Ordered,
    by_ending: Ordered,
}

impl Names {
    pub(crate) fn new(names: impl IntoIterator<Item = SmolStr>) -> Names {
        Names::with_kinds(names.into_iter().map(|name| (name, KindSet::ALL)))
    }

    /// A set of names, each with the kinds of declarations that have this name.
    pub(crate) fn with_kinds(names: impl IntoIterator<Item = (SmolStr, KindSet)>) -> Names {
        let mut names: Vec<(SmolStr, KindSet)> = names.into_iter().collect();
        names.sort_unstable_by(|one, other| by_beginning(&one.0, &other.0));
        names.dedup_by(|one, other| one.0 == other.0);
        let by_beginning = Ordered::new(&names, by_beginning);
        names.sort_unstable_by(|one, other| by_ending(&one.0, &other.0));
        Names { by_beginning, by_ending: Ordered::new(&names, by_ending) }
    }

    /// Adds or removes a name.
    pub(crate) fn set(&mut self, name: &SmolStr, is_there: bool) {
        self.set_kinds(name, is_there.then_some(KindSet::ALL));
    }

    /// Adds a name or changes its kinds. `None` removes the name.
    pub(crate) fn set_kinds(&mut self, name: &SmolStr, kinds: Option<KindSet>) {
        self.by_beginning.set(name, kinds);
        self.by_ending.set(name, kinds);
    }

    /// The names that may be meant by `word`, alphabetically: all names of a short list, the neighbours of the word in a
    /// long one.
    fn candidates(&self, word: &str) -> Vec<&str> {
        if self.by_beginning.len <= SEARCH_WHOLE_MAX {
            return self.by_beginning.from("").collect();
        }
        let mut names: Vec<&str> =
            self.by_beginning.around(word).chain(self.by_ending.around(word)).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The names from `word` on, alphabetically.
    pub(crate) fn from<'a>(&'a self, word: &str) -> impl Iterator<Item = &'a str> + use<'a> {
        self.by_beginning.from(word)
    }

    /// Candidates for names that contain all letters of `word` and have one of these kinds, alphabetically. A quick filter:
    /// some results may not fit.
    pub(crate) fn with_letters<'a>(
        &'a self,
        word: &str,
        kinds: KindSet,
    ) -> impl Iterator<Item = &'a str> + use<'a> {
        self.by_beginning.with_letters(word, kinds)
    }

    /// Whether the set contains a name.
    pub(crate) fn holds(&self, name: &str) -> bool {
        self.by_beginning.from(name).next() == Some(name)
    }

    /// The name most similar to `word` among those that `fits` accepts.
    pub(crate) fn nearest(&self, word: &str, fits: impl Fn(&str) -> bool) -> Option<&str> {
        nearest(word, self.candidates(word).into_iter().filter(|name| fits(name)))
    }
}

/// A sorted list of names in chunks. Clones share the chunks that do not change.
#[derive(Debug, Clone)]
struct Ordered {
    order: fn(&str, &str) -> Ordering,
    /// The chunks in order; none is empty.
    chunks: Vec<Arc<Chunk>>,
    len: usize,
}

/// A run of consecutive names, with summaries to skip it quickly.
#[derive(Debug, Clone)]
struct Chunk {
    names: Vec<(SmolStr, KindSet)>,
    letters: LetterSet,
    kinds: KindSet,
}

impl Chunk {
    fn new(names: Vec<(SmolStr, KindSet)>) -> Chunk {
        let letters =
            names.iter().fold(LetterSet::default(), |all, (name, _)| all.and(LetterSet::of_name(name)));
        let kinds = names.iter().fold(KindSet::default(), |all, (_, kinds)| all.and(*kinds));
        Chunk { names, letters, kinds }
    }
}

/// A set of kinds as a bit mask of hashes. Kinds may share a bit, so the set may seem to contain a kind that it does not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct KindSet(u64);

impl KindSet {
    /// The set of all kinds.
    const ALL: KindSet = KindSet(u64::MAX);

    /// The set of these kinds.
    pub(crate) fn of<'k>(kinds: impl IntoIterator<Item = &'k str>) -> KindSet {
        let bit = |kind: &str| FxBuildHasher.hash_one(kind) % u64::from(u64::BITS);
        KindSet(kinds.into_iter().fold(0, |all, kind| all | 1 << bit(kind)))
    }

    fn and(self, other: KindSet) -> KindSet {
        KindSet(self.0 | other.0)
    }

    fn has_one_of(self, other: KindSet) -> bool {
        self.0 & other.0 != 0
    }
}

/// A set of letters, ignoring case, as a bit mask. It may seem to contain a letter that it does not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct LetterSet(u64);

impl LetterSet {
    /// The letters of a name. A name with non-ASCII letters gets all letters, because some of these have ASCII lower-case
    /// forms.
    fn of_name(name: &str) -> LetterSet {
        if name.is_ascii() { LetterSet::of_word(name) } else { LetterSet(u64::MAX) }
    }

    /// The letters of a search word. Non-ASCII letters are left out.
    fn of_word(word: &str) -> LetterSet {
        let bit = |byte: u8| match byte {
            b'a'..=b'z' => byte - b'a',
            b'0'..=b'9' => 26 + byte - b'0',
            // Other characters share the remaining 28 bits.
            sign => 36 + sign % 28,
        };
        let ascii = word.bytes().filter(u8::is_ascii);
        LetterSet(ascii.fold(0, |all, byte| all | 1 << bit(byte.to_ascii_lowercase())))
    }

    fn and(self, other: LetterSet) -> LetterSet {
        LetterSet(self.0 | other.0)
    }

    fn has_all_of(self, other: LetterSet) -> bool {
        other.0 & !self.0 == 0
    }
}

impl Ordered {
    /// A list of names that are already in this order.
    fn new(names: &[(SmolStr, KindSet)], order: fn(&str, &str) -> Ordering) -> Ordered {
        let chunks = names.chunks(CHUNK).map(|names| Arc::new(Chunk::new(names.to_vec()))).collect();
        Ordered { order, chunks, len: names.len() }
    }

    /// Adds a name or changes its kinds. `None` removes it.
    fn set(&mut self, name: &SmolStr, kinds: Option<KindSet>) {
        let (place, position) = self.place(name);
        let Some(chunk) = self.chunks.get_mut(place) else {
            if let Some(kinds) = kinds {
                *self = Ordered::new(&[(name.clone(), kinds)], self.order);
            }
            return;
        };
        let known = chunk.names.get(position).filter(|(found, _)| found == name).map(|(_, kinds)| *kinds);
        if known == kinds {
            return;
        }
        let chunk = Arc::make_mut(chunk);
        let mut names = std::mem::take(&mut chunk.names);
        names.splice(
            position..position + usize::from(known.is_some()),
            kinds.map(|kinds| (name.clone(), kinds)),
        );
        self.len = self.len + usize::from(kinds.is_some()) - usize::from(known.is_some());
        let behind = (names.len() >= 2 * CHUNK).then(|| names.split_off(CHUNK));
        *chunk = Chunk::new(names);
        if chunk.names.is_empty() {
            self.chunks.remove(place);
        }
        if let Some(behind) = behind {
            self.chunks.insert(place + 1, Arc::new(Chunk::new(behind)));
        }
    }

    /// The chunk in which a word is or would be inserted, and the position in the chunk.
    fn place(&self, word: &str) -> (usize, usize) {
        let is_before = |(name, _): &(SmolStr, KindSet)| (self.order)(name, word) == Ordering::Less;
        let is_up_to = |(name, _): &(SmolStr, KindSet)| (self.order)(name, word) != Ordering::Greater;
        let starts_before = |chunk: &Arc<Chunk>| chunk.names.first().is_some_and(is_up_to);
        let place = self.chunks.partition_point(starts_before).saturating_sub(1);
        let position = self.chunks.get(place).map_or(0, |chunk| chunk.names.partition_point(is_before));
        (place, position)
    }

    /// The names from a word on, in order.
    fn from<'a>(&'a self, word: &str) -> impl Iterator<Item = &'a str> + use<'a> {
        let (place, position) = self.place(word);
        let behind = self.chunks.iter().skip(place).flat_map(|chunk| chunk.names.iter());
        behind.skip(position).map(|(name, _)| name.as_str())
    }

    /// The names, in order, that may contain all letters of a word and may have one of these kinds.
    fn with_letters<'a>(
        &'a self,
        word: &str,
        wanted_kinds: KindSet,
    ) -> impl Iterator<Item = &'a str> + use<'a> {
        let wanted = LetterSet::of_word(word);
        let may_have = move |chunk: &&Arc<Chunk>| {
            chunk.letters.has_all_of(wanted) && chunk.kinds.has_one_of(wanted_kinds)
        };
        let names = self.chunks.iter().filter(may_have).flat_map(|chunk| &chunk.names);
        let fitting = names.filter(move |(_, kinds)| kinds.has_one_of(wanted_kinds));
        fitting.map(|(name, _)| name.as_str())
    }

    /// The names around a word's position.
    fn around<'a>(&'a self, word: &str) -> impl Iterator<Item = &'a str> + use<'a> {
        let (place, position) = self.place(word);
        let up_to = self.chunks.get(..=place).unwrap_or_default().iter().rev();
        let behind_place = self.chunks.get(place).map_or(0, |chunk| chunk.names.len() - position);
        let before = up_to.flat_map(|chunk| chunk.names.iter().rev()).skip(behind_place).take(NEIGHBOURS);
        before.map(|(name, _)| name.as_str()).chain(self.from(word).take(NEIGHBOURS))
    }
}

fn by_beginning(one: &str, other: &str) -> Ordering {
    one.cmp(other)
}

fn by_ending(one: &str, other: &str) -> Ordering {
    one.bytes().rev().cmp(other.bytes().rev())
}

/// Whether two names differ only in one number, or in one letter that is a word of its own, like `voter-1` and `voter-2` or
/// `designer-a` and `designer-b`. Such names are both intended, so neither is a misspelling of the other.
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

#[cfg(test)]
mod tests {
    use smol_str::SmolStr;

    use super::{CHUNK, KindSet, Names, SEARCH_WHOLE_MAX, differ_in_a_number};

    #[test]
    fn two_of_a_kind_are_no_mistake() {
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

    fn check_letters(names: &Names, word: &str) {
        let lower = |text: &str| text.chars().flat_map(char::to_lowercase).collect::<Vec<char>>();
        let has_all = |name: &&str| lower(word).iter().all(|letter| lower(name).contains(letter));
        let found: Vec<&str> = names.with_letters(word, KindSet::ALL).collect();
        assert!(found.is_sorted(), "{word}");
        let wanted: Vec<&str> = names.from("").filter(has_all).collect();
        assert!(wanted.iter().all(|name| found.contains(name)), "{word}: {wanted:?}");
    }

    #[test]
    fn names_with_all_letters_of_a_word_are_found() {
        let mut names = Names::new((0..40 * CHUNK).map(|number| SmolStr::new(format!("Step_{number:04}"))));
        for (name, is_there) in [("zeta", true), ("K\u{212a}L", true), ("ÄB", true), ("Step_0007", false)] {
            names.set(&SmolStr::new(name), is_there);
        }
        for word in ["", "z", "ZT", "step7", "\u{212a}", "kl", "äb", "b", "0_07", "~", "x y"] {
            check_letters(&names, word);
        }
        // Of 40 chunks, only those with the letter, or with a name that stands for all letters, are searched.
        assert!(names.with_letters("z", KindSet::ALL).count() <= 4 * CHUNK);
        names.set(&SmolStr::new("K\u{212a}L"), false);
        names.set(&SmolStr::new("ÄB"), false);
        assert_eq!(names.with_letters("qx", KindSet::ALL).count(), 0);
    }

    #[test]
    fn names_of_other_kinds_are_left_out() {
        let (tool, model) = (KindSet::of(["ToolNode"]), KindSet::of(["LLMNode"]));
        let name = |number: usize| SmolStr::new(format!("step_{number:04}"));
        let mut names = Names::with_kinds(
            (0..10 * CHUNK).map(|number| (name(number), if number % 2 == 0 { tool } else { model })),
        );
        let count = |names: &Names, kinds| names.with_letters("st", kinds).count();
        assert_eq!((count(&names, tool), count(&names, model)), (5 * CHUNK, 5 * CHUNK));
        assert_eq!(count(&names, KindSet::of(["Node"])), 0);
        names.set_kinds(&name(1), Some(model.and(tool)));
        names.set_kinds(&name(0), Some(model));
        names.set_kinds(&name(2), None);
        names.set_kinds(&SmolStr::new("first"), Some(tool));
        assert_eq!((count(&names, tool), count(&names, model)), (5 * CHUNK, 5 * CHUNK + 1));
        assert_eq!(names.with_letters("st", tool).take(2).collect::<Vec<_>>(), ["first", "step_0001"]);
    }

    #[test]
    fn names_that_come_and_go_are_searched_like_new_ones() {
        let name =
            |number: usize| SmolStr::new(format!("{}_lookup_{}", number * 7_919 % 10_007, number % 97));
        let mut names = Names::new((0..20 * CHUNK).map(name));
        let copy = names.clone();
        (0..30 * CHUNK).for_each(|number| names.set(&name(number), number % 3 != 0));
        let anew = Names::new((0..30 * CHUNK).filter(|number| number % 3 != 0).map(name));
        for word in (0..500).map(|number| format!("{}_lokup_{}", number * 13, number % 89)) {
            assert_eq!(names.candidates(&word), anew.candidates(&word));
        }
        assert_eq!(names.from("5").collect::<Vec<_>>(), anew.from("5").collect::<Vec<_>>());
        assert!(copy.holds(&name(0)) && !names.holds(&name(0)) && names.holds(&name(1)));
        (0..30 * CHUNK).for_each(|number| names.set(&name(number), false));
        assert_eq!(names.from("").next(), None);
    }
}

//! Suggestions of words: what the author may have meant by a word that is none of those allowed.
//!
//! Input: a word and the words that it may stand for; output: one of them, or none. Invariant: a word that may stand
//! for two of them stands for neither, unless one is nearer by its letters.

/// Names that differ by more typing mistakes than this are not suggested.
const MISTAKES_MAX: usize = 2;
/// Words that are less similar than this, from 0 to 1, are not suggested.
const SIMILARITY_MIN: f64 = 0.7;
/// Names with shorter parts than this occur in too many other names.
const PART_MIN: usize = 3;
/// A part of a name may stand for a longer one if it has at least this many letters: `func` for `function`.
const ABBREVIATION_MIN: usize = 4;

/// How similar two words are, ignoring case, from 0 to 1: one minus the share of letters that were mistyped.
#[must_use]
pub fn similarity(one: &str, other: &str) -> f64 {
    let longer = one.chars().count().max(other.chars().count());
    if longer == 0 {
        return 1.0;
    }
    let mistakes = strsim::osa_distance(&one.to_lowercase(), &other.to_lowercase());
    1.0 - mistakes as f64 / longer as f64
}

/// The most similar of `candidates`, if it is similar enough. If several are equally similar, the first one.
#[must_use]
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = Outline::of(word);
    let mut best: Option<(f64, &str)> = None;
    for candidate in candidates {
        if !wanted.may_resemble(Outline::of(candidate)) {
            continue;
        }
        let found = similarity(word, candidate);
        let is_near = found >= SIMILARITY_MIN || is_swapped(word, candidate);
        if is_near && best.is_none_or(|(so_far, _)| found > so_far) {
            best = Some((found, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Whether two neighbouring letters of a short word are swapped: `aks` for `ask`.
fn is_swapped(one: &str, other: &str) -> bool {
    one.len() == other.len() && one.len() >= PART_MIN && {
        let mut letters = [one.to_lowercase().into_bytes(), other.to_lowercase().into_bytes()];
        let is_one_mistake = strsim::osa_distance(one, other) == 1;
        letters.iter_mut().for_each(|letters| letters.sort_unstable());
        is_one_mistake && letters[0] == letters[1]
    }
}

/// The length of a word and the letters that it has. A quick comparison that rules out most words.
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

/// Whether two words differ only in upper and lower case and in the characters between their parts.
#[must_use]
pub fn is_same_but_for_style(one: &str, other: &str) -> bool {
    if one.is_ascii() && other.is_ascii() {
        fn letters(word: &str) -> impl Iterator<Item = u8> {
            let letters = word.bytes().filter(u8::is_ascii_alphanumeric);
            letters.map(|letter| letter.to_ascii_lowercase())
        }
        return letters(one).eq(letters(other));
    }
    fn letters(word: &str) -> impl Iterator<Item = char> {
        word.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase)
    }
    letters(one).eq(letters(other))
}

/// The candidate that was meant by `word`, which may be in another style (`startNode` for `start_node`), mistyped, or have
/// parts missing or shortened (`reads` for `read_keys`).
#[must_use]
pub fn meant<'a>(word: &str, candidates: &[&'a str]) -> Option<&'a str> {
    let same = candidates.iter().find(|candidate| is_same_but_for_style(word, candidate));
    same.copied().or_else(|| nearest(word, candidates.iter().copied())).or_else(|| part_of(word, candidates))
}

/// Like [`meant`], for a word of a closed list. The word may also be shortened (`exp` for `exponential`), have an
/// additional part (`map_reduce` for `map`) or be prefixed by a module (`package.LLMNode`).
#[must_use]
pub fn meant_word<'a>(word: &str, candidates: &[&'a str]) -> Option<&'a str> {
    let last = word.rsplit(['.', '/', ':']).next().filter(|last| *last != word);
    let behind = |last| candidates.iter().copied().find(|candidate| is_same_but_for_style(last, candidate));
    let lower = word.to_lowercase();
    let begins = |candidate: &&&'a str| candidate.to_lowercase().starts_with(&lower);
    let wanted = parts(word);
    let is_inside = |candidate: &&&'a str| {
        let found = parts(candidate);
        found.iter().any(|part| part.len() >= PART_MIN) && found.iter().all(|part| wanted.contains(part))
    };
    meant(word, candidates)
        .or_else(|| last.and_then(behind))
        .or_else(|| only(candidates.iter().filter(begins)).filter(|_| word.len() >= PART_MIN))
        .or_else(|| only(candidates.iter().filter(is_inside)))
}

fn only<'c, 'a: 'c>(mut found: impl Iterator<Item = &'c &'a str>) -> Option<&'a str> {
    let first = found.next()?;
    found.next().is_none().then_some(*first)
}

/// The only candidate that contains all parts of the word; `None` if there are several.
fn part_of<'a>(word: &str, candidates: &[&'a str]) -> Option<&'a str> {
    only(holding(word, candidates).iter())
}

/// The candidates that contain all parts of the word.
#[must_use]
pub fn holding<'a>(word: &str, candidates: &[&'a str]) -> Vec<&'a str> {
    let wanted = parts(word);
    if wanted.iter().all(|part| part.chars().count() < PART_MIN) {
        return Vec::new();
    }
    let holds = |candidate: &&'a str| {
        let found = parts(candidate);
        wanted.iter().all(|part| found.iter().any(|other| is_one_part(part, other)))
    };
    candidates.iter().copied().filter(holds).collect()
}

/// Whether two parts of names are the same, or one is the beginning of the other.
fn is_one_part(one: &str, other: &str) -> bool {
    let (shorter, longer) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    one == other || shorter.chars().count() >= ABBREVIATION_MIN && longer.starts_with(shorter)
}

/// The parts of a name in lower case and singular: `maxIterations` has `max` and `iteration`.
fn parts(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    let mut parts: Vec<String> = vec![String::new()];
    for (position, letter) in letters.iter().enumerate() {
        let before = position.checked_sub(1).and_then(|before| letters.get(before));
        let begins_word = letter.is_uppercase() && before.is_some_and(|before| before.is_lowercase())
            || letter.is_uppercase()
                && before.is_some_and(|before| before.is_uppercase())
                && letters.get(position + 1).is_some_and(|next| next.is_lowercase());
        if begins_word || !letter.is_alphanumeric() {
            parts.push(String::new());
        }
        if letter.is_alphanumeric()
            && let Some(part) = parts.last_mut()
        {
            part.extend(letter.to_lowercase());
        }
    }
    parts.retain(|part| !part.is_empty());
    for part in &mut parts {
        if part.chars().count() >= ABBREVIATION_MIN && part.ends_with('s') && !part.ends_with("ss") {
            part.pop();
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::{meant, meant_word, nearest, parts};

    #[test]
    fn suggests_what_was_meant() {
        let names = ["get_weather", "fallback", "writer", "LLMNode"];
        assert_eq!(nearest("get_wether", names), Some("get_weather"));
        assert_eq!(nearest("fallbak", names), Some("fallback"));
        assert_eq!(nearest("LlmNode", names), Some("LLMNode"));
        assert_eq!(nearest("totally_else", names), None);
        assert_eq!(nearest("aks", ["ask", "look"]), Some("ask"));
        assert_eq!(nearest("bad", ["ask", "bat"]), None);
    }

    #[test]
    fn parts_of_names() {
        assert_eq!(parts("maxInternalIterations"), ["max", "internal", "iteration"]);
        assert_eq!(parts("LLMNode"), ["llm", "node"]);
        assert_eq!(parts("max_cost-usd"), ["max", "cost", "usd"]);
        assert_eq!(parts("class"), ["class"]);
    }

    #[test]
    fn words_of_a_closed_list() {
        assert_eq!(meant_word("exp", &["linear", "exponential", "fixed"]), Some("exponential"));
        assert_eq!(meant_word("map_reduce", &["map", "agent"]), Some("map"));
        assert_eq!(meant_word("agent_tool", &["tool", "agent"]), None);
        assert_eq!(meant_word("package.LLMNode", &["LLMNode", "Node"]), Some("LLMNode"));
    }

    #[test]
    fn what_was_meant_in_another_style_or_in_short() {
        let keys = ["start_node", "end_nodes", "read_keys", "write_keys", "max_cost_usd", "onFailure"];
        assert_eq!(meant("startNode", &keys), Some("start_node"));
        assert_eq!(meant("reads", &keys), Some("read_keys"));
        assert_eq!(meant("max_cost", &keys), Some("max_cost_usd"));
        assert_eq!(meant("onFail", &keys), Some("onFailure"));
        // Two have the part.
        assert_eq!(meant("keys", &keys), None);
        assert_eq!(meant("next", &keys), None);
    }
}

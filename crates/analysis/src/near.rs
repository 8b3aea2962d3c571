//! Near names: what the author may have meant. A similarity for two words, and a search that stays
//! cheap with tens of thousands of names.

/// Names further apart than this many typing mistakes are not suggested.
const MISTAKES_MAX: usize = 2;
/// Two words less similar than this, from 0 to 1, are not suggested.
const SIMILARITY_MIN: f64 = 0.7;

/// How similar two words are, case aside, from 0 to 1.
#[must_use]
pub fn similarity(one: &str, other: &str) -> f64 {
    strsim::normalized_damerau_levenshtein(&one.to_lowercase(), &other.to_lowercase())
}

/// The most similar of `candidates`, if one is similar enough; the first of equals.
#[must_use]
pub(crate) fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
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
    use super::nearest;

    #[test]
    fn suggests_what_was_meant() {
        let names = ["get_weather", "fallback", "writer", "LLMNode"];
        assert_eq!(nearest("get_wether", names), Some("get_weather"));
        assert_eq!(nearest("fallbak", names), Some("fallback"));
        assert_eq!(nearest("LlmNode", names), Some("LLMNode"));
        assert_eq!(nearest("totally_else", names), None);
    }
}

//! The sentences of a text that are long enough to be facts.
//!
//! Input: a text; output: its sentences, each once. Invariant: linear in the text's length, except for the removal of
//! repetitions.

use std::collections::BTreeSet;

use nodewise_expr::javascript::{is_blank, length};

/// The sentences with at least this many characters, in order, each once. Case and spaces do not distinguish them.
pub(crate) fn sentences(text: &str, least_length: f64) -> Vec<String> {
    let flowing = without_lines(&text.replace("\r\n", "\n"));
    let mut known = BTreeSet::new();
    split(&flowing)
        .into_iter()
        .map(|sentence| sentence.trim_matches(is_blank))
        .filter(|sentence| length(sentence) as f64 >= least_length)
        .filter(|sentence| {
            let words = sentence.to_lowercase();
            let words: Vec<&str> = words.split(is_blank).filter(|word| !word.is_empty()).collect();
            !words.is_empty() && known.insert(words.join(" "))
        })
        .map(str::to_owned)
        .collect()
}

/// The text in one line. A list item begins a new sentence.
fn without_lines(text: &str) -> String {
    let mut flowing = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\n') {
        let (line, behind) = rest.split_at(at);
        flowing.push_str(line);
        let content = behind.trim_start_matches(is_blank);
        if let Some(point) = behind_bullet(content).or_else(|| behind_number(content)) {
            flowing.push_str(". ");
            rest = point;
            continue;
        }
        let gap = behind.strip_suffix(content).unwrap_or_default();
        push_gap(gap, &mut flowing);
        rest = content;
    }
    flowing.push_str(rest);
    flowing
}

/// Adds the space between words, with each run of line ends as one space.
fn push_gap(gap: &str, flowing: &mut String) {
    let mut was_end = false;
    for character in gap.chars() {
        let is_end = character == '\n';
        match is_end {
            true if was_end => {}
            true => flowing.push(' '),
            false => flowing.push(character),
        }
        was_end = is_end;
    }
}

fn behind_bullet(text: &str) -> Option<&str> {
    behind_blanks(text.strip_prefix(['-', '*'])?)
}

fn behind_number(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches(|character: char| character.is_ascii_digit());
    if rest.len() == text.len() {
        return None;
    }
    behind_blanks(rest.strip_prefix('.')?)
}

fn behind_blanks(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches(is_blank);
    (rest.len() < text.len()).then_some(rest)
}

/// The parts of the text, split at the spaces after the end of a sentence.
fn split(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut before = None;
    for (at, character) in text.char_indices() {
        if is_blank(character) && matches!(before, Some('.' | '!' | '?')) {
            parts.push(text.get(start..at).unwrap_or_default());
            let rest = text.get(at..).unwrap_or_default().trim_start_matches(is_blank);
            start = text.len() - rest.len();
        }
        before = Some(character);
    }
    parts.push(text.get(start..).unwrap_or_default());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_sentences(text: &str, least_length: f64, expected: &[&str]) {
        assert_eq!(sentences(text, least_length), expected);
    }

    #[test]
    fn a_sentence_ends_with_its_mark_and_a_blank() {
        check_sentences("One. Two! Three?\tFour 1.5 five", 1.0, &["One.", "Two!", "Three?", "Four 1.5 five"]);
        check_sentences("", 1.0, &[]);
        check_sentences("Short. A long one.", 10.0, &["A long one."]);
    }

    #[test]
    fn points_of_a_list_are_sentences() {
        check_sentences(
            "Intro\n- first\r\n\n  * second\n12. third\n-no point\nlast",
            1.0,
            &["Intro.", "first.", "second.", "third -no point last"],
        );
        check_sentences("a\n-\n- b", 1.0, &["a.", "- b"]);
    }

    #[test]
    fn repetitions_are_left_out() {
        check_sentences("Say it. SAY   it. say\nit. Other.", 1.0, &["Say it.", "Other."]);
    }

    #[test]
    fn hostile_texts_take_linear_time() {
        assert_eq!(sentences(&"\n".repeat(400_000), 1.0), Vec::<String>::new());
        assert_eq!(sentences(&". ".repeat(200_000), 1.0), ["."]);
    }
}

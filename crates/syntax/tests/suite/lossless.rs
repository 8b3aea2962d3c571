//! Every text gives a tree that covers it: prefixes, deletions, random bytes of corpus files.

use std::sync::Arc;

use nodewise_syntax::{Tree, dump, events, parse};

use crate::generate;
use crate::support::{Random, corpus_files};

/// Files beyond this size would take the square of it; a sample of their places stands for all.
const WHOLE: usize = 3_000;

/// Parses a text and looks at everything that the tree offers.
fn check_tree(text: &str) {
    let tree = parse(text);
    assert_covers(&tree);
    let _ = (events::event_text(&tree), dump::tree_text(&tree));
    for problem in tree.problems() {
        let message = problem.message();
        assert!(message.chars().count() <= 80, "{message}");
        assert!(text.get(std::ops::Range::from(problem.range)).is_some(), "{problem:?} is outside {text:?}");
        let _ = problem.help();
    }
}

fn assert_covers(tree: &Tree) {
    let mut rest = tree.text();
    for token in tree.token_texts() {
        rest = rest.strip_prefix(token).unwrap_or_else(|| panic!("a token {token:?} is out of place"));
    }
    assert_eq!(rest, "", "the end of the text has no token");
}

/// Each place of a small file, a sample of a large one's.
fn places(text: &str) -> impl Iterator<Item = usize> + '_ {
    let step = (text.len() / WHOLE).pow(2) * 4 + 1;
    text.char_indices().map(|(start, _)| start).step_by(step)
}

#[test]
fn every_prefix_of_a_corpus_file_is_covered() {
    for folder in ["liman", "cycgraph", "agentos"] {
        for text in corpus_files(folder).values() {
            for end in places(text) {
                assert_covers(&parse(&text[..end]));
            }
        }
    }
}

#[test]
fn every_deletion_in_a_corpus_file_is_covered() {
    for folder in ["liman", "cycgraph", "agentos"] {
        for text in corpus_files(folder).values() {
            for start in places(text) {
                let (before, behind) = text.split_at(start);
                let length = behind.chars().next().map_or(0, char::len_utf8);
                let shorter: Arc<str> = format!("{before}{}", &behind[length..]).into();
                assert_covers(&parse(shorter));
            }
        }
    }
}

#[test]
fn random_documents_are_covered_and_can_be_asked() {
    let mut random = Random::new(31);
    for _ in 0..40_000 {
        check_tree(&generate::document(&mut random));
    }
}

#[test]
fn random_characters_are_covered_and_can_be_asked() {
    const CHARACTERS: &str = "a: -?[]{},&*!|>'\"%@`#\\\t\n\r \u{feff}\u{7f}\u{85}é𝄞0=<";
    let characters: Vec<char> = CHARACTERS.chars().collect();
    let mut random = Random::new(32);
    for _ in 0..60_000 {
        let length = random.below(40);
        check_tree(&(0..length).map(|_| characters[random.below(characters.len())]).collect::<String>());
    }
}

//! Parentheses, which the language does not have.
//!
//! Input: the words of the expression; output: which parentheses belong together, and what can stand in their place.
//! Invariant: the replacement of a group means what the author meant by the group.

use crate::agentos::authored::{Word, WordKind};
use crate::agentos::{range, slice};

/// For each word that is a parenthesis with a partner, the position of the partner.
pub(super) fn partners(words: &[Word<'_>]) -> Vec<Option<usize>> {
    let mut partners = vec![None; words.len()];
    let mut open = Vec::new();
    for (index, word) in words.iter().enumerate() {
        if word.is_symbol("(") {
            open.push(index);
        } else if word.is_symbol(")")
            && let Some(opening) = open.pop()
        {
            if let Some(partner) = partners.get_mut(opening) {
                *partner = Some(index);
            }
            if let Some(partner) = partners.get_mut(index) {
                *partner = Some(opening);
            }
        }
    }
    partners
}

/// The text between two parentheses, if the expression means the same without them.
pub(super) fn without(text: &str, words: &[Word<'_>], open: usize, close: usize) -> Option<String> {
    let inner = words.get(open + 1..close).filter(|inner| !inner.is_empty())?;
    let before = open.checked_sub(1).and_then(|before| words.get(before));
    let after = words.get(close + 1);
    let stands_alone =
        before.is_none_or(|word| joint(word).is_some()) && after.is_none_or(|word| joint(word).is_some());
    let is_conjunct = [before, after].into_iter().flatten().any(|word| joint(word) == Some(Joint::And));
    let is_alternative = inner.iter().any(|word| joint(word) == Some(Joint::Or));
    let is_choice = inner.iter().any(|word| joint(word) == Some(Joint::Choice));
    if !stands_alone || is_choice || (is_conjunct && is_alternative) {
        return None;
    }
    let (first, last) = (inner.first()?, inner.last()?);
    Some(slice(text, range(first.start, last.end())).to_owned())
}

/// What joins conditions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Joint {
    And,
    Or,
    Choice,
}

fn joint(word: &Word<'_>) -> Option<Joint> {
    if !matches!(word.kind, WordKind::Symbol | WordKind::Name) {
        return None;
    }
    match word.text {
        "&&" | "and" | "AND" => Some(Joint::And),
        "||" | "or" | "OR" => Some(Joint::Or),
        "?" | ":" => Some(Joint::Choice),
        _ => None,
    }
}

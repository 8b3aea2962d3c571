//! Paths that do not begin at a part of the state, and what they probably mean.
//!
//! Input: a name of the expression; output: a path that the runtime reads. Invariant: what is returned begins with a
//! partition and ends like the name.

use super::{FindingKind, RoutingFinding};
use crate::agentos::PARTITIONS;
use crate::agentos::authored::{Word, WordKind};
use crate::problem::quote;

/// The reference that a word certainly means: the word itself, or the same without a prefix or in lower case.
pub(super) fn meant(word: &Word<'_>) -> Option<String> {
    if word.kind != WordKind::Name {
        return None;
    }
    let root = word.text.split('.').next().unwrap_or_default();
    if PARTITIONS.contains(&root) {
        return Some(word.text.to_owned());
    }
    let in_lower_case = || {
        let partition = same_but_for_case(root).filter(|_| root.len() < word.text.len())?;
        Some(word.text.replacen(root, partition, 1))
    };
    without_prefix(word.text).or_else(in_lower_case)
}

/// The finding about a word that is no reference; `nearest` is the reference that it probably means.
pub(super) fn unknown_root(word: &Word<'_>, nearest: Option<String>) -> RoutingFinding {
    let root = word.text.split('.').next().unwrap_or_default();
    RoutingFinding {
        kind: FindingKind::UnknownRoot,
        range: word.range(),
        message: format!("the state has no part `{}`: this is plain text", quote(root)),
        help: Some(match &nearest {
            Some(path) => format!("write `{}`", quote(path)),
            None => "begin with `scratch.`, `input.` or `artifacts.`, or quote a text".to_owned(),
        }),
        replacement: nearest,
    }
}

/// The part of a longer path that begins at a partition: `scratch.n` of `state.scratch.n`.
pub(super) fn without_prefix(path: &str) -> Option<String> {
    let dots = path.match_indices('.').map(|(at, _)| at + 1);
    let mut tails = dots.filter_map(|start| path.get(start..));
    let starts_at_partition = |tail: &&str| PARTITIONS.contains(&tail.split('.').next().unwrap_or_default());
    tails.find(starts_at_partition).map(str::to_owned)
}

/// The partition that a name is, apart from its case.
pub(super) fn same_but_for_case(root: &str) -> Option<&'static str> {
    PARTITIONS.into_iter().find(|partition| partition.eq_ignore_ascii_case(root))
}

/// The partition that a misspelled name probably means.
pub(super) fn near(root: &str) -> Option<&'static str> {
    const LONGEST: usize = 16;
    if root.len() > LONGEST {
        return None;
    }
    let distance = |partition: &str| strsim::damerau_levenshtein(&root.to_ascii_lowercase(), partition);
    let candidates = PARTITIONS.into_iter().map(|partition| (distance(partition), partition));
    candidates.filter(|(distance, _)| *distance <= 2).min().map(|(_, partition)| partition)
}

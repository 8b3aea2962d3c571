//! Differences in runs.

use crate::oracle::liman::runs;
use crate::oracle::subject::{Entry, Known};

pub(in crate::oracle::liman) const RUNS: &[Entry] = &[Entry {
    name: "language-above",
    reason: "prompts in only one language, not the fallback: the packages distinguish `{ru: {system: …}}` from \
             `{system: {ru: …}}`, and send no system prompt for the former; the normalised texts are the same, and so is \
             the rest of the run",
    known: Known::Whole,
    holds: |case| runs::without_first_words(case.question).is_some_and(|ours| ours == *case.theirs),
}];

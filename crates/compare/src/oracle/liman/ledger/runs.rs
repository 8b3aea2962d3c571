//! The disagreements about runs that we mean to keep.

use crate::oracle::liman::runs;
use crate::oracle::subject::{Entry, Known};

pub(in crate::oracle::liman) const RUNS: &[Entry] = &[Entry {
    name: "language-above",
    reason: "prompts in one other language alone: the packages tell `{ru: {system: …}}` from `{system: {ru: …}}`, and say \
             nothing first for the former; the normalised texts are the same. All else of the run is",
    known: Known::Whole,
    holds: |case| runs::without_first_words(case.question).is_some_and(|ours| ours == *case.theirs),
}];

//! The disagreements about runs that we mean to keep.

use serde_json::Value;

use crate::oracle::liman::runs;
use crate::oracle::subject::{Entry, Known};
use crate::oracle::verdict;

pub(in crate::oracle::liman) const RUNS: &[Entry] = &[
    Entry {
        name: "failures-of-one-moment",
        reason: "nodes that fail in the same round of Python's event loop: which of them is logged first; the visits, the calls \
                 of models and each failure are the same",
        known: Known::Part,
        holds: |case| {
            without_failures(case.ours) == without_failures(case.theirs)
                && failures(case.ours) == failures(case.theirs)
        },
    },
    Entry {
        name: "language-above",
        reason: "prompts in one other language alone: the packages tell `{ru: {system: …}}` from `{system: {ru: …}}`, and say \
             nothing first for the former; the normalised texts are the same. All else of the run is",
        known: Known::Whole,
        holds: |case| runs::without_first_words(case.question).is_some_and(|ours| ours == *case.theirs),
    },
];

/// The failures of a run in the order of their letters.
fn failures(run: &Value) -> Vec<String> {
    let mut failures = verdict::listed(&run["failures"]);
    failures.sort_unstable();
    failures
}

/// A run but for its failures.
fn without_failures(run: &Value) -> Value {
    let mut run = run.clone();
    run["failures"] = Value::Null;
    run
}

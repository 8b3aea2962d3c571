//! The disagreements about runs that we mean to keep.

use serde_json::Value;

use crate::oracle::liman::runs;
use crate::oracle::subject::Entry;

pub(in crate::oracle::liman) const RUNS: &[Entry] = &[
    Entry {
        name: "language-above",
        reason: "prompts in one other language alone: the packages tell `{ru: {system: …}}` from `{system: {ru: …}}`, \
                 the normalised texts do not",
        holds: |disagreement| has_language_above(disagreement.question),
    },
    Entry {
        name: "interleaving",
        reason: "branches run at the same time in both lines, and the rounds of Python's event loop decide who is next; \
                 in another order of the branches, ours is the same run",
        holds: |disagreement| {
            !has_language_above(disagreement.question)
                && runs::is_other_order(disagreement.question, disagreement.theirs)
        },
    },
];

fn has_language_above(question: &Value) -> bool {
    let documents = question["value"]["documents"].as_array().into_iter().flatten();
    let mut prompts = documents.filter_map(|document| document["prompts"].as_object());
    prompts.any(|prompts| prompts.len() == 1 && prompts.contains_key("ru"))
}

//! The disagreements about runs that we mean to keep.

use serde_json::Value;

use crate::oracle::subject::{Disagreement, Entry};

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
                 no order is documented",
        holds: |disagreement| !has_language_above(disagreement.question) && is_other_order(disagreement),
    },
];

fn has_language_above(question: &Value) -> bool {
    let documents = question["value"]["documents"].as_array().into_iter().flatten();
    let mut prompts = documents.filter_map(|document| document["prompts"].as_object());
    prompts.any(|prompts| prompts.len() == 1 && prompts.contains_key("ru"))
}

/// Whether branches ran at the same time, and the first thing that differs is who of them was next.
fn is_other_order(disagreement: &Disagreement<'_>) -> bool {
    let visited = |answer: &Value| -> Vec<Vec<String>> {
        let turns = answer["turns"].as_array().into_iter().flatten();
        let names = |turn: &Value| {
            let names = turn["visited"].as_array().into_iter().flatten();
            names.filter_map(|name| name.as_str().map(str::to_owned)).collect()
        };
        turns.map(names).collect()
    };
    let (ours, theirs) = (visited(disagreement.ours), visited(disagreement.theirs));
    match ours.iter().zip(&theirs).find(|(ours, theirs)| ours != theirs) {
        // Up to there both did the same; further on, who asks first gets the next answer of a common list.
        Some((ours, theirs)) => {
            let same = ours.iter().zip(theirs).take_while(|(ours, theirs)| ours == theirs).count();
            same >= 3 && ours.get(same).is_some_and(|next| theirs[same..].contains(next))
        }
        None => sorted_errors(disagreement.ours) == sorted_errors(disagreement.theirs),
    }
}

fn sorted_errors(answer: &Value) -> Vec<String> {
    let errors = answer["failures"].as_array().into_iter().flatten();
    let mut errors: Vec<String> = errors.filter_map(|error| error.as_str().map(str::to_owned)).collect();
    errors.sort();
    errors
}

//! Differences in localized texts.
//!
//! Input is a disagreement. Output is whether an entry explains it. Invariant: our answer is the one of the
//! specification. If there are several reasons, the first one is used.

use nodewise_dialect::bundle::BundleProblemKind;
use nodewise_dialect::tables::liman::FALLBACK_LANGUAGE;
use serde_json::{Value, json};

use crate::oracle::liman::bundles::problems;
use crate::oracle::liman::specified;
use crate::oracle::subject::{Disagreement, Entry, Known};

pub(in crate::oracle::liman) const BUNDLES: &[Entry] = &[
    Entry {
        name: "null for an empty text",
        reason: "the packages treat null, 0 and false as an empty mapping; in the specification they are not texts",
        known: Known::Whole,
        holds: |case| reason(case) == Some(Reason::FalsyWhole),
    },
    Entry {
        name: "a list instead of a text",
        reason: "in the documentation, triggers can be lists of texts; the packages fail on most lists",
        known: Known::Whole,
        holds: |case| reason(case) == Some(Reason::List),
    },
    Entry {
        name: "two texts for the same place",
        reason: "we report an error; the packages silently lose one of the two, depending on the order of the keys",
        known: Known::Whole,
        holds: |case| reason(case) == Some(Reason::Conflict),
    },
    Entry {
        name: "an unknown language next to a known one",
        reason: "we report a warning and leave out its text; the packages use it as a key, lose it or fail",
        known: Known::Whole,
        holds: |case| reason(case) == Some(Reason::UnknownLanguage),
    },
    Entry {
        name: "a leaf that is not a text",
        reason: "we report a warning and leave out null; the packages keep null, and fail directly below a language",
        known: Known::Whole,
        holds: |case| reason(case) == Some(Reason::NonText),
    },
    Entry {
        name: "a mapping without its own text",
        reason: "it is empty or has other languages, so no text is lost; the packages see a mapping next to a text",
        known: Known::Whole,
        holds: |case| reason(case) == Some(Reason::BareMapping),
    },
    Entry {
        name: "a language without text",
        reason: "in the packages it exists and hides the fallback; in the specification it lacks all texts",
        known: Known::Whole,
        holds: |case| reason(case) == Some(Reason::EmptyLanguage),
    },
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Reason {
    FalsyWhole,
    List,
    Conflict,
    UnknownLanguage,
    NonText,
    BareMapping,
    EmptyLanguage,
}

fn reason(case: &Disagreement<'_>) -> Option<Reason> {
    let value = &case.question["value"];
    let language = case.question["language"].as_str().unwrap_or_default();
    if *case.ours != specified::answer(value, language) {
        return None;
    }
    let is_refused = |answer: &Value| !answer["error"].is_null();
    let Some(problems) = problems(value) else {
        let is_falsy = value.is_null() || *value == json!(false) || value.as_f64() == Some(0.0);
        return (is_falsy && case.theirs["bundle"] == json!({FALLBACK_LANGUAGE: ""}))
            .then_some(Reason::FalsyWhole);
    };
    let has = |is_wanted: fn(&BundleProblemKind) -> bool| problems.iter().any(is_wanted);
    if is_refused(case.ours) {
        return Some(Reason::Conflict);
    }
    if has(|problem| matches!(problem, BundleProblemKind::UnknownLanguage(_))) {
        return Some(Reason::UnknownLanguage);
    }
    if has(|problem| matches!(problem, BundleProblemKind::NonText(_))) {
        return Some(Reason::NonText);
    }
    if holds_list(value) && (is_refused(case.theirs) || value.is_array()) {
        return Some(Reason::List);
    }
    if is_refused(case.theirs) && holds_mapping(value) {
        return Some(Reason::BareMapping);
    }
    (case.ours["bundle"] == case.theirs["bundle"] && case.theirs["lookup"].is_null())
        .then_some(Reason::EmptyLanguage)
}

fn holds_list(value: &Value) -> bool {
    match value {
        Value::Array(_) => true,
        Value::Object(members) => members.values().any(holds_list),
        _ => false,
    }
}

fn holds_mapping(value: &Value) -> bool {
    value.as_object().is_some_and(|members| members.values().any(Value::is_object))
}

//! Our verdicts on whole documents.
//!
//! Input is the oracle's question; output is the stage that ends the judgement, and what was found there. Invariant:
//! rules are compared only where both sides come to them.

use std::collections::BTreeSet;

use nodewise_analysis::diagnostic::Severity;
use serde_json::{Value, json};

use crate::oracle::generate::documents::text_of;
use crate::oracle::{places, verdict};

/// The stages that stop the package before its rules.
const SCHEMA: &str = "schema";
const INTEGRITY: &str = "integrity";
const RULES: &str = "rules";

pub(super) fn answer(question: &Value) -> Value {
    let (path, text) = text_of(question);
    let Some(diagnostics) = verdict::diagnostics(path, text.clone(), "cycgraph") else {
        return json!({"stage": verdict::UNCLAIMED});
    };
    let errors = verdict::broken_rules(&diagnostics, "cycgraph", Severity::Error);
    if errors.contains(SCHEMA) {
        return json!({"stage": SCHEMA, "places": places::ours(&text, &diagnostics, "cycgraph:schema")});
    }
    if errors.contains(INTEGRITY) {
        return json!({"stage": INTEGRITY});
    }
    rules(errors, verdict::broken_rules(&diagnostics, "cycgraph", Severity::Warning))
}

/// The oracle's answer in the same form.
pub(super) fn their_answer(question: &Value, answer: &Value) -> Value {
    match answer["stage"].as_str() {
        Some("validator") => {
            rules(verdict::listed_rules(&answer["errors"]), verdict::listed_rules(&answer["warnings"]))
        }
        Some(SCHEMA) => {
            json!({"stage": SCHEMA, "places": places::theirs(&question["value"], &answer["schema"])})
        }
        _ => json!({"stage": answer["stage"]}),
    }
}

/// A graph with an end of an edge, a start or another node that does not exist: where runs come is not known.
const BROKEN_WAYS: verdict::Consequences = verdict::Consequences {
    causes: &["R1", "R5", "R7", "R9", "R10", "R17", "R25", "R27", "R28", "R34"],
    follow: &["R48", "R49", "R53"],
};

fn rules(mut errors: BTreeSet<String>, mut warnings: BTreeSet<String>) -> Value {
    BROKEN_WAYS.leave_out(&mut errors, &mut warnings);
    verdict::sets(RULES, &errors, &warnings)
}

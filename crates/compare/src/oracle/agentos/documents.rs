//! Our verdicts on whole documents.
//!
//! Input is the oracle's question; output is the rules that are broken. Invariant: of the rules, those alone count that
//! the package checks; the others are implied.

use std::collections::BTreeSet;

use nodewise_analysis::diagnostic::Severity;
use serde_json::{Value, json};

use crate::oracle::generate::documents::text_of;
use crate::oracle::verdict;

/// The rules that the package checks; the others are implied.
const CHECKED: &[&str] = &["R1", "R2", "R3", "R4", "R5", "R6"];

/// The package throws where a part that it reads is not there.
pub(super) const THROWS: &str = "throws";
const RULES: &str = "rules";

pub(super) fn answer(question: &Value) -> Value {
    let (path, text) = text_of(question);
    let Some(diagnostics) = verdict::diagnostics(path, text, "agentos") else {
        return json!({"stage": verdict::UNCLAIMED});
    };
    let broken = |severity| {
        let mut rules = verdict::broken_rules(&diagnostics, "agentos", severity);
        rules.retain(|rule| CHECKED.contains(&rule.as_str()));
        rules
    };
    rules(broken(Severity::Error), broken(Severity::Warning))
}

/// The oracle's answer in the same form.
pub(super) fn their_answer(_: &Value, answer: &Value) -> Value {
    if !answer["crash"].is_null() {
        return json!({"stage": THROWS});
    }
    rules(verdict::listed_rules(&answer["errors"]), verdict::listed_rules(&answer["warnings"]))
}

/// An edge without one of its ends: the package takes that for a cycle, and for missing ways.
const BROKEN_WAYS: verdict::Consequences =
    verdict::Consequences { causes: &["R3", "R4"], follow: &["R1", "R2", "R5", "R6"] };

fn rules(mut errors: BTreeSet<String>, mut warnings: BTreeSet<String>) -> Value {
    BROKEN_WAYS.leave_out(&mut errors, &mut warnings);
    verdict::sets(RULES, &errors, &warnings)
}

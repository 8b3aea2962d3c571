//! Our verdicts on whole documents.
//!
//! Input is the oracle's question; output is the rules that are broken. Invariant: of the rules, those alone count that
//! the package checks; the others are implied.

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
    verdict::sets(RULES, &broken(Severity::Error), &broken(Severity::Warning))
}

/// The oracle's answer in the same form.
pub(super) fn their_answer(_: &Value, answer: &Value) -> Value {
    if !answer["crash"].is_null() {
        return json!({"stage": THROWS});
    }
    verdict::sets(
        RULES,
        &verdict::listed_rules(&answer["errors"]),
        &verdict::listed_rules(&answer["warnings"]),
    )
}

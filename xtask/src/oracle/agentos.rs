//! What AgentOS is asked, and how we answer.
//!
//! Input is the oracle's questions; output is answers in the oracle's form. Invariant: our answers come from the same
//! functions of the library crates as those of the command line.

mod expressions;

use nodewise_analysis::diagnostic::Severity;
use serde_json::{Value, json};

use super::generate::{documents, routing, shrink};
use super::subject::Subject;
use super::verdict;

pub(super) const SUBJECTS: &[Subject] = &[
    Subject {
        system: "agentos",
        name: "expressions",
        generate: routing::question,
        ours: expressions::answer,
        theirs: Value::clone,
        smaller: |question| shrink::smaller_text(question, "expression", &["state"]),
        ledger: &[],
        recorded: 2_000,
    },
    Subject {
        system: "agentos",
        name: "documents",
        generate: documents::agentos_question,
        ours: our_verdict,
        theirs: their_verdict,
        smaller: shrink::smaller_document,
        ledger: &[],
        recorded: 300,
    },
];

/// The rules that the package checks; the others are implied.
const CHECKED: &[&str] = &["R1", "R2", "R3", "R4", "R5", "R6"];

/// The package throws where a part that it reads is not there.
const THROWS: &str = "throws";
const RULES: &str = "rules";

fn our_verdict(question: &Value) -> Value {
    let (path, text) = documents::text_of(question);
    let diagnostics = verdict::diagnostics(path, text);
    let broken = |severity| {
        let mut rules = verdict::broken_rules(&diagnostics, "agentos", severity);
        rules.retain(|rule| CHECKED.contains(&rule.as_str()));
        rules
    };
    verdict::sets(RULES, &broken(Severity::Error), &broken(Severity::Warning))
}

fn their_verdict(answer: &Value) -> Value {
    if !answer["crash"].is_null() {
        return json!({"stage": THROWS});
    }
    verdict::sets(
        RULES,
        &verdict::listed_rules(&answer["errors"]),
        &verdict::listed_rules(&answer["warnings"]),
    )
}

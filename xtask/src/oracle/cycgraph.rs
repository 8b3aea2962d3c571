//! What cycgraph is asked, and how we answer.
//!
//! Input is the oracle's questions; output is answers in the oracle's form. Invariant: our answers come from the same
//! functions of the library crates as those of the command line.

mod expressions;
mod ledger;

use nodewise_analysis::diagnostic::Severity;
use serde_json::{Value, json};

use super::generate::{documents, filtrex, paths, shrink};
use super::subject::Subject;
use super::verdict;

pub(super) const SUBJECTS: &[Subject] = &[
    Subject {
        system: "cycgraph",
        name: "expressions",
        generate: filtrex::question,
        ours: expressions::answer,
        theirs: expressions::their_answer,
        smaller: |question| shrink::smaller_text(question, "expression", &["memory", "tainted"]),
        ledger: ledger::EXPRESSIONS,
        recorded: 2_000,
    },
    Subject {
        system: "cycgraph",
        name: "paths",
        generate: paths::question,
        ours: |_| Value::Null,
        theirs: Value::clone,
        smaller: |question| shrink::smaller_text(question, "path", &["json"]),
        ledger: &[],
        recorded: 1_500,
    },
    Subject {
        system: "cycgraph",
        name: "documents",
        generate: documents::cycgraph_question,
        ours: our_verdict,
        theirs: their_verdict,
        smaller: shrink::smaller_document,
        ledger: &[],
        recorded: 300,
    },
];

/// The stages that stop the package before its rules.
const SCHEMA: &str = "schema";
const INTEGRITY: &str = "integrity";
const RULES: &str = "rules";

fn our_verdict(question: &Value) -> Value {
    let (path, text) = documents::text_of(question);
    let diagnostics = verdict::diagnostics(path, text);
    let errors = verdict::broken_rules(&diagnostics, "cycgraph", Severity::Error);
    for stage in [SCHEMA, INTEGRITY] {
        if errors.contains(stage) {
            return json!({"stage": stage});
        }
    }
    verdict::sets(RULES, &errors, &verdict::broken_rules(&diagnostics, "cycgraph", Severity::Warning))
}

fn their_verdict(answer: &Value) -> Value {
    match answer["stage"].as_str() {
        Some("validator") => verdict::sets(
            RULES,
            &verdict::listed_rules(&answer["errors"]),
            &verdict::listed_rules(&answer["warnings"]),
        ),
        _ => json!({"stage": answer["stage"]}),
    }
}

//! What cycgraph is asked, and how we answer.
//!
//! Input is the oracle's questions; output is answers in the oracle's form. Invariant: our answers come from the same
//! functions of the library crates as those of the command line.

use serde_json::Value;

use super::generate::{filtrex, paths, shrink};
use super::subject::Subject;

pub(super) const SUBJECTS: &[Subject] = &[
    Subject {
        system: "cycgraph",
        name: "expressions",
        generate: filtrex::question,
        ours: |_| Value::Null,
        theirs: Value::clone,
        smaller: |question| shrink::smaller_text(question, "expression", &["memory", "tainted"]),
        ledger: &[],
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
];

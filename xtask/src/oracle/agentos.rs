//! What AgentOS is asked, and how we answer.
//!
//! Input is the oracle's questions; output is answers in the oracle's form. Invariant: our answers come from the same
//! functions of the library crates as those of the command line.

use serde_json::Value;

use super::generate::{routing, shrink};
use super::subject::Subject;

pub(super) const SUBJECTS: &[Subject] = &[Subject {
    system: "agentos",
    name: "expressions",
    generate: routing::question,
    ours: |_| Value::Null,
    theirs: Value::clone,
    smaller: |question| shrink::smaller_text(question, "expression", &["state"]),
    ledger: &[],
    recorded: 2_000,
}];

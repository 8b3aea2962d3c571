//! What AgentOS is asked, and how we answer.
//!
//! Input is the oracle's questions; output is answers in the oracle's form. Invariant: our answers come from the same
//! functions of the library crates as those of the command line.

mod documents;
mod expressions;
mod ledger;
mod runs;

use super::generate::{self, shrink};
use super::subject::Subject;

pub(super) const SUBJECTS: &[Subject] = &[
    Subject {
        system: "agentos",
        name: "expressions",
        generate: generate::routing::question,
        ours: expressions::answer,
        theirs: |_, answer| answer.clone(),
        smaller: |question| shrink::smaller_text(question, "expression", &["state"]),
        ledger: &[],
        recorded: 2_000,
    },
    Subject {
        system: "agentos",
        name: "documents",
        generate: generate::documents::agentos_question,
        ours: documents::answer,
        theirs: documents::their_answer,
        smaller: shrink::smaller_document,
        ledger: ledger::DOCUMENTS,
        recorded: 250,
    },
    Subject {
        system: "agentos",
        name: "runs",
        generate: generate::agentos_runs::question,
        ours: runs::answer,
        theirs: runs::their_answer,
        smaller: shrink::smaller_job,
        ledger: &[],
        recorded: 60,
    },
];

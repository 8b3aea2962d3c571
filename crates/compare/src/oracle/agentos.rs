//! The subjects of AgentOS.
//!
//! Input is the oracle's questions. Output is answers in the oracle's format. Invariant: our answers come from the same
//! library functions as those of the command line.

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
        ledger: ledger::RUNS,
        recorded: 60,
    },
];

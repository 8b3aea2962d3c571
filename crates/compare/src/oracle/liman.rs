//! The subjects of Liman.
//!
//! Input is the oracle's questions. Output is answers in the oracle's format. Invariant: our answers come from the same
//! library functions as those of the command line.

mod bundles;
mod documents;
mod expressions;
mod ledger;
pub(super) mod recorded;
mod runs;
mod specified;

use super::generate::{agents, bundles as random_bundles, declarations, limance, shrink};
use super::subject::Subject;

pub(super) const SUBJECTS: &[Subject] = &[
    Subject {
        system: "liman",
        name: "expressions",
        generate: limance::question,
        ours: expressions::answer,
        theirs: expressions::their_answer,
        smaller: |question| shrink::smaller_text(question, "expression", &["context"]),
        ledger: ledger::EXPRESSIONS,
        recorded: 700,
    },
    Subject {
        system: "liman",
        name: "bundles",
        generate: random_bundles::question,
        ours: bundles::answer,
        theirs: bundles::their_answer,
        smaller: shrink::smaller_value,
        ledger: ledger::BUNDLES,
        recorded: 500,
    },
    Subject {
        system: "liman",
        name: "documents",
        generate: declarations::question,
        ours: documents::answer,
        theirs: documents::their_answer,
        smaller: shrink::smaller_value,
        ledger: ledger::DOCUMENTS,
        recorded: 300,
    },
    Subject {
        system: "liman",
        name: "runs",
        generate: agents::question,
        ours: runs::answer,
        theirs: runs::their_answer,
        smaller: shrink::smaller_value,
        ledger: ledger::RUNS,
        recorded: 200,
    },
];

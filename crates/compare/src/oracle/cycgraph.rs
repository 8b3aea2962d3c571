//! The subjects of cycgraph.
//!
//! Input is the oracle's questions. Output is answers in the oracle's format. Invariant: our answers come from the same
//! library functions as those of the command line.

mod documents;
mod expressions;
mod ledger;
mod paths;
mod runs;

use super::generate::{self, shrink};
use super::subject::Subject;

pub(super) const SUBJECTS: &[Subject] = &[
    Subject {
        system: "cycgraph",
        name: "expressions",
        generate: generate::filtrex::question,
        ours: expressions::answer,
        theirs: expressions::their_answer,
        smaller: |question| shrink::smaller_text(question, "expression", &["memory", "tainted"]),
        ledger: ledger::EXPRESSIONS,
        recorded: 2_000,
    },
    Subject {
        system: "cycgraph",
        name: "paths",
        generate: generate::paths::question,
        ours: paths::answer,
        theirs: paths::their_answer,
        smaller: |question| shrink::smaller_text(question, "path", &["json"]),
        ledger: ledger::PATHS,
        recorded: 1_500,
    },
    Subject {
        system: "cycgraph",
        name: "documents",
        generate: generate::documents::cycgraph_question,
        ours: documents::answer,
        theirs: documents::their_answer,
        smaller: shrink::smaller_document,
        ledger: ledger::DOCUMENTS,
        recorded: 300,
    },
    Subject {
        system: "cycgraph",
        name: "runs",
        generate: generate::cycgraph_runs::question,
        ours: runs::answer,
        theirs: runs::their_answer,
        smaller: |question| shrink::smaller_part(question, "scenario"),
        ledger: ledger::RUNS,
        recorded: 100,
    },
];

//! The disagreements with AgentOS that we mean to keep.
//!
//! Input is a disagreement; output is whether an entry explains it. Invariant: an entry looks at the one case, and says
//! no more than its reason covers.

use nodewise_analysis::diagnostic::Severity;

use crate::oracle::generate::documents::{read, text_of};
use crate::oracle::subject::{Disagreement, Entry};
use crate::oracle::verdict::{UNCLAIMED, diagnostics};

use super::documents::THROWS;

pub(super) const DOCUMENTS: &[Entry] = &[
    Entry {
        name: "document that nobody claims",
        reason: "without nodes, edges or an executor it may be anybody's file, and is left alone",
        holds: |case| {
            let document = read(case.question);
            let is_graph = document["nodes"].is_array() && document["edges"].is_array();
            let is_node = document["id"].is_string() && document["executorConfig"].is_object();
            case.ours["stage"] == UNCLAIMED && !is_graph && !is_node
        },
    },
    Entry {
        name: "exception of the package",
        reason: "where the package throws on a part that is not there, we say which part it is",
        holds: |case| case.theirs["stage"] == THROWS && has_error(case),
    },
    Entry {
        name: "node or edge without its names",
        reason: "the package takes two ids that are both missing, or of another type, for one; we report each (I1)",
        holds: |case| {
            let document = read(case.question);
            let lacks = |list: &str, keys: &[&str]| {
                let items = document[list].as_array().into_iter().flatten();
                items.into_iter().any(|item| keys.iter().any(|key| !item[*key].is_string()))
            };
            let is_nameless = lacks("nodes", &["id"]) || lacks("edges", &["source", "target"]);
            case.theirs["stage"] != THROWS
                && case.ours["stage"] != UNCLAIMED
                && is_nameless
                && has_error(case)
        },
    },
];

fn has_error(case: &Disagreement<'_>) -> bool {
    let (path, text) = text_of(case.question);
    let found = diagnostics(path, text, "agentos");
    found.is_some_and(|found| found.iter().any(|diagnostic| diagnostic.severity == Severity::Error))
}

//! `[shared_rules]`: rules that a project takes from elsewhere. Input: what the file says. Output: names and sources. Invariant: a
//! commit is named by its full hash, so that it cannot change.

use nodewise_syntax::LineCol;
use serde::{Deserialize, Serialize};

/// Rules that a project uses from elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedRules {
    /// The name that the project gives them.
    pub name: String,
    /// Where they are from.
    pub source: RuleSource,
    /// Where the configuration names them.
    pub at: LineCol,
    /// Where that ends.
    pub end: LineCol,
}

/// Where rules are from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RuleSource {
    /// A commit of a repository.
    Git {
        /// The address of the repository.
        url: String,
        /// The full hash of the commit.
        commit: String,
        /// The folder in it; empty is the whole repository.
        folder: String,
    },
    /// A folder, from the one of the project.
    Path(String),
}

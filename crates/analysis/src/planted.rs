//! A rule that never ends, for the test that holds the log to naming it: `tests/hang.rs`.
//!
//! Input: a file and the rule that judges it. Invariant: without the feature `planted-hang` it is not compiled.

use crate::facts::FileFacts;
use crate::rule::Rule;

/// Stands before the id of the rule that is to hang.
const MAGIC: &str = "planted-hang: ";

/// Never comes back where the file says so of the rule. The thread sleeps, since a test that fails must not keep a
/// processor busy until someone ends the program.
pub(crate) fn hang(file: &FileFacts, rule: &Rule) {
    let names = |line: &str| line.split_once(MAGIC).is_some_and(|(_, id)| id.trim_end() == rule.id);
    while file.text.lines().any(names) {
        std::thread::park();
    }
}

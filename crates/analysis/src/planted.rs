//! A rule that never ends, for the test that holds the log to naming it: `tests/hang.rs`.
//!
//! Input: a file and the rule that judges it. Invariant: without the feature `planted-hang` it is not compiled.

use crate::facts::FileFacts;
use crate::rule::Rule;

/// The text in a file before the id of the rule that must hang.
const MAGIC: &str = "planted-hang: ";

/// Sleeps forever if the file contains the text above with the id of this rule. For tests of time limits. It sleeps instead
/// of looping, so that a failed test does not keep a processor busy.
pub(crate) fn hang(file: &FileFacts, rule: &Rule) {
    let names = |line: &str| line.split_once(MAGIC).is_some_and(|(_, id)| id.trim_end() == rule.id);
    while file.text.lines().any(names) {
        std::thread::park();
    }
}

//! What would change in a file, as `patch` reads it.
//!
//! Input: a path as shown, two texts. Output: a unified diff. Invariant: on a terminal nothing of the file gets through
//! as it is; what goes to a program stays as it is.

use std::io::IsTerminal;

use similar::TextDiff;

use crate::screen;

/// Lines around a change.
const CONTEXT: usize = 3;

/// The unified diff of a file.
pub(crate) fn text(shown: &str, before: &str, after: &str) -> String {
    let diff = TextDiff::from_lines(before, after);
    let (old, new) = (format!("a/{shown}"), format!("b/{shown}"));
    let diff = diff.unified_diff().context_radius(CONTEXT).header(&old, &new).to_string();
    if std::io::stdout().is_terminal() { screen::lines(&diff).into_owned() } else { diff }
}

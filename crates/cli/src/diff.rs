//! Differences of a file, in the format of `patch`.
//!
//! Input: a path as shown, two texts. Output: a unified diff. Invariant: on a terminal, control characters of the file
//! are replaced. For a program, the text is unchanged.

use std::io::IsTerminal;

use similar::TextDiff;

use crate::screen;

/// The number of lines around a change.
const CONTEXT: usize = 3;

/// The unified diff of a file.
pub(crate) fn text(shown: &str, before: &str, after: &str) -> String {
    let diff = TextDiff::from_lines(before, after);
    let (old, new) = (format!("a/{shown}"), format!("b/{shown}"));
    let diff = diff.unified_diff().context_radius(CONTEXT).header(&old, &new).to_string();
    if std::io::stdout().is_terminal() { screen::lines(&diff).into_owned() } else { diff }
}

//! One line for each diagnostic: `path:line:column: severity[rule] message`.
//!
//! Input: a diagnostic. Output: its line. Invariant: exactly one line break, at the end.

use nodewise_analysis::diagnostic::Diagnostic;

use crate::project::Judged;
use crate::screen;

/// The line of a diagnostic.
pub(super) fn text(judged: &Judged, diagnostic: &Diagnostic) -> String {
    let (severity, rule) = (diagnostic.severity.word(), diagnostic.rule);
    let message = screen::line(&diagnostic.finding.message);
    match judged.place(diagnostic.finding.at) {
        Some(place) => {
            let (path, at) = (screen::line(place.path), place.start.at);
            format!("{path}:{}:{}: {severity}[{rule}] {message}\n", at.line, at.column)
        }
        None => format!("{severity}[{rule}] {message}\n"),
    }
}

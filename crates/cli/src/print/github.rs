//! Annotations of GitHub Actions: one workflow command for each diagnostic.
//!
//! Input: a diagnostic. Output: its command. Invariant: text from a file cannot end the command or its properties.

use nodewise_analysis::diagnostic::{Diagnostic, Severity};

use crate::project::Judged;
use crate::screen;

/// The command of a diagnostic.
pub(super) fn text(judged: &Judged, diagnostic: &Diagnostic) -> String {
    let command = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Hint => "notice",
    };
    let mut properties = String::new();
    if let Some(place) = judged.place(diagnostic.finding.at) {
        let (start, end) = (place.start.at, place.end.at);
        properties = format!("file={},line={},endLine={}", property(place.path), start.line, end.line);
        // GitHub rejects columns for a range of several lines.
        if start.line == end.line {
            properties.push_str(&format!(",col={},endColumn={}", start.column, end.column));
        }
        properties.push(',');
    }
    let mut message = diagnostic.finding.message.clone();
    if let Some(help) = &diagnostic.finding.help {
        message.push_str(&format!("\nhelp: {help}"));
    }
    let title = property(&format!("nodewise {}", diagnostic.rule));
    format!("::{command} {properties}title={title}::{}\n", data(&screen::lines(&message)))
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(&screen::line(text)).replace(':', "%3A").replace(',', "%2C")
}

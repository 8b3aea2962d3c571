//! Findings written back as caret lines under the text that they are about.
//!
//! Input is a file and its findings in any order; output is the fixture notation. Invariant: the
//! order of the caret lines is total (place, rule, severity, message), so equal sets of findings
//! give equal text.

use text_size::{TextRange, TextSize};

use crate::mark::Severity;

/// The path of a fixture that names no file.
pub const MAIN_PATH: &str = "/main.yaml";

/// A finding, as the code under test reported it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportedFinding {
    /// The finding's range in the stripped text.
    pub range: TextRange,
    /// Its severity.
    pub severity: Severity,
    /// The name of its rule.
    pub rule: String,
    /// Its message, without a line break; empty to render none.
    pub message: String,
}

/// Writes a file with its findings as caret lines; `/main.yaml` gets no header line.
///
/// A finding over several lines is underlined up to the end of its first line, an empty range as
/// one caret.
pub fn render(path: &str, text: &str, findings: &[ReportedFinding]) -> String {
    let mut ordered: Vec<&ReportedFinding> = findings.iter().collect();
    ordered.sort_by(|left, right| order_of(left).cmp(&order_of(right)));
    let mut pending = ordered.into_iter().peekable();

    let mut rendered = if path == MAIN_PATH { String::new() } else { format!("#- {path}\n") };
    let mut line_end = TextSize::default();
    let mut lines = text.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        rendered.push_str(line);
        line_end += TextSize::of(line);
        let is_last_line = lines.peek().is_none();
        while let Some(finding) = pending.next_if(|next| is_last_line || next.range.start() < line_end) {
            start_line(&mut rendered);
            rendered.push_str(&caret_line(text, finding));
        }
    }
    // An empty file has no line to stand under.
    for finding in pending {
        rendered.push_str(&caret_line(text, finding));
    }
    start_line(&mut rendered);
    rendered
}

fn start_line(rendered: &mut String) {
    if !rendered.is_empty() && !rendered.ends_with('\n') {
        rendered.push('\n');
    }
}

fn order_of(finding: &ReportedFinding) -> (TextSize, TextSize, &str, Severity, &str) {
    (finding.range.start(), finding.range.end(), &finding.rule, finding.severity, &finding.message)
}

/// The caret line of one finding, newline included.
pub(crate) fn caret_line(text: &str, finding: &ReportedFinding) -> String {
    let (first_column, width) = columns(text, finding.range);
    let lead = match first_column {
        0 => String::new(),
        columns => format!("#{}", " ".repeat(columns - 1)),
    };
    let carets = "^".repeat(width);
    let ReportedFinding { severity, rule, message, .. } = finding;
    let severity = severity.as_str();
    let wording = if message.is_empty() { String::new() } else { format!(": {message}") };
    format!("{lead}{carets} {severity}[{rule}]{wording}\n")
}

/// The first column, from 0, and the number of columns in the range's first line, at least one.
fn columns(text: &str, range: TextRange) -> (usize, usize) {
    let (before, from_start) = text.split_at_checked(range.start().into()).unwrap_or((text, ""));
    // The end of a file that ends with a newline belongs, in a rendered text, to its last line.
    let before = if from_start.is_empty() { before.trim_end_matches(['\n', '\r']) } else { before };
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let first_column = before.get(line_start..).unwrap_or_default().chars().count();
    let covered = from_start.get(..range.len().into()).unwrap_or(from_start);
    let first_line = covered.split(['\n', '\r']).next().unwrap_or_default();
    (first_column, first_line.chars().count().max(1))
}

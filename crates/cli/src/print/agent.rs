//! A short format for coding agents and other programs that read text: one line for each finding with its fix, grouped
//! by file.
//!
//! Input: a diagnostic, and the file of the one before. Output: its line. If the file is another one, its name comes
//! first. Invariant: one line for each finding, without drawings.

use nodewise_analysis::diagnostic::Diagnostic;

use crate::project::Judged;
use crate::screen;

/// The lines of diagnostics, in output order.
pub(super) fn texts<'j>(
    judged: &'j Judged,
    diagnostics: impl Iterator<Item = &'j Diagnostic>,
) -> Vec<String> {
    let mut file = "";
    let mut texts = Vec::new();
    for diagnostic in diagnostics {
        let finding = &diagnostic.finding;
        let mut text = String::new();
        if let Some(place) = judged.place(finding.at) {
            if place.path != file {
                file = place.path;
                text.push_str(&format!("{}\n", screen::line(file)));
            }
            text.push_str(&format!("  {}:{} ", place.start.at.line, place.start.at.column));
        }
        text.push_str(&format!(
            "{} {}: {}",
            diagnostic.severity.word(),
            diagnostic.rule,
            screen::line(&finding.message)
        ));
        if let Some(label) = &finding.label {
            text.push_str(&format!("; {}", screen::line(label)));
        }
        if let Some(help) = &finding.help {
            text.push_str(&format!("; {}", screen::line(help)));
        }
        for fix in &finding.fixes {
            let level = if fix.safe { "fix" } else { "unsafe fix" };
            text.push_str(&format!("; {level}: {}", screen::line(&fix.title)));
        }
        text.push('\n');
        texts.push(text);
    }
    texts
}

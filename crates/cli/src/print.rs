//! Diagnostics as text, in one of the formats.
//!
//! Input: judged projects, one after another, and a summary. Output: text. Invariant: nothing that comes from a
//! file reaches a terminal without passing through `screen`.

mod concise;
mod excerpt;
pub(crate) mod fault;
mod full;
pub(crate) mod json;

use anyhow::Result;
use nodewise_analysis::diagnostic::{Diagnostic, Severity};
use rayon::prelude::*;

use crate::output::Output;
use crate::project::Judged;

/// What a run came to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Summary {
    /// Files that were read and asked for.
    pub(crate) files: usize,
    /// Findings of each severity.
    pub(crate) errors: usize,
    pub(crate) warnings: usize,
    pub(crate) hints: usize,
}

/// Prints diagnostics in one format.
pub(crate) struct Printer {
    format: Format,
    shows_hints: bool,
}

enum Format {
    Full(full::Drawer),
    Concise,
    Json(json::Separator),
}

impl Printer {
    /// Each diagnostic with its source lines.
    pub(crate) fn full(shows_hints: bool, is_coloured: bool) -> Printer {
        Printer { format: Format::Full(full::Drawer::new(is_coloured)), shows_hints }
    }

    /// One line a diagnostic.
    pub(crate) fn concise(shows_hints: bool) -> Printer {
        Printer { format: Format::Concise, shows_hints }
    }

    /// One JSON document.
    pub(crate) fn json() -> Printer {
        Printer { format: Format::Json(json::Separator::default()), shows_hints: true }
    }

    /// Prints what comes first.
    pub(crate) fn begin(&self, output: &mut Output) -> Result<()> {
        match &self.format {
            Format::Json(_) => output.write(json::HEAD),
            Format::Full(_) | Format::Concise => Ok(()),
        }
    }

    /// Prints a project.
    pub(crate) fn project(&mut self, judged: &Judged, output: &mut Output) -> Result<()> {
        let shown: Vec<&Diagnostic> =
            judged.diagnostics.iter().filter(|diagnostic| self.shows(diagnostic)).collect();
        // Drawing takes longer than finding; the order stays.
        let texts: Vec<String> = shown.par_iter().map(|diagnostic| self.text(judged, diagnostic)).collect();
        for text in texts {
            if let Format::Json(separator) = &mut self.format {
                output.write(separator.next())?;
            }
            output.write(&text)?;
        }
        Ok(())
    }

    /// Prints what comes last.
    pub(crate) fn end(&self, summary: &Summary, output: &mut Output) -> Result<()> {
        match &self.format {
            Format::Json(_) => output.write(&json::tail(summary)),
            Format::Full(_) | Format::Concise => output.line(&self.closing(summary)),
        }
    }

    fn shows(&self, diagnostic: &Diagnostic) -> bool {
        self.shows_hints || diagnostic.severity != Severity::Hint
    }

    fn text(&self, judged: &Judged, diagnostic: &Diagnostic) -> String {
        match &self.format {
            Format::Full(drawer) => drawer.text(judged, diagnostic),
            Format::Concise => concise::text(judged, diagnostic),
            Format::Json(_) => json::text(judged, diagnostic),
        }
    }

    /// The last lines for people.
    fn closing(&self, summary: &Summary) -> String {
        let files = count(summary.files, "file");
        let mut found = Vec::new();
        for (number, noun) in [(summary.errors, "error"), (summary.warnings, "warning")] {
            if number > 0 {
                found.push(count(number, noun));
            }
        }
        if self.shows_hints && summary.hints > 0 {
            found.push(count(summary.hints, "hint"));
        }
        let mut closing = match found.is_empty() {
            true => format!("No problems in {files}"),
            false => format!("{} in {files}", found.join(", ")),
        };
        if !self.shows_hints && summary.hints > 0 {
            closing.push_str(&format!("\n{} not shown (--hints)", count(summary.hints, "hint")));
        }
        closing
    }
}

fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

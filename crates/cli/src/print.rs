//! Diagnostics as text, in one of the formats.
//!
//! Input: checked projects, one after another, and a summary. Output: text. Invariant: text from a file passes through
//! `screen` before it reaches a terminal.

mod agent;
mod concise;
mod excerpt;
pub(crate) mod fault;
mod full;
mod github;
mod gitlab;
pub(crate) mod json;
mod junit;
mod sarif;
mod statistics;

use std::fmt;

use anyhow::Result;
use clap::ValueEnum;
use nodewise_analysis::diagnostic::{Diagnostic, Severity};
use rayon::prelude::*;

use crate::output::{Output, is_quiet};
use crate::project::{Extent, FingerprintedFinding, Judged};

/// The summary of a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Summary {
    /// The number of files and declarations.
    pub(crate) extent: Extent,
    /// How many requested paths cannot be read.
    pub(crate) unreadable: usize,
    /// Findings of each severity.
    pub(crate) errors: usize,
    pub(crate) warnings: usize,
    pub(crate) hints: usize,
    /// The counts of the baseline, if there is one.
    pub(crate) baseline: Option<AgainstBaseline>,
}

/// The counts of a baseline.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct AgainstBaseline {
    /// Findings that are listed, and therefore not reported.
    pub(crate) held_back: usize,
    /// Entries that no longer occur.
    pub(crate) stale: usize,
}

/// How to show findings.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Style {
    /// Whether people see hints.
    pub(crate) shows_hints: bool,
    /// Whether there are colours.
    pub(crate) is_coloured: bool,
    /// Whether to count findings by rule.
    pub(crate) has_statistics: bool,
}

/// A format of diagnostics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Each finding with its source lines.
    Full,
    /// One line per finding: `path:line:column: severity[rule] message`.
    Concise,
    /// One line per finding, grouped by file: for coding agents.
    Agent,
    /// One JSON document.
    Json,
    /// SARIF 2.1.0.
    Sarif,
    /// GitHub Actions annotations.
    Github,
    /// GitLab code quality report.
    Gitlab,
    /// JUnit XML.
    Junit,
}

impl Format {
    /// Whether the format can contain statistics.
    pub(crate) fn has_statistics(self) -> bool {
        matches!(self, Format::Full | Format::Concise | Format::Agent | Format::Json)
    }
}

/// Prints diagnostics in one format.
pub(crate) struct Printer {
    format: Format,
    diagnostics: full::DiagnosticRenderer,
    separator: json::Separator,
    report: junit::Report,
    /// The counts for each rule, if wanted.
    statistics: Option<statistics::Statistics>,
    named: sarif::Named,
    shows_hints: bool,
}

impl Printer {
    /// A printer. Formats for programs always include hints, because programs can filter them.
    pub(crate) fn new(format: Format, style: Style) -> Printer {
        let is_for_programs = matches!(format, Format::Json | Format::Sarif);
        Printer {
            format,
            diagnostics: full::DiagnosticRenderer::new(style.is_coloured),
            separator: json::Separator::default(),
            report: junit::Report::default(),
            named: sarif::Named::default(),
            statistics: (style.has_statistics && format.has_statistics()).then(Default::default),
            shows_hints: style.shows_hints || is_for_programs,
        }
    }

    /// Prints the beginning.
    pub(crate) fn begin(&self, output: &mut Output) -> Result<()> {
        match self.format {
            Format::Json => output.write(json::HEAD),
            Format::Sarif => output.write(sarif::HEAD),
            Format::Gitlab => output.write(gitlab::HEAD),
            Format::Full | Format::Concise | Format::Agent | Format::Github | Format::Junit => Ok(()),
        }
    }

    /// Prints a project.
    pub(crate) fn project(&mut self, judged: &Judged, output: &mut Output) -> Result<()> {
        let shown: Vec<&FingerprintedFinding> =
            judged.found.iter().filter(|one| self.shows(&one.diagnostic)).collect();
        if let Some(statistics) = &mut self.statistics {
            shown.iter().for_each(|one| statistics.add(&one.diagnostic));
            if self.format != Format::Json {
                return Ok(());
            }
        }
        for text in self.texts(judged, &shown) {
            if matches!(self.format, Format::Json | Format::Sarif | Format::Gitlab) {
                output.write(self.separator.next())?;
            }
            output.write(&text)?;
        }
        if self.format == Format::Junit {
            shown.iter().for_each(|one| self.report.add(judged, &one.diagnostic));
        }
        Ok(())
    }

    /// Prints the end.
    pub(crate) fn end(&self, summary: &Summary, output: &mut Output) -> Result<()> {
        match self.format {
            Format::Json => {
                let statistics = self.statistics.as_ref().map(statistics::Statistics::json);
                output.write(&json::tail(summary, statistics.as_deref()))
            }
            Format::Sarif => output.write(&sarif::tail(&self.named, summary)),
            Format::Gitlab => output.write(gitlab::TAIL),
            Format::Junit => output.write(&self.report.text(summary)),
            Format::Github => Ok(()),
            Format::Full | Format::Concise | Format::Agent => {
                if let Some(statistics) = &self.statistics {
                    output.write(&statistics.table(self.shows_hints))?;
                }
                match is_quiet() {
                    true => Ok(()),
                    false => output.line(&self.closing(summary)),
                }
            }
        }
    }

    /// The texts of diagnostics, in the same order. Threads do this, because drawing takes longer than checking.
    fn texts(&mut self, judged: &Judged, shown: &[&FingerprintedFinding]) -> Vec<String> {
        let all = shown.par_iter().map(|one| &one.diagnostic);
        match self.format {
            Format::Full => all.map(|diagnostic| self.diagnostics.text(judged, diagnostic)).collect(),
            Format::Concise => all.map(|diagnostic| concise::text(judged, diagnostic)).collect(),
            Format::Json => all.map(|diagnostic| json::text(judged, diagnostic)).collect(),
            Format::Github => all.map(|diagnostic| github::text(judged, diagnostic)).collect(),
            Format::Agent => agent::texts(judged, shown.iter().map(|one| &one.diagnostic)),
            Format::Junit => Vec::new(),
            Format::Sarif => {
                shown.iter().for_each(|one| self.named.add(judged, &one.diagnostic));
                let named = &self.named;
                shown.par_iter().map(|one| sarif::text(judged, one, named)).collect()
            }
            Format::Gitlab => shown.par_iter().map(|one| gitlab::text(judged, one)).collect(),
        }
    }

    fn shows(&self, diagnostic: &Diagnostic) -> bool {
        self.shows_hints || diagnostic.severity != Severity::Hint
    }

    /// The last lines for people.
    fn closing(&self, summary: &Summary) -> String {
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
            true => summary.without_findings(),
            false => format!("{} in {}", found.join(", "), summary.extent),
        };
        if !self.shows_hints && summary.hints > 0 {
            closing.push_str(&format!("\n{} not shown (--hints)", count(summary.hints, "hint")));
        }
        let held_back = summary.baseline.map_or(0, |baseline| baseline.held_back);
        if held_back > 0 {
            closing.push_str(&format!("\n{} ignored by the baseline", count(held_back, "finding")));
        }
        closing
    }
}

impl Summary {
    /// The last line without findings. It says "no problems" only if everything was read.
    fn without_findings(&self) -> String {
        let Extent { files, skipped, .. } = self.extent;
        let unread = match self.unreadable {
            1 => "1 path".to_owned(),
            number => format!("{number} paths"),
        };
        match (files, self.unreadable) {
            (0, 0) if skipped == 0 => "No declarations found".to_owned(),
            (0, 0) => format!("No declarations found, {} skipped", count(skipped, "file")),
            (0, _) => format!("No declarations found, {unread} not read"),
            (_, 0) => format!("No problems in {}", self.extent),
            _ => format!("Nothing found in {}, {unread} not read", self.extent),
        }
    }
}

impl fmt::Display for Extent {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Extent { files, declarations, skipped } = *self;
        write!(formatter, "{} ({})", count(files, "file"), count(declarations, "declaration"))?;
        if skipped > 0 { write!(formatter, ", {} skipped", count(skipped, "other file")) } else { Ok(()) }
    }
}

/// `1 file`, `2 files`.
pub(crate) fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

//! Diagnostics as text, in one of the formats.
//!
//! Input: judged projects, one after another, and a summary. Output: text. Invariant: nothing that comes from a
//! file reaches a terminal without passing through `screen`.

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
use crate::project::{Extent, Found, Judged};

/// What a run came to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Summary {
    /// What was read and asked for.
    pub(crate) extent: Extent,
    /// How many paths that were asked for could not be read.
    pub(crate) unreadable: usize,
    /// Findings of each severity.
    pub(crate) errors: usize,
    pub(crate) warnings: usize,
    pub(crate) hints: usize,
    /// What a baseline had to do with it, if there is one.
    pub(crate) baseline: Option<AgainstBaseline>,
}

/// What came of holding findings against a baseline.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct AgainstBaseline {
    /// Findings that are listed, and so not reported.
    pub(crate) held_back: usize,
    /// Findings that are listed and gone.
    pub(crate) stale: usize,
}

/// How findings are shown.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Style {
    /// Whether hints are shown to people too.
    pub(crate) shows_hints: bool,
    /// Whether there are colours.
    pub(crate) is_coloured: bool,
    /// Whether the rules are counted.
    pub(crate) has_statistics: bool,
}

/// A form of diagnostics.
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
    /// Whether the form has a place for how often each rule found something.
    pub(crate) fn has_statistics(self) -> bool {
        matches!(self, Format::Full | Format::Concise | Format::Agent | Format::Json)
    }
}

/// Prints diagnostics in one form.
pub(crate) struct Printer {
    format: Format,
    drawer: full::Drawer,
    separator: json::Separator,
    report: junit::Report,
    /// Where rules are counted, how often each found something.
    statistics: Option<statistics::Statistics>,
    named: sarif::Named,
    shows_hints: bool,
}

impl Printer {
    /// A printer. Forms for programs have hints in any case; they tell them apart.
    pub(crate) fn new(format: Format, style: Style) -> Printer {
        let is_for_programs = matches!(format, Format::Json | Format::Sarif);
        Printer {
            format,
            drawer: full::Drawer::new(style.is_coloured),
            separator: json::Separator::default(),
            report: junit::Report::default(),
            named: sarif::Named::default(),
            statistics: (style.has_statistics && format.has_statistics()).then(Default::default),
            shows_hints: style.shows_hints || is_for_programs,
        }
    }

    /// Prints what comes first.
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
        let shown: Vec<&Found> = judged.found.iter().filter(|one| self.shows(&one.diagnostic)).collect();
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

    /// Prints what comes last.
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

    /// The texts of diagnostics. Drawing takes longer than finding; the order stays.
    fn texts(&mut self, judged: &Judged, shown: &[&Found]) -> Vec<String> {
        let all = shown.par_iter().map(|one| &one.diagnostic);
        match self.format {
            Format::Full => all.map(|diagnostic| self.drawer.text(judged, diagnostic)).collect(),
            Format::Concise => all.map(|diagnostic| concise::text(judged, diagnostic)).collect(),
            Format::Json => all.map(|diagnostic| json::text(judged, diagnostic)).collect(),
            Format::Github => all.map(|diagnostic| github::text(judged, diagnostic)).collect(),
            Format::Agent => agent::texts(judged, shown.iter().map(|one| &one.diagnostic)),
            Format::Junit => Vec::new(),
            Format::Sarif => {
                shown.iter().for_each(|one| self.named.add(&one.diagnostic));
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
    /// What is said where nothing was found: only what was read in full has no problems.
    fn without_findings(&self) -> String {
        let Extent { files, left_alone, .. } = self.extent;
        let unread = match self.unreadable {
            1 => "1 path".to_owned(),
            number => format!("{number} paths"),
        };
        match (files, self.unreadable) {
            (0, 0) if left_alone == 0 => "No declarations found".to_owned(),
            (0, 0) => format!("No declarations found, {} left alone", count(left_alone, "file")),
            (0, _) => format!("No declarations found, {unread} not read"),
            (_, 0) => format!("No problems in {}", self.extent),
            _ => format!("Nothing found in {}, {unread} not read", self.extent),
        }
    }
}

impl fmt::Display for Extent {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Extent { files, declarations, left_alone } = *self;
        write!(formatter, "{} ({})", count(files, "file"), count(declarations, "declaration"))?;
        if left_alone > 0 {
            write!(formatter, ", {} left alone", count(left_alone, "other file"))
        } else {
            Ok(())
        }
    }
}

/// `1 file`, `2 files`.
pub(crate) fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

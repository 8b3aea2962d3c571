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

use anyhow::Result;
use clap::ValueEnum;
use nodewise_analysis::diagnostic::{Diagnostic, Severity};
use rayon::prelude::*;

use crate::fingerprint::fingerprints;
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

/// A form of diagnostics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Each diagnostic with its source lines.
    Full,
    /// One line each: `path:line:column: severity[rule] message`.
    Concise,
    /// One line each, files named once: for programs that read text, such as coding agents.
    Agent,
    /// One JSON document for programs.
    Json,
    /// SARIF 2.1.0.
    Sarif,
    /// Annotations of GitHub Actions.
    Github,
    /// GitLab's code quality report.
    Gitlab,
    /// JUnit's XML.
    Junit,
}

/// Prints diagnostics in one form.
pub(crate) struct Printer {
    format: Format,
    drawer: full::Drawer,
    separator: json::Separator,
    report: junit::Report,
    shows_hints: bool,
}

impl Printer {
    /// A printer. Forms for programs have hints in any case; they tell them apart.
    pub(crate) fn new(format: Format, shows_hints: bool, is_coloured: bool) -> Printer {
        let is_for_programs = matches!(format, Format::Json | Format::Sarif);
        Printer {
            format,
            drawer: full::Drawer::new(is_coloured),
            separator: json::Separator::default(),
            report: junit::Report::default(),
            shows_hints: shows_hints || is_for_programs,
        }
    }

    /// Prints what comes first.
    pub(crate) fn begin(&self, output: &mut Output) -> Result<()> {
        match self.format {
            Format::Json => output.write(json::HEAD),
            Format::Sarif => output.write(&sarif::head()),
            Format::Gitlab => output.write(gitlab::HEAD),
            Format::Full | Format::Concise | Format::Agent | Format::Github | Format::Junit => Ok(()),
        }
    }

    /// Prints a project.
    pub(crate) fn project(&mut self, judged: &Judged, output: &mut Output) -> Result<()> {
        let shown: Vec<&Diagnostic> =
            judged.diagnostics.iter().filter(|diagnostic| self.shows(diagnostic)).collect();
        for text in self.texts(judged, &shown) {
            if matches!(self.format, Format::Json | Format::Sarif | Format::Gitlab) {
                output.write(self.separator.next())?;
            }
            output.write(&text)?;
        }
        if self.format == Format::Junit {
            shown.iter().for_each(|diagnostic| self.report.add(judged, diagnostic));
        }
        Ok(())
    }

    /// Prints what comes last.
    pub(crate) fn end(&self, summary: &Summary, output: &mut Output) -> Result<()> {
        match self.format {
            Format::Json => output.write(&json::tail(summary)),
            Format::Sarif => output.write(sarif::TAIL),
            Format::Gitlab => output.write(gitlab::TAIL),
            Format::Junit => output.write(&self.report.text(summary.files)),
            Format::Github => Ok(()),
            Format::Full | Format::Concise | Format::Agent => output.line(&self.closing(summary)),
        }
    }

    /// The texts of diagnostics. Drawing takes longer than finding; the order stays.
    fn texts(&self, judged: &Judged, shown: &[&Diagnostic]) -> Vec<String> {
        let all = shown.par_iter();
        match self.format {
            Format::Full => all.map(|diagnostic| self.drawer.text(judged, diagnostic)).collect(),
            Format::Concise => all.map(|diagnostic| concise::text(judged, diagnostic)).collect(),
            Format::Json => all.map(|diagnostic| json::text(judged, diagnostic)).collect(),
            Format::Github => all.map(|diagnostic| github::text(judged, diagnostic)).collect(),
            Format::Agent => agent::texts(judged, shown),
            Format::Junit => Vec::new(),
            Format::Sarif | Format::Gitlab => {
                let print = if self.format == Format::Sarif { sarif::text } else { gitlab::text };
                let names = fingerprints(judged, shown);
                all.zip(&names).map(|(diagnostic, name)| print(judged, diagnostic, name)).collect()
            }
        }
    }

    fn shows(&self, diagnostic: &Diagnostic) -> bool {
        self.shows_hints || diagnostic.severity != Severity::Hint
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

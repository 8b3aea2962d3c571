//! All reports of one run: start, one project at a time, end.
//!
//! Input: checked projects, notices. Output: reports, an outcome. Invariant: findings in a baseline, and findings that
//! the run does not include, are in no report.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::Result;
use nodewise_analysis::diagnostic::Severity;
use nodewise_analysis::rules::OUTDATED_RULE_ID;
use nodewise_dialect::tables::systems;
use nodewise_project::discovery::{DiscoveryRequest, Project};
use nodewise_project::notice::Notice;
use nodewise_syntax::LineCol;

use super::CheckOptions;
use super::reports::Reports;
use crate::baseline::Baselines;
use crate::notices;
use crate::outcome::Outcome;
use crate::output::{Output, complain, remark};
use crate::print::{AgainstBaseline, Summary, count};
use crate::project::{FingerprintedFinding, Judged};
use crate::screen;

/// The warning if there are no declarations.
fn nothing() -> String {
    let systems: Vec<&str> = systems().map(|dialect| dialect.title).collect();
    format!(
        "warning: no declarations of {} found\n  help: check the paths; `nodewise check --list-files` shows why a \
         file is skipped",
        systems.join(", ")
    )
}

/// All reports of a run.
pub(super) struct Round<'r> {
    options: &'r CheckOptions,
    request: &'r DiscoveryRequest,
    baselines: Baselines,
    /// `None` if the run writes baselines instead.
    reports: Option<Reports>,
    summary: Summary,
    against: AgainstBaseline,
    former_ids: FormerIds,
}

/// Comments with former ids of rules, if findings about them are not shown.
#[derive(Default)]
struct FormerIds {
    count: usize,
    /// The first one, with its place.
    first: Option<String>,
}

impl<'r> Round<'r> {
    /// Begins the reports.
    pub(super) fn begin(
        options: &'r CheckOptions,
        request: &'r DiscoveryRequest,
        baselines: Baselines,
        output: &mut Output,
    ) -> Result<Round<'r>> {
        let reports = match options.baseline.writes() {
            true => None,
            false => Some(Reports::begin(&options.reports, options.style(), output)?),
        };
        let (summary, against) = (Summary::default(), AgainstBaseline::default());
        let former_ids = FormerIds::default();
        Ok(Round { options, request, baselines, reports, summary, against, former_ids })
    }

    /// Reports a project.
    pub(super) fn project(
        &mut self,
        project: &Project,
        judged: &mut Judged,
        output: &mut Output,
    ) -> Result<()> {
        judged.found.retain(|found| self.options.wants(found.diagnostic.rule));
        self.against.held_back +=
            self.baselines.hold_back(project, judged, self.options.least_shown() == Severity::Hint);
        if self.options.least_shown() != Severity::Hint {
            self.former_ids.add(judged);
        }
        let least = self.options.least_reported();
        judged.found.retain(|found| found.diagnostic.severity <= least);
        self.summary.add(judged);
        self.reports.as_mut().map_or(Ok(()), |reports| reports.project(judged, output))
    }

    /// Ends the reports, or writes the baselines.
    pub(super) fn end(mut self, notices: Vec<Notice>, output: &mut Output) -> Result<(Outcome, Summary)> {
        output.finish()?;
        self.summary.unreadable = unreadable(&notices);
        let has_failed = notices::print_all(notices);
        let is_asked = |file: &Path, rule: &str| self.request.names(file) && self.options.wants(rule);
        let Some(reports) = &mut self.reports else {
            if has_failed {
                complain("error: the baseline is not written, because some files cannot be read");
                return Ok((Outcome::Failed, self.summary));
            }
            self.baselines.write(&is_asked, output)?;
            return Ok((Outcome::Clean, self.summary));
        };
        // Findings may be in files that cannot be read.
        self.former_ids.note();
        if !has_failed {
            self.against.stale = self.baselines.report_stale(self.options.baseline.is_strict(), &is_asked);
        }
        self.summary.baseline = (!self.baselines.is_empty()).then_some(self.against);
        reports.end(&self.summary, output)?;
        output.finish()?;
        self.warn_of_nothing(has_failed);
        let outcome = if has_failed { Outcome::Failed } else { self.outcome() };
        Ok((outcome, self.summary))
    }

    /// Warns if the paths contain no declarations, because the paths may be wrong. Programs pass file names without
    /// knowing their content, so they get no warning.
    fn warn_of_nothing(&self, has_failed: bool) {
        if self.summary.extent.files == 0 && !has_failed && !self.options.force_exclude {
            remark(&nothing());
        }
    }

    fn outcome(&self) -> Outcome {
        let is_in_vain = self.options.baseline.is_strict() && self.against.stale > 0;
        let Summary { errors, warnings, .. } = self.summary;
        let is_clean = errors == 0 && warnings <= self.options.max_warnings.unwrap_or(0) && !is_in_vain;
        if is_clean || self.options.exit_zero { Outcome::Clean } else { Outcome::Findings }
    }
}

/// The number of paths that cannot be read.
fn unreadable(notices: &[Notice]) -> usize {
    let failures = notices.iter().filter(|notice| notice.is_failure);
    failures.map(|notice| &notice.path).collect::<BTreeSet<_>>().len()
}

impl FormerIds {
    fn add(&mut self, judged: &Judged) {
        let of_ids = |found: &&FingerprintedFinding| {
            found.diagnostic.rule == OUTDATED_RULE_ID && found.diagnostic.severity == Severity::Hint
        };
        for found in judged.found.iter().filter(of_ids) {
            self.count += 1;
            if let Some(place) = judged.place(found.diagnostic.finding.at).filter(|_| self.first.is_none()) {
                let LineCol { line, column } = place.start.at;
                let message = &found.diagnostic.finding.message;
                self.first = Some(screen::line(&format!("{}:{line}:{column}: {message}", place.path)).into());
            }
        }
    }

    /// Reports their number once, with the first of them.
    fn note(&self) {
        if let Some(first) = &self.first {
            let ids = count(self.count, "former id");
            remark(&format!("note: {first}\n  help: rewrite {ids} in comments with `nodewise check --fix`"));
        }
    }
}

impl Summary {
    fn add(&mut self, judged: &Judged) {
        self.extent.files += judged.extent.files;
        self.extent.declarations += judged.extent.declarations;
        self.extent.skipped += judged.extent.skipped;
        for found in &judged.found {
            match found.diagnostic.severity {
                Severity::Error => self.errors += 1,
                Severity::Warning => self.warnings += 1,
                Severity::Hint => self.hints += 1,
            }
        }
    }
}

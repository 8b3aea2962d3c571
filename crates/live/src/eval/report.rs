//! The results of evals: as text for people, as Markdown for pull requests, as JSON for programs, as JUnit's XML for build servers.
//!
//! Input: the results of evals. Output: text. Invariant: the order is that of the files, the evals in them and their tables, and what
//! comes from models cannot break a format.

mod json;
mod junit;
mod markdown;
mod text;

use std::time::Duration;

use nodewise_engine::usage::Usage;

use super::results::{Sum, SumChange, Sums};
use super::runner::{EvalResults, RunResult, Stop};
use super::saved::EarlierResults;
use super::table::Table;

pub use json::json;
pub use junit::junit;
pub use markdown::markdown;
pub use text::{run_line, text};

/// An eval with its results, ready to be shown.
pub struct EvalReport {
    /// The path of the eval's file, as reports show it.
    pub file: String,
    pub table: Table,
    pub ran: EvalResults,
    pub sums: Sums,
    /// The earlier results to compare with, if there are any.
    pub accepted: Option<EarlierResults>,
}

/// Smaller differences count as unchanged: of costs, as a share of the former cost; of scores; of times, in milliseconds.
const COST_SHARE: f64 = 0.25;
const SCORE: f64 = 0.05;
const TIME_MS: f64 = 1000.0;

impl EvalReport {
    /// Whether every place passes, none is worse than the accepted results, and no run is missing.
    #[must_use]
    pub fn is_passed(&self) -> bool {
        let is_enough = |sum: &Sum| sum.is_enough(self.table.pass_rate);
        self.ran.stop.is_none()
            && self.sums.places.iter().all(is_enough)
            && !self.changes().iter().any(SumChange::is_worse)
    }

    /// The cost of all runs and judges, in US dollars.
    #[must_use]
    pub fn cost_usd(&self) -> f64 {
        let (runs, judges) = self.usage();
        runs.cost_usd + judges.cost_usd
    }

    /// The differences from the accepted results that are large enough to matter.
    #[must_use]
    pub fn changes(&self) -> Vec<SumChange> {
        let Some(accepted) = &self.accepted else { return Vec::new() };
        let mut changes = self.sums.changes(&accepted.sums);
        changes.retain(is_notable);
        changes
    }

    /// The results of the runs at a place of the table.
    fn runs_of<'r>(&'r self, sum: &'r Sum) -> impl Iterator<Item = &'r RunResult> {
        self.ran.results.iter().filter(|result| {
            let [case, prompt, model] = self.names(result);
            [case, prompt, model] == [&*sum.case, &*sum.prompt, &*sum.model]
        })
    }

    /// The names of the run's case, prompt and model.
    fn names(&self, result: &RunResult) -> [&str; 3] {
        let (table, cell) = (&self.table, result.cell);
        [
            table.cases.get(cell.case).map_or("", |case| &case.title),
            table.prompts.get(cell.prompt).map_or("", |prompts| &prompts.name),
            table.models.get(cell.model).map_or("", |models| &models.name),
        ]
    }

    /// A place of the table in words. The names of the prompt and the model are only shown if the table has several.
    fn place(&self, sum: &Sum) -> String {
        let mut names = vec![sum.case.as_str()];
        if self.table.prompts.len() > 1 {
            names.push(&sum.prompt);
        }
        if self.table.models.len() > 1 {
            names.push(&sum.model);
        }
        names.join(" · ")
    }

    /// The usage of all runs, and of all judges.
    fn usage(&self) -> (Usage, Usage) {
        let (mut runs, mut judges) = (Usage::default(), Usage::default());
        for result in &self.ran.results {
            runs += result.usage;
            judges += result.judging;
        }
        (runs, judges)
    }

    /// Why not all runs are finished, in words; `None` if they are.
    fn stopped(&self) -> Option<String> {
        let reason = match self.ran.stop? {
            Stop::User => "you stopped it",
            Stop::Cost => "another run could exceed `--limit-cost`",
        };
        Some(format!("{} of {} runs are finished: {reason}", self.ran.results.len(), self.ran.wanted))
    }
}

/// Whether a difference is larger than differences that occur at random.
fn is_notable(change: &SumChange) -> bool {
    let Some(before) = &change.before else { return true };
    let now = &change.now;
    let score = match (before.score, now.score) {
        (Some(before), Some(now)) => (before - now).abs() >= SCORE,
        (before, now) => before != now,
    };
    let cost = (before.cost_usd - now.cost_usd).abs() > COST_SHARE * before.cost_usd;
    let time = (before.time_ms - now.time_ms).abs() > TIME_MS.max(COST_SHARE * before.time_ms);
    (before.rate() - now.rate()).abs() > 1e-9 || score || cost || time
}

/// Everything that failed in a run: the subject, and a sentence.
fn complaints(result: &RunResult) -> Vec<(String, String)> {
    let mut complaints: Vec<(String, String)> = Vec::new();
    if let Err(reason) = &result.outcome {
        complaints.push(("run".to_owned(), reason.clone()));
    }
    let mismatches = &result.mismatches;
    complaints
        .extend(mismatches.iter().map(|mismatch| (mismatch.subject.to_string(), mismatch.message.clone())));
    let failed = result.verdicts.iter().filter(|verdict| !verdict.is_passed);
    complaints.extend(failed.map(|verdict| {
        let score = verdict.score.map(|score| format!("score {score}")).into_iter();
        let reason = Some(verdict.reason.clone()).filter(|reason| !reason.is_empty());
        let said: Vec<String> = score.chain(reason).collect();
        ("judge".to_owned(), format!("`{}`: {}", verdict.judge, said.join(": ")))
    }));
    complaints
}

/// The results of a place in a few words.
fn amounts(sum: &Sum) -> String {
    let mut words = vec![format!("{}/{}", sum.passed, sum.runs)];
    words.extend(sum.score.map(|score| format!("{score:.2}")));
    words.push(seconds(sum.time_ms));
    if sum.cost_usd > 0.0 {
        words.push(usd(sum.cost_usd));
    }
    words.join("  ")
}

fn change_words(change: &SumChange) -> String {
    let Some(before) = &change.before else { return format!("new: {}", amounts(&change.now)) };
    let now = &change.now;
    let mut words = vec![format!("{}/{} -> {}/{}", before.passed, before.runs, now.passed, now.runs)];
    if before.score != now.score {
        let shown = |score: Option<f64>| score.map_or("none".to_owned(), |score| format!("{score:.2}"));
        words.push(format!("score {} -> {}", shown(before.score), shown(now.score)));
    }
    if (before.cost_usd - now.cost_usd).abs() > COST_SHARE * before.cost_usd {
        words.push(format!("{} -> {}", usd(before.cost_usd), usd(now.cost_usd)));
    }
    if (before.time_ms - now.time_ms).abs() > TIME_MS.max(COST_SHARE * before.time_ms) {
        words.push(format!("{} -> {}", seconds(before.time_ms), seconds(now.time_ms)));
    }
    words.join(", ")
}

/// Whether a place is better, worse, changed or new.
fn change_word(change: &SumChange) -> &'static str {
    match &change.before {
        None => "new",
        Some(_) if change.is_worse() => "worse",
        Some(before) if change.now.rate() > before.rate() + 1e-9 => "better",
        Some(_) => "changed",
    }
}

fn usd(amount: f64) -> String {
    let text = format!("{amount:.6}");
    format!("{} USD", text.trim_end_matches('0').trim_end_matches('.'))
}

fn seconds(milliseconds: f64) -> String {
    match milliseconds {
        short if short < 1000.0 => format!("{short:.0} ms"),
        long => format!("{:.1} s", Duration::from_secs_f64(long / 1000.0).as_secs_f64()),
    }
}

/// "24 runs: 22 passed, 2 failed, 0.02 USD (0.001 USD for judges)".
fn summary(report: &EvalReport) -> String {
    let results = &report.ran.results;
    let passed = results.iter().filter(|result| result.is_passed()).count();
    let (runs, judges) = report.usage();
    let mut words = format!(
        "{} {}: {passed} passed, {} failed",
        results.len(),
        if results.len() == 1 { "run" } else { "runs" },
        results.len() - passed
    );
    let all = report.cost_usd();
    if runs.tokens() + judges.tokens() > 0.0 {
        words.push_str(&format!(", {} tokens", runs.tokens() + judges.tokens()));
    }
    if all > 0.0 {
        words.push_str(&format!(", {}", usd(all)));
    }
    if judges.cost_usd > 0.0 {
        words.push_str(&format!(" ({} for judges)", usd(judges.cost_usd)));
    }
    words
}

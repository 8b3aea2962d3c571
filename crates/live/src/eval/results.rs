//! Sums over the repetitions of each place of the table, and what differs from the accepted ones.
//!
//! Input: results of runs. Output: sums, as data and as the text that the store keeps; differences. Invariant: sums hold numbers and
//! names that the eval's file has, and no text of a model.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use nodewise_engine::usage::Usage;
use serde::{Deserialize, Serialize};

use super::runner::RunResult;
use super::table::{Cell, Table};

/// The version of the stored format.
const VERSION: u32 = 1;

/// The results of an eval, summed up for each place of its table.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Sums {
    /// The version of the stored format.
    pub version: u32,
    /// The places of the table that were run.
    pub places: Vec<Sum>,
}

/// The results at a place of the table: of a case with a prompt and a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sum {
    pub case: String,
    pub prompt: String,
    pub model: String,
    /// How many runs passed.
    pub passed: u32,
    /// How many runs there were.
    pub runs: u32,
    /// The mean of the judges' scores, from 0 to 1; `None` if no judge gave a score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// The mean cost of a run in US dollars, without judges.
    pub cost_usd: f64,
    /// The mean number of tokens of a run.
    pub tokens: f64,
    /// The mean time of a run, in milliseconds.
    pub time_ms: f64,
}

/// A place of the table whose results differ from the accepted ones.
#[derive(Debug, Clone, PartialEq)]
pub struct SumChange {
    /// The accepted results; `None` if the place is new.
    pub before: Option<Sum>,
    pub now: Sum,
}

impl Sums {
    #[must_use]
    pub fn of(table: &Table, results: &[RunResult]) -> Sums {
        let mut places: BTreeMap<(usize, usize, usize), Vec<&RunResult>> = BTreeMap::new();
        for result in results {
            let Cell { prompt, model, case, .. } = result.cell;
            places.entry((case, prompt, model)).or_default().push(result);
        }
        let sums = places.into_iter().filter_map(|((case, prompt, model), results)| {
            Some(Sum::of(
                &table.cases.get(case)?.title,
                &table.prompts.get(prompt)?.name,
                &table.models.get(model)?.name,
                &results,
            ))
        });
        Sums { version: VERSION, places: sums.collect() }
    }

    /// The results in the format that the store keeps.
    #[must_use]
    pub fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Whether the results have the format of this version.
    pub(super) fn is_current(&self) -> bool {
        self.version == VERSION
    }

    /// Reads the format that the store keeps.
    ///
    /// # Errors
    /// Where another version wrote it.
    pub fn read(text: &str) -> Result<Sums> {
        let sums: Sums = serde_json::from_str(text).context("the stored results cannot be read")?;
        anyhow::ensure!(sums.version == VERSION, "the stored results were written by another nodewise");
        Ok(sums)
    }

    /// Adds the results of `others` for places that are missing here.
    #[must_use]
    pub fn over(mut self, others: Sums) -> Sums {
        let others = others.places.into_iter().filter(|other| self.find(other).is_none());
        let others: Vec<Sum> = others.collect();
        self.places.extend(others);
        self
    }

    /// The results at the same place of the table.
    #[must_use]
    pub fn find(&self, place: &Sum) -> Option<&Sum> {
        self.places.iter().find(|own| own.is_at(place))
    }

    /// The places whose results differ from the accepted ones.
    #[must_use]
    pub fn changes(&self, accepted: &Sums) -> Vec<SumChange> {
        let changes = self.places.iter().filter_map(|now| {
            let before = accepted.find(now);
            let differs = before.is_none_or(|before| before != now);
            differs.then(|| SumChange { before: before.cloned(), now: now.clone() })
        });
        changes.collect()
    }
}

impl Sum {
    fn of(case: &str, prompt: &str, model: &str, results: &[&RunResult]) -> Sum {
        let runs = results.len().max(1) as f64;
        let mut usage = Usage::default();
        results.iter().for_each(|result| usage += result.usage);
        let scores: Vec<f64> = results
            .iter()
            .flat_map(|result| result.verdicts.iter().filter_map(|verdict| verdict.score))
            .collect();
        let time: f64 = results.iter().map(|result| result.time.as_secs_f64() * 1000.0).sum();
        Sum {
            case: case.to_owned(),
            prompt: prompt.to_owned(),
            model: model.to_owned(),
            passed: results.iter().filter(|result| result.is_passed()).count() as u32,
            runs: results.len() as u32,
            score: (!scores.is_empty()).then(|| scores.iter().sum::<f64>() / scores.len() as f64),
            cost_usd: usage.cost_usd / runs,
            tokens: usage.tokens() / runs,
            time_ms: time / runs,
        }
    }

    fn is_at(&self, other: &Sum) -> bool {
        (&self.case, &self.prompt, &self.model) == (&other.case, &other.prompt, &other.model)
    }

    /// The share of runs that passed, from 0 to 1.
    #[must_use]
    pub fn rate(&self) -> f64 {
        f64::from(self.passed) / f64::from(self.runs.max(1))
    }

    /// Whether enough runs passed. `pass_rate` is in percent.
    #[must_use]
    pub fn is_enough(&self, pass_rate: f64) -> bool {
        // The tolerance allows for rounding errors of the division.
        self.rate() * 100.0 + 1e-9 >= pass_rate
    }
}

impl SumChange {
    /// Whether a smaller share of runs passes than before.
    #[must_use]
    pub fn is_worse(&self) -> bool {
        self.before.as_ref().is_some_and(|before| self.now.rate() + 1e-9 < before.rate())
    }
}

//! `simulate --explore` and `simulate --runs`: every possible run, or many random ones, also on several machines.
//!
//! Input: what to run, and its script; or the files of shards. Output: a report, a shard, scripts in a folder, and an exit
//! code. Invariant: the same files, script and seed give the same bytes, on any number of threads and machines.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use nodewise_analysis::workspace::Snapshot;
use nodewise_engine::explore::ExplorationBounds;
use nodewise_model::scenario::Scenario;
use nodewise_simulation::exploration::{Exploration, explore};
use nodewise_simulation::render::{exploration_json, exploration_text, sample_json, sample_text};
use nodewise_simulation::sampling::{Sampled, Shard, sample};
use nodewise_simulation::shard::{SampleShard, merge, sample_shard};
use nodewise_simulation::target::SimulationTarget;

use crate::outcome::Outcome;
use crate::output::Output;

/// The options for more than one run.
#[derive(Args)]
#[group(skip)]
pub(crate) struct ManyRunsOptions {
    /// Explore every possible run, and report problems.
    ///
    /// Every answer that makes a difference is tried. Where the script has answers, only these are tried.
    #[arg(long, conflicts_with = "runs")]
    explore: bool,
    /// With `--explore`: explore at most this many states.
    #[arg(long, value_name = "N", requires = "explore", value_parser = clap::value_parser!(u32).range(1..))]
    max_states: Option<u32>,
    /// With `--explore`: save scripts that reproduce the results.
    ///
    /// The folder gets one script for each finding, for each way in which a run can end, and for the longest run.
    #[arg(long, alias = "witnesses", value_name = "DIR", requires = "explore")]
    save_scripts: Option<PathBuf>,
    /// Run N times with random choices, and count the results.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    runs: Option<u32>,
    /// With `--runs`: run only a part of the runs, and write its counts as JSON.
    ///
    /// `2/8` is every eighth run, beginning with run 2; shards count from 0. `--merge` adds up the shards. Ends with 0 also if a run
    /// does not complete.
    #[arg(long, value_name = "I/N", requires = "runs", value_parser = shard)]
    shard: Option<Shard>,
    /// Add up the files of all shards, as if one machine had run them.
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["explore", "runs", "target"])]
    merge: Vec<PathBuf>,
}

/// What to run.
pub(super) struct ManyRuns<'s> {
    pub(super) snapshot: &'s Snapshot,
    pub(super) target: &'s SimulationTarget,
    pub(super) scenario: &'s Scenario,
    /// The script or scenario with the answers.
    pub(super) uses: Option<&'s str>,
}

impl ManyRunsOptions {
    /// Whether more than one run is asked for.
    pub(super) fn is_wanted(&self) -> bool {
        self.explore || self.runs.is_some()
    }

    /// Explores, or repeats the run.
    pub(super) fn run(&self, subject: &ManyRuns<'_>, is_json: bool, output: &mut Output) -> Result<Outcome> {
        match (self.runs, self.shard) {
            (Some(runs), Some(shard)) => {
                let ManyRuns { snapshot, target, scenario, uses } = *subject;
                output.write(&sample_shard(snapshot, target, scenario, uses, (runs, shard))?.to_text())?;
                Ok(Outcome::Clean)
            }
            (Some(runs), None) => {
                let sampled = sample(subject.snapshot, subject.target, subject.scenario, runs)?;
                report(&sampled, is_json, output)
            }
            (None, _) => self.explored(subject, is_json, output),
        }
    }

    /// The files of shards to add up; empty if something is to run.
    pub(super) fn shards(&self) -> &[PathBuf] {
        &self.merge
    }

    fn explored(&self, subject: &ManyRuns<'_>, is_json: bool, output: &mut Output) -> Result<Outcome> {
        let usual = ExplorationBounds::default();
        let states = self.max_states.map_or(usual.states, |states| states as usize);
        let bounds = ExplorationBounds { states, ..usual };
        let found = explore(subject.snapshot, subject.target, subject.scenario, subject.uses, &bounds)?;
        let folder = self.write(&found)?;
        let text = match is_json {
            true => format!("{:#}\n", exploration_json(&found, folder.as_deref())),
            false => crate::screen::lines(&exploration_text(&found, folder.as_deref())).into_owned(),
        };
        output.write(&text)?;
        Ok(if found.has_findings() { Outcome::Findings } else { Outcome::Clean })
    }

    /// Writes the scripts, and returns the folder as the user wrote it.
    fn write(&self, found: &Exploration) -> Result<Option<String>> {
        let Some(folder) = &self.save_scripts else { return Ok(None) };
        let refusal = || format!("`{}` cannot be written", folder.display());
        std::fs::create_dir_all(folder).with_context(refusal)?;
        for shown in found.shown() {
            std::fs::write(folder.join(&shown.name), &shown.text).with_context(refusal)?;
        }
        Ok(Some(folder.display().to_string()))
    }
}

/// Adds up shards, and reports what all runs came to.
pub(super) fn merge_shards(files: &[PathBuf], is_json: bool, output: &mut Output) -> Result<Outcome> {
    let read = |file: &PathBuf| {
        let name = file.display().to_string();
        let shard = SampleShard::read(&name, &text_of(file)?)?;
        Ok((name, shard))
    };
    let shards = files.iter().map(read).collect::<Result<Vec<_>>>()?;
    report(&merge(shards)?, is_json, output)
}

fn text_of(file: &Path) -> Result<String> {
    std::fs::read_to_string(file).with_context(|| format!("`{}` cannot be read", file.display()))
}

fn report(sampled: &Sampled, is_json: bool, output: &mut Output) -> Result<Outcome> {
    let text = match is_json {
        true => format!("{:#}\n", sample_json(sampled)),
        false => crate::screen::lines(&sample_text(sampled)).into_owned(),
    };
    output.write(&text)?;
    let completed = nodewise_engine::outcome::Status::Completed.word();
    let is_clean = sampled.sample.outcomes.iter().all(|(outcome, _)| outcome == completed);
    Ok(if is_clean { Outcome::Clean } else { Outcome::Findings })
}

/// A shard from the command line.
fn shard(word: &str) -> Result<Shard, String> {
    let (index, of) = word.split_once('/').ok_or("expected I/N, for example `0/8`")?;
    let number = |part: &str| part.parse::<u32>().map_err(|_| format!("`{part}` is not a number"));
    let shard = Shard { index: number(index)?, of: number(of)? };
    match shard.index < shard.of {
        true => Ok(shard),
        false => Err(format!("the first number is from 0 to {}", shard.of.saturating_sub(1))),
    }
}

//! `simulate --explore` and `simulate --runs`: every possible run, or many random ones.
//!
//! Input: what to run, and its script. Output: a report, scripts in a folder, and an exit code. Invariant: the same
//! files, script and seed give the same bytes.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use nodewise_analysis::workspace::Snapshot;
use nodewise_engine::explore::ExplorationBounds;
use nodewise_model::scenario::Scenario;
use nodewise_simulation::exploration::{Exploration, explore, sample};
use nodewise_simulation::render::{exploration_json, exploration_text, sample_json, sample_text};
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
        match self.runs {
            Some(runs) => spread(subject, runs, is_json, output),
            None => self.explored(subject, is_json, output),
        }
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

fn spread(subject: &ManyRuns<'_>, runs: u32, is_json: bool, output: &mut Output) -> Result<Outcome> {
    let sampled = sample(subject.snapshot, subject.target, subject.scenario, runs)?;
    let text = match is_json {
        true => format!("{:#}\n", sample_json(&sampled)),
        false => crate::screen::lines(&sample_text(&sampled)).into_owned(),
    };
    output.write(&text)?;
    let completed = nodewise_engine::outcome::Status::Completed.word();
    let is_clean = sampled.sample.outcomes.iter().all(|(outcome, _)| outcome == completed);
    Ok(if is_clean { Outcome::Clean } else { Outcome::Findings })
}

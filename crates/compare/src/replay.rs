//! `cargo xtask replay SYSTEM DIR`: repeats recorded runs of the published packages, and compares.
//!
//! Input is a system's name and a folder of recorded runs, with the structure of the system's corpus. Output is every
//! difference with its place, then how many runs agree. Invariant: differences in the ledger are printed with the
//! reason, and do not count as failures.

pub(crate) mod agentos;
#[cfg(test)]
mod cuts;
pub(crate) mod cycgraph;
mod difference;
pub(crate) mod liman;
pub(crate) mod orders;

use std::path::Path;

use anyhow::{Result, bail, ensure};

pub(crate) use difference::{Difference, differences};
use nodewise_engine::ask::{ModelQuestion, Question};
use nodewise_engine::event::{Event, EventKind};
use nodewise_engine::kernel::{Kernel, System as Runtime};
use nodewise_engine::outcome::Outcome;
use nodewise_engine::provider::{self, Provider};

/// A system with recorded runs.
pub(crate) struct ReplayedSystem {
    /// The name on the command line.
    pub(crate) name: &'static str,
    /// Repeats all runs in a folder, in the order of their names.
    pub(crate) replay: fn(&Path) -> Result<Vec<Replayed>>,
    /// The differences that we keep.
    pub(crate) ledger: &'static [Exception],
}

/// A recorded run, and the differences of ours.
pub(crate) struct Replayed {
    /// The run's name, with the profile if a run has several.
    pub(crate) name: String,
    pub(crate) differences: Vec<Difference>,
}

/// A difference that we keep.
pub(crate) struct Exception {
    /// The name of the run. Empty for any run.
    pub(crate) run: &'static str,
    /// The beginning of the places that differ.
    pub(crate) place: &'static str,
    /// A text that the recorded value contains.
    pub(crate) recorded: &'static str,
    /// Why ours differs.
    pub(crate) reason: &'static str,
}

impl Exception {
    fn covers(&self, run: &Replayed, difference: &Difference) -> bool {
        (self.run.is_empty() || self.run == run.name)
            && difference.place.starts_with(self.place)
            && difference.recorded.contains(self.recorded)
    }
}

const SYSTEMS: &[ReplayedSystem] = &[
    ReplayedSystem { name: "liman", replay: liman::replay, ledger: liman::LEDGER },
    ReplayedSystem { name: "cycgraph", replay: cycgraph::replay, ledger: cycgraph::LEDGER },
    ReplayedSystem { name: "agentos", replay: agentos::replay, ledger: agentos::LEDGER },
];

/// The result of a folder.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// One line for each difference, kept or not.
    pub(crate) report: Vec<String>,
    pub(crate) agreed: usize,
    pub(crate) total: usize,
}

/// Replays a folder and prints the result. `false` if there is a difference outside of the ledger.
pub(crate) fn run(name: &str, folder: &Path) -> Result<bool> {
    let tally = replay(name, folder)?;
    tally.report.iter().for_each(|line| println!("{line}"));
    println!("{}/{}", tally.agreed, tally.total);
    Ok(tally.agreed == tally.total)
}

pub(crate) fn replay(name: &str, folder: &Path) -> Result<Tally> {
    let Some(system) = SYSTEMS.iter().find(|system| system.name == name) else {
        let names: Vec<&str> = SYSTEMS.iter().map(|system| system.name).collect();
        bail!("`{name}` is not a system with recorded runs; the systems are: {}", names.join(", "));
    };
    ensure!(folder.is_dir(), "{} is not a folder", folder.display());
    let runs = (system.replay)(folder)?;
    ensure!(!runs.is_empty(), "{} contains no recorded runs", folder.display());
    Ok(tally(system.ledger, &runs))
}

/// Runs to the end. In a test, each run is also stopped after many of its events and started again, which must change
/// nothing.
fn drive<S: Runtime>(run: &mut Kernel<S>, mut provider: impl Provider + Clone) -> Outcome {
    #[cfg(test)]
    cuts::check(run, &provider);
    provider::drive(run, &mut provider)
}

/// What models were asked in a run.
fn model_questions(log: &[Event]) -> Vec<ModelQuestion> {
    let question = |event: &Event| match &event.kind {
        EventKind::Asked { what, .. } => match &what.what {
            Question::Model(question) => Some(question.clone()),
            _ => None,
        },
        _ => None,
    };
    log.iter().filter_map(question).collect()
}

fn tally(ledger: &[Exception], runs: &[Replayed]) -> Tally {
    let mut tally = Tally { total: runs.len(), ..Tally::default() };
    for run in runs {
        let mut agrees = true;
        for difference in &run.differences {
            let exception = ledger.iter().find(|entry| entry.covers(run, difference));
            match exception {
                Some(entry) => {
                    tally.report.push(format!("{}: {} kept: {}", run.name, difference.place, entry.reason))
                }
                None => {
                    agrees = false;
                    tally.report.push(format!("{}: {difference}", run.name));
                }
            }
        }
        tally.agreed += usize::from(agrees);
    }
    tally
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_the_ledger_excepts_agrees_and_is_reported() {
        let run = |name: &str| Replayed {
            name: name.to_owned(),
            differences: differences(
                "",
                &json!({"visited": ["a", "b"]}),
                &json!({"visited": ["a", "c", "d"]}),
            ),
        };
        let ledger = [Exception {
            run: "known",
            place: "visited[",
            recorded: "",
            reason: "the release counts differently",
        }];
        let same = Replayed { name: "same".to_owned(), differences: Vec::new() };
        let found = tally(&ledger, &[run("known"), run("new"), same]);
        assert_eq!((found.agreed, found.total), (2, 3));
        assert_eq!(
            found.report,
            [
                "known: visited[1] kept: the release counts differently",
                "known: visited[2] kept: the release counts differently",
                "new: visited[1]: recorded \"b\", ours \"c\"",
                "new: visited[2]: recorded nothing, ours \"d\"",
            ]
        );
    }
}

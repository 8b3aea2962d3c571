//! `cargo xtask replay SYSTEM DIR`: runs again what the published packages ran, and compares.
//!
//! Input is a system's name and a folder of recorded runs, laid out as the system's corpus is; output is every
//! disagreement with its place, then how many runs agree. Invariant: what the ledger excepts is printed, with the
//! reason, and counts as agreed.

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
use nodewise_engine::kernel::{Kernel, System as Runtime};
use nodewise_engine::outcome::Outcome;
use nodewise_engine::provider::{self, Provider};

/// A system whose recorded runs can be replayed.
pub(crate) struct System {
    /// The word on the command line.
    pub(crate) name: &'static str,
    /// Runs everything in a folder, in the order of names.
    pub(crate) replay: fn(&Path) -> Result<Vec<Replayed>>,
    /// The disagreements that we mean to keep.
    pub(crate) ledger: &'static [Exception],
}

/// A recorded run, and where ours differs from it.
pub(crate) struct Replayed {
    /// The run's name, with the profile where a run has several.
    pub(crate) name: String,
    pub(crate) differences: Vec<Difference>,
}

/// A disagreement that we mean to keep.
pub(crate) struct Exception {
    /// The name of the run; any, if it is empty.
    pub(crate) run: &'static str,
    /// The places that differ, by how they begin.
    pub(crate) place: &'static str,
    /// What the recorded value holds there.
    pub(crate) recorded: &'static str,
    /// Why ours is otherwise.
    pub(crate) reason: &'static str,
}

impl Exception {
    fn covers(&self, run: &Replayed, difference: &Difference) -> bool {
        (self.run.is_empty() || self.run == run.name)
            && difference.place.starts_with(self.place)
            && difference.recorded.contains(self.recorded)
    }
}

const SYSTEMS: &[System] = &[
    System { name: "liman", replay: liman::replay, ledger: liman::LEDGER },
    System { name: "cycgraph", replay: cycgraph::replay, ledger: cycgraph::LEDGER },
    System { name: "agentos", replay: agentos::replay, ledger: agentos::LEDGER },
];

/// How the runs of a folder came out.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// One line for each disagreement and each exception.
    pub(crate) report: Vec<String>,
    pub(crate) agreed: usize,
    pub(crate) total: usize,
}

/// Replays a folder and prints what came out; `false` when something disagrees outside the ledger.
pub(crate) fn run(name: &str, folder: &Path) -> Result<bool> {
    let tally = replay(name, folder)?;
    tally.report.iter().for_each(|line| println!("{line}"));
    println!("{}/{}", tally.agreed, tally.total);
    Ok(tally.agreed == tally.total)
}

/// Replays a folder.
pub(crate) fn replay(name: &str, folder: &Path) -> Result<Tally> {
    let Some(system) = SYSTEMS.iter().find(|system| system.name == name) else {
        let names: Vec<&str> = SYSTEMS.iter().map(|system| system.name).collect();
        bail!("`{name}` is no system whose runs are recorded; there are: {}", names.join(", "));
    };
    ensure!(folder.is_dir(), "{} is no folder", folder.display());
    let runs = (system.replay)(folder)?;
    ensure!(!runs.is_empty(), "{} holds no recorded run", folder.display());
    Ok(tally(system.ledger, &runs))
}

/// Runs to the end. A test also stops each run after its events and begins it anew, which must change nothing.
fn drive<S: Runtime>(run: &mut Kernel<S>, mut provider: impl Provider + Clone) -> Outcome {
    #[cfg(test)]
    cuts::check(run, &provider);
    provider::drive(run, &mut provider)
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
    fn what_the_ledger_excepts_agrees_and_is_told() {
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
            reason: "the release counts otherwise",
        }];
        let same = Replayed { name: "same".to_owned(), differences: Vec::new() };
        let found = tally(&ledger, &[run("known"), run("new"), same]);
        assert_eq!((found.agreed, found.total), (2, 3));
        assert_eq!(
            found.report,
            [
                "known: visited[1] kept: the release counts otherwise",
                "known: visited[2] kept: the release counts otherwise",
                "new: visited[1]: recorded \"b\", ours \"c\"",
                "new: visited[2]: recorded nothing, ours \"d\"",
            ]
        );
    }
}

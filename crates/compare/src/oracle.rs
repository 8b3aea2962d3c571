//! `cargo xtask oracle`: asks the published packages what they answer, and compares.
//!
//! Input is the systems' names and options; output is, for each subject, how many answers agree and every difference
//! that the ledger does not explain. Invariant: only `--record` writes tracked files.

mod agentos;
mod compare;
mod cycgraph;
mod generate;
mod install;
mod liman;
mod places;
mod process;
mod random;
mod record;
mod subject;
#[cfg(test)]
mod tests;
mod values;
mod verdict;

use std::path::Path;

use anyhow::{Context, Result, bail};

pub(crate) use self::generate::documents::to_json;
pub(crate) use self::install::node_program;
use self::process::Oracle;
use self::subject::Subject;

const LIMAN: &str = "liman";
const SYSTEMS: &[&str] = &[LIMAN, "cycgraph", "agentos"];
/// Cases for each subject, where the command line says nothing.
const CASES: u64 = 10_000;
/// The same of whole runs, which take longer.
const RUN_CASES: u64 = 2_000;
const SEED: u64 = 1;

/// What the command line asks for.
#[derive(Debug, Clone)]
pub(crate) struct Options {
    /// None is all of them.
    pub(crate) systems: Vec<String>,
    /// None is as many as the subject is worth.
    pub(crate) cases: Option<u64>,
    pub(crate) seed: u64,
    /// One subject alone.
    pub(crate) only: Option<String>,
    /// Writes the answers that the tests replay.
    pub(crate) is_recording: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { systems: Vec::new(), cases: None, seed: SEED, only: None, is_recording: false }
    }
}

impl Options {
    /// Reads the words behind `oracle`; an error is a wrong usage.
    pub(crate) fn read(words: &[&str]) -> Result<Options> {
        let mut options = Options::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut value = || words.next().with_context(|| format!("`{word}` needs a value"));
            match *word {
                "--cases" => options.cases = Some(value()?.parse()?),
                "--seed" => options.seed = value()?.parse()?,
                "--only" => options.only = Some((*value()?).to_owned()),
                "--record" => options.is_recording = true,
                system if SYSTEMS.contains(&system) => options.systems.push(system.to_owned()),
                other => bail!("`{other}` is no option, and no system that has an oracle"),
            }
        }
        Ok(options)
    }

    fn includes(&self, system: &str) -> bool {
        self.systems.is_empty() || self.systems.iter().any(|name| name == system)
    }
}

/// Installs what the options need, so that a failure to do so can be told from a difference.
pub(crate) fn install_all(root: &Path, options: &Options) -> Result<()> {
    let mut systems = SYSTEMS.iter().filter(|system| options.includes(system));
    systems.try_for_each(|system| install::oracle(root, system).map(drop))
}

/// Asks about everything that the options name; `false` when something differs without explanation.
pub(crate) fn run(root: &Path, options: &Options) -> Result<bool> {
    let mut agrees = true;
    if options.includes(LIMAN) && options.only.is_none() && !options.is_recording {
        agrees &= liman::recorded::run(root)?;
    }
    for system in SYSTEMS.iter().filter(|system| options.includes(system)) {
        let subjects: Vec<&Subject> = subjects()
            .filter(|subject| subject.system == *system)
            .filter(|subject| options.only.as_deref().is_none_or(|name| name == subject.name))
            .collect();
        if subjects.is_empty() {
            continue;
        }
        let mut oracle = Oracle::start(install::oracle(root, system)?)?;
        for subject in subjects {
            if options.is_recording {
                record::record(root, subject, &mut oracle, SEED)?;
                continue;
            }
            let usual = if subject.name == compare::RUNS { RUN_CASES } else { CASES };
            let cases = options.cases.unwrap_or(usual);
            let outcome = compare::compare(subject, &mut oracle, cases, options.seed)?;
            compare::print(subject, &outcome);
            agrees &= outcome.is_clean();
        }
    }
    Ok(agrees)
}

fn subjects() -> impl Iterator<Item = &'static Subject> {
    liman::SUBJECTS.iter().chain(cycgraph::SUBJECTS).chain(agentos::SUBJECTS)
}

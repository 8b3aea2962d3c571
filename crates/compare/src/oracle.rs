//! `cargo xtask oracle`: asks the published packages the same questions, and compares the answers.
//!
//! Input is the systems' names and options. Output is, for each subject, how many answers agree, and every difference
//! that the ledger does not explain. Invariant: only `--record` writes tracked files.

mod agentos;
mod compare;
mod cycgraph;
pub(crate) mod generate;
mod install;
mod liman;
mod places;
mod process;
mod prompts;
pub(crate) mod random;
pub(crate) mod record;
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
/// The default number of cases for each subject.
const CASES: u64 = 10_000;
/// The same for whole runs, which take longer.
const RUN_CASES: u64 = 2_000;
const SEED: u64 = 1;

/// The options of the command line.
#[derive(Debug, Clone)]
pub(crate) struct Options {
    /// Empty for all.
    pub(crate) systems: Vec<String>,
    /// `None` for the default of the subject.
    pub(crate) cases: Option<u64>,
    pub(crate) seed: u64,
    /// Only this subject.
    pub(crate) only: Option<String>,
    /// Whether to write the answers that the tests replay.
    pub(crate) is_recording: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { systems: Vec::new(), cases: None, seed: SEED, only: None, is_recording: false }
    }
}

impl Options {
    /// Reads the arguments after `oracle`. An error is wrong usage.
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
                other => bail!("`{other}` is neither an option nor a system with an oracle"),
            }
        }
        Ok(options)
    }

    fn includes(&self, system: &str) -> bool {
        self.systems.is_empty() || self.systems.iter().any(|name| name == system)
    }
}

/// Installs the packages first, so that a failed installation is not confused with a difference.
pub(crate) fn install_all(root: &Path, options: &Options) -> Result<()> {
    let mut systems = SYSTEMS.iter().filter(|system| options.includes(system));
    systems.try_for_each(|system| install::oracle(root, system).map(drop))
}

/// Compares everything that the options name. `false` if there is an unexplained difference.
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
        let has_prompts = options.only.as_deref().is_none_or(|name| name == prompts::NAME);
        if subjects.is_empty() && !has_prompts {
            continue;
        }
        let mut oracle = Oracle::start(install::oracle(root, system)?)?;
        if has_prompts {
            agrees &= prompts::run(root, system, &mut oracle, options.is_recording)?;
        }
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

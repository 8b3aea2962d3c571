//! What a command runs: a graph, with its input and the setup of the host program.
//!
//! Input: arguments of the command line. Output: a project, a target in it, a scenario. Invariant: the command line
//! overrides the script.

mod input;

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::{Args, ValueHint};
use nodewise_dialect::tables::scenario::DOCUMENTED;
use nodewise_expr::json::from_json;
use nodewise_model::Located;
use nodewise_model::scenario::{RunLimits, Scenario};
use nodewise_simulation::dry_run::DryRunSource;
use nodewise_simulation::scenario::documents_of;
#[cfg(feature = "live")]
use nodewise_simulation::setup;
use nodewise_simulation::system::RunnableSystem;
use nodewise_simulation::systems::with_documented_reading;
use nodewise_simulation::target::SimulationTarget;
use smol_str::SmolStr;

use crate::words::{self, with_profiles};
use crate::workspace::{self, Opened};

/// What to run.
#[derive(Args)]
#[group(skip)]
pub(crate) struct RunTarget {
    /// The file, folder or scenario to run; `FILE#ID` is one graph of a file.
    #[arg(value_hint = ValueHint::FilePath, required_unless_present = "merge")]
    target: Option<String>,
    /// Run only this node, and show where it leads.
    #[arg(long, value_name = "NODE", conflicts_with_all = ["start", "explore"])]
    only: Option<String>,
    #[command(flatten)]
    given: RunInput,
}

/// What a run is given.
#[derive(Args, Default)]
#[group(skip)]
pub(crate) struct RunInput {
    /// The script: input, setup, and the answers of a simulation.
    #[arg(long, value_name = "FILE")]
    pub(crate) script: Option<PathBuf>,
    /// The input: JSON, `@FILE`, plain text, or `KEY=@FILE`; can be repeated.
    ///
    /// `@FILE` is a file with JSON. `KEY=@FILE` adds a file to the input, under this key, or behind it if the input is a text. Models get an
    /// image (PNG, JPEG, GIF, WebP) or a PDF file as what it is. JSON becomes a value, and any other file a text.
    #[arg(long, value_name = "JSON|@FILE|KEY=@FILE")]
    pub(crate) input: Vec<String>,
    /// Begin at this node.
    #[arg(long, value_name = "NODE")]
    pub(crate) start: Option<String>,
    /// The seed for random choices.
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    #[arg(long, value_name = "VERSION", value_parser = words::profiles(), help = profile_help())]
    pub(crate) profile: Option<String>,
    #[arg(long, help = as_documented_help())]
    pub(crate) as_documented: bool,
    /// Follow symbolic links that lead out of the project.
    #[arg(long)]
    pub(crate) follow_links: bool,
    #[command(flatten)]
    pub(crate) limits: Limits,
    /// What only debug configurations can say.
    #[arg(skip)]
    pub(crate) more: MoreInput,
}

/// What only debug configurations can say about a run.
#[derive(Debug, Clone, Default)]
pub(crate) struct MoreInput {
    /// The position of the scenario in its file, from 0.
    pub(crate) scenario: Option<usize>,
    /// The input as JSON.
    pub(crate) input: Option<serde_json::Value>,
    /// Values for the state at the beginning.
    pub(crate) memory: Vec<(String, serde_json::Value)>,
    /// The maximum number of events.
    pub(crate) events: Option<u64>,
}

/// The limits of a run.
#[derive(Args, Default)]
#[group(skip)]
pub(crate) struct Limits {
    /// End the run after this many visits of nodes.
    #[arg(long, value_name = "N")]
    pub(crate) limit_visits: Option<u64>,
    /// End the run after this much run time, in milliseconds.
    ///
    /// A simulation counts virtual time. A live run counts real time, except while it is interrupted.
    #[arg(long, alias = "limit-time", value_name = "MS")]
    pub(crate) limit_run_time: Option<u64>,
    /// End the run after this many tokens.
    #[arg(long, value_name = "N")]
    pub(crate) limit_tokens: Option<u64>,
    /// End the run after this cost, in US dollars.
    #[arg(long, value_name = "USD", value_parser = amount)]
    pub(crate) limit_cost: Option<f64>,
}

impl Limits {
    /// The limits that are set.
    pub(crate) fn set(&self) -> RunLimits {
        RunLimits {
            visits: self.limit_visits.map(|count| count as f64),
            time_ms: self.limit_run_time.map(|time| time as f64),
            tokens: self.limit_tokens.map(|count| count as f64),
            cost_usd: self.limit_cost,
            ..RunLimits::default()
        }
    }
}

/// What to run, after the search.
pub(crate) struct FoundTarget {
    /// The project.
    pub(crate) opened: Opened,
    /// What to run.
    pub(crate) target: SimulationTarget,
    /// Its input, and the setup of the host program.
    pub(crate) scenario: Scenario,
}

fn profile_help() -> String {
    let titles: Vec<&str> = with_profiles().map(|dialect| dialect.title).collect();
    format!("{}: the version to follow", titles.join(" and "))
}

fn as_documented_help() -> String {
    format!("{}: follow the documentation where the release differs from it", with_documented_reading())
}

impl RunTarget {
    /// Finds what to run.
    pub(crate) fn find(&self) -> Result<FoundTarget> {
        let target = self.target.as_deref().unwrap_or_default();
        let start = self.only.as_deref().or(self.given.start.as_deref());
        let mut found = self.given.find_from(target, start)?;
        found.scenario.target.is_alone |= self.only.is_some();
        Ok(found)
    }
}

/// The path of a target, and the graph in it.
fn names(target: &str) -> (&str, Option<&str>) {
    match target.rsplit_once('#') {
        Some((path, graph)) if !Path::new(target).exists() => (path, Some(graph)),
        _ => (target, None),
    }
}

impl RunInput {
    /// Finds what to run.
    pub(crate) fn find(&self, target: &str) -> Result<FoundTarget> {
        self.find_from(target, self.start.as_deref())
    }

    /// Finds what to run up to a node. Without a script and without `--start`, the run begins at the node: then it is true.
    #[cfg(feature = "live")]
    pub(crate) fn find_node(&self, target: &str, node: &str) -> Result<(FoundTarget, bool)> {
        if self.start.is_some() {
            return Ok((self.find(target)?, false));
        }
        let (path, _) = names(target);
        let opened = workspace::open(Path::new(path), self.script.as_deref(), self.follow_links)?;
        let source = opened.script.or(opened.target).and_then(|source| opened.snapshot.file(source));
        let has_script = source.is_some_and(|file| documents_of(&opened.snapshot, file).next().is_some());
        match has_script {
            true => Ok((self.find(target)?, false)),
            false => Ok((self.find_from(target, Some(node))?, true)),
        }
    }

    pub(crate) fn find_from(&self, target: &str, start: Option<&str>) -> Result<FoundTarget> {
        let (path, graph) = names(target);
        let opened = workspace::open(Path::new(path), self.script.as_deref(), self.follow_links)?;
        let source =
            DryRunSource { file: opened.target, script: opened.script, position: self.more.scenario };
        let mut scenario = source.scenario(&opened.snapshot)?;
        self.overrule(&mut scenario, start)?;
        let target = source.target(&opened.snapshot, &scenario, graph)?;
        self.check_reading(target.system(&opened.snapshot))?;
        Ok(FoundTarget { opened, target, scenario })
    }

    /// Finds what a recorded run ran, in the files as they are now. `setup` is the recorded start of the run.
    #[cfg(feature = "live")]
    pub(crate) fn find_again(&self, folder: &Path, setup: &str, seed: u64) -> Result<FoundTarget> {
        let opened = workspace::open(folder, None, self.follow_links)?;
        let (target, mut scenario) = setup::read(&opened.snapshot, setup)?;
        scenario.seed = Some(seed as f64);
        self.overrule(&mut scenario, self.start.as_deref())?;
        Ok(FoundTarget { opened, target, scenario })
    }

    /// The limits that are set.
    #[cfg(feature = "live")]
    pub(crate) fn limits(&self) -> RunLimits {
        self.limits.set()
    }

    /// Returns an error for an option that the system does not have.
    fn check_reading(&self, system: Option<RunnableSystem>) -> Result<()> {
        match system {
            Some(system) if self.as_documented && !system.has_documented_reading() => {
                let (title, others) = (system.dialect().title, with_documented_reading());
                bail!(
                    "`--as-documented` has no effect on {title}\n  help: remove it; only {others} has documentation that \
                     differs from its release"
                )
            }
            _ => Ok(()),
        }
    }

    /// Values from the command line override the script.
    fn overrule(&self, scenario: &mut Scenario, start: Option<&str>) -> Result<()> {
        let at = scenario.head;
        let word = |word: &str| Located::new(SmolStr::new(word), at);
        if let Some(input) = input::read(&self.input)? {
            scenario.start.turns.clear();
            scenario.start.input = Some(Located::new(input, at));
        }
        if let Some(start) = start {
            scenario.target.node = Some(word(start));
            scenario.target.is_alone = false;
        }
        if let Some(profile) = &self.profile {
            scenario.host.profile = Some(word(profile));
        }
        if self.as_documented {
            scenario.host.reading = Some(word(DOCUMENTED));
        }
        if let Some(input) = &self.more.input {
            scenario.start.turns.clear();
            scenario.start.input = Some(Located::new(from_json(input.clone()), at));
        }
        for (key, value) in &self.more.memory {
            scenario.start.memory.retain(|(known, _)| known.value != key.as_str());
            scenario.start.memory.push((word(key), from_json(value.clone())));
        }
        scenario.seed = self.seed.map(|seed| seed as f64).or(scenario.seed);
        scenario.limits.replace_by(&self.limits.set());
        let events = self.more.events.map(|events| events as f64);
        scenario.limits.events = events.or(scenario.limits.events);
        Ok(())
    }
}

/// An amount of money from the command line.
fn amount(word: &str) -> Result<f64, String> {
    match word.parse::<f64>() {
        Ok(amount) if amount >= 0.0 => Ok(amount),
        _ => Err(format!("`{word}` is not an amount of money")),
    }
}

impl FoundTarget {
    /// The script in the project that contributes to the scenario.
    pub(crate) fn uses(&self) -> Option<&str> {
        let snapshot = &self.opened.snapshot;
        let file = self.opened.script.or(self.opened.target).and_then(|source| snapshot.file(source))?;
        documents_of(snapshot, file).next().map(|_| &*file.path)
    }
}

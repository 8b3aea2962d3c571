//! What to debug: the keys of a launch configuration, and what the command makes of them.
//!
//! Input: the arguments of `launch`; output: a run that has not begun. Invariant: the keys are those of
//! [`nodewise_project::debug_configuration`]; an unknown key is an error that names it.

use std::path::{Path, PathBuf};

use nodewise_analysis::workspace::Snapshot;
use nodewise_engine::outcome::Outcome;
use nodewise_model::scenario::Scenario;
use nodewise_project::debug_configuration::{DebugRequest, unknown_key};
use nodewise_simulation::feed::RunFeed;
use nodewise_simulation::run::Run;
use nodewise_simulation::target::SimulationTarget;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::refusal::{Refusal, RefusalKind};

/// What to debug.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct LaunchArguments {
    /// The file, folder or scenario; `FILE#ID` is one graph of a file.
    pub program: String,
    /// The position of the scenario in its file, from 0.
    pub scenario: Option<u32>,
    /// The file with the script.
    pub script: Option<String>,
    /// The input of the run.
    pub input: Option<Value>,
    /// Values for the state at the beginning.
    pub memory: Map<String, Value>,
    /// The node where the run begins.
    pub node: Option<String>,
    /// Whether only that node runs.
    pub only: bool,
    /// The seed for random choices.
    pub seed: Option<u64>,
    /// The version to follow, of a system that has a choice.
    pub profile: Option<String>,
    /// Whether to follow the documentation where the release differs from it.
    pub as_documented: bool,
    /// The limits of the run.
    pub limits: LaunchLimits,
    /// A recorded trace of the program.
    pub trace: Option<String>,
    /// Whether real models and tools are asked.
    pub live: bool,
    /// What `attach` opens.
    #[serde(flatten)]
    pub stored: StoredRunArguments,
    /// Whether to stop before the first node.
    pub stop_on_entry: bool,
    /// Whether to stop after the last event.
    pub stop_at_end: Option<bool>,
    /// Which questions to stop before.
    pub break_on_ask: BreakOnAsk,
    /// What the console shows of the run.
    pub timeline: TimelineOutput,
    /// Recorded answers that come before those of the script.
    pub answers: Option<RecordedAnswers>,
    /// The event to stop at first.
    pub stop_at_event: Option<usize>,
    /// Whether to run without breakpoints.
    pub no_debug: bool,
}

/// Recorded answers and decisions.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedAnswers {
    /// The seed of the run.
    pub seed: u64,
    /// The events of a trace that have them.
    pub events: Vec<Value>,
}

/// Which stored run `attach` opens.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct StoredRunArguments {
    /// Its name; the last one if it is missing.
    pub run: Option<String>,
    /// The folder of its project.
    pub folder: Option<String>,
    /// Whether it continues where its record ends.
    pub go_on: bool,
}

/// Which questions to stop before.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BreakOnAsk {
    /// None.
    #[default]
    Never,
    /// Questions to tools and functions.
    Tools,
    /// Every question.
    All,
}

/// The limits of a run.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct LaunchLimits {
    /// Visits of nodes.
    pub visits: Option<u64>,
    /// Virtual time, in milliseconds.
    pub time_ms: Option<u64>,
    pub tokens: Option<u64>,
    /// US dollars.
    pub cost_usd: Option<f64>,
    /// Events of the log.
    pub events: Option<u64>,
}

/// What the console shows of the run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TimelineOutput {
    /// Everything that the debugger can stop at.
    Full,
    #[default]
    Nodes,
    /// Nothing.
    Off,
}

/// A run that can be debugged.
pub struct Launched {
    /// The folder of the project.
    pub root: PathBuf,
    /// The files that the run was compiled from.
    pub snapshot: Snapshot,
    /// The run, before its first step.
    pub run: Run,
    /// Where its events come from.
    pub source: RunSource,
    /// What it was begun with, for scenarios that are made of it.
    pub beginning: Option<RunBeginning>,
    /// The id and the folder of the run, if it is stored.
    pub stored: Option<(String, PathBuf)>,
    /// What to tell the user.
    pub notes: Vec<String>,
}

/// Where the events of a run come from.
pub enum RunSource {
    Simulated,
    /// It is recorded: the run at the end of its record, and how it stands.
    Recorded(Box<Run>, Outcome),
    /// It is driven by someone else, in real time.
    Live(Box<dyn RunFeed>),
}

/// What a run was begun with.
pub struct RunBeginning {
    /// What runs.
    pub target: SimulationTarget,
    /// What its script says.
    pub scenario: Scenario,
    /// The scripts of the project that the scenario uses, by their paths.
    pub uses: Vec<String>,
}

/// Finds what to debug, and reads and writes files. The adapter itself does neither.
pub trait Launcher {
    /// Finds what to debug.
    ///
    /// # Errors
    /// If there is nothing to run, or it is broken.
    fn launch(&self, arguments: &LaunchArguments) -> Result<Launched, Refusal>;

    /// Opens a stored run.
    ///
    /// # Errors
    /// If it is not there, cannot be read, or is driven by another process.
    fn attach(&self, arguments: &LaunchArguments) -> Result<Launched, Refusal>;

    /// The text of a file as it is now.
    fn text(&self, path: &Path) -> Option<String>;

    /// Writes a file that does not exist.
    ///
    /// # Errors
    /// If it exists, or cannot be written.
    fn write(&self, path: &Path, text: &str) -> Result<(), Refusal>;

    /// A path without links, for comparison.
    fn canonical(&self, path: &Path) -> PathBuf;
}

impl LaunchArguments {
    /// Reads the arguments of `launch` or `attach`.
    ///
    /// # Errors
    /// If a key is unknown or has another type.
    pub fn read(arguments: &Value, request: DebugRequest) -> Result<LaunchArguments, Refusal> {
        let wrong = |message: String| Refusal::new(RefusalKind::BadArguments, message);
        let empty = Value::Object(Map::new());
        let arguments = if arguments.is_null() { &empty } else { arguments };
        if let Some(message) = unknown_key(arguments, request) {
            return Err(wrong(message));
        }
        let read = LaunchArguments::deserialize(arguments)
            .map_err(|error| wrong(format!("the debug configuration cannot be read: {error}")))?;
        if request == DebugRequest::Launch && read.program.is_empty() {
            return Err(wrong(
                "the debug configuration needs `program`: a file, folder or scenario".to_owned(),
            ));
        }
        if read.live && read.trace.is_some() {
            return Err(wrong("`live` and `trace` exclude each other: a trace has all answers".to_owned()));
        }
        if read.answers.is_some() && (read.live || read.trace.is_some() || read.stored.go_on) {
            let text =
                "`answers` excludes `live`, `goOn` and `trace`: the run is simulated with these answers";
            return Err(wrong(text.to_owned()));
        }
        Ok(read)
    }
}

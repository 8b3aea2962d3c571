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

/// The keys of a debug configuration.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct LaunchArguments {
    /// The file, folder or scenario to run. `FILE#ID` is one graph of a file.
    pub program: String,
    /// The position of the scenario in its file, from 0.
    pub scenario: Option<u32>,
    /// The path of the script.
    pub script: Option<String>,
    /// The input of the run.
    pub input: Option<Value>,
    /// Values for the state at the beginning.
    pub memory: Map<String, Value>,
    /// Values for the state at the beginning of the run.
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
    /// The path of a recorded trace, whose answers the run gets.
    pub trace: Option<String>,
    /// Whether to ask real models and tools.
    pub live: bool,
    /// What `attach` opens.
    #[serde(flatten)]
    pub stored: StoredRunArguments,
    /// Whether to stop at the beginning of the run.
    pub stop_on_entry: bool,
    /// Whether to stop after the last event. Default: true.
    pub stop_at_end: Option<bool>,
    /// Which questions to stop before.
    pub break_on_ask: BreakOnAsk,
    /// What the console shows of the run.
    pub timeline: TimelineOutput,
    /// Recorded answers that come before those of the script. The debugger sets this key for forks.
    pub answers: Option<RecordedAnswers>,
    /// The event to stop at first, from 0, past all breakpoints before it.
    pub stop_at_event: Option<usize>,
    /// Whether to run without stops at breakpoints or at the end.
    pub no_debug: bool,
}

/// Recorded answers and decisions.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedAnswers {
    /// The seed of the run.
    pub seed: u64,
    /// The events of a trace that have the answers and decisions.
    pub events: Vec<Value>,
}

/// Which stored run `attach` opens.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct StoredRunArguments {
    /// Its id, the beginning of its id, its name, or `last`. Default: `last`.
    pub run: Option<String>,
    /// The folder of its project. Default: the folder of the session.
    pub folder: Option<String>,
    /// Whether to continue the run where its record ends.
    pub go_on: bool,
}

/// Which questions to stop before.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BreakOnAsk {
    /// Does not stop before questions.
    #[default]
    Never,
    /// Stops before questions to tools and functions.
    Tools,
    /// Stops before every question.
    All,
}

/// The limits of a run.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct LaunchLimits {
    /// The maximum number of visits of nodes.
    pub visits: Option<u64>,
    /// The maximum virtual time, in milliseconds.
    pub time_ms: Option<u64>,
    pub tokens: Option<u64>,
    /// The maximum cost, in US dollars.
    pub cost_usd: Option<f64>,
    /// The maximum number of events in the log.
    pub events: Option<u64>,
}

/// What the console shows of the run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TimelineOutput {
    /// A line for each event that the debugger can stop at.
    Full,
    #[default]
    Nodes,
    /// The console shows no timeline.
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
    /// What the run began with, to make a scenario of it. `None` if this is not known.
    pub beginning: Option<RunBeginning>,
    /// The id and the folder of the run, if it is stored.
    pub stored: Option<(String, PathBuf)>,
    /// Notes for the user about the run.
    pub notes: Vec<String>,
}

/// Where the events of a run come from.
pub enum RunSource {
    Simulated,
    /// The run is recorded: the run at the end of its record, and its outcome.
    Recorded(Box<Run>, Outcome),
    /// Something else drives the run, in real time.
    Live(Box<dyn RunFeed>),
}

/// What a run began with.
pub struct RunBeginning {
    /// What runs.
    pub target: SimulationTarget,
    /// The script of the run.
    pub scenario: Scenario,
    /// The scripts of the project that the scenario uses, by their paths.
    pub uses: Vec<String>,
}

/// What the adapter leaves to its caller: finding what to debug, and reading and writing files.
pub trait Launcher {
    /// Finds what to debug, and compiles the run.
    ///
    /// # Errors
    /// If there is nothing to run, or the declarations or the script have errors.
    fn launch(&self, arguments: &LaunchArguments) -> Result<Launched, Refusal>;

    /// Opens a stored run.
    ///
    /// # Errors
    /// If it is not there, cannot be read, or is driven by another process.
    fn attach(&self, arguments: &LaunchArguments) -> Result<Launched, Refusal>;

    /// The text of a file on disk now. `None` if it cannot be read.
    fn text(&self, path: &Path) -> Option<String>;

    /// Writes a new file.
    ///
    /// # Errors
    /// If the file exists, or cannot be written.
    fn write(&self, path: &Path, text: &str) -> Result<(), Refusal>;

    /// A path with its symbolic links resolved, to compare it with others.
    fn canonical(&self, path: &Path) -> PathBuf;
}

impl LaunchArguments {
    /// Reads the arguments of `launch` or `attach`.
    ///
    /// # Errors
    /// If a key is unknown or has another type, if two keys exclude each other, or if `launch` has no `program`.
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

//! What to debug: the keys of a launch configuration, and what the command makes of them.
//!
//! Input: the arguments of `launch`; output: a run that has not begun. Invariant: the keys are those of
//! [`nodewise_project::debug_configuration`]; an unknown key is an error that names it.

use std::path::{Path, PathBuf};

use nodewise_analysis::workspace::Snapshot;
use nodewise_project::debug_configuration::unknown_key;
use nodewise_simulation::run::Run;
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
    /// Whether to stop before the first node.
    pub stop_on_entry: bool,
    /// Whether to stop after the last event.
    pub stop_at_end: Option<bool>,
    /// What the console shows of the run.
    pub timeline: TimelineOutput,
    /// Whether to run without breakpoints.
    pub no_debug: bool,
}

/// The limits of a run.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct LaunchLimits {
    /// Visits of nodes.
    pub visits: Option<u64>,
    /// Virtual time, in milliseconds.
    pub time_ms: Option<u64>,
    /// Tokens.
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
    /// The nodes.
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
}

/// Finds what to debug, and reads files. The adapter itself does neither.
pub trait Launcher {
    /// Finds what to debug.
    ///
    /// # Errors
    /// If there is nothing to run, or it is broken.
    fn launch(&self, arguments: &LaunchArguments) -> Result<Launched, Refusal>;

    /// The text of a file as it is now.
    fn text(&self, path: &Path) -> Option<String>;

    /// A path without links, for comparison.
    fn canonical(&self, path: &Path) -> PathBuf;
}

impl LaunchArguments {
    /// Reads the arguments of `launch`.
    ///
    /// # Errors
    /// If a key is unknown or has another type.
    pub fn read(arguments: &Value) -> Result<LaunchArguments, Refusal> {
        let wrong = |message: String| Refusal::new(RefusalKind::BadArguments, message);
        if let Some(message) = unknown_key(arguments) {
            return Err(wrong(message));
        }
        let read = LaunchArguments::deserialize(arguments)
            .map_err(|error| wrong(format!("the debug configuration cannot be read: {error}")))?;
        match read.program.is_empty() {
            true => {
                Err(wrong("the debug configuration needs `program`: a file, folder or scenario".to_owned()))
            }
            false => Ok(read),
        }
    }
}

//! AgentOS: graphs of nodes that run when everything before them is done or skipped (agentos:4, agentos:5).
//!
//! Input: graphs as model, what a host wires, the input of a run; output: the log, whose [`EventKind::Native`] entries are
//! the runtime's own stream in its order. Reading order: [`host`] (what is wired), [`program`] (graphs, ready to run),
//! `state` and `reducers`, `schedule` (what is ready), `route` (where a node leads), `run` (the loop), `attempt` and
//! `executors` (what nodes do), [`checkpoint`] (resume and fork). Expansion of graphs at run time is not wired: the
//! release cannot build the handler that would ask for it. Invariant: a run does what the release does, unless it is read
//! as documented ([`Reading::Documented`]).
//!
//! [`EventKind::Native`]: crate::event::EventKind::Native

pub mod checkpoint;
mod explore;
pub mod host;
pub mod program;

mod node;
mod paths;
mod policies;
mod reading;
mod reducers;
mod result;
mod schedule;
mod state;
mod turns;

mod attempt;
mod executors;
mod machine;
mod native;
mod route;
mod run;

use std::sync::Arc;

use nodewise_expr::value::{Map, Value};
use smol_str::SmolStr;

use self::checkpoint::Checkpoint;
use self::program::Program;
use self::result::NodeResult;
use self::run::Run;
use crate::kernel::{Kernel, System};
use crate::limits::Limits;
use crate::time::Millis;

pub use self::reading::Reading;
pub use self::state::partitions;
pub use explore::AgentOsGuide;

/// The class of a failure that the host throws as an exception. The release catches it in some nodes; in others it
/// ends the run.
pub const THROWN: &str = "Thrown";

#[derive(Debug, Clone, Copy)]
pub struct AgentOs;

impl System for AgentOs {
    type Program = Program;
    type Output = Output;

    const RUNS_TO_REST: bool = true;
}

/// What the caller decides about a run, and what the host's clock shows when it begins.
#[derive(Debug, Clone)]
pub struct Opening {
    /// The run's id.
    pub run: SmolStr,
    /// What the clock shows.
    pub clock: Millis,
    /// How many checkpoints the host saved before.
    pub checkpoints: u32,
    /// What the scratch contains when the run begins, unless a checkpoint says it.
    pub scratch: Arc<Map>,
}

/// The result that a task yields.
#[derive(Debug, Clone)]
pub struct Output(Yield);

#[derive(Debug, Clone)]
enum Yield {
    /// An attempt to run a node ended with its result, or with an exception that has this text.
    Attempt(Result<Box<NodeResult>, SmolStr>),
    /// An inner graph ended with these artifacts, or with an exception.
    Graph(Result<Arc<Map>, SmolStr>),
}

impl Default for Opening {
    fn default() -> Opening {
        Opening { run: "run1".into(), clock: Millis::ZERO, checkpoints: 0, scratch: Arc::default() }
    }
}

/// A run of the main graph.
#[must_use]
pub fn start(
    program: Arc<Program>,
    input: &Value,
    opening: Opening,
    limits: Limits,
    seed: u64,
) -> Kernel<AgentOs> {
    let root = Run::first(&program, input, opening);
    Kernel::new(program, Box::new(root), limits, seed)
}

/// A run of the main graph that continues from a checkpoint, as the release resumes.
#[must_use]
pub fn resume(
    program: Arc<Program>,
    checkpoint: &Checkpoint,
    opening: Opening,
    limits: Limits,
    seed: u64,
) -> Kernel<AgentOs> {
    let root = Run::resumed(&program, checkpoint, opening);
    Kernel::new(program, Box::new(root), limits, seed)
}

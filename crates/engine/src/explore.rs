//! Everything that can happen in a run, within bounds: the real engine under a provider that tries each answer.
//!
//! Input: a run that has not begun, a [`Guide`] that says what may be answered and what of the state matters, bounds;
//! output: a [`ExplorationReport`]. Reading order: [`guide`] (what a system knows), `view` (what a log tells of a run at one
//! moment), `segments` (what leads on from a moment), `search` (states and what leads from one to another), [`state_space`] (the same, for those who look for paths), `behavior` and `closure`
//! (why it may end before all states are seen: [`locality`] says what each node depends on), `findings` (what follows from them), [`witness`] (the
//! answers that lead somewhere). Invariant: equal input gives an equal report, and each finding with a witness happened.

pub mod guide;
pub mod locality;
pub mod state_space;
pub mod thread_pool;
pub mod witness;

pub mod sample;

pub(crate) mod live_variables;
mod scripted_guide;
pub mod values;

mod behavior;
mod closure;
mod explored;
mod search;
mod segments;
mod view;

mod findings;
mod paths;

use std::fmt;

use smol_str::SmolStr;

use crate::outcome::{Failure, Status};
use crate::running::Running;
use crate::usage::Usage;
pub use guide::Guide;
pub use scripted_guide::ScriptedGuide;
pub use thread_pool::{OneThread, ThreadPool};
pub use witness::Witness;

/// How far an exploration goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExplorationBounds {
    /// The most states that are distinguished.
    pub states: usize,
    /// So many states are continued in any case; then the exploration ends as soon as the others can show nothing new.
    pub plain: usize,
    /// The most alternatives of one question.
    pub alternatives: usize,
    /// The questions of one visit that are varied; later ones get the first alternative.
    pub questions: u32,
    /// The steps of the kernel from one state to the next.
    pub steps: u32,
}

/// What can happen.
#[derive(Debug, Clone, Default)]
pub struct ExplorationReport {
    /// Whether everything that can happen was seen, as far as answers of the sort that conditions ask for go.
    pub is_exhaustive: bool,
    /// Why not, and what was left out.
    pub gaps: Vec<String>,
    /// What depends on counters, which do not distinguish states.
    pub notes: Vec<String>,
    /// How many states were distinguished.
    pub states: usize,
    /// How many ways between them were gone.
    pub transitions: usize,
    /// What is wrong.
    pub findings: Vec<ExplorationFinding>,
    /// How runs can end, the shortest way to each.
    pub ends: Vec<End>,
    /// The most that a run can take.
    pub worst: Worst,
}

/// Something that is wrong with a graph.
#[derive(Debug, Clone)]
pub struct ExplorationFinding {
    pub kind: ExplorationFindingKind,
    pub graph: SmolStr,
    /// The answers that lead there; none where nothing leads there.
    pub witness: Option<Witness>,
}

/// What can be wrong with a graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExplorationFindingKind {
    /// No run visits the node.
    UnreachedNode(SmolStr),
    /// No run follows the edge.
    UnreachedEdge {
        /// Where it begins.
        from: SmolStr,
        /// Where it leads.
        to: SmolStr,
        /// Its number, as the log gives it.
        number: u32,
        /// Whether it was looked at; if not, another one is always followed before.
        is_judged: bool,
    },
    /// A run stands at a node, and nothing leads on.
    DeadEnd {
        node: SmolStr,
        /// What the system says.
        failure: SmolStr,
    },
    /// An edge leads to a node that never runs, because it waits for others that will not run.
    NeverRuns(SmolStr),
    /// Nothing but a limit ends a run that has come here.
    EndlessLoop {
        /// The nodes of the loop, in order.
        nodes: Vec<SmolStr>,
    },
    /// A node reads a key that nothing has written yet, though something may.
    ReadBeforeWrite {
        /// Who reads.
        node: SmolStr,
        key: SmolStr,
        /// Whether a condition of its edges reads, when its own work is done.
        by_condition: bool,
    },
    /// Two visits that are under way at once write one key.
    ConflictingWrites {
        key: SmolStr,
        /// Who writes.
        nodes: [SmolStr; 2],
    },
}

/// A way in which runs end.
#[derive(Debug, Clone)]
pub struct End {
    pub status: Status,
    /// Why, where something went wrong.
    pub failure: Option<Failure>,
    /// The node that was visited last.
    pub node: SmolStr,
    /// Whether a model, tool or person had to fail for it.
    pub needs_fault: bool,
    /// The answers that lead there.
    pub witness: Witness,
}

/// The most that a run can take.
#[derive(Debug, Clone, Default)]
pub struct Worst {
    /// Whether loops are bounded by a limit alone; then the numbers are those of the longest way without a loop.
    pub is_unbounded: bool,
    /// The limit that ends loops, in words.
    pub limit: Option<String>,
    /// Visits of nodes.
    pub visits: u64,
    /// Questions to models.
    pub model_calls: u64,
    /// Tokens and money.
    pub usage: Usage,
    /// The answers that take the most visits.
    pub witness: Option<Witness>,
}

impl ExplorationFindingKind {
    /// The name of that sort of finding.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            ExplorationFindingKind::UnreachedNode(_) => "unreached-node",
            ExplorationFindingKind::UnreachedEdge { .. } => "unreached-edge",
            ExplorationFindingKind::DeadEnd { .. } => "dead-end",
            ExplorationFindingKind::NeverRuns(_) => "never-runs",
            ExplorationFindingKind::EndlessLoop { .. } => "endless-loop",
            ExplorationFindingKind::ReadBeforeWrite { .. } => "read-before-write",
            ExplorationFindingKind::ConflictingWrites { .. } => "conflicting-writes",
        }
    }
}

impl fmt::Display for ExplorationFindingKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExplorationFindingKind::UnreachedNode(node) => write!(formatter, "no run visits `{node}`"),
            ExplorationFindingKind::UnreachedEdge { from, to, is_judged: true, .. } => {
                write!(
                    formatter,
                    "no run follows the edge from `{from}` to `{to}`: its condition never holds"
                )
            }
            ExplorationFindingKind::UnreachedEdge { from, to, is_judged: false, .. } => {
                write!(formatter, "no run evaluates the edge from `{from}` to `{to}`")
            }
            ExplorationFindingKind::DeadEnd { node, .. } => {
                write!(formatter, "a run gets stuck at `{node}`: it follows no edge from there")
            }
            ExplorationFindingKind::NeverRuns(node) => {
                write!(formatter, "`{node}` never starts: a run follows an edge to it, then ends")
            }
            ExplorationFindingKind::EndlessLoop { nodes } => {
                let nodes: Vec<String> = nodes.iter().map(|node| format!("`{node}`")).collect();
                write!(formatter, "no answer ends the loop of {}: only a limit stops it", nodes.join(", "))
            }
            ExplorationFindingKind::ReadBeforeWrite { node, key, by_condition: false } => {
                write!(formatter, "`{node}` can read `{key}` before anything has written it")
            }
            ExplorationFindingKind::ReadBeforeWrite { node, key, by_condition: true } => {
                write!(formatter, "an edge of `{node}` can read `{key}` before anything has written it")
            }
            ExplorationFindingKind::ConflictingWrites { key, nodes: [one, other] } => {
                write!(formatter, "`{one}` and `{other}` can write `{key}` at the same time")
            }
        }
    }
}

impl Default for ExplorationBounds {
    fn default() -> ExplorationBounds {
        ExplorationBounds { states: 15_000, plain: 1_000, alternatives: 48, questions: 8, steps: 1_000_000 }
    }
}

/// Explores what can happen from the beginning of a run, on these threads. `goes_on` is asked now and then.
pub fn explore(
    run: &dyn Running,
    guide: &dyn Guide,
    bounds: &ExplorationBounds,
    pool: &dyn ThreadPool,
    goes_on: &mut dyn FnMut() -> bool,
) -> ExplorationReport {
    let explored = search::search(run, guide, bounds, false, (pool, goes_on));
    findings::report(run, guide, &explored, pool)
}

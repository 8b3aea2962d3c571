//! Everything that can happen in a run, within bounds: the real engine under a provider that tries each answer.
//!
//! Input: a run that has not begun, a [`Guide`] that knows which answers to try and which parts of the state matter,
//! bounds; output: an [`ExplorationReport`]. Reading order: [`guide`] (what a system knows), `view` (what a log says
//! about a run at one moment), `segments` (what leads on from a moment), `search` (states, and what leads from one to
//! another), [`state_space`] (the same, for callers that look for paths), `behavior` and `closure` (why the search
//! may end before all states are seen: [`locality`] says what each node depends on), `findings` (what follows from
//! the states), [`witness`] (the answers that lead somewhere). Invariant: equal input gives an equal report, and each
//! finding with a witness really happened.

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

/// The limits of an exploration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExplorationBounds {
    /// The greatest number of states.
    pub states: usize,
    /// The exploration continues this many states in any case. After that, it ends as soon as it can prove that the
    /// others show nothing new.
    pub plain: usize,
    /// The greatest number of answers that are tried for one question.
    pub alternatives: usize,
    /// How many questions of one visit get every alternative. Later questions get only the first one.
    pub questions: u32,
    /// The greatest number of kernel steps from one state to the next.
    pub steps: u32,
}

/// The result of an exploration.
#[derive(Debug, Clone, Default)]
pub struct ExplorationReport {
    /// Whether the exploration saw everything that can happen with the answers that conditions distinguish.
    pub is_exhaustive: bool,
    /// Why it is not exhaustive, and what was left out, in sentences.
    pub gaps: Vec<String>,
    /// What depends on counters, in sentences. Counters do not distinguish states.
    pub notes: Vec<String>,
    /// How many different states were found.
    pub states: usize,
    /// How many transitions between states were followed.
    pub transitions: usize,
    /// The problems of the graphs.
    pub findings: Vec<ExplorationFinding>,
    /// Every kind of end that runs can have, with the shortest path to each.
    pub ends: Vec<End>,
    /// The most visits, questions to models, tokens and money that a run can need.
    pub worst: Worst,
}

/// Something that is wrong with a graph.
#[derive(Debug, Clone)]
pub struct ExplorationFinding {
    pub kind: ExplorationFindingKind,
    pub graph: SmolStr,
    /// Answers that lead there; `None` for what no run reaches.
    pub witness: Option<Witness>,
}

/// What can be wrong with a graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExplorationFindingKind {
    /// No run visits the node.
    UnreachedNode(SmolStr),
    /// No run follows the edge.
    UnreachedEdge {
        /// The node where the edge begins.
        from: SmolStr,
        /// The node where the edge would lead.
        to: SmolStr,
        /// The number of the edge in the log.
        number: u32,
        /// Whether some run evaluated the edge. If not, an earlier edge is always followed instead.
        is_judged: bool,
    },
    /// A run is at a node from which nothing leads on.
    DeadEnd {
        node: SmolStr,
        /// The message of the failure that ends the run.
        failure: SmolStr,
    },
    /// An edge leads to a node that never runs, because it waits for others that will not run.
    NeverRuns(SmolStr),
    /// A run that gets here only ends when it reaches a limit.
    EndlessLoop {
        /// The nodes of the loop, in order.
        nodes: Vec<SmolStr>,
    },
    /// A node reads a key that nothing has written yet, though something may.
    ReadBeforeWrite {
        /// The node that reads.
        node: SmolStr,
        key: SmolStr,
        /// Whether a condition of the node's edges reads the key, after the node's own work.
        by_condition: bool,
    },
    /// Two visits that are under way at the same time write the same key.
    ConflictingWrites {
        key: SmolStr,
        /// The two nodes that write.
        nodes: [SmolStr; 2],
    },
}

/// A kind of end that runs can have.
#[derive(Debug, Clone)]
pub struct End {
    pub status: Status,
    /// The failure; `None` if nothing went wrong.
    pub failure: Option<Failure>,
    /// The node that was visited last.
    pub node: SmolStr,
    /// Whether runs end like this only if a model, tool or person fails.
    pub needs_fault: bool,
    /// Answers that lead to this end.
    pub witness: Witness,
}

/// The most that a run can need.
#[derive(Debug, Clone, Default)]
pub struct Worst {
    /// Whether only a limit ends the loops. The numbers are then those of the longest path without a loop.
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
    /// The name of this kind of finding.
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

/// Explores what can happen from the beginning of a run, on the threads of `pool`. The search calls `goes_on` before
/// it continues a state, and stops if the result is `false`.
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

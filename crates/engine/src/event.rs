//! What happens in a run: the entries of its log, from which everything else derives.
//!
//! State is a fold over [`EventKind::GraphStarted`] and [`EventKind::Wrote`]; the answers alone replay the run
//! ([`crate::replay`]). Invariant: an event is complete in itself, and equal runs have equal events in equal order.

use std::sync::Arc;

use nodewise_expr::value::Value;
use smol_str::SmolStr;

use crate::ask::{Answer, Ask, Decision};
use crate::outcome::{Failure, Outcome};
use crate::time::Millis;
use crate::usage::Usage;

/// An entry of the log.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// When it happens, in virtual time.
    pub at: Millis,
    pub kind: EventKind,
}

/// A graph that runs in a run: the main one is 0, each call of another one has the next number.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ScopeId(pub u32);

/// A visit of a node; numbers follow the order in which visits begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VisitId(pub u32);

/// A question; numbers follow the order in which questions are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AskId(pub u32);

/// What an event records.
#[derive(Debug, Clone, PartialEq)]
pub enum EventKind {
    /// A graph begins to run.
    GraphStarted {
        /// The number of this run of the graph.
        scope: ScopeId,
        /// The graph's id.
        graph: SmolStr,
        /// The visit that called the graph; `None` for the main graph.
        by: Option<VisitId>,
        /// The state when the graph begins.
        state: Value,
    },
    /// A node is visited.
    VisitStarted {
        visit: VisitId,
        /// The run of the graph that the node belongs to.
        scope: ScopeId,
        node: SmolStr,
        /// The data that the node is given.
        reads: Value,
    },
    /// A visit is tried again after a failure.
    Retried {
        visit: VisitId,
        /// The attempt that failed, from 1.
        attempt: u32,
        /// How long the visit waits before the next attempt.
        wait: Millis,
        /// Why the attempt failed.
        failure: Failure,
    },
    /// The wait before another attempt is over. Only systems whose runs can be stopped during such a wait record this.
    TriedAgain {
        visit: VisitId,
        /// The attempt that begins.
        attempt: u32,
    },
    /// A visit asks the world.
    Asked {
        /// The question.
        ask: AskId,
        /// The visit that asks.
        visit: VisitId,
        what: Arc<Ask>,
    },
    /// The world answers.
    Answered {
        /// The question.
        ask: AskId,
        answer: Arc<Answer>,
    },
    /// A key of the state gets a value; [`Value::Undefined`] takes the key away.
    Wrote {
        /// The run of a graph whose state changes.
        scope: ScopeId,
        /// The visit that writes; `None` for writes of the engine itself.
        visit: Option<VisitId>,
        /// The key, with its partition in systems whose state has partitions.
        key: SmolStr,
        value: Value,
    },
    /// A write was refused.
    Dropped {
        /// The visit that tried to write.
        visit: VisitId,
        key: SmolStr,
        reason: SmolStr,
    },
    /// An edge was evaluated after a visit.
    EdgeJudged {
        /// The visit that ended.
        visit: VisitId,
        /// The position of the edge among those of its graph, or among those of its node in systems where nodes have edges.
        edge: u32,
        /// The node that the edge leads to.
        target: SmolStr,
        /// Whether it is followed.
        followed: bool,
        /// The reason for the result, if no condition explains it.
        reason: Option<SmolStr>,
    },
    /// A node leads to another without an edge.
    HandedOver {
        /// The visit that decided.
        visit: VisitId,
        /// The node that comes next.
        target: SmolStr,
        /// The reason, in the words of whatever decided.
        reason: SmolStr,
    },
    /// A node will not be visited, because a choice led elsewhere.
    Skipped {
        /// The run of the graph that the node belongs to.
        scope: ScopeId,
        node: SmolStr,
    },
    /// A visit used tokens or money.
    Spent {
        visit: VisitId,
        /// What it used.
        usage: Usage,
    },
    CheckpointSaved {
        /// Its number in the run, from 1.
        checkpoint: u32,
        /// The node that it was saved at.
        node: SmolStr,
        /// The saved data.
        content: Value,
    },
    VisitEnded {
        visit: VisitId,
        /// The result of the node, or why it failed.
        result: Result<Value, Failure>,
    },
    /// The run waits for a person.
    Paused {
        /// The visit that asks.
        visit: VisitId,
        /// What the person is asked.
        question: Value,
    },
    /// The run continues with a person's decision.
    Resumed { decision: Arc<Decision> },
    /// The run was ended from outside.
    Cancelled,
    /// An event of the system's own runtime, with the runtime's name for it and in the runtime's order.
    Native {
        name: SmolStr,
        /// The data of the event.
        detail: Value,
    },
    /// A graph stops running.
    GraphEnded {
        /// The number of the run of the graph that ends.
        scope: ScopeId,
        outcome: Arc<Outcome>,
    },
}

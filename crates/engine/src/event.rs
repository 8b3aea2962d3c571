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
    /// When it happens.
    pub at: Millis,
    /// What happens.
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

/// What happens.
#[derive(Debug, Clone, PartialEq)]
pub enum EventKind {
    /// A graph begins to run.
    GraphStarted {
        /// Which run of a graph.
        scope: ScopeId,
        /// The graph's id.
        graph: SmolStr,
        /// The visit that called it.
        by: Option<VisitId>,
        /// The state at its beginning.
        state: Value,
    },
    /// A node is visited.
    VisitStarted {
        visit: VisitId,
        /// In which run of a graph.
        scope: ScopeId,
        node: SmolStr,
        /// What it is given.
        reads: Value,
    },
    /// A visit is tried again after a failure.
    Retried {
        visit: VisitId,
        /// The attempt that failed, from 1.
        attempt: u32,
        /// How long it waits.
        wait: Millis,
        /// Why it failed.
        failure: Failure,
    },
    /// The wait before another attempt is over, in systems that can be stopped before it is.
    TriedAgain {
        visit: VisitId,
        /// The attempt that begins.
        attempt: u32,
    },
    /// A visit asks the world.
    Asked {
        /// The question.
        ask: AskId,
        /// Who asks.
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
        /// Whose state.
        scope: ScopeId,
        /// Who writes; nobody for the engine's own.
        visit: Option<VisitId>,
        /// The key, with its partition where states have such.
        key: SmolStr,
        value: Value,
    },
    /// A write was refused.
    Dropped {
        /// Who wrote.
        visit: VisitId,
        key: SmolStr,
        reason: SmolStr,
    },
    /// An edge was looked at after a visit.
    EdgeJudged {
        /// The visit that ended.
        visit: VisitId,
        /// The position of the edge in its graph, or in its node where nodes have edges.
        edge: u32,
        /// Where it leads.
        target: SmolStr,
        /// Whether it is followed.
        followed: bool,
        /// Why, where no condition says it.
        reason: Option<SmolStr>,
    },
    /// A node leads to another without an edge.
    HandedOver {
        /// The visit that decided.
        visit: VisitId,
        /// Where it leads.
        target: SmolStr,
        /// Why, in the words of who decided.
        reason: SmolStr,
    },
    /// A node will not be visited, because a choice went another way.
    Skipped {
        /// In which run of a graph.
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
        /// What it holds.
        content: Value,
    },
    VisitEnded {
        visit: VisitId,
        /// What it yields, or why it failed.
        result: Result<Value, Failure>,
    },
    /// The run waits for a person.
    Paused {
        /// The visit that asks.
        visit: VisitId,
        /// What is asked.
        question: Value,
    },
    /// The run continues with a person's decision.
    Resumed { decision: Arc<Decision> },
    /// The run was ended from outside.
    Cancelled,
    /// An event that the system's own runtime reports, in its words and its order.
    Native {
        name: SmolStr,
        /// What it carries.
        detail: Value,
    },
    /// A graph stops running.
    GraphEnded {
        /// Which run of a graph.
        scope: ScopeId,
        outcome: Arc<Outcome>,
    },
}

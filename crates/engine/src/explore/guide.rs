//! What a system knows for the exploration of its graphs. Invariant: a guide has no memory: what it says about a question
//! depends on the question alone, whichever thread asks.

use std::collections::BTreeSet;
use std::hash::Hasher;
use std::sync::Arc;

use nodewise_expr::value::{Map, Value};
use smol_str::SmolStr;

use super::locality::Locality;
use crate::ask::{Answer, Ask, Decision};
use crate::outcome::Outcome;

/// What a system knows about the exploration of its graphs.
pub trait Guide: Sync {
    /// The answers to try for a question, at most `most` of them; the first one is the plainest.
    fn choices(&self, ask: &Ask, most: usize) -> Choices;

    /// The decisions to try where a run waits for a person at a node.
    fn decisions(&self, node: Option<&str>, question: &Value) -> Vec<Decision>;

    /// Feeds the hasher with everything of a graph's state that still matters when these nodes are visited, or come next.
    fn digest(&self, graph: &str, nodes: &[&SmolStr], moment: &ExplorationState<'_>, hasher: &mut dyn Hasher);

    /// The graphs that can be visited, the main one first.
    fn outlines(&self) -> &[Outline];

    /// Whether each node runs at most once, and waits for those before it.
    fn runs_once(&self) -> bool {
        false
    }

    /// Whether nodes call other nodes and are returned to after their own visit has ended. If so, earlier answers of
    /// a visit do not distinguish its states.
    fn returns(&self) -> bool {
        false
    }

    /// Whether the graph says how writes of a key at the same time are combined.
    fn combines(&self, _graph: &str, _key: &str) -> bool {
        false
    }

    /// What each node depends on by itself. `None` if that is not known: it must hold that visits follow each other
    /// one by one in a single graph, and that only the node, its answers and these parts of the state decide what a
    /// visit writes and where it leads.
    fn locality(&self) -> Option<&Locality> {
        None
    }

    /// A hash for the result of each part of a key if the key has this value, in the order of [`Locality::parts`].
    fn part_classes(&self, _key: usize, _value: &Value) -> Vec<u64> {
        Vec::new()
    }

    /// What kind of end an outcome is.
    fn judge(&self, outcome: &Outcome) -> Ending;

    /// The limit that ends loops, in words.
    fn limit(&self) -> Option<String>;

    /// What conditions read and the exploration does not vary, in sentences.
    fn gaps(&self) -> Vec<String>;

    /// What depends on counters, which the exploration does not keep, in sentences.
    fn notes(&self) -> Vec<String>;
}

/// The state of a graph at one moment, and how far the run of the graph is.
#[derive(Debug, Clone, Copy)]
pub struct ExplorationState<'m> {
    pub state: &'m Arc<Map>,
    /// How many visits have ended.
    pub visits: u32,
    /// The nodes that will not run again, in systems where each node runs at most once.
    pub over: &'m BTreeSet<&'m SmolStr>,
}

/// The answers to try for a question.
#[derive(Debug, Clone, Default)]
pub struct Choices {
    pub list: Vec<AnswerChoice>,
    /// Whether answers were left out because there are too many.
    pub is_cut: bool,
}

/// One answer to try.
#[derive(Debug, Clone)]
pub struct AnswerChoice {
    pub answer: Answer,
    /// Whether this answer means that the model, tool or person fails.
    pub is_fault: bool,
}

/// What kind of end a run has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// A regular end.
    Proper,
    /// The run stops because nothing leads on.
    DeadEnd,
    /// A limit of the system ends the run.
    Limit,
}

/// What the exploration needs to know about a graph.
#[derive(Debug, Clone, Default)]
pub struct Outline {
    /// What the log calls it.
    pub id: SmolStr,
    pub nodes: Vec<NodeOutline>,
    pub edges: Vec<EdgeOutline>,
    /// The keys that the state has before anything is written.
    pub given: BTreeSet<SmolStr>,
}

#[derive(Debug, Clone, Default)]
pub struct NodeOutline {
    /// What the log calls it.
    pub id: SmolStr,
    /// The keys that it reads by name.
    pub reads: Vec<SmolStr>,
    /// The keys that the conditions of its edges read.
    pub tests: Vec<SmolStr>,
    /// The keys that it may write.
    pub writes: Vec<SmolStr>,
}

#[derive(Debug, Clone, Default)]
pub struct EdgeOutline {
    /// The node where the edge begins.
    pub from: SmolStr,
    /// The node where the edge leads.
    pub to: SmolStr,
    /// Its number, as the log gives it.
    pub number: u32,
}

impl AnswerChoice {
    /// An answer that is no failure.
    #[must_use]
    pub fn of(answer: Answer) -> AnswerChoice {
        AnswerChoice { is_fault: answer.result.is_err(), answer }
    }
}

impl Choices {
    #[must_use]
    pub fn of(list: Vec<AnswerChoice>) -> Choices {
        Choices { list, is_cut: false }
    }
}

//! How a prompt begins, in parts, for systems whose runtime writes it in sections.
//!
//! Input: what an executor knows when it asks a model; output: data for the code that writes the sections. Invariant:
//! the messages of the prompt have the same content, except for what only the sections say. Scripts and records only
//! know the messages, so another layout of the sections changes neither.

use std::sync::Arc;

use nodewise_expr::value::{Map, Value};
use smol_str::SmolStr;

/// The beginning of a prompt.
#[derive(Debug, Clone, PartialEq)]
pub struct PromptOpening {
    /// How many messages of the prompt it replaces.
    pub messages: usize,
    /// The instructions of the agent's author.
    pub author: SmolStr,
    /// What it asks for.
    pub parts: OpeningParts,
}

/// The parts of the beginning, by what the model is asked for.
#[derive(Debug, Clone, PartialEq)]
pub enum OpeningParts {
    /// To work on the goal.
    Work(WorkParts),
    /// To choose the next node.
    Route(RouteParts),
    /// To score something.
    Judge(JudgeParts),
    /// To find facts.
    Extract(ExtractParts),
    /// Only what the author wants, with the whole state: the runtime adds no words of its own.
    State(Value),
}

/// What every worker and supervisor learns about the run.
#[derive(Debug, Clone, PartialEq)]
pub struct Surroundings {
    /// The goal of the run.
    pub goal: SmolStr,
    /// The constraints of the run.
    pub constraints: Arc<[SmolStr]>,
    /// What came from long-term memory: facts, or a mapping with `facts`, `themes` and `entities`.
    pub recalled: Value,
    /// The part of the state that the node may read.
    pub memory: Arc<Map>,
    /// The keys of `memory` whose values come from outside.
    pub tainted: Vec<SmolStr>,
}

/// The parts for an agent that works.
#[derive(Debug, Clone, PartialEq)]
pub struct WorkParts {
    /// What the agent learns about the run.
    pub surroundings: Surroundings,
    /// What this call is about, if it is one of several calls of a node.
    pub context: Option<Value>,
    /// The keys that it may save; `None` for an agent that has no tool to save.
    pub saves: Option<Arc<[SmolStr]>>,
    /// Which attempt it is, from 1.
    pub attempt: u32,
}

/// The parts for a supervisor.
#[derive(Debug, Clone, PartialEq)]
pub struct RouteParts {
    /// What the supervisor learns about the run.
    pub surroundings: Surroundings,
    /// The nodes that the supervisor may choose.
    pub workers: Vec<SmolStr>,
    /// The choice that ends the work.
    pub done: SmolStr,
    /// Earlier choices, the oldest first.
    pub decisions: Vec<EarlierChoice>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct EarlierChoice {
    /// The iteration of the run.
    pub iteration: u64,
    /// The node that was chosen.
    pub to: SmolStr,
    pub reasoning: SmolStr,
}

#[derive(Debug, Clone, PartialEq)]
pub struct JudgeParts {
    /// The goal of the run.
    pub goal: SmolStr,
    /// What is scored.
    pub subject: Value,
    /// What the judge pays attention to.
    pub criteria: Option<SmolStr>,
}

/// The parts for an agent that finds facts.
#[derive(Debug, Clone, PartialEq)]
pub struct ExtractParts {
    /// The text in which the agent finds facts.
    pub source: SmolStr,
    /// Instructions of the author, in place of the usual ones.
    pub instruction: Option<SmolStr>,
    /// How many facts are kept at most.
    pub most: f64,
}

//! How a prompt begins, in parts, for systems whose runtime writes it in sections.
//!
//! Input: what an executor knows when it asks a model; output: data for the code that writes the sections. Invariant: the messages of the
//! prompt say the same, apart from what only the sections tell. Scripts and records know the messages alone, so another layout
//! changes neither.

use std::sync::Arc;

use nodewise_expr::value::{Map, Value};
use smol_str::SmolStr;

/// The beginning of a prompt.
#[derive(Debug, Clone, PartialEq)]
pub struct PromptOpening {
    /// How many messages of the prompt it stands for.
    pub messages: usize,
    /// What the author of the agent tells it.
    pub author: SmolStr,
    /// What it asks for.
    pub parts: OpeningParts,
}

/// The parts of an opening, by what the model is asked for.
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
    /// Whatever the author wants, with the whole state: its runtime has no words of its own.
    State(Value),
}

/// What every worker and supervisor gets to know about the run.
#[derive(Debug, Clone, PartialEq)]
pub struct Surroundings {
    /// What the run is for.
    pub goal: SmolStr,
    /// What it has to keep to.
    pub constraints: Arc<[SmolStr]>,
    /// What long-term memory gave: facts, or a mapping with `facts`, `themes` and `entities`.
    pub recalled: Value,
    /// The part of the state that the node may read.
    pub memory: Arc<Map>,
    /// The keys of `memory` whose values come from outside.
    pub tainted: Vec<SmolStr>,
}

/// The parts for an agent that works.
#[derive(Debug, Clone, PartialEq)]
pub struct WorkParts {
    /// What it gets to know about the run.
    pub surroundings: Surroundings,
    /// What this call is about.
    pub context: Option<Value>,
    /// The keys that it may save; `None` for an agent that has no tool to save.
    pub saves: Option<Arc<[SmolStr]>>,
    /// Which attempt it is, from 1.
    pub attempt: u32,
}

/// The parts for a supervisor.
#[derive(Debug, Clone, PartialEq)]
pub struct RouteParts {
    /// What it gets to know about the run.
    pub surroundings: Surroundings,
    /// The nodes that it may choose.
    pub workers: Vec<SmolStr>,
    /// The choice that ends the work.
    pub done: SmolStr,
    /// What was chosen before, the oldest first.
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
    /// What the run is for.
    pub goal: SmolStr,
    /// What is scored.
    pub subject: Value,
    /// What the judge looks at.
    pub criteria: Option<SmolStr>,
}

/// The parts for an agent that finds facts.
#[derive(Debug, Clone, PartialEq)]
pub struct ExtractParts {
    /// Where it finds them.
    pub source: SmolStr,
    /// What the author asks for, in place of the usual words.
    pub instruction: Option<SmolStr>,
    /// The most facts that are kept.
    pub most: f64,
}

//! Work of many at once: a worker for each item, voters, candidates of a generation.
//! Settings are defaults where the author says nothing; nothing here can be invalid.

use nodewise_expr::value::Value;
use smol_str::SmolStr;

use crate::condition::Condition;
use crate::origin::{Located, Origin, Setting};
use crate::reference::Reference;

/// A worker handles each item.
#[derive(Debug, Clone, Default)]
pub struct MapWork {
    /// The settings' key, if they are there.
    pub settings_at: Option<Origin>,
    /// The node that handles one item.
    pub worker: Option<Located<SmolStr>>,
    /// The path to the items in the state.
    pub items_path: Option<Condition>,
    /// The items themselves. If they are given, the path is ignored.
    pub items: Option<Located<Vec<Value>>>,
    /// Whether `items` is written but is not a list.
    pub has_other_items: bool,
    /// The node that merges the results, as a hint for readers: the engine does not run it.
    pub synthesizer: Option<Located<SmolStr>>,
    /// What happens if an item fails, as the word in the file.
    pub on_error: Setting<SmolStr>,
    /// How many items are handled at once.
    pub max_concurrency: Setting<f64>,
    /// The maximum number of items.
    pub max_items: Setting<f64>,
    /// The maximum time for one item, in milliseconds.
    pub timeout_ms: Option<Located<f64>>,
}

/// Agents vote.
#[derive(Debug, Clone, Default)]
pub struct VotingWork {
    /// The settings' key, if they are there.
    pub settings_at: Option<Origin>,
    /// The agents.
    pub voters: Vec<Reference>,
    /// How votes become a consensus, as the word in the file.
    pub strategy: Setting<SmolStr>,
    /// The state key under which each voter answers.
    pub vote_key: Setting<SmolStr>,
    /// How many votes are needed.
    pub quorum: Option<Located<f64>>,
    /// The agent that judges the votes.
    pub judge: Option<Reference>,
    /// The weight of each agent's vote.
    pub weights: Vec<(Located<SmolStr>, f64)>,
    /// The maximum time for one voter, in milliseconds.
    pub timeout_ms: Option<Located<f64>>,
}

/// Candidates are bred over generations.
#[derive(Debug, Clone, Default)]
pub struct EvolutionWork {
    /// The settings' key, if they are there.
    pub settings_at: Option<Origin>,
    /// How many candidates a generation has.
    pub population_size: Setting<f64>,
    /// The agent that makes candidates.
    pub candidate: Option<Reference>,
    /// The agent that scores candidates.
    pub evaluator: Option<Reference>,
    /// How the parent of the next generation is chosen, as the word in the file.
    pub selection: Setting<SmolStr>,
    /// How many of the best candidates stay in the next generation.
    pub elite_count: Setting<f64>,
    /// The maximum number of generations.
    pub max_generations: Setting<f64>,
    /// The search ends when a candidate reaches this fitness.
    pub fitness_threshold: Setting<f64>,
    /// The search ends after this many generations without progress.
    pub stagnation_generations: Setting<f64>,
    /// The temperature of the first generation.
    pub initial_temperature: Setting<f64>,
    /// The temperature of the last generation.
    pub final_temperature: Setting<f64>,
    /// How many candidates compete in a tournament.
    pub tournament_size: Setting<f64>,
    /// How many candidates are made at once.
    pub max_concurrency: Setting<f64>,
    /// What happens if a candidate fails, as the word in the file.
    pub on_error: Setting<SmolStr>,
    /// What the evaluator must pay attention to.
    pub criteria: Option<SmolStr>,
    /// The maximum time for one candidate, in milliseconds.
    pub timeout_ms: Option<Located<f64>>,
}

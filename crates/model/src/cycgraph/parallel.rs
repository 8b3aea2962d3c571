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
    /// The items themselves, which win over the path.
    pub items: Option<Located<Vec<Value>>>,
    /// Whether something else than a list stands where the items belong.
    pub has_other_items: bool,
    /// The node that merges the results, for people.
    pub synthesizer: Option<Located<SmolStr>>,
    /// What a failing item does: the word.
    pub on_error: Setting<SmolStr>,
    /// How many items are handled at once.
    pub max_concurrency: Setting<f64>,
    /// The most items.
    pub max_items: Setting<f64>,
    /// How long one item may take, in milliseconds.
    pub timeout_ms: Option<Located<f64>>,
}

/// Agents vote.
#[derive(Debug, Clone, Default)]
pub struct VotingWork {
    /// The settings' key, if they are there.
    pub settings_at: Option<Origin>,
    /// The agents.
    pub voters: Vec<Reference>,
    /// How votes become a consensus: the word.
    pub strategy: Setting<SmolStr>,
    /// The key under which each voter answers.
    pub vote_key: Setting<SmolStr>,
    /// The votes that are needed.
    pub quorum: Option<Located<f64>>,
    /// The agent that judges.
    pub judge: Option<Reference>,
    /// How much an agent's vote counts.
    pub weights: Vec<(Located<SmolStr>, f64)>,
    /// How long one voter may take, in milliseconds.
    pub timeout_ms: Option<Located<f64>>,
}

/// Candidates are bred over generations.
#[derive(Debug, Clone, Default)]
pub struct EvolutionWork {
    /// The settings' key, if they are there.
    pub settings_at: Option<Origin>,
    /// The candidates of a generation.
    pub population_size: Setting<f64>,
    /// The agent that makes candidates.
    pub candidate: Option<Reference>,
    /// The agent that scores them.
    pub evaluator: Option<Reference>,
    /// How the parent of the next generation is chosen: the word.
    pub selection: Setting<SmolStr>,
    /// The best candidates that live on.
    pub elite_count: Setting<f64>,
    /// The most generations.
    pub max_generations: Setting<f64>,
    /// The fitness that ends the search.
    pub fitness_threshold: Setting<f64>,
    /// The generations without progress that end the search.
    pub stagnation_generations: Setting<f64>,
    /// The temperature of the first generation.
    pub initial_temperature: Setting<f64>,
    /// The temperature of the last generation.
    pub final_temperature: Setting<f64>,
    /// The candidates that compete in a tournament.
    pub tournament_size: Setting<f64>,
    /// How many candidates are made at once.
    pub max_concurrency: Setting<f64>,
    /// What a failing candidate does: the word.
    pub on_error: Setting<SmolStr>,
    /// What the evaluator must look at.
    pub criteria: Option<SmolStr>,
    /// How long one candidate may take, in milliseconds.
    pub timeout_ms: Option<Located<f64>>,
}

//! The blocks that repeat, hand over or breed the work of agents: annealing, swarm, evolution
//! (cycgraph:2.8 to cycgraph:2.10).

use super::NODE_IDS;
use super::scopes::{AGENT, ERROR_STRATEGIES};
use crate::table::{ReviewTopic, Shape, Type, Word, field, integer, number, up_to, word};
use nodewise_expr::jsonpath;

pub(crate) static ANNEALING: Shape = Shape {
    name: "AnnealingConfig",
    doc: "Repeats an agent at falling temperature and keeps the best answer. A retry repeats the whole loop.",
    fields: &[
        field("evaluator_agent_id", Type::Reference(&AGENT), "The agent that scores; without it `score_path`."),
        field(
            "score_path",
            Type::Expression(jsonpath::UPDATES),
            "A JSONPath to the score in what the agent has just written, from `$.updates.<key>` on. The default \
             never finds anything, so each answer scores 0.",
        )
        .default("$.score"),
        field("threshold", number(0.0, 1.0), "The score that ends the loop.").default("0.8"),
        field("max_iterations", integer(1, 1000), "The most repetitions.").topic(ReviewTopic::Budget).default("5"),
        field("initial_temperature", number(0.0, 2.0), "The temperature of the first repetition.").topic(ReviewTopic::Model).default("1.0"),
        field("final_temperature", number(0.0, 2.0), "The temperature of the last repetition.").topic(ReviewTopic::Model).default("0.2"),
        field(
            "diminishing_returns_delta",
            number(0.0, f64::INFINITY),
            "Ends the loop when the score improves by less than this; a worse score never ends it.",
        )
        .default("0.02"),
    ],
};

pub(crate) static SWARM: Shape = Shape {
    name: "SwarmConfig",
    doc: "Peers that hand the run to one another: an agent saves `peer_delegation`, which its node must be allowed \
          to write.",
    fields: &[
        field("peer_nodes", Type::Sized(&NODE_IDS, up_to(1000)), "The nodes it may hand over to.")
            .unordered()
            .required(),
        field(
            "max_handoffs",
            integer(1, 1000),
            "The hand-overs before edges decide again. The count is shared by all swarm nodes of a run.",
        )
        .topic(ReviewTopic::Budget)
        .default("10"),
        field("handoff_mode", Type::Word(HANDOFF_MODES), "Who chooses the peer.").default("agent_choice"),
    ],
};

const HANDOFF_MODES: &[Word] = &[word("agent_choice", "the agent itself")];

pub(crate) static EVOLUTION: Shape = Shape {
    name: "EvolutionConfig",
    doc: "Breeds candidates over generations. Writes `<id>_winner`, `<id>_winner_fitness`, `<id>_winner_reasoning`, \
          `<id>_generation`, `<id>_fitness_history`, `<id>_population` and `<id>_budget_stopped`.",
    fields: &[
        field("population_size", integer(2, 100), "The candidates of a generation.")
            .topic(ReviewTopic::Budget)
            .default("5"),
        field("candidate_agent_id", Type::Reference(&AGENT), "The agent that makes candidates.").required(),
        field(
            "evaluator_agent_id",
            Type::Reference(&AGENT),
            "The agent that scores candidates. Without it the host must provide a fitness function.",
        ),
        field(
            "selection_strategy",
            Type::Word(SELECTIONS),
            "How the parent of the next generation is chosen.",
        )
        .default("rank"),
        field("elite_count", integer(0, 100), "The best candidates that live on; less than the population.")
            .default("1"),
        field("max_generations", integer(1, 100), "The most generations.")
            .topic(ReviewTopic::Budget)
            .default("10"),
        field(
            "fitness_threshold",
            number(0.0, f64::INFINITY),
            "The fitness that ends the search; above 1 nothing does before the other limits.",
        )
        .default("0.9"),
        field("stagnation_generations", integer(1, 100), "Generations without progress that end the search.")
            .default("3"),
        field("initial_temperature", number(0.0, 2.0), "The temperature of the first generation.")
            .topic(ReviewTopic::Model)
            .default("1.0"),
        field("final_temperature", number(0.0, 2.0), "The temperature of the last generation.")
            .topic(ReviewTopic::Model)
            .default("0.3"),
        field("tournament_size", integer(2, 100), "The candidates that compete in a `tournament`.")
            .default("3"),
        field("max_concurrency", integer(1, 50), "How many candidates are made at once.")
            .topic(ReviewTopic::Budget)
            .default("5"),
        field("error_strategy", Type::Word(ERROR_STRATEGIES), "What a failing candidate does.")
            .topic(ReviewTopic::Policy)
            .default("best_effort"),
        field("evaluation_criteria", Type::Text, "What the evaluator must look at.")
            .topic(ReviewTopic::Prompt),
        field(
            "task_timeout_ms",
            number(1.0, f64::INFINITY),
            "How long one candidate may take, in milliseconds.",
        )
        .topic(ReviewTopic::Policy),
    ],
};

/// The selection that draws candidates at random and lets them compete.
pub const BY_TOURNAMENT: &str = "tournament";

const SELECTIONS: &[Word] = &[
    word("rank", "the fittest"),
    word(BY_TOURNAMENT, "the fittest of some that are drawn at random"),
    word("roulette", "at random, in proportion to fitness"),
];

//! Rules about the settings of a node by its type.

mod conflicting_annealing;
mod ignored_setting;
mod incomparable_consensus;
mod inconsistent_swarm_limits;
mod ineffective_circuit_breaker;
mod ineffective_compensation;
mod ineffective_weight;
mod invalid_map_worker;
mod missing_judge;
mod missing_score;
mod missing_settings;
mod nested_supervisor;
mod repeated_verdict;
mod rising_temperature;
mod self_managed_supervisor;
mod small_population;
mod soft_budget;
mod too_few_iterations;
mod unlinked_synthesizer;
mod unreachable_fitness;
mod unreachable_limit;
mod unreachable_quorum;

use crate::rules::Theme;

pub(super) static THEME: Theme = Theme {
    rules: &[
        &conflicting_annealing::RULE,
        &ignored_setting::RULE,
        &incomparable_consensus::RULE,
        &inconsistent_swarm_limits::RULE,
        &ineffective_circuit_breaker::RULE,
        &ineffective_compensation::RULE,
        &ineffective_weight::RULE,
        &invalid_map_worker::RULE,
        &missing_judge::RULE,
        &missing_score::RULE,
        &missing_settings::RULE,
        &nested_supervisor::RULE,
        &repeated_verdict::RULE,
        &rising_temperature::RULE,
        &self_managed_supervisor::RULE,
        &small_population::RULE,
        &soft_budget::RULE,
        &too_few_iterations::RULE,
        &unlinked_synthesizer::RULE,
        &unreachable_fitness::RULE,
        &unreachable_limit::RULE,
        &unreachable_quorum::RULE,
    ],
    parts: &[],
};

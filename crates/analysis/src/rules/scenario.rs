//! The rules for scripts and scenarios.

mod answer_schema;
mod contradictory_expectation;
mod mismatched_answer;
pub(in crate::rules) mod scripted;
mod unknown_run_target;
mod unknown_scripted_name;
mod unusable_answer;

use nodewise_dialect::tables::scenario::SCENARIO;

use crate::rules::{self, SystemRules, Theme};

pub(super) static RULES: SystemRules = SystemRules { dialect: &SCENARIO, pages: &[], themes: &[&THEME] };

static THEME: Theme = Theme {
    rules: &[
        &contradictory_expectation::RULE,
        &mismatched_answer::RULE,
        &unknown_run_target::RULE,
        &unknown_scripted_name::RULE,
        &unusable_answer::RULE,
    ],
    parts: &[(&rules::form::out_of_range::RULE, &rules::form::out_of_range::PART)],
};

//! Rules about plans of steps.

mod ambiguous_step;
mod dependency_cycle;
mod duplicate_step_id;
mod missing_step_tool;
mod unknown_dependency;

use crate::rules::{self, Theme};

pub(super) static THEME: Theme = Theme {
    rules: &[&ambiguous_step::RULE, &duplicate_step_id::RULE, &missing_step_tool::RULE],
    parts: &[
        (&rules::edges::dependency_cycle::RULE, &dependency_cycle::PART),
        (&rules::edges::unknown_dependency::RULE, &unknown_dependency::PART),
    ],
};

//! Rules about input, scratch and artifacts.

mod dropped_artifact;
mod duplicate_artifact;
mod ineffective_reducer;
mod mismatched_reducer;
mod parallel_writers;
mod prefixed_mapping;
mod undeclared_path;
mod unknown_artifact;
mod unwritten_path;

use crate::rules::{self, Theme};

pub(super) static THEME: Theme = Theme {
    rules: &[
        &dropped_artifact::RULE,
        &duplicate_artifact::RULE,
        &ineffective_reducer::RULE,
        &mismatched_reducer::RULE,
        &parallel_writers::RULE,
        &prefixed_mapping::RULE,
        &undeclared_path::RULE,
        &unknown_artifact::RULE,
    ],
    parts: &[(&rules::state::unwritten_path::RULE, &unwritten_path::PART)],
};

//! Rules about input, scratch and artifacts.

mod dropped_artifact;
mod duplicate_artifact;
mod ineffective_reducer;
mod mismatched_reducer;
mod parallel_writers;
mod prefixed_mapping;
mod undeclared_path;
mod undeclared_port;
mod unknown_artifact;
mod unwritten_mapped_key;
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
    parts: &[
        (&rules::state::undeclared_port::RULE, &undeclared_port::PART),
        (&rules::state::unwritten_mapped_key::RULE, &unwritten_mapped_key::PART),
        (&rules::state::unwritten_path::RULE, &unwritten_path::PART),
    ],
};

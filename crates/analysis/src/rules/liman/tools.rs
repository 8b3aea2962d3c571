//! Rules about the tools, arguments, types and credentials of declarations.

pub(in crate::rules) mod account;
mod conflicting_credentials;
mod conflicting_tools;
mod duplicate_argument;
mod invalid_function_path;
mod invalid_injection;
mod misplaced_properties;
mod missing_credentials;
pub(in crate::rules) mod type_word;
mod unknown_output_type;
pub(in crate::rules) mod unknown_type;
mod untyped_array;

use crate::rules::{self, Theme};

pub(super) static THEME: Theme = Theme {
    rules: &[
        &conflicting_credentials::RULE,
        &conflicting_tools::RULE,
        &duplicate_argument::RULE,
        &invalid_function_path::RULE,
        &invalid_injection::RULE,
        &misplaced_properties::RULE,
        &missing_credentials::RULE,
        &unknown_type::RULE,
        &untyped_array::RULE,
    ],
    parts: &[(&rules::liman::tools::unknown_type::RULE, &unknown_output_type::PART)],
};

//! Rules about kinds, and about declarations that are named.

mod ambiguous_target;
mod deprecated_reference;
mod duplicate_entry;
mod invalid_name;
mod invalid_overlay;
mod invalid_overlay_target;
mod invalid_reference;
mod missing_kind;
pub(in crate::rules) mod qualified_reference;
mod unknown_credentials_provider;
mod unknown_kind;
mod unknown_llm_node;
mod unknown_node;
mod unknown_overlay_target;
mod unknown_service_account;
mod unknown_tool;
pub(in crate::rules) mod unresolved;
pub(in crate::rules) mod unused;
mod unused_declaration;
mod wrong_kind_target;

use crate::rules::{self, Theme};

pub(super) static THEME: Theme = Theme {
    rules: &[
        &ambiguous_target::RULE,
        &deprecated_reference::RULE,
        &invalid_overlay_target::RULE,
        &invalid_reference::RULE,
        &missing_kind::RULE,
        &unknown_credentials_provider::RULE,
        &unknown_kind::RULE,
        &unknown_overlay_target::RULE,
        &unknown_service_account::RULE,
        &unknown_tool::RULE,
        &unused_declaration::RULE,
        &wrong_kind_target::RULE,
    ],
    parts: &[
        (&rules::form::duplicate_entry::RULE, &duplicate_entry::PART),
        (&rules::form::invalid_value::RULE, &invalid_overlay::PART),
        (&rules::names::invalid_name::RULE, &invalid_name::PART),
        (&rules::names::unknown_node::RULE, &unknown_llm_node::PART),
        (&rules::names::unknown_node::RULE, &unknown_node::PART),
    ],
};

//! Rules about the memory of a run: which keys nodes may read, read and write.

mod dead_default_write_key;
mod dotted_write_key;
mod dropped_text;
mod hidden_key;
mod ineffective_write_keys;
pub(in crate::rules) mod keys;
mod lost_key;
mod mismatched_manifest;
mod mismatched_mapping;
mod misnamed_key;
mod missing_handoff_key;
mod missing_items;
mod premature_read;
mod redundant_read;
mod undeclared_port;
mod undeclared_requirement;
mod ungranted_default_key;
mod unmapped_input;
mod unproduced_output;
mod unread_input;
mod unread_key;
mod unread_mapped_key;
mod unread_worker_key;
mod unreadable_expression_key;
mod unreadable_key;
mod untagged_facts;
mod unused_requirement;
mod unwritten_key;
mod unwritten_mapped_key;
mod unwritten_path;
mod wildcard_access;

use crate::rules::{self, Theme};

pub(super) static THEME: Theme = Theme {
    rules: &[
        &dead_default_write_key::RULE,
        &dotted_write_key::RULE,
        &dropped_text::RULE,
        &hidden_key::RULE,
        &ineffective_write_keys::RULE,
        &lost_key::RULE,
        &mismatched_manifest::RULE,
        &mismatched_mapping::RULE,
        &missing_handoff_key::RULE,
        &missing_items::RULE,
        &premature_read::RULE,
        &redundant_read::RULE,
        &undeclared_requirement::RULE,
        &ungranted_default_key::RULE,
        &unmapped_input::RULE,
        &unproduced_output::RULE,
        &unread_input::RULE,
        &unread_key::RULE,
        &unread_mapped_key::RULE,
        &unread_worker_key::RULE,
        &unreadable_expression_key::RULE,
        &unreadable_key::RULE,
        &untagged_facts::RULE,
        &unused_requirement::RULE,
        &unwritten_key::RULE,
        &wildcard_access::RULE,
    ],
    parts: &[
        (&rules::state::undeclared_port::RULE, &undeclared_port::PART),
        (&rules::state::unwritten_mapped_key::RULE, &unwritten_mapped_key::PART),
        (&rules::state::unwritten_path::RULE, &unwritten_path::PART),
    ],
};

//! Rules about agents, tools and nodes that are named.

mod duplicate_entry;
mod invalid_name;
mod unknown_agent;
mod unknown_node;
mod unprovided_tool;
mod unregistered_tool;

use crate::rules::{self, Theme};

pub(super) static THEME: Theme = Theme {
    rules: &[&unknown_agent::RULE, &unprovided_tool::RULE, &unregistered_tool::RULE],
    parts: &[
        (&rules::form::duplicate_entry::RULE, &duplicate_entry::PART),
        (&rules::names::invalid_name::RULE, &invalid_name::PART),
        (&rules::names::unknown_node::RULE, &unknown_node::PART),
    ],
};

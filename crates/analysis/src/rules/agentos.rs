//! The rules for AgentOS.

pub(in crate::rules) mod edges;
pub(in crate::rules) mod expressions;
pub(in crate::rules) mod names;
pub(in crate::rules) mod nodes;
pub(in crate::rules) mod plans;
pub(in crate::rules) mod routing;
pub(in crate::rules) mod state;
pub(in crate::rules) mod wiring;

use nodewise_dialect::tables::agentos::AGENTOS;

use crate::rules::{self, SystemRules, Theme};

pub(super) static RULES: SystemRules = SystemRules {
    dialect: &AGENTOS,
    themes: &[
        &edges::THEME,
        &expressions::THEME,
        &names::THEME,
        &nodes::THEME,
        &plans::THEME,
        &state::THEME,
        &SHARED,
    ],
};

/// What the system has in common with others, in the same form.
static SHARED: Theme = Theme {
    rules: &[],
    parts: &[
        (&rules::edges::dead_end_node::RULE, &rules::edges::dead_end_node::IN_AGENTOS),
        (&rules::edges::unreachable_node::RULE, &rules::edges::unreachable_node::IN_AGENTOS),
        (&rules::form::out_of_range::RULE, &rules::form::out_of_range::PART),
        (&rules::form::unrecognised_document::RULE, &rules::form::unrecognised_document::PART),
        (&rules::form::unsupported_field::RULE, &rules::form::unsupported_field::PART),
        (&rules::names::duplicate_edge_id::RULE, &rules::names::duplicate_edge_id::IN_AGENTOS),
        (&rules::names::duplicate_node_id::RULE, &rules::names::duplicate_node_id::IN_AGENTOS),
        (&rules::names::unknown_graph::RULE, &rules::names::unknown_graph::PART),
        (&rules::state::undeclared_port::RULE, &rules::state::undeclared_port::PART),
        (&rules::state::unwritten_mapped_key::RULE, &rules::state::unwritten_mapped_key::PART),
    ],
};

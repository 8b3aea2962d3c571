//! Rules about paths through nodes.

mod dependency_cycle;
mod duplicate_edge_id;
mod endless_loop;
mod invalid_edge_id;
mod mixed_routing;
mod self_dependency;
mod unknown_dependency;
mod unreachable_node;

use crate::rules::{self, Theme};

pub(super) static THEME: Theme = Theme {
    rules: &[&endless_loop::RULE, &invalid_edge_id::RULE, &mixed_routing::RULE],
    parts: &[
        (&rules::edges::dependency_cycle::RULE, &dependency_cycle::PART),
        (&rules::edges::dependency_cycle::RULE, &self_dependency::PART),
        (&rules::edges::unknown_dependency::RULE, &unknown_dependency::PART),
        (&rules::edges::unreachable_node::RULE, &unreachable_node::PART),
        (&rules::names::duplicate_edge_id::RULE, &duplicate_edge_id::PART),
    ],
};

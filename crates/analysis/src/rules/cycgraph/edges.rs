//! Rules about paths through a graph: edges, hand-overs, endings.

mod dead_end_node;
mod delegating_end_node;
mod endless_graph;
mod ignored_condition;
mod missing_condition;
mod missing_hand_over_edge;
mod missing_rejection_node;
mod missing_return_edge;
mod recursive_graph;
mod self_edge;
mod shadowed_edge;
mod unfollowed_rejection_edge;
mod unreachable_node;

use crate::rules::{self, Theme};

pub(super) static THEME: Theme = Theme {
    rules: &[
        &delegating_end_node::RULE,
        &endless_graph::RULE,
        &ignored_condition::RULE,
        &missing_hand_over_edge::RULE,
        &missing_rejection_node::RULE,
        &missing_return_edge::RULE,
        &self_edge::RULE,
        &shadowed_edge::RULE,
        &unfollowed_rejection_edge::RULE,
    ],
    parts: &[
        (&rules::edges::dead_end_node::RULE, &dead_end_node::PART),
        (&rules::edges::unreachable_node::RULE, &unreachable_node::PART),
        (&rules::edges::missing_condition::RULE, &missing_condition::PART),
        (&rules::edges::recursive_graph::RULE, &recursive_graph::PART),
    ],
};

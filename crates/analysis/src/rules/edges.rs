//! Rules about paths through a graph that several systems share.

pub(in crate::rules) mod dead_end_node;
pub(in crate::rules) mod dependency_cycle;
pub(in crate::rules) mod missing_condition;
pub(in crate::rules) mod recursive_graph;
pub(in crate::rules) mod unknown_dependency;
pub(in crate::rules) mod unreachable_node;

use crate::rules::Theme;

pub(super) static THEME: Theme = Theme {
    rules: &[
        &dead_end_node::RULE,
        &dependency_cycle::RULE,
        &missing_condition::RULE,
        &recursive_graph::RULE,
        &unknown_dependency::RULE,
        &unreachable_node::RULE,
    ],
    parts: &[],
};

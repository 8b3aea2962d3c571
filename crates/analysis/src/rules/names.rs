//! Rules about names that several systems declare and use.

pub(in crate::rules) mod duplicate_declaration;
pub(in crate::rules) mod duplicate_edge_id;
pub(in crate::rules) mod duplicate_node_id;
pub(in crate::rules) mod host_provided;
pub(in crate::rules) mod invalid_name;
pub(in crate::rules) mod misnamed_declaration;
pub(in crate::rules) mod misnamed_node;
pub(in crate::rules) mod unknown_graph;
pub(in crate::rules) mod unknown_node;

use crate::rules::Theme;

pub(super) static THEME: Theme = Theme {
    rules: &[
        &duplicate_declaration::RULE,
        &duplicate_edge_id::RULE,
        &duplicate_node_id::RULE,
        &invalid_name::RULE,
        &unknown_graph::RULE,
        &unknown_node::RULE,
    ],
    parts: &[],
};

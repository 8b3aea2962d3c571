//! Rules about paths through a graph: edges, batches, branches.

mod blocked_node;
mod conditional_start;
mod cyclic_graph;
mod dead_end_node;
mod duplicate_edge;
mod leaking_branch;
mod missing_entry_edge;
mod missing_exit_edge;
mod placeholder_target;
mod recursive_graph;
mod replayed_choice;
mod reserved_node_id;
mod skipped_join;
mod undecided_edge;
mod unlinked_target;
mod unpaired_personality_edge;
mod unreachable_node;

use crate::rules::{self, Theme};

pub(super) static THEME: Theme = Theme {
    rules: &[
        &blocked_node::RULE,
        &conditional_start::RULE,
        &cyclic_graph::RULE,
        &duplicate_edge::RULE,
        &leaking_branch::RULE,
        &missing_entry_edge::RULE,
        &missing_exit_edge::RULE,
        &placeholder_target::RULE,
        &replayed_choice::RULE,
        &reserved_node_id::RULE,
        &skipped_join::RULE,
        &undecided_edge::RULE,
        &unlinked_target::RULE,
        &unpaired_personality_edge::RULE,
    ],
    parts: &[
        (&rules::edges::dead_end_node::RULE, &dead_end_node::PART),
        (&rules::edges::unreachable_node::RULE, &unreachable_node::PART),
        (&rules::edges::recursive_graph::RULE, &recursive_graph::PART),
    ],
};

//! Rules about nodes that are named.

mod unknown_node;

use crate::rules::{self, Theme};

pub(super) static THEME: Theme =
    Theme { rules: &[], parts: &[(&rules::names::unknown_node::RULE, &unknown_node::PART)] };

//! Rules about the state of runs that several systems share.

pub(in crate::rules) mod interface;
pub(in crate::rules) mod subgraph_calls;
pub(in crate::rules) mod undeclared_port;
pub(in crate::rules) mod unwritten_mapped_key;
pub(in crate::rules) mod unwritten_path;

use crate::rules::Theme;

pub(super) static THEME: Theme = Theme {
    rules: &[&undeclared_port::RULE, &unwritten_mapped_key::RULE, &unwritten_path::RULE],
    parts: &[],
};

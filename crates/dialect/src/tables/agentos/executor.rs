//! The key that says what runs, which the settings of every executor begin with.

use super::node::NODE_TYPES;
use crate::table::{Field, Type, field};

pub(super) const TYPE: Field =
    field("type", Type::Word(NODE_TYPES), "What runs; it decides, whatever the node's own says.").required();

//! What can run at a node, and the key that says it, which the settings of every executor begin with.

use crate::table::{Field, Type, Word, field, word};

/// The words for what a node runs.
pub const NODE_TYPES: &[Word] = &[
    word("gmi", "calls a language model"),
    word("tool", "calls a tool"),
    word("extension", "calls a method of an extension, which may write scratch"),
    word("human", "asks a person"),
    word("guardrail", "lets guardrails look at scratch"),
    word("router", "names the node that comes next"),
    word("subgraph", "runs another graph"),
    word("voice", "holds a voice session"),
];

pub(super) const TYPE: Field =
    field("type", Type::Word(NODE_TYPES), "What runs; it decides, whatever the node's own says.").required();

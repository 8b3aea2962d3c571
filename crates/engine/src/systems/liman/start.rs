//! The node where each turn starts.
//!
//! Input: the host's name for it; output: the node, or why there is none, in the releases' words.

use super::host::LimanProfile;
use super::program::{FUNCTION_NODE, MODEL_NODE, NodeIndex, PLAIN_NODE, Program, TOOL_NODE, not_found};
use crate::outcome::Failure;

/// The node where each turn starts. Fails if it cannot be started.
pub(super) fn node(program: &Program) -> Result<NodeIndex, Failure> {
    let node = named_node(program)?;
    match &program.node(node).flaw {
        Some(flaw) => Err(flaw.clone()),
        None => Ok(node),
    }
}

fn named_node(program: &Program) -> Result<NodeIndex, Failure> {
    let start = &program.host.start;
    let profile = program.host.profile;
    let (kind, name) = match start.split_once('/') {
        Some(parts) => parts,
        None if profile == LimanProfile::Release => {
            let message = "not enough values to unpack (expected 2, got 1)";
            return Err(Failure::lasting("ValueError", message));
        }
        None => (MODEL_NODE, start.as_str()),
    };
    let known: &[&str] = match profile {
        LimanProfile::Classic => &[MODEL_NODE, TOOL_NODE, FUNCTION_NODE],
        LimanProfile::Spec | LimanProfile::Release => &[MODEL_NODE, TOOL_NODE, FUNCTION_NODE, PLAIN_NODE],
    };
    if !known.contains(&kind) {
        return Err(Failure::lasting("ValueError", format!("Unsupported node type: {kind}")));
    }
    program.find(kind, name).ok_or_else(|| {
        let message = not_found(kind, name);
        Failure::lasting("ComponentNotFoundError", message)
    })
}

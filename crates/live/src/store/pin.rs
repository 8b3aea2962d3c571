//! Which outputs of other runs a run is given. Input: pins or their record; output: the other. Invariant: what is stored is read again
//! as it was.

use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

/// A node that gets its output from another run.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct NodePin {
    /// The graph of the node. `None` fits a node of this name in any graph.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub graph: Option<String>,
    pub node: String,
    /// The id of the run that has the output.
    pub run: String,
}

/// The event that a run began with pins. Only the store writes it, never the kernel.
const PINNED: &str = "pinned";

impl NodePin {
    /// The event that keeps the pins of a run; `None` if the run has no pins.
    pub(super) fn event(pins: &[NodePin]) -> Option<Json> {
        (!pins.is_empty()).then(|| json!({"event": PINNED, "pins": pins}))
    }

    /// Reads an event; `None` if it is not about pins.
    pub(super) fn of_event(event: &Json) -> Option<Vec<NodePin>> {
        if event.get("event").and_then(Json::as_str) != Some(PINNED) {
            return None;
        }
        Vec::deserialize(event.get("pins")?).ok()
    }
}

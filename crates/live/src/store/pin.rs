//! Which outputs of other runs a run is given. Input: pins or their record; output: the other. Invariant: what is stored is read again
//! as it was.

use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

/// A node whose output is given again.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct NodePin {
    /// The graph, where the node belongs to one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub graph: Option<String>,
    pub node: String,
    /// The run that has the output: its id.
    pub run: String,
}

/// The event of a run that began with pins. It is the store's own: no run has it.
const PINNED: &str = "pinned";

impl NodePin {
    /// The event that keeps the pins of a run; `None` if it has none.
    pub(super) fn event(pins: &[NodePin]) -> Option<Json> {
        (!pins.is_empty()).then(|| json!({"event": PINNED, "pins": pins}))
    }

    /// Reads an event; `None` if it is another one.
    pub(super) fn of_event(event: &Json) -> Option<Vec<NodePin>> {
        if event.get("event").and_then(Json::as_str) != Some(PINNED) {
            return None;
        }
        Vec::deserialize(event.get("pins")?).ok()
    }
}

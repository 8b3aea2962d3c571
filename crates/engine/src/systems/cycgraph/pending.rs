//! What a run knows about unfinished work: what a person is asked, and how finished work is undone.
//!
//! In: what nodes yield; out: parts of the state, and as values what reports and stores see of them.

use nodewise_expr::value::{Map, Value};
use smol_str::SmolStr;

/// What a person is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct PendingApproval {
    /// The node that waits.
    pub node: SmolStr,
    /// What waits for the person.
    pub kind: PendingKind,
    /// The message for the person.
    pub prompt: Option<SmolStr>,
    /// What the person is shown of the state.
    pub review: Value,
}

/// What waits for a person.
#[derive(Debug, Clone, PartialEq)]
pub enum PendingKind {
    /// An approval node; with the node to which a rejection leads.
    Approval(Option<SmolStr>),
    /// The security policy.
    Policy,
    /// An inner graph.
    Subgraph,
    /// A remote agent; with its server and its task.
    Remote(SmolStr, SmolStr),
}

/// An action that undoes a node's work.
#[derive(Debug, Clone, PartialEq)]
pub struct Compensation {
    /// The node whose work it undoes.
    pub of: SmolStr,
    /// The action that undoes it.
    pub action: Value,
}

impl Compensation {
    pub(crate) fn to_value(&self) -> Value {
        [
            (SmolStr::new_static("action_id"), Value::Text(self.of.clone())),
            (SmolStr::new_static("compensation_action"), self.action.clone()),
        ]
        .into_iter()
        .collect::<Map>()
        .into()
    }
}

impl PendingApproval {
    #[must_use]
    pub fn to_value(&self) -> Value {
        let mut map = Map::new();
        let node = Value::Text(self.node.clone());
        match &self.kind {
            PendingKind::Approval(rejection) => {
                map.insert("node_id", node);
                if let Some(rejection) = rejection {
                    map.insert("rejection_node_id", Value::Text(rejection.clone()));
                }
            }
            PendingKind::Policy => {
                map.insert("node_id", node);
                map.insert("policy_gate", Value::Bool(true));
            }
            PendingKind::Subgraph => map.insert("subgraph_node_id", node),
            PendingKind::Remote(server, task) => {
                map.insert("node_id", node.clone());
                map.insert("a2a_node_id", node);
                map.insert("a2a_server_id", Value::Text(server.clone()));
                map.insert("a2a_task_id", Value::Text(task.clone()));
            }
        }
        if let Some(prompt) = &self.prompt {
            map.insert("prompt_message", Value::Text(prompt.clone()));
        }
        if self.review != Value::Undefined {
            map.insert("review_data", self.review.clone());
        }
        map.into()
    }
}

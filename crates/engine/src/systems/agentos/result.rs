//! The result of an attempt to run a node.
//!
//! Input: what an executor decides, or what a host sets in its place; output: a result. Invariant: what is not there is
//! [`Value::Undefined`] or `None`, as the runtime tells it from nothing.

use nodewise_expr::javascript;
use nodewise_expr::value::{Map, Value};
use smol_str::SmolStr;

/// The result of an attempt to run a node.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct NodeResult {
    pub(super) success: bool,
    /// Whether the run waits for a person.
    pub(super) interrupt: bool,
    pub(super) output: Value,
    pub(super) error: Option<SmolStr>,
    /// The node that comes next, in place of what the edges say.
    pub(super) route: Option<SmolStr>,
    /// What is written to the scratch, by key.
    pub(super) scratch: Option<Value>,
    /// What is written to the artifacts, by key, in place of the output.
    pub(super) artifacts: Option<Value>,
    /// The run's new view of its memory.
    pub(super) memory: Option<Value>,
    /// Events to emit in the runtime's stream.
    pub(super) events: Vec<Value>,
    /// What the runtime reports in addition to the output.
    pub(super) telemetry: Option<Value>,
}

impl NodeResult {
    pub(super) fn done(output: Value) -> NodeResult {
        NodeResult {
            success: true,
            interrupt: false,
            output,
            error: None,
            route: None,
            scratch: None,
            artifacts: None,
            memory: None,
            events: Vec::new(),
            telemetry: None,
        }
    }

    pub(super) fn failed(error: impl Into<SmolStr>) -> NodeResult {
        NodeResult { success: false, error: Some(error.into()), ..NodeResult::done(Value::Undefined) }
    }

    /// A result that chooses the next node.
    pub(super) fn routed(target: SmolStr) -> NodeResult {
        NodeResult { route: Some(target), ..NodeResult::done(Value::Undefined) }
    }

    /// The result that a host gives as a mapping.
    pub(super) fn of(written: &Map) -> NodeResult {
        let mut result = NodeResult { success: false, ..NodeResult::done(Value::Undefined) };
        result.patch(written);
        result
    }

    /// Overwrites the members that a host gives.
    pub(super) fn patch(&mut self, written: &Map) {
        for (key, value) in written.iter() {
            let given = Some(value).filter(|value| javascript::is_truthy(value));
            match key.as_str() {
                "success" => self.success = given.is_some(),
                "interrupt" => self.interrupt = given.is_some(),
                "output" => self.output = value.clone(),
                "error" => self.error = text(value),
                "routeTarget" => self.route = given.and_then(text),
                "scratchUpdate" => self.scratch = given.cloned(),
                "artifactsUpdate" => self.artifacts = given.cloned(),
                "metadata" => self.telemetry = Some(value.clone()),
                "events" => {
                    self.events = match value {
                        Value::List(events) => events.to_vec(),
                        _ => Vec::new(),
                    }
                }
                _ => {}
            }
        }
    }

    /// The node that comes next, in place of what the edges say.
    pub(super) fn route(&self) -> Option<&SmolStr> {
        self.route.as_ref().filter(|target| !target.is_empty())
    }
}

fn text(value: &Value) -> Option<SmolStr> {
    match value {
        Value::Undefined | Value::Null => None,
        Value::Text(text) => Some(text.clone()),
        value => Some(javascript::to_text(value).into()),
    }
}

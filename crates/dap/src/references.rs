//! Frames, variables and places by the numbers that the client uses for them.
//!
//! Invariant: no number is used twice, so the number of an earlier stop is recognised as old.

use std::collections::BTreeMap;

use nodewise_debugger::frames::StackFrame;
use nodewise_debugger::state_path::StatePath;
use nodewise_debugger::variables::ScopeKind;
use nodewise_expr::value::Value;

use crate::refusal::{Refusal, RefusalKind};

/// Something whose members the client can request.
#[derive(Debug, Clone)]
pub(crate) enum Container {
    /// A scope of the frame with this number.
    Scope(i64, ScopeKind),
    Value(ValueOrigin),
}

/// A value, and where it comes from.
#[derive(Debug, Clone)]
pub(crate) struct ValueOrigin {
    pub(crate) value: Value,
    pub(crate) expression: Option<String>,
    /// The part of the state that has this value. `None` if the value is not in the state.
    pub(crate) path: Option<StatePath>,
}

/// The frames, scopes and values that the client can refer to by number.
#[derive(Debug, Default)]
pub(crate) struct References {
    last: i64,
    frames: BTreeMap<i64, StackFrame>,
    containers: BTreeMap<i64, Container>,
}

impl References {
    /// Forgets all frames and containers, because the run moves. Their numbers are not used again.
    pub(crate) fn clear(&mut self) {
        self.frames.clear();
        self.containers.clear();
    }

    /// The number of a frame. It stays the same until the run moves, however often the client reads the stack.
    pub(crate) fn frame(&mut self, frame: StackFrame) -> i64 {
        if let Some((known, _)) = self.frames.iter().find(|(_, one)| **one == frame) {
            return *known;
        }
        self.last += 1;
        self.frames.insert(self.last, frame);
        self.last
    }

    pub(crate) fn container(&mut self, container: Container) -> i64 {
        self.last += 1;
        self.containers.insert(self.last, container);
        self.last
    }

    pub(crate) fn get_frame(&self, id: i64) -> Result<&StackFrame, Refusal> {
        self.frames.get(&id).ok_or_else(|| stale("frame", id))
    }

    pub(crate) fn get_container(&self, id: i64) -> Result<&Container, Refusal> {
        self.containers.get(&id).ok_or_else(|| stale("variable", id))
    }
}

fn stale(what: &str, id: i64) -> Refusal {
    Refusal::new(RefusalKind::StaleReference, format!("the {what} {id} is not of this stop"))
}

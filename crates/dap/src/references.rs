//! Frames, variables and places by the numbers that the client refers to them with.
//!
//! Invariant: a number is never used for two things, so one of an earlier stop is known to be old.

use std::collections::BTreeMap;

use nodewise_debugger::frames::StackFrame;
use nodewise_debugger::state_path::StatePath;
use nodewise_debugger::variables::ScopeKind;
use nodewise_expr::value::Value;

use crate::refusal::{Refusal, RefusalKind};

/// What has members.
#[derive(Debug, Clone)]
pub(crate) enum Container {
    /// A scope of a frame.
    Scope(i64, ScopeKind),
    Value(ValueOrigin),
}

/// A value, and where it comes from.
#[derive(Debug, Clone)]
pub(crate) struct ValueOrigin {
    pub(crate) value: Value,
    pub(crate) expression: Option<String>,
    /// The part of the state that it is.
    pub(crate) path: Option<StatePath>,
}

/// What the client can refer to.
#[derive(Debug, Default)]
pub(crate) struct References {
    last: i64,
    frames: BTreeMap<i64, StackFrame>,
    containers: BTreeMap<i64, Container>,
}

impl References {
    /// Forgets what was shown: the run continues.
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

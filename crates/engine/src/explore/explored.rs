//! What a search found: states and the transitions between them.
//!
//! Input: none; output: types. Invariant: a transition comes after the one that first led to its state.

use std::collections::BTreeSet;

use smol_str::SmolStr;

use super::view::{At, Observation};
use super::witness::Given;
use crate::event::Event;
use crate::outcome::Outcome;
use crate::usage::Usage;

/// The states and transitions that a search found.
#[derive(Debug, Default)]
pub(super) struct Explored {
    /// For each state, the transition that first led there; `None` for the first state.
    pub(super) states: Vec<Option<usize>>,
    pub(super) transitions: Vec<Transition>,
    /// Whether the search left nothing out.
    pub(super) is_complete: bool,
    pub(super) gaps: BTreeSet<String>,
}

/// What leads from one state to another.
#[derive(Debug)]
pub(super) struct Transition {
    pub(super) from: usize,
    pub(super) to: Target,
    /// The answers that lead from one state to the other.
    pub(super) given: Box<[Given]>,
    /// What the events mean for findings.
    pub(super) observations: Box<[Observation]>,
    pub(super) usage: Usage,
    /// Whether a model, tool or person failed on it.
    pub(super) is_fault: bool,
    /// The events of the transition; empty if the search does not keep them.
    pub(super) events: Vec<Event>,
}

/// Where a transition leads.
#[derive(Debug)]
pub(super) enum Target {
    State(usize),
    /// The run ended, or waits forever.
    End(Box<Ended>),
    /// The search did not look further.
    Unknown,
}

/// How a run ended.
#[derive(Debug)]
pub(super) struct Ended {
    pub(super) outcome: Outcome,
    pub(super) last: SmolStr,
    pub(super) awaited: Vec<At>,
}

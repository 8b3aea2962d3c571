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

/// What a search found.
#[derive(Debug, Default)]
pub(super) struct Explored {
    /// For each state, the transition that first led there.
    pub(super) states: Vec<Option<usize>>,
    pub(super) transitions: Vec<Transition>,
    /// Whether nothing was left out.
    pub(super) is_complete: bool,
    pub(super) gaps: BTreeSet<String>,
}

/// What leads from one state to another.
#[derive(Debug)]
pub(super) struct Transition {
    pub(super) from: usize,
    pub(super) to: Target,
    /// What was answered.
    pub(super) given: Box<[Given]>,
    /// What happened.
    pub(super) observations: Box<[Observation]>,
    pub(super) usage: Usage,
    /// Whether a model, tool or person failed.
    pub(super) is_fault: bool,
    /// The part of the log, if it is kept.
    pub(super) events: Vec<Event>,
}

/// Where a transition leads.
#[derive(Debug)]
pub(super) enum Target {
    State(usize),
    /// The run ended, or waits for good.
    End(Box<Ended>),
    /// Nobody looked further.
    Unknown,
}

/// How a run ended.
#[derive(Debug)]
pub(super) struct Ended {
    pub(super) outcome: Outcome,
    pub(super) last: SmolStr,
    pub(super) awaited: Vec<At>,
}

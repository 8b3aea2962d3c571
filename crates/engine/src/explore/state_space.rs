//! The states that an exploration finds, with what happens between them, for callers that search for paths.
//!
//! Input: a run that has not begun, a guide, bounds; output: states by number, the beginning is 0, and transitions with their
//! answers and events. Invariant: the transitions are in the order in which they were found, so that each one comes after
//! the first one that leads to its state.

use super::ExplorationBounds;
use super::explored::Target;
use super::guide::{Ending, Guide};
use super::search;
use super::thread_pool::ThreadPool;
use super::witness::Given;
use crate::event::Event;
use crate::running::Running;

/// The states that an exploration found.
#[derive(Debug, Default)]
pub struct StateSpace {
    /// How many states there are.
    pub states: usize,
    /// The transitions between states.
    pub transitions: Vec<StateTransition>,
    /// Whether the exploration saw everything that can happen.
    pub is_exhaustive: bool,
    /// Why it is not exhaustive, in sentences.
    pub gaps: Vec<String>,
}

/// What leads from one state to another.
#[derive(Debug)]
pub struct StateTransition {
    /// The state that it leaves.
    pub from: usize,
    /// Where it leads.
    pub to: NextState,
    /// The answers that lead from one state to the other.
    pub given: Box<[Given]>,
    /// The events in between.
    pub events: Vec<Event>,
    /// Whether a model, tool or person failed in between.
    pub is_fault: bool,
}

/// Where a transition leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NextState {
    State(usize),
    /// The run ends in this way.
    End(Ending),
    /// The exploration did not look further.
    Unknown,
}

/// Explores from the beginning of a run, and keeps everything that happens.
pub fn state_space(
    run: &dyn Running,
    guide: &dyn Guide,
    bounds: &ExplorationBounds,
    pool: &dyn ThreadPool,
) -> StateSpace {
    let explored = search::search(run, guide, bounds, true, (pool, &mut || true));
    let next = |to: Target| match to {
        Target::State(state) => NextState::State(state),
        Target::End(ended) => NextState::End(guide.judge(&ended.outcome)),
        Target::Unknown => NextState::Unknown,
    };
    let transitions = explored.transitions.into_iter().map(|transition| StateTransition {
        from: transition.from,
        to: next(transition.to),
        given: transition.given,
        events: transition.events,
        is_fault: transition.is_fault,
    });
    StateSpace {
        states: explored.states.len(),
        transitions: transitions.collect(),
        is_exhaustive: explored.is_complete && explored.gaps.is_empty(),
        gaps: explored.gaps.into_iter().collect(),
    }
}

//! How many rounds of Python's event loop the releases take until something continues. Of branches that run at the same time,
//! those continue first that take fewer rounds, and the order of their visits shows it.
//!
//! Input: what is waited for; output: rounds. Invariant: rounds were counted in the releases, with a model that answers at
//! once; where nothing runs beside, nobody can tell.

/// A model answers: the rounds of its library around the call.
const ANSWER: u32 = 9;
/// A model's call fails.
const FAILURE: u32 = 6;

/// Until a model's answer, or its error, is with the node.
pub(super) fn of_model(is_answer: bool) -> u32 {
    if is_answer { ANSWER } else { FAILURE }
}

/// Until the executor of a next node begins: one task, or a task for each that begins one.
pub(super) fn before_children(count: usize) -> u32 {
    if count > 1 { 2 } else { 1 }
}

/// Until the one who waits for executors hears of the end of the last: the queue of outputs, and where there are several
/// their tasks and what gathers them.
pub(super) fn after_children(count: usize) -> u32 {
    if count > 1 { 3 } else { 1 }
}

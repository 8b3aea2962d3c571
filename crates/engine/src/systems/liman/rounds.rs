//! How many rounds of Python's event loop it takes in the releases until something continues. Of branches that run at
//! the same time, those that take fewer rounds continue first, and the order of their visits shows that.
//!
//! Input: what is waited for; output: a number of rounds. Invariant: the rounds were counted in the releases, with a
//! model that answers at once; if nothing else runs at the same time, they cannot be observed.

/// A successful model call: the rounds of its library around the call.
const ANSWER: u32 = 9;
/// A failed model call.
const FAILURE: u32 = 6;

/// Rounds until the node gets a model's answer or its error.
pub(super) fn of_model(is_answer: bool) -> u32 {
    if is_answer { ANSWER } else { FAILURE }
}

/// Rounds until the executor of a next node begins. Several are begun by a task for each, one by a single task.
pub(super) fn before_children(count: usize) -> u32 {
    if count > 1 { 2 } else { 1 }
}

/// Rounds until a frame that waits for executors learns that the last one ended: for the queue of outputs, and if
/// there are several, for their tasks and the call that gathers them.
pub(super) fn after_children(count: usize) -> u32 {
    if count > 1 { 3 } else { 1 }
}

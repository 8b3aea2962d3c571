//! How many turns of the runtime's event loop each thing takes. If several branches of a batch finish at the same
//! moment, those that take fewer turns come first, and the runtime's checkpoints show that order.
//!
//! Input: what a piece of work waits for; output: when its result reaches the run. Invariant: turns are counted from
//! the last thing that took time; if nothing else runs at the same time, the order cannot be observed, and nothing is
//! waited for.

/// A service answers, and the executor that asked it continues.
pub(super) const SERVICE: u32 = 2;
/// An executor continues after a function of its own that waits for nothing.
pub(super) const FUNCTION: u32 = 1;
/// Guardrails answer a function of the executor that asked for a veto.
pub(super) const VETO: u32 = 3;
/// A model's loop ends.
pub(super) const LOOP: u32 = 3;
/// A round of a model's loop.
pub(super) const ROUND: u32 = 3;
/// A piece of text comes through the loop.
pub(super) const TEXT: u32 = 4;
/// An event of a session is emitted after its timer.
pub(super) const SESSION_EVENT: u32 = 1;
/// A graph inside another one tells an event, which nobody hears.
pub(super) const EVENT: u32 = 2;
/// The edges of a node are evaluated.
pub(super) const EDGES: u32 = 1;
/// A checkpoint is with the store.
pub(super) const STORED: u32 = 1;
/// Who saved a checkpoint continues after the store of the host, or after that of a graph inside another one.
pub(super) const SAVED: u32 = 2;
pub(super) const SAVED_INSIDE: u32 = 1;
/// The run continues after its branches, or after a wait.
pub(super) const BRANCHES: u32 = 2;
pub(super) const WAIT: u32 = 1;

/// The host and the run continue after the decision of a person.
const HOST_AND_RUN: u32 = 2;
/// A race against the time limit.
const RACE: u32 = 2;

/// The turns that a piece of work takes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Turns {
    began: u32,
    taken: u32,
    /// Whether no executor runs, so that none passes a result on.
    has_none: bool,
}

/// What ends an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// Its executor, perhaps within a time limit.
    Executor { is_limited: bool },
    /// Its time limit.
    Limit,
    /// The host, which has set the result.
    Host,
}

impl Turns {
    /// Work that begins or continues in this turn of its moment.
    pub(super) fn from(turn: u32) -> Turns {
        Turns { began: turn, ..Turns::default() }
    }

    /// Adds turns for something that the work waits for.
    pub(super) fn take(&mut self, turns: u32) {
        self.taken = self.taken.saturating_add(turns);
    }

    /// Records that no executor passes a result on.
    pub(super) fn without_executor(&mut self) {
        self.has_none = true;
    }

    /// Counts all turns as taken that have passed until now.
    pub(super) fn catch_up(&mut self, now: u32) {
        self.taken = self.taken.max(now.saturating_sub(self.began));
    }

    /// How many turns it takes until the result reaches the run.
    pub(super) fn left(self, ending: Ending, now: u32) -> u32 {
        // Passing on a promise takes a turn, and the result is read in the next turn at the earliest.
        let passed_on = |turns: u32| turns.max(1).saturating_add(1);
        let executed = if self.has_none { 0 } else { passed_on(self.taken) };
        let taken = match ending {
            Ending::Executor { is_limited: false } => passed_on(executed),
            Ending::Executor { is_limited: true } => executed.saturating_add(RACE),
            Ending::Limit => self.taken.saturating_add(RACE),
            Ending::Host => 0,
        };
        self.began.saturating_add(taken).saturating_add(HOST_AND_RUN).saturating_sub(now)
    }
}

/// How many turns the tools of a round take, called one by one or all at once.
pub(super) fn tools(count: usize, at_once: bool, has_service: bool) -> u32 {
    let count = u32::try_from(count).unwrap_or(u32::MAX);
    let service = u32::from(has_service);
    match at_once {
        true => count.saturating_mul(2).saturating_add(2 + service),
        false => count.saturating_mul(3 + service),
    }
}

//! How many turns of the runtime's event loop things take. Of the branches of a batch that come to something at one moment,
//! those come first that take fewer turns, and the runtime's checkpoints show it.
//!
//! Input: what a piece of work waits for; output: when its result reaches the run. Invariant: turns are counted from the
//! last thing that took time; where nothing runs beside, nobody can tell, and nothing is waited for.

/// A service answers, and the executor that asked it goes on.
pub(super) const SERVICE: u32 = 2;
/// An executor goes on after a function of its own that waits for nothing.
pub(super) const FUNCTION: u32 = 1;
/// Guardrails answer a function of the executor that asked for a veto.
pub(super) const VETO: u32 = 3;
/// A model's loop ends.
pub(super) const LOOP: u32 = 3;
/// A round of a model's loop.
pub(super) const ROUND: u32 = 3;
/// A piece of text comes through the loop.
pub(super) const TEXT: u32 = 4;
/// An event of a session is told after its timer.
pub(super) const SESSION_EVENT: u32 = 1;
/// A graph inside another one tells an event, which nobody hears.
pub(super) const EVENT: u32 = 2;
/// The edges of a node are judged.
pub(super) const EDGES: u32 = 1;
/// A checkpoint is with the store.
pub(super) const STORED: u32 = 1;
/// Who saved a checkpoint goes on after the store of the host, or after that of a graph inside another one.
pub(super) const SAVED: u32 = 2;
pub(super) const SAVED_INSIDE: u32 = 1;
/// The run goes on after its branches, or after a wait.
pub(super) const BRANCHES: u32 = 2;
pub(super) const WAIT: u32 = 1;

/// What calls an executor passes its result on.
const CALLERS: u32 = 4;
/// A result that the host has set has fewer callers.
const CALLERS_OF_HOST: u32 = 2;
/// A time limit is one more.
const LIMIT: u32 = 1;

/// The turns that a piece of work takes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Turns {
    began: u32,
    taken: u32,
    /// Callers that the result does not pass.
    spared: u32,
}

/// Who ends an attempt.
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
    /// Work that begins, or goes on, at a turn of its moment.
    pub(super) fn from(turn: u32) -> Turns {
        Turns { began: turn, ..Turns::default() }
    }

    /// Something takes turns.
    pub(super) fn take(&mut self, turns: u32) {
        self.taken = self.taken.saturating_add(turns);
    }

    /// The result passes one caller less.
    pub(super) fn spare_caller(&mut self) {
        self.spared = 1;
    }

    /// As many turns were taken as have passed.
    pub(super) fn catch_up(&mut self, now: u32) {
        self.taken = self.taken.max(now.saturating_sub(self.began));
    }

    /// How many turns from now on the result reaches the run.
    pub(super) fn left(self, ending: Ending, now: u32) -> u32 {
        let taken = match ending {
            Ending::Executor { is_limited } => self.taken.max(1) + CALLERS + LIMIT * u32::from(is_limited),
            Ending::Limit => self.taken + CALLERS,
            Ending::Host => CALLERS_OF_HOST,
        };
        (self.began + taken).saturating_sub(self.spared + now)
    }
}

/// What the tools of a round take, asked for one by one or all at once.
pub(super) fn tools(count: usize, at_once: bool, has_service: bool) -> u32 {
    let count = u32::try_from(count).unwrap_or(u32::MAX);
    let service = u32::from(has_service);
    match at_once {
        true => count.saturating_mul(2).saturating_add(2 + service),
        false => count.saturating_mul(3 + service),
    }
}

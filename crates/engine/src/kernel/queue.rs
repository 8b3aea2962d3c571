//! The queue of wakes, in the order of (virtual time, sequence): what is due at the same moment happens in the order
//! in which it was asked for. What happens at once comes a turn after what asked for it, as in an event loop, and can be
//! put off by turns. Invariant: time advances to wakes that a task still waits for, and to no others.

use std::cmp::{Ordering, Reverse};
use std::collections::{BinaryHeap, VecDeque};

use rustc_hash::FxHashSet;

use super::{TaskId, Wake};
use crate::time::Millis;

/// A timer of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TimerId(u64);

/// A place in the order of wakes of one moment, for a timer that is set later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimerPlace(u64);

/// Cancelled timers are removed from the queue when there are more than this many.
const SWEEP_FROM: usize = 64;

/// The queue of wakes.
#[derive(Clone)]
pub(super) struct Queue<O> {
    now: Millis,
    next: u64,
    /// Whether wakes that happen at once come before those that were already due at this moment.
    runs_to_rest: bool,
    /// Wakes that happen at once. Most do, and these need no heap.
    instant: VecDeque<Entry<O>>,
    /// Wakes for when nothing else happens at once.
    at_rest: VecDeque<Entry<O>>,
    /// The turn of the last wake. Wakes that were already due at their moment have turn 0.
    turn: u32,
    later: BinaryHeap<Reverse<Entry<O>>>,
    cancelled: FxHashSet<TimerId>,
}

#[derive(Clone)]
struct Entry<O> {
    at: Millis,
    sequence: u64,
    turn: u32,
    /// How many more turns the wake is put off.
    put_off: u32,
    task: TaskId,
    wake: Wake<O>,
}

impl<O> Queue<O> {
    pub(super) fn new(runs_to_rest: bool) -> Self {
        Queue {
            now: Millis::ZERO,
            next: 0,
            runs_to_rest,
            instant: VecDeque::new(),
            at_rest: VecDeque::new(),
            turn: 0,
            later: BinaryHeap::new(),
            cancelled: FxHashSet::default(),
        }
    }

    pub(super) fn now(&self) -> Millis {
        self.now
    }

    pub(super) fn turn(&self) -> u32 {
        self.turn
    }

    pub(super) fn push(&mut self, at: Millis, task: TaskId, wake: Wake<O>) {
        let entry = self.entry(at, task, wake);
        match at <= self.now {
            true => self.instant.push_back(Entry { turn: self.turn.saturating_add(1), ..entry }),
            false => self.later.push(Reverse(entry)),
        }
    }

    fn entry(&mut self, at: Millis, task: TaskId, wake: Wake<O>) -> Entry<O> {
        let sequence = self.next;
        self.next += 1;
        Entry { at, sequence, turn: 0, put_off: 0, task, wake }
    }

    /// Sets a timer that is due at this moment, after this many turns.
    pub(super) fn set_timer_in_turns(&mut self, turns: u32, task: TaskId) -> TimerId {
        let timer = TimerId(self.next);
        let entry = self.entry(self.now, task, Wake::Timer(timer));
        let (turn, put_off) = (self.turn.saturating_add(1), turns.saturating_sub(1));
        self.instant.push_back(Entry { turn, put_off, ..entry });
        timer
    }

    /// Sets a timer that is due at this moment, when nothing else happens at once.
    pub(super) fn set_timer_at_rest(&mut self, task: TaskId) -> TimerId {
        let timer = TimerId(self.next);
        let entry = self.entry(self.now, task, Wake::Timer(timer));
        self.at_rest.push_back(entry);
        timer
    }

    pub(super) fn set_timer(&mut self, at: Millis, task: TaskId) -> TimerId {
        let timer = TimerId(self.next);
        self.push(at, task, Wake::Timer(timer));
        timer
    }

    pub(super) fn reserve_place(&mut self) -> TimerPlace {
        let place = TimerPlace(self.next);
        self.next += 1;
        place
    }

    /// Sets a timer that comes before those that were set after its place was reserved.
    pub(super) fn set_timer_in_place(&mut self, place: TimerPlace, at: Millis, task: TaskId) -> TimerId {
        let timer = TimerId(place.0);
        self.push_in_place(place, at, task, Wake::Timer(timer));
        timer
    }

    /// Adds a wake that comes before those that were added after its place was reserved, unless it happens at once.
    pub(super) fn push_in_place(&mut self, place: TimerPlace, at: Millis, task: TaskId, wake: Wake<O>) {
        match at <= self.now {
            true => self.push(at, task, wake),
            false => {
                let entry = Entry { at, sequence: place.0, turn: 0, put_off: 0, task, wake };
                self.later.push(Reverse(entry));
            }
        }
    }

    pub(super) fn cancel_timer(&mut self, timer: TimerId) {
        self.cancelled.insert(timer);
        if self.cancelled.len() > SWEEP_FROM && self.cancelled.len() > self.later.len() / 2 {
            let cancelled = std::mem::take(&mut self.cancelled);
            let is_wanted = |entry: &Entry<O>| !entry.timer().is_some_and(|timer| cancelled.contains(&timer));
            self.later.retain(|Reverse(entry)| is_wanted(entry));
            self.instant.retain(is_wanted);
            self.at_rest.retain(is_wanted);
        }
    }

    /// Advances the time to a moment, but not past a wake that is due before it.
    pub(super) fn pass(&mut self, until: Millis) {
        while let Some(timer) = self.later.peek().and_then(|Reverse(entry)| entry.timer())
            && self.cancelled.remove(&timer)
        {
            self.later.pop();
        }
        let due = self.later.peek().map_or(until, |Reverse(entry)| entry.at.min(until));
        if self.instant.is_empty() && self.at_rest.is_empty() {
            self.now = self.now.max(due);
        }
    }

    /// When the next wake is due, of those whose task is alive.
    pub(super) fn due(&mut self, is_alive: impl Fn(TaskId) -> bool) -> Option<Millis> {
        let is_wanted = |entry: &Entry<O>, cancelled: &FxHashSet<TimerId>| {
            is_alive(entry.task) && !entry.timer().is_some_and(|timer| cancelled.contains(&timer))
        };
        if self.instant.iter().chain(&self.at_rest).any(|entry| is_wanted(entry, &self.cancelled)) {
            return Some(self.now);
        }
        while let Some(Reverse(entry)) = self.later.peek() {
            if is_wanted(entry, &self.cancelled) {
                return Some(entry.at.max(self.now));
            }
            if let Some(timer) = entry.timer() {
                self.cancelled.remove(&timer);
            }
            self.later.pop();
        }
        None
    }

    /// Removes and returns the next wake of a task that is alive.
    pub(super) fn pop(&mut self, is_alive: impl Fn(TaskId) -> bool) -> Option<(TaskId, Wake<O>)> {
        loop {
            let mut entry = self.first()?;
            if let Some(put_off) = entry.put_off.checked_sub(1) {
                entry.put_off = put_off;
                entry.turn = entry.turn.saturating_add(1);
                self.instant.push_back(entry);
                continue;
            }
            let was_cancelled = entry.timer().is_some_and(|timer| self.cancelled.remove(&timer));
            if was_cancelled || !is_alive(entry.task) {
                continue;
            }
            self.now = self.now.max(entry.at);
            self.turn = entry.turn;
            return Some((entry.task, entry.wake));
        }
    }

    fn first(&mut self) -> Option<Entry<O>> {
        if self.instant.is_empty() && !self.at_rest.is_empty() {
            return self.at_rest.pop_front();
        }
        let is_later_first = match (self.instant.front(), self.later.peek()) {
            (Some(_), Some(_)) if self.runs_to_rest => false,
            (Some(instant), Some(Reverse(later))) => later.cmp(instant) == Ordering::Less,
            (None, _) => true,
            (Some(_), None) => false,
        };
        match is_later_first {
            true => self.later.pop().map(|Reverse(entry)| entry),
            false => self.instant.pop_front(),
        }
    }
}

impl<O> Entry<O> {
    fn timer(&self) -> Option<TimerId> {
        match self.wake {
            Wake::Timer(timer) => Some(timer),
            _ => None,
        }
    }
}

impl<O> Ord for Entry<O> {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.at, self.sequence).cmp(&(other.at, other.sequence))
    }
}

impl<O> PartialOrd for Entry<O> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<O> PartialEq for Entry<O> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<O> Eq for Entry<O> {}

//! The search: from the beginning of a run to every state that answers lead to, shortest paths first. When half of
//! the allowed states are found, states at those places of the graph come first that have had the fewest.
//!
//! Input: a run, a guide, bounds, threads; output: states and the transitions between them. What leads on from a
//! state is worked out for several states at a time, on all threads, and is used in the order in which the states
//! have their turns. Invariant: a state is continued once, by the first run that got there, and the number of threads
//! changes nothing.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use rustc_hash::FxHashMap;

use super::ExplorationBounds;
use super::behavior::{Behaviors, VisitProgress};
use super::closure::{self, Verdict, Wanted};
use super::explored::{Explored, Target, Transition};
use super::guide::{Ending, Guide};
use super::segments::{
    KeptEvents, KnownStates, Moment, NextSegments, RunSegment, SegmentEnd, SegmentWorker, Stop, WaitingMoment,
};
use super::thread_pool::{ThreadPool, map_all};
use super::view::View;
use crate::running::Running;
use crate::usage::Usage;

/// A state that waits to be continued.
struct Standing {
    state: usize,
    place: u64,
    /// Whether the state is the beginning of a visit, not a moment within one.
    is_visit: bool,
    next: NextSegments,
    /// The visit under way, where visits are compared.
    progress: Option<VisitProgress>,
}

struct Search<'s> {
    guide: &'s dyn Guide,
    bounds: &'s ExplorationBounds,
    pool: &'s dyn ThreadPool,
    worker: SegmentWorker<'s>,
    explored: Explored,
    known: FxHashMap<u64, usize>,
    queue: Queue,
    /// What nodes were seen to do; `None` if the search does not try to prove that it is complete.
    behaviors: Option<Behaviors<'s>>,
    /// How many states there must be before the next proof is tried.
    next_proof: usize,
    /// How much was known when the last proof was tried.
    known_before: usize,
    /// For each result of the last proof: what leads to something new, the distance of the nearest state then, and
    /// how many states of each distance were continued first since.
    wanted: Vec<(Wanted, usize, FxHashMap<usize, usize>)>,
    /// How many states were worked out before their turn and still wait.
    ahead: usize,
}

/// States that wait to be continued: in the order in which they were found, and later in turns by place.
#[derive(Default)]
struct Queue {
    turns: BTreeMap<usize, VecDeque<Standing>>,
    /// For each place, how many of its states were given a turn.
    places: FxHashMap<u64, usize>,
    is_by_place: bool,
    /// Whether a limit ended a run although a shorter path may lead to the same state.
    is_limited: bool,
}

/// How many states of one place are continued in one turn.
const TURN: usize = 16;

/// How many states of the same distance to something new are continued before the others.
const NEAREST: usize = 4;

/// How many states are worked out at a time for each thread.
const AHEAD: usize = 16;

/// Searches all states, from the beginning of a run.
pub(super) fn search(
    run: &dyn Running,
    guide: &dyn Guide,
    bounds: &ExplorationBounds,
    keeps_events: bool,
    (pool, goes_on): (&dyn ThreadPool, &mut dyn FnMut() -> bool),
) -> Explored {
    // Callers that keep events look for paths and want all of them, so no proof may end the search early.
    let behaviors = if keeps_events { None } else { Behaviors::new(guide) };
    let kept = match (keeps_events, &behaviors) {
        (true, _) => KeptEvents::All,
        (false, Some(_)) => KeptEvents::Compared,
        (false, None) => KeptEvents::None,
    };
    let mut search = Search {
        guide,
        bounds,
        pool,
        worker: SegmentWorker { guide, bounds, kept },
        explored: Explored { is_complete: true, states: vec![None], ..Explored::default() },
        known: FxHashMap::default(),
        queue: Queue::default(),
        behaviors,
        next_proof: bounds.plain,
        known_before: 0,
        wanted: Vec::new(),
        ahead: 0,
    };
    search.explored.gaps.extend(guide.gaps());
    let start = WaitingMoment::at(Moment { run: run.copied(), view: View::new(guide), stop: Stop::Visit });
    let WaitingMoment { place, next } = start;
    search.queue.push(Standing { state: 0, place, is_visit: true, next, progress: None }, false);
    loop {
        if search.is_proven() {
            search.queue.is_limited = false;
            search.leave_all();
        }
        let Some(standing) = search.queue.pop() else { break };
        if !goes_on() {
            search.cut("the exploration was stopped");
            search.leave(&standing);
            search.leave_all();
            break;
        }
        search.expand(standing);
    }
    if search.queue.is_limited {
        search.cut("the search may have reached a state first on a long path, which a limit ended");
    }
    search.explored
}

impl Queue {
    fn push(&mut self, standing: Standing, is_first: bool) {
        let turn = match self.is_by_place && !is_first {
            true => {
                let states = self.places.entry(standing.place).or_default();
                *states += 1;
                1 + *states / TURN
            }
            false => 0,
        };
        self.turns.entry(turn).or_default().push_back(standing);
    }

    fn pop(&mut self) -> Option<Standing> {
        let mut turn = self.turns.first_entry()?;
        let next = turn.get_mut().pop_front();
        if turn.get().is_empty() {
            turn.remove();
        }
        next
    }

    /// Whether a state waits that comes before all turns.
    fn has_first(&self) -> bool {
        self.is_by_place && self.turns.first_key_value().is_some_and(|(turn, _)| *turn == 0)
    }

    /// The waiting states that are not worked out yet, in the order of their turns.
    fn open(&mut self) -> impl Iterator<Item = &mut NextSegments> {
        let waiting = self.turns.values_mut().flatten().map(|standing| &mut standing.next);
        waiting.filter(|next| matches!(next, NextSegments::Open(_)))
    }

    /// The states that wait, in the order of their turns.
    fn waiting(&self) -> impl Iterator<Item = &Standing> {
        self.turns.values().flatten()
    }

    /// Moves these states before all others.
    fn bring_forward(&mut self, states: &BTreeSet<usize>) {
        let mut first = VecDeque::new();
        for turn in self.turns.values_mut() {
            let (forward, rest): (VecDeque<Standing>, VecDeque<Standing>) =
                std::mem::take(turn).into_iter().partition(|standing| states.contains(&standing.state));
            *turn = rest;
            first.extend(forward);
        }
        self.turns.retain(|_, turn| !turn.is_empty());
        if !first.is_empty() {
            self.turns.insert(0, first);
        }
    }

    /// From now on, states wait in turns by place. Returns the states that waited; the caller adds them again.
    fn turn_to_places(&mut self) -> Vec<Standing> {
        self.is_by_place = true;
        std::mem::take(&mut self.turns).into_values().flatten().collect()
    }
}

impl Search<'_> {
    /// Continues a state with every answer.
    fn expand(&mut self, standing: Standing) {
        let Standing { state, is_visit, next, mut progress, .. } = standing;
        let segments = self.segments(next);
        if let (Some(behaviors), Some(progress)) = (&mut self.behaviors, &mut progress)
            && is_visit
        {
            behaviors.expand(progress);
        }
        for segment in segments {
            self.arrive(state, progress.as_ref(), segment);
        }
        self.continued(progress.as_ref().map(VisitProgress::expansion));
    }

    /// What leads on from a state. If it must be worked out, that of waiting states is worked out on other threads at
    /// the same time.
    fn segments(&mut self, mut next: NextSegments) -> Vec<RunSegment> {
        if let NextSegments::Open(_) = next {
            let known = KnownStates {
                fingerprints: &self.known,
                is_full: self.explored.states.len() >= self.bounds.states,
                continues_visits: self.queue.is_by_place && self.behaviors.is_some(),
            };
            let threads = self.pool.threads();
            // A proof may end the search, and states may change places: work done too early is wasted. So only few
            // states are worked out.
            let more = match threads {
                0 | 1 => 0,
                _ => (threads * AHEAD).saturating_sub(self.ahead).max(threads) - 1,
            };
            let waiting = self.queue.open().take(more);
            let together: Vec<&mut NextSegments> = std::iter::once(&mut next).chain(waiting).collect();
            self.ahead += together.len();
            let worker = self.worker;
            map_all(self.pool, together, |next| worker.work_out(next, known));
        }
        self.ahead = self.ahead.saturating_sub(1);
        match next {
            NextSegments::Segments(segments) => segments,
            NextSegments::Open(_) => Vec::new(),
        }
    }

    /// Records that a moment of a visit was continued with every answer.
    fn continued(&mut self, expansion: Option<usize>) {
        if let (Some(behaviors), Some(expansion)) = (&mut self.behaviors, expansion) {
            behaviors.continued(expansion);
        }
    }

    /// Adds the transition of a segment, and the state to which it leads if it is new.
    fn arrive(&mut self, from: usize, progress: Option<&VisitProgress>, mut segment: RunSegment) {
        segment.gaps.iter().for_each(|gap| self.cut(gap));
        let progress = self.compared(progress, &segment);
        let to = match segment.end {
            SegmentEnd::Over(ended) => {
                self.queue.is_limited |=
                    self.queue.is_by_place && self.guide.judge(&ended.outcome) == Ending::Limit;
                Target::End(ended)
            }
            SegmentEnd::TooLong => {
                self.cut("one run needed more steps than the exploration allows");
                Target::Unknown
            }
            SegmentEnd::Visit(visit) => match self.known.get(&visit.fingerprint) {
                Some(known) => Target::State(*known),
                None => self.discover(Some(visit.fingerprint), visit.waiting, progress),
            },
            SegmentEnd::Within(waiting) => self.discover(None, waiting, progress),
        };
        if self.worker.kept == KeptEvents::Compared {
            segment.events = Vec::new();
        }
        let RunSegment { given, observations, is_fault, events, usage, .. } = segment;
        let (given, observations) = (given.into_boxed_slice(), observations.into_boxed_slice());
        self.explored.transitions.push(Transition { from, to, given, observations, usage, is_fault, events });
    }

    /// Records what a visit did, if it has ended. Returns the visit that is under way at the end of the segment.
    fn compared(&mut self, progress: Option<&VisitProgress>, segment: &RunSegment) -> Option<VisitProgress> {
        let behaviors = self.behaviors.as_mut()?;
        let mut progress = progress.map(|progress| match segment.answer {
            Some(answer) => progress.with(answer),
            None => progress.clone(),
        });
        if let Some(progress) = &mut progress {
            segment.events.iter().for_each(|event| behaviors.apply(progress, event));
            progress.failed(segment.is_fault);
        }
        match &segment.end {
            SegmentEnd::Visit(visit) => {
                let lone = visit.lone.as_ref().map(|(node, state)| (node, &**state));
                let next = behaviors.began(lone, progress.as_ref());
                if let (Some(progress), Some(next)) = (&progress, &next) {
                    behaviors.ended(progress, &segment.observations, Ok(next.node()));
                }
                next
            }
            SegmentEnd::Over(ended) => {
                let end = Err(&ended.outcome);
                progress.iter().for_each(|progress| behaviors.ended(progress, &segment.observations, end));
                None
            }
            SegmentEnd::Within(_) => progress,
            SegmentEnd::TooLong => None,
        }
    }

    /// If it is time for a proof, tries to prove that more states show nothing new. If that fails, states that may
    /// lead to something new are continued first.
    fn is_proven(&mut self) -> bool {
        let states = self.explored.states.len();
        let Some(behaviors) = &self.behaviors else { return false };
        let is_time = self.queue.is_by_place && !self.queue.has_first() && states >= self.next_proof;
        if !is_time || !self.explored.is_complete {
            return false;
        }
        let is_more = behaviors.size() > std::mem::replace(&mut self.known_before, behaviors.size());
        // A proof takes long: without progress, the next one waits until there are a sixteenth more states.
        self.next_proof = states + states / 16;
        match closure::verdict(behaviors, &self.explored, self.guide, self.pool) {
            Verdict::Closed => return true,
            Verdict::Unknown => self.wanted.clear(),
            Verdict::Open(wanted) => {
                self.want(wanted);
                if is_more {
                    self.next_proof = states;
                }
            }
        }
        false
    }

    /// Moves those states to the front that are nearest to what was not seen.
    fn want(&mut self, wanted: Vec<Wanted>) {
        self.wanted.clear();
        let Some(behaviors) = &self.behaviors else { return };
        let mut forward = BTreeSet::new();
        for wanted in wanted {
            let mut nearest = usize::MAX;
            let mut states = Vec::new();
            for standing in self.queue.waiting() {
                let Some(progress) = &standing.progress else { continue };
                let Some(distance) = wanted.distance(behaviors, progress.at()) else { continue };
                if distance < nearest {
                    nearest = distance;
                    states.clear();
                }
                if distance == nearest && states.len() < NEAREST {
                    states.push(standing.state);
                }
            }
            forward.extend(states);
            self.wanted.push((wanted, nearest, FxHashMap::default()));
        }
        self.queue.bring_forward(&forward);
    }

    /// Whether a state is continued before the others: one within a visit, one that reads what no other one has read,
    /// and one that is nearer to what was not seen.
    fn is_first(&mut self, standing: &Standing) -> bool {
        let (Some(behaviors), Some(progress)) = (&mut self.behaviors, &standing.progress) else {
            return false;
        };
        if !standing.is_visit {
            return true;
        }
        let mut is_first = behaviors.is_new(progress);
        for (wanted, nearest, turns) in &mut self.wanted {
            let Some(distance) = wanted.distance(behaviors, progress.at()) else { continue };
            let had = turns.entry(distance).or_default();
            if distance < *nearest && *had < NEAREST {
                *had += 1;
                is_first = true;
            }
        }
        is_first
    }

    /// Adds a new state to the queue; the result is unknown if there is no room for it.
    fn discover(
        &mut self,
        fingerprint: Option<u64>,
        waiting: Option<WaitingMoment>,
        progress: Option<VisitProgress>,
    ) -> Target {
        let state = self.explored.states.len();
        let Some(WaitingMoment { place, next }) = waiting.filter(|_| state < self.bounds.states) else {
            self.cut(&format!("there are more than {} states", self.bounds.states));
            return Target::Unknown;
        };
        let is_visit = fingerprint.is_some();
        if let Some(fingerprint) = fingerprint {
            self.known.insert(fingerprint, state);
        }
        let plain = if self.behaviors.is_some() { self.bounds.plain } else { self.bounds.states };
        if state >= plain.min(self.bounds.states / 2) && !self.queue.is_by_place {
            let waiting = self.queue.turn_to_places();
            waiting.into_iter().for_each(|standing| self.push(standing));
        }
        self.explored.states.push(Some(self.explored.transitions.len()));
        if let (Some(behaviors), Some(progress), false) = (&mut self.behaviors, &progress, is_visit) {
            behaviors.wait(progress);
        }
        self.ahead += usize::from(matches!(next, NextSegments::Segments(_)));
        self.push(Standing { state, place, is_visit, next, progress });
        Target::State(state)
    }

    fn push(&mut self, standing: Standing) {
        let is_first = self.queue.is_by_place && self.is_first(&standing);
        self.queue.push(standing, is_first);
    }

    /// Records for each waiting state that the search does not look at what comes after it.
    fn leave_all(&mut self) {
        while let Some(standing) = self.queue.pop() {
            self.leave(&standing);
        }
    }

    /// Records that the search does not look at what comes after a state.
    fn leave(&mut self, standing: &Standing) {
        self.explored.transitions.push(Transition {
            from: standing.state,
            to: Target::Unknown,
            given: Box::default(),
            observations: Box::default(),
            usage: Usage::default(),
            is_fault: false,
            events: Vec::new(),
        });
    }

    fn cut(&mut self, gap: &str) {
        self.explored.is_complete = false;
        if !self.explored.gaps.contains(gap) {
            self.explored.gaps.insert(gap.to_owned());
        }
    }
}

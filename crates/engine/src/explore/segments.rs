//! What leads on from a moment of a run: the run with each answer, up to where it is distinguished from others again.
//!
//! Input: a moment, a guide, bounds; output: segments. Invariant: the segments follow from the moment alone, so that they can be
//! worked out before their turn, on any thread.

use std::sync::Arc;

use nodewise_expr::value::Map;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::ExplorationBounds;
use super::behavior;
use super::explored::Ended;
use super::guide::{AnswerChoice, Guide};
use super::view::{Observation, View};
use super::witness::Given;
use crate::ask::{Ask, Decision};
use crate::event::{AskId, Event};
use crate::kernel::Step;
use crate::outcome::Outcome;
use crate::running::Running;
use crate::usage::Usage;

/// A run at a moment that the search distinguishes from others.
pub(super) struct Moment {
    pub(super) run: Box<dyn Running>,
    pub(super) view: View,
    pub(super) stop: Stop,
}

/// Why a run was stopped.
pub(super) enum Stop {
    /// A visit began.
    Visit,
    /// Several answers are possible.
    Asked(AskId, Arc<Ask>, Vec<AnswerChoice>),
    /// A person decides, where a node waits.
    Paused(Option<SmolStr>, Vec<Decision>),
}

/// A part of a run, from one stop to the next.
#[derive(Default)]
pub(super) struct RunSegment {
    /// The position of the answer among the alternatives; `None` if there was only one.
    pub(super) answer: Option<usize>,
    pub(super) given: Vec<Given>,
    pub(super) observations: Vec<Observation>,
    pub(super) is_fault: bool,
    /// The events that are kept.
    pub(super) events: Vec<Event>,
    pub(super) usage: Usage,
    /// What was left out, in sentences.
    pub(super) gaps: Vec<String>,
    pub(super) end: SegmentEnd,
}

/// Where a segment ends.
#[derive(Default)]
pub(super) enum SegmentEnd {
    /// The run took more steps than the exploration allows.
    #[default]
    TooLong,
    /// The run ended, or waits forever.
    Over(Box<Ended>),
    /// A visit begins.
    Visit(BegunVisit),
    /// In a visit, several answers are possible.
    Within(Option<WaitingMoment>),
}

/// The beginning of a visit.
pub(super) struct BegunVisit {
    /// A hash that distinguishes this moment from others.
    pub(super) fingerprint: u64,
    /// The node and the state, if nothing else is under way and visits are compared.
    pub(super) lone: Option<(SmolStr, Arc<Map>)>,
    /// `None` if a moment with this fingerprint is already known.
    pub(super) waiting: Option<WaitingMoment>,
}

/// A moment that waits to be continued.
pub(super) struct WaitingMoment {
    /// A hash of the nodes that are under way, whatever the state.
    pub(super) place: u64,
    pub(super) next: NextSegments,
}

/// The segments after a moment, or the moment if they are not worked out yet.
pub(super) enum NextSegments {
    /// The segments are not worked out yet.
    Open(Box<Moment>),
    Segments(Vec<RunSegment>),
}

/// Which events segments keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeptEvents {
    None,
    All,
    /// Only the events by which visits are compared.
    Compared,
}

/// What the search knows about states when segments are worked out.
#[derive(Clone, Copy)]
pub(super) struct KnownStates<'k> {
    pub(super) fingerprints: &'k FxHashMap<u64, usize>,
    /// Whether no more states may be added.
    pub(super) is_full: bool,
    /// Whether a visit's own questions are continued right after its beginning, before other states.
    pub(super) continues_visits: bool,
}

/// Works out segments. It holds only shared references, so that every thread can have a copy.
#[derive(Clone, Copy)]
pub(super) struct SegmentWorker<'w> {
    pub(super) guide: &'w dyn Guide,
    pub(super) bounds: &'w ExplorationBounds,
    pub(super) kept: KeptEvents,
}

/// Why a run goes no further.
enum Halt {
    At(Stop),
    Over(Outcome),
    TooLong,
}

impl SegmentWorker<'_> {
    /// The segments after a moment, one for each answer.
    pub(super) fn segments(&self, moment: Moment, known: KnownStates<'_>) -> Vec<RunSegment> {
        let Moment { run, view, stop } = moment;
        match stop {
            Stop::Visit => {
                let mut segment = self.segment((run, view), RunSegment::default(), known);
                if let SegmentEnd::Within(Some(WaitingMoment { next, .. })) = &mut segment.end
                    && known.continues_visits
                {
                    self.work_out(next, known);
                }
                vec![segment]
            }
            Stop::Asked(id, ask, choices) => {
                self.each((run, view), choices, known, |(run, view), at, choice| {
                    view.chose(id, at);
                    run.answer(id, choice.answer.clone());
                    (Given::answer(&ask, choice.answer), choice.is_fault)
                })
            }
            Stop::Paused(node, decisions) => {
                self.each((run, view), decisions, known, |(run, _), _, decision| {
                    run.resume(decision.clone());
                    (Given::Decision { node: node.clone(), decision }, false)
                })
            }
        }
    }

    /// Works out the segments after a moment, if they are not known yet.
    pub(super) fn work_out(&self, next: &mut NextSegments, known: KnownStates<'_>) {
        if let NextSegments::Open(_) = next
            && let NextSegments::Open(moment) = std::mem::replace(next, NextSegments::Segments(Vec::new()))
        {
            *next = NextSegments::Segments(self.segments(*moment, known));
        }
    }

    /// Makes a segment for each alternative. The last one uses the run itself, the others use copies.
    fn each<A>(
        &self,
        (run, view): (Box<dyn Running>, View),
        alternatives: Vec<A>,
        known: KnownStates<'_>,
        give: impl Fn((&mut dyn Running, &mut View), usize, A) -> (Given, bool),
    ) -> Vec<RunSegment> {
        let last = alternatives.len().saturating_sub(1);
        let mut segments = Vec::with_capacity(alternatives.len());
        let mut original = Some((run, view));
        for (position, alternative) in alternatives.into_iter().enumerate() {
            let next = if position == last { original.take() } else { None };
            let copy = || original.as_ref().map(|(run, view)| (run.copied(), view.clone()));
            let Some((mut run, mut view)) = next.or_else(copy) else { break };
            let (given, is_fault) = give((run.as_mut(), &mut view), position, alternative);
            let segment =
                RunSegment { answer: Some(position), given: vec![given], is_fault, ..RunSegment::default() };
            segments.push(self.segment((run, view), segment, known));
        }
        segments
    }

    /// Lets a run continue to its next stop.
    fn segment(
        &self,
        (mut run, mut view): (Box<dyn Running>, View),
        mut segment: RunSegment,
        known: KnownStates<'_>,
    ) -> RunSegment {
        let spent = run.spent();
        let halt = self.run_on(run.as_mut(), &mut view, &mut segment);
        let after = run.spent();
        segment.usage = Usage {
            input_tokens: after.input_tokens - spent.input_tokens,
            output_tokens: after.output_tokens - spent.output_tokens,
            cost_usd: after.cost_usd - spent.cost_usd,
            ..Usage::default()
        };
        segment.end = match halt {
            Halt::TooLong => SegmentEnd::TooLong,
            Halt::Over(outcome) => SegmentEnd::Over(Box::new(ended(outcome, &view))),
            Halt::At(Stop::Visit) => {
                let fingerprint = view.fingerprint(self.guide);
                let lone = view.lone_visit().filter(|_| self.kept == KeptEvents::Compared);
                let lone = lone.map(|(node, state)| (node.clone(), state.clone()));
                let is_new = !known.is_full && !known.fingerprints.contains_key(&fingerprint);
                let waiting = is_new.then(|| WaitingMoment::at(Moment { run, view, stop: Stop::Visit }));
                SegmentEnd::Visit(BegunVisit { fingerprint, lone, waiting })
            }
            Halt::At(stop) => {
                SegmentEnd::Within((!known.is_full).then(|| WaitingMoment::at(Moment { run, view, stop })))
            }
        };
        segment
    }

    fn run_on(&self, run: &mut dyn Running, view: &mut View, segment: &mut RunSegment) -> Halt {
        for _ in 0..self.bounds.steps {
            let step = run.step();
            let events = run.take_log();
            let before = segment.observations.len();
            events.iter().for_each(|event| view.apply(event, &mut segment.observations));
            match self.kept {
                KeptEvents::None => {}
                KeptEvents::All => segment.events.extend(events),
                KeptEvents::Compared => {
                    segment.events.extend(events.into_iter().filter(behavior::is_compared))
                }
            }
            let mut new = segment.observations.iter().skip(before);
            match step {
                Step::Went if new.any(|observation| matches!(observation, Observation::Began(_))) => {
                    return Halt::At(Stop::Visit);
                }
                Step::Went => {}
                Step::Asked(id, ask) => {
                    if let Some(choices) = self.choices(id, &ask, run, view, segment) {
                        return Halt::At(Stop::Asked(id, ask, choices));
                    }
                }
                Step::Paused(outcome) => {
                    let node = view.waiting().map(|waiting| waiting.node);
                    let decisions = self.guide.decisions(node.as_deref(), &outcome.output);
                    // If there is no decision to try, the run waits forever.
                    return match decisions.is_empty() {
                        true => Halt::Over(outcome),
                        false => Halt::At(Stop::Paused(node, decisions)),
                    };
                }
                Step::Ended(outcome) => return Halt::Over(outcome),
                Step::Blocked => return Halt::Over(crate::provider::stalled()),
            }
        }
        Halt::TooLong
    }

    /// The alternatives for a question. If there is only one, gives it to the run and returns `None`.
    fn choices(
        &self,
        id: AskId,
        ask: &Arc<Ask>,
        run: &mut dyn Running,
        view: &mut View,
        segment: &mut RunSegment,
    ) -> Option<Vec<AnswerChoice>> {
        let mut choices = self.guide.choices(ask, self.bounds.alternatives);
        if choices.is_cut {
            segment.gaps.push(format!(
                "the answers to node `{}` have more than {} combinations; each value was tried at least once",
                ask.node, self.bounds.alternatives
            ));
        }
        if choices.list.len() > 1 {
            if view.answered_before(id) < self.bounds.questions {
                return Some(choices.list);
            }
            let most = self.bounds.questions;
            segment.gaps.push(format!(
                "a visit of node `{}` asks more than {most} questions; only the first {most} answers were varied",
                ask.node
            ));
        }
        choices.list.truncate(1);
        let choice = choices.list.pop().unwrap_or_else(|| AnswerChoice::of(crate::script::echo::answer(ask)));
        view.chose(id, 0);
        segment.is_fault |= choice.is_fault;
        run.answer(id, choice.answer.clone());
        segment.given.push(Given::answer(ask, choice.answer));
        None
    }
}

impl WaitingMoment {
    pub(super) fn at(moment: Moment) -> WaitingMoment {
        WaitingMoment { place: moment.view.place(), next: NextSegments::Open(Box::new(moment)) }
    }
}

fn ended(outcome: Outcome, view: &View) -> Ended {
    Ended { outcome, last: view.last.clone(), awaited: view.awaited().collect() }
}

//! The search: from the beginning of a run to every state that answers lead to, the shortest ways first; when half of the
//! states that are allowed were found, those of the places of the graph that have had the fewest come first.
//!
//! Input: a run, a guide, bounds; output: states and the transitions between them. Invariant: a state is continued
//! once, by the first run that came there.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::ExplorationBounds;
use super::guide::{AnswerChoice, Ending, Guide};
use super::view::{At, Observation, View};
use super::witness::Given;
use crate::ask::Ask;
use crate::event::{AskId, Event};
use crate::kernel::Step;
use crate::outcome::Outcome;
use crate::running::Running;
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

/// A run at a moment where it is distinguished from others.
struct Standing {
    state: usize,
    run: Box<dyn Running>,
    view: View,
    stop: Stop,
}

/// Why a run was stopped.
enum Stop {
    /// A visit began.
    Visit,
    /// Several answers are possible.
    Asked(AskId, Arc<Ask>, Vec<AnswerChoice>),
    Paused(Outcome),
    Ended(Outcome),
    /// It took too many steps.
    TooLong,
}

/// What happens from one stop to the next.
#[derive(Default)]
struct Leg {
    given: Vec<Given>,
    observations: Vec<Observation>,
    is_fault: bool,
    events: Vec<Event>,
}

struct Search<'s> {
    guide: &'s dyn Guide,
    bounds: &'s ExplorationBounds,
    keeps_events: bool,
    explored: Explored,
    known: FxHashMap<u64, usize>,
    queue: Queue,
}

/// States that wait to be continued: in the order in which they were found, later by place in turns.
#[derive(Default)]
struct Queue {
    turns: BTreeMap<usize, VecDeque<Standing>>,
    /// How many states each place has had in turns.
    places: FxHashMap<u64, usize>,
    is_by_place: bool,
}

/// So many states of a place have a turn together.
const TURN: usize = 16;

/// Searches from the beginning of a run.
pub(super) fn search(
    run: &dyn Running,
    guide: &dyn Guide,
    bounds: &ExplorationBounds,
    keeps_events: bool,
    goes_on: &mut dyn FnMut() -> bool,
) -> Explored {
    let explored = Explored { is_complete: true, states: vec![None], ..Explored::default() };
    let mut search = Search {
        guide,
        bounds,
        keeps_events,
        explored,
        known: FxHashMap::default(),
        queue: Queue::default(),
    };
    search.explored.gaps.extend(guide.gaps());
    search.queue.push(Standing { state: 0, run: run.copied(), view: View::new(guide), stop: Stop::Visit });
    while let Some(standing) = search.queue.pop() {
        if !goes_on() {
            search.cut("the exploration was stopped");
            search.leave(&standing);
            while let Some(standing) = search.queue.pop() {
                search.leave(&standing);
            }
            break;
        }
        search.expand(standing);
    }
    search.explored
}

impl Queue {
    fn push(&mut self, standing: Standing) {
        let turn = match self.is_by_place {
            true => {
                let states = self.places.entry(standing.view.place()).or_default();
                *states += 1;
                *states / TURN
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

    /// From now on places have turns.
    fn turn_to_places(&mut self) {
        self.is_by_place = true;
        let waiting = std::mem::take(&mut self.turns);
        waiting.into_values().flatten().for_each(|standing| self.push(standing));
    }
}

impl Search<'_> {
    /// Continues a state with every answer.
    fn expand(&mut self, standing: Standing) {
        let Standing { state, run, view, stop } = standing;
        match stop {
            Stop::Visit => self.go(state, run, view, Leg::default()),
            Stop::Asked(id, ask, choices) => {
                let last = choices.len().saturating_sub(1);
                let mut original = Some((run, view));
                for (position, choice) in choices.into_iter().enumerate() {
                    let next = if position == last { original.take() } else { None };
                    let copy = || original.as_ref().map(|(run, view)| (run.copied(), view.clone()));
                    let Some((mut run, mut view)) = next.or_else(copy) else { break };
                    view.chose(id, position);
                    let mut leg = Leg { is_fault: choice.is_fault, ..Leg::default() };
                    run.answer(id, choice.answer.clone());
                    leg.given.push(Given::answer(&ask, choice.answer));
                    self.go(state, run, view, leg);
                }
            }
            Stop::Paused(outcome) => {
                let node = view.waiting().map(|waiting| waiting.node);
                let decisions = self.guide.decisions(node.as_deref(), &outcome.output);
                for decision in decisions {
                    let mut run = run.copied();
                    let mut leg = Leg::default();
                    leg.given.push(Given::Decision { node: node.clone(), decision: decision.clone() });
                    run.resume(decision);
                    self.go(state, run, view.clone(), leg);
                }
            }
            Stop::Ended(_) | Stop::TooLong => {}
        }
    }

    /// Lets a run continue to its next stop, and takes note of where it has come.
    fn go(&mut self, from: usize, mut run: Box<dyn Running>, mut view: View, mut leg: Leg) {
        let spent = run.spent();
        let stop = self.run_on(run.as_mut(), &mut view, &mut leg);
        let after = run.spent();
        let usage = Usage {
            input_tokens: after.input_tokens - spent.input_tokens,
            output_tokens: after.output_tokens - spent.output_tokens,
            cost_usd: after.cost_usd - spent.cost_usd,
            ..Usage::default()
        };
        let to = match stop {
            Stop::Ended(outcome) => {
                if self.queue.is_by_place && self.guide.judge(&outcome) == Ending::Limit {
                    self.cut("the search may have reached a state first on a long path, which a limit ended");
                }
                Target::End(Box::new(ended(outcome, &view)))
            }
            Stop::TooLong => {
                self.cut("one run needed more steps than the exploration allows");
                Target::Unknown
            }
            Stop::Paused(outcome) if self.is_final(&outcome, &view) => {
                Target::End(Box::new(ended(outcome, &view)))
            }
            Stop::Visit => {
                let fingerprint = view.fingerprint(self.guide);
                match self.known.get(&fingerprint) {
                    Some(known) => Target::State(*known),
                    None => self.discover(Some(fingerprint), run, view, Stop::Visit),
                }
            }
            stop => self.discover(None, run, view, stop),
        };
        let Leg { given, observations, is_fault, events } = leg;
        let (given, observations) = (given.into_boxed_slice(), observations.into_boxed_slice());
        self.explored.transitions.push(Transition { from, to, given, observations, usage, is_fault, events });
    }

    /// Whether nobody can decide what a run waits for.
    fn is_final(&self, outcome: &Outcome, view: &View) -> bool {
        let node = view.waiting().map(|waiting| waiting.node);
        self.guide.decisions(node.as_deref(), &outcome.output).is_empty()
    }

    /// A state that nobody has seen.
    fn discover(
        &mut self,
        fingerprint: Option<u64>,
        run: Box<dyn Running>,
        view: View,
        stop: Stop,
    ) -> Target {
        let state = self.explored.states.len();
        if state >= self.bounds.states {
            self.cut(&format!("there are more than {} states", self.bounds.states));
            return Target::Unknown;
        }
        if let Some(fingerprint) = fingerprint {
            self.known.insert(fingerprint, state);
        }
        if state >= self.bounds.states / 2 && !self.queue.is_by_place {
            self.queue.turn_to_places();
        }
        self.explored.states.push(Some(self.explored.transitions.len()));
        self.queue.push(Standing { state, run, view, stop });
        Target::State(state)
    }

    fn run_on(&mut self, run: &mut dyn Running, view: &mut View, leg: &mut Leg) -> Stop {
        for _ in 0..self.bounds.steps {
            let step = run.step();
            let events = run.take_log();
            let before = leg.observations.len();
            events.iter().for_each(|event| view.apply(event, &mut leg.observations));
            if self.keeps_events {
                leg.events.extend(events);
            }
            let began = leg
                .observations
                .iter()
                .skip(before)
                .any(|observation| matches!(observation, Observation::Began(_)));
            match step {
                Step::Went if began => return Stop::Visit,
                Step::Went => {}
                Step::Asked(id, ask) => {
                    if let Some(choices) = self.choices(id, &ask, run, view, leg) {
                        return Stop::Asked(id, ask, choices);
                    }
                }
                Step::Paused(outcome) => return Stop::Paused(outcome),
                Step::Ended(outcome) => return Stop::Ended(outcome),
                Step::Blocked => return Stop::Ended(crate::provider::stalled()),
            }
        }
        Stop::TooLong
    }

    /// The answers to a question; where there is one alone, it is given.
    fn choices(
        &mut self,
        id: AskId,
        ask: &Arc<Ask>,
        run: &mut dyn Running,
        view: &mut View,
        leg: &mut Leg,
    ) -> Option<Vec<AnswerChoice>> {
        let mut choices = self.guide.choices(ask, self.bounds.alternatives);
        if choices.is_cut {
            self.cut(&format!(
                "the answers to node `{}` have more than {} combinations; each value was tried at least once",
                ask.node, self.bounds.alternatives
            ));
        }
        if choices.list.len() > 1 {
            if view.answered_before(id) < self.bounds.questions {
                return Some(choices.list);
            }
            let most = self.bounds.questions;
            self.cut(&format!(
                "a visit of node `{}` asks more than {most} questions; only the first {most} answers were varied",
                ask.node
            ));
        }
        choices.list.truncate(1);
        let choice = choices.list.pop().unwrap_or_else(|| AnswerChoice::of(crate::script::echo::answer(ask)));
        view.chose(id, 0);
        leg.is_fault |= choice.is_fault;
        run.answer(id, choice.answer.clone());
        leg.given.push(Given::answer(ask, choice.answer));
        None
    }

    /// Takes note that nobody looks what comes after a state.
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

fn ended(outcome: Outcome, view: &View) -> Ended {
    Ended { outcome, last: view.last.clone(), awaited: view.awaited().collect() }
}

//! The search: from the beginning of a run to every state that answers lead to, the shortest ways first; when half of the
//! states that are allowed were found, those of the places of the graph that have had the fewest come first.
//!
//! Input: a run, a guide, bounds; output: states and the transitions between them. Invariant: a state is continued
//! once, by the first run that came there.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::ExplorationBounds;
use super::behavior::{Behaviors, Course};
use super::closure::{self, Verdict, Wanted};
use super::explored::{Ended, Explored, Target, Transition};
use super::guide::{AnswerChoice, Ending, Guide};
use super::view::{Observation, View};
use super::witness::Given;
use crate::ask::Ask;
use crate::event::{AskId, Event};
use crate::kernel::Step;
use crate::outcome::Outcome;
use crate::running::Running;
use crate::usage::Usage;

/// A run at a moment where it is distinguished from others.
struct Standing {
    state: usize,
    run: Box<dyn Running>,
    view: View,
    stop: Stop,
    /// The visit under way, where visits are compared.
    course: Option<Course>,
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
    course: Option<Course>,
}

struct Search<'s> {
    guide: &'s dyn Guide,
    bounds: &'s ExplorationBounds,
    keeps_events: bool,
    explored: Explored,
    known: FxHashMap<u64, usize>,
    queue: Queue,
    /// What nodes were seen to do, where that can show that nothing more will be seen.
    behaviors: Option<Behaviors<'s>>,
    /// How many states there are before the next proof is tried.
    next_proof: usize,
    /// How much was known when the last one was.
    known_before: usize,
    /// What leads to something new, with how near the nearest state is, and how many states of each distance had a turn.
    wanted: Vec<(Wanted, usize, FxHashMap<usize, usize>)>,
}

/// States that wait to be continued: in the order in which they were found, later by place in turns.
#[derive(Default)]
struct Queue {
    turns: BTreeMap<usize, VecDeque<Standing>>,
    /// How many states each place has had in turns.
    places: FxHashMap<u64, usize>,
    is_by_place: bool,
    /// Whether a limit ended a run whose state may have been reached on a shorter path.
    is_limited: bool,
}

/// So many states of a place have a turn together.
const TURN: usize = 16;

/// So many states that are equally near to something new have a turn before others.
const NEAREST: usize = 4;

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
        // Those who look for paths want them all.
        behaviors: if keeps_events { None } else { Behaviors::new(guide) },
        next_proof: bounds.plain,
        known_before: 0,
        wanted: Vec::new(),
    };
    search.explored.gaps.extend(guide.gaps());
    let (run, view) = (run.copied(), View::new(guide));
    search.queue.push(Standing { state: 0, run, view, stop: Stop::Visit, course: None }, false);
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
                let states = self.places.entry(standing.view.place()).or_default();
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

    /// Whether a state waits that is continued before all turns.
    fn has_first(&self) -> bool {
        self.is_by_place && self.turns.first_key_value().is_some_and(|(turn, _)| *turn == 0)
    }

    /// The states that wait, in the order of their turns.
    fn waiting(&self) -> impl Iterator<Item = &Standing> {
        self.turns.values().flatten()
    }

    /// Continues these states before others.
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

    /// From now on places have turns, after what is first; the states that wait must be added again.
    fn turn_to_places(&mut self) -> Vec<Standing> {
        self.is_by_place = true;
        std::mem::take(&mut self.turns).into_values().flatten().collect()
    }
}

impl Search<'_> {
    /// Continues a state with every answer.
    fn expand(&mut self, standing: Standing) {
        let Standing { state, run, view, stop, mut course } = standing;
        let expansion = course.as_ref().map(Course::expansion);
        match stop {
            Stop::Visit => {
                if let (Some(behaviors), Some(course)) = (&mut self.behaviors, &mut course) {
                    behaviors.expand(course);
                }
                let expansion = course.as_ref().map(Course::expansion);
                self.go(state, run, view, Leg { course, ..Leg::default() });
                self.continued(expansion);
            }
            Stop::Asked(id, ask, choices) => {
                let last = choices.len().saturating_sub(1);
                let mut original = Some((run, view));
                for (position, choice) in choices.into_iter().enumerate() {
                    let next = if position == last { original.take() } else { None };
                    let copy = || original.as_ref().map(|(run, view)| (run.copied(), view.clone()));
                    let Some((mut run, mut view)) = next.or_else(copy) else { break };
                    view.chose(id, position);
                    let course = course.as_ref().map(|course| course.with(position));
                    let mut leg = Leg { is_fault: choice.is_fault, course, ..Leg::default() };
                    run.answer(id, choice.answer.clone());
                    leg.given.push(Given::answer(&ask, choice.answer));
                    self.go(state, run, view, leg);
                }
                self.continued(expansion);
            }
            Stop::Paused(outcome) => {
                let node = view.waiting().map(|waiting| waiting.node);
                let decisions = self.guide.decisions(node.as_deref(), &outcome.output);
                for (position, decision) in decisions.into_iter().enumerate() {
                    let mut run = run.copied();
                    let course = course.as_ref().map(|course| course.with(position));
                    let mut leg = Leg { course, ..Leg::default() };
                    leg.given.push(Given::Decision { node: node.clone(), decision: decision.clone() });
                    run.resume(decision);
                    self.go(state, run, view.clone(), leg);
                }
                self.continued(expansion);
            }
            Stop::Ended(_) | Stop::TooLong => {}
        }
    }

    /// A moment of a visit was continued with every answer.
    fn continued(&mut self, expansion: Option<usize>) {
        if let (Some(behaviors), Some(expansion)) = (&mut self.behaviors, expansion) {
            behaviors.continued(expansion);
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
        let course = self.compared(&stop, &view, &mut leg);
        let to = match stop {
            Stop::Ended(outcome) => {
                self.queue.is_limited |=
                    self.queue.is_by_place && self.guide.judge(&outcome) == Ending::Limit;
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
                    None => self.discover(Some(fingerprint), run, view, Stop::Visit, course),
                }
            }
            stop => self.discover(None, run, view, stop, course),
        };
        let Leg { given, observations, is_fault, events, .. } = leg;
        let (given, observations) = (given.into_boxed_slice(), observations.into_boxed_slice());
        self.explored.transitions.push(Transition { from, to, given, observations, usage, is_fault, events });
    }

    /// Takes note of what a visit did, where it has come to an end; the visit that is under way then.
    fn compared(&mut self, stop: &Stop, view: &View, leg: &mut Leg) -> Option<Course> {
        let is_final = matches!(stop, Stop::Paused(outcome) if self.is_final(outcome, view));
        let behaviors = self.behaviors.as_mut()?;
        let mut course = leg.course.take();
        course.iter_mut().for_each(|course| course.failed(leg.is_fault));
        match stop {
            Stop::Visit => {
                let next = behaviors.began(view, course.as_ref());
                if let (Some(course), Some(next)) = (&course, &next) {
                    behaviors.ended(course, &leg.observations, Ok(next.node()));
                }
                return next;
            }
            Stop::Ended(outcome) => {
                course.iter().for_each(|course| behaviors.ended(course, &leg.observations, Err(outcome)));
            }
            Stop::Paused(outcome) if is_final => {
                course.iter().for_each(|course| behaviors.ended(course, &leg.observations, Err(outcome)));
            }
            Stop::Asked(..) | Stop::Paused(_) => return course,
            Stop::TooLong => {}
        }
        None
    }

    /// Whether it is time to ask whether more states can show anything new, and they cannot. If they can, those that may
    /// lead there come first.
    fn is_proven(&mut self) -> bool {
        let states = self.explored.states.len();
        let Some(behaviors) = &self.behaviors else { return false };
        let is_time = self.queue.is_by_place && !self.queue.has_first() && states >= self.next_proof;
        if !is_time || !self.explored.is_complete {
            return false;
        }
        let is_more = behaviors.size() > std::mem::replace(&mut self.known_before, behaviors.size());
        self.next_proof = states + states / 16;
        match closure::verdict(behaviors, &self.explored, self.guide) {
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

    /// Continues those states first that are nearest to what was not seen.
    fn want(&mut self, wanted: Vec<Wanted>) {
        self.wanted.clear();
        let Some(behaviors) = &self.behaviors else { return };
        let mut forward = BTreeSet::new();
        for wanted in wanted {
            let mut nearest = usize::MAX;
            let mut states = Vec::new();
            for standing in self.queue.waiting() {
                let Some(course) = &standing.course else { continue };
                let Some(distance) = wanted.distance(behaviors, course.at()) else { continue };
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

    /// Whether a state is continued before others: a visit under way, one that reads what no other one has read, and one
    /// that comes nearer to what was not seen.
    fn is_first(&mut self, standing: &Standing) -> bool {
        let (Some(behaviors), Some(course)) = (&mut self.behaviors, &standing.course) else { return false };
        if !matches!(standing.stop, Stop::Visit) {
            return true;
        }
        let mut is_first = behaviors.is_new(course);
        for (wanted, nearest, turns) in &mut self.wanted {
            let Some(distance) = wanted.distance(behaviors, course.at()) else { continue };
            let had = turns.entry(distance).or_default();
            if distance < *nearest && *had < NEAREST {
                *had += 1;
                is_first = true;
            }
        }
        is_first
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
        course: Option<Course>,
    ) -> Target {
        let state = self.explored.states.len();
        if state >= self.bounds.states {
            self.cut(&format!("there are more than {} states", self.bounds.states));
            return Target::Unknown;
        }
        if let Some(fingerprint) = fingerprint {
            self.known.insert(fingerprint, state);
        }
        let plain = if self.behaviors.is_some() { self.bounds.plain } else { self.bounds.states };
        if state >= plain.min(self.bounds.states / 2) && !self.queue.is_by_place {
            let waiting = self.queue.turn_to_places();
            waiting.into_iter().for_each(|standing| self.push(standing));
        }
        self.explored.states.push(Some(self.explored.transitions.len()));
        if let (Some(behaviors), Some(course), Stop::Asked(..) | Stop::Paused(_)) =
            (&mut self.behaviors, &course, &stop)
        {
            behaviors.wait(course);
        }
        let standing = Standing { state, run, view, stop, course };
        self.push(standing);
        Target::State(state)
    }

    fn push(&mut self, standing: Standing) {
        let is_first = self.queue.is_by_place && self.is_first(&standing);
        self.queue.push(standing, is_first);
    }

    fn run_on(&mut self, run: &mut dyn Running, view: &mut View, leg: &mut Leg) -> Stop {
        for _ in 0..self.bounds.steps {
            let step = run.step();
            let events = run.take_log();
            let before = leg.observations.len();
            for event in &events {
                view.apply(event, &mut leg.observations);
                if let (Some(behaviors), Some(course)) = (&mut self.behaviors, &mut leg.course) {
                    behaviors.apply(course, event);
                }
            }
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

    /// Takes note that nobody looks what comes after the states that wait.
    fn leave_all(&mut self) {
        while let Some(standing) = self.queue.pop() {
            self.leave(&standing);
        }
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

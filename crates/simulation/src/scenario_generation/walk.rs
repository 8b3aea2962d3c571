//! Paths through the states of an exploration that show as much as possible.
//!
//! Input: states, and what each transition shows; output: paths from the beginning. Invariant: of several paths that show as
//! much, the shortest is taken, and of equal ones that which was found first.

use std::collections::{BTreeSet, VecDeque};

use nodewise_engine::explore::guide::Ending;
use nodewise_engine::explore::state_space::{NextState, StateSpace};

use super::atoms::AtomSet;

/// The maximum number of transitions in a path.
const STEPS_MAX: usize = 300;

/// The states of an exploration, with the transitions that leave them.
#[derive(Debug)]
pub(super) struct StateGraph {
    steps: Vec<GraphStep>,
    leaving: Vec<Vec<usize>>,
    /// The circles of all transitions, and of those without failures. In a circle, each state leads to each other one (a
    /// strongly connected component).
    circles: [Circles; 2],
}

#[derive(Debug)]
struct GraphStep {
    from: usize,
    /// The next state; `None` where the run ends.
    to: Option<usize>,
    shows: Vec<u32>,
    is_fault: bool,
    is_limit: bool,
}

/// The number of the circle that each state is in. A circle leads only to circles with smaller numbers.
#[derive(Debug, Default)]
struct Circles {
    of: Vec<usize>,
    count: usize,
}

/// How much can still be shown from a circle on, and by which transition to leave it.
#[derive(Debug, Clone, Default)]
struct BestExit {
    shown: usize,
    length: usize,
    exit: Option<usize>,
}

impl StateGraph {
    /// The states of an exploration; `shows` has what each transition shows.
    pub(super) fn new(space: &StateSpace, shows: Vec<Vec<u32>>) -> StateGraph {
        let step =
            |(transition, shows): (&nodewise_engine::explore::state_space::StateTransition, Vec<u32>)| {
                GraphStep {
                    from: transition.from,
                    to: match transition.to {
                        NextState::State(state) => Some(state),
                        NextState::End(_) | NextState::Unknown => None,
                    },
                    shows,
                    is_fault: transition.is_fault,
                    is_limit: transition.to == NextState::End(Ending::Limit),
                }
            };
        let steps: Vec<GraphStep> = space.transitions.iter().zip(shows).map(step).collect();
        let mut leaving = vec![Vec::new(); space.states.max(1)];
        for (position, step) in steps.iter().enumerate() {
            leaving.get_mut(step.from).into_iter().for_each(|leaving| leaving.push(position));
        }
        let mut graph = StateGraph { steps, leaving, circles: [Circles::default(), Circles::default()] };
        graph.circles = [graph.circles_of(false), graph.circles_of(true)];
        graph
    }

    /// Everything that the transitions show.
    pub(super) fn possible(&self) -> AtomSet {
        self.steps.iter().flat_map(|step| step.shows.iter().copied()).collect()
    }

    /// A path from the start that shows as much of `wanted` as possible. If `is_sound`, nothing fails on it.
    pub(super) fn walk(&self, wanted: &AtomSet, is_sound: bool) -> Vec<usize> {
        let Some(circles) = self.circles.get(usize::from(is_sound)) else { return Vec::new() };
        let best = self.best(circles, wanted, is_sound);
        let (mut way, mut missing, mut state) = (Vec::new(), wanted.clone(), 0);
        while way.len() < STEPS_MAX {
            let circle = circles.of.get(state).copied().unwrap_or_default();
            let is_inside = |step: &GraphStep| {
                self.allows(step, is_sound) && step.to.is_some_and(|to| circles.of.get(to) == Some(&circle))
            };
            // First show everything that is possible inside the circle, the nearest first. Leave it only then, because
            // nothing leads back.
            let shows =
                |step: &GraphStep| is_inside(step) && step.shows.iter().any(|one| missing.contains(one));
            let exit = best.get(circle).and_then(|best| best.exit);
            let route = self
                .route(state, |_, step| shows(step), is_inside)
                .or_else(|| self.route(state, |position, _| Some(position) == exit, is_inside));
            let Some(route) = route else { break };
            for step in route.iter().filter_map(|position| self.steps.get(*position)) {
                missing.retain(|one| !step.shows.contains(one));
            }
            let last = route.last().and_then(|position| self.steps.get(*position));
            way.extend(&route);
            match last.and_then(|step| step.to) {
                Some(next) => state = next,
                None => break,
            }
        }
        way
    }

    /// The shortest path that shows `wanted`, if possible one without failures.
    pub(super) fn shortest(&self, wanted: u32) -> Option<Vec<usize>> {
        let shows = |step: &GraphStep| step.shows.contains(&wanted);
        let soundly = |step: &GraphStep| !step.is_fault;
        self.route(0, |_, step| shows(step) && soundly(step), soundly)
            .or_else(|| self.route(0, |_, step| shows(step), |_| true))
    }

    fn allows(&self, step: &GraphStep, is_sound: bool) -> bool {
        !is_sound || !step.is_fault
    }

    /// The shortest path from a state to a wanted transition, over allowed transitions.
    fn route(
        &self,
        from: usize,
        is_wanted: impl Fn(usize, &GraphStep) -> bool,
        is_allowed: impl Fn(&GraphStep) -> bool,
    ) -> Option<Vec<usize>> {
        let mut reached: Vec<Option<usize>> = vec![None; self.leaving.len()];
        let mut open = VecDeque::from([from]);
        while let Some(state) = open.pop_front() {
            for position in self.leaving.get(state).into_iter().flatten() {
                let Some(step) = self.steps.get(*position) else { continue };
                if is_wanted(*position, step) {
                    let (mut way, mut state) = (vec![*position], step.from);
                    while state != from {
                        let before = reached.get(state).copied().flatten()?;
                        way.push(before);
                        state = self.steps.get(before)?.from;
                    }
                    way.reverse();
                    return Some(way);
                }
                if let Some(to) = step.to.filter(|to| *to != from && is_allowed(step))
                    && let Some(slot @ None) = reached.get_mut(to)
                {
                    *slot = Some(*position);
                    open.push_back(to);
                }
            }
        }
        None
    }

    /// For each circle, how much can be shown from there on, and which transition to leave it by.
    fn best(&self, circles: &Circles, wanted: &AtomSet, is_sound: bool) -> Vec<BestExit> {
        let mut inside: Vec<BTreeSet<u32>> = vec![BTreeSet::new(); circles.count];
        let mut exits: Vec<Vec<usize>> = vec![Vec::new(); circles.count];
        for (position, step) in self.steps.iter().enumerate().filter(|(_, step)| self.allows(step, is_sound))
        {
            let Some(circle) = circles.of.get(step.from).copied() else { continue };
            let to = step.to.and_then(|to| circles.of.get(to).copied());
            if to == Some(circle) {
                let shown = step.shows.iter().filter(|one| wanted.contains(one));
                inside.get_mut(circle).into_iter().for_each(|inside| inside.extend(shown.clone()));
            } else if let Some(exits) = exits.get_mut(circle) {
                exits.push(position);
            }
        }
        let mut best: Vec<BestExit> = Vec::with_capacity(circles.count);
        for (own, exits) in inside.iter().zip(&exits) {
            let mut found = BestExit { shown: own.len(), length: usize::MAX, exit: None };
            for position in exits {
                let Some(step) = self.steps.get(*position) else { continue };
                let then = step.to.and_then(|to| best.get(*circles.of.get(to)?));
                let new = step.shows.iter().filter(|one| wanted.contains(one) && !own.contains(one)).count();
                let shown = own.len() + new + then.map_or(0, |then| then.shown);
                // A run that a limit ends shows less of what the graph is for.
                let length = then.map_or(0, |then| then.length.min(STEPS_MAX))
                    + 1
                    + usize::from(step.is_limit) * STEPS_MAX;
                if (shown, usize::MAX - length) > (found.shown, usize::MAX - found.length)
                    || found.exit.is_none()
                {
                    found = BestExit { shown, length, exit: Some(*position) };
                }
            }
            best.push(found);
        }
        best
    }

    /// Finds the circles with Tarjan's algorithm, without recursion, because a graph can have many states.
    fn circles_of(&self, is_sound: bool) -> Circles {
        const UNSEEN: usize = usize::MAX;
        let states = self.leaving.len();
        let mut found = Circles { of: vec![UNSEEN; states], count: 0 };
        let (mut index, mut low) = (vec![UNSEEN; states], vec![UNSEEN; states]);
        let (mut next, mut stack) = (0, Vec::new());
        for root in 0..states {
            if index.get(root) != Some(&UNSEEN) {
                continue;
            }
            let mut calls: Vec<(usize, usize)> = vec![(root, 0)];
            while let Some((state, position)) = calls.pop() {
                if position == 0 {
                    set(&mut index, state, next);
                    set(&mut low, state, next);
                    next += 1;
                    stack.push(state);
                }
                let steps = self.leaving.get(state).map(Vec::as_slice).unwrap_or_default();
                let step = steps.get(position).and_then(|step| self.steps.get(*step));
                if let Some(step) = step {
                    calls.push((state, position + 1));
                    let Some(to) = step.to.filter(|_| self.allows(step, is_sound)) else { continue };
                    if at(&index, to) == UNSEEN {
                        calls.push((to, 0));
                    } else if at(&found.of, to) == UNSEEN {
                        let lowest = at(&low, state).min(at(&index, to));
                        set(&mut low, state, lowest);
                    }
                    continue;
                }
                if at(&low, state) == at(&index, state) {
                    while let Some(member) = stack.pop() {
                        set(&mut found.of, member, found.count);
                        if member == state {
                            break;
                        }
                    }
                    found.count += 1;
                }
                if let Some((caller, _)) = calls.last() {
                    let lowest = at(&low, *caller).min(at(&low, state));
                    set(&mut low, *caller, lowest);
                }
            }
        }
        found
    }
}

fn at(list: &[usize], position: usize) -> usize {
    list.get(position).copied().unwrap_or_default()
}

fn set(list: &mut [usize], position: usize, value: usize) {
    list.get_mut(position).into_iter().for_each(|slot| *slot = value);
}

#[cfg(test)]
impl StateGraph {
    /// What each path from the beginning to an end shows; nothing where there are circles, or too many paths.
    pub(super) fn all_paths(&self, paths_max: usize, states_max: usize) -> Option<BTreeSet<AtomSet>> {
        let all = self.circles.first()?;
        let is_loop = |step: &GraphStep| step.to.is_some_and(|to| at(&all.of, to) == at(&all.of, step.from));
        if self.leaving.len() >= states_max || self.steps.iter().any(is_loop) {
            return None;
        }
        let (mut found, mut open, mut count) = (BTreeSet::new(), vec![(0, AtomSet::new())], 0);
        while let Some((state, shown)) = open.pop() {
            for step in self.leaving.get(state).into_iter().flatten().filter_map(|step| self.steps.get(*step))
            {
                let mut shown = shown.clone();
                shown.extend(&step.shows);
                match step.to {
                    Some(to) => open.push((to, shown)),
                    None => {
                        found.insert(shown);
                        count += 1;
                    }
                }
                if count > paths_max || open.len() > paths_max {
                    return None;
                }
            }
        }
        Some(found)
    }
}

//! Paths through the states that a search found.
//!
//! Input: states and transitions; output: sequences of transitions, circles, longest ways. Invariant: of several ways the
//! shortest one is taken, and of equal ones that which was found first.

use std::collections::VecDeque;

use super::explored::{Explored, Target, Transition};
use super::view::Observation;
use super::witness::Witness;

/// The states with what leads out of them.
pub(super) struct Paths<'e> {
    pub(super) explored: &'e Explored,
    pub(super) leaving: Vec<Vec<usize>>,
}

/// The beginning of a run.
const START: usize = 0;

impl<'e> Paths<'e> {
    pub(super) fn new(explored: &'e Explored) -> Paths<'e> {
        let mut leaving = vec![Vec::new(); explored.states.len()];
        for (position, transition) in explored.transitions.iter().enumerate() {
            leaving.get_mut(transition.from).into_iter().for_each(|leaving| leaving.push(position));
        }
        Paths { explored, leaving }
    }

    pub(super) fn transition(&self, position: usize) -> Option<&'e Transition> {
        self.explored.transitions.get(position)
    }

    /// The transitions that leave a state.
    pub(super) fn from(&self, state: usize) -> impl Iterator<Item = (usize, &'e Transition)> + '_ {
        let leaving = self.leaving.get(state).map_or(&[] as &[usize], Vec::as_slice);
        leaving.iter().filter_map(|position| Some((*position, self.transition(*position)?)))
    }

    /// Searches from the beginning, nearest states first. `look` is called with each transition that is reached, and
    /// its result says whether the search passes over it. Yields for each state the transition that first led there.
    pub(super) fn spread(&self, mut look: impl FnMut(usize, &Transition) -> bool) -> Vec<Option<usize>> {
        let mut reached: Vec<Option<usize>> = vec![None; self.explored.states.len()];
        let mut open = VecDeque::from([START]);
        while let Some(state) = open.pop_front() {
            for (position, transition) in self.from(state) {
                if !look(position, transition) {
                    continue;
                }
                if let Target::State(to) = transition.to
                    && to != START
                    && let Some(slot @ None) = reached.get_mut(to)
                {
                    *slot = Some(position);
                    open.push_back(to);
                }
            }
        }
        reached
    }

    /// The path to the end of a transition, if `reached` has the transition by which each state was reached.
    pub(super) fn way(&self, reached: &[Option<usize>], last: usize) -> Vec<usize> {
        let mut way = vec![last];
        let mut state = self.transition(last).map(|last| last.from);
        while let Some(before) = state.and_then(|state| reached.get(state).copied().flatten()) {
            way.push(before);
            state = self.transition(before).map(|before| before.from);
        }
        way.reverse();
        way
    }

    /// The answers on a way.
    pub(super) fn witness(&self, way: &[usize]) -> Witness {
        let mut witness = Witness::default();
        for transition in way.iter().filter_map(|position| self.transition(*position)) {
            witness.given.extend(transition.given.iter().cloned());
            let began = transition.observations.iter().filter_map(|observation| match observation {
                Observation::Began(at) => Some((at.graph.clone(), at.node.clone())),
                _ => None,
            });
            witness.path.extend(began);
        }
        witness
    }

    /// The states from which a path over allowed transitions leads to a wanted one.
    pub(super) fn leading_to(
        &self,
        is_wanted: impl Fn(&Transition) -> bool,
        is_allowed: impl Fn(&Transition) -> bool,
    ) -> Vec<bool> {
        let count = self.explored.states.len();
        let mut back: Vec<Vec<usize>> = vec![Vec::new(); count];
        let mut leads = vec![false; count];
        let mut open = VecDeque::new();
        for transition in &self.explored.transitions {
            if is_wanted(transition) {
                open.push_back(transition.from);
            }
            if let Target::State(to) = transition.to
                && is_allowed(transition)
            {
                back.get_mut(to).into_iter().for_each(|back| back.push(transition.from));
            }
        }
        while let Some(state) = open.pop_front() {
            let Some(slot @ false) = leads.get_mut(state) else { continue };
            *slot = true;
            open.extend(back.get(state).into_iter().flatten());
        }
        leads
    }

    /// The states in an order in which each comes after all that lead to it; `None` if there is a circle.
    pub(super) fn in_order(&self) -> Option<Vec<usize>> {
        let mut waits = vec![0_usize; self.explored.states.len()];
        for transition in &self.explored.transitions {
            if let Target::State(to) = transition.to {
                waits.get_mut(to).into_iter().for_each(|waits| *waits += 1);
            }
        }
        let mut order = Vec::with_capacity(waits.len());
        let mut open: VecDeque<usize> = VecDeque::from([START]);
        if waits.first().is_some_and(|waits| *waits > 0) {
            return None;
        }
        while let Some(state) = open.pop_front() {
            order.push(state);
            for (_, transition) in self.from(state) {
                if let Target::State(to) = transition.to
                    && let Some(waits) = waits.get_mut(to)
                {
                    *waits -= 1;
                    if *waits == 0 {
                        open.push_back(to);
                    }
                }
            }
        }
        (order.len() == waits.len()).then_some(order)
    }

    /// A circle of transitions through a state that visits only states for which `is_inside` holds.
    pub(super) fn circle(&self, through: usize, is_inside: impl Fn(usize) -> bool) -> Option<Vec<usize>> {
        let mut reached: Vec<Option<usize>> = vec![None; self.explored.states.len()];
        let mut open = VecDeque::from([through]);
        while let Some(state) = open.pop_front() {
            for (position, transition) in self.from(state) {
                let Target::State(to) = transition.to else { continue };
                if to == through {
                    let mut way = vec![position];
                    let mut state = transition.from;
                    while state != through {
                        let before = reached.get(state).copied().flatten()?;
                        way.push(before);
                        state = self.transition(before)?.from;
                    }
                    way.reverse();
                    return Some(way);
                }
                if is_inside(to)
                    && let Some(slot @ None) = reached.get_mut(to)
                {
                    *slot = Some(position);
                    open.push_back(to);
                }
            }
        }
        None
    }
}

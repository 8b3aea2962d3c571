//! What follows from the states that a search found.
//!
//! Input: states and transitions; output: the report. Invariant: what is said to happen was seen to happen again under
//! the witness's own script; what is said never to happen is said only where nothing was left out.

mod ends;
mod loops;
mod reads;
mod unreached;

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use smol_str::SmolStr;

use super::explored::{Explored, Target};
use super::guide::{Ending, Guide};
use super::paths::Paths;
use super::thread_pool::ThreadPool;
use super::view::{At, Clash, Observation, View};
use super::witness::{Witness, observations};
use super::{ExplorationFinding, ExplorationFindingKind, ExplorationReport};
use crate::event::Event;
use crate::outcome::Outcome;
use crate::running::Running;
pub(super) use reads::early_reads_are_known;

/// Everything that findings are made from.
pub(super) struct FindingInputs<'g> {
    /// The run before its beginning; threads take copies.
    run: Mutex<Box<dyn Running>>,
    pub(super) guide: &'g dyn Guide,
    pub(super) pool: &'g dyn ThreadPool,
    pub(super) paths: Paths<'g>,
    /// For each state, the transition that first led there, on any path.
    pub(super) reached: Vec<Option<usize>>,
    /// The same, for paths on which no model, tool or person fails.
    pub(super) reached_soundly: Vec<Option<usize>>,
}

/// Makes the report of a search.
pub(super) fn report(
    run: &dyn Running,
    guide: &dyn Guide,
    explored: &Explored,
    pool: &dyn ThreadPool,
) -> ExplorationReport {
    let paths = Paths::new(explored);
    let reached = paths.spread(|_, _| true);
    let reached_soundly = paths.spread(|_, transition| !transition.is_fault);
    let run = Mutex::new(run.copied());
    let inputs = FindingInputs { run, guide, pool, paths, reached, reached_soundly };
    let mut findings = unreached::findings(&inputs);
    findings.extend(ends::dead_ends(&inputs));
    findings.extend(ends::never_running(&inputs));
    findings.extend(loops::findings(&inputs));
    findings.extend(reads::findings(&inputs));
    findings.extend(clashes(&inputs));
    ExplorationReport {
        is_exhaustive: explored.is_complete && explored.gaps.is_empty(),
        gaps: explored.gaps.iter().cloned().collect(),
        notes: guide.notes(),
        states: explored.states.len(),
        transitions: explored.transitions.len(),
        findings,
        ends: ends::ends(&inputs),
        worst: loops::worst(&inputs),
    }
}

/// Findings about two visits that are under way at the same time and write the same key.
fn clashes(inputs: &FindingInputs<'_>) -> Vec<ExplorationFinding> {
    let mut known = BTreeSet::new();
    let mut found = Vec::new();
    for (position, transition) in inputs.paths.explored.transitions.iter().enumerate() {
        for observation in &transition.observations {
            let Observation::Clash(clash) = observation else { continue };
            let Clash { graph, key, nodes } = &**clash;
            if inputs.guide.combines(graph, key) {
                continue;
            }
            if known.insert((graph.clone(), key.clone(), nodes.clone())) {
                let witness =
                    inputs.confirmed(position, |observations, _, _| observations.contains(observation));
                let kind =
                    ExplorationFindingKind::ConflictingWrites { key: key.clone(), nodes: nodes.clone() };
                found.push(ExplorationFinding { kind, graph: graph.clone(), witness });
            }
        }
    }
    found
}

impl FindingInputs<'_> {
    /// The transitions of the shortest path to the end of a transition. It has no failures if that is possible.
    pub(super) fn way(&self, last: usize) -> Vec<usize> {
        let is_sound = self.paths.transition(last).is_some_and(|transition| {
            !transition.is_fault && (transition.from == 0 || self.is_sound(transition.from))
        });
        let reached = if is_sound { &self.reached_soundly } else { &self.reached };
        self.paths.way(reached, last)
    }

    /// Whether a path without failures leads to a state.
    pub(super) fn is_sound(&self, state: usize) -> bool {
        state == 0 || self.reached_soundly.get(state).is_some_and(Option::is_some)
    }

    /// The witness of the shortest path to the end of a transition, if a new run of it satisfies `shows`.
    pub(super) fn confirmed(
        &self,
        last: usize,
        shows: impl Fn(&[Observation], &View, &Outcome) -> bool,
    ) -> Option<Witness> {
        self.checked(self.paths.witness(&self.way(last)), shows)
    }

    /// The witness, if a new run of it satisfies `shows`.
    pub(super) fn checked(
        &self,
        witness: Witness,
        shows: impl Fn(&[Observation], &View, &Outcome) -> bool,
    ) -> Option<Witness> {
        let (log, outcome) = self.replay(&witness);
        let (observations, view) = observations(&log, View::new(self.guide));
        shows(&observations, &view, &outcome).then_some(witness)
    }

    /// Runs a witness again, and returns the events and the outcome.
    pub(super) fn replay(&self, witness: &Witness) -> (Vec<Event>, Outcome) {
        let run = self.run.lock().unwrap_or_else(PoisonError::into_inner).copied();
        witness.replay(run.as_ref())
    }

    /// What kind of end a transition leads to; `None` if it leads to a state or nowhere known.
    pub(super) fn ending(&self, target: &Target) -> Option<Ending> {
        match target {
            Target::End(ended) => Some(self.guide.judge(&ended.outcome)),
            _ => None,
        }
    }

    /// The main graph's id.
    pub(super) fn main(&self) -> SmolStr {
        self.guide.outlines().first().map(|main| main.id.clone()).unwrap_or_default()
    }
}

/// Whether the observation is that this node begins.
pub(super) fn began(observation: &Observation, graph: &str, node: &str) -> bool {
    matches!(observation, Observation::Began(At { graph: of, node: known }) if of == graph && known == node)
}

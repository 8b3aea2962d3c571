//! The runs of one target: everything that can happen, and chosen runs driven to their end.
//!
//! Input: a target; output: its states, what each transition shows, and candidates for scenarios. Invariant: what a candidate
//! shows was read off its own run, not off the exploration.

use std::collections::{BTreeMap, BTreeSet};

use nodewise_analysis::workspace::Snapshot;
use nodewise_engine::event::{Event, EventKind, ScopeId};
use nodewise_engine::explore::guide::Outline;
use nodewise_engine::explore::state_space::{NextState, StateSpace, state_space};
use nodewise_engine::explore::witness::Given;
use nodewise_engine::explore::{ExplorationBounds, Guide, Witness};
use nodewise_engine::outcome::Outcome;
use nodewise_engine::running::Running;
use nodewise_model::scenario::Scenario;
use smol_str::SmolStr;

use super::Goal;
use super::atoms::{Atom, AtomSet, Atoms, Goals};
use super::walk::StateGraph;
use crate::chart::Chart;
use crate::cores::{AllCores, on_a_thread};
use crate::coverage::{Coverage, CoverageFact, GraphKey, ObservedRun, Observer, Spot, key_of};
use crate::prepare::setting;
use crate::recording::Recording;
use crate::run::Facts;
use crate::runtime::Setting;
use crate::target::{SimulationTarget, TargetError};

/// A target, with everything that can happen in its runs.
pub(super) struct Explored<'t> {
    pub(super) target: &'t SimulationTarget,
    /// What its runs begin with.
    pub(super) start: Scenario,
    running: Box<dyn Running>,
    guide: Box<dyn Guide>,
    facts: Facts,
    space: StateSpace,
    /// What its runs reach, whatever the goal is.
    pub(super) seen: SeenInRuns,
    pub(super) states: StateGraph,
}

/// What explored runs reached.
#[derive(Debug, Default)]
pub(super) struct SeenInRuns {
    /// The graphs that ran, by the ids that the log calls them by.
    pub(super) graphs: BTreeSet<SmolStr>,
    /// The edges that were evaluated or followed.
    edges: BTreeSet<(GraphKey, Spot)>,
    /// The nodes that were visited.
    nodes: BTreeSet<(GraphKey, SmolStr)>,
}

/// A run that may become a scenario.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    /// The position of its target.
    pub(super) target: usize,
    given: Vec<Given>,
    pub(super) shown: AtomSet,
    /// The number of failed answers in the run.
    pub(super) faults: usize,
    pub(super) visits: usize,
}

/// The keys that nodes read: when they begin, and when their edges are evaluated.
#[derive(Default)]
struct Readers {
    by_node: BTreeMap<(SmolStr, SmolStr), [Vec<SmolStr>; 2]>,
}

impl<'t> Explored<'t> {
    /// Explores a target.
    pub(super) fn new(
        snapshot: &Snapshot,
        target: &'t SimulationTarget,
        start: Scenario,
        goal: Goal,
        bounds: &ExplorationBounds,
        atoms: &mut Atoms,
    ) -> Result<Explored<'t>, TargetError> {
        let Setting { running, facts, guide, .. } = setting(snapshot, target, &start)?;
        let guide = guide();
        let (run, guided) = (running.copied(), guide.as_ref());
        let space = on_a_thread(move || state_space(&*run, guided, bounds, &AllCores));
        let readers = Readers::of(guide.outlines());
        let mut seen = SeenInRuns::default();
        let shows = shown_by_transitions(&observed(&facts), &space, goal, &readers, (atoms, &mut seen));
        let states = StateGraph::new(&space, shows);
        Ok(Explored { target, start, running, guide, facts, space, seen, states })
    }

    /// Whether everything that can happen was seen.
    pub(super) fn is_exhaustive(&self) -> bool {
        self.space.is_exhaustive
    }

    /// Why not everything was explored.
    pub(super) fn gaps(&self) -> &[String] {
        &self.space.gaps
    }

    pub(super) fn state_count(&self) -> usize {
        self.space.states
    }

    /// The id that the log calls the graph by.
    pub(super) fn main(&self) -> Option<&SmolStr> {
        let outlined = self.guide.outlines().first().map(|outline| &outline.id);
        outlined.filter(|id| self.facts.charts.graph(id).is_some()).or_else(|| self.seen.graphs.first())
    }

    /// What scenarios of the target must show.
    pub(super) fn add_goals(&self, goal: Goal, goals: &mut Goals) {
        let Some(chart) = self.main().and_then(|main| self.facts.charts.graph(main)) else { return };
        let outline = self.guide.outlines().first();
        let key = key_of(self.facts.system, chart);
        match (goal, outline) {
            (Goal::Keys, Some(outline)) => add_keys(outline, chart, &key, goals),
            (_, Some(outline)) if self.facts.system.nodes_are_one_graph() => {
                // The nodes of a project are one graph. Only those that a run from here can reach belong to the goal.
                let is_inside = |id: &SmolStr| outline.nodes.iter().any(|node| node.id == *id);
                let nodes = chart.nodes.iter().filter(|node| is_inside(&node.id)).cloned();
                let edges =
                    chart.edges.iter().filter(|edge| edge.from.as_ref().is_none_or(is_inside)).cloned();
                let inside = Chart::new(chart.id.clone(), nodes.collect(), edges.collect());
                goals.add(goal, &Coverage::uncovered(self.facts.system, &inside));
            }
            _ => goals.add(goal, &Coverage::uncovered(self.facts.system, chart)),
        }
    }

    /// Makes a run along a path of the exploration, and drives it to its end.
    pub(super) fn candidate(&self, number: usize, way: &[usize], goal: Goal, atoms: &mut Atoms) -> Candidate {
        let transitions = way.iter().filter_map(|position| self.space.transitions.get(*position));
        let given = transitions.flat_map(|transition| transition.given.iter().cloned()).collect();
        let witness = Witness { given, path: Vec::new() };
        let (given, events, _) = witness.completed(self.running.as_ref(), self.guide.as_ref());
        let readers = Readers::of(self.guide.outlines());
        let mut reader = Reader { observer: Observer::new(observed(&self.facts)), goal, readers: &readers };
        let mut shown = AtomSet::new();
        for event in &events {
            reader.read(event, (atoms, &mut shown), &mut SeenInRuns::default());
        }
        let is_fault =
            |given: &&Given| matches!(given, Given::Answer { answer, .. } if answer.result.is_err());
        Candidate {
            target: number,
            faults: given.iter().filter(is_fault).count(),
            visits: events
                .iter()
                .filter(|event| matches!(event.kind, EventKind::VisitStarted { .. }))
                .count(),
            given,
            shown,
        }
    }

    /// The run of a candidate, with its whole log.
    pub(super) fn recording(&self, candidate: &Candidate) -> Recording {
        let witness = Witness { given: candidate.given.clone(), path: Vec::new() };
        let (_, events, outcome): (_, Vec<Event>, Outcome) =
            witness.completed(self.running.as_ref(), self.guide.as_ref());
        self.facts.recording(events, outcome)
    }
}

fn observed(facts: &Facts) -> ObservedRun<'_> {
    ObservedRun { system: facts.system, charts: &facts.charts, beside: &facts.beside, clock: facts.clock }
}

/// The keys that something in a graph reads.
fn add_keys(outline: &Outline, chart: &Chart, key: &GraphKey, goals: &mut Goals) {
    for node in &outline.nodes {
        let place = chart.node(&node.id).and_then(|node| node.place.as_ref());
        for read in node.reads.iter().chain(&node.tests) {
            goals.add_key(key, read, place);
        }
    }
}

impl SeenInRuns {
    fn note(&mut self, fact: &CoverageFact) {
        match fact {
            CoverageFact::Began(graph) => {
                self.graphs.insert(graph.clone());
            }
            CoverageFact::Judged { graph, edge, .. } | CoverageFact::Followed(graph, edge) => {
                self.edges.insert((graph.clone(), edge.clone()));
            }
            CoverageFact::Visited(graph, (.., node)) => {
                self.nodes.insert((graph.clone(), node.clone()));
            }
            CoverageFact::Chose { .. } => {}
        }
    }

    /// Whether a node was visited.
    pub(super) fn has_node(&self, graph: &GraphKey, node: &SmolStr) -> bool {
        self.nodes.contains(&(graph.clone(), node.clone()))
    }

    /// Whether an edge was evaluated or followed.
    pub(super) fn has_edge(&self, graph: &GraphKey, edge: &Spot) -> bool {
        self.edges.contains(&(graph.clone(), edge.clone()))
    }
}

impl Readers {
    fn of(outlines: &[Outline]) -> Readers {
        let mut readers = Readers::default();
        for outline in outlines {
            for node in &outline.nodes {
                let reads = [node.reads.clone(), node.tests.clone()];
                readers.by_node.insert((outline.id.clone(), node.id.clone()), reads);
            }
        }
        readers
    }

    /// The keys that a node reads: when it begins, or when its edges are looked at.
    fn keys(&self, graph: &SmolStr, node: &SmolStr, by_edges: bool) -> &[SmolStr] {
        let reads = self.by_node.get(&(graph.clone(), node.clone()));
        reads.and_then(|reads| reads.get(usize::from(by_edges))).map(Vec::as_slice).unwrap_or_default()
    }
}

/// Finds what events show for a goal.
#[derive(Clone)]
struct Reader<'r> {
    observer: Observer<'r>,
    goal: Goal,
    readers: &'r Readers,
}

impl Reader<'_> {
    fn read(&mut self, event: &Event, (atoms, shown): (&mut Atoms, &mut AtomSet), seen: &mut SeenInRuns) {
        let mut facts = Vec::new();
        self.observer.read(event, &mut facts);
        for fact in facts {
            seen.note(&fact);
            shown.extend(atoms.of_fact(self.goal, fact));
        }
        if self.goal == Goal::Keys {
            self.keys(event, atoms, shown);
        }
    }

    fn keys(&self, event: &Event, atoms: &mut Atoms, shown: &mut AtomSet) {
        let cast = self.observer.cast();
        let found = match &event.kind {
            EventKind::VisitStarted { scope, node, .. } => Some((*scope, node.clone(), false)),
            EventKind::EdgeJudged { visit, .. } | EventKind::HandedOver { visit, .. } => {
                cast.visit(*visit).map(|visit| (visit.scope, visit.node.clone(), true))
            }
            _ => None,
        };
        let Some((scope, node, by_edges)) = found else { return };
        let Some((graph, key)) = self.graph(scope) else { return };
        let Some(state) = self.observer.states().of(scope) else { return };
        for read in self.readers.keys(&graph, &node, by_edges) {
            if state.get(read).is_some() {
                shown.insert(atoms.number(Atom::Key(key.clone(), read.clone())));
            }
        }
    }

    fn graph(&self, scope: ScopeId) -> Option<(SmolStr, GraphKey)> {
        let graph = self.observer.cast().scope(scope)?.graph.clone();
        let key = self.observer.key(&graph)?.clone();
        Some((graph, key))
    }
}

/// What each transition shows.
fn shown_by_transitions(
    run: &ObservedRun<'_>,
    space: &StateSpace,
    goal: Goal,
    readers: &Readers,
    (atoms, seen): (&mut Atoms, &mut SeenInRuns),
) -> Vec<Vec<u32>> {
    let begin = Reader { observer: Observer::new(*run), goal, readers };
    // Reading continues in each state from where the first transition to it ended.
    let mut at_states: Vec<Option<Reader<'_>>> = Vec::new();
    at_states.resize_with(space.states.max(1), || None);
    if let Some(first) = at_states.first_mut() {
        *first = Some(begin);
    }
    let mut last_of_state = vec![0; at_states.len()];
    let mut is_reached = vec![false; at_states.len()];
    is_reached.first_mut().into_iter().for_each(|first| *first = true);
    for (position, transition) in space.transitions.iter().enumerate() {
        last_of_state.get_mut(transition.from).into_iter().for_each(|last| *last = position);
    }
    let mut shows = Vec::with_capacity(space.transitions.len());
    for (position, transition) in space.transitions.iter().enumerate() {
        let is_last = last_of_state.get(transition.from) == Some(&position);
        let slot = at_states.get_mut(transition.from);
        let reader = slot.and_then(|slot| if is_last { slot.take() } else { slot.clone() });
        let mut shown = BTreeSet::new();
        if let Some(mut reader) = reader {
            for event in &transition.events {
                reader.read(event, (atoms, &mut shown), seen);
            }
            if let NextState::State(to) = transition.to
                && let Some(is_reached @ false) = is_reached.get_mut(to)
            {
                *is_reached = true;
                at_states.get_mut(to).into_iter().for_each(|slot| *slot = Some(reader.clone()));
            }
        }
        shows.push(shown.into_iter().collect());
    }
    shows
}

/// A candidate that shows this.
#[cfg(test)]
pub(super) fn candidate_of(shown: AtomSet) -> Candidate {
    Candidate { target: 0, given: Vec::new(), shown, faults: 0, visits: 0 }
}

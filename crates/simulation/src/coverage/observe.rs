//! What one run goes through, event by event.
//!
//! Input: events, and what is known of the run beside them; output: what each event means for coverage. Invariant: a copy
//! continues as the original would, so that runs that begin alike are read once.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use nodewise_engine::ask::Question;
use nodewise_engine::event::{Event, EventKind, ScopeId, VisitId};
use nodewise_engine::fold::States;
use nodewise_expr::assist::Atoms;
use nodewise_expr::value::Map;
use smol_str::{SmolStr, format_smolstr};

use super::{GraphKey, Spot};
use crate::chart::{Chart, ChartCondition, ChartEdge, Charts, SourceLocation};
use crate::explain::circumstances;
use crate::recording::{LogIndex, now};
use crate::system::{ConditionContext, RunnableSystem};

/// The words for what is decided about an edge.
const FOLLOWED: SmolStr = SmolStr::new_static("followed");
const PASSED_OVER: SmolStr = SmolStr::new_static("passed over");

/// What is known of a run besides its log.
#[derive(Clone, Copy)]
pub(crate) struct ObservedRun<'r> {
    /// Whose graph runs.
    pub(crate) system: RunnableSystem,
    /// The graphs that it can visit.
    pub(crate) charts: &'r Charts,
    /// What conditions can read besides the state.
    pub(crate) beside: &'r Map,
    /// The time that conditions read when it begins, in seconds.
    pub(crate) clock: f64,
}

/// What an event means for coverage.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum CoverageFact {
    /// A graph runs. Holds the id that the log uses for it.
    Began(SmolStr),
    /// A node is visited.
    Visited(GraphKey, Spot),
    /// An edge was evaluated, and followed or not. `values` are those of the parts of its condition.
    Judged { graph: GraphKey, edge: Spot, is_followed: bool, values: Option<Vec<Option<bool>>> },
    /// An edge is followed without being evaluated.
    Followed(GraphKey, Spot),
    /// A node chose where to continue. `values` are those of the parts of its condition.
    Chose { graph: GraphKey, node: Spot, target: SmolStr, values: Vec<Option<bool>> },
}

/// The result of an edge that is followed, or not.
pub(crate) const fn result_of(is_followed: bool) -> SmolStr {
    if is_followed { FOLLOWED } else { PASSED_OVER }
}

/// The key of a graph. If all nodes of a project are one graph, it is the same for each of their charts.
pub(crate) fn key_of(system: RunnableSystem, chart: &Chart) -> GraphKey {
    if system.nodes_are_one_graph() {
        return GraphKey { path: SmolStr::default(), id: SmolStr::default() };
    }
    let place = chart.nodes.iter().find_map(|node| node.place.as_ref());
    GraphKey { path: place.map(|place| place.path.clone()).unwrap_or_default(), id: chart.id.clone() }
}

/// Reads the events of a run, and finds out what they mean for coverage.
#[derive(Clone)]
pub(crate) struct Observer<'r> {
    run: ObservedRun<'r>,
    cast: LogIndex,
    states: States,
    /// The keys of the graphs that ran, by the ids that the log calls them by.
    keys: BTreeMap<SmolStr, GraphKey>,
    atoms: Rc<KnownAtoms>,
    /// The function that was asked last.
    asked: Option<SmolStr>,
    /// The nodes that another node runs for each of many items, by the graph and that other node.
    workers: BTreeMap<(SmolStr, SmolStr), Vec<SmolStr>>,
    /// The edges from the start that were already followed, in each run of a graph.
    entered: BTreeSet<(ScopeId, Spot)>,
}

/// The atoms of conditions, by their texts.
#[derive(Default)]
pub(super) struct KnownAtoms(RefCell<BTreeMap<Arc<str>, Option<Rc<Atoms>>>>);

impl<'r> Observer<'r> {
    /// A run that has not begun.
    pub(crate) fn new(run: ObservedRun<'r>) -> Observer<'r> {
        Observer {
            run,
            cast: LogIndex::default(),
            states: States::default(),
            keys: BTreeMap::new(),
            atoms: Rc::default(),
            asked: None,
            workers: BTreeMap::new(),
            entered: BTreeSet::new(),
        }
    }

    /// The states of the graphs after the events that were read.
    pub(crate) fn states(&self) -> &States {
        &self.states
    }

    /// Who is who in the events that were read.
    pub(crate) fn cast(&self) -> &LogIndex {
        &self.cast
    }

    /// The key of a graph that ran, by the id that the log calls it by.
    pub(crate) fn key(&self, graph: &SmolStr) -> Option<&GraphKey> {
        self.keys.get(graph)
    }

    /// Reads an event.
    pub(crate) fn read(&mut self, event: &Event, facts: &mut Vec<CoverageFact>) {
        self.cast.apply(event);
        self.states.apply(event);
        let charts = self.run.charts;
        match &event.kind {
            EventKind::GraphStarted { graph, .. } => {
                if let Some(chart) = charts.graph(graph).filter(|_| !self.keys.contains_key(graph)) {
                    self.keys.insert(graph.clone(), key_of(self.run.system, chart));
                    for node in &chart.nodes {
                        if let Some(runner) = &node.asks_for {
                            let workers = self.workers.entry((graph.clone(), runner.clone())).or_default();
                            workers.push(node.id.clone());
                        }
                    }
                    facts.push(CoverageFact::Began(graph.clone()));
                }
            }
            EventKind::VisitStarted { visit, scope, node, .. } => {
                let Some(chart) = self.cast.chart(charts, *visit) else { return };
                self.visit(chart, node, facts);
                self.enter(chart, *scope, node, facts);
            }
            EventKind::Asked { what, .. } => {
                if let Question::Function(function) = &what.what {
                    self.asked = Some(function.path.clone());
                }
            }
            EventKind::EdgeJudged { visit, edge, target, followed, reason } => {
                let Some((chart, from)) = self.place_of(*visit) else { return };
                if let Some(edge) = chart.edge(&from, *edge, target) {
                    self.judged(event, *visit, (chart, edge), (*followed, reason.as_ref()), facts);
                }
            }
            EventKind::HandedOver { visit, target, .. } => {
                let Some((chart, from)) = self.place_of(*visit) else { return };
                facts.extend(self.chose(event, *visit, (chart, &from), target));
                let mut leaving = chart.leaving(&from).filter(|edge| edge.is_declared());
                let edge = leaving.find(|edge| edge.to.as_ref() == Some(target));
                let key = self.keys.get(&chart.id);
                facts.extend(
                    edge.zip(key).map(|(edge, key)| CoverageFact::Followed(key.clone(), spot_of(edge))),
                );
            }
            _ => {}
        }
    }

    /// The graph of a visit, and its node.
    fn place_of(&self, visit: VisitId) -> Option<(&'r Chart, SmolStr)> {
        let node = self.cast.visit(visit)?.node.clone();
        Some((self.cast.chart(self.run.charts, visit)?, node))
    }

    fn visit(&self, chart: &Chart, node: &SmolStr, facts: &mut Vec<CoverageFact>) {
        let Some(key) = self.keys.get(&chart.id) else { return };
        // What another node runs for each of many items is visited with it.
        let workers = self.workers.get(&(chart.id.clone(), node.clone()));
        for id in std::iter::once(node).chain(workers.into_iter().flatten()) {
            let place = chart.node(id).and_then(|node| node.place.as_ref());
            facts.push(CoverageFact::Visited(key.clone(), spot(place, id.clone())));
        }
    }

    /// An edge from where runs begin is followed when its node is visited.
    fn enter(&mut self, chart: &Chart, scope: ScopeId, node: &SmolStr, facts: &mut Vec<CoverageFact>) {
        let begins = |edge: &&ChartEdge| edge.is_declared() && edge.to.as_ref() == Some(node);
        for edge in chart.leaving("").filter(begins).filter(|edge| edge.from.is_none()) {
            if self.entered.insert((scope, spot_of(edge)))
                && let Some(key) = self.keys.get(&chart.id)
            {
                facts.push(CoverageFact::Followed(key.clone(), spot_of(edge)));
            }
        }
    }

    fn judged(
        &mut self,
        event: &Event,
        visit: VisitId,
        (chart, edge): (&Chart, &ChartEdge),
        (is_followed, reason): (bool, Option<&SmolStr>),
        facts: &mut Vec<CoverageFact>,
    ) {
        let values = edge.condition.as_ref().and_then(|condition| {
            let is_evaluated = self.is_evaluated(condition, reason);
            is_evaluated.then(|| self.values(event, visit, chart, condition, Some(is_followed))).flatten()
        });
        let Some(graph) = self.keys.get(&chart.id).cloned() else { return };
        facts.push(CoverageFact::Judged { graph, edge: spot_of(edge), is_followed, values });
    }

    /// A node chose where to continue.
    fn chose(
        &self,
        event: &Event,
        visit: VisitId,
        (chart, node): (&Chart, &SmolStr),
        target: &SmolStr,
    ) -> Option<CoverageFact> {
        let charted = chart.node(node)?;
        let condition = charted.condition.as_ref().filter(|condition| self.atoms.is_choice(condition))?;
        let values = self.values(event, visit, chart, condition, None)?;
        let graph = self.keys.get(&chart.id)?.clone();
        let node = spot(charted.place.as_ref(), node.clone());
        Some(CoverageFact::Chose { graph, node, target: target.clone(), values })
    }

    /// Whether the condition decided the edge, and nothing before it.
    fn is_evaluated(&mut self, condition: &ChartCondition, reason: Option<&SmolStr>) -> bool {
        let asked = self.asked.take();
        self.run.system.evaluates_before_reasons()
            || reason.is_none()
            || asked.is_some_and(|path| condition.text.contains(path.as_str()))
    }

    /// What the parts of a condition came to.
    fn values(
        &self,
        event: &Event,
        visit: VisitId,
        chart: &Chart,
        condition: &ChartCondition,
        is_followed: Option<bool>,
    ) -> Option<Vec<Option<bool>>> {
        let Some(atoms) = self.atoms.of(condition) else {
            return Some(vec![is_followed]);
        };
        let judging = self.cast.visit(visit)?;
        let (scope, error) = (judging.scope, judging.error.as_ref());
        let state = self.states.of(scope)?;
        let beside = self.run.beside;
        let moment = ConditionContext {
            now: now(self.run.clock, event.at),
            state,
            beside,
            native: self.cast.seen(),
            error,
        };
        let is_single = atoms.ranges().count() == 1;
        let has_function_paths =
            condition.language.is_some_and(|language| language.syntax().has_function_paths);
        match atoms.values(&circumstances(self.run.system, &moment, chart.strict_taint)) {
            Some(values) => Some(values),
            // A function of the program decides.
            None if is_single && has_function_paths => Some(vec![is_followed]),
            None => None,
        }
    }
}

impl KnownAtoms {
    pub(super) fn of(&self, condition: &ChartCondition) -> Option<Rc<Atoms>> {
        let parse =
            || condition.language.and_then(|language| Atoms::of(language, &condition.text)).map(Rc::new);
        let mut known = self.0.borrow_mut();
        known.entry(Arc::clone(&condition.text)).or_insert_with(parse).clone()
    }

    /// Whether a condition chooses between names; one that yields a name has no parts that decide.
    pub(super) fn is_choice(&self, condition: &ChartCondition) -> bool {
        self.of(condition).is_some_and(|atoms| atoms.is_choice())
    }
}

/// The spot of an edge; the targets of one edge share it.
pub(super) fn spot_of(edge: &ChartEdge) -> Spot {
    let from = edge.from.as_deref().unwrap_or_default();
    match &edge.place {
        Some(place) => spot(Some(place), SmolStr::new(from)),
        None => spot(None, format_smolstr!("{from} {}", edge.number)),
    }
}

pub(super) fn spot(place: Option<&SourceLocation>, name: SmolStr) -> Spot {
    match place {
        Some(place) => (place.path.clone(), place.line, place.column, name),
        None => (SmolStr::default(), 0, 0, name),
    }
}

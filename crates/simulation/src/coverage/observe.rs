//! What one run went through.
//!
//! Input: a recording; output: its coverage. Invariant: a graph that ran is there with all its nodes and edges, visited
//! or not.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use nodewise_engine::ask::Question;
use nodewise_engine::event::{Event, EventKind, ScopeId, VisitId};
use nodewise_engine::fold::States;
use nodewise_expr::assist::Atoms;
use smol_str::{SmolStr, format_smolstr};

use super::{Conditions, Coverage, EdgeCoverage, GraphCoverage, GraphKey, NodeCoverage, Spot};
use crate::chart::{Chart, ChartCondition, ChartEdge, Charts, SourceLocation};
use crate::explain::circumstances;
use crate::recording::{LogIndex, Recording};
use crate::system::{ConditionContext, RunnableSystem};

/// What is decided about an edge.
const FOLLOWED: SmolStr = SmolStr::new_static("followed");
const PASSED_OVER: SmolStr = SmolStr::new_static("passed over");

pub(super) fn observe(recording: &Recording) -> Coverage {
    let mut observer = Observer {
        recording,
        cast: LogIndex::default(),
        states: States::default(),
        coverage: Coverage::default(),
        keys: BTreeMap::new(),
        atoms: BTreeMap::new(),
        asked: None,
        workers: BTreeMap::new(),
        entered: BTreeSet::new(),
    };
    let charts = Arc::clone(&recording.charts);
    for event in &recording.events {
        observer.cast.apply(event);
        observer.states.apply(event);
        observer.event(event, &charts);
    }
    observer.coverage
}

/// The key of a graph; the nodes of a project of nodes are one graph, wherever a run begins.
pub(crate) fn key_of(system: RunnableSystem, chart: &Chart) -> GraphKey {
    if system.nodes_are_one_graph() {
        return GraphKey { path: SmolStr::default(), id: SmolStr::default() };
    }
    let place = chart.nodes.iter().find_map(|node| node.place.as_ref());
    GraphKey { path: place.map(|place| place.path.clone()).unwrap_or_default(), id: chart.id.clone() }
}

struct Observer<'r> {
    recording: &'r Recording,
    cast: LogIndex,
    states: States,
    coverage: Coverage,
    /// The keys of the graphs that ran, by the ids that the log calls them by.
    keys: BTreeMap<SmolStr, GraphKey>,
    /// The atoms of conditions, by their texts.
    atoms: BTreeMap<Arc<str>, Option<Atoms>>,
    /// The function that was asked last.
    asked: Option<SmolStr>,
    /// The nodes that others run for each of many items, by graph and the node that runs them.
    workers: BTreeMap<(SmolStr, SmolStr), Vec<SmolStr>>,
    /// The edges from where runs begin that were followed.
    entered: BTreeSet<(ScopeId, Spot)>,
}

impl Observer<'_> {
    fn event(&mut self, event: &Event, charts: &Charts) {
        match &event.kind {
            EventKind::GraphStarted { graph, .. } => self.graph(graph, charts),
            EventKind::VisitStarted { visit, scope, node, .. } => {
                let Some(chart) = self.cast.chart(charts, *visit) else { return };
                self.visit(chart, node);
                self.enter(chart, *scope, node);
            }
            EventKind::Asked { what, .. } => {
                if let Question::Function(function) = &what.what {
                    self.asked = Some(function.path.clone());
                }
            }
            EventKind::EdgeJudged { visit, edge, target, followed, reason } => {
                let Some(from) = self.cast.visit(*visit).map(|visit| visit.node.clone()) else { return };
                let Some(chart) = self.cast.chart(charts, *visit) else { return };
                if let Some(edge) = chart.edge(&from, *edge, target) {
                    self.judged(event, *visit, (chart, edge), *followed, reason.as_ref());
                }
            }
            EventKind::HandedOver { visit, target, .. } => {
                let Some(from) = self.cast.visit(*visit).map(|visit| visit.node.clone()) else { return };
                let Some(chart) = self.cast.chart(charts, *visit) else { return };
                self.chose(event, *visit, (chart, &from), target);
                let mut leaving = chart.leaving(&from).filter(|edge| edge.is_declared());
                if let Some(edge) = leaving.find(|edge| edge.to.as_ref() == Some(target))
                    && let Some(covered) = self.edge(chart, edge)
                {
                    covered.followed += 1;
                }
            }
            _ => {}
        }
    }

    /// A graph begins to run: all of it can be covered.
    fn graph(&mut self, id: &SmolStr, charts: &Charts) {
        let Some(chart) = charts.graph(id) else { return };
        if self.keys.contains_key(id) {
            return;
        }
        let key = key_of(self.recording.system, chart);
        self.keys.insert(id.clone(), key.clone());
        let title = match self.recording.system.nodes_are_one_graph() {
            true => "nodes of the project".to_owned(),
            _ if id.is_empty() => "a graph without a name".to_owned(),
            _ => format!("graph `{id}`"),
        };
        let mut graph = GraphCoverage { title, ..GraphCoverage::default() };
        for node in &chart.nodes {
            let choice = node.condition.as_ref().filter(|condition| self.is_choice(condition));
            let covered = NodeCoverage {
                label: node.label.clone(),
                place: node.place.clone(),
                visits: 0,
                condition: choice.map(|condition| self.conditions(condition)),
            };
            graph.nodes.insert(spot(node.place.as_ref(), node.id.clone()), covered);
            if let Some(runner) = &node.asks_for {
                self.workers.entry((id.clone(), runner.clone())).or_default().push(node.id.clone());
            }
        }
        let label = |id: &SmolStr| chart.node(id).map_or_else(|| id.clone(), |node| node.label.clone());
        for edge in chart.edges.iter().filter(|edge| edge.is_declared()) {
            let condition = edge.condition.as_ref().map(|condition| self.conditions(condition));
            let covered = graph.edges.entry(spot_of(edge)).or_insert_with(|| EdgeCoverage {
                from: edge.from.as_ref().map(label),
                to: Vec::new(),
                place: edge.place.clone(),
                followed: 0,
                passed_over: 0,
                condition,
            });
            covered.to.extend(edge.to.as_ref().map(label));
        }
        self.coverage.graphs.entry(key).or_insert(graph);
    }

    fn visit(&mut self, chart: &Chart, node: &SmolStr) {
        let key = self.keys.get(&chart.id);
        let Some(graph) = key.and_then(|key| self.coverage.graphs.get_mut(key)) else { return };
        // What another node runs for each of many items is visited with it.
        let workers = self.workers.get(&(chart.id.clone(), node.clone()));
        for id in std::iter::once(node).chain(workers.into_iter().flatten()) {
            let place = chart.node(id).and_then(|node| node.place.as_ref());
            if let Some(covered) = graph.nodes.get_mut(&spot(place, id.clone())) {
                covered.visits += 1;
            }
        }
    }

    /// An edge from where runs begin is followed when its node is visited.
    fn enter(&mut self, chart: &Chart, scope: ScopeId, node: &SmolStr) {
        let begins = |edge: &&ChartEdge| edge.is_declared() && edge.to.as_ref() == Some(node);
        for edge in chart.leaving("").filter(begins).filter(|edge| edge.from.is_none()) {
            if self.entered.insert((scope, spot_of(edge)))
                && let Some(covered) = self.edge(chart, edge)
            {
                covered.followed += 1;
            }
        }
    }

    fn judged(
        &mut self,
        event: &Event,
        visit: VisitId,
        (chart, edge): (&Chart, &ChartEdge),
        is_followed: bool,
        reason: Option<&SmolStr>,
    ) {
        let values = edge.condition.as_ref().and_then(|condition| {
            let is_evaluated = self.is_evaluated(condition, reason);
            is_evaluated.then(|| self.values(event, visit, chart, condition, Some(is_followed))).flatten()
        });
        let Some(covered) = self.edge(chart, edge) else { return };
        covered.followed += u64::from(is_followed);
        covered.passed_over += u64::from(!is_followed);
        if let (Some(values), Some(condition)) = (values, &mut covered.condition) {
            condition.count(values, if is_followed { FOLLOWED } else { PASSED_OVER });
        }
    }

    /// A node chose where to continue.
    fn chose(&mut self, event: &Event, visit: VisitId, (chart, node): (&Chart, &SmolStr), target: &SmolStr) {
        let Some(charted) = chart.node(node) else { return };
        let Some(condition) = charted.condition.as_ref().filter(|condition| self.is_choice(condition)) else {
            return;
        };
        let Some(values) = self.values(event, visit, chart, condition, None) else { return };
        let graph = self.keys.get(&chart.id).and_then(|key| self.coverage.graphs.get_mut(key));
        let covered =
            graph.and_then(|graph| graph.nodes.get_mut(&spot(charted.place.as_ref(), node.clone())));
        if let Some(conditions) = covered.and_then(|covered| covered.condition.as_mut()) {
            conditions.count(values, target.clone());
        }
    }

    /// Whether a condition chooses between names; one that yields a name has no parts that decide.
    fn is_choice(&mut self, condition: &ChartCondition) -> bool {
        self.atoms_of(condition).as_ref().is_some_and(Atoms::is_choice)
    }

    /// Whether the condition decided the edge, and nothing before it.
    fn is_evaluated(&mut self, condition: &ChartCondition, reason: Option<&SmolStr>) -> bool {
        let asked = self.asked.take();
        self.recording.system.evaluates_before_reasons()
            || reason.is_none()
            || asked.is_some_and(|path| condition.text.contains(path.as_str()))
    }

    /// What the parts of a condition came to.
    fn values(
        &mut self,
        event: &Event,
        visit: VisitId,
        chart: &Chart,
        condition: &ChartCondition,
        is_followed: Option<bool>,
    ) -> Option<Vec<Option<bool>>> {
        let Some(atoms) = self.atoms.get(&condition.text).and_then(Option::as_ref) else {
            return Some(vec![is_followed]);
        };
        let judging = self.cast.visit(visit)?;
        let (scope, error) = (judging.scope, judging.error.as_ref());
        let state = self.states.of(scope)?;
        let beside = &self.recording.beside;
        let moment = ConditionContext {
            now: self.recording.now(event.at),
            state,
            beside,
            native: self.cast.seen(),
            error,
        };
        let is_single = atoms.ranges().count() == 1;
        let has_function_paths =
            condition.language.is_some_and(|language| language.syntax().has_function_paths);
        match atoms.values(&circumstances(self.recording.system, &moment, chart.strict_taint)) {
            Some(values) => Some(values),
            // A function of the program decides.
            None if is_single && has_function_paths => Some(vec![is_followed]),
            None => None,
        }
    }

    /// A condition that was not evaluated yet; one that is no expression is one part.
    fn conditions(&mut self, condition: &ChartCondition) -> Conditions {
        let text = &condition.text;
        let atoms = self.atoms_of(condition);
        let parts: Arc<[SmolStr]> = match atoms {
            Some(atoms) => atoms
                .ranges()
                .map(|range| SmolStr::new(text.get(Range::<usize>::from(range)).unwrap_or_default()))
                .collect(),
            None => [SmolStr::new(text)].into(),
        };
        Conditions::new(Arc::clone(text), parts)
    }

    fn atoms_of(&mut self, condition: &ChartCondition) -> &Option<Atoms> {
        let parse = || condition.language.and_then(|language| Atoms::of(language, &condition.text));
        self.atoms.entry(Arc::clone(&condition.text)).or_insert_with(parse)
    }

    fn edge(&mut self, chart: &Chart, edge: &ChartEdge) -> Option<&mut EdgeCoverage> {
        self.coverage.graphs.get_mut(self.keys.get(&chart.id)?)?.edges.get_mut(&spot_of(edge))
    }
}

/// The spot of an edge; the targets of one edge share it.
fn spot_of(edge: &ChartEdge) -> Spot {
    let from = edge.from.as_deref().unwrap_or_default();
    match &edge.place {
        Some(place) => spot(Some(place), SmolStr::new(from)),
        None => spot(None, format_smolstr!("{from} {}", edge.number)),
    }
}

fn spot(place: Option<&SourceLocation>, name: SmolStr) -> Spot {
    match place {
        Some(place) => (place.path.clone(), place.line, place.column, name),
        None => (SmolStr::default(), 0, 0, name),
    }
}

//! What a run left behind: its log with everything that is needed to read it.
//!
//! Input: a run that ended or stopped; output: what renderings and reports are made of. Invariant: a recording
//! holds the whole log, so that state and answers derive from it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use nodewise_engine::event::{AskId, Event, EventKind, ScopeId, VisitId};
use nodewise_engine::outcome::{Outcome, Status};
use nodewise_engine::time::Millis;
use nodewise_engine::usage::Usage;
use nodewise_expr::value::{Map, Value};
use smol_str::SmolStr;

use crate::chart::{Chart, ChartNode, Charts, SourceLocation};
use crate::system::RunnableSystem;

/// The native event with what the conditions of a node see; they apply to the edges that follow it.
const SEEN: &str = "context";

/// The result of a run.
#[derive(Debug, Clone)]
pub struct Recording {
    /// The system whose graph ran.
    pub system: RunnableSystem,
    /// What ran, in words: "graph `claims`".
    pub title: String,
    /// The seed of all random choices.
    pub seed: u64,
    /// The graphs that it could visit.
    pub charts: Arc<Charts>,
    /// What conditions can read besides the state.
    pub beside: Map,
    /// The time that conditions read when it began, in seconds.
    pub clock: f64,
    /// Its log.
    pub events: Vec<Event>,
    /// How it ended, or why it stopped.
    pub outcome: Outcome,
    /// The tokens and the money that it used.
    pub spent: Usage,
    /// How long it took, in virtual time.
    pub time: Millis,
    /// Remarks about the run that are not in its log.
    pub notes: Vec<String>,
    /// For a run that ends after its first visit: the node that the graph would visit next.
    pub next: Option<SmolStr>,
}

/// The time that conditions read at a moment of a run that began at `clock`, in seconds.
pub(crate) fn now(clock: f64, at: Millis) -> f64 {
    clock + at.0 as f64 / 1000.0
}

/// An index of the graphs, visits and questions in a log, as far as it was read.
#[derive(Debug, Clone, Default)]
pub struct LogIndex {
    scopes: Vec<GraphRun>,
    visits: Vec<Visit>,
    askers: Vec<VisitId>,
    seen: Option<Value>,
}

#[derive(Debug, Clone, Default)]
pub struct GraphRun {
    /// The graph's id.
    pub graph: SmolStr,
    /// How many graphs it is nested in. 0 for the main graph.
    pub depth: u32,
}

/// A visit of a node.
#[derive(Debug, Clone, Default)]
pub struct Visit {
    /// The run of a graph that it belongs to.
    pub scope: ScopeId,
    pub node: SmolStr,
    /// The class of its failure, if it failed.
    pub error: Option<SmolStr>,
}

impl Recording {
    /// The time that conditions read at a moment of it, in seconds.
    #[must_use]
    pub fn now(&self, at: Millis) -> f64 {
        now(self.clock, at)
    }

    /// The visits in the order in which they began, each with its run of a graph and its node.
    pub fn visits(&self) -> impl Iterator<Item = (VisitId, ScopeId, &SmolStr)> {
        self.events.iter().filter_map(|event| match &event.kind {
            EventKind::VisitStarted { visit, scope, node, .. } => Some((*visit, *scope, node)),
            _ => None,
        })
    }

    /// How many steps failed although the run continued: nodes whose last visit in a run of their graph failed.
    #[must_use]
    pub fn failed_steps(&self) -> usize {
        let mut visits: BTreeMap<VisitId, (ScopeId, &SmolStr)> = BTreeMap::new();
        let mut failed: BTreeSet<(ScopeId, &SmolStr)> = BTreeSet::new();
        for event in &self.events {
            match &event.kind {
                EventKind::VisitStarted { visit, scope, node, .. } => {
                    visits.insert(*visit, (*scope, node));
                }
                EventKind::VisitEnded { visit, result } => {
                    if let Some(step) = visits.get(visit) {
                        match result {
                            Ok(_) => failed.remove(step),
                            Err(_) => failed.insert(*step),
                        };
                    }
                }
                _ => {}
            }
        }
        failed.len()
    }

    /// Shortens the log to this many events, with their time and usage.
    pub fn cut(&mut self, events: usize) {
        self.events.truncate(events);
        self.time = self.events.last().map_or(Millis::ZERO, |event| event.at);
        self.spent = used(&self.events);
    }

    /// The place where a run went wrong: the node of the last failed visit, or else of the last visit. `None` if the run
    /// did not fail.
    #[must_use]
    pub fn failure_place(&self) -> Option<SourceLocation> {
        if matches!(self.outcome.status, Status::Completed | Status::Waiting) {
            return None;
        }
        let mut cast = LogIndex::default();
        let (mut failed, mut last) = (None, None);
        for event in &self.events {
            cast.apply(event);
            match &event.kind {
                EventKind::VisitStarted { visit, .. } => last = Some(*visit),
                EventKind::VisitEnded { visit, result: Err(_) } => failed = Some(*visit),
                _ => {}
            }
        }
        cast.node(&self.charts, failed.or(last)?)?.place.clone()
    }
}

impl LogIndex {
    /// Applies one event.
    pub fn apply(&mut self, event: &Event) {
        match &event.kind {
            EventKind::GraphStarted { scope, graph, by, .. } => {
                let around = by.and_then(|visit| self.visit(visit)).map(|visit| visit.scope);
                let depth = around.and_then(|scope| self.scope(scope)).map_or(0, |around| around.depth + 1);
                let running = GraphRun { graph: graph.clone(), depth };
                set(&mut self.scopes, scope.0, running, GraphRun::default());
            }
            EventKind::VisitStarted { visit, scope, node, .. } => {
                set(
                    &mut self.visits,
                    visit.0,
                    Visit { scope: *scope, node: node.clone(), error: None },
                    Visit::default(),
                );
            }
            EventKind::VisitEnded { visit, result: Err(failure) } => {
                if let Some(visit) = self.visits.get_mut(visit.0 as usize) {
                    visit.error = Some(failure.class.clone());
                }
            }
            EventKind::Native { name, detail } if name == SEEN => self.seen = Some(detail.clone()),
            EventKind::Asked { ask, visit, .. } => set(&mut self.askers, ask.0, *visit, VisitId(u32::MAX)),
            _ => {}
        }
    }

    /// The run of a graph with this number.
    #[must_use]
    pub fn scope(&self, scope: ScopeId) -> Option<&GraphRun> {
        self.scopes.get(scope.0 as usize)
    }

    /// The visit with this number.
    #[must_use]
    pub fn visit(&self, visit: VisitId) -> Option<&Visit> {
        self.visits.get(visit.0 as usize)
    }

    /// What conditions see now, if the system itself reports it.
    #[must_use]
    pub fn seen(&self) -> Option<&Value> {
        self.seen.as_ref()
    }

    #[must_use]
    pub fn asker(&self, ask: AskId) -> Option<VisitId> {
        self.askers.get(ask.0 as usize).copied()
    }

    /// The chart of the graph that a visit happens in.
    #[must_use]
    pub fn chart<'c>(&self, charts: &'c Charts, visit: VisitId) -> Option<&'c Chart> {
        charts.graph(&self.scope(self.visit(visit)?.scope)?.graph)
    }

    /// The node of a visit, as the chart has it.
    #[must_use]
    pub fn node<'c>(&self, charts: &'c Charts, visit: VisitId) -> Option<&'c ChartNode> {
        self.chart(charts, visit)?.node(&self.visit(visit)?.node)
    }
}

/// Whether an event says what conditions see from now on.
pub(crate) fn is_seen(event: &EventKind) -> bool {
    matches!(event, EventKind::Native { name, .. } if name == SEEN)
}

/// The usage of a log, or of its beginning.
pub(crate) fn used(log: &[Event]) -> Usage {
    let mut spent = Usage::default();
    for event in log {
        if let EventKind::Answered { answer, .. } = &event.kind {
            spent += answer.usage;
        }
    }
    priced(spent, log)
}

/// The usage with the cost that the system itself reports, if that is higher: models may have prices.
pub(crate) fn priced(spent: Usage, log: &[Event]) -> Usage {
    let costs = log.iter().filter_map(|event| match &event.kind {
        EventKind::Spent { usage, .. } => Some(usage.cost_usd),
        _ => None,
    });
    // The sum of an empty list is minus zero.
    let cost = costs.fold(0.0, |sum, cost| sum + cost);
    Usage { cost_usd: cost.max(spent.cost_usd), ..spent }
}

/// Sets the item with this number, and fills missing items before it with `gap`. A number far beyond the end is ignored,
/// because numbers go up one by one.
pub(crate) fn set<T: Clone>(list: &mut Vec<T>, number: u32, item: T, gap: T) {
    const GAP_MAX: usize = 1 << 16;
    let position = number as usize;
    if position > list.len() + GAP_MAX {
        return;
    }
    if position >= list.len() {
        list.resize(position + 1, gap);
    }
    if let Some(place) = list.get_mut(position) {
        *place = item;
    }
}

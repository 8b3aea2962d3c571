//! What the log of a run tells of it at one moment: visits under way, states, what is over. Computed event by event, so
//! that the log itself need not be kept.
//!
//! Input: events; output: a fingerprint, and what the events mean for findings. Invariant: a copy continues as the original
//! would, and what runs with equal fingerprints do from there differs in counters alone.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use nodewise_expr::value::{Map, Value};
use rustc_hash::FxHasher;
use smol_str::SmolStr;

use super::guide::{ExplorationState, Guide};
use crate::event::{AskId, Event, EventKind, ScopeId, VisitId};
use crate::fold;

/// What is known of a run at one moment.
#[derive(Debug, Clone, Default)]
pub(super) struct View {
    scopes: Vec<Scope>,
    open: Vec<Visit>,
    /// Visits that are over, but whose edges may still be evaluated.
    left: Vec<Visit>,
    asked: Vec<(AskId, VisitId)>,
    /// The node that waits for a person.
    waiting: Option<(ScopeId, SmolStr)>,
    /// Nodes that will not run again, in systems where each runs once.
    over: BTreeSet<(ScopeId, SmolStr)>,
    /// Nodes that edges lead to and that have not begun, in systems where each runs once.
    awaited: BTreeSet<(ScopeId, SmolStr)>,
    /// The nodes on the path to the present one that are returned to, each once, in systems where visits end before
    /// what they call.
    calls: Vec<Call>,
    /// The keys that visits which are under way at the same time wrote.
    written: Vec<(ScopeId, SmolStr, VisitId, SmolStr)>,
    runs_once: bool,
    returns: bool,
    /// The node that was visited last.
    pub(super) last: SmolStr,
}

#[derive(Debug, Clone)]
struct Scope {
    id: ScopeId,
    graph: SmolStr,
    state: Arc<Map>,
    visits: u32,
}

#[derive(Debug, Clone)]
struct Visit {
    id: VisitId,
    scope: ScopeId,
    node: SmolStr,
    questions: u32,
    /// A hash of the answers so far.
    history: u64,
}

/// A node that continues after what it called has ended.
#[derive(Debug, Clone, Hash)]
struct Call {
    node: SmolStr,
    /// A hash of what its edges and its calls resulted in.
    history: u64,
}

/// Adds something to a hash of what happened.
fn note(history: &mut u64, what: impl Hash) {
    let mut hasher = DefaultHasher::new();
    history.hash(&mut hasher);
    what.hash(&mut hasher);
    *history = hasher.finish();
}

/// A node and its graph, by their names in the log.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct At {
    pub(super) graph: SmolStr,
    pub(super) node: SmolStr,
}

/// What an event means for findings.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Observation {
    /// A node begins.
    Began(At),
    /// A visit of a node is over.
    Ended(At),
    /// An edge was evaluated.
    Judged { from: At, number: u32, is_followed: bool },
    /// A node led to another one without an edge.
    HandedOver(Box<(At, SmolStr)>),
    /// Two visits that are under way at the same time wrote the same key.
    Clash(Box<Clash>),
    /// A model was asked.
    Asked,
}

/// Two visits that wrote one key.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Clash {
    pub(super) graph: SmolStr,
    pub(super) key: SmolStr,
    pub(super) nodes: [SmolStr; 2],
}

impl View {
    /// A run that has not begun.
    pub(super) fn new(guide: &dyn Guide) -> View {
        View { runs_once: guide.runs_once(), returns: guide.returns(), ..View::default() }
    }

    /// Updates the view by one event, and adds what the event means for findings.
    pub(super) fn apply(&mut self, event: &Event, observations: &mut Vec<Observation>) {
        match &event.kind {
            EventKind::GraphStarted { scope, graph, state, .. } => self.started(*scope, graph, state),
            EventKind::GraphEnded { scope, .. } => self.scopes.retain(|known| known.id != *scope),
            EventKind::VisitStarted { visit, scope, node, .. } => {
                self.begin(*visit, *scope, node);
                observations.extend(self.at(*scope, node).map(Observation::Began));
            }
            EventKind::VisitEnded { visit, result } => {
                self.end(*visit, observations);
                if result.is_err() {
                    let caller = self.calls.iter_mut().rev().nth(1);
                    caller.into_iter().for_each(|call| note(&mut call.history, "failed"));
                }
            }
            EventKind::Skipped { scope, node } => {
                self.awaited.remove(&(*scope, node.clone()));
                self.over.insert((*scope, node.clone()));
            }
            EventKind::Retried { visit, attempt, .. } => {
                // A new attempt begins like the first, so the answers to the attempt before do not matter.
                let open = self.open.iter_mut().find(|open| open.id == *visit);
                open.into_iter().for_each(|open| open.history = u64::from(*attempt));
            }
            EventKind::Paused { visit, .. } => {
                let paused = self.visit(*visit).map(|paused| (paused.scope, paused.node.clone()));
                self.waiting = paused;
            }
            EventKind::EdgeJudged { visit, edge, target, followed, .. } => {
                self.judged(*visit, *edge, target, *followed, observations);
            }
            EventKind::HandedOver { visit, target, .. } => self.handed_over(*visit, target, observations),
            EventKind::Wrote { scope, visit, key, value } => {
                self.wrote(*scope, *visit, key, observations);
                if let Some(known) = self.scopes.iter_mut().find(|known| known.id == *scope) {
                    fold::write(Arc::make_mut(&mut known.state), key, value);
                }
            }
            EventKind::Asked { ask, visit, what } => {
                self.asked.push((*ask, *visit));
                if matches!(what.what, crate::ask::Question::Model(_)) {
                    observations.push(Observation::Asked);
                }
            }
            _ => {}
        }
    }

    /// Records which answer a question gets; returns how many questions of the visit came before it.
    pub(super) fn chose(&mut self, ask: AskId, choice: usize) {
        let Some(position) = self.asked.iter().position(|(asked, _)| *asked == ask) else { return };
        let (_, visit) = self.asked.remove(position);
        if let Some(open) = self.open.iter_mut().find(|open| open.id == visit) {
            open.questions += 1;
            if !self.returns {
                note(&mut open.history, choice);
            }
        }
    }

    /// How many questions of the visit that asks have been answered.
    pub(super) fn answered_before(&self, ask: AskId) -> u32 {
        let asked = self.asked.iter().find(|(asked, _)| *asked == ask);
        let open = asked.and_then(|(_, visit)| self.open.iter().find(|open| open.id == *visit));
        open.map_or(0, |open| open.questions)
    }

    /// The node that the run waits for.
    pub(super) fn waiting(&self) -> Option<At> {
        let (scope, node) = self.waiting.as_ref()?;
        self.at(*scope, node)
    }

    /// The node that is visited and the state of its graph, if nothing else is under way.
    pub(super) fn lone_visit(&self) -> Option<(&SmolStr, &Arc<Map>)> {
        let ([visit], [scope]) = (self.open.as_slice(), self.scopes.as_slice()) else { return None };
        let is_alone = visit.scope == scope.id && self.waiting.is_none() && self.awaited.is_empty();
        (is_alone && self.calls.is_empty()).then_some((&visit.node, &scope.state))
    }

    /// The nodes that edges led to and that never began.
    pub(super) fn awaited(&self) -> impl Iterator<Item = At> + '_ {
        self.awaited.iter().filter_map(|(scope, node)| self.at(*scope, node))
    }

    /// A hash of the nodes that are under way, whatever the state.
    pub(super) fn place(&self) -> u64 {
        let mut hasher = FxHasher::default();
        let waits = self.waiting.iter().map(|(_, node)| node);
        self.open.iter().map(|visit| &visit.node).chain(waits).for_each(|node| node.hash(&mut hasher));
        hasher.finish()
    }

    /// A hash that distinguishes this moment from others.
    pub(super) fn fingerprint(&self, guide: &dyn Guide) -> u64 {
        let mut hasher = DefaultHasher::new();
        for visit in &self.open {
            (self.graph(visit.scope), &visit.node, visit.history).hash(&mut hasher);
        }
        self.calls.hash(&mut hasher);
        for scope in &self.scopes {
            let open = self.open.iter().filter(|visit| visit.scope == scope.id).map(|visit| &visit.node);
            let waits = self.waiting.iter().filter(|(waiting, _)| *waiting == scope.id).map(|(_, node)| node);
            let nodes: Vec<&SmolStr> = open.chain(waits).collect();
            scope.graph.hash(&mut hasher);
            nodes.hash(&mut hasher);
            let over = || self.over.iter().filter(|(of, _)| *of == scope.id).map(|(_, node)| node);
            over().for_each(|node| node.hash(&mut hasher));
            let over: BTreeSet<&SmolStr> = over().collect();
            let moment = ExplorationState { state: &scope.state, visits: scope.visits, over: &over };
            guide.digest(&scope.graph, &nodes, &moment, &mut hasher);
        }
        hasher.finish()
    }

    fn started(&mut self, scope: ScopeId, graph: &SmolStr, state: &Value) {
        let state = match state {
            Value::Map(map) => map.clone(),
            _ => Arc::default(),
        };
        // A graph that waited and continues has a new number; what waited under the old one is over.
        let open: Vec<ScopeId> = self.open.iter().map(|visit| visit.scope).collect();
        self.scopes.retain(|known| known.graph != *graph || open.contains(&known.id));
        self.scopes.push(Scope { id: scope, graph: graph.clone(), state, visits: 0 });
    }

    fn begin(&mut self, id: VisitId, scope: ScopeId, node: &SmolStr) {
        if self.open.iter().all(|visit| visit.scope != scope) {
            self.written.retain(|(of, ..)| *of != scope);
            // Nodes that are returned to have edges that are looked at later.
            let (calls, returns) = (&self.calls, self.returns);
            let is_returned_to = |visit: &Visit| returns && calls.iter().any(|call| call.node == visit.node);
            self.left.retain(|visit| visit.scope != scope || is_returned_to(visit));
        }
        if self.waiting.as_ref().is_some_and(|(waiting, _)| *waiting == scope) {
            self.waiting = None;
        }
        self.awaited.remove(&(scope, node.clone()));
        self.last = node.clone();
        if self.returns {
            // A node that is on the path already was returned to, or called again, which leads on alike.
            let known = self.calls.iter().position(|call| call.node == *node);
            self.calls.truncate(known.unwrap_or(self.calls.len()));
            self.calls.push(Call { node: node.clone(), history: 0 });
        }
        self.open.push(Visit { id, scope, node: node.clone(), questions: 0, history: 0 });
    }

    fn end(&mut self, id: VisitId, observations: &mut Vec<Observation>) {
        let Some(position) = self.open.iter().position(|visit| visit.id == id) else { return };
        let visit = self.open.remove(position);
        observations.extend(self.at(visit.scope, &visit.node).map(Observation::Ended));
        if let Some(scope) = self.scopes.iter_mut().find(|scope| scope.id == visit.scope) {
            scope.visits += 1;
        }
        if self.runs_once {
            self.over.insert((visit.scope, visit.node.clone()));
        }
        self.left.retain(|known| known.scope != visit.scope || known.node != visit.node);
        self.left.push(visit);
    }

    fn judged(
        &mut self,
        id: VisitId,
        number: u32,
        target: &SmolStr,
        is_followed: bool,
        observations: &mut Vec<Observation>,
    ) {
        let Some(visit) = self.visit(id) else { return };
        let (scope, node) = (visit.scope, visit.node.clone());
        observations.extend(self.at(scope, &node).map(|from| Observation::Judged {
            from,
            number,
            is_followed,
        }));
        if is_followed {
            self.wait_for(scope, target);
        }
        if let Some(call) = self.calls.iter_mut().find(|call| call.node == node) {
            note(&mut call.history, (number, is_followed));
        }
    }

    fn handed_over(&mut self, id: VisitId, target: &SmolStr, observations: &mut Vec<Observation>) {
        let Some(visit) = self.visit(id) else { return };
        let (scope, node) = (visit.scope, visit.node.clone());
        let to = target.clone();
        observations.extend(self.at(scope, &node).map(|from| Observation::HandedOver(Box::new((from, to)))));
        self.wait_for(scope, target);
    }

    fn wait_for(&mut self, scope: ScopeId, target: &SmolStr) {
        let target = (scope, target.clone());
        if self.runs_once && !self.over.contains(&target) {
            self.awaited.insert(target);
        }
    }

    fn wrote(
        &mut self,
        scope: ScopeId,
        visit: Option<VisitId>,
        key: &SmolStr,
        observations: &mut Vec<Observation>,
    ) {
        let Some(visit) = visit.and_then(|visit| self.visit(visit)) else { return };
        let (id, node) = (visit.id, visit.node.clone());
        let same = |(of, known, ..): &&(ScopeId, SmolStr, VisitId, SmolStr)| *of == scope && known == key;
        match self.written.iter().find(same) {
            Some((_, _, other, first)) if *other != id => {
                let graph = self.graph(scope).cloned().unwrap_or_default();
                let clash = Clash { graph, key: key.clone(), nodes: [first.clone(), node] };
                observations.push(Observation::Clash(Box::new(clash)));
            }
            Some(_) => {}
            None => self.written.push((scope, key.clone(), id, node)),
        }
    }

    fn visit(&self, id: VisitId) -> Option<&Visit> {
        self.open.iter().chain(self.left.iter().rev()).find(|visit| visit.id == id)
    }

    fn graph(&self, scope: ScopeId) -> Option<&SmolStr> {
        self.scopes.iter().find(|known| known.id == scope).map(|known| &known.graph)
    }

    fn at(&self, scope: ScopeId, node: &SmolStr) -> Option<At> {
        Some(At { graph: self.graph(scope)?.clone(), node: node.clone() })
    }
}

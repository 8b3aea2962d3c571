//! Breakpoints, and the events that they hit.
//!
//! Input: what to stop at, with conditions; a log as it grows. Output: the positions of hits. Invariant: hits are positions
//! of the log, never counters, so the number of a hit does not depend on how you came there.

mod conditions;
mod exceptions;

use nodewise_engine::ask::Question;
use nodewise_engine::event::{Event, EventKind, ScopeId, VisitId};
use nodewise_engine::fold::States;
use nodewise_expr::value::Value;
use nodewise_simulation::log_moments::{LogMoments, LogStep};
use nodewise_simulation::state_at_event::visit_of;
use nodewise_simulation::timeline::Timeline;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

pub use conditions::{HitCondition, LogMessage};
pub use exceptions::{ExceptionFilter, FILTERS};

use crate::expressions::View;
use crate::locations::Subject;
use crate::state_path::StatePath;

/// What a breakpoint stops at.
#[derive(Debug, Clone, PartialEq)]
pub enum Trigger {
    /// A node, an edge, a graph, or questions of one kind.
    At(Subject),
    /// Any question, or any question to a tool or a function.
    Question {
        /// Whether only questions to tools and functions stop.
        only_tools: bool,
    },
    /// Something that goes wrong.
    Exception {
        /// The kind of fault that stops.
        filter: ExceptionFilter,
        /// Only failures of these classes stop. Empty for all.
        classes: Vec<String>,
    },
    /// A key of the state, or a part of its value.
    Data {
        path: StatePath,
        /// Whether writes stop. A write of the key counts for a part of it only if the value of the part changes.
        on_write: bool,
        /// Whether reads stop: inputs of a visit that have the part, and conditions that name it.
        on_read: bool,
    },
}

/// What a client wants a breakpoint to do.
#[derive(Debug, Clone, PartialEq)]
pub struct BreakpointSpec {
    /// What it stops at.
    pub trigger: Trigger,
    /// The condition for a hit, in the language of the graph.
    pub condition: Option<String>,
    /// Which hits stop. `None` for all.
    pub hit: Option<HitCondition>,
    /// What to log instead of stopping.
    pub log: Option<LogMessage>,
}

/// A breakpoint that is set, with its hits so far.
#[derive(Debug, Clone)]
pub struct Breakpoint {
    /// A number that no other breakpoint of the session gets.
    pub id: u64,
    /// The list that it belongs to. A client replaces one list at a time.
    pub list: SmolStr,
    pub spec: BreakpointSpec,
    /// Why its condition had no value, the first time that this happened.
    pub failure: Option<String>,
    /// The first position in the log that was not checked for hits yet.
    hits: Vec<u32>,
    scanned: usize,
}

/// A hit of a breakpoint that stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hit {
    /// The number of the breakpoint.
    pub id: u64,
    /// Which hit it is, from 1.
    pub count: usize,
}

#[derive(Debug, Clone, Default)]
pub struct Breakpoints {
    list: Vec<Breakpoint>,
    last_id: u64,
    /// For each node, the indices of the breakpoints on the node and on its edges. An event tries only those of its own node.
    by_node: FxHashMap<SmolStr, Vec<usize>>,
    /// The indices of all other breakpoints, which every event tries.
    others: Vec<usize>,
}

impl Breakpoints {
    /// Replaces the breakpoints of a list. A breakpoint that does not change keeps its number and its hits. Returns
    /// the numbers in the order of `specs`.
    pub fn replace(&mut self, list: &str, specs: Vec<BreakpointSpec>) -> Vec<u64> {
        let (mut known, others) =
            std::mem::take(&mut self.list).into_iter().partition::<Vec<_>, _>(|one| one.list == list);
        self.list = others;
        let mut ids = Vec::new();
        for spec in specs {
            let breakpoint = match known.iter().position(|one| one.spec == spec) {
                Some(position) => known.swap_remove(position),
                None => {
                    self.last_id += 1;
                    let (id, list) = (self.last_id, SmolStr::new(list));
                    Breakpoint { id, list, spec, failure: None, hits: Vec::new(), scanned: 0 }
                }
            };
            ids.push(breakpoint.id);
            self.list.push(breakpoint);
        }
        self.index();
        ids
    }

    /// A new number, for a breakpoint that the client wants but that is not set.
    pub fn fresh_id(&mut self) -> u64 {
        self.last_id += 1;
        self.last_id
    }

    fn index(&mut self) {
        self.by_node.clear();
        self.others.clear();
        for (position, breakpoint) in self.list.iter().enumerate() {
            match &breakpoint.spec.trigger {
                Trigger::At(Subject::Node { node, .. } | Subject::Edge { from: node, .. }) => {
                    self.by_node.entry(node.clone()).or_default().push(position);
                }
                _ => self.others.push(position),
            }
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = &Breakpoint> {
        self.list.iter()
    }

    /// Forgets the hits from a position on, because another log begins to differ there.
    pub fn cut(&mut self, position: usize) {
        for breakpoint in &mut self.list {
            breakpoint.hits.retain(|hit| (*hit as usize) < position);
            breakpoint.scanned = breakpoint.scanned.min(position);
        }
    }

    /// Looks for hits in the part of the log that was not scanned yet. If the run is over, the position after the
    /// last event counts too.
    pub fn scan(&mut self, timeline: &Timeline) {
        let (log, moments) = (timeline.log(), timeline.moments());
        let until = log.len() + usize::from(timeline.outcome().is_some());
        let Some(from) = self.list.iter().map(|one| one.scanned).min().filter(|from| *from < until) else {
            return;
        };
        let Breakpoints { list, by_node, others, .. } = self;
        moments.walk(log, from..log.len(), &mut |LogStep { position, event, replaced, states }| {
            let subject = EventSubject::of(event, moments);
            let named =
                subject.node.and_then(|node| by_node.get(node)).map(Vec::as_slice).unwrap_or_default();
            for index in named.iter().chain(others.iter()) {
                let Some(breakpoint) = list.get_mut(*index).filter(|one| one.scanned <= position) else {
                    continue;
                };
                if subject.is_hit(&breakpoint.spec.trigger, event, replaced, timeline) {
                    breakpoint.consider(timeline, position, states, &subject);
                }
            }
        });
        for breakpoint in list.iter_mut() {
            if let (Some(outcome), Trigger::Exception { filter, classes }) =
                (timeline.outcome(), &breakpoint.spec.trigger)
                && breakpoint.scanned <= log.len()
                && filter.is_end(outcome, classes)
            {
                breakpoint.hits.push(short(log.len()));
            }
            breakpoint.scanned = breakpoint.scanned.max(until);
        }
    }

    /// The first position at or after `from` where a breakpoint stops.
    #[must_use]
    pub fn next(&self, from: usize) -> Option<usize> {
        let of = |one: &Breakpoint| {
            let first = one.hits.partition_point(|hit| (*hit as usize) < from);
            (first..one.hits.len()).find(|index| one.stops(*index)).and_then(|index| one.hit(index))
        };
        self.stopping().filter_map(of).min()
    }

    /// The last position before `before` where a breakpoint stops.
    #[must_use]
    pub fn previous(&self, before: usize) -> Option<usize> {
        let of = |one: &Breakpoint| {
            let end = one.hits.partition_point(|hit| (*hit as usize) < before);
            (0..end).rev().find(|index| one.stops(*index)).and_then(|index| one.hit(index))
        };
        self.stopping().filter_map(of).max()
    }

    /// The hits at a position, without those that do not stop.
    #[must_use]
    pub fn at(&self, position: usize) -> Vec<Hit> {
        let of = |one: &Breakpoint| {
            let index = one.hits.binary_search(&short(position)).ok().filter(|index| one.stops(*index))?;
            Some(Hit { id: one.id, count: index + 1 })
        };
        self.stopping().filter_map(of).collect()
    }

    /// The hits of breakpoints that log, from one position up to another, which is not included. They are in the
    /// order of the log.
    #[must_use]
    pub fn logged(&self, from: usize, until: usize) -> Vec<(usize, &Breakpoint)> {
        let mut found: Vec<(usize, &Breakpoint)> = Vec::new();
        for one in self.list.iter().filter(|one| one.spec.log.is_some()) {
            let first = one.hits.partition_point(|hit| (*hit as usize) < from);
            let hits =
                (first..one.hits.len()).take_while(|index| one.hit(*index).is_some_and(|at| at < until));
            found.extend(
                hits.filter(|index| one.stops(*index)).filter_map(|index| Some((one.hit(index)?, one))),
            );
        }
        found.sort_by_key(|(position, one)| (*position, one.id));
        found
    }

    /// The breakpoint with this number.
    #[must_use]
    pub fn get(&self, id: u64) -> Option<&Breakpoint> {
        self.list.iter().find(|one| one.id == id)
    }

    fn stopping(&self) -> impl Iterator<Item = &Breakpoint> {
        self.list.iter().filter(|one| one.spec.log.is_none())
    }
}

impl Breakpoint {
    fn hit(&self, index: usize) -> Option<usize> {
        self.hits.get(index).map(|hit| *hit as usize)
    }

    fn stops(&self, index: usize) -> bool {
        self.spec.hit.is_none_or(|hit| hit.includes(index + 1))
    }

    /// Records a hit if the condition holds at the position. If the condition has no value, there is no hit, and the
    /// first such failure is kept.
    fn consider(
        &mut self,
        timeline: &Timeline,
        position: usize,
        states: &States,
        subject: &EventSubject<'_>,
    ) {
        let (scope, visit) = (subject.scope, subject.visit);
        let holds = match &self.spec.condition {
            None => Ok(true),
            Some(condition) => View { timeline, position, states, scope, visit }.holds(condition),
        };
        match holds {
            Ok(true) => self.hits.push(short(position)),
            Ok(false) => {}
            Err(message) => drop(self.failure.get_or_insert(message)),
        }
    }
}

/// What an event is about: the run of a graph, the visit, and the names of the graph and the node.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EventSubject<'t> {
    pub(crate) scope: ScopeId,
    pub(crate) visit: Option<VisitId>,
    pub(crate) graph: Option<&'t SmolStr>,
    pub(crate) node: Option<&'t SmolStr>,
}

impl<'t> EventSubject<'t> {
    pub(crate) fn of(event: &Event, moments: &'t LogMoments) -> EventSubject<'t> {
        let who = moments.who();
        let visit = visit_of(who, &event.kind);
        let visited = visit.and_then(|visit| who.visit(visit));
        let scope = match &event.kind {
            EventKind::GraphStarted { scope, .. }
            | EventKind::GraphEnded { scope, .. }
            | EventKind::Skipped { scope, .. }
            | EventKind::Wrote { scope, .. } => *scope,
            _ => visited.map_or(ScopeId::default(), |visited| visited.scope),
        };
        let graph = who.scope(scope).map(|run| &run.graph);
        EventSubject { scope, visit, graph, node: visited.map(|visited| &visited.node) }
    }

    /// Whether a breakpoint stops at the event. If the event is a write, `replaced` is the value before it.
    fn is_hit(&self, trigger: &Trigger, event: &Event, replaced: &Value, timeline: &Timeline) -> bool {
        match (trigger, &event.kind) {
            (Trigger::At(Subject::Node { graph, node }), EventKind::VisitStarted { .. }) => {
                self.graph == Some(graph) && self.node == Some(node)
            }
            (
                Trigger::At(Subject::Edge { graph, from, number }),
                EventKind::EdgeJudged { edge: judged, .. },
            ) => self.graph == Some(graph) && self.node == Some(from) && number == judged,
            (Trigger::At(Subject::Graph(wanted)), EventKind::GraphStarted { graph, .. }) => wanted == graph,
            (Trigger::At(subject @ Subject::Question { .. }), EventKind::Asked { what, .. }) => {
                subject.is_question(&what.what)
            }
            (Trigger::Question { only_tools }, EventKind::Asked { what, .. }) => {
                !only_tools || matches!(what.what, Question::Tool(_) | Question::Function(_))
            }
            (Trigger::Exception { filter, classes }, _) => filter.is_event(event, classes),
            (Trigger::Data { path, on_write: true, .. }, EventKind::Wrote { key, value, .. }) => {
                self.graph == Some(&path.graph) && path.key == *key && is_written(path, replaced, value)
            }
            (
                Trigger::Data { path, on_read: true, .. },
                EventKind::VisitStarted { reads: Value::Map(reads), .. },
            ) => {
                let is_given = || reads.get(&path.key).and_then(|value| path.part(value)).is_some();
                self.graph == Some(&path.graph) && is_given()
            }
            (Trigger::Data { path, on_read: true, .. }, EventKind::EdgeJudged { edge, target, .. }) => {
                self.graph == Some(&path.graph) && self.condition_reads(*edge, target, path, timeline)
            }
            _ => false,
        }
    }

    /// Whether the condition of an edge names a part of the state, a value around the part, or a value inside it.
    fn condition_reads(&self, edge: u32, target: &str, path: &StatePath, timeline: &Timeline) -> bool {
        let (Some(graph), Some(node)) = (self.graph, self.node) else { return false };
        let chart = timeline.facts().charts.graph(graph);
        let condition =
            chart.and_then(|chart| chart.edge(node, edge, target)).and_then(|edge| edge.condition.as_ref());
        let Some((condition, language)) = condition.and_then(|one| Some((one, one.language?))) else {
            return false;
        };
        let last = path.key.rsplit('.').next().unwrap_or(&path.key);
        // A path may begin with a root, so the key is its first or its second name.
        language.paths(&condition.text).iter().any(|used| {
            let found = used.segments.iter().take(2).position(|segment| segment.name == last);
            let below = found.and_then(|position| used.segments.get(position + 1..));
            below.is_some_and(|below| below.iter().zip(&path.members).all(|(one, name)| one.name == *name))
        })
    }
}

/// Whether a write of a key counts as a write of a part: always if the part is the whole key, else only if the value
/// of the part changes.
fn is_written(path: &StatePath, before: &Value, after: &Value) -> bool {
    path.members.is_empty() || path.part(before) != path.part(after)
}

/// A position in 32 bits. Logs are limited to far fewer events.
fn short(position: usize) -> u32 {
    u32::try_from(position).unwrap_or(u32::MAX)
}

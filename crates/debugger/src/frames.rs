//! The stack at a position: what happens, in which node, in which graph, called by which node.
//!
//! Input: a position and a lane; output: frames, the innermost first. Invariant: the frames of a position are always the
//! same.

use nodewise_engine::ask::{Ask, Question};
use nodewise_engine::event::{Event, EventKind, ScopeId, VisitId};
use nodewise_model::Origin;
use nodewise_simulation::chart::ChartEdge;
use nodewise_simulation::timeline::Timeline;

use crate::breakpoints::EventSubject;
use crate::lanes::{Lane, Lanes, MAIN};
use crate::locations::Locations;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StackFrame {
    /// The text that the editor shows for the frame.
    pub name: String,
    pub kind: FrameKind,
    /// Its place in the files. `None` if no file has one.
    pub at: Option<Origin>,
    pub visit: Option<VisitId>,
    /// The run of the graph that it is in.
    pub scope: ScopeId,
    /// The position in the log for which the stack was computed.
    pub position: usize,
}

/// What a frame is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FrameKind {
    /// A part of a condition, by its number from 1.
    Part(usize),
    /// An edge that is evaluated.
    Edge,
    /// A question, or its answer.
    Question,
    /// A visit of a node.
    Node,
    /// A run of a graph.
    Graph,
}

/// The data from which stack frames are computed.
#[derive(Clone, Copy)]
pub struct Stacks<'t> {
    /// The run with its log.
    pub timeline: &'t Timeline,
    pub lanes: &'t Lanes,
    /// Where nodes, edges, graphs and agents are in the files.
    pub locations: &'t Locations,
}

/// The maximum number of nested graphs in a stack. In a damaged log, a graph could call itself.
const DEPTH_MAX: usize = 1000;

impl<'t> Stacks<'t> {
    /// What the event at a position is about. After the last event, this is the run.
    pub(crate) fn subject(&self, position: usize) -> EventSubject<'t> {
        match self.timeline.log().get(position) {
            Some(event) => EventSubject::of(event, self.timeline.moments()),
            None => EventSubject { scope: ScopeId::default(), visit: None, graph: None, node: None },
        }
    }

    /// The lane of the event at a position.
    #[must_use]
    pub fn lane(&self, position: usize) -> Lane {
        let subject = self.subject(position);
        let by = || self.timeline.moments().scope(subject.scope).and_then(|span| span.by);
        subject.visit.or_else(by).map_or(MAIN, |visit| self.lanes.of(visit))
    }

    /// How deeply the graph of the event at a position is nested, with 0 for the outermost graph.
    #[must_use]
    pub fn depth(&self, position: usize) -> u32 {
        let scope = self.subject(position).scope;
        self.timeline.moments().who().scope(scope).map_or(0, |run| run.depth)
    }

    /// The lanes with something under way at a position, each with its name.
    #[must_use]
    pub fn lanes_at(&self, position: usize) -> Vec<(Lane, String)> {
        let mut lanes = vec![(MAIN, self.timeline.facts().title.clone())];
        let own = self.subject(position).visit;
        let open = self.timeline.moments().open_visits(self.timeline.log(), position);
        for visit in open.into_iter().chain(own) {
            let lane = self.lanes.of(visit);
            if lanes.iter().all(|(known, _)| *known != lane) {
                lanes.push((lane, format!("{} #{lane}", self.label(visit))));
            }
        }
        lanes.sort_by_key(|(lane, _)| *lane);
        lanes
    }

    fn label(&self, visit: VisitId) -> String {
        let who = self.timeline.moments().who();
        let node = who.node(&self.timeline.facts().charts, visit);
        let id = || who.visit(visit).map(|visit| visit.node.to_string()).unwrap_or_default();
        node.map_or_else(id, |node| node.label.to_string())
    }

    /// The frames of a lane at a position, the innermost first. `part` is the part of the condition that the debugger
    /// is in, from 1, or 0 for none.
    #[must_use]
    pub fn frames(&self, position: usize, part: usize, lane: Lane) -> Vec<StackFrame> {
        let subject = self.subject(position);
        let is_own = lane == self.lane(position);
        let visit = match is_own {
            true => subject.visit,
            false => {
                let open = self.timeline.moments().open_visits(self.timeline.log(), position);
                open.into_iter().rev().find(|visit| self.lanes.of(*visit) == lane)
            }
        };
        let mut frames = Vec::new();
        if let (true, Some(event)) = (is_own, self.timeline.log().get(position)) {
            self.event_frames(event, position, part, &subject, &mut frames);
        }
        let of_visit = visit.and_then(|visit| self.timeline.moments().visit(visit)).map(|span| span.scope);
        let scope = if is_own { subject.scope } else { of_visit.unwrap_or_default() };
        // An event of a graph that a visit runs is inside that graph. The visit gets its frame further out in the stack.
        let inner = (of_visit == Some(scope)).then_some(visit).flatten();
        self.visit_frames(inner, scope, position, &mut frames);
        frames
    }

    fn visit_frames(
        &self,
        mut visit: Option<VisitId>,
        mut scope: ScopeId,
        position: usize,
        frames: &mut Vec<StackFrame>,
    ) {
        let moments = self.timeline.moments();
        let charts = &self.timeline.facts().charts;
        for _ in 0..DEPTH_MAX {
            if let Some(visit) = visit {
                let at = moments.who().node(charts, visit).and_then(|node| Some(node.place.as_ref()?.origin));
                let name = self.label(visit);
                frames.push(StackFrame {
                    name,
                    kind: FrameKind::Node,
                    at,
                    visit: Some(visit),
                    scope,
                    position,
                });
            }
            let id = moments.who().scope(scope).map(|run| run.graph.as_str()).unwrap_or_default();
            let (name, at) = match self.locations.graph(id) {
                Some((title, at)) => (format!("graph {title}"), Some(at)),
                None => (self.timeline.facts().title.clone(), None),
            };
            frames.push(StackFrame { name, kind: FrameKind::Graph, at, visit: None, scope, position });
            let Some(by) = moments.scope(scope).and_then(|span| span.by) else { return };
            let Some(span) = moments.visit(by) else { return };
            (visit, scope) = (Some(by), span.scope);
        }
    }

    fn event_frames(
        &self,
        event: &Event,
        position: usize,
        part: usize,
        subject: &EventSubject<'_>,
        frames: &mut Vec<StackFrame>,
    ) {
        let frame = |name: String, kind: FrameKind, at: Option<Origin>| StackFrame {
            name,
            kind,
            at,
            visit: subject.visit,
            scope: subject.scope,
            position,
        };
        let node = subject
            .visit
            .and_then(|visit| self.timeline.moments().who().node(&self.timeline.facts().charts, visit))
            .and_then(|node| Some(node.place.as_ref()?.origin));
        match &event.kind {
            EventKind::EdgeJudged { target, followed, .. } => {
                let edge = self.edge(position);
                let at = edge.and_then(|edge| Some(edge.place.as_ref()?.origin)).or(node);
                let parts = if part > 0 { self.parts(position) } else { Vec::new() };
                if let Some(found) = part.checked_sub(1).and_then(|index| parts.get(index)) {
                    let text = edge.and_then(|edge| edge.condition.as_ref()).map(|condition| &condition.text);
                    let exact =
                        at.zip(text).and_then(|(at, text)| self.locations.part(at, text, found.range));
                    frames.push(frame(found.shown(), FrameKind::Part(part), exact.or(at)));
                }
                let sign = if *followed { "->" } else { "-x" };
                let when = edge.and_then(|edge| edge.condition.as_ref());
                let when = when.map(|one| format!(" when {}", one.text)).unwrap_or_default();
                frames.push(frame(format!("{sign} {target}{when}"), FrameKind::Edge, at));
            }
            EventKind::HandedOver { target, .. } => {
                frames.push(frame(format!("-> {target}"), FrameKind::Edge, node));
            }
            EventKind::Asked { what, .. } => {
                let at = self.asked_at(what).or(node);
                frames.push(frame(format!("asks {}", addressee(what)), FrameKind::Question, at));
            }
            EventKind::Answered { .. } => {
                let what = self.question(position);
                let at = what.and_then(|what| self.asked_at(what)).or(node);
                let name = what.map(addressee).unwrap_or_default();
                frames.push(frame(format!("answer of {name}"), FrameKind::Question, at));
            }
            _ => {}
        }
    }

    /// The edge that the event at a position evaluates.
    pub(crate) fn edge(&self, position: usize) -> Option<&ChartEdge> {
        let EventKind::EdgeJudged { visit, edge, target, .. } = &self.timeline.log().get(position)?.kind
        else {
            return None;
        };
        let who = self.timeline.moments().who();
        who.chart(&self.timeline.facts().charts, *visit)?.edge(&who.visit(*visit)?.node, *edge, target)
    }

    /// The question that the event at a position asks or answers.
    #[must_use]
    pub fn question(&self, position: usize) -> Option<&Ask> {
        let log = self.timeline.log();
        let asked = match &log.get(position)?.kind {
            EventKind::Asked { .. } => position,
            EventKind::Answered { ask, .. } => self.timeline.moments().ask(*ask)?.asked,
            _ => return None,
        };
        match &log.get(asked)?.kind {
            EventKind::Asked { what, .. } => Some(what),
            _ => None,
        }
    }

    fn asked_at(&self, ask: &Ask) -> Option<Origin> {
        match &ask.what {
            Question::Model(model) => self.locations.agent(&model.agent),
            _ => None,
        }
    }
}

/// Names who is asked, for the user: "model of clerk", "tool pay_out".
#[must_use]
pub fn addressee(ask: &Ask) -> String {
    match &ask.what {
        Question::Model(model) => format!("model of {}", model.agent),
        Question::Tool(tool) => format!("tool {}", tool.tool),
        Question::Function(function) => format!("function {}", function.path),
        Question::Human(_) => "a person".to_owned(),
        other => other.noun().to_owned(),
    }
}

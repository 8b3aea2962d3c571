//! Lanes: visits of a graph that are under way at the same time. An editor shows each as a thread.
//!
//! Input: the log, in parts from its beginning; output: the lane of each visit. Invariant: lanes derive from the log
//! alone, so they are the same after going back. Lane 1 is the run itself.

use nodewise_engine::event::{Event, EventKind, ScopeId, VisitId};
use nodewise_simulation::log_moments::LogMoments;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

/// The number of a lane, from 1.
pub type Lane = u32;

/// The lane of the run itself.
pub const MAIN: Lane = 1;

/// The lane of each visit, and what decides about the lane of the next one.
#[derive(Debug, Clone, Default)]
pub struct Lanes {
    of_visits: Vec<Lane>,
    last: Lane,
    read: usize,
    open: FxHashMap<ScopeId, Vec<VisitId>>,
    /// The visit that last led to a node, by the run of the graph and the node.
    led: FxHashMap<(ScopeId, SmolStr), VisitId>,
}

impl Lanes {
    /// Reads the events that were added to the log since the last call.
    pub fn extend(&mut self, log: &[Event], moments: &LogMoments) {
        for event in log.get(self.read..).unwrap_or_default() {
            self.apply(event, moments);
        }
        self.read = log.len();
    }

    fn apply(&mut self, event: &Event, moments: &LogMoments) {
        match &event.kind {
            EventKind::VisitStarted { visit, scope, node, .. } => {
                let lane = self.lane_for(*scope, node, moments);
                let position = visit.0 as usize;
                // In a damaged log, the number of a visit could be so high that the list would take too much memory.
                if position <= self.of_visits.len() + (1 << 16) {
                    self.of_visits.resize(self.of_visits.len().max(position + 1), MAIN);
                    if let Some(place) = self.of_visits.get_mut(position) {
                        *place = lane;
                    }
                }
                self.open.entry(*scope).or_default().push(*visit);
            }
            EventKind::VisitEnded { visit, .. } => {
                if let Some(scope) = moments.visit(*visit).map(|span| span.scope)
                    && let Some(open) = self.open.get_mut(&scope)
                {
                    open.retain(|other| other != visit);
                }
            }
            EventKind::EdgeJudged { visit, target, followed: true, .. }
            | EventKind::HandedOver { visit, target, .. } => {
                if let Some(scope) = moments.visit(*visit).map(|span| span.scope) {
                    self.led.insert((scope, target.clone()), *visit);
                }
            }
            _ => {}
        }
    }

    /// The lane of a new visit. If no other visit of the graph is open, it is the lane of the visit that runs the
    /// graph. Else it is the lane of the visit that led to the node, if no open visit of the graph is in it, or a new
    /// lane.
    fn lane_for(&mut self, scope: ScopeId, node: &SmolStr, moments: &LogMoments) -> Lane {
        self.last = self.last.max(MAIN);
        let open = self.open.get(&scope).map(Vec::as_slice).unwrap_or_default();
        if open.is_empty() {
            let by = moments.scope(scope).and_then(|span| span.by);
            return by.map_or(MAIN, |by| self.of(by));
        }
        let led = self.led.get(&(scope, node.clone())).map(|by| self.of(*by));
        match led.filter(|lane| open.iter().all(|other| self.of(*other) != *lane)) {
            Some(lane) => lane,
            None => {
                self.last += 1;
                self.last
            }
        }
    }

    /// The lane of a visit. [`MAIN`] if the visit is unknown.
    #[must_use]
    pub fn of(&self, visit: VisitId) -> Lane {
        self.of_visits.get(visit.0 as usize).copied().unwrap_or(MAIN)
    }
}

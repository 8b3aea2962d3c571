//! Dry runs that are kept and shown: the last traces, and the decorations of the last runs.
//!
//! Input: recordings, decorations. Output: decorations and diagnostics of a file, traces by their ids.
//! Invariant: the number of traces and of their events is limited. The next edit of a text removes its decorations.

pub(crate) mod decorations;
#[cfg(feature = "live")]
pub(crate) mod growing;

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use nodewise_analysis::workspace::Snapshot;
use nodewise_engine::event::ScopeId;
use nodewise_expr::language::Circumstances;
use nodewise_ide::lenses::Runnable;
use nodewise_model::Origin;
use nodewise_simulation::condition_state::circumstances_after;
use nodewise_simulation::log_moments::LogMoments;
use nodewise_simulation::recording::Recording;
use nodewise_simulation::source_map::place_in;
use nodewise_simulation::state_at_event::{StateAtEvent, state_at_event, visit_of};
use smol_str::SmolStr;

use crate::clock;
use crate::placed::Placed;
use crate::positions::Span;

/// The decorations of a run, or of all scenarios of a file together.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Ran {
    /// The id of the trace, if one is kept.
    pub(crate) trace: Option<String>,
    /// What ran: the title of a graph or a scenario, or the path of a file with scenarios.
    pub(crate) title: String,
    /// The run in one line.
    pub(crate) summary: String,
    /// How the run ended, in one word.
    pub(crate) status: String,
    /// The decorations of each file that the run is about.
    pub(crate) files: Vec<RanFile>,
    /// The results to show in the lenses for the same run.
    pub(crate) ends: Vec<End>,
}

impl Ran {
    /// Adds to the summaries that answers were made up. A summary is the first text that people read, and often the only one.
    pub(crate) fn mark_made_up(&mut self) {
        let summaries = self.ends.iter_mut().map(|end| &mut end.summary);
        for summary in summaries.chain([&mut self.summary]) {
            summary.push_str(" · no script: answers are made up");
        }
    }
}

/// The decorations of a file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RanFile {
    pub(crate) uri: Arc<str>,
    /// The version of its text, if it is open.
    pub(crate) version: Option<i32>,
    pub(crate) nodes: Vec<NodeMark>,
    pub(crate) edges: Vec<EdgeMark>,
    /// How often the run reached the nodes and edges that begin in a line, by line from 0.
    pub(crate) lines: BTreeMap<u32, u64>,
    /// What went wrong in the file.
    pub(crate) failures: Vec<Placed>,
}

/// A node, and how often it was visited.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NodeMark {
    pub(crate) span: Span,
    pub(crate) label: SmolStr,
    pub(crate) visits: u64,
}

/// An edge, and how often it was followed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct EdgeMark {
    pub(crate) span: Span,
    pub(crate) title: String,
    pub(crate) followed: u64,
    pub(crate) passed_over: u64,
}

/// The result of a run that a lens offers.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct End {
    /// The file with the lens.
    pub(crate) uri: Arc<str>,
    pub(crate) run: Runnable,
    /// The result in one line.
    pub(crate) summary: String,
}

/// The traces of the last runs.
#[derive(Debug)]
pub(crate) struct Traces<S> {
    kept: Mutex<Kept<S>>,
    /// The live runs that clients follow now.
    #[cfg(feature = "live")]
    pub(crate) growing: Arc<growing::GrowingLogs>,
}

#[derive(Debug)]
struct Kept<S> {
    last: u64,
    traces: VecDeque<(u64, Arc<Trace<S>>)>,
}

/// A kept run.
#[derive(Debug)]
pub(crate) struct Trace<S> {
    /// The request, to repeat the run.
    pub(crate) subject: S,
    /// The result of the run.
    pub(crate) recording: Recording,
    /// What is known of it besides the recording.
    pub(crate) facts: TraceFacts,
    /// The states of the run. They are computed when a client first asks for one.
    moments: OnceLock<LogMoments>,
}

/// What is known of a kept run besides its recording.
#[derive(Debug, Clone, Default)]
pub(crate) struct TraceFacts {
    /// The declarations with which it ran.
    pub(crate) snapshot: Snapshot,
    /// The id of the run, if it was a live run.
    pub(crate) run: Option<String>,
    /// When it ended, in milliseconds since 1970.
    pub(crate) ended_ms: u64,
    /// Whether answers were made up.
    pub(crate) is_made_up: bool,
    /// The result of its scenario, if it has expectations: whether they were met, and the result in a few words.
    pub(crate) verdict: Option<(bool, String)>,
}

/// The maximum number of kept traces.
const TRACES_MAX: usize = 32;
/// The maximum number of events in all kept traces together.
const EVENTS_MAX: usize = 500_000;

impl<S> Default for Traces<S> {
    fn default() -> Traces<S> {
        Traces {
            kept: Mutex::new(Kept { last: 0, traces: VecDeque::new() }),
            #[cfg(feature = "live")]
            growing: Arc::default(),
        }
    }
}

impl<S> Trace<S> {
    /// A run that can be repeated, and ended now.
    pub(crate) fn new(subject: S, recording: Recording, facts: TraceFacts) -> Trace<S> {
        let ended_ms = u64::try_from(clock::since_1970().as_millis()).unwrap_or(u64::MAX);
        Trace { subject, recording, facts: TraceFacts { ended_ms, ..facts }, moments: OnceLock::new() }
    }

    /// The context in which a condition after the last visit of a node is evaluated. `None` if the run did not visit
    /// the node.
    pub(crate) fn circumstances_after(&self, node: &str) -> Option<Circumstances> {
        let moments = self.moments.get_or_init(|| LogMoments::of(&self.recording.events));
        circumstances_after(&self.recording, moments, node)
    }

    /// The state of the run after the event at a position.
    pub(crate) fn state_at(&self, position: usize) -> Option<StateAtEvent> {
        let log = &self.recording.events;
        state_at_event(log, self.moments.get_or_init(|| LogMoments::of(log)), position)
    }

    /// Where an event happens in the text, and in which run of a graph.
    pub(crate) fn place_at(&self, position: usize) -> Option<(Origin, ScopeId)> {
        let (recording, log) = (&self.recording, &self.recording.events);
        let event = log.get(position)?;
        let who = self.moments.get_or_init(|| LogMoments::of(log)).who();
        let scope = who.visit(visit_of(who, &event.kind)?)?.scope;
        Some((place_in(recording, who, event)?, scope))
    }
}

impl<S> Traces<S> {
    /// Keeps a trace and returns its id. Drops the oldest traces if there are too many. `None` if the trace is too long.
    pub(crate) fn keep(&self, trace: Arc<Trace<S>>) -> Option<String> {
        if trace.recording.events.len() > EVENTS_MAX {
            return None;
        }
        let mut kept = self.lock();
        kept.last += 1;
        let id = kept.last;
        kept.traces.push_back((id, trace));
        let events = |kept: &Kept<S>| -> usize {
            kept.traces.iter().map(|(_, trace)| trace.recording.events.len()).sum()
        };
        while kept.traces.len() > TRACES_MAX || events(&kept) > EVENTS_MAX {
            kept.traces.pop_front();
        }
        Some(id.to_string())
    }

    /// The trace with this id. `None` if it is no longer kept.
    pub(crate) fn get(&self, id: &str) -> Option<Arc<Trace<S>>> {
        let id: u64 = id.parse().ok()?;
        let kept = self.lock();
        kept.traces.iter().find(|(own, _)| *own == id).map(|(_, trace)| Arc::clone(trace))
    }

    /// The result of `find` for the most recent trace that has one.
    pub(crate) fn latest<T>(&self, find: impl Fn(&Trace<S>) -> Option<T>) -> Option<T> {
        let traces: Vec<Arc<Trace<S>>> =
            self.lock().traces.iter().map(|(_, trace)| Arc::clone(trace)).collect();
        traces.iter().rev().find_map(|trace| find(trace))
    }

    /// The traces with their ids, the most recent first.
    pub(crate) fn list(&self) -> Vec<(String, Arc<Trace<S>>)> {
        let kept = self.lock();
        kept.traces.iter().rev().map(|(id, trace)| (id.to_string(), Arc::clone(trace))).collect()
    }

    fn lock(&self) -> MutexGuard<'_, Kept<S>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ran {
    /// Whether the run has decorations for a file.
    pub(crate) fn is_about(&self, uri: &str) -> bool {
        self.files.iter().any(|file| &*file.uri == uri)
    }

    /// What went wrong in a file.
    pub(crate) fn failures(&self, uri: &str) -> impl Iterator<Item = &Placed> {
        self.files.iter().filter(move |file| &*file.uri == uri).flat_map(|file| &file.failures)
    }

    /// The result of the last run of a lens.
    pub(crate) fn end(&self, uri: &str, run: &Runnable) -> Option<&str> {
        let end = self.ends.iter().find(|end| &*end.uri == uri && end.run == *run);
        end.map(|end| end.summary.as_str())
    }

    /// Whether both runs have decorations for the same file.
    pub(crate) fn meets(&self, other: &Ran) -> bool {
        self.files.iter().any(|file| other.is_about(&file.uri))
    }

    /// The same without decorations, which clears these files in the client.
    pub(crate) fn cleared(&self) -> Ran {
        let nothing = |file: &RanFile| RanFile::new(Arc::clone(&file.uri), file.version);
        Ran { files: self.files.iter().map(nothing).collect(), ..Ran::default() }
    }
}

impl RanFile {
    fn new(uri: Arc<str>, version: Option<i32>) -> RanFile {
        RanFile {
            uri,
            version,
            nodes: Vec::new(),
            edges: Vec::new(),
            lines: BTreeMap::new(),
            failures: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;
    use nodewise_engine::event::{Event, EventKind};
    use nodewise_engine::outcome::{Outcome, Status};
    use nodewise_engine::time::Millis;
    use nodewise_expr::value::Value;
    use nodewise_simulation::systems;

    fn trace(events: usize) -> Arc<Trace<()>> {
        let event = Event { at: Millis::ZERO, kind: EventKind::Cancelled };
        let recording = Recording {
            system: systems::cycgraph::SYSTEM,
            title: String::new(),
            seed: 0,
            charts: Arc::default(),
            beside: Default::default(),
            clock: 0.0,
            events: vec![event; events],
            outcome: Outcome::of(Status::Completed, Value::Null),
            spent: Default::default(),
            time: Millis::ZERO,
            notes: Vec::new(),
            next: None,
        };
        Arc::new(Trace::new((), recording, TraceFacts::default()))
    }

    #[test]
    fn the_last_traces_are_kept() {
        let traces = Traces::default();
        let ids: Vec<String> = (0..TRACES_MAX + 2).map(|_| traces.keep(trace(1)).unwrap()).collect();
        assert!(traces.get(&ids[1]).is_none());
        assert!(ids[2..].iter().all(|id| traces.get(id).is_some()));
        assert!(traces.get("0").is_none() && traces.get("x").is_none());
    }

    #[test]
    fn long_traces_drive_out_others_and_are_not_kept_at_all_when_too_long() {
        let traces = Traces::default();
        let first = traces.keep(trace(EVENTS_MAX / 2)).unwrap();
        let second = traces.keep(trace(EVENTS_MAX / 2 + 1)).unwrap();
        assert!(traces.get(&first).is_none());
        assert!(traces.keep(trace(EVENTS_MAX + 1)).is_none());
        assert!(traces.get(&second).is_some());
    }
}

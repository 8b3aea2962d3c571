//! Reports the progress of a live run, and stops it.
//!
//! Input: events. Output: progress, and whether the run continues. Invariant: a node that runs alone is stopped before
//! another node asks for anything.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use nodewise_engine::ask::Ask;
use nodewise_engine::event::{AskId, Event, EventKind, VisitId};
use nodewise_engine::usage::Usage;
use nodewise_live::answering::Watch;
use nodewise_live::driver::Observer;
use nodewise_live::session::Finished;
use nodewise_live::tools::Notes;
use nodewise_simulation::run::FirstVisit;
use smol_str::SmolStr;

use super::feed::Feed;
use crate::editor::{Editor, Level};
use crate::handlers::simulate::Progress;

/// Watches a run for the editor.
pub(super) struct Watching<'p> {
    progress: &'p mut Progress,
    /// The state of the node that runs alone. `None` if other nodes may run too.
    alone: Option<SingleNodeRun>,
    nodes: BTreeMap<VisitId, SmolStr>,
    spent: Usage,
    feed: Feed,
}

#[derive(Default)]
struct SingleNodeRun {
    visit: FirstVisit,
    is_over: bool,
}

/// Writes what tools log, and which calls are repeated, to the editor's log.
pub(super) struct ToolLogWriter {
    editor: Arc<dyn Editor>,
    feed: Feed,
}

/// The maximum number of nodes in a progress message.
const NODES_SHOWN: usize = 4;

impl<'p> Watching<'p> {
    pub(super) fn new(progress: &'p mut Progress, is_alone: bool, feed: Feed) -> Watching<'p> {
        let alone = is_alone.then(SingleNodeRun::default);
        Watching { progress, alone, nodes: BTreeMap::new(), spent: Usage::default(), feed }
    }

    /// Removes the events after the end of a node that ran alone.
    pub(super) fn end(self, finished: &mut Finished) {
        let Some(SingleNodeRun { visit, .. }) = self.alone else { return };
        if let Some(outcome) = visit.outcome {
            finished.recording.outcome = outcome;
        }
        finished.recording.cut(visit.seen);
    }

    fn look(&mut self, event: &Event) {
        match &event.kind {
            EventKind::VisitStarted { visit, node, .. } => drop(self.nodes.insert(*visit, node.clone())),
            EventKind::VisitEnded { visit, .. } => drop(self.nodes.remove(visit)),
            EventKind::Answered { answer, .. } => self.spent += answer.usage,
            _ => {}
        }
    }

    fn in_words(&self) -> String {
        let mut nodes: Vec<&str> = self.nodes.values().take(NODES_SHOWN).map(SmolStr::as_str).collect();
        if self.nodes.len() > NODES_SHOWN {
            nodes.push("…");
        }
        let mut parts = vec![nodes.join(", ")];
        if self.spent.tokens() > 0.0 {
            parts.push(format!("{} tokens", self.spent.tokens()));
        }
        if self.spent.cost_usd > 0.0 {
            parts.push(format!("${:.4}", self.spent.cost_usd));
        }
        parts.retain(|part| !part.is_empty());
        parts.join(" · ")
    }
}

impl Observer for Watching<'_> {
    fn happened_before(&mut self, events: &[Event]) {
        events.iter().for_each(|event| self.look(event));
        self.feed.events(events);
        // Count only the costs from now on.
        self.spent = Usage::default();
    }

    fn happened(&mut self, events: &[Event]) {
        events.iter().for_each(|event| self.look(event));
        let mut count = events.len();
        if let Some(alone) = &mut self.alone {
            let seen = alone.visit.seen;
            alone.is_over = alone.visit.read(events);
            count = alone.visit.seen - seen;
        }
        self.feed.events(events.get(..count).unwrap_or(events));
        self.progress.show_message(self.in_words());
    }

    fn repeated(&mut self, _ask: AskId, what: &Ask, before: u32) {
        let times = if before == 1 { "once".to_owned() } else { format!("{before} times") };
        self.progress.warn(format!(
            "`{}` repeats a step that was started {times} before and not completed",
            what.node
        ));
    }

    fn is_stopped(&self) -> bool {
        self.progress.is_stopped() || self.alone.as_ref().is_some_and(|alone| alone.is_over)
    }
}

impl ToolLogWriter {
    pub(super) fn new(editor: Arc<dyn Editor>, feed: Feed) -> ToolLogWriter {
        ToolLogWriter { editor, feed }
    }
}

impl Watch for ToolLogWriter {
    fn on_delta(&self, ask: AskId, part: &str) {
        self.feed.part(ask, part);
    }

    fn on_retry(&self, ask: AskId, wait_ms: u64, reason: &str) {
        self.feed.again(ask, wait_ms, reason);
        self.editor.log(Level::Note, format!("{reason}; asks again in {} s", wait_ms as f64 / 1000.0));
    }
}

impl fmt::Debug for ToolLogWriter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("ToolLogWriter")
    }
}

impl Notes for ToolLogWriter {
    fn note(&self, source: &str, line: &str) {
        self.editor.log(Level::Note, format!("{source}: {line}"));
    }
}

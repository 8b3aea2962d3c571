//! Shows the progress of a live run: one line that is updated on a terminal, plain lines elsewhere.
//!
//! Input: events. Output: standard error. Invariant: text from models and tools passes through `screen` before it
//! reaches a terminal.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use nodewise_engine::ask::{Ask, Decision, Question};
use nodewise_engine::event::{AskId, Event, EventKind, VisitId};
use nodewise_engine::usage::Usage;
use nodewise_live::answering::Watch;
use nodewise_live::driver::Observer;
use nodewise_live::store::RunId;
use nodewise_live::tools::Notes;
use smol_str::SmolStr;

use crate::output::{complain, is_quiet};
use crate::screen;

/// The display of a run in progress.
#[derive(Debug)]
pub(super) struct Display {
    how: How,
    seen: Mutex<Seen>,
}

#[derive(Debug)]
enum How {
    Silent,
    Lines,
    Bar(ProgressBar),
}

/// What the display has seen of the run.
#[derive(Debug, Default)]
struct Seen {
    nodes: BTreeMap<VisitId, SmolStr>,
    spent: Usage,
}

/// Observes a run for the display.
pub(super) struct DisplayObserver {
    display: Arc<Display>,
    stopped: Arc<AtomicBool>,
}

const TICK: Duration = Duration::from_millis(120);
/// The maximum number of nodes that are named.
const NODES_SHOWN: usize = 4;

impl Display {
    /// A display for standard error.
    pub(super) fn new(is_wanted: bool) -> Display {
        let how = match (is_wanted && !is_quiet(), std::io::stderr().is_terminal()) {
            (false, _) => How::Silent,
            (true, false) => How::Lines,
            (true, true) => {
                let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
                let style = ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}");
                How::Bar(bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner())))
            }
        };
        Display { how, seen: Mutex::default() }
    }

    /// A run starts or resumes.
    pub(super) fn begin(&self, id: &RunId) {
        match &self.how {
            How::Silent => {}
            How::Lines => complain(&format!("run {id}")),
            How::Bar(bar) => {
                bar.println(format!("run {id}"));
                bar.enable_steady_tick(TICK);
            }
        }
    }

    /// The run ended, or waits.
    pub(super) fn end(&self) {
        if let How::Bar(bar) = &self.how {
            bar.finish_and_clear();
        }
    }

    /// The observer of the run for this display. It stops the run when the user does.
    pub(super) fn observer(self: &Arc<Display>, stopped: Arc<AtomicBool>) -> DisplayObserver {
        DisplayObserver { display: self.clone(), stopped }
    }

    /// Asks the user, with the progress line hidden.
    pub(super) fn ask(
        &self,
        question: impl FnOnce() -> (String, fn() -> Option<Decision>),
    ) -> Option<Decision> {
        let (text, read) = question();
        let asking = || {
            complain(&text);
            read()
        };
        match &self.how {
            How::Bar(bar) => bar.suspend(asking),
            How::Silent | How::Lines => asking(),
        }
    }

    fn line(&self, text: &str) {
        match &self.how {
            How::Silent => {}
            How::Lines => complain(text),
            How::Bar(bar) => bar.println(screen::line(text)),
        }
    }

    /// Shows a warning, even without progress.
    fn warn(&self, text: &str) {
        match &self.how {
            How::Bar(bar) => bar.println(screen::line(text)),
            How::Silent | How::Lines => complain(text),
        }
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn event(&self, event: &Event) {
        let at = event.at.0 as f64 / 1000.0;
        let mut seen = self.seen();
        let line = match &event.kind {
            EventKind::VisitStarted { visit, node, .. } => {
                seen.nodes.insert(*visit, node.clone());
                Some(format!("{at:9.3} s  {node}"))
            }
            EventKind::VisitEnded { visit, result } => {
                let node = seen.nodes.remove(visit).unwrap_or_default();
                result.as_ref().err().map(|failure| format!("{at:9.3} s  {node}: {failure}"))
            }
            EventKind::Retried { visit, wait, failure, .. } => {
                let node = seen.nodes.get(visit).cloned().unwrap_or_default();
                let wait = wait.0 as f64 / 1000.0;
                Some(format!("{at:9.3} s  {node}: {failure}; retry in {wait} s"))
            }
            EventKind::Asked { visit, what, .. } => {
                let node = seen.nodes.get(visit).cloned().unwrap_or_default();
                Some(format!("{at:9.3} s  {node} {}", asks(what)))
            }
            EventKind::Answered { answer, .. } => {
                seen.spent += answer.usage;
                None
            }
            _ => None,
        };
        match &self.how {
            How::Silent => {}
            How::Lines => line.into_iter().for_each(|line| complain(&line)),
            How::Bar(bar) => bar.set_message(screen::line(&seen.in_words()).into_owned()),
        }
    }
}

impl Seen {
    fn in_words(&self) -> String {
        let mut nodes: Vec<&str> = self.nodes.values().take(NODES_SHOWN).map(SmolStr::as_str).collect();
        if self.nodes.len() > NODES_SHOWN {
            nodes.push("…");
        }
        let mut words = nodes.join(", ");
        if self.spent.tokens() > 0.0 {
            words.push_str(&format!("  {} tokens", self.spent.tokens()));
        }
        if self.spent.cost_usd > 0.0 {
            words.push_str(&format!("  ${:.4}", self.spent.cost_usd));
        }
        words
    }
}

/// The question in words.
fn asks(ask: &Ask) -> String {
    match &ask.what {
        Question::Model(model) => format!("asks the model of `{}`", model.agent),
        Question::Tool(tool) => format!("calls the tool `{}`", tool.tool),
        Question::Function(function) => format!("calls the function `{}`", function.path),
        Question::Human(_) => "asks a person".to_owned(),
        other => format!("asks for: {}", other.noun()),
    }
}

impl Observer for DisplayObserver {
    fn happened_before(&mut self, events: &[Event]) {
        let mut seen = self.display.seen();
        for event in events {
            match &event.kind {
                EventKind::VisitStarted { visit, node, .. } => drop(seen.nodes.insert(*visit, node.clone())),
                EventKind::VisitEnded { visit, .. } => drop(seen.nodes.remove(visit)),
                _ => {}
            }
        }
    }

    fn happened(&mut self, events: &[Event]) {
        events.iter().for_each(|event| self.display.event(event));
    }

    fn repeated(&mut self, _ask: AskId, what: &Ask, _before: u32) {
        self.display.warn(&format!(
            "warning: `{}` {} again; the call before may have had its effect",
            what.node,
            asks(what)
        ));
    }

    fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }
}

impl Watch for Display {
    fn on_retry(&self, _ask: AskId, wait_ms: u64, reason: &str) {
        self.line(&format!("{reason}; asks again in {} s", wait_ms as f64 / 1000.0));
    }
}

impl Notes for Display {
    fn note(&self, source: &str, line: &str) {
        self.line(&format!("{source}: {line}"));
    }
}

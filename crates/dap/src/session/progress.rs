//! Progress of a long move, which the client can show and cancel.
//!
//! Input: turns of the run. Output: events of progress. Invariant: what begins also ends, before the client learns that the
//! run stopped.

use serde_json::{Value, json};

use super::DebugSession;

/// After this number of turns, the client sees the progress of a move. A turn takes a few milliseconds.
const TURNS_UNTIL_LONG: u32 = 64;

/// The progress of the current move.
#[derive(Debug, Default)]
pub(crate) struct RunProgress {
    /// Whether the client can show progress.
    pub(crate) is_supported: bool,
    turns: u32,
    /// The id of the progress that the client shows now.
    shown: Option<u64>,
    last: u64,
}

impl RunProgress {
    /// Whether the client shows the progress with this id.
    pub(crate) fn is(&self, id: &str) -> bool {
        self.shown.is_some_and(|shown| shown.to_string() == id)
    }
}

impl DebugSession<'_> {
    /// Counts a turn, and reports progress to the client every [`TURNS_UNTIL_LONG`] turns. A live run has no progress,
    /// because it mostly waits for models, tools and people.
    pub(super) fn show_progress(&mut self) {
        let Some(run) = self.run.as_ref().filter(|_| self.progress.is_supported) else { return };
        if run.debugger.timeline().is_fed() {
            return;
        }
        let message = format!("{} events", run.debugger.timeline().log().len());
        self.progress.turns += 1;
        if !self.progress.turns.is_multiple_of(TURNS_UNTIL_LONG) {
            return;
        }
        match self.progress.shown {
            Some(id) => {
                self.event("progressUpdate", json!({"progressId": id.to_string(), "message": message}));
            }
            None => {
                self.progress.last += 1;
                let id = self.progress.last;
                self.progress.shown = Some(id);
                self.event(
                    "progressStart",
                    json!({
                        "progressId": id.to_string(), "title": "Running to the next stop",
                        "message": message, "cancellable": true,
                    }),
                );
            }
        }
    }

    /// Ends the progress, because the move is over.
    pub(crate) fn end_progress(&mut self) {
        self.progress.turns = 0;
        if let Some(id) = self.progress.shown.take() {
            self.event("progressEnd", json!({"progressId": id.to_string()}));
        }
    }

    /// Shows what tools of a live run printed.
    pub(super) fn show_printed(&mut self) {
        let lines = self.run.as_mut().map(|run| run.debugger.take_printed()).unwrap_or_default();
        for line in lines {
            self.event(
                "output",
                Value::from_iter([("category", "stderr".to_owned()), ("output", line + "\n")]),
            );
        }
    }
}

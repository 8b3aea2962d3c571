//! Reports the progress of a run to the client, and stops the run.
//!
//! Input: an active run. Output: progress under the client's token, or under one of the server's if the run takes long.
//! Invariant: the progress of each token that began also ends.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use nodewise_analysis::cancel::Cancel;
use nodewise_simulation::run::Run;
use serde_json::json;
use tower_lsp_server::ls_types::NumberOrString;

use crate::client::token_of;
use crate::clock::Moment;
use crate::editor::{Editor, Level, ProgressStep};
use crate::transport::Outbox;

/// The runs whose progress the client sees, so that it can stop them by their tokens.
#[derive(Debug, Clone, Default)]
pub(crate) struct Underway {
    runs: Arc<Mutex<BTreeMap<String, Cancel>>>,
    count: Arc<AtomicU64>,
}

/// The progress of a run. Dropping it reports the end.
pub(crate) struct Progress {
    title: &'static str,
    cancel: Cancel,
    shown: Shown,
    outbox: Outbox,
    editor: Arc<dyn Editor>,
    underway: Underway,
    begun: Moment,
    reported: Moment,
}

/// The token under which the client sees the progress.
enum Shown {
    /// No token yet.
    Not,
    /// The client's token.
    Client(NumberOrString),
    /// A token of the server, which is made from the number of the work.
    Own(u64),
}

/// The minimum time between two reports.
const PAUSE: Duration = Duration::from_millis(100);
/// After this time, the server shows progress even if the client sent no token.
const PATIENCE: Duration = Duration::from_millis(500);
/// The number of the first run. Work that reads folders has smaller numbers.
const FIRST_WORK: u64 = 1 << 40;

impl Underway {
    /// Stops the run with this token.
    pub(crate) fn stop(&self, token: &NumberOrString) {
        if let Some(cancel) = self.lock().get(&key(token)) {
            cancel.cancel();
        }
    }

    /// Starts to report the progress of a run.
    pub(crate) fn begin(
        &self,
        title: &'static str,
        token: Option<NumberOrString>,
        cancel: &Cancel,
        outbox: &Outbox,
        editor: &Arc<dyn Editor>,
    ) -> Progress {
        if let Some(token) = &token {
            self.lock().insert(key(token), cancel.clone());
            let begin = json!({"kind": "begin", "title": title, "cancellable": true});
            outbox.notify("$/progress", json!({"token": token, "value": begin}));
        }
        Progress {
            title,
            cancel: cancel.clone(),
            shown: token.map_or(Shown::Not, Shown::Client),
            outbox: outbox.clone(),
            editor: Arc::clone(editor),
            underway: self.clone(),
            begun: Moment::now(),
            reported: Moment::now(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Cancel>> {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn key(token: &NumberOrString) -> String {
    json!(token).to_string()
}

impl Progress {
    /// Reports the progress of a run, and returns whether the run continues.
    pub(crate) fn look(&mut self, run: &Run) -> bool {
        if self.reported.elapsed() >= PAUSE {
            self.reported = Moment::now();
            match &self.shown {
                Shown::Client(_) => self.show_message(format!("{} events", run.log().len())),
                Shown::Not if self.begun.elapsed() >= PATIENCE => self.show(),
                Shown::Not | Shown::Own(_) => {}
            }
        }
        !self.cancel.is_cancelled()
    }

    /// Whether the run was stopped.
    #[cfg_attr(not(feature = "live"), expect(dead_code, reason = "only live runs need it"))]
    pub(crate) fn is_stopped(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// Shows that the run is active, if the client sent no token.
    pub(crate) fn show(&mut self) {
        match &self.shown {
            Shown::Not => {
                let work = FIRST_WORK + self.underway.count.fetch_add(1, Ordering::Relaxed);
                let token = NumberOrString::String(token_of(work));
                self.underway.lock().insert(key(&token), self.cancel.clone());
                let title = self.title.to_owned();
                self.editor.progress(ProgressStep::Begin { work, title, is_cancellable: true });
                self.shown = Shown::Own(work);
            }
            Shown::Client(_) | Shown::Own(_) => {}
        }
    }

    /// Reports something that a person who inspects the run should know.
    #[cfg_attr(not(feature = "live"), expect(dead_code, reason = "only live runs need it"))]
    pub(crate) fn warn(&self, message: String) {
        self.editor.log(Level::Warning, message);
    }

    /// Reports how far the run is.
    pub(crate) fn show_message(&self, message: String) {
        match &self.shown {
            Shown::Not => {}
            Shown::Client(token) => {
                let report = json!({"kind": "report", "message": message});
                self.outbox.notify("$/progress", json!({"token": token, "value": report}));
            }
            Shown::Own(work) => self.editor.progress(ProgressStep::Tell { work: *work, message }),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        let token = match &self.shown {
            Shown::Not => return,
            Shown::Client(token) => token.clone(),
            Shown::Own(work) => NumberOrString::String(token_of(*work)),
        };
        // Before the end is reported: the client may use the same token for its next run as soon as it gets the end.
        self.underway.lock().remove(&key(&token));
        match &self.shown {
            Shown::Own(work) => self.editor.progress(ProgressStep::End { work: *work }),
            _ => self.outbox.notify("$/progress", json!({"token": token, "value": {"kind": "end"}})),
        }
    }
}

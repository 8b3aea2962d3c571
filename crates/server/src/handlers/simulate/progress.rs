//! How far a run is, for the client, and the ways to stop it.
//!
//! Input: a run that goes on. Output: progress under the client's token, or, where a run takes long, under one of the
//! server's. Invariant: a token that began ends, whatever becomes of the run.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use nodewise_analysis::cancel::Cancel;
use nodewise_simulation::run::Run;
use serde_json::json;
use tower_lsp_server::ls_types::NumberOrString;

use crate::client::token_of;
use crate::editor::{Editor, Level, Step};
use crate::transport::Outbox;

/// The runs that the client shows progress of, so that it can stop them by their tokens.
#[derive(Debug, Clone, Default)]
pub(crate) struct Underway {
    runs: Arc<Mutex<BTreeMap<String, Cancel>>>,
    count: Arc<AtomicU64>,
}

/// How far a run is; the end is told when this goes away.
pub(crate) struct Progress {
    title: &'static str,
    cancel: Cancel,
    shown: Shown,
    outbox: Outbox,
    editor: Arc<dyn Editor>,
    underway: Underway,
    begun: Instant,
    told: Instant,
}

/// Under which token progress is shown.
enum Shown {
    /// Under none yet.
    Not,
    /// Under the client's.
    Client(NumberOrString),
    /// Under one of the server's, by the number of the work.
    Own(u64),
}

/// How often progress is told.
const PAUSE: Duration = Duration::from_millis(100);
/// After so long, progress is shown that the client did not ask for.
const PATIENCE: Duration = Duration::from_millis(500);
/// The numbers of works that read folders are smaller.
const FIRST_WORK: u64 = 1 << 40;

impl Underway {
    /// Stops the run that is shown under a token.
    pub(crate) fn stop(&self, token: &NumberOrString) {
        if let Some(cancel) = self.lock().get(&key(token)) {
            cancel.cancel();
        }
    }

    /// Begins to tell how far a run is.
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
            begun: Instant::now(),
            told: Instant::now(),
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
    /// Looks at a run: tells how far it is, and says whether it shall go on.
    pub(crate) fn look(&mut self, run: &Run) -> bool {
        if self.told.elapsed() >= PAUSE {
            self.told = Instant::now();
            match &self.shown {
                Shown::Client(_) => self.tell(format!("{} events", run.log().len())),
                Shown::Not if self.begun.elapsed() >= PATIENCE => self.show(),
                Shown::Not | Shown::Own(_) => {}
            }
        }
        !self.cancel.is_cancelled()
    }

    /// Whether somebody stopped the run.
    #[cfg_attr(not(feature = "live"), expect(dead_code, reason = "live runs alone need it"))]
    pub(crate) fn is_stopped(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// Shows that the run goes on, where the client did not ask for that.
    pub(crate) fn show(&mut self) {
        match &self.shown {
            Shown::Not => {
                let work = FIRST_WORK + self.underway.count.fetch_add(1, Ordering::Relaxed);
                let token = NumberOrString::String(token_of(work));
                self.underway.lock().insert(key(&token), self.cancel.clone());
                let title = self.title.to_owned();
                self.editor.progress(Step::Begin { work, title, is_cancellable: true });
                self.shown = Shown::Own(work);
            }
            Shown::Client(_) | Shown::Own(_) => {}
        }
    }

    /// Tells what somebody should know who looks into the run.
    #[cfg_attr(not(feature = "live"), expect(dead_code, reason = "live runs alone need it"))]
    pub(crate) fn warn(&self, message: String) {
        self.editor.log(Level::Warning, message);
    }

    /// Tells where the run is.
    pub(crate) fn tell(&self, message: String) {
        match &self.shown {
            Shown::Not => {}
            Shown::Client(token) => {
                let report = json!({"kind": "report", "message": message});
                self.outbox.notify("$/progress", json!({"token": token, "value": report}));
            }
            Shown::Own(work) => self.editor.progress(Step::Tell { work: *work, message }),
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
        // Before the end is told: a client may give the same token to its next run as soon as it hears of the end.
        self.underway.lock().remove(&key(&token));
        match &self.shown {
            Shown::Own(work) => self.editor.progress(Step::End { work: *work }),
            _ => self.outbox.notify("$/progress", json!({"token": token, "value": {"kind": "end"}})),
        }
    }
}

//! Runs that are cancelled from another process.
//!
//! Input: a run; output: the run has ended, or the process that drives it is asked to end it. Invariant: what is cancelled is on
//! record as an event, so that the run is shown as far as it went, and nothing of it is made up.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::{Value as Json, json};

use super::clock::Moment;
use super::id::RunId;
use super::whole::{RunChange, WholeRow};
use super::{FOLDER, RunStatus, Store, lease, refuse_ended};

/// The event that a run was cancelled. Only the store writes it, never the kernel.
const CANCELLED: &str = "cancelled-by-user";
/// The outcome of a cancelled run.
pub(super) const OUTCOME: &str = "cancelled";

/// What [`Store::cancel`] did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cancelled {
    Ended,
    /// The process that drives the run was asked to end it.
    Asked,
}

impl Store {
    /// Cancels a run. If another process drives it, that process is asked to end it; otherwise the run ends now.
    ///
    /// # Errors
    /// Where the run has ended, does not exist, or cannot be written.
    pub fn cancel(&mut self, run: &RunId) -> Result<Cancelled> {
        let stored = self.read(run)?;
        if let RunStatus::Ended { .. } = stored.status {
            anyhow::bail!("the run `{run}` has ended\n  help: `nodewise runs show {run}` shows it");
        }
        if stored.status == RunStatus::Running && !self.leases.contains_key(run) {
            let file = request(&self.folder, run);
            std::fs::write(&file, "").with_context(|| format!("`{}` cannot be written", file.display()))?;
            // The process may have let go of the run before it saw the request.
            if lease::is_held(&self.folder, run)? {
                return Ok(Cancelled::Asked);
            }
        }
        self.end_cancelled(run)?;
        Ok(Cancelled::Ended)
    }

    /// Ends a run as cancelled.
    ///
    /// # Errors
    /// Where it is over, another process drives it, or it cannot be written.
    pub fn end_cancelled(&mut self, run: &RunId) -> Result<()> {
        let whole = self.write_run(run, |tx, row| {
            refuse_ended(row)?;
            row.add_event(tx, Moment::now(), &json!({"event": CANCELLED}))?;
            row.end(OUTCOME, "cancelled with `nodewise runs cancel`");
            Ok(WholeRow::update(tx, run.as_str(), RunChange::Ends)?)
        })?;
        self.after_end(run, whole);
        Ok(())
    }

    /// The request by which other processes can cancel a run that this process drives.
    #[must_use]
    pub fn cancel_request(&self, run: &RunId) -> CancelRequest {
        CancelRequest { file: request(&self.folder, run) }
    }
}

/// A file in the store's folder. If it exists, someone asks the process that drives the run to end it.
#[derive(Debug, Clone)]
pub struct CancelRequest {
    file: PathBuf,
}

impl CancelRequest {
    /// Whether someone made the request.
    #[must_use]
    pub fn is_made(&self) -> bool {
        self.file.exists()
    }

    /// Removes the request, because it was followed, or was meant for a process that drove the run before.
    pub fn clear(&self) {
        std::fs::remove_file(&self.file).ok();
    }
}

/// Whether an event says that the run was cancelled.
pub(super) fn is_cancellation(event: &Json) -> bool {
    event.get("event").and_then(Json::as_str) == Some(CANCELLED)
}

fn request(folder: &Path, run: &RunId) -> PathBuf {
    folder.join(FOLDER).join(format!("{run}.cancel"))
}

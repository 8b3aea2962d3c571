//! Changes in the watched folders.
//!
//! Input: folders, events of the system. Output: the changed paths, after a pause without events. Invariant: reading a
//! file is not an event, so nodewise never triggers itself.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow, bail};
use notify::event::{AccessKind, AccessMode};
use notify::{ErrorKind, Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

/// The length of the pause.
const QUIET: Duration = Duration::from_millis(50);
/// If there is no pause, the batch ends after this time.
const PATIENCE: Duration = Duration::from_millis(500);

/// The events of the watched folders.
pub(super) struct Events {
    watcher: RecommendedWatcher,
    received: Receiver<notify::Result<Event>>,
    watched: BTreeSet<PathBuf>,
}

/// The changes between two pauses.
#[derive(Debug, Default)]
pub(super) struct Batch {
    /// The changed paths.
    pub(super) paths: BTreeSet<PathBuf>,
    /// Whether there were more changes without known paths.
    pub(super) is_partial: bool,
}

impl Events {
    /// Starts without watched folders.
    pub(super) fn new() -> Result<Events> {
        let (sender, received) = channel();
        let watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
            if !event.as_ref().is_ok_and(is_read_only) {
                // When the command ends, the receiver is gone.
                sender.send(event).ok();
            }
        });
        let watcher = watcher.map_err(|error| anyhow!("file changes cannot be watched: {error}"))?;
        Ok(Events { watcher, received, watched: BTreeSet::new() })
    }

    /// Watches exactly these folders. Returns whether one of them is new.
    pub(super) fn watch(&mut self, folders: BTreeSet<PathBuf>) -> Result<bool> {
        for folder in self.watched.difference(&folders) {
            // The folder may be gone.
            self.watcher.unwatch(folder).ok();
        }
        let mut watched = BTreeSet::new();
        for folder in folders {
            // Watch it again even if it is already watched, because it may have been deleted and created again.
            match self.watcher.watch(&folder, RecursiveMode::NonRecursive) {
                Ok(()) => drop(watched.insert(folder)),
                Err(error) => is_bearable(&folder, &error)?,
            }
        }
        let is_more = !watched.is_subset(&self.watched);
        self.watched = watched;
        Ok(is_more)
    }

    /// Whether a folder is watched.
    pub(super) fn is_watched(&self, path: &Path) -> bool {
        self.watched.contains(path)
    }

    /// Waits for a change, and then for a pause.
    pub(super) fn wait(&self) -> Result<Batch> {
        let mut batch = Batch::default();
        let first = self.received.recv().map_err(|_| anyhow!("file changes are no longer reported"))?;
        batch.add(first);
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            match self.received.recv_timeout(QUIET) {
                Ok(event) => batch.add(event),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
            }
        }
        Ok(batch)
    }
}

impl Batch {
    fn add(&mut self, event: notify::Result<Event>) {
        match event {
            Ok(event) => {
                self.is_partial |= event.need_rescan();
                self.paths.extend(event.paths);
            }
            Err(error) => {
                self.is_partial = true;
                self.paths.extend(error.paths);
            }
        }
    }
}

/// Opening and reading change nothing. The end of a write does.
fn is_read_only(event: &Event) -> bool {
    let is_written = event.kind == EventKind::Access(AccessKind::Close(AccessMode::Write));
    event.kind.is_access() && !is_written && !event.need_rescan()
}

/// A folder that is gone or not readable is ignored. A full watch table of the system is an error.
fn is_bearable(folder: &Path, error: &notify::Error) -> Result<()> {
    match error.kind {
        ErrorKind::MaxFilesWatch => bail!(
            "`{}` cannot be watched: the system's limit of watched folders is reached\n  \
             help: raise the limit (fs.inotify.max_user_watches on Linux), or check a smaller folder",
            folder.display()
        ),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use notify::event::{AccessKind, AccessMode, CreateKind, Flag};
    use notify::{Event, EventKind};

    use super::is_read_only;

    #[test]
    fn reading_is_no_event() {
        let access = |kind| Event::new(EventKind::Access(kind));
        assert!(is_read_only(&access(AccessKind::Open(AccessMode::Any))));
        assert!(is_read_only(&access(AccessKind::Close(AccessMode::Read))));
        assert!(!is_read_only(&access(AccessKind::Close(AccessMode::Write))));
        assert!(!is_read_only(&Event::new(EventKind::Create(CreateKind::Any))));
        assert!(!is_read_only(&Event::new(EventKind::Other).set_flag(Flag::Rescan)));
    }
}

//! What happens below the folders that are watched.
//!
//! Input: folders, the system's events. Output: the paths of a moment in which nothing more happened. Invariant: reading a
//! file is no event, so that a look at the files never causes the next one.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow, bail};
use notify::event::{AccessKind, AccessMode};
use notify::{ErrorKind, Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

/// As long as this nothing may happen until a moment counts as over.
const QUIET: Duration = Duration::from_millis(50);
/// Where something happens all the time, a moment ends after this.
const PATIENCE: Duration = Duration::from_millis(500);

/// What happens.
pub(super) struct Events {
    watcher: RecommendedWatcher,
    received: Receiver<notify::Result<Event>>,
    watched: BTreeSet<PathBuf>,
}

/// What happened in a moment.
#[derive(Debug, Default)]
pub(super) struct Batch {
    /// Where.
    pub(super) paths: BTreeSet<PathBuf>,
    /// Whether something more happened, and it is not known where.
    pub(super) is_partial: bool,
}

impl Events {
    /// Nothing is watched yet.
    pub(super) fn new() -> Result<Events> {
        let (sender, received) = channel();
        let watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
            if !event.as_ref().is_ok_and(is_read_only) {
                // Nobody receives any more when the command ends.
                sender.send(event).ok();
            }
        });
        let watcher = watcher.map_err(|error| anyhow!("file changes cannot be watched: {error}"))?;
        Ok(Events { watcher, received, watched: BTreeSet::new() })
    }

    /// Watches these folders and no others; whether there is a new one among them.
    pub(super) fn watch(&mut self, folders: BTreeSet<PathBuf>) -> Result<bool> {
        for folder in self.watched.difference(&folders) {
            // It may be gone.
            self.watcher.unwatch(folder).ok();
        }
        let mut watched = BTreeSet::new();
        for folder in folders {
            // Again where it is watched already: it may have been deleted and made anew.
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

    /// Waits until something has happened, and until nothing more happens.
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

/// Opening and reading change nothing; the end of writing does.
fn is_read_only(event: &Event) -> bool {
    let is_written = event.kind == EventKind::Access(AccessKind::Close(AccessMode::Write));
    event.kind.is_access() && !is_written && !event.need_rescan()
}

/// A folder that is gone or closed is one in which nothing can be seen; an exhausted system is a failure.
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

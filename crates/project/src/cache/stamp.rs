//! How a file was when it was read, so that a later look at it says whether it is the same without reading it.
//!
//! Invariant: two stamps that are equal, and older than the moment of reading, are of one text.

use std::fs::Metadata;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::hash_of;

/// The largest step of the clocks of file systems: FAT counts in two seconds.
const COARSEST: Duration = Duration::from_secs(2);

/// A time, in nanoseconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CheckTime(u64);

/// The size and the times of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(u64, CheckTime, CheckTime)", into = "(u64, CheckTime, CheckTime)")]
pub struct FileState {
    size: u64,
    /// When its text was last written.
    modified: CheckTime,
    /// When anything about the file last changed, if the system says so. Programs can set `modified` back, but not this.
    changed: CheckTime,
}

impl From<(u64, CheckTime, CheckTime)> for FileState {
    fn from((size, modified, changed): (u64, CheckTime, CheckTime)) -> FileState {
        FileState { size, modified, changed }
    }
}

impl From<FileState> for (u64, CheckTime, CheckTime) {
    fn from(FileState { size, modified, changed }: FileState) -> (u64, CheckTime, CheckTime) {
        (size, modified, changed)
    }
}

/// The state of a file and the hash of its text, when it was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "StampNumbers", into = "StampNumbers")]
pub struct FileStamp {
    state: FileState,
    /// The hash of its text.
    pub(super) hash: u64,
}

/// A stamp as it is stored, without member names, because a large project has a hundred thousand.
type StampNumbers = (u64, CheckTime, CheckTime, u64);

impl From<StampNumbers> for FileStamp {
    fn from((size, modified, changed, hash): StampNumbers) -> FileStamp {
        FileStamp { state: FileState { size, modified, changed }, hash }
    }
}

impl From<FileStamp> for StampNumbers {
    fn from(stamp: FileStamp) -> StampNumbers {
        let FileState { size, modified, changed } = stamp.state;
        (size, modified, changed, stamp.hash)
    }
}

impl CheckTime {
    /// The time of the call.
    #[must_use]
    pub fn now() -> CheckTime {
        CheckTime::of(SystemTime::now())
    }

    #[cfg(test)]
    pub(super) fn later(self, by: Duration) -> CheckTime {
        CheckTime(self.0 + u64::try_from(by.as_nanos()).unwrap_or(u64::MAX))
    }

    fn of(time: SystemTime) -> CheckTime {
        let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
        CheckTime(u64::try_from(since.as_nanos()).unwrap_or(u64::MAX))
    }
}

impl FileState {
    /// The state of a file.
    #[must_use]
    pub fn of(metadata: &Metadata) -> FileState {
        let modified = metadata.modified().map_or(CheckTime(u64::MAX), CheckTime::of);
        FileState { size: metadata.len(), modified, changed: changed(metadata).unwrap_or(modified) }
    }

    /// The state of a text of that size after so many changes of texts, where there are no files.
    #[must_use]
    pub fn of_text(size: usize, changes: u64) -> FileState {
        FileState { size: size as u64, modified: CheckTime(changes), changed: CheckTime(changes) }
    }

    /// Whether the file was last written well before a moment. A file that was written later may have been written once
    /// more within the same tick of the clock.
    #[must_use]
    pub fn is_older_than(&self, moment: CheckTime) -> bool {
        let latest = self.modified.max(self.changed).0;
        latest.saturating_add(u64::try_from(COARSEST.as_nanos()).unwrap_or(u64::MAX)) < moment.0
    }
}

impl FileStamp {
    /// The stamp of a file with that text.
    pub(super) fn of(metadata: &Metadata, text: &str) -> FileStamp {
        FileStamp { state: FileState::of(metadata), hash: hash_of(&text) }
    }

    /// Whether a file has the size and the times of the stamp.
    pub(super) fn is_of(&self, metadata: &Metadata) -> bool {
        self.state == FileState::of(metadata)
    }

    /// See [`FileState::is_older_than`].
    pub(super) fn is_older_than(&self, moment: CheckTime) -> bool {
        self.state.is_older_than(moment)
    }
}

#[cfg(unix)]
fn changed(metadata: &Metadata) -> Option<CheckTime> {
    use std::os::unix::fs::MetadataExt;
    let seconds = u64::try_from(metadata.ctime()).ok()?;
    let nanoseconds = u64::try_from(metadata.ctime_nsec()).ok()?;
    Some(CheckTime(seconds.checked_mul(1_000_000_000)?.checked_add(nanoseconds)?))
}

#[cfg(not(unix))]
fn changed(_: &Metadata) -> Option<CheckTime> {
    None
}

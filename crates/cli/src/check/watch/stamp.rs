//! How a file is, as far as the system tells without reading it.
//!
//! Input: a path. Output: what differs if the text does. Invariant: nothing is read.

use std::path::Path;
use std::time::SystemTime;

/// What changes with the text of a file: the modification time, the length, and the identity of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp {
    modified: Option<SystemTime>,
    length: u64,
    identity: u64,
}

/// How a file is now; `None` if it is not there.
pub(super) fn stamp(path: &Path) -> Option<Stamp> {
    let metadata = std::fs::metadata(path).ok()?;
    Some(Stamp { modified: metadata.modified().ok(), length: metadata.len(), identity: identity(&metadata) })
}

/// The identity of a file. Another file with the same time and length may be moved to the same path.
#[cfg(unix)]
fn identity(metadata: &std::fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(metadata)
}

#[cfg(not(unix))]
fn identity(_: &std::fs::Metadata) -> u64 {
    0
}

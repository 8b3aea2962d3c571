//! What is kept of a run beside its journal: its parts, and how large they may be.

/// The largest question or answer that is recorded. Engines take messages of 32 MiB.
pub(super) const LARGEST: usize = 24 * 1024 * 1024;

/// The name of a part of a record.
pub(super) fn part_name(part: u64) -> String {
    format!("events-{part}")
}

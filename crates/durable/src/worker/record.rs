//! What is kept of a run beside its journal: its parts, and how large they may be.

/// The largest question or answer that is recorded, in bytes. Engines accept messages of up to 32 MiB.
pub(super) const LARGEST: usize = 24 * 1024 * 1024;

/// The key of the engine's state that holds a part of a record.
pub(super) fn part_name(part: u64) -> String {
    format!("events-{part}")
}

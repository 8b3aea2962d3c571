//! The proofs of the crate: changes as text, what means the same, and single edits of the corpora.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "tests read the corpora, and may fail"
)]

mod changes;
mod corpora;
mod edits;
mod marks;
mod merges;
mod renamed_merges;
mod same;

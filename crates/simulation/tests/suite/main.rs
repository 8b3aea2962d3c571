//! The proofs of the crate: runs as timelines, and what is reported of scenarios.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "tests read the corpora, and fail by panicking"
)]

mod comparison;
mod gate;
mod generation;
mod input_schemas;
mod matching;
mod one_node;
mod runs;
mod scenarios;
mod traces;

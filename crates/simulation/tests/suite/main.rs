//! The proofs of the crate: runs as timelines, and what is reported of scenarios.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod comparison;
mod generation;
mod matching;
mod runs;
mod scenarios;

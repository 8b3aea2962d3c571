//! The proofs of the crate: the kernel by itself, the specification's engine for Liman, what can happen in small graphs.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod explore;
mod explore_graphs;
mod explore_proof;
mod explore_threads;
mod kernel;
mod liman;

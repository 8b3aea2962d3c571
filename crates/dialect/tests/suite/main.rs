//! The proofs of the crate: the tables against corpora and recorded verdicts.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "these tests are about files")]

mod agentos;
mod bundle;
mod cycgraph;

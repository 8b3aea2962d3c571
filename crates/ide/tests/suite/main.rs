//! The proofs of the crate that need whole corpora: every answer fits its text, every action and every new name keeps
//! what the files mean, and what nobody waits for ends.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "these tests are about files")]

mod actions;
mod board_edit;
mod cancel;
mod rename;
mod robustness;

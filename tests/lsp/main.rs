//! The built language server, as an editor talks to it.
//!
//! Input: messages. Output: messages, and how the process ends. Invariant: no test depends on another, on the current
//! folder or on the machine.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "these tests are about files and times")]

mod client;

mod completion;
mod corpora;
mod features;
#[cfg(feature = "planted-hang")]
mod hang;
mod insight;
mod keeping;
mod life;
mod live;
mod log;
mod programs;
mod reports;
mod simulate;
mod soak;
mod storm;
mod strace;
mod texts;
mod workspace;

//! Runs on a real engine with real workers that are killed: nothing is lost, nothing is repeated without notice, and every record is
//! its replay. What happened is counted from the file that the calls write.

#![cfg(all(feature = "worker", unix))]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "tests"
)]

mod balancer;
#[path = "../suite/lsp/client.rs"]
#[allow(dead_code, reason = "the tests of the language server need more of it")]
mod client;
mod decisions;
mod editor;
mod engine;
mod kills;
mod observers;
#[path = "../suite/lsp/parts.rs"]
mod parts;
mod place;
mod refusals;

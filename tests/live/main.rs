//! Live runs as a user has them: the command itself, real processes, a model server on this machine.

#![cfg(feature = "live")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "tests"
)]

mod attachments;
mod backup;
mod cancel;
mod costs;
mod crash;
#[path = "../../crates/dap/tests/suite/schema.rs"]
mod debug_protocol;
mod debugger;
mod decisions;
mod effects;
mod environment;
mod eval;
mod examples;
mod fork;
mod hostile;
mod import;
#[cfg(feature = "mcp")]
mod mcp;
mod people;
mod permission;
mod place;
mod planted;
mod prompts;
mod reopen;
mod requests;
mod secrets;
mod stored;

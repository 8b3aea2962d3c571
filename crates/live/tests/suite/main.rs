//! The proofs of the crate before real counterparts: model servers, tool servers, interpreters, collectors, processes that
//! die. Invariant: no test depends on another, on the network or on how fast the machine is.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "these tests are about files, processes and sockets")]
#![allow(clippy::print_stdout, reason = "a test that is skipped says so")]

mod driver;
mod followed;
mod models;
mod store;
mod telemetry;
mod tools;

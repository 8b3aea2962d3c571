//! The proofs of the crate: layout case by case, what people's files say about options, laws that hold for every text.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "these tests are about files")]
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test tells what it tried, and what it skipped"
)]

mod detect_style;
mod layout;
mod properties;

#[path = "../../../syntax/tests/suite/generate.rs"]
mod generate;
#[path = "../../../syntax/tests/suite/support.rs"]
#[allow(dead_code, reason = "the tests of the syntax use all of it")]
mod support;

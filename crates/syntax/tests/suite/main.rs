//! The proofs of the crate: conformance, differences from other parsers, recovery, hostile input.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test stops at the first surprise, and tells what it counted"
)]

mod differential;
mod generate;
mod hostile;
mod locations;
mod lossless;
mod oracle;
mod recovery;
mod support;
mod trees;
mod writing;
mod yaml_test_suite;

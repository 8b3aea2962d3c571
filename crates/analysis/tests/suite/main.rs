//! The proofs of the crate that need whole corpora: fixes that work, strangers that do not meet, texts that are broken.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "these tests are about files")]
#![allow(clippy::print_stdout, reason = "a test tells what it tried")]

mod cycgraph_project;
mod fixes;
mod mistakes;
mod one_message;
mod robustness;

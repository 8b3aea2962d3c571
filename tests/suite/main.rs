//! The built command and server, as people and editors use them: corpora, pages, every command, the protocol, schemas.
//!
//! Input: files, arguments, messages. Output: what is printed or answered, and how a process ends. Invariant: no test
//! depends on another, on the current folder or on the machine. What only live runs have is proved in `tests/live`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "these tests are about files and times")]
#![allow(
    clippy::print_stdout,
    reason = "a test that is skipped says so, and one that tries much tells how much"
)]

mod agentos_corpus;
mod cli;
mod conformance;
mod corpus;
mod cycgraph_corpus;
mod fingerprints;
mod git;
mod literate;
#[cfg(feature = "lsp")]
mod lsp;
#[cfg(feature = "mcp")]
mod mcp;
mod pages;
mod schemas;

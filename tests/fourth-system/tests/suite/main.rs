//! What the program of the fourth system shows: on the command line, and to editors.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "tests use files and processes")]

mod command;
mod editor;

use std::path::PathBuf;

/// The program.
const RELAY: &str = env!("CARGO_BIN_EXE_nodewise-relay");

/// The folder with the documents of the tests.
fn files() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/suite/files")
}

//! `cargo xtask fuzz format`: texts that nobody would write, laid out by a release build, held against the laws of layout.
//!
//! Input is what to fuzz, how much and from which seed; output is the fuzzer's own. Invariant: the fuzzer is an example of
//! the crate that it fuzzes, and nothing of it is here.

use std::path::Path;

use anyhow::Result;

use crate::checkout::cargo;

/// The command that runs the formatter's fuzzer.
const FORMAT: [&str; 8] =
    ["run", "--release", "--quiet", "--package", "nodewise-format", "--example", "fuzz", "--"];

/// Runs the fuzzer with its own options; `false` when it found something.
pub(crate) fn run(root: &Path, options: &[&str]) -> Result<bool> {
    Ok(cargo(root).args(FORMAT).args(options).status()?.success())
}

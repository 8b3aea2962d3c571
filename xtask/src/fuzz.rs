//! `cargo xtask fuzz format`: formats unusual random texts with a release build, and checks the laws of the formatter.
//!
//! Input is what to fuzz, how much, and the seed. Output is that of the fuzzer. Invariant: the fuzzer is an example of
//! the crate that it fuzzes. This file only runs it.

use std::path::Path;

use anyhow::Result;

use crate::checkout::cargo;

/// The arguments that run the formatter's fuzzer.
const FORMAT: [&str; 8] =
    ["run", "--release", "--quiet", "--package", "nodewise-format", "--example", "fuzz", "--"];

/// Runs the fuzzer with its own options. `false` if it found something.
pub(crate) fn run(root: &Path, options: &[&str]) -> Result<bool> {
    Ok(cargo(root).args(FORMAT).args(options).status()?.success())
}

//! `cargo xtask generate` and `grammars`: what is written from the code of the product, or compared with it.
//!
//! Input is the arguments of `cargo xtask`. Output is text and an exit code: 0 done, 1 something is outdated or
//! differs, 2 wrong usage, 3 the programs for the grammars cannot be installed. Invariant: only `generate` and
//! `grammars --write` write tracked files.

#![allow(clippy::disallowed_methods, reason = "generating writes files and starts programs")]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command line program prints")]

mod generators;
mod grammars;

use std::process::ExitCode;

use anyhow::Result;
use xtask::checkout::checkout_root;
use xtask::programs::{self, UNAVAILABLE};

fn main() -> ExitCode {
    programs::main(run)
}

fn run(words: &[&str]) -> Result<u8> {
    let root = checkout_root();
    let is_done = match words {
        ["generate"] => generators::write_all(&root).map(|()| true)?,
        ["generate", "--check"] => generators::check_all(&root)?,
        ["grammars", options @ ..] if matches!(options, [] | ["--write"]) => {
            let tools = match grammars::Tools::install(&root) {
                Ok(tools) => tools,
                Err(error) => {
                    eprintln!("error: the programs for grammars cannot be installed: {error:#}");
                    return Ok(u8::try_from(UNAVAILABLE)?);
                }
            };
            match options {
                [] => grammars::check(&root, &tools)?,
                _ => grammars::write(&tools).map(|()| true)?,
            }
        }
        words => {
            eprintln!("error: `{}` is not a command; `cargo xtask help` lists them", words.join(" "));
            return Ok(2);
        }
    };
    Ok(u8::from(!is_done))
}

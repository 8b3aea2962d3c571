//! `cargo xtask oracle`, `modules`, `replay` and `bench`: compares nodewise with the published packages, recorded runs and other
//! tools.
//!
//! Input is the arguments of `cargo xtask`. Output is text and an exit code: 0 everything agrees, 1 something differs
//! or fails, 2 wrong usage, 3 the packages or tools cannot be installed. Invariant: only `--record` writes tracked files.

#![allow(clippy::disallowed_methods, reason = "comparing starts programs and measures times")]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command line program prints")]

mod bench;
mod modules;
mod oracle;
mod replay;

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use xtask::checkout::checkout_root;
use xtask::programs::{self, UNAVAILABLE};

fn main() -> ExitCode {
    programs::main(run)
}

fn run(words: &[&str]) -> Result<u8> {
    let root = checkout_root();
    let agrees = match words {
        ["oracle", words @ ..] => match oracle::Options::read(words) {
            Ok(options) => {
                if let Err(error) = oracle::install_all(&root, &options) {
                    eprintln!("error: the packages cannot be installed: {error:#}");
                    return Ok(u8::try_from(UNAVAILABLE)?);
                }
                oracle::run(&root, &options)?
            }
            Err(error) => return Ok(wrong_usage(&format!("{error:#}"))),
        },
        ["modules", words @ ..] => match modules::ModuleOptions::read(words) {
            Ok(options) => {
                if let Err(error) = modules::install(&root, &options) {
                    eprintln!("error: the packages cannot be installed: {error:#}");
                    return Ok(u8::try_from(UNAVAILABLE)?);
                }
                modules::run(&root, &options)?
            }
            Err(error) => return Ok(wrong_usage(&format!("{error:#}"))),
        },
        ["replay", system, folder] => replay::run(system, Path::new(folder))?,
        ["bench", words @ ..] => match bench::BenchOptions::read(words) {
            Ok(options) => bench::run(&root, &options).map(|()| true)?,
            Err(error) => return Ok(wrong_usage(&format!("{error:#}"))),
        },
        words => return Ok(wrong_usage(&format!("`{}` is not a comparison", words.join(" ")))),
    };
    Ok(u8::from(!agrees))
}

fn wrong_usage(reason: &str) -> u8 {
    eprintln!("error: {reason}; `cargo xtask help` lists the commands");
    2
}

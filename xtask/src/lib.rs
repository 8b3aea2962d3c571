//! The project's own commands: `cargo xtask test`, `tidy`, `generate`, `grammars`, `new-rule`, `delivery`, `package`, `fuzz`; and
//! `oracle`, `replay`, `bench`, which are the program `nodewise-compare`.
//!
//! Input is the command line and the checkout that this crate was built in; output is text for a
//! person and an exit code: 0 done, 1 something is wrong with the repository, 2 wrong usage.
//! Invariant: only `generate`, `grammars --write`, `new-rule` and `oracle --record` write
//! tracked files.

#![allow(clippy::disallowed_methods, reason = "xtask is one of the crates that may touch files and clocks")]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command line program prints")]

pub mod checkout;
pub mod compare;
mod delivery;
mod fuzz;
mod generate;
mod grammars;
pub mod installs;
mod new_rule;
mod package;
mod release;
mod repository;
mod rust_source;
mod suite;
mod tidy;

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;

use crate::checkout::{Profile, checkout_root};
use crate::repository::Repository;

const USAGE: &str = "\
Usage: cargo xtask COMMAND

  test [--all] [--long] [--ci] [--only WORDS] [--write-times]
                  the checks that need nothing but Rust; with --all also those that install something first: editors,
                  packages, validators; with --long at the size for a night; with --ci what cannot be had is a failure;
                  with --only the steps whose names contain the words; --write-times renews docs/test-times.md
  tidy            the house rules that neither compiler nor clippy knows
  generate        write the generated files
  grammars [--write]
                  holds the grammars for editors against the parsers; --write generates their parsers
  new-rule NAME   begin a rule: its file and its lines in the registry
  oracle [SYSTEM]… [--cases N] [--seed S] [--only expressions|paths|documents|runs] [--record]
                  compares with the published packages; --record writes what the tests replay
  replay SYSTEM DIR
                  runs the recorded runs below DIR again and compares; the last line is agreed/total
  delivery [hooks|packages|recipes]…
                  what users install, tried as they install it: the hooks in real pre-commit, the wheel and the
                  npm packages, the action and the recipes of docs/ci.md
  package wheel|npm|mirror
                  writes what is published so that users need no Rust into target/packages; `npm --binaries DIR`
                  packs all platforms, each with the binary of its folder (`linux-x64/nodewise`)
  version [X.Y.Z] sets the version of the release, and writes it and the repository's owner wherever they stand
  fuzz format [--cases N | --minutes N] [--seed S] [--only CASE]
                  lays out texts that nobody would write, and prints the smallest of those that break a law;
                  20,000 cases unless told otherwise
  bench [server|engine|format]
                  times and memory of a release build, of `check`, of the language server, of runs of
                  graphs or of `fmt`, beside peers on the same files
";

/// Runs the command that the command line names.
#[must_use]
pub fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["help" | "--help" | "-h"] => {
            print!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        ["oracle" | "replay" | "bench", ..] => {
            return match compare::run(&checkout_root(), &words) {
                Ok(code) => ExitCode::from(code),
                Err(error) => failed(&error),
            };
        }
        _ => {}
    }
    match run(&words) {
        Ok(Some(true)) => ExitCode::SUCCESS,
        Ok(Some(false)) => ExitCode::from(1),
        Ok(None) => {
            eprint!("{USAGE}");
            ExitCode::from(2)
        }
        Err(error) => failed(&error),
    }
}

fn failed(error: &anyhow::Error) -> ExitCode {
    eprintln!("error: {error:#}");
    ExitCode::from(1)
}

/// Whether all is right; nothing where the words are no command.
fn run(words: &[&str]) -> Result<Option<bool>> {
    let root = checkout_root();
    let done = match words {
        ["test", options @ ..] => match suite::Options::read(options) {
            Ok(options) => suite::run(&root, options)?,
            Err(error) => return wrong(&error),
        },
        ["tidy"] => run_tidy()?,
        ["generate"] => generate::write_all(&root).map(|()| true)?,
        ["grammars"] => grammars::run(&root)?,
        ["grammars", "--write"] => grammars::write(&root)?,
        ["fuzz", "format", options @ ..] => fuzz::run(&root, options)?,
        ["delivery"] => delivery::run(&root, delivery::PARTS, Profile::Release)?,
        ["delivery", words @ ..] => match delivery::Part::read(words) {
            Ok(parts) => delivery::run(&root, &parts, Profile::Release)?,
            Err(error) => return wrong(&error),
        },
        ["package", "npm", "--binaries", folder] => package::pack_all_npm(&root, Path::new(folder))?,
        ["package", kind] => pack(kind)?,
        ["version"] => release::run(&root, None).map(|()| true)?,
        ["version", version] => release::run(&root, Some(version)).map(|()| true)?,
        ["new-rule", id] => new_rule::run(&root, id).map(|()| true)?,
        _ => return Ok(None),
    };
    Ok(Some(done))
}

/// Says what is wrong with the words; the usage follows.
fn wrong(error: &anyhow::Error) -> Result<Option<bool>> {
    eprintln!("error: {error:#}\n");
    Ok(None)
}

fn pack(kind: &str) -> Result<bool> {
    let written = package::pack(&checkout_root(), package::Kind::read(kind)?, Profile::Dist)?;
    written.iter().for_each(|path| println!("wrote {}", path.display()));
    Ok(true)
}

fn run_tidy() -> Result<bool> {
    let repository = Repository::read(&checkout_root())?;
    let problems = tidy::problems(&repository);
    for problem in &problems {
        println!("{problem}");
    }
    match problems.len() {
        0 => println!("tidy: {} files, nothing to report", repository.files.len()),
        count => println!("tidy: {} files, {count} to put right", repository.files.len()),
    }
    Ok(problems.is_empty())
}

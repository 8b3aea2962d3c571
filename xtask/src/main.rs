//! The project's own commands: `cargo xtask test`, `tidy`, `generate`, `grammars`, `new-rule`, `oracle`, `replay`, `delivery`,
//! `package`, `fuzz`, `bench`.
//!
//! Input is the command line and the checkout that this crate was built in; output is text for a
//! person and an exit code: 0 done, 1 something is wrong with the repository, 2 wrong usage.
//! Invariant: only `generate`, `grammars --write`, `new-rule` and `oracle --record` write
//! tracked files.

#![allow(clippy::disallowed_methods, reason = "xtask is one of the crates that may touch files and clocks")]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command line program prints")]

mod bench;
mod delivery;
mod fuzz;
mod generate;
mod grammars;
mod installs;
mod new_rule;
mod oracle;
mod package;
mod release;
mod replay;
mod repository;
mod rust_source;
mod suite;
mod tidy;

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;

use crate::repository::{Repository, checkout_root};

const USAGE: &str = "\
Usage: cargo xtask COMMAND

  test [--ci] [--only WORDS]
                  every check of the project, or those whose names contain the words; with --ci a missing piece
                  of outside data is a failure
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

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        ["test"] => suite::run(&checkout_root(), suite::is_ci(), ""),
        ["test", "--ci"] => suite::run(&checkout_root(), true, ""),
        ["test", "--only", words] => suite::run(&checkout_root(), suite::is_ci(), words),
        ["test", "--ci", "--only", words] => suite::run(&checkout_root(), true, words),
        ["tidy"] => run_tidy(),
        ["generate"] => generate::write_all(&checkout_root()).map(|()| true),
        ["grammars"] => grammars::run(&checkout_root()),
        ["grammars", "--write"] => grammars::write(&checkout_root()),
        ["oracle", words @ ..] => match oracle::Options::read(words) {
            Ok(options) => oracle::run(&checkout_root(), &options),
            Err(error) => {
                eprint!("error: {error:#}\n\n{USAGE}");
                return ExitCode::from(2);
            }
        },
        ["replay", system, folder] => replay::run(system, Path::new(folder)),
        ["fuzz", "format", options @ ..] => fuzz::run(&checkout_root(), options),
        ["bench"] => bench::run(&checkout_root()).map(|()| true),
        ["bench", "format"] => bench::run_format(&checkout_root()).map(|()| true),
        ["bench", "engine"] => bench::run_engine(&checkout_root()).map(|()| true),
        ["bench", "server"] => bench::run_server(&checkout_root()).map(|()| true),
        ["delivery"] => delivery::run(&checkout_root(), delivery::PARTS),
        ["delivery", words @ ..] => match delivery::Part::read(words) {
            Ok(parts) => delivery::run(&checkout_root(), &parts),
            Err(error) => {
                eprint!("error: {error:#}\n\n{USAGE}");
                return ExitCode::from(2);
            }
        },
        ["package", "npm", "--binaries", folder] => {
            package::pack_all_npm(&checkout_root(), Path::new(folder))
        }
        ["version"] => release::run(&checkout_root(), None).map(|()| true),
        ["version", version] => release::run(&checkout_root(), Some(version)).map(|()| true),
        ["package", kind] => pack(kind),
        ["new-rule", id] => new_rule::run(&checkout_root(), id).map(|()| true),
        ["help" | "--help" | "-h"] => {
            print!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        _ => {
            eprint!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(1)
        }
    }
}

fn pack(kind: &str) -> Result<bool> {
    let written = package::pack(&checkout_root(), package::Kind::read(kind)?)?;
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

//! The project's own commands: `cargo xtask test`, `tidy`, `generate`, `grammars`, `new-rule`, `delivery`, `package`, `playground`,
//! `site`, `fuzz`. The commands `oracle`, `modules`, `replay` and `bench` are in the program `nodewise-compare`, and `generate` and `grammars`
//! are in `nodewise-generate`, because they need the product.
//!
//! Input is the command line and the checkout in which this crate was built. Output is text and an exit code: 0 done, 1
//! a problem in the repository, 2 wrong usage. Invariant: only `generate`, `grammars --write`, `new-rule`, `oracle
//! --record` and `modules --record` write tracked files.

#![allow(clippy::disallowed_methods, reason = "xtask is one of the crates that may touch files and clocks")]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command line program prints")]

pub mod checkout;
mod delivery;
pub mod editor_parsers;
mod fuzz;
pub mod installs;
mod new_rule;
mod package;
mod playground;
pub mod programs;
mod release;
mod repository;
mod rust_source;
mod site;
mod suite;
mod tidy;
mod wasm;

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;

use crate::checkout::{Profile, checkout_root};
use crate::repository::Repository;

const USAGE: &str = "\
Usage: cargo xtask COMMAND

  test [--all] [--long] [--ci] [--only WORDS] [--job source|product] [--write-times] [--results FILE]
                  runs the checks that need only Rust. --all: also those that install editors, packages or validators
                  first. --long: with the size for nightly runs. --ci: a program that is not available is a failure.
                  --only: the steps whose names contain the words. --job: the steps of the source, or those of the
                  release build; without it, both run at the same time. --write-times: updates docs/test-times.md.
                  --results: writes the result of each step to a file, as lines of JSON
  tidy            checks the project rules that neither the compiler nor clippy checks
  generate [--check]
                  writes the generated files. --check: only lists the outdated ones, as the tests do
  grammars [--write]
                  compares the grammars for editors with our parsers. --write: generates the parsers
  new-rule NAME   creates a rule: its file and its lines in the registry
  oracle [SYSTEM]… [--cases N] [--seed S] [--only expressions|paths|documents|runs] [--record]
                  compares with the published packages. --record: writes the answers that the tests replay
  modules [--folder DIR | --generated N] [--record]
                  compares what nodewise reads in modules of TypeScript with what the packages build. --folder: the modules
                  of this folder, which has its packages. --generated: so many generated graphs as modules, whose findings
                  are those of the same graphs in YAML. --record: writes the answers that the tests replay
  replay SYSTEM DIR
                  repeats the recorded runs below DIR and compares. The last line is agreed/total
  delivery [hooks|packages|recipes]…
                  installs nodewise as users do, and tests it: the hooks in pre-commit, the wheel and the npm
                  packages, the action and the recipes of docs/ci.md
  package wheel|npm|wasm|language-server|mirror
                  writes the published packages to target/packages. `wasm`: the module for JavaScript.
                  `language-server`: the module in the extension for VS Code for the Web, to target/module.
                  `npm --binaries DIR` packs all platforms, each with the binary of its folder (`linux-x64/nodewise`)
  playground      builds the page in which people try nodewise, a folder of static files: target/playground
  site            builds the documentation as a folder of static pages, with the playground: target/site
  version [X.Y.Z] sets the version of the release, and writes it and the repository's owner to all files that
                  contain them
  fuzz format [--cases N | --minutes N] [--seed S] [--only CASE]
                  formats unusual random texts, and prints the smallest ones that break a law of the formatter.
                  Default: 20,000 cases
  bench [check|foreign|format|server|board|parser|engine|live|debugger|modules]… [--nodewise BINARY] [--before BINARY]
                  measures time, processor time and memory, compared with other tools on the same files. Default: the
                  first six. check: 1,000 to 100,000 files, and the kept result. foreign: 50,000 files of other programs.
                  server: requests of an editor, and 1,000 edits in a second. board: graphs of up to 50,000 nodes.
                  --nodewise: a command that is built already. --before: an older one, measured in turns with it
";

/// Runs the command on the command line.
#[must_use]
pub fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["help" | "--help" | "-h"] => {
            print!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        ["oracle" | "modules" | "replay" | "bench", ..] => return other_program(programs::COMPARE, &words),
        ["generate" | "grammars", ..] => return other_program(programs::GENERATE, &words),
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

fn other_program(program: &str, words: &[&str]) -> ExitCode {
    match programs::run(&checkout_root(), program, words) {
        Ok(code) => ExitCode::from(code),
        Err(error) => failed(&error),
    }
}

fn failed(error: &anyhow::Error) -> ExitCode {
    eprintln!("error: {error:#}");
    ExitCode::from(1)
}

/// Whether there are no problems. `None` if the arguments are not a command.
fn run(words: &[&str]) -> Result<Option<bool>> {
    let root = checkout_root();
    let done = match words {
        ["test", options @ ..] => match suite::Options::read(options) {
            Ok(options) => suite::run(&root, options)?,
            Err(error) => return wrong(&error),
        },
        ["tidy"] => run_tidy()?,
        ["fuzz", "format", options @ ..] => fuzz::run(&root, options)?,
        ["delivery"] => delivery::run(&root, delivery::PARTS, Profile::Release)?,
        ["delivery", words @ ..] => match delivery::Part::read(words) {
            Ok(parts) => delivery::run(&root, &parts, Profile::Release)?,
            Err(error) => return wrong(&error),
        },
        ["package", "npm", "--binaries", folder] => package::pack_all_npm(&root, Path::new(folder))?,
        ["package", kind] => pack(kind)?,
        ["playground"] => {
            println!("wrote {}", playground::build(&root)?.display());
            true
        }
        ["site"] => {
            println!("wrote {}", site::build(&root)?.display());
            true
        }
        ["version"] => release::run(&root, None).map(|()| true)?,
        ["version", version] => release::run(&root, Some(version)).map(|()| true)?,
        ["new-rule", id] => new_rule::run(&root, id).map(|()| true)?,
        _ => return Ok(None),
    };
    Ok(Some(done))
}

/// Prints what is wrong with the arguments. The usage follows.
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
        count => println!("tidy: {} files, {count} to fix", repository.files.len()),
    }
    Ok(problems.is_empty())
}

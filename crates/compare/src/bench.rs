//! `cargo xtask bench`: measures nodewise, an older build of it, and comparable tools on the same files.
//!
//! Input is the parts to measure, and perhaps commands that are built already. Output is Markdown tables. Invariant: everything that
//! is compared runs in turns in one process, on the same files.

mod board;
mod check;
mod client;
mod columns;
mod debugger;
mod document;
mod engine;
mod foreign;
mod format;
mod live;
mod measure;
mod modules;
mod paste;
mod server;
mod start;
mod workspace;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use xtask::checkout::{Profile, build};

const RUNS: usize = 7;
const FILES: usize = 10_000;

/// What to measure, and with which commands.
#[derive(Debug)]
pub(crate) struct BenchOptions {
    parts: Vec<Part>,
    nodewise: Option<PathBuf>,
    before: Option<PathBuf>,
}

/// A part of the measurements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Check,
    Foreign,
    Format,
    Server,
    Start,
    Board,
    Parser,
    Engine,
    Live,
    Debugger,
    Modules,
}

/// The parts by their names.
const PARTS: [(&str, Part); 11] = [
    ("check", Part::Check),
    ("foreign", Part::Foreign),
    ("format", Part::Format),
    ("server", Part::Server),
    ("start", Part::Start),
    ("board", Part::Board),
    ("parser", Part::Parser),
    ("engine", Part::Engine),
    ("live", Part::Live),
    ("debugger", Part::Debugger),
    ("modules", Part::Modules),
];

/// What is measured if no part is named.
const USUAL: [Part; 7] =
    [Part::Check, Part::Foreign, Part::Format, Part::Server, Part::Start, Part::Board, Part::Parser];

/// A command that is measured.
#[derive(Debug)]
struct Build {
    /// Its name in the tables.
    name: &'static str,
    program: PathBuf,
}

impl BenchOptions {
    /// The options in the words behind `bench`.
    pub(crate) fn read(words: &[&str]) -> Result<BenchOptions> {
        let mut options = BenchOptions { parts: Vec::new(), nodewise: None, before: None };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let given = match *word {
                "--nodewise" => &mut options.nodewise,
                "--before" => &mut options.before,
                name => {
                    let part = PARTS.iter().find(|(known, _)| *known == name);
                    let names = PARTS.map(|(known, _)| known).join(", ");
                    let unknown = || format!("`{name}` is not a part of the measurements, which are {names}");
                    options.parts.push(part.with_context(unknown)?.1);
                    continue;
                }
            };
            let path = Path::new(words.next().with_context(|| format!("`{word}` needs a command"))?);
            *given = Some(path.canonicalize().with_context(|| format!("there is no {}", path.display()))?);
        }
        if options.parts.is_empty() {
            options.parts = USUAL.to_vec();
        }
        Ok(options)
    }

    /// The command that was given, or the one of this checkout.
    fn nodewise(&self, root: &Path, profile: Profile) -> Result<PathBuf> {
        self.nodewise.clone().map_or_else(|| build(root, profile), Ok)
    }

    /// The command to measure, and the older one if it was given.
    fn builds(&self, root: &Path) -> Result<Vec<Build>> {
        let nodewise = Build { name: "`nodewise`", program: self.nodewise(root, Profile::Dist)? };
        let before = self.before.clone().map(|program| Build { name: "`nodewise` before", program });
        Ok(std::iter::once(nodewise).chain(before).collect())
    }
}

/// Measures the parts and prints the results.
pub(crate) fn run(root: &Path, options: &BenchOptions) -> Result<()> {
    for part in &options.parts {
        match part {
            Part::Check => check::run(root, &options.builds(root)?)?,
            Part::Foreign => foreign::run(root, &options.builds(root)?)?,
            Part::Format => format::run(root, &options.builds(root)?)?,
            Part::Server => server::run(root, &options.builds(root)?)?,
            Part::Start => start::run(root, &options.builds(root)?)?,
            Part::Board => board::run(root, &options.builds(root)?)?,
            Part::Parser => check::run_parser(root)?,
            Part::Engine => engine::run(root)?,
            Part::Live => live::run(root, &options.nodewise(root, Profile::Release)?)?,
            Part::Debugger => debugger::run(root, &options.nodewise(root, Profile::Release)?)?,
            Part::Modules => modules::run(root, &options.nodewise(root, Profile::Dist)?)?,
        }
        println!();
    }
    Ok(())
}

fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

fn path(path: &Path) -> Result<&str> {
    path.to_str().context("the checkout's path is not UTF-8")
}

fn status(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot start {:?}", command.get_program()))?;
    if !status.success() {
        bail!("{:?} ended with {status}", command.get_program());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_words(words: &[&str], expected: &str) {
        let found = match BenchOptions::read(words) {
            Ok(BenchOptions { parts, nodewise, before }) => {
                format!("{parts:?}, now {}, before {}", nodewise.is_some(), before.is_some())
            }
            Err(error) => format!("{error:#}"),
        };
        assert!(found.starts_with(expected), "{words:?}: {found}");
    }

    #[test]
    fn words_name_parts_and_commands() {
        check_words(&[], "[Check, Foreign, Format, Server, Start, Board, Parser], now false, before false");
        check_words(&["board", "--before", "/"], "[Board], now false, before true");
        check_words(&["--nodewise", "/", "modules", "live"], "[Modules, Live], now true, before false");
        check_words(&["--before"], "`--before` needs a command");
        check_words(&["--before", "/no/command"], "there is no /no/command");
        check_words(&["chek"], "`chek` is not a part of the measurements, which are check, foreign");
    }
}

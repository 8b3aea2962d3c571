//! Tidy: project rules that neither the compiler nor clippy checks, for the whole repository.
//!
//! Input is a [`Repository`]. Output is problems in path and line order. Invariant: a check depends only on the
//! repository's texts, so each can be tested with a small repository.

mod boundaries;
mod circles;
mod citations;
mod dependencies;
mod keys;
mod labels;
mod layers;
mod links;
mod modules;
mod panics;
mod registry;
mod release;
mod shape;
mod systems;
mod type_names;
mod voice;
mod wording;

#[cfg(test)]
mod tests;

use std::fmt;

use crate::repository::Repository;

/// A problem to fix.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Problem {
    path: String,
    /// From 1. 0 for the whole file.
    line: usize,
    check: &'static str,
    message: String,
}

/// A problem without the name of its check.
struct Report {
    path: String,
    line: usize,
    message: String,
}

type Check = fn(&Repository) -> Vec<Report>;

const CHECKS: &[(&str, Check)] = &[
    ("layers", layers::check),
    ("dependencies", dependencies::check),
    ("boundaries", boundaries::check),
    ("modules", modules::check),
    ("circles", circles::check),
    ("shape", shape::check),
    ("panics", panics::check),
    ("keys", keys::check),
    ("labels", labels::check),
    ("registry", registry::check),
    ("systems", systems::check),
    ("type names", type_names::check),
    ("wording", wording::check),
    ("voice", voice::check),
    ("citations", citations::check),
    ("links", links::check),
    ("release", release::check),
];

/// All problems, sorted by place.
pub(crate) fn problems(repository: &Repository) -> Vec<Problem> {
    let mut problems: Vec<Problem> = CHECKS
        .iter()
        .flat_map(|(name, check)| {
            check(repository).into_iter().map(|Report { path, line, message }| Problem {
                path,
                line,
                check: name,
                message,
            })
        })
        .collect();
    problems.sort();
    problems
}

impl Report {
    fn new(path: &str, line: usize, message: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line, message: message.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, line, check, message } = self;
        match line {
            0 => write!(formatter, "{path}: [{check}] {message}"),
            _ => write!(formatter, "{path}:{line}: [{check}] {message}"),
        }
    }
}

//! Generated files are current: the committed files equal those of the generators.
//!
//! Input is the repository and the generators. Output is missing or outdated files, and files in a generator's folder
//! that it no longer writes. Invariant: line ends are not compared, because a checkout on Windows may change them.

use std::collections::BTreeSet;

use super::Report;
use crate::generate::{Generator, generators};
use crate::repository::Repository;

pub(super) fn check(repository: &Repository) -> Vec<Report> {
    check_generators(repository, &generators())
}

pub(super) fn check_generators(repository: &Repository, generators: &[Generator]) -> Vec<Report> {
    generators.iter().flat_map(|generator| check_generator(repository, generator)).collect()
}

fn check_generator(repository: &Repository, generator: &Generator) -> Vec<Report> {
    let expected = (generator.files)();
    let expected_paths: BTreeSet<&str> = expected.iter().map(|file| file.path.as_str()).collect();
    let mut reports = Vec::new();
    for file in &expected {
        let committed = repository.text(&file.path).map(|text| text.replace("\r\n", "\n"));
        let state = match committed {
            Some(text) if text == file.text => continue,
            Some(_) => "stale",
            None => "missing",
        };
        let message = format!("{state}: `cargo xtask generate` writes it ({})", generator.name);
        reports.push(Report::new(&file.path, 0, message));
    }
    let left_over = repository.files.iter().filter(|file| {
        let is_owned = generator
            .owned_folder
            .and_then(|folder| file.path.strip_prefix(folder))
            .is_some_and(|name| !name.contains('/'));
        is_owned && !expected_paths.contains(file.path.as_str())
    });
    reports.extend(left_over.map(|file| {
        Report::new(
            &file.path,
            0,
            format!("left over: no longer written by a generator ({})", generator.name),
        )
    }));
    reports
}

//! The shape of a Rust file: its head, its length, its name.
//!
//! Input is every Rust file. Output is files without a `//!` head, files over their limit, and `mod.rs`. Invariant:
//! lines of tests do not count.

use super::Report;
use crate::repository::{Repository, RustFile};

const LINES_MAX: usize = 600;
const RULE_LINES_MAX: usize = 200;
const RULE_FOLDER: &str = "crates/analysis/src/rules/";

pub(super) fn check(repository: &Repository) -> Vec<Report> {
    repository.rust_files.iter().flat_map(check_file).collect()
}

fn check_file(file: &RustFile) -> Vec<Report> {
    let mut reports = Vec::new();
    if !file.source.text.starts_with("//!") {
        let message = "begin the file with a `//!` head: what it is, input and output, its one invariant";
        reports.push(Report::new(&file.path, 1, message));
    }
    if file.path.ends_with("/mod.rs") {
        reports.push(Report::new(&file.path, 0, "`mod.rs`: name the file like its module"));
    }
    let lines_max = if file.path.starts_with(RULE_FOLDER) { RULE_LINES_MAX } else { LINES_MAX };
    let lines = file.source.line_count_without_tests();
    if lines > lines_max && !file.is_test_file() {
        let message = format!("{lines} lines without tests, {lines_max} at most: split it by meaning");
        reports.push(Report::new(&file.path, 0, message));
    }
    reports
}

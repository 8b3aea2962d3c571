//! Every row of the LimanCE conformance table, in both readings, and answers of the published release.

use nodewise_expr::limance::{LimanceProfile, parse};
use nodewise_expr::sexpr::sexpr;

const RECORDED: &str = include_str!("../../../../tests/data/recorded/limance_release.tsv");
const TABLE: &str = include_str!("../../../../tests/data/corpus/liman/limance.tsv");

/// `accept` and the S-expression, or `reject` and the offset in characters.
fn verdict(text: &str, profile: LimanceProfile) -> (String, String) {
    let parsed = parse(text, profile);
    match parsed.problems.first() {
        None => ("accept".to_owned(), sexpr(&parsed.expr)),
        Some(problem) => {
            let offset = usize::from(problem.offset());
            ("reject".to_owned(), text[..offset].chars().count().to_string())
        }
    }
}

/// Compares two columns of a table, verdict and detail, with the parser; yields how many rows there are.
fn check_columns(table: &str, profile: LimanceProfile, first_column: usize) -> usize {
    let mut wrong = Vec::new();
    let mut rows = 0;
    for line in table.lines().filter(|line| !line.starts_with("# ")) {
        let columns: Vec<&str> = line.split('\t').collect();
        let text: String = serde_json::from_str(columns[0]).unwrap();
        let expected = (columns[first_column].to_owned(), columns[first_column + 1].to_owned());
        let found = verdict(&text, profile);
        rows += 1;
        if found != expected {
            wrong.push(format!("{}: expected {expected:?}, found {found:?}", columns[0]));
        }
    }
    assert!(wrong.is_empty(), "{} of {rows} rows differ:\n{}", wrong.len(), wrong.join("\n"));
    rows
}

#[test]
fn the_specification_reads_every_row() {
    assert_eq!(check_columns(TABLE, LimanceProfile::Spec, 1), 149);
}

#[test]
fn the_release_reads_every_row() {
    assert_eq!(check_columns(TABLE, LimanceProfile::Release, 3), 149);
}

#[test]
fn the_release_reads_as_recorded() {
    assert_eq!(check_columns(RECORDED, LimanceProfile::Release, 1), 799);
}

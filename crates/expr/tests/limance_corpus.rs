//! Every row of the LimanCE conformance table, in both readings.

use nodewise_expr::limance::{Profile, parse};
use nodewise_expr::sexpr::sexpr;

const TABLE: &str = include_str!("../../../tests/data/corpus/liman/limance.tsv");

/// `accept` and the S-expression, or `reject` and the offset in characters.
fn verdict(text: &str, profile: Profile) -> (String, String) {
    let parsed = parse(text, profile);
    match parsed.problems.first() {
        None => ("accept".to_owned(), sexpr(&parsed.expr)),
        Some(problem) => {
            let offset = usize::from(problem.offset());
            ("reject".to_owned(), text[..offset].chars().count().to_string())
        }
    }
}

fn check_column(profile: Profile, first_column: usize) {
    let mut wrong = Vec::new();
    let mut rows = 0;
    for line in TABLE.lines().filter(|line| !line.starts_with("# ")) {
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
    assert_eq!(rows, 149);
}

#[test]
fn the_specification_reads_every_row() {
    check_column(Profile::Spec, 1);
}

#[test]
fn the_release_reads_every_row() {
    check_column(Profile::Release, 3);
}

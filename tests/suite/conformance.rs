//! The conformance tables of LimanCE, through the command as anybody's program would ask it.
//!
//! Input: the tables, as one stream of questions. Output: one answer a row. Invariant: the command answers what the
//! tables say, row by row, in both readings.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

const SYNTAX: &str = include_str!("../data/corpus/liman/limance.tsv");
const EVALUATION: &str = include_str!("../data/corpus/liman/limance_eval.tsv");
const CONTEXT_MARK: &str = "# context for every row: ";
const NOW: u32 = 1_767_225_601;

fn rows(table: &str) -> impl Iterator<Item = Vec<&str>> {
    table.lines().filter(|line| !line.starts_with("# ")).map(|line| line.split('\t').collect())
}

/// The answers of one process to all questions.
fn answers(questions: &[Value]) -> Vec<Value> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nodewise"));
    command.args(["expr", "limance", "--batch"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let text: String = questions.iter().map(|question| format!("{question}\n")).collect();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(output.status.success(), "{output:?}");
    let lines = String::from_utf8(output.stdout).unwrap();
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[track_caller]
fn check_rows(wrong: &[String], rows: usize, expected_rows: usize) {
    assert!(wrong.is_empty(), "{} of {rows} rows differ:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(rows, expected_rows);
}

/// The verdict and the tree or the offset, as the table spells them.
fn verdict(answer: &Value) -> (String, String) {
    match answer["accept"].as_bool().unwrap() {
        true => ("accept".to_owned(), answer["ast"].as_str().unwrap().to_owned()),
        false => ("reject".to_owned(), answer["offset"].to_string()),
    }
}

#[track_caller]
fn check_syntax(profile: &str, column: usize) {
    let expression = |row: &Vec<&str>| serde_json::from_str::<String>(row[0]).unwrap();
    let questions: Vec<Value> =
        rows(SYNTAX).map(|row| json!({"expr": expression(&row), "profile": profile})).collect();
    let answers = answers(&questions);
    assert_eq!(answers.len(), questions.len());
    let mut wrong = Vec::new();
    for (row, answer) in rows(SYNTAX).zip(&answers) {
        let expected = (row[column].to_owned(), row[column + 1].to_owned());
        if verdict(answer) != expected {
            wrong.push(format!("{}: expected {expected:?}, found {answer}", row[0]));
        }
    }
    check_rows(&wrong, answers.len(), 149);
}

#[test]
fn the_specification_reads_every_row() {
    check_syntax("spec", 1);
}

#[test]
fn the_release_reads_every_row() {
    check_syntax("release", 3);
}

#[test]
fn every_row_has_the_specified_outcome() {
    let context = EVALUATION.lines().find_map(|line| line.strip_prefix(CONTEXT_MARK)).unwrap();
    let context: Value = serde_json::from_str(context).unwrap();
    let question = |row: Vec<&str>| {
        let expression: String = serde_json::from_str(row[0]).unwrap();
        json!({"expr": expression, "context": context, "now": NOW, "errors": ["TimeoutError"]})
    };
    let questions: Vec<Value> = rows(EVALUATION).map(question).collect();
    let answers = answers(&questions);
    assert_eq!(answers.len(), questions.len());
    let mut wrong = Vec::new();
    for (row, answer) in rows(EVALUATION).zip(&answers) {
        let routes = answer["routes"].as_bool().unwrap();
        let agrees = match row[1].strip_prefix("error:") {
            None => answer["error"].is_null() && routes.to_string() == row[1],
            Some(error) => {
                let (kind, path) = error.split_once(' ').unwrap_or((error, ""));
                let message = answer["error"]["message"].as_str().unwrap_or_default();
                !routes && answer["error"]["kind"] == kind && message.contains(path)
            }
        };
        if !agrees {
            wrong.push(format!("{}: expected {}, found {answer}", row[0], row[1]));
        }
    }
    check_rows(&wrong, answers.len(), 88);
}

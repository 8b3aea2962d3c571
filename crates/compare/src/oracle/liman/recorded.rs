//! Tables that were recorded row by row. The packages are asked again for the answers that the tests replay.
//!
//! Input is the recorded tables. Output is a line for each table, and the rows with a different answer. Invariant: no
//! recorded file changes. A person has to decide about a difference.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::oracle::install::liman_python;

const PROGRAMS: &str = "tests/oracles/liman";
/// Marks the line of a table with the variables of all rows.
const CONTEXT_MARK: &str = "# context for every row: ";

/// A recorded table, and the columns with the package's answer.
struct Table {
    path: &'static str,
    program: &'static str,
    arguments: &'static [&'static str],
    first_column: usize,
    /// The line with the question for the program.
    question: fn(&Value, &Value) -> Value,
    /// The columns for an answer of the program.
    columns: fn(&Value) -> Vec<String>,
}

const TABLES: &[Table] = &[
    Table {
        path: "tests/data/corpus/liman/limance.tsv",
        program: "when_parse.py",
        arguments: &["--stdin", "--json"],
        first_column: 3,
        question: |expression, _| expression.clone(),
        columns: parse_columns,
    },
    Table {
        path: "tests/data/recorded/limance_release.tsv",
        program: "when_parse.py",
        arguments: &["--stdin", "--json"],
        first_column: 1,
        question: |expression, _| expression.clone(),
        columns: parse_columns,
    },
    Table {
        path: "tests/data/recorded/limance_evaluation.tsv",
        program: "when_eval.py",
        arguments: &["--stdin"],
        first_column: 1,
        question: |expression, context| json!({"expr": expression, "ctx": context}),
        columns: evaluation_columns,
    },
];

/// Asks for every table. `false` if an answer differs from the recorded one.
pub(in crate::oracle) fn run(root: &Path) -> Result<bool> {
    let python = liman_python(root)?;
    let mut agrees = true;
    for table in TABLES {
        let (rows, differences) = compare(root, &python, table)?;
        println!("{}: {} of {rows} rows agree", table.path, rows - differences.len());
        differences.iter().for_each(|difference| println!("  {difference}"));
        agrees &= differences.is_empty();
    }
    Ok(agrees)
}

/// The number of rows in a table, and the rows that the package answers differently.
fn compare(root: &Path, python: &Path, table: &Table) -> Result<(usize, Vec<String>)> {
    let text = std::fs::read_to_string(root.join(table.path)).with_context(|| table.path.to_owned())?;
    let context = text.lines().find_map(|line| line.strip_prefix(CONTEXT_MARK)).unwrap_or("{}");
    let context: Value = serde_json::from_str(context)?;
    let mut questions = String::new();
    let mut recorded = Vec::new();
    for row in text.lines().filter(|line| !line.starts_with('#')) {
        let columns: Vec<&str> = row.split('\t').collect();
        let expression: Value = serde_json::from_str(columns[0]).with_context(|| row.to_owned())?;
        questions.push_str(&format!("{}\n", (table.question)(&expression, &context)));
        recorded.push((columns[0], columns.get(table.first_column..).unwrap_or_default().to_vec()));
    }
    let answers = ask(root, python, table, &questions)?;
    ensure!(answers.len() == recorded.len(), "{}: {} answers", table.program, answers.len());
    let mut differences = Vec::new();
    for ((expression, expected), answer) in recorded.iter().zip(&answers) {
        let found = (table.columns)(answer);
        let same = found.iter().zip(expected).all(|(found, expected)| found == expected);
        if !same {
            differences.push(format!("{expression}: recorded {expected:?}, answered {found:?}"));
        }
    }
    Ok((recorded.len(), differences))
}

/// One JSON answer for each line.
fn ask(root: &Path, python: &Path, table: &Table, questions: &str) -> Result<Vec<Value>> {
    let mut child = Command::new(python)
        .arg(root.join(PROGRAMS).join(table.program))
        .args(table.arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut input = child.stdin.take().context("the program reads from a pipe")?;
    let questions = questions.to_owned();
    // A separate thread writes, so neither side waits for a full pipe.
    let writer = std::thread::spawn(move || input.write_all(questions.as_bytes()));
    let output = child.wait_with_output()?;
    ensure!(output.status.success(), "{} ended with {}", table.program, output.status);
    let written = writer.join().map_err(|_| anyhow::anyhow!("the questions could not be written"))?;
    written.context("the program stopped reading")?;
    String::from_utf8(output.stdout)?.lines().map(read_answer).collect()
}

/// Python writes infinite numbers in a form that JSON does not have. No column contains them.
fn read_answer(line: &str) -> Result<Value> {
    serde_json::from_str(line)
        .or_else(|_| serde_json::from_str(&line.replace("-Infinity", "null").replace("Infinity", "null")))
        .with_context(|| line.to_owned())
}

/// `accept` with the S-expression, or `reject` with the offset.
fn parse_columns(answer: &Value) -> Vec<String> {
    match answer["sexp"].as_str() {
        Some(sexpr) => vec!["accept".to_owned(), sexpr.to_owned()],
        None => vec!["reject".to_owned(), answer["offset"].to_string()],
    }
}

/// `true` or `false`, or the error in the terms of the specification.
fn evaluation_columns(answer: &Value) -> Vec<String> {
    let column = match answer["error"].as_str() {
        Some("KeyError") => "error:missing".to_owned(),
        Some("TypeError") => "error:type".to_owned(),
        Some(other) => format!("error:{other}"),
        None => answer["value"].to_string(),
    };
    vec![column]
}

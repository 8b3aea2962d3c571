//! Recorded answers: questions and the oracle's answers, in the repository, for tests to replay.
//!
//! Input is a subject and a running oracle. Output is a file of JSON lines, each with a question and its answer.
//! Invariant: equal seeds and equal packages write equal bytes.

use std::path::Path;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::process::Oracle;
use super::subject::Subject;

/// Asks the first cases and writes the answers.
pub(super) fn record(root: &Path, subject: &Subject, oracle: &mut Oracle, seed: u64) -> Result<()> {
    let cases = subject.recorded as u64;
    let questions: Vec<Value> = (0..cases).map(|case| subject.question(seed, case)).collect();
    let (answers, ()) = oracle.ask(&questions, || ())?;
    let theirs = questions.iter().zip(&answers).map(|(question, answer)| (subject.theirs)(question, answer));
    write(root, &subject.recorded_path(), questions.iter().zip(theirs))
}

/// Writes questions with their answers.
pub(crate) fn write<'q>(
    root: &Path,
    path: &str,
    rows: impl Iterator<Item = (&'q Value, Value)>,
) -> Result<()> {
    let lines: Vec<String> = rows
        .map(|(question, answer)| format!("{}\n", json!({"question": question, "answer": answer})))
        .collect();
    let text = lines.concat();
    std::fs::write(root.join(path), &text).with_context(|| path.to_owned())?;
    println!("{path}: {} answers, {} KB", lines.len(), text.len() / 1024);
    Ok(())
}

/// The questions of a recorded file with their answers.
pub(crate) fn read(text: &str) -> Result<Vec<(Value, Value)>> {
    text.lines()
        .map(|line| {
            let mut row: Value = serde_json::from_str(line).with_context(|| line.to_owned())?;
            Ok((row["question"].take(), row["answer"].take()))
        })
        .collect()
}

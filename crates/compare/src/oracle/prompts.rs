//! What the packages send to models.
//!
//! Input is runs in which each type of node asks its models (`tests/data/prompts`), with planted words. Output is the sections of each
//! request, in their order, with the planted words in them; no sentence of a package is kept. Invariant: only `--record` writes, and
//! every recorded answer belongs to a run that is still listed.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use nodewise_dialect::value::SpannedValue as Located;
use nodewise_model::SourceId;
use serde_json::{Value, json};

use super::process::Oracle;
use super::{record, to_json};

/// The name for `--only`.
pub(super) const NAME: &str = "prompts";

/// Asks a package, and records its answers or compares them with the recorded ones. `false` if an answer is another one.
pub(super) fn run(root: &Path, system: &str, oracle: &mut Oracle, is_recording: bool) -> Result<bool> {
    let questions = questions(root, system)?;
    let (answers, ()) = oracle.ask(&questions, || ())?;
    let path = recorded_path(system);
    if is_recording {
        record::write(root, &path, questions.iter().zip(answers))?;
        return Ok(true);
    }
    let recorded = recorded(root, system)?;
    let rows: Vec<(Value, Value)> = questions.into_iter().zip(answers).collect();
    let is_known = |row: &&(Value, Value)| recorded.contains(row);
    println!("{path}: {} of {} runs agree", rows.iter().filter(is_known).count(), rows.len());
    for (question, answer) in rows.iter().filter(|row| !is_known(row)) {
        println!("  {}: {answer}", question["name"]);
    }
    Ok(rows == recorded)
}

/// The recorded runs with what the package sent in them.
fn recorded(root: &Path, system: &str) -> Result<Vec<(Value, Value)>> {
    let path = recorded_path(system);
    record::read(&std::fs::read_to_string(root.join(&path)).context(path)?)
}

fn recorded_path(system: &str) -> String {
    format!("tests/data/recorded/{system}_{NAME}.jsonl")
}

/// The runs, as the oracle is asked about them.
fn questions(root: &Path, system: &str) -> Result<Vec<Value>> {
    let path = format!("tests/data/{NAME}/{system}.yaml");
    let text = std::fs::read_to_string(root.join(&path)).with_context(|| path.clone())?;
    let tree = nodewise_syntax::parse(text.as_str());
    ensure!(tree.problems().is_empty(), "{path} is not valid YAML: {:?}", tree.problems());
    let runs = tree.documents().next().and_then(|document| document.root()).context(path)?;
    let runs = to_json(&Located::from_node(runs, SourceId::default()));
    let question = |run: &Value| {
        let mut question = json!({"ask": NAME});
        for (key, member) in run.as_object().into_iter().flatten() {
            question[key] = member.clone();
        }
        question
    };
    Ok(runs.as_array().into_iter().flatten().map(question).collect())
}

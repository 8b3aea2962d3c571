//! What the packages send to models.
//!
//! Input is runs in which each type of node asks its models (`tests/data/prompts`), with planted words. Output is the sections of each
//! request, in their order, with the planted words in them; no sentence of a package is kept. Invariant: only `--record` writes, and
//! every recorded answer belongs to a run that is still listed.

mod ours;
mod outline;

use std::path::Path;

use anyhow::{Context, Result, ensure};
use nodewise_dialect::value::SpannedValue as Located;
use nodewise_model::SourceId;
use serde_json::{Value, json};

use super::process::Oracle;
use super::{record, to_json};

/// The name for `--only`.
pub(super) const NAME: &str = "prompts";

/// Asks the package about all runs, and records its answers or compares them with the recorded ones. Returns `false`
/// if an answer changed.
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
    let differences: Vec<String> = rows.iter().flat_map(|row| differences(system, row)).collect();
    println!("{system} {NAME}: {} differences of what nodewise sends", differences.len());
    differences.iter().for_each(|difference| println!("  {difference}"));
    Ok(rows == recorded && differences.is_empty())
}

/// The requests of a run whose sections differ between nodewise and the package.
fn differences(system: &str, (question, answer): &(Value, Value)) -> Vec<String> {
    let name = &question["name"];
    let ours = match ours::requests(system, question) {
        Ok(ours) => ours,
        Err(error) => return vec![format!("{name}: {error:#}")],
    };
    let theirs = ours::comparable(system, &answer["requests"]);
    let places = 0..ours.len().max(theirs.len());
    let pairs = places.map(|place| (place, ours.get(place), theirs.get(place)));
    let shown = |request: Option<&Value>| request.map_or("nothing".to_owned(), Value::to_string);
    pairs
        .filter(|(_, ours, theirs)| ours != theirs)
        .map(|(place, ours, theirs)| {
            format!("{name}, request {place}\n    ours   {}\n    theirs {}", shown(ours), shown(theirs))
        })
        .collect()
}

/// The recorded runs, each with the requests that the package sent.
fn recorded(root: &Path, system: &str) -> Result<Vec<(Value, Value)>> {
    let path = recorded_path(system);
    record::read(&std::fs::read_to_string(root.join(&path)).context(path)?)
}

fn recorded_path(system: &str) -> String {
    format!("tests/data/recorded/{system}_{NAME}.jsonl")
}

/// The runs, as questions for the oracle.
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

#[cfg(test)]
mod tests {
    use xtask::checkout::checkout_root;

    use super::{differences, recorded};

    /// What nodewise sends has the sections of what the package sent, with the same words in them.
    #[track_caller]
    fn check_sections(system: &str, requests: usize) {
        let rows = recorded(&checkout_root(), system).unwrap();
        let found: Vec<String> = rows.iter().flat_map(|row| differences(system, row)).collect();
        assert!(found.is_empty(), "{}", found.join("\n"));
        let all = rows.iter().map(|(_, answer)| answer["requests"].as_array().map_or(0, Vec::len));
        assert_eq!(all.sum::<usize>(), requests);
    }

    #[test]
    fn cycgraph_sections() {
        check_sections("cycgraph", 44);
    }

    #[test]
    fn agentos_sections() {
        check_sections("agentos", 5);
    }

    #[test]
    fn liman_sections() {
        check_sections("liman", 7);
    }
}

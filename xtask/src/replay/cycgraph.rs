//! Recorded runs of cycgraph's graphs.
//!
//! Input is a folder with scenarios `*.yaml` (a graph, scripted answers, a start) and `expected.json`, which says what the
//! release made of each. Output is what the engine makes of them, in the form of the recording. Invariant: a scenario
//! without a recording is not run, and a recording without its scenario is an error.

mod report;
mod scenario;
mod world;

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result};
use nodewise_engine::limits::Limits;
use nodewise_engine::systems::cycgraph;
use serde_json::Value;

pub(crate) use scenario::Scenario;

use super::{Exception, Replayed, differences};

/// What was recorded, beside the scenarios.
const EXPECTED: &str = "expected.json";

/// The disagreements that we mean to keep.
pub(super) const LEDGER: &[Exception] = &[
    Exception { run: "verifier-syntax.yaml", place: "error.message", reason: PARSERS_WORDS },
    Exception { run: "verifier-syntax.yaml", place: "last_error", reason: PARSERS_WORDS },
    Exception { run: "verifier-syntax.yaml", place: "failures[0].error", reason: PARSERS_WORDS },
];
const PARSERS_WORDS: &str =
    "the text of the error that an expression does not compile is the package's parser's own";

/// Runs every recorded scenario of a folder.
pub(super) fn replay(folder: &Path) -> Result<Vec<Replayed>> {
    let read = |name: &str| {
        let path = folder.join(name);
        std::fs::read_to_string(&path).with_context(|| path.display().to_string())
    };
    let expected: Value = serde_json::from_str(&read(EXPECTED)?).context(EXPECTED)?;
    let recordings = expected.get("results").and_then(Value::as_object).into_iter().flatten();
    let mut replayed = Vec::new();
    for (name, recorded) in recordings {
        let scenario = Scenario::read(&read(name)?, &read).with_context(|| name.clone())?;
        let ours = run(scenario, recorded.get("events").is_some());
        let recorded = comparable(recorded);
        replayed.push(Replayed {
            name: name.clone(),
            differences: differences("", &recorded, &comparable(&ours)),
        });
    }
    Ok(replayed)
}

/// What the engine makes of a scenario, in the form of the recordings; with the entries of the event log if wanted.
pub(crate) fn run(scenario: Scenario, with_events: bool) -> Value {
    let Scenario { program, start, world } = scenario;
    let mut kernel = cycgraph::begin(Arc::new(program), &start, Limits::default(), 0);
    let outcome = super::drive(&mut kernel, world);
    report::report(kernel.log(), &outcome, with_events)
}

/// A report without the milliseconds that a run took on a real clock until its time was up, and without the words of
/// prompts, which are the package's own.
fn comparable(value: &Value) -> Value {
    const TAKEN: &str = ") timed out after ";
    const PROMPT: &str = "prompt";
    match value {
        Value::String(text) => match text.split_once(TAKEN) {
            Some((run, _)) if run.starts_with("Workflow ") => format!("{run}{TAKEN}<time>").into(),
            _ => value.clone(),
        },
        Value::Array(items) => items.iter().map(comparable).collect(),
        Value::Object(members) => {
            let is_call = members.contains_key("agent") && members.contains_key("temperature");
            let kept = members.iter().filter(|(key, _)| !(is_call && *key == PROMPT));
            kept.map(|(key, value)| (key.clone(), comparable(value)))
                .collect::<serde_json::Map<_, _>>()
                .into()
        }
        value => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use crate::replay::replay;
    use crate::repository::checkout_root;

    #[test]
    fn the_recorded_runs_agree() {
        let folder = checkout_root().join("tests/data/corpus/cycgraph/scenarios");
        let tally = replay("cycgraph", &folder).unwrap();
        assert_eq!((tally.agreed, tally.total), (120, 120), "{}", tally.report.join("\n"));
    }
}

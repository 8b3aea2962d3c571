//! Recorded runs of AgentOS graphs.
//!
//! Input is a folder of jobs `NN-name.yaml`, each with `NN-name.expected.json`, which has the result of the released
//! runtime with a virtual clock. Subfolders are included. Output is the result of the engine for the same jobs, in the
//! format of the recording. Invariant: everything in a recording is compared, except the messages of exceptions.

mod job;
mod job_provider;
mod recorded;

use std::path::Path;

use anyhow::{Context, Result};
use nodewise_dialect::value::SpannedValue as Located;
use nodewise_model::SourceId;
use serde_json::Value;

use super::{Exception, Replayed, differences};
use crate::oracle::to_json;

pub(crate) use job::{questions, run};

const EXPECTED: &str = ".expected.json";

pub(super) const LEDGER: &[Exception] = &[];

pub(super) fn replay(folder: &Path) -> Result<Vec<Replayed>> {
    let mut replayed = Vec::new();
    for entry in ignore::WalkBuilder::new(folder).standard_filters(false).sort_by_file_path(Path::cmp).build()
    {
        let entry = entry?;
        let Some(name) = entry.file_name().to_str().and_then(|name| name.strip_suffix(EXPECTED)) else {
            continue;
        };
        let read = |path: &Path| std::fs::read_to_string(path).with_context(|| path.display().to_string());
        let recorded: Value = serde_json::from_str(&read(entry.path())?)?;
        let job = ["yaml", "yml", "json"]
            .map(|extension| entry.path().with_file_name(format!("{name}.{extension}")))
            .into_iter()
            .find(|path| path.exists())
            .with_context(|| format!("{name}: the job is missing"))?;
        let job = document(&read(&job)?).with_context(|| format!("{name}: the job is empty"))?;
        replayed.push(Replayed {
            name: name.to_owned(),
            differences: differences("", &comparable(&recorded), &run(&job)),
        });
    }
    Ok(replayed)
}

/// A recording without the messages of exceptions.
pub(crate) fn comparable(recorded: &Value) -> Value {
    let mut recorded = recorded.clone();
    let strip = |phase: &mut Value| {
        if let Some(phase) = phase.as_object_mut() {
            phase.remove("crash");
        }
    };
    recorded["then"].as_array_mut().into_iter().flatten().for_each(strip);
    strip(&mut recorded);
    if let Some(recorded) = recorded.as_object_mut() {
        recorded.retain(|_, value| !value.is_null());
    }
    recorded
}

/// The first document of a text.
fn document(text: &str) -> Option<Value> {
    let tree = nodewise_syntax::parse(text);
    let root = tree.documents().next()?.root()?;
    Some(to_json(&Located::from_node(root, SourceId::default())))
}

#[cfg(test)]
mod tests {
    use nodewise_engine::systems::agentos::Reading;
    use serde_json::{Value, json};

    use super::{document, job};
    use crate::replay::replay;
    use xtask::checkout::checkout_root;

    #[test]
    fn the_recorded_runs_agree() {
        let folder = checkout_root().join("tests/data/corpus/agentos/runs");
        let tally = replay("agentos", &folder).unwrap();
        assert_eq!(tally.report, Vec::<String>::new());
        assert_eq!((tally.agreed, tally.total), (18, 18));
    }

    /// Runs in which branches continue although an exception has ended their graph.
    #[test]
    fn what_goes_on_beside_an_exception_agrees() {
        let tally = replay("agentos", &checkout_root().join("tests/data/replays/agentos")).unwrap();
        assert_eq!(tally.report, Vec::<String>::new());
        assert_eq!((tally.agreed, tally.total), (3, 3));
    }

    /// The visits and artifacts of a job, as documented. A script given here replaces the job's own.
    fn check_documented(name: &str, script: Value, visited: &[&str], artifacts: &[&str]) {
        let path = checkout_root().join(format!("tests/data/corpus/agentos/runs/{name}.yaml"));
        let mut job = document(&std::fs::read_to_string(path).unwrap()).unwrap();
        if !script.is_null() {
            job["script"] = script;
        }
        let recorded = job::run_as(&job, Reading::Documented);
        assert_eq!(recorded["visited"], json!(visited), "{name}");
        let keys: Vec<&String> = recorded["finalOutput"].as_object().unwrap().keys().collect();
        assert_eq!(keys, artifacts, "{name}");
    }

    #[test]
    fn as_documented_skips_spread() {
        check_documented("05-leaking-skip", Value::Null, &["pick", "email", "log"], &["email", "log"]);
    }

    #[test]
    fn as_documented_loops_run() {
        let again = json!({"judge": [{"text": "more"}, {"text": "enough"}]});
        let visited = ["search", "judge", "answer"];
        check_documented("17-cycle-stalls", json!({"judge": {"text": "enough"}}), &visited, &visited);
        // Attempts are counted over all visits of a node: the second visit uses the second step.
        let twice = ["search", "judge", "search", "judge", "answer"];
        check_documented("17-cycle-stalls", again, &twice, &visited);
    }

    #[test]
    fn as_documented_edges_from_the_start_are_judged_and_lost_nodes_stay() {
        check_documented("18-start-conditions", Value::Null, &["night"], &["night"]);
    }

    #[test]
    fn as_documented_artifacts_of_batches_are_kept() {
        let all = ["seed", "left", "right", "join"];
        check_documented("06-parallel-reducers", json!({}), &all, &all);
    }
}

//! Recorded runs as a gate: of generated changes of the corpora's graphs, those that change what a run does are found, and no
//! others.
//!
//! The recorded runs are generated scenarios, which expect the path and the status of their run. Whether a change is one of
//! behaviour is read from the runs themselves.

use nodewise_analysis::workspace::Snapshot;
use nodewise_simulation::scenario::scenarios_of;
use nodewise_simulation::scenario_generation::{Goal, generate};
use nodewise_simulation::target::targets_of_file;
use nodewise_simulation::testing::{ScenarioResult, course, test};
use serde_json::{Value, json};

use crate::generation::{projects, workspace};

/// The states that are explored of each graph.
const STATES: usize = 200;
/// At least so many changes are made, and at least so many of them change a run.
const CHANGES_MIN: usize = 200;
const DIFFERENT_MIN: usize = 60;

const SCENARIOS: &str = "recorded.scenario.yaml";

/// A change of a graph.
struct Mutation {
    name: String,
    graph: Value,
    /// Whether no run can be another one.
    is_neutral: bool,
}

/// The graphs of the corpora that are a document each.
fn graphs() -> Vec<(String, Value)> {
    let mut found = Vec::new();
    for files in projects().into_iter().filter(|files| files.len() == 1) {
        let snapshot = workspace(&files).snapshot();
        for file in snapshot.files().iter() {
            let [document] = &*file.documents else { continue };
            let Some((_, _, value)) = snapshot.value(document.id) else { continue };
            let graph = value.to_json();
            if graph["edges"].is_array() && graph["nodes"].is_array() {
                found.push((file.path.to_string(), graph));
            }
        }
    }
    found
}

fn mutations(graph: &Value) -> Vec<Mutation> {
    let mut found = Vec::new();
    let mut add = |name: String, is_neutral: bool, edit: &dyn Fn(&mut Value) -> Option<()>| {
        let mut graph = graph.clone();
        if edit(&mut graph).is_some() {
            found.push(Mutation { name, graph, is_neutral });
        }
    };
    add("another description".to_owned(), true, &|graph| {
        graph["description"] = json!("Something else.");
        Some(())
    });
    add("another name".to_owned(), true, &|graph| {
        graph["name"] = json!("something-else");
        Some(())
    });
    for number in 0..graph["edges"].as_array().map_or(0, Vec::len) {
        add(format!("edge {number} removed"), false, &|graph| {
            graph["edges"].as_array_mut()?.remove(number);
            Some(())
        });
        add(format!("edge {number} with another id"), true, &|graph| {
            let id = graph["edges"][number].get_mut("id")?;
            *id = json!("another-id");
            Some(())
        });
        add(format!("edge {number} last"), false, &|graph| {
            let edges = graph["edges"].as_array_mut()?;
            let edge = edges.remove(number);
            edges.push(edge);
            Some(())
        });
        add(format!("edge {number} negated"), false, &|graph| {
            let condition = graph["edges"][number].get_mut("condition")?.get_mut("condition")?;
            *condition = json!(format!("not ({})", condition.as_str()?));
            Some(())
        });
    }
    found
}

/// What each scenario does with a graph, and whether it holds.
fn repeated(graph: &Value, scenarios: &str) -> Vec<(Result<ScenarioResult, String>, bool)> {
    let files =
        [("g.yaml".to_owned(), graph.to_string()), (SCENARIOS.to_owned(), scenarios.to_owned())].to_vec();
    let snapshot: Snapshot = workspace(&files).snapshot();
    let file = snapshot.file(snapshot.source(SCENARIOS).unwrap()).unwrap();
    let found = scenarios_of(&snapshot, file);
    found.map(|found| (course(&snapshot, &found), test(&snapshot, &found).is_passed())).collect()
}

#[test]
fn the_gate_finds_the_changes_of_behaviour_and_no_others() {
    let (mut made, mut different, mut faults) = (0, 0, Vec::new());
    for (path, graph) in graphs() {
        let files = [("g.yaml".to_owned(), graph.to_string())].to_vec();
        let snapshot = workspace(&files).snapshot();
        let targets = targets_of_file(&snapshot, snapshot.file(snapshot.source("g.yaml").unwrap()).unwrap());
        let Ok(generated) = generate(&snapshot, &targets, Goal::Edges, STATES, SCENARIOS) else { continue };
        let scenarios = generated.text();
        if scenarios.is_empty() {
            continue;
        }
        let before = repeated(&graph, &scenarios);
        assert!(before.iter().all(|(_, holds)| *holds), "{path}\n{scenarios}");
        for mutation in mutations(&graph) {
            made += 1;
            let after = repeated(&mutation.graph, &scenarios);
            let is_same = |((before, _), (after, _)): (&(_, bool), &(_, bool))| before == after;
            let changed = !before.iter().zip(&after).all(is_same);
            let is_found = after.iter().any(|(_, holds)| !holds);
            different += usize::from(changed);
            if changed != is_found || (mutation.is_neutral && changed) {
                faults.push(format!("{path}: {}: changed {changed}, found {is_found}", mutation.name));
            }
        }
    }
    assert!(made >= CHANGES_MIN && different >= DIFFERENT_MIN, "{made} changes, {different} of behaviour");
    assert!(faults.is_empty(), "{} of {made}:\n{}", faults.len(), faults.join("\n"));
}

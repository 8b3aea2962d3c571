//! Scenarios that are generated for the graphs of the examples and corpora: they hold, and reach what is said.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use nodewise_analysis::diagnostic::Severity;
use nodewise_analysis::settings::Settings;
use nodewise_analysis::workspace::{Change, Snapshot, Workspace};
use nodewise_simulation::coverage::Coverage;
use nodewise_simulation::scenario::scenarios_of;
use nodewise_simulation::scenario_generation::{Generated, Goal, generate};
use nodewise_simulation::target::targets_of_file;
use nodewise_simulation::testing::test;

use crate::scenarios::project;

/// The states that are explored of each graph.
const STATES: usize = 600;

pub(crate) fn workspace(files: &[(String, String)]) -> Workspace {
    let mut workspace = Workspace::new();
    let write = |(path, text): &(String, String)| Change::Write {
        path: path.as_str().into(),
        text: text.as_str().into(),
        settings: Arc::new(Settings::default()),
    };
    workspace.apply(files.iter().map(write).collect());
    workspace
}

/// The projects of the corpora and the examples, each with its files.
pub(crate) fn projects() -> Vec<Vec<(String, String)>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut projects = Vec::new();
    for folder in ["examples/liman", "examples/cycgraph", "examples/agentos"] {
        projects.push(declarations(&root.join(folder)));
    }
    for folder in ["tests/data/corpus/cycgraph", "tests/data/corpus/agentos/valid"] {
        projects.extend(declarations(&root.join(folder)).into_iter().map(|file| vec![file]));
    }
    let folders = std::fs::read_dir(root.join("tests/data/corpus/liman")).unwrap();
    let mut folders: Vec<PathBuf> = folders.map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    projects.extend(folders.iter().filter(|folder| folder.is_dir()).map(|folder| declarations(folder)));
    projects
}

/// The declarations below a folder, with their paths in it.
fn declarations(folder: &Path) -> Vec<(String, String)> {
    let (mut found, mut waiting) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(inner) = waiting.pop() {
        for entry in std::fs::read_dir(&inner).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(folder).unwrap().to_string_lossy().replace('\\', "/");
            if path.is_dir() {
                waiting.push(path);
            } else if name.ends_with(".yaml")
                && !name.contains(".script.")
                && !name.contains(".scenario.")
                && let Ok(text) = std::fs::read_to_string(&path)
            {
                found.push((name, text));
            }
        }
    }
    found.sort();
    found
}

/// The scenarios of a file, and what they cover. Each of them holds, and has no error in its text.
#[track_caller]
fn check_generated(workspace: &mut Workspace, path: &str, goal: Goal) -> (Generated, Coverage) {
    let snapshot = workspace.snapshot();
    let file = snapshot.file(snapshot.source(path).unwrap()).unwrap();
    let targets = targets_of_file(&snapshot, file);
    let generated = generate(&snapshot, &targets, goal, STATES, "generated.scenario.yaml").unwrap();
    let text = generated.text();
    let again = generate(&snapshot, &targets, goal, STATES, "generated.scenario.yaml").unwrap();
    assert_eq!(text, again.text(), "{path}: the same graphs give the same scenarios");
    let write = |text: &str| Change::Write {
        path: "generated.scenario.yaml".into(),
        text: text.into(),
        settings: Arc::new(Settings::default()),
    };
    workspace.apply(vec![write(&text)]);
    let snapshot = workspace.snapshot();
    let source = snapshot.source("generated.scenario.yaml").unwrap();
    let errors: Vec<String> = snapshot
        .diagnostics(source)
        .iter()
        .filter(|one| one.severity == Severity::Error || one.rule == "mismatched-answer")
        .filter(|_| !text.is_empty())
        .map(|one| one.finding.message.to_string())
        .collect();
    assert!(errors.is_empty(), "{path}: {errors:?}\n{text}");
    let mut coverage = Coverage::default();
    let mut count = 0;
    for found in scenarios_of(&snapshot, snapshot.file(source).unwrap()) {
        let tested = test(&snapshot, &found);
        assert!(
            tested.ended.is_ok() && tested.mismatches.is_empty(),
            "{path}: {}: {:?} {:?}\n{text}",
            tested.title,
            tested.mismatches,
            tested.ended
        );
        coverage.add(&tested.coverage);
        count += 1;
    }
    assert_eq!(count, generated.scenarios.len(), "{path}\n{text}");
    let titles: BTreeSet<&str> = generated.scenarios.iter().map(|one| one.title.as_str()).collect();
    assert_eq!(titles.len(), count, "{path}: two scenarios have one title\n{text}");
    workspace.apply(vec![Change::Remove { path: "generated.scenario.yaml".into() }]);
    (generated, coverage)
}

fn check_projects(goal: Goal, share: fn(&Coverage) -> usize) {
    let (mut scenarios, mut reached, mut all, mut open) = (0, 0, 0, 0);
    for files in projects() {
        let mut workspace = workspace(&files);
        for (path, _) in &files {
            let snapshot: Snapshot = workspace.snapshot();
            let file = snapshot.file(snapshot.source(path).unwrap()).unwrap();
            if targets_of_file(&snapshot, file).is_empty() {
                continue;
            }
            let (generated, coverage) = check_generated(&mut workspace, path, goal);
            assert!(share(&coverage) >= generated.reached() || goal == Goal::Keys, "{path}");
            for missing in &generated.unreached {
                assert!(!missing.why.is_empty(), "{path}: {}", missing.what);
            }
            scenarios += generated.scenarios.len();
            reached += generated.reached();
            all += generated.all;
            open += if generated.is_exhaustive { 0 } else { generated.unreached.len() };
        }
    }
    assert!(
        scenarios > 20 && open < 10,
        "{goal:?}: {scenarios} scenarios reach {reached} of {all}; {open} may be reached beyond the bounds"
    );
}

#[test]
fn edges_of_the_corpora() {
    check_projects(Goal::Edges, |coverage| coverage.totals().edges.covered);
}

#[test]
fn conditions_of_the_corpora() {
    check_projects(Goal::Conditions, |coverage| coverage.totals().conditions.covered);
}

#[test]
fn keys_of_the_corpora() {
    check_projects(Goal::Keys, |_| 0);
}

/// The titles of the scenarios for a graph, and what is not reached.
#[track_caller]
fn check_titles(fixture: &str, goal: Goal, expected: &str) {
    let snapshot = project(fixture);
    let file = snapshot.files().iter().next().unwrap();
    let targets = targets_of_file(&snapshot, file);
    let generated = generate(&snapshot, &targets, goal, 2000, "generated.scenario.yaml").unwrap();
    let mut found = String::new();
    for scenario in &generated.scenarios {
        found.push_str(&format!("{}  [{}]\n", scenario.title, scenario.path.join(" ")));
    }
    for missing in &generated.unreached {
        found.push_str(&format!("not: {} {}\n", missing.what, missing.why));
    }
    let expected = expected.strip_prefix('\n').unwrap_or(expected);
    assert!(found == expected, "found:\n{found}\nexpected:\n{expected}\n{}", generated.text());
}

const FLOW: &str = "
#- /flow.yaml
id: flow
name: flow
description: d
nodes:
  - {id: rate, type: agent, agent_id: rater, read_keys: [], write_keys: [score, known, checked]}
  - {id: pay, type: tool, tool_id: pay, tools: [pay], read_keys: [score], write_keys: [receipt]}
  - {id: drop, type: tool, tool_id: drop, tools: [drop], read_keys: [nothing], write_keys: []}
  - {id: never, type: tool, tool_id: never, tools: [never], read_keys: [receipt], write_keys: []}
edges:
  - {id: e1, source: rate, target: pay, condition: {type: conditional, condition: 'memory.score > 5 and memory.known'}}
  - {id: e2, source: rate, target: drop, condition: {type: always}}
  - {id: e3, source: pay, target: never, condition: {type: conditional, condition: '1 > 2'}}
start_node: rate
end_nodes: [drop, never]
---
id: rater
name: Rater
model: m-1
provider: local
system_prompt: Rate.
tools: [{type: builtin, name: save_to_memory}]
";

#[test]
fn titles_name_edges() {
    check_titles(
        FLOW,
        Goal::Edges,
        "
Follows rate -> drop.  [rate drop]
Follows rate -> pay.  [rate pay]
not: pay -> never its condition never holds
",
    );
}

#[test]
fn titles_name_decisions() {
    check_titles(
        FLOW,
        Goal::Conditions,
        "
rate -> pay is not followed if memory.score > 5 is false.  [rate drop]
rate -> pay is followed if memory.score > 5 is true and memory.known is true; pay -> never is not followed if 1 > 2 is false.  [rate pay]
rate -> pay is not followed if memory.score > 5 is true and memory.known is false.  [rate drop]
not: `1 > 2` is never true
",
    );
}

#[test]
fn titles_name_keys() {
    check_titles(
        FLOW,
        Goal::Keys,
        "
Reads score, known, nothing.  [rate drop]
not: receipt no run reads it after something wrote it
",
    );
}

//! Which scripts answer for a file.

use nodewise_simulation::matching::matching_scripts;

use crate::scenarios::project;

const FILES: &str = "
#- /claims.yaml
id: claims
name: Claims
description: x
nodes: [{id: a, type: router}]
edges: []
start_node: a
end_nodes: [a]
#- /flow.yaml
id: flow
nodes: [{id: ask, executorConfig: {type: human, prompt: Go?}}]
edges: [{id: a, source: __START__, target: ask, type: static}]
#- /claims.script.yaml
script: Usual answers.
#- /other.script.yaml
script: Other answers.
file: claims.yaml
#- /flow.script.yaml
script: What is said.
file: flow.yaml
#- /shared/people.script.yaml
script: What people say.
people: [approved]
#- /elsewhere/claims.script.yaml
script: Of a graph with another name.
graph: settlement
";

/// Lists the scripts for a file, best first. A star marks those that are made for it.
#[track_caller]
fn check_scripts(file: &str, graph: Option<&str>, expected: &[&str]) {
    let snapshot = project(FILES);
    let file = snapshot.file(snapshot.source(file).unwrap()).unwrap();
    let scripts = matching_scripts(&snapshot, file, graph);
    let shown: Vec<String> = scripts
        .iter()
        .map(|script| format!("{}{}", script.found.path, if script.is_made_for { " *" } else { "" }))
        .collect();
    assert_eq!(shown, expected);
}

#[test]
fn the_script_with_the_name_of_the_file_comes_first() {
    check_scripts(
        "claims.yaml",
        Some("claims"),
        &["claims.script.yaml *", "other.script.yaml *", "shared/people.script.yaml"],
    );
}

#[test]
fn scripts_of_other_systems_are_not_offered() {
    check_scripts("flow.yaml", Some("flow"), &["flow.script.yaml *", "shared/people.script.yaml"]);
}

//! Prompts in files: read when a run starts, allowed by their content, kept with the run.

use nodewise_test_support::model_server::ModelServer;
use serde_json::{Value, json};

use crate::place::{Place, provider};

/// A graph of each system whose node asks a model, with the name of who asks.
const SYSTEMS: [(&str, &str, &[&str]); 3] = [
    (
        "#- desk.yaml\nkind: LLMNode\nname: desk\nprompts:\n  system: {en: Declared.}\n",
        "desk",
        &["run", "desk.yaml", "--start", "desk", "--input", "Hello."],
    ),
    (
        "#- flow.yaml
id: flow
name: Flow
description: ''
start_node: a
nodes:
  - {id: a, type: agent, agent_id: writer, write_keys: [first]}
edges: []
end_nodes: [a]
---
id: writer
name: Writer
model: small
provider: local
system_prompt: |
  Declared.
",
        "writer",
        &["run", "flow.yaml"],
    ),
    (
        "#- ask.yaml
id: ask
name: ask
nodes:
  - id: think
    type: gmi
    executorConfig: {type: gmi, instructions: Declared.}
    executionMode: single_turn
    effectClass: pure
    checkpoint: none
edges:
  - {id: a, source: __START__, target: think, type: static}
  - {id: b, source: think, target: __END__, type: static}
stateSchema: {input: {}, scratch: {}, artifacts: {}}
reducers: {}
checkpointPolicy: none
memoryConsistency: live
",
        "think",
        &["run", "ask.yaml"],
    ),
];

/// A place whose prompt of `name` is in a file.
fn place(files: &str, name: &str) -> (Place, ModelServer) {
    let server = ModelServer::start(json!([{"text": "ok", "times": 0}])).unwrap();
    let place = Place::new(files);
    let live = format!(
        "[live]\nmodel = \"small\"\nprovider = \"local\"\n[live.prompts]\n{name} = \"prompts/p.md\"\n"
    );
    place.write("nodewise.toml", &format!("{live}{}", provider("local", "openai", &server)));
    place.write("prompts/p.md", "From a file: \"quoted\", 1%.\n\nTwo parts.\n");
    (place, server)
}

#[test]
fn prompts_of_each_system_come_from_files() {
    for (files, name, words) in SYSTEMS {
        let (place, server) = place(files, name);
        let shown = place.run(&[words, &["--dry-run"]].concat()).well();
        assert!(shown.out.contains("prompts/p.md"), "{}", shown.out);
        let live = [words, &["--trust", "--no-progress"]].concat();
        place.run(&live).well();
        let body = server.requests()[0].body.to_string();
        let text = json!("From a file: \"quoted\", 1%.\n\nTwo parts.").to_string();
        assert!(body.contains(text.trim_matches('"')) && !body.contains("Declared"), "{body}");
        // What ran is kept: a later text changes nothing of it.
        place.write("prompts/p.md", "Another one.\n");
        place.run(&["runs", "replay", "last"]).well();
        let forked = place.run(&["run", "--from", "last", "--trust", "--no-progress"]).well();
        assert!(forked.err.contains("prompt"), "{}", forked.err);
        assert!(server.requests()[1].body.to_string().contains("Another one."));
    }
}

#[test]
fn a_request_has_the_prompt_of_its_file() {
    let (files, name, _) = SYSTEMS[1];
    let (place, server) = place(files, name);
    let shown = place.run(&["run", "flow.yaml", "--dry-run", "--node", "a"]).well();
    assert!(shown.out.contains("From a file") && !shown.out.contains("Declared"), "{}", shown.out);
    assert!(server.requests().is_empty());
}

#[test]
fn a_changed_prompt_asks_for_permission_again() {
    let (files, name, words) = SYSTEMS[1];
    let (place, _server) = place(files, name);
    let first: Value = serde_json::from_str(&place.read("state/nodewise/trust.json")).unwrap_or_default();
    assert!(first.is_null());
    let plan = place.run(&[words, &["--dry-run"]].concat()).well().out;
    place.write("prompts/p.md", "Another one.\n");
    let changed = place.run(&[words, &["--dry-run"]].concat()).well().out;
    assert_ne!(plan, changed);
}

#[track_caller]
fn check_refused(file: &str, expected: &str) {
    let (files, name, words) = SYSTEMS[1];
    let (place, server) = place(files, name);
    let config = place.read("nodewise.toml").replace("prompts/p.md", file);
    place.write("nodewise.toml", &config);
    place.write("prompts/bytes.md", "");
    std::fs::write(place.path().join("prompts/bytes.md"), [0xff, 0xfe, 0x00]).unwrap();
    let done = place.run(&[words, &["--trust"]].concat());
    assert_eq!(done.code, Some(2), "{done:?}");
    assert!(done.err.contains(expected) && done.err.contains("[live.prompts]"), "{}", done.err);
    assert!(server.requests().is_empty());
}

#[test]
fn a_prompt_is_a_text_of_the_project() {
    check_refused("prompts/none.md", "the prompt `prompts/none.md` of `writer` cannot be read");
    check_refused("../../../../../../../etc/hostname", "of `writer` is not in the project");
    check_refused("prompts", "is no file of at most 1 MB");
    check_refused("prompts/bytes.md", "is not a text in UTF-8");
}

#[test]
fn an_eval_replaces_what_is_in_a_file() {
    let (files, name, _) = SYSTEMS[1];
    let eval = "#- flow.eval.yaml
eval: Writes.
file: flow.yaml
prompts: {as in the file: {}, short: {writer: Write one word.}}
cases: [{case: One.}]
";
    let (place, server) = place(&format!("{files}{eval}"), name);
    place.run(&["eval", "--trust", "--no-progress", "--jobs", "1"]).well();
    let bodies: Vec<String> = server.requests().iter().map(|request| request.body.to_string()).collect();
    assert!(bodies[0].contains("From a file") && bodies[1].contains("Write one word."), "{bodies:?}");
    assert!(!bodies[1].contains("From a file"), "{bodies:?}");
}

//! `nodewise run --dry-run --node`: what a node would send, before it is sent.

use serde_json::Value as Json;

use crate::place::Place;

const PROJECT: &str = r#"
#- nodewise.toml
[live]
provider = "near"
model = "small"

[live.providers.near]
kind = "openai"
base_url = "http://127.0.0.1:1/v1"
key = { env = "PLANTED_KEY" }
headers = { "X-Team" = "desk ${TEAM}" }
query = { "api-version" = "2026-10-21" }
#- desk.yaml
name: desk
description: A desk.
nodes:
  - {id: read, type: agent, agent_id: reader, read_keys: [letter], write_keys: [topic]}
  - {id: note, type: router}
  - {id: vote, type: voting, read_keys: [topic], voting_config: {voter_agent_ids: [reader, writer], strategy: majority_vote}}
  - {id: learn, type: reflection, read_keys: [topic], reflection_config: {source_keys: [topic], extractor: {type: llm, agent_id: writer, max_facts: 4}, tags: [lesson]}}
edges: [{source: read, target: note}, {source: note, target: vote}, {source: vote, target: learn}]
start_node: read
end_nodes: [learn]
#- way.yaml
script: To the end.
goal: Answer the letter.
memory: {letter: Where is it?}
agents: {reader: delivery, writer: delivery}
host: {memory_writer: true}
"#;

/// The requests of a node; without anything stored, started or called.
fn requests(words: &[&str]) -> Vec<Json> {
    let place = Place::new(PROJECT);
    let words: Vec<&str> =
        ["run", "desk.yaml", "--dry-run", "--format", "json"].iter().chain(words).copied().collect();
    let done = place.run(&words).well();
    assert!(!done.out.contains("planted"), "{}", done.out);
    assert!(!place.path().join(".nodewise").exists(), "nothing is stored");
    let json: Json = serde_json::from_str(&done.out).unwrap();
    json["requests"].as_array().unwrap().clone()
}

#[track_caller]
fn check_requests(words: &[&str], agents: &[&str], parts: &[&str]) {
    let requests = requests(words);
    let asked: Vec<&str> = requests.iter().map(|request| request["agent"].as_str().unwrap()).collect();
    assert_eq!(asked, agents);
    for request in &requests {
        assert_eq!(request["url"], "http://127.0.0.1:1/v1/chat/completions?api-version=2026-10-21");
        assert_eq!(request["headers"]["authorization"], "Bearer (key of PLANTED_KEY)");
        assert_eq!(request["headers"]["X-Team"], "desk ${TEAM}");
        let messages = request["body"]["messages"].to_string();
        for part in parts {
            assert!(messages.contains(part), "{part}: {messages}");
        }
    }
}

#[test]
fn a_run_begins_at_the_node() {
    check_requests(
        &["--node", "read", "--input", r#"{"letter": "Where?"}"#],
        &["reader"],
        &["Where?", "## Instructions"],
    );
}

#[test]
fn several_agents_ask_at_once() {
    check_requests(&["--node", "vote"], &["reader", "writer"], &["voter_index", "## Task Context"]);
}

#[test]
fn a_script_leads_to_the_node() {
    check_requests(
        &["--node", "learn", "--script", "way.yaml"],
        &["writer"],
        &["at most 4 facts", "delivery"],
    );
    check_requests(
        &["--node", "vote", "--script", "way.yaml"],
        &["reader", "writer"],
        &["Answer the letter.", "delivery"],
    );
}

#[track_caller]
fn check_error(words: &[&str], expected: &str) {
    let words: Vec<&str> = ["run", "desk.yaml", "--dry-run"].iter().chain(words).copied().collect();
    let done = Place::new(PROJECT).run(&words);
    assert_eq!((done.code, done.err.trim()), (Some(2), expected), "{}", done.out);
}

#[test]
fn a_node_without_a_model_says_so() {
    check_error(&["--node", "note"], "error: `note` asks no model");
    check_error(&["--node", "nobody"], "error: no node is named `nobody`");
}

#[test]
fn texts_are_shown_as_they_are() {
    let done = Place::new(PROJECT).run(&["run", "desk.yaml", "--dry-run", "--node", "read"]).well();
    assert!(done.out.contains("\n--- system ---\n"), "{}", done.out);
    assert!(done.out.contains("\n## Current Workflow Context\nGoal: \nConstraints: None\n"), "{}", done.out);
}

#[test]
fn the_mark_of_the_cache_is_shown() {
    let config = "\n[live.models.small]\nprompt_cache = \"1h\"\n";
    let project = PROJECT
        .replace("kind = \"openai\"", "kind = \"anthropic\"")
        .replace("#- desk.yaml", &format!("{config}#- desk.yaml"));
    let place = Place::new(&project);
    let done = place.run(&["run", "desk.yaml", "--dry-run", "--node", "read"]).well();
    let mark = "\n{\"cache_control\":{\"type\":\"ephemeral\",\"ttl\":\"1h\"}}\n";
    assert_eq!(done.out.matches(mark).count(), 2, "{}", done.out);
    let plan = place.run(&["run", "desk.yaml", "--dry-run"]).well();
    assert!(plan.out.contains("prompt cache of `near/small`: 1h"), "{}", plan.out);
}

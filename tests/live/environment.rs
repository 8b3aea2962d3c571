//! The file `.env`: read by runs alone, and its values appear nowhere.

use nodewise_test_support::model_server::ModelServer;
use serde_json::json;

use crate::place::{Place, provider};

const FLOW: &str = "\
#- flow.yaml
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
model: m-1
provider: local
system_prompt: Write.
";

#[test]
fn keys_come_from_the_file_and_are_masked() {
    let place = Place::new(FLOW);
    let server = ModelServer::start(json!([{"text": "The password is sesame-1.", "times": 0}])).unwrap();
    let config = provider("local", "openai", &server).replace("PLANTED_KEY", "ONLY_IN_FILE");
    place.write("nodewise.toml", &format!("[live]\n{config}"));
    let missing = place.run(&["run", "flow.yaml", "--trust", "--no-progress"]);
    assert!(
        missing.err.contains("`ONLY_IN_FILE` is not set\n  help: set it in the environment or in `.env`"),
        "{}",
        missing.err
    );
    place.write(".env", "# keys\nexport ONLY_IN_FILE=\"file-key-1\"\nSHOP_PASSWORD=sesame-1\n");
    let run = place.run(&["run", "flow.yaml", "--trust", "--no-progress", "--format", "json"]).well();
    assert_eq!(server.requests()[0].header("authorization"), Some("Bearer file-key-1"));
    let shown = place.run(&["runs", "show", "last", "--format", "events"]).well().out;
    let stored = std::fs::read(place.path().join(".nodewise/runs.db")).unwrap();
    for text in [run.out.as_bytes(), run.err.as_bytes(), shown.as_bytes(), &stored] {
        let has = |secret: &str| text.windows(secret.len()).any(|window| window == secret.as_bytes());
        assert!(!has("file-key-1") && !has("sesame-1"), "{}", String::from_utf8_lossy(text));
    }
    assert!(shown.contains("The password is ***."), "{shown}");
}

#[test]
fn nothing_but_a_run_reads_the_file() {
    let place = Place::new(FLOW);
    place.write(".env", "no variable, hunter2\n");
    place.write(
        "nodewise.toml",
        "[live.providers.local]\nkind = \"openai\"\nbase_url = \"http://127.0.0.1:9/v1\"\n",
    );
    for words in
        [&["check", "."][..], &["simulate", "flow.yaml"], &["run", "flow.yaml", "--dry-run"], &["runs"]]
    {
        let done = place.run(words);
        assert!(
            !done.err.contains(".env") && !done.out.contains(".env"),
            "{words:?} {} {}",
            done.out,
            done.err
        );
    }
    let run = place.run(&["run", "flow.yaml", "--trust", "--no-progress"]);
    assert_eq!(run.code, Some(2), "{}", run.out);
    assert!(run.err.contains("error: .env:1: there is no `=`\n  help: write `NAME=value`"), "{}", run.err);
    assert!(!run.err.contains("hunter2"));
}

#[test]
fn git_ignores_the_file_in_a_new_project() {
    let place = Place::new("#- .git/HEAD\nref: refs/heads/main\n#- .gitignore\ntarget");
    let first = place.run(&["init"]).well();
    assert!(first.out.contains("added `.env` to .gitignore"), "{}", first.out);
    place.run(&["init", "--force"]).well();
    assert_eq!(place.read(".gitignore"), "target\n.env\n");
    let outside = Place::new("");
    outside.run(&["init"]).well();
    assert!(!outside.path().join(".gitignore").exists());
}

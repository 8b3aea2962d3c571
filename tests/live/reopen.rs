//! Runs that failed or were stopped, continued; and runs that are deleted.

use nodewise_test_support::model_server::ModelServer;
use serde_json::json;

use crate::place::{Place, check_replay, has_python, provider};

/// Three tools in a row that write a line; the second one fails while a file is there.
const FLOW: &str = "#- nodewise.toml
[live]
tools.one = { function = \"shop.one\" }
tools.two = { function = \"shop.two\" }
tools.three = { function = \"shop.three\" }
#- shop.py
import os
def note(name):
    with open('effects.txt', 'a') as file:
        file.write(name + '\\n')
    return name
def one():
    return note('one')
def two():
    note('two')
    if os.path.exists('down'):
        raise RuntimeError('the shop is down')
    return 'two'
def three():
    return note('three')
#- flow.yaml
id: flow
name: Flow
description: ''
nodes:
  - {id: a, type: tool, tool_id: one, tools: [one]}
  - {id: b, type: tool, tool_id: two, tools: [two]}
  - {id: c, type: tool, tool_id: three, tools: [three]}
edges: [{source: a, target: b}, {source: b, target: c}]
start_node: a
end_nodes: [c]
#- down
";

#[test]
fn a_run_that_failed_continues_where_it_failed() {
    if !has_python() {
        return;
    }
    let place = Place::new(FLOW);
    let failed = place.run(&["run", "flow.yaml", "--trust"]);
    assert_eq!(failed.code, Some(1), "{failed:?}");
    assert!(
        failed.err.contains("help: when the cause is fixed, continue the run with `nodewise resume 2"),
        "{failed:?}"
    );
    let again = place.run(&["resume", "--trust"]);
    assert_eq!(again.code, Some(1), "the shop is still down: {again:?}");
    std::fs::remove_file(place.path().join("down")).unwrap();
    let done = place.run(&["resume", "--trust", "--format", "json"]).well();
    // The node tries three times by itself; each time the run continues, it tries once more.
    assert_eq!(place.read("effects.txt"), "one\ntwo\ntwo\ntwo\ntwo\ntwo\nthree\n");
    check_replay(&place, &done.out);
    let over = place.run(&["resume", "--trust"]);
    assert!(over.err.contains("has ended: completed"), "{}", over.err);
}

const CHAT: &str = "#- flow.yaml
id: flow
name: Flow
description: ''
nodes:
  - {id: a, type: agent, agent_id: writer, write_keys: [first]}
  - {id: b, type: agent, agent_id: writer, write_keys: [second]}
edges: [{source: a, target: b}]
start_node: a
end_nodes: [b]
---
id: writer
name: Writer
model: m-1
provider: local
system_prompt: Write.
";

#[test]
fn a_run_that_was_stopped_continues_with_a_higher_limit() {
    let server = ModelServer::start(json!([{"text": "Hello.", "usage": [60, 40], "times": 0}])).unwrap();
    let place = Place::new(CHAT);
    place
        .write("nodewise.toml", &format!("[live]\ntimeout_s = 20\n{}", provider("local", "openai", &server)));
    let stopped = place.run(&["run", "flow.yaml", "--trust", "--limit-tokens", "50"]);
    assert_eq!(stopped.code, Some(1), "{stopped:?}");
    assert!(stopped.out.contains("stopped"), "{}", stopped.out);
    assert!(
        stopped.err.contains("help: to continue the run, raise the limit with `nodewise resume 2"),
        "{stopped:?}"
    );
    let asked = server.requests().len();
    let same = place.run(&["resume", "--trust"]);
    assert_eq!(same.code, Some(2), "{same:?}");
    assert!(same.err.contains("would end again: stopped"), "{}", same.err);
    assert!(same.err.contains("--limit-tokens"), "{}", same.err);
    let done = place.run(&["resume", "--trust", "--limit-tokens", "1000", "--format", "json"]).well();
    assert_eq!(asked, 1, "the limit was reached after the first answer");
    assert_eq!(server.requests().len(), 2, "the first answer is not asked for again");
    check_replay(&place, &done.out);
}

#[test]
fn a_deleted_run_leaves_nothing_in_the_store() {
    let server = ModelServer::start(json!([{"text": "A private answer.", "times": 0}])).unwrap();
    let place = Place::new(CHAT);
    place
        .write("nodewise.toml", &format!("[live]\ntimeout_s = 20\n{}", provider("local", "openai", &server)));
    let input = json!({"note": "a private question"}).to_string();
    place.run(&["run", "flow.yaml", "--trust", "--input", &input]).well();
    let holds = |text: &str| {
        let files = std::fs::read_dir(place.path().join(".nodewise")).unwrap();
        let texts = files.map(|file| std::fs::read(file.unwrap().path()).unwrap_or_default());
        texts.into_iter().any(|bytes| bytes.windows(text.len()).any(|part| part == text.as_bytes()))
    };
    assert!(holds("A private answer.") && holds("a private question"));
    place.run(&["runs", "delete", "last"]).well();
    assert!(!holds("A private answer.") && !holds("a private question"));
}

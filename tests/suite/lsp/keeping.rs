//! Runs that are kept as scenarios: what comes back holds, in all three systems.

use std::path::Path;

use serde_json::{Value, json};

use crate::lsp::client::{Folder, Server};

/// A copy of an example, and a server that has read it.
fn example(name: &str) -> (Folder, Server) {
    let folder = Folder::new(&[]);
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name);
    copy(&source, &source, &folder);
    let mut server = Server::open_folder(&folder);
    server.wait_until_read();
    (folder, server)
}

fn copy(root: &Path, from: &Path, folder: &Folder) {
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        match std::fs::read_to_string(&path) {
            Ok(text) => folder.write(path.strip_prefix(root).unwrap().to_str().unwrap(), &text),
            Err(_) => copy(root, &path, folder),
        }
    }
}

fn execute(server: &mut Server, command: &str, argument: &Value) -> Value {
    server.result("workspace/executeCommand", json!({"command": command, "arguments": [argument]}))
}

fn refusal(server: &mut Server, command: &str, argument: &Value) -> String {
    let answer =
        server.request("workspace/executeCommand", json!({"command": command, "arguments": [argument]}));
    answer["error"]["message"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
}

/// Runs something, keeps it as a scenario beside it, and runs that.
fn check_kept(server: &mut Server, folder: &Folder, wanted: &Value, name: &str) -> String {
    let run = execute(server, "nodewise.simulate", wanted);
    let uri = folder.uri(name);
    let kept = execute(server, "nodewise.scenario", &json!({"trace": run["id"], "uri": uri}));
    let text = kept["text"].as_str().unwrap().to_owned();
    server.open(&uri, 1, &text);
    let tested = execute(server, "nodewise.test", &json!({"uri": uri}));
    let found = (&tested["passed"], &tested["failed"], &tested["broken"]);
    assert_eq!(found, (&json!(1), &json!(0), &json!(0)), "{tested}\n{text}");
    let again = execute(server, "nodewise.simulate", &json!({"uri": uri}));
    let steps = |run: &Value| {
        let events = run["trace"]["events"].as_array().unwrap().iter();
        let tells = |event: &&Value| {
            ["visit-started", "wrote", "edge-judged"].contains(&event["event"].as_str().unwrap())
        };
        events.filter(tells).cloned().map(without_places).collect::<Vec<Value>>()
    };
    assert_eq!(steps(&again), steps(&run), "{text}");
    text
}

/// What a scenario's text makes no difference to.
fn without_places(mut event: Value) -> Value {
    event.as_object_mut().unwrap().remove("location");
    event
}

/// Every scenario of an example, kept as another one.
fn check_example(name: &str, scenarios: &str) {
    let (folder, mut server) = example(name);
    let text = std::fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name).join(scenarios),
    );
    for number in 0..text.unwrap().split("\n---\n").count() {
        let wanted = json!({"uri": folder.uri(scenarios), "scenario": number});
        check_kept(&mut server, &folder, &wanted, &format!("kept-{number}.scenario.yaml"));
    }
}

#[test]
fn runs_of_liman_are_kept() {
    check_example("liman", "desk.scenario.yaml");
}

#[test]
fn runs_of_cycgraph_are_kept() {
    check_example("cycgraph", "claims.scenario.yaml");
}

#[test]
fn runs_of_agentos_are_kept() {
    check_example("agentos", "refunds.scenario.yaml");
}

#[test]
fn a_fork_is_kept_and_names_what_it_uses() {
    let (folder, mut server) = example("cycgraph");
    let wanted = json!({"uri": folder.uri("claims.yaml"), "script": folder.uri("claims.script.yaml")});
    let run = execute(&mut server, "nodewise.simulate", &wanted);
    let events = run["trace"]["events"].as_array().unwrap();
    let resumed = events.iter().position(|event| event["event"] == "resumed").unwrap();
    let fork = json!({"fork": {"trace": run["id"], "event": resumed, "answer": {"word": "rejected"}}});
    let text = check_kept(&mut server, &folder, &fork, "more/rejected.scenario.yaml");
    // What the script says is not repeated.
    let expected = "\
scenario: A run of claims, completed.
uses: /claims.script.yaml
file: /claims.yaml
graph: \"0b54a3f2-7c1d-4e7e-9a52-3f8d2c6b1e90\"
nodes:
  release:
    - {decision: rejected}
expect:
";
    assert!(text.starts_with(expected) && text.ends_with("decline]\n"), "{text}");

    let inline = json!({
        "uri": folder.uri("claims.yaml"),
        "script": {"text": "script: Written into a form.\nuses: claims.script.yaml\nnodes: {intake: [\"Hail: \\\"large\\\" # yes\"]}\n"},
    });
    let text = check_kept(&mut server, &folder, &inline, "form.scenario.yaml");
    assert!(text.contains("uses: claims.script.yaml\nfile: claims.yaml\n"), "{text}");
    assert!(text.contains("nodes:\n  intake:\n    - {text: 'Hail: \"large\" # yes'}\n"), "{text}");
    assert!(!text.contains("look_up_policy") && !text.contains("policy_number"), "{text}");

    // Another input is kept, and ids of calls and quotes are only where a run needs them.
    let calls = "script: x\nnodes:\n  intake:\n    - calls: [{tool: save_to_memory, arguments: {key: category, value: hail}}]\n    - text: Done\n";
    let own = json!({
        "uri": folder.uri("claims.yaml"), "input": {"claim": {"policy_number": "P-9", "text": "Fire."}},
        "script": {"text": calls.replacen('\n', "\nuses: claims.script.yaml\n", 1)},
    });
    let text = check_kept(&mut server, &folder, &own, "input.scenario.yaml");
    assert!(text.contains("input: {claim: {policy_number: P-9, text: Fire.}}\n"), "{text}");
    assert!(text.contains("{tool: save_to_memory, arguments: {key: category, value: hail}}"), "{text}");
    assert!(!text.contains("call-"), "{text}");
}

#[test]
fn a_run_of_one_node_is_kept() {
    let (folder, mut server) = example("cycgraph");
    let alone = json!({
        "uri": folder.uri("claims.yaml"), "node": "intake", "only": true, "script": folder.uri("claims.script.yaml"),
    });
    let text = check_kept(&mut server, &folder, &alone, "intake.scenario.yaml");
    assert!(text.contains("only: intake\n") && !text.contains("start:"), "{text}");
    assert!(text.ends_with("  path: [intake]\n  next: [policy]\n"), "{text}");
    // Without a node, it is the first one.
    let first = json!({"uri": folder.uri("claims.yaml"), "only": true});
    let text = check_kept(&mut server, &folder, &first, "first.scenario.yaml");
    assert!(text.contains("only: intake\n"), "{text}");
}

#[test]
fn what_no_scenario_can_say_is_refused() {
    let (folder, mut server) = example("cycgraph");
    let mut kept = |trace: &Value, uri: &str| {
        refusal(&mut server, "nodewise.scenario", &json!({"trace": trace, "uri": uri}))
    };
    let beside = folder.uri("kept.scenario.yaml");
    assert_eq!(kept(&json!("99"), &beside), "the trace `99` is no longer available");
    let whole = execute(&mut server, "nodewise.simulate", &json!({"uri": folder.uri("claims.yaml")}));
    let elsewhere = json!({"trace": whole["id"], "uri": "file:///elsewhere/kept.scenario.yaml"});
    let reason = refusal(&mut server, "nodewise.scenario", &elsewhere);
    assert_eq!(reason, "the scenario must be in the same project as its graph");
}

//! Graphs that run dry over the wire: lenses, the command behind them, progress, and runs that are stopped.

use serde_json::{Value, json};

use crate::client::{Folder, Server};

const FLOW: &str = "\
id: flow
nodes:
  - {id: ask, executorConfig: {type: tool, toolName: x}}
  - {id: tell, executorConfig: {type: tool, toolName: x}}
edges:
  - {id: a, source: __START__, target: ask, type: static}
  - {id: b, source: ask, target: tell, type: static}
  - {id: c, source: tell, target: __END__, type: static}
";
const SCENARIO: &str = "\
scenario: Somebody asks.
file: flow.yaml
expect: {status: completed}
";
/// A loop without an end.
const LOOP: &str = "\
id: loop
name: Loop
description: ''
nodes:
  - {id: a, type: router}
edges: [{source: a, target: a}]
start_node: a
end_nodes: []
";
/// A program that lets it run.
const PATIENT: &str = "\
script: What has no end.
host: {max_iterations: 1000000000000}
";
const REQUEST_CANCELLED: i64 = -32800;
const REQUEST_FAILED: i64 = -32803;

fn served() -> (Folder, Server) {
    let files = [
        ("flow.yaml", FLOW),
        ("flow.scenario.yaml", SCENARIO),
        ("loop.yaml", LOOP),
        ("loop.script.yaml", PATIENT),
    ];
    let folder = Folder::new(&files);
    let mut server = Server::open_folder(&folder);
    server.wait_until_read();
    (folder, server)
}

fn simulation(argument: &Value) -> Value {
    json!({"command": "nodewise.simulate", "arguments": [argument]})
}

/// What the lenses that run something offer, with the nodes that their runs visit.
fn runs(server: &mut Server, uri: &str) -> Vec<String> {
    let lenses = server.result("textDocument/codeLens", json!({"textDocument": {"uri": uri}}));
    let lenses: Vec<Value> = lenses.as_array().unwrap().clone();
    let mut shown = Vec::new();
    for lens in lenses {
        let command = server.result("codeLens/resolve", lens)["command"].clone();
        if command["command"] != "nodewise.simulate" {
            continue;
        }
        let (command, title) = (command.clone(), command["title"].as_str().unwrap());
        let wanted = json!({"command": command["command"], "arguments": command["arguments"]});
        let answer = server.result("workspace/executeCommand", wanted);
        assert_eq!(answer["trace"]["outcome"]["status"], "completed", "{answer}");
        assert!(answer["text"].as_str().unwrap().contains("tell"));
        let (_, message) = server.wait("a message", |message| message["method"] == "window/showMessage");
        assert_eq!(message["params"]["message"], answer["summary"]);
        shown.push(format!("{title}: {}", answer["summary"].as_str().unwrap()));
    }
    shown
}

#[test]
fn lenses_run_graphs_nodes_and_scenarios() {
    let (folder, mut server) = served();
    assert_eq!(
        runs(&mut server, &folder.uri("flow.yaml")),
        [
            "Simulate graph: graph `flow`: completed in 2 steps · 0 ms",
            "Simulate from here: graph `flow`: completed in 2 steps · 0 ms",
            "Simulate from here: graph `flow`: completed in 1 step · 0 ms",
        ]
    );
    assert_eq!(
        runs(&mut server, &folder.uri("flow.scenario.yaml")),
        ["Run scenario: graph `flow`: completed in 2 steps · 0 ms"]
    );
}

#[test]
fn what_cannot_run_says_why() {
    let (folder, mut server) = served();
    let mut refused = |argument: Value| {
        let error = server.request("workspace/executeCommand", simulation(&argument))["error"].clone();
        assert_eq!(error["code"], REQUEST_FAILED, "{error}");
        error["message"].as_str().unwrap().to_owned()
    };
    let uri = folder.uri("flow.yaml");
    let unknown = refused(json!({"uri": uri, "graph": "flwo"}));
    assert_eq!(unknown, "no graph has the id `flwo`\n  help: there are graphs `flow`");
    assert_eq!(refused(json!({"uri": uri, "scenario": 7})), "the file has no such scenario");
    let no_script = refused(json!({"uri": uri, "script": folder.uri("loop.yaml")}));
    assert_eq!(no_script, "the file that is named holds no script");
}

#[test]
fn long_runs_are_stopped_and_hold_up_nothing() {
    let (folder, mut server) = served();
    let uri = folder.uri("loop.yaml");
    let endless = json!({
        "uri": uri, "script": folder.uri("loop.script.yaml"),
        "limits": {"visits": 1e12, "timeMs": 1e15, "events": 1e12},
    });
    for by_token in [false, true] {
        let mut wanted = simulation(&endless);
        wanted["workDoneToken"] = json!("run");
        let id = server.ask("workspace/executeCommand", wanted);
        server.wait("progress", |message| {
            message["method"] == "$/progress" && message["params"]["value"]["kind"] == "report"
        });
        let text = format!("{LOOP}# edited\n");
        server.open(&uri, 1, &text);
        assert_eq!(server.text(&uri), text);
        assert!(!server.has_answer(id));
        if by_token {
            server.notify("window/workDoneProgress/cancel", json!({"token": "run"}));
        } else {
            server.notify("$/cancelRequest", json!({"id": id}));
        }
        assert_eq!(server.answer(id)["error"]["code"], REQUEST_CANCELLED);
        server.wait("the end", |message| {
            message["method"] == "$/progress" && message["params"]["value"]["kind"] == "end"
        });
        server.notify("textDocument/didClose", json!({"textDocument": {"uri": uri}}));
    }
}

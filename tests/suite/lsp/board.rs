//! Changes of graphs on their drawing: what the client gets to apply, and what helps to write conditions.

use serde_json::{Value, json};

use crate::lsp::client::{Folder, Server};

const FLOW: &str = "id: flow\nname: flow\ndescription: D\ninputs:\n  score: {schema: {type: number}}\nnodes:\n  - {id: a, type: router}\n  - {id: b, type: router}\nedges:\n  - {source: a, target: b, condition: {type: conditional, condition: memory.score > 3}}\nstart_node: a\nend_nodes: [b]\n";
const FILES: [(&str, &str); 4] = [
    ("flow.yaml", FLOW),
    ("flow.script.yaml", "script: Good.\nfile: flow.yaml\ninput: {score: 5}\n"),
    ("desk.yaml", "kind: LLMNode\nname: desk\nprompts: {system: {en: Help.}}\nnodes: [close]\n"),
    ("close.yaml", "kind: LLMNode\nname: close\nprompts: {system: {en: Bye.}}\n"),
];

/// A server of an editor that can create and delete files, or of one that cannot.
fn server(can_delete: bool) -> (Folder, Server) {
    let operations: &[&str] = if can_delete { &["create", "delete"] } else { &[] };
    let edits = json!({"workspaceEdit": {"documentChanges": true, "resourceOperations": operations}});
    let folder = Folder::new(&FILES);
    let mut server = Server::open_folder_with(&folder, json!({"workspace": edits}), Value::Null);
    server.wait_until_read();
    (folder, server)
}

fn ask(server: &mut Server, folder: &Folder, file: &str, command: &str, more: &Value) -> Value {
    let mut argument =
        json!({"textDocument": {"uri": folder.uri(file)}, "position": {"line": 1, "character": 7}});
    argument.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    server.request("workspace/executeCommand", json!({"command": command, "arguments": [argument]}))
}

#[test]
fn an_edit_is_a_workspace_edit() {
    let (folder, mut server) = server(true);
    let edge = json!({"index": 1, "from": "a", "to": "b"});
    let edit = json!({"edit": {"action": "setCondition", "edge": edge, "condition": "memory.score > 4"}});
    let answer = ask(&mut server, &folder, "flow.yaml", "nodewise.editGraph", &edit);
    let change = &answer["result"]["edit"]["documentChanges"][0];
    assert_eq!(change["textDocument"]["uri"], json!(folder.uri("flow.yaml")), "{answer}");
    let line = FLOW.lines().nth(9).unwrap();
    let at = line.find('3').unwrap();
    let place = json!({"start": {"line": 9, "character": at}, "end": {"line": 9, "character": at + 1}});
    assert_eq!(change["edits"], json!([{"range": place, "newText": "4"}]));
}

#[test]
fn a_refusal_says_what_to_do() {
    let (folder, mut server) = server(true);
    let edit = json!({"edit": {"action": "deleteNode", "node": "a"}});
    let answer = ask(&mut server, &folder, "flow.yaml", "nodewise.editGraph", &edit);
    let reason = "Runs start at `a`. Move the end of the edge from the start to another node first.";
    assert_eq!(answer["result"], json!({"refused": reason, "needsCondition": false}));
    let unknown = json!({"edit": {"action": "paint"}});
    let answer = ask(&mut server, &folder, "flow.yaml", "nodewise.editGraph", &unknown);
    assert!(answer["error"]["message"].as_str().unwrap().contains("paint"), "{answer}");
}

#[test]
fn a_node_is_deleted_with_its_file() {
    let edit = json!({"edit": {"action": "deleteNode", "node": "LLMNode/close"}});
    let (folder, mut able) = server(true);
    let answer = ask(&mut able, &folder, "desk.yaml", "nodewise.editGraph", &edit);
    let changes = answer["result"]["edit"]["documentChanges"].as_array().unwrap();
    let deleted = changes.iter().find(|change| change["kind"] == "delete").unwrap();
    assert_eq!(deleted["uri"], json!(folder.uri("close.yaml")), "{answer}");
    let (folder, mut unable) = server(false);
    let answer = ask(&mut unable, &folder, "desk.yaml", "nodewise.editGraph", &edit);
    assert!(answer["error"]["message"].as_str().unwrap().contains("by hand"), "{answer}");
}

#[test]
fn kinds_of_nodes_and_a_free_name() {
    let (folder, mut server) = server(true);
    let answer = ask(&mut server, &folder, "flow.yaml", "nodewise.nodeKinds", &json!({}));
    assert_eq!(answer["result"]["name"], "new_node");
    assert_eq!(answer["result"]["kinds"][0]["word"], "router");
    let answer = ask(&mut server, &folder, "desk.yaml", "nodewise.nodeKinds", &json!({}));
    let words: Vec<&Value> =
        answer["result"]["kinds"].as_array().unwrap().iter().map(|kind| &kind["word"]).collect();
    assert_eq!(json!(words), json!(["LLMNode", "ToolNode", "Node", "FunctionNode"]));
}

#[test]
fn a_condition_is_completed_and_evaluated_with_the_last_run() {
    let (folder, mut server) = server(true);
    let edge = json!({"index": 1, "from": "a", "to": "b"});
    let edit = |condition: &str| {
        let set = json!({"action": "setCondition", "edge": edge, "condition": condition});
        json!({"edit": set, "offset": condition.len()})
    };
    let answer = ask(&mut server, &folder, "flow.yaml", "nodewise.editCondition", &edit("memory.sc"));
    let items = answer["result"]["items"].as_array().unwrap();
    let score = items.iter().find(|item| item["label"] == "score").unwrap();
    assert_eq!((&score["text"], &score["offset"]), (&json!("memory.score"), &json!(12)), "{answer}");
    assert!(answer["result"].get("evaluation").is_none());
    server.result(
        "workspace/executeCommand",
        json!({"command": "nodewise.simulate", "arguments": [{"uri": folder.uri("flow.yaml")}]}),
    );
    for (condition, decision) in [("memory.score > 4", "holds"), ("memory.score > 5", "fails")] {
        let answer = ask(&mut server, &folder, "flow.yaml", "nodewise.editCondition", &edit(condition));
        let evaluation = &answer["result"]["evaluation"];
        assert_eq!(evaluation["decision"], decision, "{answer}");
        assert_eq!(evaluation["parts"][0]["value"], json!(5), "{answer}");
    }
    let answer = ask(&mut server, &folder, "flow.yaml", "nodewise.editCondition", &edit("memory.score >"));
    assert!(!answer["result"]["problems"].as_array().unwrap().is_empty(), "{answer}");
}

#[test]
fn a_graph_as_a_diagram() {
    let (folder, mut server) = server(true);
    let answer = ask(&mut server, &folder, "flow.yaml", "nodewise.graph", &json!({"format": "mermaid"}));
    assert!(answer["result"]["text"].as_str().unwrap().starts_with("flowchart TD\n"), "{answer}");
}

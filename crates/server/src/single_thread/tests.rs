//! Conversations with the server, as an editor in a page has them.

use std::time::Duration;

use serde_json::{Value, json};

use super::SingleThreadServer;

const FLOW: &str = "id: f\nname: F\ndescription: \"\"\nnodes:\n  - {id: a, type: router}\n  - {id: b, type: router}\nedges: [{source: a, target: bb}]\nstart_node: a\nend_nodes: [b]\n";
const URI: &str = "file:///project/flow.yaml";

/// A client and its server.
struct Conversation {
    server: SingleThreadServer,
    heard: Vec<Value>,
    number: u64,
}

impl Conversation {
    /// A session with these files in a folder.
    fn begin(files: &[(&str, &str)], capabilities: &Value) -> Conversation {
        let mut talk = Conversation { server: SingleThreadServer::new(), heard: Vec::new(), number: 0 };
        let files: Vec<Value> =
            files.iter().map(|(path, text)| json!([format!("file:///project/{path}"), text])).collect();
        talk.notify("nodewise/files", json!({"files": files}));
        let folders = json!([{"uri": "file:///project", "name": "project"}]);
        talk.request(
            "initialize",
            json!({"processId": null, "capabilities": capabilities, "workspaceFolders": folders}),
        );
        talk.notify("initialized", json!({}));
        talk
    }

    fn send(&mut self, message: Value) {
        let answers = self.server.message(&message, Duration::from_secs(1));
        let answers = answers.iter().map(|text| serde_json::from_str(text).unwrap());
        self.heard = answers.collect();
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.send(json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    fn request(&mut self, method: &str, params: Value) -> Value {
        self.number += 1;
        let id = self.number;
        self.send(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        let answer =
            self.heard.iter().find(|message| message["id"] == json!(id) && message.get("method").is_none());
        answer.unwrap_or_else(|| panic!("no answer to {method}: {:?}", self.heard)).clone()
    }

    fn open(&mut self, text: &str) {
        let document = json!({"uri": URI, "languageId": "yaml", "version": 1, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": document}));
    }

    fn command(&mut self, command: &str, argument: Value) -> Value {
        self.request("workspace/executeCommand", json!({"command": command, "arguments": [argument]}))
    }
}

#[test]
fn files_of_the_client_are_the_workspace() {
    let mut talk = Conversation::begin(&[("flow.yaml", FLOW)], &json!({}));
    let status = talk.command("nodewise.status", json!({"uri": URI}));
    assert_eq!(status["result"]["projects"][0]["files"], json!(1), "{status}");
    assert_eq!(status["result"]["projects"][0]["isComplete"], json!(true), "{status}");
    let graph = talk.command(
        "nodewise.graph",
        json!({"textDocument": {"uri": URI}, "position": {"line": 0, "character": 0}}),
    );
    assert_eq!(graph["result"]["nodes"][1]["location"]["uri"], json!(URI), "{graph}");
    // A file that the client takes away is gone after the next report.
    talk.notify("nodewise/files", json!({"files": [[URI, null]]}));
    talk.notify("workspace/didChangeWatchedFiles", json!({"changes": [{"uri": URI, "type": 3}]}));
    let status = talk.command("nodewise.status", json!({}));
    assert_eq!(status["result"]["projects"][0]["files"], json!(0), "{status}");
}

#[test]
fn findings_are_pulled_and_pushed() {
    let pulls = json!({"textDocument": {"diagnostic": {}}});
    let mut talk = Conversation::begin(&[("flow.yaml", FLOW)], &pulls);
    talk.open(FLOW);
    let pulled = talk.request("textDocument/diagnostic", json!({"textDocument": {"uri": URI}}));
    assert_eq!(pulled["result"]["items"][0]["code"], json!("unknown-node"), "{pulled}");

    let mut talk = Conversation::begin(&[("flow.yaml", FLOW)], &json!({}));
    talk.open(FLOW);
    let pushed: Vec<Value> = talk
        .server
        .pause(Duration::from_secs(2))
        .iter()
        .map(|text| serde_json::from_str(text).unwrap())
        .collect();
    let codes: Vec<&Value> = pushed
        .iter()
        .filter(|message| message["method"] == "textDocument/publishDiagnostics")
        .map(|message| &message["params"]["diagnostics"][0]["code"])
        .collect();
    assert_eq!(codes, [&json!("unknown-node")], "{pushed:?}");
}

#[test]
fn graphs_run_dry_and_not_live() {
    let mut talk = Conversation::begin(&[("flow.yaml", &FLOW.replace("bb", "b"))], &json!({}));
    let run = talk.command("nodewise.simulate", json!({"uri": URI}));
    assert_eq!(run["result"]["trace"]["outcome"]["status"], json!("completed"), "{run}");
    let id = run["result"]["id"].clone();
    let state = talk.command("nodewise.stateAt", json!({"trace": id, "event": 1}));
    assert!(state.get("error").is_none(), "{state}");
    if !crate::HAS_LIVE {
        let refused = talk.command("nodewise.run", json!({"uri": URI}));
        assert!(
            refused["error"]["message"].as_str().is_some_and(|text| text.contains("not available")),
            "{refused}"
        );
    }
}

#[test]
fn no_message_ends_the_server() {
    let mut talk = Conversation::begin(&[("flow.yaml", FLOW)], &json!({}));
    for message in [
        json!(null),
        json!({}),
        json!({"method": "nodewise/files"}),
        json!({"id": 1, "method": 2}),
        json!({"jsonrpc": "2.0", "id": 9, "method": "nodewise/debug", "params": {"what": "panic"}}),
    ] {
        talk.send(message);
    }
    let status = talk.command("nodewise.status", json!({}));
    assert!(status["result"]["version"].is_string(), "{status}");
}

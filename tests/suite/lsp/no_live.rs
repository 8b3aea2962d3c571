//! A build without live runs: their commands are not announced, and a client that asks all the same gets the reason.

use serde_json::json;

use crate::lsp::client::{Folder, Server};

#[test]
fn live_runs_are_not_announced_and_are_refused_with_the_way_to_them() {
    let folder =
        Folder::new(&[("planner.yaml", "kind: LLMNode\nname: planner\nprompts: {system: {en: x}}\n")]);
    let mut server = Server::start();
    let answer = server.introduce(&[crate::lsp::client::uri(&folder.path)], json!({}), json!({}));
    server.notify("initialized", json!({}));
    let announced = answer["executeCommandProvider"]["commands"].to_string();
    assert!(announced.contains("nodewise.simulate"), "{announced}");
    for command in ["nodewise.run", "nodewise.resume", "nodewise.runs"] {
        assert!(!announced.contains(&format!("\"{command}\"")), "{announced}");
        let refused =
            server.request("workspace/executeCommand", json!({"command": command, "arguments": [{}]}));
        let message = refused["error"]["message"].to_string();
        assert!(message.contains("--features live"), "{message}");
    }
}

//! A coding agent asks for a live run, and the user is asked.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use nodewise_test_support::model_server::ModelServer;
use serde_json::{Value, json};

use crate::place::Place;

const GREETER: &str = "#- graph.yaml
id: flow
name: Flow
description: ''
start_node: greet
nodes: [{id: greet, type: agent, agent_id: clerk, write_keys: [greeting]}]
edges: []
end_nodes: [greet]
#- agents.yaml
id: clerk
name: Clerk
model: house-1
provider: house
system_prompt: You greet.
";

/// What the agent gets, and how many calls the model got, if the user answers so. In the newest version of the protocol the client
/// asks, and calls the tool again.
fn check_run(version: &str, answer: &str, expected: &str, calls: usize) {
    let server = ModelServer::start(json!([{"text": "Good day.", "times": 0}])).unwrap();
    let place = Place::new(GREETER);
    place.write(
        "nodewise.toml",
        &format!("[live.providers.house]\nkind = \"openai\"\nbase_url = \"{}\"\n", server.base_url()),
    );
    let mut command = place.command(&["mcp", "--allow-runs"]);
    let mut agent = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut requests, mut answers) =
        (agent.stdin.take().unwrap(), BufReader::new(agent.stdout.take().unwrap()));
    let mut send = |message: Value| writeln!(requests, "{message}").unwrap();
    let client = json!({"name": "test", "version": "1"});
    let can = json!({"elicitation": {}});
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientInfo": client,
        "io.modelcontextprotocol/clientCapabilities": can,
    });
    let has_session = version < "2026-07-28";
    if has_session {
        let params = json!({"protocolVersion": version, "capabilities": can, "clientInfo": client});
        send(json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}));
        send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    }
    let mut call = json!({"name": "run", "arguments": {"target": "graph.yaml"}});
    if !has_session {
        call["_meta"] = meta;
    }
    send(json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}));
    let mut questions = 0;
    let text = loop {
        let mut line = String::new();
        assert_ne!(answers.read_line(&mut line).unwrap(), 0, "the server ended");
        let message: Value = serde_json::from_str(&line).unwrap();
        if message["method"] == "elicitation/create" {
            questions += 1;
            assert!(message["params"]["message"].as_str().unwrap().contains(&server.base_url()), "{message}");
            send(json!({"jsonrpc": "2.0", "id": message["id"], "result": {"action": answer, "content": {}}}));
        } else if message["result"]["resultType"] == "input_required" {
            questions += 1;
            let question = &message["result"]["inputRequests"]["allow"];
            assert!(question.to_string().contains(&server.base_url()), "{message}");
            call["inputResponses"] = json!({"allow": {"action": answer, "content": {}}});
            call["requestState"] = message["result"]["requestState"].clone();
            send(json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call}));
        } else if message["id"] == 1 || message["id"] == 2 {
            break message["result"]["content"][0]["text"].as_str().unwrap_or(&line).to_owned();
        }
    };
    assert!(text.contains(expected), "{text}");
    assert_eq!((questions, server.requests().len()), (1, calls));
    drop(requests);
    assert!(agent.wait().unwrap().success());
}

#[test]
fn a_live_run_needs_the_yes_of_the_user() {
    for version in ["2025-06-18", "2026-07-28"] {
        check_run(version, "accept", "Good day.", 1);
        check_run(version, "decline", "the user did not allow the run", 0);
    }
}

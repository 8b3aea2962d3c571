//! Graphs with marks: changes since a commit, the paths of findings, the lineage of a key.

use std::process::Command;

use serde_json::{Value, json};

use crate::git::git;
use crate::lsp::client::{Folder, Server};

const FLOW: &str = "\
id: flow
name: Flow
description: x
nodes:
  - {id: read, type: agent, agent_id: reader, tools: [{type: mcp, server_id: mail}], write_keys: [request]}
  - {id: pay, type: agent, agent_id: payer, read_keys: [request], tools: [{type: custom, name: refund_order}]}
edges:
  - {source: read, target: pay}
start_node: read
end_nodes: [pay]
";

/// A server in a folder below a repository with one commit.
fn committed() -> (Folder, Server) {
    let folder = Folder::new(&[("flows/flow.yaml", FLOW), ("flows/nodewise.toml", "")]);
    git(&folder.path, "init --quiet");
    git(&folder.path, "add .");
    git(&folder.path, "commit --quiet -m one");
    let mut server = Server::open_folder(&folder);
    server.wait_until_read();
    (folder, server)
}

fn ask(server: &mut Server, uri: &str, (line, character): (u32, u32), marks: &Value) -> Value {
    let position = json!({"line": line, "character": character});
    let argument = json!({"textDocument": {"uri": uri}, "position": position, "marks": marks});
    let command = json!({"command": "nodewise.markGraph", "arguments": [argument]});
    server.request("workspace/executeCommand", command)
}

/// The marks of the nodes and edges of an answer.
fn marked(answer: &Value) -> Vec<String> {
    let graph = &answer["result"]["graph"];
    let said = |part: &Value, name: String| {
        let kinds = part["marks"].as_array()?.iter().map(|mark| mark["kind"].as_str().unwrap());
        Some(format!("{name} {}", kinds.collect::<Vec<_>>().join(" ")))
    };
    let nodes = graph["nodes"].as_array().unwrap().iter();
    let edges = graph["edges"].as_array().unwrap().iter();
    let ends = |edge: &Value| format!("{}->{}", edge["from"].as_str().unwrap(), edge["to"].as_str().unwrap());
    let nodes = nodes.filter_map(|node| said(node, node["id"].as_str().unwrap().to_owned()));
    nodes.chain(edges.filter_map(|edge| said(edge, ends(edge)))).collect()
}

#[test]
fn an_edit_that_is_not_saved_is_compared_with_the_last_commit() {
    let (folder, mut server) = committed();
    let uri = folder.uri("flows/flow.yaml");
    let text = FLOW.replace("{id: pay,", "{id: log, type: tool, tool_id: log}\n  - {id: pay,").replace(
        "  - {source: read, target: pay}\n",
        "  - {source: read, target: log}\n  - {source: log, target: pay}\n",
    );
    server.open(&uri, 1, &text);
    let answer = ask(&mut server, &uri, (0, 5), &json!({"of": "changes"}));
    assert_eq!(
        marked(&answer),
        ["log added", "read->log added", "log->pay added", "read->pay removed"],
        "{answer}"
    );
    assert_eq!(answer["result"]["title"], "Changes since the last commit");
    assert_eq!(answer["result"]["graph"]["edges"][4]["location"], Value::Null, "{answer}");
    let lines: Vec<&str> = answer["result"]["lines"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| line["text"].as_str().unwrap())
        .collect();
    assert_eq!(
        lines,
        [
            "~ graph `flow`  flow.yaml:1",
            "  + node `log` (tool)",
            "  ~ edge `read -> pay` is now `read -> log`",
            "  + edge `log -> pay`"
        ]
    );
}

#[test]
fn a_file_that_no_commit_has_is_new() {
    let (folder, mut server) = committed();
    let uri = folder.uri("flows/other.yaml");
    server.open(&uri, 1, "kind: LLMNode\nname: desk\nprompts: {system: {en: x}}\n");
    let answer = ask(&mut server, &uri, (1, 7), &json!({"of": "changes", "since": "HEAD"}));
    assert_eq!(marked(&answer), ["LLMNode/desk added"], "{answer}");
    assert_eq!(answer["result"]["title"], "Changes since `HEAD`");
}

#[test]
fn why_there_is_nothing_to_compare_with() {
    let reason = |answer: &Value| answer["error"]["message"].as_str().unwrap_or_default().to_owned();
    let folder = Folder::new(&[("flow.yaml", FLOW)]);
    let mut server = Server::open_folder(&folder);
    server.wait_until_read();
    let uri = folder.uri("flow.yaml");
    let answer = ask(&mut server, &uri, (0, 5), &json!({"of": "changes"}));
    assert!(reason(&answer).contains("is in no repository of git"), "{answer}");
    git(&folder.path, "init --quiet");
    let answer = ask(&mut server, &uri, (0, 5), &json!({"of": "changes"}));
    assert_eq!(reason(&answer), "The repository has no commit to compare with.");
    let answer = ask(&mut server, &uri, (0, 5), &json!({"of": "changes", "since": "nowhere"}));
    assert_eq!(reason(&answer), "The commit cannot be read: `nowhere` is no revision.");
    let mut command = Command::new(env!("CARGO_BIN_EXE_nodewise"));
    let mut server = Server::start_with(command.arg("lsp").env("PATH", "/nowhere"));
    server.initialize(&[folder.uri("")], json!({}), Value::Null);
    server.wait_until_read();
    let answer = ask(&mut server, &uri, (0, 5), &json!({"of": "changes"}));
    let missing = "The program `git` cannot be started. Install git, or add it to the PATH.";
    assert_eq!(reason(&answer), missing, "{answer}");
}

#[test]
fn the_action_of_a_finding_shows_its_path() {
    let folder = Folder::new(&[("flow.yaml", FLOW)]);
    let uri = folder.uri("flow.yaml");
    let actions = |server: &mut Server| -> Vec<Value> {
        server.wait_until_read();
        server.open(&uri, 1, FLOW);
        let at = json!({"line": 5, "character": 10});
        let context = json!({"diagnostics": []});
        let asked =
            json!({"textDocument": {"uri": uri}, "range": {"start": at, "end": at}, "context": context});
        let all = server.result("textDocument/codeAction", asked);
        let is_path = |action: &&Value| action["title"] == "Show the path on the graph";
        all.as_array().unwrap().iter().filter(is_path).cloned().collect()
    };
    let mut plain = Server::open_folder(&folder);
    assert_eq!(actions(&mut plain), Vec::<Value>::new(), "this client cannot show it");
    let experimental = json!({"experimental": {"nodewiseMarks": true}});
    let mut server = Server::open_folder_with(&folder, experimental, Value::Null);
    let found = actions(&mut server);
    let [action] = found.as_slice() else { panic!("{found:?}") };
    let command = &action["command"];
    let answer = server.request(
        "workspace/executeCommand",
        json!({"command": command["command"], "arguments": command["arguments"]}),
    );
    assert_eq!(marked(&answer), ["read step", "pay step", "read->pay step"], "{answer}");
    assert_eq!(answer["result"]["dimsOthers"], true);
}

#[test]
fn a_key_is_asked_for_at_its_place_or_by_its_name() {
    let folder = Folder::new(&[("flow.yaml", FLOW)]);
    let mut server = Server::open_folder(&folder);
    server.wait_until_read();
    let uri = folder.uri("flow.yaml");
    let character = u32::try_from(FLOW.lines().nth(4).unwrap().find("request").unwrap()).unwrap();
    let here = ask(&mut server, &uri, (4, character + 2), &json!({"of": "key"}));
    assert_eq!(marked(&here), ["read writes", "pay reads"], "{here}");
    let named = ask(&mut server, &uri, (0, 5), &json!({"of": "key", "key": "request"}));
    assert_eq!(here["result"], named["result"]);
    let nothing = ask(&mut server, &uri, (0, 5), &json!({"of": "key"}));
    assert_eq!(nothing["result"], Value::Null);
}

//! Modules over the wire: names that are changed and completed in a program and in YAML files.

use serde_json::{Value, json};

use crate::lsp::client::{Folder, Server};

const AGENTS: &str = "id: ada\nname: Ada\nmodel: m\nprovider: openai\nsystem_prompt: Find.\n";
const MODULE: &str = "import { graph, node } from '@cycgraph/orchestrator';
const one = node({ id: 'one', agent: 'ada', reads: ['topic'], writes: 'notes' });
const two = node({ id: 'two', agent: 'ada', reads: ['notes'] });
export const g = graph({ name: 'g', inputs: { topic: { type: 'string' } }, nodes: [one, two], edges: [{ from: 'one', to: two }] });
";

/// A project with a module, which is open.
fn session() -> (Server, Folder) {
    let folder = Folder::new(&[("agents.yaml", AGENTS), ("flow.ts", MODULE)]);
    let able = json!({"workspace": {"workspaceEdit": {"documentChanges": true}}});
    let mut server = Server::open_folder_with(&folder, able, json!({}));
    server.wait_until_read();
    server.open(&folder.uri("flow.ts"), 1, MODULE);
    (server, folder)
}

/// The position behind the first place of a text in the module.
fn position(text: &str) -> Value {
    let before = MODULE.split_once(text).map_or("", |(before, _)| before);
    let line = before.matches('\n').count();
    let character = before.rsplit('\n').next().map_or(0, str::len) + text.len();
    json!({"line": line, "character": character})
}

#[test]
fn a_name_is_changed_in_a_module_and_a_file() {
    let (mut server, folder) = session();
    let document = json!({"uri": folder.uri("flow.ts")});
    let at = json!({"textDocument": document, "position": position("agent: 'a"), "newName": "eve"});
    let edit = server.result("textDocument/rename", at);
    let changes = edit["documentChanges"].as_array().expect("changes");
    let count = |path: &str| {
        let uri = folder.uri(path);
        let change = changes.iter().find(|change| change["textDocument"]["uri"] == uri);
        change.and_then(|change| change["edits"].as_array()).map(Vec::len)
    };
    assert_eq!((count("agents.yaml"), count("flow.ts")), (Some(1), Some(2)), "{edit}");
    let at = json!({"textDocument": document, "position": position("id: 'o"), "newName": "first"});
    let edit = server.result("textDocument/rename", at);
    let edits = edit["documentChanges"][0]["edits"].as_array().expect("edits");
    assert!(edits.len() == 2 && edits.iter().all(|edit| edit["newText"] == "first"), "{edit}");
}

#[test]
fn names_are_completed_in_the_texts_of_a_module() {
    let (mut server, folder) = session();
    let document = json!({"uri": folder.uri("flow.ts")});
    let mut labels = |text: &str| -> Vec<String> {
        let at = json!({"textDocument": document, "position": position(text), "context": {"triggerKind": 1}});
        let list = server.result("textDocument/completion", at);
        let items = list["items"].as_array().cloned().unwrap_or_default();
        items.iter().filter_map(|item| item["label"].as_str().map(str::to_owned)).collect()
    };
    assert!(labels("from: '").contains(&"one".to_owned()));
    assert!(labels("agent: '").contains(&"ada".to_owned()));
    assert_eq!(labels("export const"), [""; 0], "names of the program are not ours");
}

//! Completion: items, their edits in what the client understands, documentation on request.

use serde_json::{Value, json};

use crate::lsp::client::{Folder, Server, uri};

const URI: &str = "untitled:One";
const TEXT: &str = "kind: LLMNode\nname: é\nprompts: {system: {en: x}}\nnodes:\n  - ta\n";

fn opened(abilities: &Value, text: &str) -> Server {
    let mut server = Server::start();
    let completion = json!({"completion": {"completionItem": abilities}});
    let able = server.initialize(&[], json!({"textDocument": completion}), json!({}));
    assert_eq!(able["completionProvider"]["resolveProvider"], true);
    server.open(URI, 1, text);
    server
}

fn items(server: &mut Server, line: u32, character: u32, trigger: Option<&str>) -> Vec<Value> {
    let context = trigger
        .map_or(json!({"triggerKind": 1}), |trigger| json!({"triggerKind": 2, "triggerCharacter": trigger}));
    let position = json!({"line": line, "character": character});
    let parameters = json!({"textDocument": {"uri": URI}, "position": position, "context": context});
    let list = server.result("textDocument/completion", parameters);
    list["items"].as_array().unwrap().clone()
}

fn labelled<'i>(items: &'i [Value], label: &str) -> &'i Value {
    items.iter().find(|item| item["label"] == label).unwrap_or_else(|| panic!("no {label} in {items:?}"))
}

#[test]
fn an_able_client_gets_snippets_and_two_ranges() {
    let abilities = json!({
        "snippetSupport": true, "insertReplaceSupport": true, "insertTextModeSupport": {"valueSet": [1, 2]},
        "documentationFormat": ["markdown"], "tagSupport": {"valueSet": [1]},
    });
    let mut server = opened(&abilities, TEXT);
    let found = items(&mut server, 4, 5, None);
    let target = labelled(&found, "target");
    assert_eq!(target["textEdit"]["newText"], "target: $0");
    assert_eq!(target["insertTextFormat"], 2);
    assert_eq!(target["textEdit"]["insert"]["end"]["character"], 5);
    assert_eq!(target["textEdit"]["replace"]["end"]["character"], 6);
    assert_eq!(target["documentation"], Value::Null);
    let resolved = server.result("completionItem/resolve", target.clone());
    let documentation = resolved["documentation"]["value"].as_str().unwrap();
    assert!(documentation.contains("The node that the edge leads to"), "{documentation}");
    let first = items(&mut server, 0, 0, None);
    assert!(first.iter().all(|item| item["kind"] == 10), "{first:?}");
}

#[test]
fn a_simple_client_gets_plain_text() {
    let mut server = opened(&json!({}), "kind: LLMNode\nname: a\n  \ntoo\n");
    let found = items(&mut server, 3, 3, None);
    let tools = labelled(&found, "tools");
    assert_eq!(tools["textEdit"]["newText"], "tools:\n  - ");
    assert_eq!(tools["textEdit"]["range"]["start"], json!({"line": 3, "character": 0}));
    assert_eq!(tools["insertTextFormat"], Value::Null);
}

#[test]
fn lines_are_indented_once() {
    let text = "kind: ToolNode\nname: a\narguments:\n  - name: x\n    prop\n";
    let mut server = opened(&json!({"snippetSupport": true}), text);
    let found = items(&mut server, 4, 8, None);
    assert_eq!(labelled(&found, "properties")["textEdit"]["newText"], "properties:\n  - $0");
    let mut server =
        opened(&json!({"snippetSupport": true, "insertTextModeSupport": {"valueSet": [1]}}), text);
    let found = items(&mut server, 4, 8, None);
    let properties = labelled(&found, "properties");
    assert_eq!(properties["textEdit"]["newText"], "properties:\n      - $0");
    assert_eq!(properties["insertTextMode"], 1);
}

#[test]
fn blanks_and_dashes_make_no_noise() {
    let mut server = opened(&json!({}), "kind: LLMNode\nname: my-\n  \ntype: LLMNode \n");
    assert!(items(&mut server, 2, 2, Some(" ")).is_empty());
    assert!(items(&mut server, 1, 9, Some("-")).is_empty());
    let mut server = opened(&json!({}), "kind: \n");
    assert!(!items(&mut server, 0, 6, Some(" ")).is_empty());
}

#[test]
fn a_new_document_begins_with_the_system_of_the_open_folder() {
    const GRAPH: &str = "id: a\nname: a\ndescription: x\nnodes: [{id: a, type: router}]\nedges: []\nstart_node: a\nend_nodes: [a]\n";
    for (files, label) in [(&[("a.yaml", GRAPH)] as &[_], "cycgraph graph"), (&[], "Liman LLM node")] {
        let folder = Folder::new(files);
        let mut server = Server::start();
        let able = json!({"textDocument": {"completion": {"completionItem": {"snippetSupport": true}}}});
        server.initialize(&[uri(&folder.path)], able, json!({}));
        server.wait_until_read();
        server.open(URI, 1, "");
        assert_eq!(items(&mut server, 0, 0, None)[0]["label"], label);
    }
}

//! Programs beside the declarations, who leads to whom, and graphs as data: over the wire.

use serde_json::{Value, json};

use crate::lsp::client::{Folder, Server};

const DESK: &str = "\
kind: LLMNode
name: desk
prompts: {system: {en: x}}
tools: [search]
nodes:
  - target: writer
    when: done == true
---
kind: Node
name: writer
func: desk.tools.write
";
const SEARCH: &str = "kind: ToolNode\nname: search\ndescription: {en: x}\nfunc: desk.tools.search\n";
const TOOLS: &str = "\"\"\"def no(): ...\"\"\"\n\n\ndef search(query: str) -> str:\n    return query\n\n\nasync def write():\n    pass\n";

fn session() -> (Server, Folder) {
    let folder = Folder::new(&[("desk.yaml", DESK), ("search.yaml", SEARCH), ("src/desk/tools.py", TOOLS)]);
    let able = json!({"workspace": {"workspaceEdit": {"documentChanges": false}}});
    let mut server = Server::open_folder_with(&folder, able, json!({}));
    server.wait_until_read();
    server.open(&folder.uri("desk.yaml"), 1, DESK);
    (server, folder)
}

fn at(uri: &str, line: u32, character: u32) -> Value {
    json!({"textDocument": {"uri": uri}, "position": {"line": line, "character": character}})
}

#[test]
fn a_function_path_leads_into_the_program() {
    let (mut server, folder) = session();
    let found = server.result("textDocument/implementation", at(&folder.uri("desk.yaml"), 10, 14));
    let range = json!({"start": {"line": 7, "character": 10}, "end": {"line": 7, "character": 15}});
    assert_eq!(found, json!([{"uri": folder.uri("src/desk/tools.py"), "range": range}]));
}

#[test]
fn a_program_that_changes_is_read_again() {
    let (mut server, folder) = session();
    let desk = folder.uri("desk.yaml");
    folder.write("src/desk/tools.py", "\n\ndef write():\n    pass\n");
    let change = json!({"uri": folder.uri("src/desk/tools.py"), "type": 2});
    server.notify("workspace/didChangeWatchedFiles", json!({"changes": [change]}));
    // The file is read in the background; until then the answer is the old one.
    server.wait_until("the function is where it is now", |server| {
        let found = server.result("textDocument/implementation", at(&desk, 10, 14));
        found[0]["range"]["start"] == json!({"line": 2, "character": 4})
    });
}

#[test]
fn a_program_that_moves_takes_its_paths_along() {
    let (mut server, folder) = session();
    let moved = json!({"oldUri": folder.uri("src/desk/tools.py"), "newUri": folder.uri("src/desk/kit.py")});
    let edit = server.result("workspace/willRenameFiles", json!({"files": [moved]}));
    let new_texts = |file: &str| -> Vec<String> {
        let edits = edit["changes"][folder.uri(file)].as_array().cloned().unwrap_or_default();
        edits.iter().filter_map(|edit| Some(edit["newText"].as_str()?.to_owned())).collect()
    };
    assert_eq!(new_texts("desk.yaml"), ["desk.kit.write"]);
    assert_eq!(new_texts("search.yaml"), ["desk.kit.search"]);
}

#[test]
fn who_leads_to_whom() {
    let (mut server, folder) = session();
    let items = server.result("textDocument/prepareCallHierarchy", at(&folder.uri("desk.yaml"), 8 + 1, 8));
    assert_eq!((&items[0]["name"], &items[0]["detail"]), (&json!("writer"), &json!("Node")));
    let incoming = server.result("callHierarchy/incomingCalls", json!({"item": items[0]}));
    assert_eq!(incoming[0]["from"]["name"], "desk");
    assert_eq!(incoming[0]["fromRanges"][0]["start"]["line"], 5);
    let outgoing = server.result("callHierarchy/outgoingCalls", json!({"item": incoming[0]["from"]}));
    let names: Vec<&Value> = outgoing.as_array().unwrap().iter().map(|call| &call["to"]["name"]).collect();
    assert!(names.contains(&&json!("search")) && names.contains(&&json!("writer")), "{outgoing}");
}

#[test]
fn a_graph_is_data() {
    let (mut server, folder) = session();
    let arguments = json!([at(&folder.uri("desk.yaml"), 1, 7)]);
    let graph = server
        .result("workspace/executeCommand", json!({"command": "nodewise.graph", "arguments": arguments}));
    let nodes: Vec<&Value> =
        graph["nodes"].as_array().unwrap().iter().filter(|node| node["role"] == "node").collect();
    assert_eq!(nodes.len(), 3, "{graph}");
    let desk = nodes.iter().find(|node| node["label"] == "desk").unwrap();
    assert_eq!(desk["location"]["range"]["start"], json!({"line": 1, "character": 6}));
    let edge = graph["edges"].as_array().unwrap().iter().find(|edge| edge["kind"] == "conditional").unwrap();
    assert_eq!(edge["condition"], "done == true");
    let mut called = |graph: &str| {
        let argument = json!({"textDocument": {"uri": folder.uri("desk.yaml")}, "graph": graph});
        server
            .result("workspace/executeCommand", json!({"command": "nodewise.graph", "arguments": [argument]}))
    };
    assert_eq!(called("LLMNode/desk"), graph);
    assert_eq!(called("nobody"), Value::Null);
}

/// The compact form of a part of a graph.
fn compacted(whole: &Value, files: &[Value]) -> Value {
    let is_usual =
        |value: &Value| [json!(null), json!(false), json!(0), json!([]), json!("")].contains(value);
    match whole {
        Value::Object(members) if members.contains_key("uri") => {
            let file = files.iter().position(|file| *file == whole["uri"]).unwrap();
            let (start, end) = (&whole["range"]["start"], &whole["range"]["end"]);
            json!([file, start["line"], start["character"], end["line"], end["character"]])
        }
        Value::Object(members) => {
            let kept = members.iter().filter(|(_, value)| !is_usual(value));
            kept.map(|(key, value)| (key.clone(), compacted(value, files))).collect()
        }
        Value::Array(items) => items.iter().map(|item| compacted(item, files)).collect(),
        other => other.clone(),
    }
}

#[test]
fn a_compact_graph_has_the_same_data() {
    let (mut server, folder) = session();
    let mut asked = |compact: bool| {
        let mut argument = at(&folder.uri("desk.yaml"), 1, 7);
        argument["nested"] = true.into();
        argument["compact"] = compact.into();
        server
            .result("workspace/executeCommand", json!({"command": "nodewise.graph", "arguments": [argument]}))
    };
    let whole = asked(false);
    let mut compact = asked(true);
    let files = compact.as_object_mut().unwrap().remove("files").unwrap();
    let files = files.as_array().unwrap();
    assert!(files.len() > 1, "places are in several files: {files:?}");
    assert_eq!(compact, compacted(&whole, files));
    let length = |value: &Value| value.to_string().len();
    assert!(length(&compact) * 2 < length(&whole), "{} of {}", length(&compact), length(&whole));
}

#[test]
fn a_drawing_is_laid_out_by_its_sizes() {
    let (mut server, _folder) = session();
    let size = json!({"width": 100, "height": 40});
    let label = json!({"width": 60, "height": 16});
    let mut laid_out = |direction: &str| {
        let edges = json!([{"from": 0, "to": 1, "label": label}, {"from": 1, "to": 0}, {"from": 0, "to": 9}]);
        let drawing = json!({"direction": direction, "nodes": [size, size], "edges": edges});
        server
            .result("workspace/executeCommand", json!({"command": "nodewise.layout", "arguments": [drawing]}))
    };
    let down = laid_out("down");
    let number = |value: &Value| value.as_f64().unwrap();
    let (first, second) = (&down["nodes"][0], &down["nodes"][1]);
    assert!(number(&second[1]) - number(&first[1]) > 56.0, "{down}");
    let edges = down["edges"].as_array().unwrap();
    assert_eq!(edges.len(), 3);
    assert!(
        edges[0]["way"].as_str().unwrap().starts_with('M') && edges[0]["way"].as_str().unwrap().contains('C'),
        "{down}"
    );
    let between = number(&first[1])..number(&second[1]);
    assert!(between.contains(&number(&edges[0]["label"][1])) && edges[1]["label"].is_null(), "{down}");
    assert_eq!(edges[2], json!({"way": "", "label": null}));
    let right = laid_out("right");
    assert!(number(&right["nodes"][1][0]) - number(&right["nodes"][0][0]) > 160.0, "{right}");
    // A row of boxes is seen larger in a room that is as wide.
    let chain: Vec<Value> = (0..8).map(|from| json!({"from": from, "to": from + 1})).collect();
    let best = json!({"direction": "best", "room": {"width": 1200, "height": 100}, "nodes": vec![&size; 9], "edges": chain});
    let best =
        server.result("workspace/executeCommand", json!({"command": "nodewise.layout", "arguments": [best]}));
    assert_eq!((&best["direction"], &down["direction"]), (&json!("right"), &json!("down")), "{best}");
    let odd = json!({"nodes": [{"width": 1e308, "height": -5}, {"width": 1e308, "height": 0}]});
    let odd =
        server.result("workspace/executeCommand", json!({"command": "nodewise.layout", "arguments": [odd]}));
    assert!(odd["width"].is_number() && odd["nodes"][1][0].is_number(), "{odd}");
}

#[test]
fn tools_that_the_configuration_binds_lead_to_their_line_and_function() {
    let graph = "id: g\nname: G\ndescription: x\nnodes: [{id: look, type: tool, tool_id: lookup}]\nedges: []\nstart_node: look\nend_nodes: [look]\n";
    let folder = Folder::new(&[
        ("g.yaml", graph),
        ("office.py", "def first(): pass\n\ndef find(name): pass\n"),
        ("nodewise.toml", "[live.tools]\nlookup = {function = \"office.find\"}\n"),
    ]);
    let uri = folder.uri("g.yaml");
    let mut server = Server::open_folder(&folder);
    server.wait_until_read();
    server.open(&uri, 1, graph);
    let at = json!({"textDocument": {"uri": uri}, "position": {"line": 3, "character": 44}});
    let places = |found: Value| -> Vec<String> {
        let place = |one: &Value| {
            let file = one["uri"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
            format!("{file}:{}:{}", one["range"]["start"]["line"], one["range"]["start"]["character"])
        };
        found.as_array().into_iter().flatten().map(place).collect()
    };
    let definition = server.result("textDocument/definition", at.clone());
    assert_eq!(places(definition), ["office.py:2:4", "nodewise.toml:1:0"]);
    let implementation = server.result("textDocument/implementation", at.clone());
    assert_eq!(places(implementation), ["office.py:2:4"]);
    let hover = server.result("textDocument/hover", at)["contents"]["value"].to_string();
    assert!(hover.contains("Live runs call the Python function `office.find`"), "{hover}");
}

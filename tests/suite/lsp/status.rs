//! What the server says about a document: its system and project, or why it is left alone.

use serde_json::json;

use crate::lsp::client::{Folder, Server};

const DESK: &str = "kind: LLMNode\nname: desk\nprompts: {system: Help.}\n---\nkind: LLMNode\nname: close\n";
const FILES: [(&str, &str); 7] = [
    ("nodewise.toml", "# Some are broken.\n[files]\nexclude = [\"*-broken\"]\n"),
    ("desk.yaml", DESK),
    ("desk-broken/nodewise.toml", ""),
    ("desk-broken/desk.yaml", DESK),
    ("shop/nodewise.toml", ""),
    ("shop/desk.yaml", DESK),
    ("compose.yaml", "services:\n  web: {image: nginx}\n"),
];

/// Asks about an open file.
#[track_caller]
fn check_status(file: &str, expected: &str) {
    let folder = Folder::new(&FILES);
    let mut server = Server::open_folder(&folder);
    server.wait_until_read();
    let uri = folder.uri(file);
    let text = FILES.iter().find(|(path, _)| *path == file).map_or("", |(_, text)| text);
    server.open(&uri, 1, text);
    let wanted = json!({"command": "nodewise.status", "arguments": [{"uri": uri}]});
    let document = server.result("workspace/executeCommand", wanted)["document"].clone();
    let name = folder.uri("").trim_end_matches('/').rsplit('/').next().unwrap_or_default().to_owned();
    let text = document["text"].as_str().unwrap().replace(&format!("project {name}"), "project FOLDER");
    let place = match document["place"].is_null() {
        true => String::new(),
        false => {
            let uri = document["place"]["uri"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
            format!(" -> {uri}:{}", document["place"]["line"])
        }
    };
    assert_eq!(format!("{text}{place}"), expected);
}

#[test]
fn a_file_of_a_system() {
    check_status("desk.yaml", "Liman (2 LLMNode), project FOLDER");
    check_status("shop/desk.yaml", "Liman (2 LLMNode), project shop");
}

#[test]
fn an_excluded_file() {
    check_status(
        "desk-broken/desk.yaml",
        "not checked: excluded by `*-broken` in nodewise.toml, line 3 -> nodewise.toml:2",
    );
}

#[test]
fn a_file_of_another_program() {
    check_status("compose.yaml", "not checked: none of its documents is of a known system, project FOLDER");
    check_status("nodewise.toml", "the configuration of a project");
}

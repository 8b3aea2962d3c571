//! Sixty edits thirty milliseconds apart. How soon it is quiet is for `cargo xtask bench server` to say.

use std::time::Duration;

use serde_json::{Value, json};

use crate::lsp::client::{Folder, Server, shown};

/// After each edit the tool is misspelt differently, so that a diagnostic tells which text it was made from.
#[test]
fn no_diagnostic_is_of_a_wrong_version_and_quiet_comes() {
    let text = |version: i64| {
        format!("kind: LLMNode\nname: planner\nprompts: {{system: {{en: x}}}}\ntools: [serch{version}]\n")
    };
    let folder = Folder::new(&[("planner.yaml", &text(0))]);
    let uri = folder.uri("planner.yaml");
    let mut server = Server::open_folder(&folder);
    server.wait_until_read();
    server.open(&uri, 0, &text(0));
    server.diagnostics(&uri, Some(0));
    for version in 1..=60 {
        std::thread::sleep(Duration::from_millis(30));
        let end = 13 + (version - 1_i64).to_string().len();
        let change = json!({
            "range": {"start": {"line": 3, "character": 13}, "end": {"line": 3, "character": end}},
            "text": version.to_string(),
        });
        server.edit(&uri, version, json!([change]));
    }
    // Whatever is still under way is sent before the answer to a request behind it.
    let mut published = Vec::new();
    while published.last().is_none_or(|message: &Value| message["params"]["version"] != 60) {
        server.command("nodewise.status");
        let messages = server.drain("textDocument/publishDiagnostics");
        published.extend(messages.into_iter().map(|(_, message)| message));
    }
    server.idle(Duration::from_millis(200));
    let late = server.drain("textDocument/publishDiagnostics");
    assert!(late.is_empty(), "nothing follows the last version: {late:?}");
    for message in &published {
        let version = message["params"]["version"].as_i64().unwrap();
        let expected = format!("3:8: unknown-tool no tool is named `serch{version}`\n");
        assert_eq!(shown(&message["params"]["diagnostics"]), expected);
    }
    let versions: Vec<_> =
        published.iter().map(|message| message["params"]["version"].as_i64().unwrap()).collect();
    assert!(versions.is_sorted() && versions.last() == Some(&60), "{versions:?}");
}

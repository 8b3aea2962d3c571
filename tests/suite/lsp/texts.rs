//! Documents: encodings, line breaks, odd notifications.

use serde_json::json;

use crate::lsp::client::Server;

const URI: &str = "untitled:One";

fn change(start: (u32, u32), end: (u32, u32), text: &str) -> serde_json::Value {
    let position = |(line, character): (u32, u32)| json!({"line": line, "character": character});
    json!({"range": {"start": position(start), "end": position(end)}, "text": text})
}

/// Replaces the `x` behind astral and other characters, its column counted in the encoding that was agreed on.
fn check_encoding(offered: &[&str], agreed: &str, column: u32) {
    let mut server = Server::start();
    let general = if offered.is_empty() { json!({}) } else { json!({"positionEncodings": offered}) };
    let able = server.initialize(&[], json!({"general": general}), json!({}));
    assert_eq!(able["positionEncoding"], agreed);
    server.open(URI, 1, "# é😀漢x: 1\r\nkind: LLMNode\r\n");
    server.edit(URI, 2, json!([change((0, column), (0, column + 1), "y")]));
    assert_eq!(server.text(URI), "# é😀漢y: 1\r\nkind: LLMNode\r\n");
}

#[test]
fn positions_are_counted_as_agreed() {
    check_encoding(&[], "utf-16", 6);
    check_encoding(&["utf-16"], "utf-16", 6);
    check_encoding(&["utf-16", "utf-8"], "utf-8", 11);
    check_encoding(&["utf-8", "utf-16"], "utf-8", 11);
    check_encoding(&["utf-32", "utf-16"], "utf-32", 5);
    check_encoding(&["utf-7"], "utf-16", 6);
}

#[test]
fn diagnostics_stand_where_the_client_counts() {
    let text = "kind: LLMNode\nname: a\nprompts: {system: {en: x}}\ntools: [\"😀é\", serch]\n";
    for (encoding, columns) in [("utf-8", [8, 18]), ("utf-16", [8, 15]), ("utf-32", [8, 14])] {
        let mut server = Server::start();
        server.initialize(&[], json!({"general": {"positionEncodings": [encoding]}}), json!({}));
        server.open(URI, 1, text);
        let expected: String = [("😀é", columns[0]), ("serch", columns[1])]
            .map(|(name, column)| format!("3:{column}: unknown-tool no tool is named `{name}`\n"))
            .concat();
        assert_eq!(server.diagnostics(URI, Some(1)), expected, "{encoding}");
    }
}

#[test]
fn edits_are_applied_one_after_another() {
    let mut server = Server::start();
    server.initialize(&[], json!({}), json!({}));
    server.open(URI, 1, "a\nb\n");
    server.edit(URI, 2, json!([change((0, 1), (1, 0), ""), change((0, 2), (0, 2), "\r\nc😀"), {"text": "x\ny"}, change((1, 1), (1, 1), "!")]));
    assert_eq!(server.text(URI), "x\ny!");
}

#[test]
fn half_a_character_is_one_character() {
    let mut server = Server::start();
    server.initialize(&[], json!({}), json!({}));
    server.open(URI, 1, "a\n");
    let edit = change((0, 1), (0, 1), "HALF").to_string().replace("HALF", "\\ud83dzz");
    let body = format!(
        r#"{{"jsonrpc":"2.0","method":"textDocument/didChange","params":{{"textDocument":{{"uri":"{URI}","version":2}},"contentChanges":[{edit}]}}}}"#
    );
    server.raw(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    server.edit(URI, 3, json!([change((0, 2), (0, 3), "y")]));
    assert_eq!(server.text(URI), "a\u{fffd}yz\n");
}

#[test]
fn places_outside_the_text_are_clamped() {
    let mut server = Server::start();
    server.initialize(&[], json!({}), json!({}));
    server.open(URI, 1, "ab\r\ncd");
    server.edit(
        URI,
        2,
        json!([change((0, 99), (0, 99), "1"), change((77, 5), (99, 9), "2"), change((1, 1), (0, 1), "3")]),
    );
    assert_eq!(server.text(URI), "a3d2");
    server.edit(URI, 3, json!([change((4_294_967_295, 4_294_967_295), (0, 0), "")]));
    assert_eq!(server.text(URI), "");
}

#[test]
fn odd_notifications_are_survived() {
    let mut server = Server::start();
    server.initialize(&[], json!({}), json!({}));
    server.replace("untitled:Never", 2, "a: 1");
    server.notify("textDocument/didClose", json!({"textDocument": {"uri": "untitled:Never"}}));
    server.notify("textDocument/didSave", json!({"textDocument": {"uri": "untitled:Never"}}));
    server.open(URI, 5, "one");
    server.open(URI, 1, "two");
    assert_eq!(server.text(URI), "two");
    server.replace(URI, 1, "the same version again");
    server.edit(URI, 0, json!([]));
    assert_eq!(server.text(URI), "the same version again");
    server.open("weird://host/%F0%9F%98%80?q#f", 1, "\u{feff}kind: LLMNode\r\rname: \u{0}\n");
    server.open("file:///", 1, "kind: LLMNode\n");
    server.open("file://server/share/a.yaml", 1, "kind: LLMNode\n");
    assert_eq!(server.command("nodewise.status")["documents"], 4);
}

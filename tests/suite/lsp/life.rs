//! From `initialize` to `exit`, and what may go wrong between.

use serde_json::{Value, json};

use crate::lsp::client::{Folder, Server};

const NOT_INITIALIZED: i64 = -32002;
const PARSE_ERROR: i64 = -32700;
const INVALID_REQUEST: i64 = -32600;
const METHOD_NOT_FOUND: i64 = -32601;
const INVALID_PARAMS: i64 = -32602;
const INTERNAL_ERROR: i64 = -32603;
const CANCELLED: i64 = -32800;
const CONTENT_MODIFIED: i64 = -32801;

fn ready() -> Server {
    let mut server = Server::start();
    server.initialize(&[], json!({}), json!({}));
    server
}

fn check_error(answer: &Value, code: i64) {
    assert_eq!(answer["error"]["code"], code, "{answer}");
    assert!(answer["error"]["message"].as_str().is_some_and(|message| !message.is_empty()));
}

fn hover(uri: &str) -> Value {
    json!({"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}})
}

/// Work that goes on for longer than any test waits.
fn endless_work() -> Value {
    json!({"what": "work", "milliseconds": 3_600_000})
}

#[test]
fn a_request_before_initialize_is_refused() {
    let mut server = Server::start();
    check_error(&server.request("textDocument/hover", hover("file:///a.yaml")), NOT_INITIALIZED);
    server.initialize(&[], json!({}), json!({}));
}

#[test]
fn a_second_initialize_is_refused() {
    let mut server = ready();
    check_error(&server.request("initialize", json!({"capabilities": {}})), INVALID_REQUEST);
}

#[test]
fn what_follows_initialize_need_not_wait_for_its_answer() {
    let mut server = Server::start();
    server.ask("initialize", json!({"capabilities": {}}));
    server.notify("initialized", json!({}));
    server.open("untitled:One", 1, "kind: LLMNode\n");
    assert_eq!(server.command("nodewise.status")["documents"], 1);
}

#[test]
fn unknown_methods_are_named_so() {
    let mut server = ready();
    check_error(&server.request("workspace/unknown", json!({})), METHOD_NOT_FOUND);
    check_error(&server.request("$/unknown", json!({})), METHOD_NOT_FOUND);
    server.notify("$/unknown", json!({}));
    server.notify("workspace/unknown", json!({}));
    server.command("nodewise.status");
}

#[test]
fn bad_parameters_are_named_so() {
    let mut server = ready();
    check_error(&server.request("workspace/executeCommand", json!({"command": 1})), INVALID_PARAMS);
    check_error(&server.request("workspace/executeCommand", json!({"command": "unknown"})), INVALID_PARAMS);
    check_error(&server.request("workspace/executeCommand", Value::Null), INVALID_PARAMS);
    server.notify("textDocument/didOpen", json!({"textDocument": 1}));
    server.command("nodewise.status");
}

#[test]
fn a_message_that_is_none_is_survived() {
    let mut server = ready();
    for (message, code) in [
        ("Content-Length: 5\r\n\r\n{oops", PARSE_ERROR),
        ("Content-Length: many\r\n\r\n", PARSE_ERROR),
        ("Content-Length: 0\r\n\r\n", PARSE_ERROR),
        ("Content-Length: 2\r\n\r\n[]", INVALID_REQUEST),
        ("Content-Length: 1\r\n\r\n1", INVALID_REQUEST),
    ] {
        server.raw(message.as_bytes());
        let (_, answer) =
            server.wait(message, |message| message.get("error").is_some() && message["id"].is_null());
        check_error(&answer, code);
    }
    server.raw(b"Content-Length: 3\r\n\r\n\"\xff\"");
    server.wait("an error", |message| message["error"]["code"] == PARSE_ERROR);
    server.send(&json!({"jsonrpc": "2.0", "id": 7, "method": 1}));
    check_error(&server.answer(7), INVALID_REQUEST);
    server.send(&json!({"jsonrpc": "2.0", "id": 99, "result": "an answer to nothing"}));
    server.command("nodewise.status");
}

#[test]
fn a_request_after_shutdown_is_refused_and_exit_is_orderly() {
    let mut server = ready();
    assert!(server.result("shutdown", Value::Null).is_null());
    check_error(&server.request("textDocument/hover", hover("file:///a.yaml")), INVALID_REQUEST);
    check_error(&server.request("shutdown", Value::Null), INVALID_REQUEST);
    server.notify("exit", Value::Null);
    assert_eq!(server.exit_code(), Some(0));
}

#[test]
fn exit_without_shutdown_is_not_orderly() {
    let mut server = ready();
    server.send(&json!({"jsonrpc": "2.0", "method": "exit"}));
    assert_eq!(server.exit_code(), Some(1));
}

#[test]
fn exit_before_initialize_ends_the_process() {
    let mut server = Server::start();
    server.send(&json!({"jsonrpc": "2.0", "method": "exit"}));
    assert_eq!(server.exit_code(), Some(1));
}

#[test]
fn the_end_of_the_input_ends_the_process_and_waits_for_no_work() {
    let folder = Folder::new(&[("a.yaml", "kind: LLMNode\n")]);
    let mut server = Server::open_folder(&folder);
    let id = server.ask("nodewise/debug", endless_work());
    server.command("nodewise.status");
    server.hang_up();
    server.exit_code();
    server.listen_to_the_end();
    assert!(!server.has_answer(id), "it waited for the work");
}

/// Some other process may hold the pipe open.
#[cfg(unix)]
#[test]
fn the_end_of_the_clients_process_ends_the_server() {
    let mut client = std::process::Command::new("sleep").arg("600").spawn().unwrap();
    let mut server = Server::start();
    server.request("initialize", json!({"processId": client.id(), "capabilities": {}}));
    server.notify("initialized", json!({}));
    server.command("nodewise.status");
    client.kill().unwrap();
    client.wait().unwrap();
    assert_eq!(server.exit_code(), Some(1));
}

#[test]
fn an_edit_that_cannot_be_read_closes_its_document() {
    let mut server = ready();
    server.open("untitled:One", 1, "a: 1\n");
    server.open("untitled:Two", 1, "a: 1\n");
    let edit = json!({"range": {"start": 1}, "text": "2"});
    let document = json!({"uri": "untitled:One", "version": 2});
    server.notify("textDocument/didChange", json!({"textDocument": document, "contentChanges": [edit]}));
    let (_, said) = server.wait("a message", |message| message["method"] == "window/showMessage");
    let said = said["params"]["message"].as_str().unwrap().to_owned();
    assert!(said.contains("untitled:One") && said.contains("close it and open it again"), "{said}");
    assert_eq!(server.command("nodewise.status")["documents"], 1);
    server.open("untitled:One", 3, "a: 2\n");
    assert_eq!(server.text("untitled:One"), "a: 2\n");
}

#[test]
fn a_handler_that_panics_answers_and_the_server_lives() {
    let mut server = ready();
    check_error(&server.request("nodewise/debug", json!({"what": "panic"})), INTERNAL_ERROR);
    server.open("untitled:One", 1, "a: 1\n");
    assert_eq!(server.text("untitled:One"), "a: 1\n");
}

#[test]
fn requests_for_tests_are_unknown_to_others() {
    let mut server = Server::start();
    server.initialize(&[], json!({}), json!({"debug": false}));
    check_error(&server.request("nodewise/debug", json!({"what": "panic"})), METHOD_NOT_FOUND);
}

#[test]
fn cancelling_answers_at_once_and_stops_the_work() {
    let mut server = ready();
    let id = server.ask("nodewise/debug", endless_work());
    server.notify("$/cancelRequest", json!({"id": id}));
    check_error(&server.answer(id), CANCELLED);
    let id = server.ask("nodewise/debug", endless_work());
    // Behind the request, so that it is under way.
    server.command("nodewise.status");
    server.notify("$/cancelRequest", json!({"id": id}));
    check_error(&server.answer(id), CANCELLED);
    server.wait_until("the work stops", |server| {
        server.result("nodewise/debug", json!({"what": "cancelled"})) != 0
    });
    server.notify("$/cancelRequest", json!({"id": "nothing"}));
    server.command("nodewise.status");
}

#[test]
fn slow_requests_hold_up_neither_edits_nor_others() {
    let mut server = ready();
    server.open("untitled:One", 1, "a: 1\n");
    let slow: Vec<i64> = (0..8).map(|_| server.ask("nodewise/debug", endless_work())).collect();
    server.replace("untitled:One", 2, "a: 2\n");
    assert_eq!(server.text("untitled:One"), "a: 2\n");
    let quick = json!({"what": "work", "milliseconds": 1});
    assert_eq!(server.result("nodewise/debug", quick), "done");
    for id in slow {
        assert!(!server.has_answer(id), "it was done before the others");
        server.notify("$/cancelRequest", json!({"id": id}));
        check_error(&server.answer(id), CANCELLED);
    }
}

#[test]
fn requests_see_every_edit_before_them_and_none_behind() {
    let mut server = ready();
    server.open("untitled:One", 0, "0");
    let mut asked = Vec::new();
    for version in 1..=300 {
        server.replace("untitled:One", version, &version.to_string());
        asked.push((version, server.ask("nodewise/debug", json!({"what": "text", "uri": "untitled:One"}))));
    }
    for (version, id) in asked {
        let answer = server.answer(id);
        assert_eq!(answer["result"], json!({"text": version.to_string(), "version": version}));
    }
}

#[test]
fn an_answer_about_an_older_text_is_dropped_where_the_client_asks_again() {
    let work =
        |uri: &str, milliseconds: u64| json!({"what": "work", "milliseconds": milliseconds, "uri": uri});
    let mut server = Server::start();
    let stale = json!({"cancel": true, "retryOnContentModified": ["nodewise/debug"]});
    server.initialize(&[], json!({"general": {"staleRequestSupport": stale}}), json!({}));
    server.open("untitled:One", 1, "a: 1\n");
    server.open("untitled:Two", 1, "a: 1\n");
    let dropped = server.ask("nodewise/debug", work("untitled:One", 60_000));
    let other = server.ask("nodewise/debug", work("untitled:Two", 300));
    server.replace("untitled:One", 2, "a: 2\n");
    check_error(&server.answer(dropped), CONTENT_MODIFIED);
    assert_eq!(server.answer(other)["result"], "done", "another document's text changed");
    assert_eq!(server.result("nodewise/debug", json!({"what": "cancelled"})), 1, "the work stopped");
    let mut server = ready();
    server.open("untitled:One", 1, "a: 1\n");
    let kept = server.ask("nodewise/debug", work("untitled:One", 300));
    server.replace("untitled:One", 2, "a: 2\n");
    assert_eq!(server.answer(kept)["result"], "done", "this client would not ask again");
}

//! Clients that do not follow the order, refer to what is not there, send too much, or leave.

use std::io::Cursor;
use std::sync::{Arc, Mutex};

use nodewise_dap::serve::serve;
use serde_json::{Value, json};

use crate::schema::check_message;
use crate::support::{Client, Project};

const LAUNCH: &str = "claims.scenario.yaml";

#[track_caller]
fn check_refused(client: &mut Client<'_>, command: &str, arguments: Value, word: &str) {
    let (response, events) = client.ask(command, arguments);
    assert_eq!(response["success"], false, "{response}");
    assert_eq!(response["message"], word, "{response}");
    assert!(events.is_empty());
}

#[test]
fn requests_out_of_order_are_refused() {
    let project = Project::example("cycgraph");
    let mut client = Client::new(&project);
    check_refused(&mut client, "threads", json!({}), "badOrder");
    check_refused(&mut client, "launch", json!({"program": LAUNCH}), "badOrder");
    client.body("initialize", json!({}));
    check_refused(&mut client, "initialize", json!({}), "badOrder");
    check_refused(&mut client, "configurationDone", json!({}), "badOrder");
    check_refused(&mut client, "continue", json!({"threadId": 1}), "notStopped");
    check_refused(&mut client, "stackTrace", json!({"threadId": 1}), "notStopped");
    client.body("launch", json!({"program": LAUNCH, "stopOnEntry": true}));
    check_refused(&mut client, "launch", json!({"program": LAUNCH}), "badOrder");
    client.body("configurationDone", json!({}));
    check_refused(&mut client, "configurationDone", json!({}), "badOrder");
    client.body("terminate", json!({}));
    for command in ["next", "stepBack", "reverseContinue", "stackTrace", "evaluate"] {
        check_refused(&mut client, command, json!({"threadId": 1, "expression": "1"}), "notStopped");
    }
    client.body("terminate", json!({}));
    client.body("disconnect", json!({}));
}

#[test]
fn what_is_not_there_is_refused() {
    let project = Project::example("cycgraph");
    let mut client = Client::new(&project);
    client.begin(json!({"program": LAUNCH, "stopOnEntry": true}), &[]);
    check_refused(&mut client, "stackTrace", json!({"threadId": 99}), "badArguments");
    check_refused(&mut client, "stackTrace", json!({"threadId": -1}), "badArguments");
    check_refused(&mut client, "scopes", json!({"frameId": 4711}), "staleReference");
    check_refused(&mut client, "variables", json!({"variablesReference": 4711}), "staleReference");
    check_refused(&mut client, "goto", json!({"threadId": 1, "targetId": 0}), "badArguments");
    check_refused(&mut client, "goto", json!({"threadId": 1, "targetId": 9_000_000}), "badArguments");
    check_refused(&mut client, "source", json!({"sourceReference": 4711}), "badArguments");
    check_refused(&mut client, "locations", json!({"locationReference": 4_000_000}), "badArguments");
    check_refused(&mut client, "stackTrace", json!({}), "badArguments");
    check_refused(&mut client, "disassemble", json!({}), "unsupported");
    check_refused(&mut client, "evaluate", json!({"expression": "memory.("}), "badExpression");
    check_refused(&mut client, "evaluate", json!({"expression": ".sing"}), "badExpression");
    // A frame of an earlier stop is not shown for another one.
    let frame = client.frames()[0]["id"].clone();
    client.body("next", json!({"threadId": 1}));
    check_refused(&mut client, "scopes", json!({"frameId": frame}), "staleReference");
}

#[test]
fn long_expressions_are_refused_at_once() {
    let project = Project::example("cycgraph");
    let mut client = Client::new(&project);
    client.begin(json!({"program": LAUNCH, "stopOnEntry": true}), &[]);
    let terms = vec!["memory.a"; 100_000].join(" and ");
    check_refused(&mut client, "evaluate", json!({"expression": terms}), "badExpression");
    let completions = client.body("completions", json!({"text": terms, "column": 800_000}));
    assert_eq!(completions["targets"], json!([]));
    let set = json!({"source": {"path": "/project/claims.yaml"}, "breakpoints": [{"line": 17, "condition": terms}]});
    assert_eq!(client.body("setBreakpoints", set)["breakpoints"][0]["verified"], false);
}

#[test]
fn thousands_of_breakpoints_in_a_file() {
    let project = Project::example("cycgraph");
    let lines: Vec<Value> = (0..10_000).map(|line| json!({"line": line - 5, "column": 1})).collect();
    let set = json!({"source": {"path": "/project/claims.yaml"}, "breakpoints": lines});
    let mut client = Client::new(&project);
    client.body("initialize", json!({}));
    client.body("launch", json!({"program": LAUNCH}));
    let body = client.body("setBreakpoints", set);
    assert_eq!(body["breakpoints"].as_array().unwrap().len(), 10_000);
    let (_, events) = client.ask("configurationDone", Value::Null);
    assert!(events.iter().any(|event| event["event"] == "stopped"));
}

#[test]
fn lines_and_columns_at_the_ends_of_the_numbers() {
    let project = Project::example("cycgraph");
    let mut client = Client::new(&project);
    client.begin(json!({"program": LAUNCH, "stopOnEntry": true}), &[]);
    let source = json!({"path": "/project/claims.yaml"});
    for number in [i64::MIN, i64::MAX] {
        let breakpoints = json!([{"line": number}, {"line": 17, "column": number}]);
        let set = client.body("setBreakpoints", json!({"source": source, "breakpoints": breakpoints}));
        assert_eq!(set["breakpoints"][0]["verified"], false);
        let place = json!({"source": source, "line": number, "column": number});
        assert_eq!(client.body("breakpointLocations", place)["breakpoints"], json!([]));
        client.body("completions", json!({"text": "memory.", "column": number, "line": number}));
    }
}

#[test]
fn files_that_are_nobodys_have_unverified_breakpoints() {
    let project = Project::example("cycgraph");
    let mut client = Client::new(&project);
    client.body("initialize", json!({}));
    client.body("launch", json!({"program": LAUNCH}));
    for path in ["/elsewhere/compose.yaml", "/project/none.yaml", "", "file:///project/%00"] {
        let set = json!({"source": {"path": path}, "breakpoints": [{"line": 1}]});
        let body = client.body("setBreakpoints", set);
        assert_eq!(body["breakpoints"][0]["verified"], false);
    }
}

/// The stream of a whole session.
fn stream() -> Vec<u8> {
    let requests = [
        json!({"seq": 1, "type": "request", "command": "initialize", "arguments": {}}),
        json!({"seq": 2, "type": "request", "command": "launch", "arguments": {"program": LAUNCH, "stopOnEntry": true}}),
        json!({"seq": 3, "type": "request", "command": "configurationDone"}),
        json!({"seq": 4, "type": "request", "command": "next", "arguments": {"threadId": 1}}),
        json!({"seq": 5, "type": "request", "command": "stepBack", "arguments": {"threadId": 1}}),
        json!({"seq": 6, "type": "request", "command": "disconnect", "arguments": {}}),
    ];
    framed(&requests)
}

/// Messages as a stream.
pub(crate) fn framed(messages: &[Value]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for message in messages {
        let body = message.to_string();
        bytes.extend(format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes());
    }
    bytes
}

/// What an adapter wrote.
#[derive(Clone, Default)]
pub(crate) struct Written(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Written {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// The messages of a stream, each checked with the schema.
pub(crate) fn messages_of(written: &Written) -> Vec<Value> {
    let bytes = written.0.lock().unwrap().clone();
    let text = String::from_utf8(bytes).unwrap();
    let bodies = text.split("Content-Length: ").filter_map(|part| part.split_once("\r\n\r\n"));
    let messages: Vec<Value> = bodies.map(|(_, body)| serde_json::from_str(body).unwrap()).collect();
    messages.iter().for_each(check_message);
    messages
}

/// Serves a stream to its end; what was written, and whether the client disconnected.
fn served(bytes: &[u8]) -> (Vec<Value>, bool) {
    let project = Project::example("cycgraph");
    let written = Written::default();
    let was_orderly = serve(Cursor::new(bytes.to_vec()), written.clone(), &project).unwrap();
    (messages_of(&written), was_orderly)
}

#[test]
fn a_client_that_leaves_anywhere_ends_the_session() {
    let whole = stream();
    let (messages, was_orderly) = served(&whole);
    assert!(was_orderly);
    assert_eq!(messages.iter().filter(|message| message["type"] == "response").count(), 6);
    for cut in (0..whole.len()).step_by(13) {
        let (_, was_orderly) = served(&whole[..cut]);
        assert!(!was_orderly, "cut at {cut}");
    }
}

#[test]
fn what_is_no_message_is_skipped() {
    let mut bytes = b"nonsense\r\n\r\nContent-Length: 3\r\n\r\n{]}Content-Length: 4\r\n\r\nnull".to_vec();
    bytes.extend(b"Content-Length: 26\r\n\r\n{\"type\":\"response\",\"a\": [1]}");
    bytes.truncate(bytes.len() - 3);
    let (_, _) = served(&bytes);
    let mut bytes = b"Content-Length: 2\r\n\r\n[]".to_vec();
    bytes.extend(stream());
    let (messages, was_orderly) = served(&bytes);
    assert!(was_orderly && !messages.is_empty());
}

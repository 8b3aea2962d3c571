//! Another answer as a session of its own, for clients that can start one.

use serde_json::{Value, json};

use crate::sessions::LOOP;
use crate::support::{Client, Project};

/// A session of a client that can start others, stopped before the first question to a tool.
fn parent<'p>(project: &'p Project, request: &str, configuration: Value, can_start: bool) -> Client<'p> {
    let mut client = Client::new(project);
    let about = json!({"adapterID": "nodewise", "supportsStartDebuggingRequest": can_start});
    client.body("initialize", about);
    client.body(request, configuration);
    client.body("setFunctionBreakpoints", json!({"breakpoints": [{"name": "tool:rate"}]}));
    client.body("configurationDone", Value::Null);
    client
}

/// Gives the question another answer, and returns the request to start a session.
fn asked(client: &mut Client<'_>, answer: &str) -> Option<Value> {
    let frame = client.frames()[0]["id"].clone();
    let set = json!({"expression": "answer", "value": answer, "frameId": frame});
    let (response, events) = client.ask("setExpression", set);
    assert_eq!(response["success"], true, "{response}");
    events.into_iter().find(|message| message["command"] == "startDebugging")
}

/// Begins the session that was asked for.
fn child<'p>(project: &'p Project, asked: &Value) -> (Client<'p>, Vec<Value>) {
    let arguments = &asked["arguments"];
    let mut client = Client::new(project);
    client.body("initialize", json!({"adapterID": "nodewise", "supportsStartDebuggingRequest": true}));
    client.body(arguments["request"].as_str().unwrap(), arguments["configuration"].clone());
    let (_, events) = client.ask("configurationDone", Value::Null);
    (client, events)
}

/// Continues to the end, and returns the trace.
fn trace(project: &Project, client: &mut Client<'_>) -> String {
    client.body("setFunctionBreakpoints", json!({}));
    client.body("continue", json!({"threadId": 1}));
    let name = format!("{}.json", project.written.lock().unwrap().len());
    client.body("evaluate", json!({"expression": format!(".trace {name}"), "context": "repl"}));
    project.written.lock().unwrap().last().unwrap().1.clone()
}

/// Checks that the session of another answer is the run that a branch would be, and that the run it branches off stays.
fn check_child(request: &str, configuration: &Value) {
    let project = Project::fixture(LOOP);
    let untouched = trace(&project, &mut parent(&project, request, configuration.clone(), true));
    let mut branching = parent(&project, request, configuration.clone(), false);
    assert!(asked(&mut branching, "9").is_none(), "this client cannot start sessions");
    let branch = trace(&project, &mut branching);
    assert!(branch != untouched);

    let mut first = parent(&project, request, configuration.clone(), true);
    let started = asked(&mut first, "9").unwrap();
    assert!(started["arguments"]["configuration"]["name"].as_str().unwrap().contains(": 9"), "{started}");
    first.raw(&json!({"seq": 90, "type": "response", "request_seq": started["seq"], "success": true, "command": "startDebugging"}));
    let (mut other, events) = child(&project, &started);
    let stop = events.iter().find(|event| event["event"] == "stopped").unwrap();
    assert_eq!(stop["body"]["description"], "score: answer of tool rate");
    let frame = other.frames()[0]["id"].clone();
    let given = other.body("evaluate", json!({"expression": "answer", "frameId": frame}));
    assert_eq!(given["result"], "9", "the answer as it was written");
    // An answer in that session leads to a third one.
    let again = asked(&mut other, "7").unwrap();
    let (mut third, _) = child(&project, &again);
    assert_eq!(trace(&project, &mut other), branch);
    let result = third.body("evaluate", json!({"expression": ".state", "context": "repl"}));
    assert!(result["result"].as_str().unwrap().contains("draft"), "{result}");
    let third = trace(&project, &mut third);
    assert!(third != branch && third != untouched, "7 is another answer than 9");
    assert_eq!(trace(&project, &mut first), untouched);
}

#[test]
fn another_answer_is_a_session() {
    check_child(
        "launch",
        &json!({"program": "flow.scenario.yaml", "__sessionId": "1", "stopOnEntry": false}),
    );
}

#[test]
fn another_answer_in_a_stored_run_is_a_session() {
    check_child("attach", &json!({"run": "flow.scenario.yaml"}));
}

#[test]
fn a_client_that_refuses_gets_a_branch() {
    let project = Project::fixture(LOOP);
    let mut client = parent(&project, "launch", json!({"program": "flow.scenario.yaml"}), true);
    let started = asked(&mut client, "9").unwrap();
    let refused = json!({"seq": 90, "type": "response", "request_seq": started["seq"], "success": false, "command": "startDebugging"});
    client.raw(&refused);
    let branches = || json!({"expression": ".branches", "context": "repl"});
    let (response, events) = client.ask_late("evaluate", branches());
    assert!(events.iter().any(|event| event["event"] == "stopped"));
    let listed = response["body"]["result"].as_str().unwrap();
    assert_eq!(listed, "  0  as scripted\n* 1  score: answer of tool rate at 40 ms: 9");
    // A second response to the same request changes nothing.
    client.raw(&refused);
    assert_eq!(client.body("evaluate", branches())["result"], listed);
}

#[test]
fn a_program_that_changed_since_is_not_read_again() {
    let project = Project::fixture(LOOP);
    let mut client = parent(&project, "launch", json!({"program": "flow.scenario.yaml"}), true);
    project.changed.lock().unwrap().insert("flow.yaml".to_owned(), Some("id: other\n".to_owned()));
    assert!(asked(&mut client, "9").is_none(), "the other run would be one of the new text");
    let listed = client.body("evaluate", json!({"expression": ".branches", "context": "repl"}));
    assert!(listed["result"].as_str().unwrap().contains("* 1"), "{listed}");
}

#[test]
fn recorded_answers_that_cannot_be_read_are_refused() {
    let project = Project::fixture(LOOP);
    for (answers, live) in [
        (json!({"seed": 0}), false),
        (json!({"seed": 0, "events": [{"event": "answered"}]}), false),
        (json!({"seed": 0, "events": []}), true),
    ] {
        let mut client = Client::new(&project);
        client.body("initialize", json!({}));
        let configuration = json!({"program": "flow.scenario.yaml", "answers": answers, "live": live});
        let (response, _) = client.ask("launch", configuration);
        assert_eq!(response["message"], "badArguments", "{response}");
    }
}

#[test]
fn a_session_can_begin_at_an_event() {
    let project = Project::fixture(LOOP);
    for event in [0, 7, 30] {
        let configuration = json!({"program": "flow.scenario.yaml", "stopAtEvent": event});
        let mut beginning = parent(&project, "launch", configuration, false);
        let mut walking = parent(&project, "launch", json!({"program": "flow.scenario.yaml"}), false);
        // Only the event counts, although breakpoints are before it.
        walking.body("setFunctionBreakpoints", json!({}));
        walking.body("continue", json!({"threadId": 1}));
        walking.body("evaluate", json!({"expression": format!(".at {event}"), "context": "repl"}));
        let names = |client: &mut Client<'_>| {
            client.frames().iter().map(|frame| frame["name"].clone()).collect::<Vec<_>>()
        };
        assert_eq!(names(&mut beginning), names(&mut walking), "event {event}");
    }
}

//! Requests about a stop that need more than a transcript: targets, parts of conditions, expressions, progress, cancellation.

use nodewise_dap::serve::serve;
use serde_json::{Value, json};

use crate::hostile::{Written, framed, messages_of};
use crate::schema::check_message;
use crate::sessions::LOOP;
use crate::support::{Client, Project};

const LAUNCH: &str = "flow.scenario.yaml";

fn stopped_at<'p>(project: &'p Project, names: &[&str]) -> Client<'p> {
    let mut client = Client::new(project);
    let breakpoints: Vec<Value> = names.iter().map(|name| json!({"name": name})).collect();
    let set = json!({"breakpoints": breakpoints});
    client.begin(json!({"program": LAUNCH}), &[("setFunctionBreakpoints", set)]);
    client
}

#[test]
fn a_step_goes_into_what_the_client_chooses() {
    let project = Project::fixture(LOOP);
    let mut client = stopped_at(&project, &["score"]);
    let frame = client.frames()[0]["id"].clone();
    let targets = client.body("stepInTargets", json!({"frameId": frame}))["targets"].clone();
    let labels: Vec<&str> =
        targets.as_array().unwrap().iter().map(|one| one["label"].as_str().unwrap()).collect();
    assert_eq!(labels, ["asks tool rate", "-> write when memory.score_result < 5"]);
    let (_, events) = client.ask("stepIn", json!({"threadId": 1, "targetId": targets[1]["id"]}));
    let stop = events.iter().find(|event| event["event"] == "stopped").unwrap();
    assert_eq!(stop["body"]["description"], "score: -> write when memory.score_result < 5");
    // What is not ahead is no target, and a target that is not there is the end.
    let (_, events) = client.ask("stepIn", json!({"threadId": 1, "targetId": 9_000_000}));
    assert!(events.iter().any(|event| event["event"] == "stopped"));
}

#[test]
fn a_part_of_a_condition_has_its_own_place() {
    let project = Project::fixture(
        &LOOP.replace("memory.score_result < 5}", "memory.score_result < 5 and memory.draft}"),
    );
    let mut client = stopped_at(&project, &["weak"]);
    let text = &project.snapshot.file(project.snapshot.source("flow.yaml").unwrap()).unwrap().text;
    let mut seen = Vec::new();
    for _ in 0..3 {
        client.body("stepIn", json!({"threadId": 1}));
        let frame = client.frames()[0].clone();
        let number = |key: &str| usize::try_from(frame[key].as_u64().unwrap()).unwrap();
        let line = text.lines().nth(number("line") - 1).unwrap();
        assert_eq!(frame["line"], frame["endLine"], "{frame}");
        seen.push((
            frame["name"].as_str().unwrap().to_owned(),
            line[number("column") - 1..number("endColumn") - 1].to_owned(),
        ));
    }
    let expected = [
        ("memory.score_result < 5 = true", "memory.score_result < 5"),
        ("memory.score_result = 1", "memory.score_result"),
        ("memory.draft = \"first\"", "memory.draft"),
    ];
    assert_eq!(seen, expected.map(|(name, place)| (name.to_owned(), place.to_owned())));
}

#[test]
fn keys_and_answers_are_expressions() {
    let project = Project::fixture(LOOP);
    let mut client = stopped_at(&project, &["weak"]);
    for (text, value) in [("draft", "\"first\""), ("score_result", "1"), ("memory.score_result + 1", "2")] {
        let frame = client.frames()[0]["id"].clone();
        let found =
            client.body("evaluate", json!({"expression": text, "frameId": frame, "context": "hover"}));
        assert_eq!(found["result"], value);
    }
    let frame = client.frames()[0]["id"].clone();
    let (refused, _) =
        client.ask("setExpression", json!({"expression": "memory.draft", "value": "x", "frameId": frame}));
    assert_eq!(refused["message"], "readOnlyState");
    client.body("reverseContinue", json!({"threadId": 1}));
    client.body("setFunctionBreakpoints", json!({"breakpoints": [{"name": "tool:rate"}]}));
    client.body("continue", json!({"threadId": 1}));
    let frame = client.frames()[0]["id"].clone();
    let set = json!({"expression": "answer", "value": "9", "frameId": frame});
    let (response, events) = client.ask("setExpression", set);
    assert_eq!(response["success"], true, "{response}");
    assert_eq!(events[0]["event"], "invalidated");
    client.body("continue", json!({"threadId": 1}));
    let result = client.body("evaluate", json!({"expression": "score_result"}));
    assert_eq!(result["result"], "9", "one draft was enough");
}

#[test]
fn questions_are_held_if_the_configuration_says_so() {
    let project = Project::fixture(LOOP);
    for (which, expected) in [("tools", "score: asks tool rate"), ("all", "write: asks model of writer")] {
        let mut client = Client::new(&project);
        client.body("initialize", json!({}));
        client.body("launch", json!({"program": LAUNCH, "breakOnAsk": which}));
        let (_, events) = client.ask("configurationDone", Value::Null);
        let stop = events.iter().find(|event| event["event"] == "stopped").unwrap();
        let description = stop["body"]["description"].as_str().unwrap();
        assert!(description.starts_with(expected), "{description}");
        assert!(stop["body"].get("hitBreakpointIds").is_none(), "the client has not set it: {stop}");
    }
}

/// A graph that goes round until its limit.
fn endless() -> Project {
    let answers =
        LOOP.replace("{writer: [first, second, third]}", "{writer: [{text: first, times: always}]}").replace(
            "[{value: 1, after: 40}, {value: 2, after: 40}, {value: 8, after: 40}]",
            "[{value: 1, times: always}]",
        );
    Project::fixture(&format!(
        "{answers}host: {{max_iterations: 1000000}}\nlimits: {{events: 3000000, visits: 1000000}}\n"
    ))
}

#[test]
fn a_long_move_reports_progress_and_can_be_cancelled() {
    let project = endless();
    let mut client = Client::new(&project);
    client.body("initialize", json!({"supportsProgressReporting": true}));
    client.body("launch", json!({"program": LAUNCH, "timeline": "off"}));
    client.raw(&json!({"seq": 90, "type": "request", "command": "configurationDone"}));
    let mut events = Vec::new();
    for _ in 0..140 {
        client.session.work();
        events.extend(client.session.take_messages());
    }
    events.iter().for_each(check_message);
    let start = events.iter().find(|event| event["event"] == "progressStart");
    let start = start.unwrap_or_else(|| panic!("the move is short: {events:?}"));
    assert!(events.iter().any(|event| event["event"] == "progressUpdate"));
    assert!(client.session.is_running());
    let id = start["body"]["progressId"].clone();
    client.raw(&json!({"seq": 91, "type": "request", "command": "cancel", "arguments": {"progressId": id}}));
    let after = client.session.take_messages();
    let names: Vec<&str> = after.iter().filter_map(|one| one["event"].as_str()).collect();
    assert_eq!(names, ["progressEnd", "stopped"]);
    assert!(!client.session.is_running());
}

#[test]
fn a_request_that_waits_can_be_taken_back() {
    let project = Project::fixture(LOOP);
    let request = |seq: u32, command: &str, arguments: Value| json!({"seq": seq, "type": "request", "command": command, "arguments": arguments});
    let bytes = framed(&[
        request(1, "initialize", json!({})),
        request(2, "launch", json!({"program": LAUNCH, "stopOnEntry": true})),
        request(3, "threads", json!({})),
        request(4, "loadedSources", json!({})),
        request(5, "cancel", json!({"requestId": 3})),
        request(6, "cancel", json!({"requestId": 2})),
        request(7, "disconnect", json!({})),
    ]);
    let written = Written::default();
    serve(std::io::Cursor::new(bytes), written.clone(), &project).unwrap();
    let responses: Vec<Value> =
        messages_of(&written).into_iter().filter(|message| message["type"] == "response").collect();
    assert_eq!(responses.len(), 7);
    let of = |number: usize| &responses[number - 1];
    // Whether the cancellation came in time depends on the threads; it is never lost, and never answers twice.
    assert!(of(3)["success"] == true || of(3)["message"] == "cancelled", "{}", of(3));
    assert_eq!(of(2)["success"], true, "a session cannot be half begun");
    assert_eq!(of(4)["success"], true);
}

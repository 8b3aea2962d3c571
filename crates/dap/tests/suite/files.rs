//! Files with other line breaks and wide characters, and files that change during a session.

use serde_json::{Value, json};

use crate::sessions::LOOP;
use crate::support::{Client, Project, ROOT};

/// The project with its texts changed.
fn changed(change: impl Fn(&str) -> String) -> Project {
    let plain = Project::fixture(LOOP);
    let files = plain.snapshot.files().iter().map(|file| (file.path.to_string(), change(&file.text)));
    Project::of(files.collect::<Vec<_>>())
}

/// Stops at an edge by its line, steps into its condition, and returns the text at the place of the part.
#[track_caller]
fn check_part(project: &Project, line: u64, expected: &str) {
    let mut client = Client::new(project);
    let set = json!({"source": {"path": format!("{ROOT}/flow.yaml")}, "breakpoints": [{"line": line}]});
    client.begin(json!({"program": "flow.scenario.yaml"}), &[("setBreakpoints", set)]);
    client.body("stepIn", json!({"threadId": 1}));
    let frame = client.frames()[0].clone();
    assert_eq!((&frame["line"], &frame["endLine"]), (&json!(line), &json!(line)), "{frame}");
    let reference = json!({"sourceReference": 0, "source": {"path": frame["source"]["path"]}});
    let text = client.body("source", reference)["content"].as_str().unwrap().to_owned();
    let index = usize::try_from(line).unwrap() - 1;
    let own: Vec<u16> = text.lines().nth(index).unwrap().encode_utf16().collect();
    let column = |key: &str| usize::try_from(frame[key].as_u64().unwrap()).unwrap() - 1;
    let found = String::from_utf16(&own[column("column")..column("endColumn")]).unwrap();
    assert_eq!(found, expected);
}

#[test]
fn line_breaks_marks_and_wide_characters_do_not_move_places() {
    check_part(&changed(str::to_owned), 10, "memory.score_result");
    check_part(&changed(|text| text.replace('\n', "\r\n")), 10, "memory.score_result");
    check_part(&changed(|text| format!("\u{feff}{text}")), 10, "memory.score_result");
    let wide = |text: &str| {
        text.replace("{id: weak,", "{id: we\u{1f600}ak,").replace("name: Flow", "name: \u{1f600}")
    };
    check_part(&changed(wide), 10, "memory.score_result");
}

#[test]
fn a_file_that_changes_or_goes_is_shown_as_it_was() {
    for now in [None, Some("id: other\n".to_owned())] {
        let project = Project::fixture(LOOP);
        let mut client = Client::new(&project);
        let set = json!({"breakpoints": [{"name": "score"}]});
        client.begin(json!({"program": "flow.scenario.yaml"}), &[("setFunctionBreakpoints", set)]);
        assert!(client.frames()[0]["source"].get("sourceReference").is_none());
        project.changed.lock().unwrap().insert("flow.yaml".to_owned(), now);
        let source = client.frames()[0]["source"].clone();
        assert_eq!(source["origin"], "as it was when the run began", "{source}");
        let text = client.body("source", json!({"sourceReference": source["sourceReference"]}));
        assert!(text["content"].as_str().unwrap().starts_with("id: flow\n"));
        // Breakpoints, moves and values work on.
        let set = json!({"source": {"path": format!("{ROOT}/flow.yaml")}, "breakpoints": [{"line": 7}]});
        assert_eq!(client.body("setBreakpoints", set)["breakpoints"][0]["verified"], true);
        let (_, events) = client.ask("reverseContinue", json!({"threadId": 1}));
        assert!(events.iter().any(|event| event["event"] == "stopped"));
        client.body("setFunctionBreakpoints", json!({}));
        client.body("continue", json!({"threadId": 1}));
        assert_eq!(client.frames()[0]["name"], "send");
    }
}

#[test]
fn a_session_does_not_see_another_one() {
    let project = Project::fixture(LOOP);
    let launch = json!({"program": "flow.scenario.yaml", "stopOnEntry": true});
    let (mut one, mut other) = (Client::new(&project), Client::new(&project));
    one.begin(launch.clone(), &[]);
    other.begin(launch, &[]);
    one.body("setFunctionBreakpoints", json!({"breakpoints": [{"name": "tool:rate"}]}));
    one.body("continue", json!({"threadId": 1}));
    let frame = one.frames()[0]["id"].clone();
    one.body("setExpression", json!({"expression": "answer", "value": "9", "frameId": frame}));
    let (_, events) = other.ask("continue", json!({"threadId": 1}));
    let stop = events.iter().find(|event| event["event"] == "stopped").unwrap();
    assert_eq!(stop["body"]["reason"], "end", "the other session has no breakpoints");
    let value = |client: &mut Client<'_>| {
        client.body("evaluate", json!({"expression": "score_result"}))["result"].clone()
    };
    assert_eq!(value(&mut other), "8");
    assert_eq!(other.body("evaluate", json!({"expression": ".branches"}))["result"], "* 0  as scripted");
    assert_ne!(value(&mut one), Value::from("8"));
}

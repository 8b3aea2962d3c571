//! Breakpoints on keys of the state, and on parts below them.

use serde_json::{Value, json};

use crate::support::{Client, Project, check_debug};

const GRADES: &str = r#"
#- /flow.yaml
id: flow
name: Flow
description: A draft is graded until it is good.
nodes:
  - {id: write, type: tool, tool_id: type, tools: [type], read_keys: [grade_result]}
  - {id: grade, type: tool, tool_id: rate, tools: [rate], read_keys: [write_result]}
  - {id: send, type: tool, tool_id: post, tools: [post], read_keys: [write_result]}
edges:
  - {source: write, target: grade}
  - {source: grade, target: write, condition: {type: conditional, condition: memory.grade_result.grade < 5}}
  - {source: grade, target: send, condition: {type: conditional, condition: memory.grade_result.grade >= 5}}
start_node: write
end_nodes: [send]
#- /flow.scenario.yaml
scenario: The third draft is sent.
file: flow.yaml
tools:
  type: {value: text, times: always}
  rate:
    - {value: {grade: 1, by: {name: Ada}, notes: [short]}}
    - {value: {grade: 1, by: {name: Bob}, notes: [long]}}
    - {value: {grade: 8, by: {name: Bob}, notes: [good]}}
  post: {value: sent}
"#;

#[test]
fn a_part_below_a_key_stops_when_it_changes() {
    check_debug(
        GRADES,
        r#"launch {"program": "flow.scenario.yaml", "timeline": "off"}
        setDataBreakpoints {"breakpoints": [{"dataId": "state:flow:grade_result/grade"}]}
        configurationDone
        continue
        setDataBreakpoints {"breakpoints": [{"dataId": "state:flow:grade_result/by/name"}, {"dataId": "state:flow:grade_result/notes/0", "condition": "memory.grade_result.grade == 8"}]}
        reverseContinue
        reverseContinue
        reverseContinue
        continue
        continue
        continue
        continue"#,
        r##"
> launch {"program": "flow.scenario.yaml", "timeline": "off"}
  initialized
> setDataBreakpoints {"breakpoints": [{"dataId": "state:flow:grade_result/grade"}]}
  breakpoint 1 at line null
> configurationDone
  data breakpoint: grade: wrote `grade_result`, `grade_result.grade`: undefined → 1: breakpoint, hit 1
> continue
  data breakpoint: grade: wrote `grade_result`, `grade_result.grade`: 1 → 8: breakpoint, hit 2
> setDataBreakpoints {"breakpoints": [{"dataId": "state:flow:grade_result/by/name"}, {"dataId": "state:flow:grade_result/notes/0", "condition": "memory.grade_result.grade == 8"}]}
  breakpoint 2 at line null
  breakpoint 3 at line null
> reverseContinue
  data breakpoint: grade: wrote `grade_result`, `grade_result.by.name`: "Ada" → "Bob": breakpoint, hit 2
> reverseContinue
  data breakpoint: grade: wrote `grade_result`, `grade_result.by.name`: undefined → "Ada": breakpoint, hit 1
> reverseContinue
  entry: graph Flow begins: the beginning
> continue
  data breakpoint: grade: wrote `grade_result`, `grade_result.by.name`: undefined → "Ada": breakpoint, hit 1
> continue
  data breakpoint: grade: wrote `grade_result`, `grade_result.by.name`: "Ada" → "Bob": breakpoint, hit 2
> continue
  data breakpoint: grade: wrote `grade_result`, `grade_result.notes.0`: "long" → "good": breakpoint, hit 1
> continue
  end: completed
"##,
    );
}

#[test]
fn a_part_below_a_key_stops_when_it_is_read() {
    check_debug(
        GRADES,
        r#"launch {"program": "flow.scenario.yaml", "timeline": "off"}
        setDataBreakpoints {"breakpoints": [{"dataId": "state:flow:grade_result/grade", "accessType": "read"}]}
        configurationDone
        continue
        setDataBreakpoints {"breakpoints": [{"dataId": "state:flow:grade_result/by", "accessType": "read"}]}
        continue
        continue
        continue"#,
        r##"
> launch {"program": "flow.scenario.yaml", "timeline": "off"}
  initialized
> setDataBreakpoints {"breakpoints": [{"dataId": "state:flow:grade_result/grade", "accessType": "read"}]}
  breakpoint 1 at line null
> configurationDone
  data breakpoint: grade: -> write when memory.grade_result.grade < 5: breakpoint, hit 1
> continue
  data breakpoint: write: breakpoint, hit 2
> setDataBreakpoints {"breakpoints": [{"dataId": "state:flow:grade_result/by", "accessType": "read"}]}
  breakpoint 2 at line null
> continue
  data breakpoint: write: breakpoint, hit 2
> continue
  end: completed
> continue
  exited 0
  terminated
"##,
    );
}

#[test]
fn parts_of_the_state_have_ids() {
    let project = Project::fixture(GRADES);
    let mut client = Client::new(&project);
    let breakpoint = ("setFunctionBreakpoints", json!({"breakpoints": [{"name": "send"}]}));
    client.begin(json!({"program": "flow.scenario.yaml"}), &[breakpoint]);
    let info = |client: &mut Client<'_>, reference: i64, name: &str| {
        let body = client.body("dataBreakpointInfo", json!({"variablesReference": reference, "name": name}));
        body["dataId"].as_str().unwrap_or("none").to_owned()
    };
    let below = |variables: &[Value], name: &str| {
        let variable = variables.iter().find(|variable| variable["name"] == name).unwrap();
        variable["variablesReference"].as_i64().unwrap()
    };
    let (state, variables) = client.scope("State");
    assert_eq!(info(&mut client, state, "grade_result"), "state:flow:grade_result");
    let graded = below(&variables, "grade_result");
    assert_eq!(info(&mut client, graded, "grade"), "state:flow:grade_result/grade");
    let body = client.body("variables", json!({"variablesReference": graded}));
    let notes = below(body["variables"].as_array().unwrap(), "notes");
    assert_eq!(info(&mut client, notes, "[0]"), "state:flow:grade_result/notes/0");
    assert_eq!(info(&mut client, 0, "memory.grade_result.by.name"), "state:flow:grade_result/by/name");
    assert_eq!(info(&mut client, 0, "grade_result.by"), "state:flow:grade_result/by");
    assert_eq!(info(&mut client, 0, "memory.grade_result.nothing"), "none");
    assert_eq!(info(&mut client, 0, "memory.grade_result_s"), "none");
    let (inputs, given) = client.scope("Inputs");
    assert_eq!(info(&mut client, inputs, "write_result"), "none");
    assert!(!given.is_empty());
}

#[test]
fn a_frame_has_one_number_at_a_stop() {
    let project = Project::fixture(GRADES);
    let mut client = Client::new(&project);
    let breakpoint = ("setFunctionBreakpoints", json!({"breakpoints": [{"name": "tool:rate"}]}));
    client.begin(json!({"program": "flow.scenario.yaml"}), &[breakpoint]);
    let ids = |frames: Vec<Value>| frames.iter().map(|frame| frame["id"].clone()).collect::<Vec<_>>();
    let whole = ids(client.frames());
    let thread = client.thread;
    let first = client.body("stackTrace", json!({"threadId": thread, "startFrame": 0, "levels": 1}));
    let rest = client.body("stackTrace", json!({"threadId": thread, "startFrame": 1, "levels": 19}));
    let in_parts = [first, rest].map(|body| body["stackFrames"].as_array().unwrap().clone()).concat();
    assert_eq!(whole.len(), 3);
    assert_eq!(whole, ids(in_parts));
}

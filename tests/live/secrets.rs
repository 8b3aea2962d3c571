//! A key is in no file, no line and no trace.

use nodewise_test_support::model_server::ModelServer;
use serde_json::json;

use crate::place::{Done, PLANTED, Place, holding, provider};

const FLOW: &str = "#- flow.yaml
id: flow
name: Flow
description: ''
nodes: [{id: say, type: agent, agent_id: writer, write_keys: ['*']}]
edges: []
start_node: say
end_nodes: [say]
---
id: writer
name: Writer
model: m-1
provider: local
system_prompt: Write.
";

#[test]
fn a_key_stays_where_it_is() {
    for answers in [
        json!([{"echo": true, "times": 0}]),
        json!([{"status": 401, "body": format!("no such key: {PLANTED}"), "times": 0}]),
        json!([{"status": 500, "body": format!("{PLANTED} made trouble"), "times": 0}]),
    ] {
        let server = ModelServer::start(answers).unwrap();
        let place = Place::new(FLOW);
        place.write(
            "nodewise.toml",
            &format!("[live]\ntimeout_s = 20\n{}", provider("local", "openai", &server)),
        );
        let input = format!("my key is {PLANTED}");
        let done =
            place.run(&["run", "flow.yaml", "--trust", "--input", &json!({"note": input}).to_string()]);
        let requests = server.requests();
        let sent = requests[0].header("authorization");
        assert_eq!(sent, Some(format!("Bearer {PLANTED}").as_str()), "the server is given the key");
        assert!(!done.out.contains(PLANTED) && !done.err.contains(PLANTED), "{done:?}");
        let shown = place.run(&["runs", "replay", "last", "--format", "json"]);
        assert!(!shown.out.contains(PLANTED), "{}", shown.out);
        assert_eq!(holding(place.path(), PLANTED), Vec::<String>::new());
    }
}

/// Variables that no configuration names: their names say what they hold.
const OTHERS: &[(&str, &str)] = &[
    ("MY_PASSWORD", "Ex4mple-Word!"),
    ("PGPASSWORD", "a-longer-Ex4mple-of-word"),
    ("DB_PASS", "Qz7-pw"),
    ("GH_PAT", "ghp-Ex4mple"),
    ("APIKEY", "ak-Ex4mple-1"),
];

#[test]
fn values_of_variables_with_telling_names_are_masked_everywhere() {
    let server = ModelServer::start(json!([{"echo": true, "times": 0}])).unwrap();
    let place = Place::new(FLOW);
    place
        .write("nodewise.toml", &format!("[live]\ntimeout_s = 20\n{}", provider("local", "openai", &server)));
    let known: Vec<&str> = OTHERS.iter().map(|(_, value)| *value).collect();
    let input = json!({"note": format!("{} at PLAIN-value", known.join(" and "))}).to_string();
    let mut command = place.command(&["run", "flow.yaml", "--trust", "--input", &input]);
    command.envs(OTHERS.iter().copied()).env("MONKEY", "PLAIN-value");
    let done = Done::of(command.output().unwrap()).well();
    let replayed = place.run(&["runs", "replay", "last", "--format", "json"]);
    let sent = server.requests().iter().map(|request| format!("{request:?}")).collect::<String>();
    assert!(replayed.out.contains("PLAIN-value"), "{}", replayed.out);
    for value in known {
        let shown = [&done.out, &done.err, &replayed.out, &sent];
        assert!(shown.iter().all(|text| !text.contains(value)), "{value}\n{done:?}");
        assert_eq!(holding(place.path(), value), Vec::<String>::new(), "{value}");
    }
}

#[test]
fn headers_of_spans_come_from_the_environment_and_are_named_in_the_plan() {
    let server = ModelServer::start(json!([{"echo": true, "times": 0}])).unwrap();
    let place = Place::new(FLOW);
    let configure = |variable: &str| {
        let headers = format!(
            "headers = {{ authorization = \"Bearer ${{{variable}}}\", x-team = {{ command = [\"cat\", \"team.txt\"] }} }}"
        );
        let telemetry = format!("[live.telemetry]\nendpoint = \"http://127.0.0.1:1\"\n{headers}\n");
        let live = format!("[live]\ntimeout_s = 20\n{}", provider("local", "openai", &server));
        place.write("nodewise.toml", &format!("{live}\n{telemetry}"));
    };
    place.write("team.txt", "team-9\n");
    configure("PLANTED_KEY");
    let planned = place.run(&["run", "flow.yaml", "--dry-run"]).well();
    for part in [
        "  spans of runs: http://127.0.0.1:1  with the header `authorization` from PLANTED_KEY  with the header `x-team` from the command `cat`\n",
        "  key for the header `x-team` of spans: cat team.txt\n",
    ] {
        assert!(planned.out.contains(part), "{}", planned.out);
    }
    let done = place.run(&["run", "flow.yaml", "--trust", "--input", "{\"note\": \"team-9\"}"]).well();
    assert!(!format!("{done:?}").contains("team-9"), "{done:?}");
    assert_eq!(holding(&place.path().join(".nodewise"), "team-9"), Vec::<String>::new());

    configure("NODEWISE_NO_SUCH_KEY");
    let done = place.run(&["run", "flow.yaml", "--trust"]);
    assert_eq!(done.code, Some(2));
    let expected =
        "the header `authorization` of the spans needs a key: the variable `NODEWISE_NO_SUCH_KEY` is not set";
    assert!(done.err.contains(expected), "{}", done.err);
    place
        .write("nodewise.toml", "[live.telemetry]\nendpoint = \"http://127.0.0.1:1\"\nheaders = { a = 1 }\n");
    let done = place.run(&["run", "flow.yaml", "--trust"]);
    assert!(done.err.contains("`${NAME}`"), "{}", done.err);
}

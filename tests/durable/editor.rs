//! The language server lists, starts, follows and decides runs of an engine with the commands for runs of this machine.

use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};

use crate::client::{Server, uri};
use crate::parts::{PROGRESS, check_parts};
use crate::place::Place;
use crate::refusals::scene;

const LIMIT: Duration = Duration::from_secs(30);
const REQUEST_CANCELLED: i64 = -32800;

/// An editor in a project.
struct Editor<'p> {
    place: &'p Place,
    server: Server,
}

impl<'p> Editor<'p> {
    fn open(place: &'p Place) -> Editor<'p> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_nodewise"));
        command.arg("lsp").env("XDG_STATE_HOME", place.path().join("state"));
        let mut server = Server::start_with(&mut command);
        server.initialize(
            &[uri(place.path())],
            json!({"experimental": {"nodewiseSimulated": true}}),
            json!({}),
        );
        server.wait_until_read();
        Editor { place, server }
    }

    fn flow(&self) -> Value {
        json!({"uri": uri(&self.place.path().join("flow.yaml")), "graph": "flow", "on": "test"})
    }

    #[track_caller]
    fn command(&mut self, name: &str, argument: &Value) -> Value {
        self.server.result("workspace/executeCommand", json!({"command": name, "arguments": [argument]}))
    }

    fn refused(&mut self, name: &str, argument: &Value) -> Value {
        let wanted = json!({"command": name, "arguments": [argument]});
        self.server.request("workspace/executeCommand", wanted)["error"].clone()
    }

    /// What the user was asked, since the last time.
    fn questions(&mut self) -> Vec<String> {
        let asked = std::mem::take(&mut self.server.asked).into_iter();
        let asked = asked.filter(|asked| asked["method"] == "window/showMessageRequest");
        asked.map(|asked| asked["params"]["message"].as_str().unwrap().to_owned()).collect()
    }
}

#[test]
fn an_editor_starts_follows_lists_and_decides_runs() {
    let Some((_engine, place, _worker)) = scene(&["flow"]) else { return };
    let mut editor = Editor::open(&place);
    let status = editor.command("nodewise.status", &json!({}));
    assert_eq!(status["projects"][0]["engines"], json!(["test"]), "{status}");

    // What the run starts and calls is asked first, as for a run of this machine.
    let flow = editor.flow();
    editor.server.chooses.push_back("Cancel");
    let error = editor.refused("nodewise.run", &flow);
    assert!(error["message"].as_str().unwrap().contains("effects.effect"), "{error}");
    assert_eq!(editor.command("nodewise.runs", &json!({"on": "test"})), json!([]));
    editor.questions();

    editor.server.chooses.extend(["Allow", "Later"]);
    let waiting = editor.command("nodewise.run", &flow);
    let [_, question] = editor.questions().try_into().unwrap();
    assert_eq!(question.lines().next(), Some("`ask` asks: Go on?"));
    assert_eq!(waiting["trace"]["outcome"]["status"], "waiting", "{waiting}");
    assert_eq!(
        (&waiting["on"], &waiting["waiting"][0]["node"]),
        (&json!("test"), &json!("ask")),
        "{waiting}"
    );
    assert_eq!(place.effects().len(), 3);
    let run = waiting["run"].clone();

    let listed = editor.command("nodewise.runs", &json!({"on": "test"}));
    let one = &listed[0];
    assert_eq!(
        (&one["run"], &one["status"], &one["on"]),
        (&run, &json!("waiting"), &json!("test")),
        "{listed}"
    );
    assert_eq!((&one["canResume"], &one["waiting"][0]["node"]), (&json!(true), &json!("ask")));
    // It is no run of this machine.
    assert_eq!(editor.command("nodewise.runs", &json!({})), json!([]));

    editor.server.chooses.push_back("Approve");
    let answer = editor.command("nodewise.resume", &json!({"run": run, "on": "test"}));
    assert_eq!(answer["trace"]["outcome"]["status"], "completed", "{answer}");
    assert_eq!(editor.questions().len(), 1);
    assert_eq!(place.effects().len(), 5);
    let (_, notice) = editor.server.wait("what is painted", |message| {
        message["method"] == "nodewise/simulated" && message["params"]["status"] == "completed"
    });
    assert_eq!(notice["params"]["files"][0]["nodes"].as_array().unwrap().len(), 6, "{notice}");
    let events = answer["trace"]["events"].as_array().unwrap().len();
    let standing = editor.command("nodewise.stateAt", &json!({"trace": answer["id"], "event": events - 1}));
    assert!(standing["graphs"][0]["state"].to_string().contains("after_result"), "{standing}");
    let over = editor.command("nodewise.runs", &json!({"on": "test"}));
    assert_eq!((&over[0]["status"], &over[0]["canResume"]), (&json!("completed"), &json!(false)), "{over}");
}

/// What happens on the engine is sent while it happens, and is the same as in the answer, as for a run of this machine.
#[test]
fn an_editor_draws_a_run_while_it_goes_on() {
    let Some((_engine, place, _worker)) = scene(&["flow"]) else { return };
    place.hold();
    let mut editor = Editor::open(&place);
    let mut flow = editor.flow();
    flow["follow"] = json!("one");
    editor.server.chooses.extend(["Allow", "Approve"]);
    let request = editor
        .server
        .ask("workspace/executeCommand", json!({"command": "nodewise.run", "arguments": [flow]}));
    let is_part = |message: &Value| message["method"] == PROGRESS;
    let (_, first) = editor.server.wait("the beginning", is_part);
    let first = first["params"].clone();
    let nodes = first["beginning"]["graphs"][0]["nodes"].as_array().map(Vec::len);
    assert_eq!((&first["events"], nodes), (&json!([]), Some(6)), "{first}");
    let (_, second) = editor.server.wait("what happens before the first call is done", is_part);
    assert!(second["params"]["events"].as_array().is_some_and(|events| !events.is_empty()), "{second}");
    assert!(place.effects().values().all(|(_, done)| *done == 0), "{:?}", place.effects());
    place.release();
    let answer = editor.server.answer(request)["result"].clone();
    let rest = editor.server.drain(PROGRESS).into_iter().map(|(_, message)| message["params"].clone());
    let parts: Vec<Value> = [first, second["params"].clone()].into_iter().chain(rest).collect();
    assert!(parts.iter().all(|part| part["follow"] == "one" && part["run"] == answer["run"]), "{parts:?}");
    check_parts(&parts, &answer);

    // A run that is followed again is sent from its beginning; who does not follow it is sent nothing.
    let again = json!({"run": answer["run"], "on": "test", "follow": 2});
    let answer = editor.command("nodewise.resume", &again);
    let parts = editor.server.drain(PROGRESS).into_iter().map(|(_, message)| message["params"].clone());
    check_parts(&parts.collect::<Vec<_>>(), &answer);
    editor.command("nodewise.resume", &json!({"run": answer["run"], "on": "test"}));
    assert_eq!(editor.server.drain(PROGRESS).len(), 0);
}

#[test]
fn a_decision_comes_with_the_command_and_stopping_it_stops_no_run() {
    let Some((_engine, place, _worker)) = scene(&["flow"]) else { return };
    let mut editor = Editor::open(&place);
    editor.server.chooses.push_back("Allow");
    let flow = editor.flow();
    let request = editor
        .server
        .ask("workspace/executeCommand", json!({"command": "nodewise.run", "arguments": [flow]}));
    editor.server.wait_until("a call begins", |server| {
        server.idle(Duration::from_millis(20));
        !place.effects().is_empty()
    });
    editor.server.notify("$/cancelRequest", json!({"id": request}));
    let answer = editor.server.answer(request);
    assert_eq!(answer["error"]["code"], REQUEST_CANCELLED, "{answer}");

    let run = editor.command("nodewise.runs", &json!({"on": "test"}))[0]["run"].as_str().unwrap().to_owned();
    place.wait(std::slice::from_ref(&run), "waiting", LIMIT);
    let wrong = json!({"run": run, "on": "test", "decisions": [{"node": "end", "word": "approved"}]});
    let error = editor.refused("nodewise.resume", &wrong);
    assert!(error["message"].as_str().unwrap().contains("is not waiting for a decision at `end`"), "{error}");
    let taken = json!({"run": &run[..16], "on": "test", "decisions": [{"node": "ask", "word": "approved"}]});
    let answer = editor.command("nodewise.resume", &taken);
    assert_eq!(answer["trace"]["outcome"]["status"], "completed", "{answer}");

    for (argument, reason) in [
        (json!({"on": "nobody"}), "no engine `nobody` is configured"),
        (json!({"on": "http://127.0.0.1:9"}), "has no address for its administration"),
    ] {
        let error = editor.refused("nodewise.runs", &argument);
        assert!(error["message"].as_str().unwrap().contains(reason), "{error}");
    }
    let mut alone = editor.flow();
    alone["node"] = "begin".into();
    alone["only"] = true.into();
    let error = editor.refused("nodewise.run", &alone);
    assert!(
        error["message"].as_str().unwrap().starts_with("a single node does not run on an engine"),
        "{error}"
    );
}

/// Someone else decides while the editor shows the question: it is taken back, and the run is followed to its end.
#[test]
fn a_question_that_someone_else_answers_is_taken_back() {
    let Some((_engine, place, _worker)) = scene(&["flow"]) else { return };
    let mut editor = Editor::open(&place);
    editor.server.is_reading = true;
    let run = place.start("flow");
    place.wait(std::slice::from_ref(&run), "waiting", LIMIT);
    let argument = json!({"run": run, "on": "test"});
    let request = editor
        .server
        .ask("workspace/executeCommand", json!({"command": "nodewise.resume", "arguments": [argument]}));
    editor.server.wait_until("the question is shown", |server| {
        server.idle(Duration::from_millis(20));
        server.asked.iter().any(|asked| asked["method"] == "window/showMessageRequest")
    });
    place.output_of(&["resume", &run, "--on", "test", "--approve", "--detach"]);
    let answer = editor.server.answer(request);
    assert_eq!(answer["result"]["trace"]["outcome"]["status"], "completed", "{answer}");
}

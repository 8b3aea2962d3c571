//! Graphs that run for real over the wire: nothing without leave, people who decide by messages, runs that are stopped and gone on
//! with, and no key in anything that is sent.

use std::net::TcpListener;
use std::process::Command;

use nodewise_test_support::model_server::ModelServer;
use serde_json::{Value, json};

use crate::lsp::client::{Folder, Server, uri};

const FLOW: &str = "\
id: letters
name: Letters
description: A letter is written, looked at, and answered.
nodes:
  - {id: write, type: agent, agent_id: writer, write_keys: [letter]}
  - {id: look, type: approval, read_keys: ['*'], approval_config: {prompt_message: 'Send it?'}}
  - {id: answer, type: agent, agent_id: writer, read_keys: [letter], write_keys: [reply]}
edges:
  - {source: write, target: look}
  - {source: look, target: answer}
start_node: write
end_nodes: [answer]
---
id: writer
name: Writer
model: small
provider: near
system_prompt: Write.
";
/// A key that must be nowhere.
const PLANTED: &str = "planted-key-3f9a";
pub(super) const REQUEST_CANCELLED: i64 = -32800;
const REQUEST_FAILED: i64 = -32803;

/// A folder with a graph, a model server that answers, and an editor.
pub(super) struct Scene {
    pub(super) folder: Folder,
    /// What the user allowed.
    state: Folder,
    pub(super) models: ModelServer,
    pub(super) server: Server,
}

impl Scene {
    fn new(script: Value) -> Scene {
        Scene::of_file(script, "letters.yaml", FLOW)
    }

    /// The same with another graph. Agents without a model of their own use the one of the configuration.
    pub(super) fn of_file(script: Value, path: &str, text: &str) -> Scene {
        let models = ModelServer::start(script).unwrap();
        let config = format!(
            "[live]\nmodel = \"small\"\nprovider = \"near\"\n\n[live.providers.near]\nkind = \"openai\"\nbase_url = \"{}\"\n\
             key = {{ env = \"PLANTED_KEY\" }}\n",
            models.base_url()
        );
        let folder = Folder::new(&[("nodewise.toml", config.as_str()), (path, text)]);
        let state = Folder::new(&[]);
        let server = served(&folder, &state);
        Scene { folder, state, models, server }
    }

    /// The same, where everything is allowed already.
    pub(super) fn allowed(script: Value) -> Scene {
        let mut scene = Scene::new(script);
        scene.server.chooses.extend(["Allow", "Later"]);
        let argument = scene.subject();
        let waiting = scene.command("nodewise.run", &argument);
        assert_eq!(waiting["trace"]["outcome"]["status"], "waiting", "{waiting}");
        scene.server.asked.clear();
        scene
    }

    pub(super) fn subject(&self) -> Value {
        json!({"uri": self.folder.uri("letters.yaml"), "graph": "letters"})
    }

    pub(super) fn command(&mut self, name: &str, argument: &Value) -> Value {
        self.server.result("workspace/executeCommand", json!({"command": name, "arguments": [argument]}))
    }

    pub(super) fn refused(&mut self, name: &str, argument: &Value) -> Value {
        let wanted = json!({"command": name, "arguments": [argument]});
        self.server.request("workspace/executeCommand", wanted)["error"].clone()
    }

    fn lens_titles(&mut self) -> Vec<String> {
        let document = json!({"textDocument": {"uri": self.folder.uri("letters.yaml")}});
        let lenses = self.server.result("textDocument/codeLens", document);
        let titles = lenses.as_array().unwrap().iter().filter_map(|lens| lens["command"]["title"].as_str());
        titles.map(str::to_owned).collect()
    }

    /// What the user was asked, since the last time.
    fn questions(&mut self) -> Vec<String> {
        let asked = std::mem::take(&mut self.server.asked).into_iter();
        let asked = asked.filter(|asked| asked["method"] == "window/showMessageRequest");
        asked.map(|asked| asked["params"]["message"].as_str().unwrap().to_owned()).collect()
    }

    fn status_of(&mut self, run: &Value) -> Value {
        let runs = self.command("nodewise.runs", &json!({}));
        let found = runs.as_array().unwrap().iter().find(|one| one["run"] == *run).cloned();
        found.unwrap_or_else(|| panic!("{run} is not among {runs}"))["status"].clone()
    }

    /// Nothing that was sent has the key.
    pub(super) fn check_no_key(&self) {
        let heard: Vec<&String> = self.server.heard.iter().filter(|text| text.contains(PLANTED)).collect();
        assert!(heard.is_empty(), "{heard:#?}");
        assert!(
            self.models
                .requests()
                .iter()
                .all(|request| { request.header("authorization") == Some(&format!("Bearer {PLANTED}")) })
        );
    }
}

fn served(folder: &Folder, state: &Folder) -> Server {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nodewise"));
    command.arg("lsp").env("XDG_STATE_HOME", &state.path).env("PLANTED_KEY", PLANTED);
    let mut server = Server::start_with(&mut command);
    server.is_listening = true;
    let capabilities = json!({"experimental": {"nodewiseSimulated": true}});
    server.initialize(&[uri(&folder.path)], capabilities, json!({}));
    server.wait_until_read();
    server
}

fn letters() -> Value {
    json!([{"text": "Dear all."}, {"text": "Thank you."}])
}

#[test]
fn the_request_of_a_node_is_shown_and_nothing_is_sent() {
    let mut scene = Scene::new(json!([]));
    let argument =
        json!({"uri": scene.folder.uri("letters.yaml"), "graph": "letters", "node": "answer", "only": true});
    let shown = scene.command("nodewise.request", &argument);
    let request = &shown["requests"][0];
    assert_eq!((&request["node"], &request["agent"]), (&json!("answer"), &json!("writer")), "{shown}");
    assert_eq!(request["headers"]["authorization"], "Bearer (key of PLANTED_KEY)");
    assert_eq!(request["body"]["model"], "small");
    let text = shown["text"].as_str().unwrap();
    assert!(text.contains("--- system ---\nWrite.\n\n## Current Workflow Context"), "{text}");
    let look =
        json!({"uri": scene.folder.uri("letters.yaml"), "graph": "letters", "node": "look", "only": true});
    let error = scene.refused("nodewise.request", &look);
    assert_eq!(error["message"], "`look` asks no model");
    assert!(scene.models.requests().is_empty() && scene.questions().is_empty());
    scene.check_no_key();
}

#[test]
fn nothing_runs_before_the_user_allows_it_and_what_is_allowed_is_asked_once() {
    let mut scene = Scene::new(letters());
    let argument = scene.subject();
    // A client that shows no question, and a user who says no.
    for choices in [&[][..], &["Cancel"][..]] {
        scene.server.chooses.extend(choices);
        let error = scene.refused("nodewise.run", &argument);
        assert_eq!(error["code"], REQUEST_FAILED);
        let message = error["message"].as_str().unwrap();
        assert!(
            message.starts_with("you have not allowed yet what this run starts and calls:\ncalls\n"),
            "{message}"
        );
        assert!(message.contains("models of `near`: http://127.0.0.1:"), "{message}");
        assert!(message.contains("`nodewise run` in a terminal"), "{message}");
        let [question] = scene.questions().try_into().unwrap();
        assert!(
            question.contains("with the key in PLANTED_KEY\nAllow this here, from now on?"),
            "{question}"
        );
    }
    assert_eq!((scene.models.requests().len(), scene.folder.path.join(".nodewise").exists()), (0, false));

    scene.server.chooses.extend(["Allow", "Later"]);
    let waiting = scene.command("nodewise.run", &argument);
    assert_eq!(waiting["trace"]["outcome"]["status"], "waiting", "{waiting}");
    let questions = scene.questions();
    assert_eq!(questions.len(), 2, "{questions:?}");
    assert_eq!(questions[1], "`look` asks: Send it?\n{\n  \"letter\": \"Dear all.\"\n}");
    assert_eq!(
        waiting["waiting"],
        json!([{"node": "look", "question": "Send it?", "review": {"letter": "Dear all."}}])
    );

    // It is remembered, by another server too.
    scene.server = served(&scene.folder, &scene.state);
    scene.server.chooses.push_back("Later");
    assert_eq!(scene.command("nodewise.run", &argument)["waiting"][0]["node"], "look");
    assert_eq!(scene.questions().len(), 1);
    scene.check_no_key();
}

#[test]
fn a_run_is_answered_by_models_and_people_and_shown_as_dry_runs_are() {
    let mut scene = Scene::new(letters());
    let argument = scene.subject();
    scene.server.chooses.extend(["Allow", "Approve"]);
    let answer = scene.command("nodewise.run", &argument);
    assert_eq!(answer["trace"]["outcome"]["status"], "completed", "{answer}");
    assert!(
        answer["summary"].as_str().unwrap().starts_with("graph `Letters`: completed in 3 steps"),
        "{answer}"
    );
    assert!(answer["text"].as_str().unwrap().contains("Thank you."), "{answer}");
    assert_eq!((&answer["waiting"], &answer["scenario"]), (&json!([]), &Value::Null));
    let events = answer["trace"]["events"].as_array().unwrap();
    let visits = events.iter().filter(|event| event["event"] == "visit-started");
    assert!(visits.clone().all(|visit| visit["location"].is_u64()), "{answer}");
    let (_, notice) = scene.server.wait("what is painted", |message| {
        message["method"] == "nodewise/simulated" && message["params"]["status"] == "completed"
    });
    assert_eq!(notice["params"]["trace"], answer["id"]);
    assert_eq!(notice["params"]["files"][0]["nodes"].as_array().unwrap().len(), 3, "{notice}");
    assert_eq!(scene.status_of(&answer["run"]), "completed");

    // It is looked into, and branched off dry: nobody is asked again.
    let last = events.len() - 1;
    let standing = scene.command("nodewise.stateAt", &json!({"trace": answer["id"], "event": last}));
    assert!(standing["graphs"][0]["state"].to_string().contains("Thank you."), "{standing}");
    let fork = json!({"fork": {"trace": answer["id"], "event": last}});
    let again = scene.command("nodewise.simulate", &fork);
    assert_eq!(again["trace"]["events"], answer["trace"]["events"]);
    assert_eq!(scene.models.requests().len(), 2);
    scene.check_no_key();
}

#[test]
fn what_was_put_off_is_decided_when_the_run_is_gone_on_with() {
    let mut scene = Scene::allowed(letters());
    let runs = scene.command("nodewise.runs", &json!({"uri": scene.folder.uri("letters.yaml")}));
    let run = runs[0]["run"].clone();
    assert_eq!((&runs[0]["status"], &runs[0]["isOver"]), (&json!("waiting"), &json!(false)));
    assert_eq!(runs[0]["waiting"][0]["node"], "look", "{runs}");

    let wrong = json!({"run": run, "decisions": [{"node": "write", "word": "approved"}]});
    let error = scene.refused("nodewise.resume", &wrong);
    assert!(
        error["message"].as_str().unwrap().starts_with("the run is not waiting for a decision at `write`"),
        "{error}"
    );
    assert!(
        scene.refused("nodewise.resume", &json!({"run": "nobody"}))["message"]
            .as_str()
            .unwrap()
            .contains("there is no run `nobody`")
    );

    // The files may say something else by now: the run goes on as it was begun.
    scene
        .folder
        .write("letters.yaml", &FLOW.replace("agent_id: writer, read_keys", "agent_id: nobody, read_keys"));
    let decided = json!({"run": run, "decisions": [{"node": "look", "word": "approved"}], "announce": true});
    let answer = scene.command("nodewise.resume", &decided);
    assert_eq!(
        (&answer["run"], &answer["trace"]["outcome"]["status"]),
        (&run, &json!("completed")),
        "{answer}"
    );
    let (_, message) = scene.server.wait("a message", |message| message["method"] == "window/showMessage");
    assert_eq!(message["params"]["message"], answer["summary"]);
    assert_eq!((scene.questions().len(), scene.status_of(&run)), (0, json!("completed")));
    let error = scene.refused("nodewise.resume", &json!({}));
    assert!(error["message"].as_str().unwrap().contains("has ended: completed"), "{error}");
    scene.check_no_key();
}

#[test]
fn a_run_that_is_stopped_can_be_gone_on_with() {
    let mut scene = Scene::allowed(json!([
        {"text": "Dear all."}, {"hangs": true}, {"text": "Dear all."}, {"text": "Thank you."},
    ]));
    let wanted =
        json!({"command": "nodewise.run", "arguments": [scene.subject()], "workDoneToken": "live-1"});
    let id = scene.server.ask("workspace/executeCommand", wanted);
    assert!(scene.models.wait_for(2).len() >= 2);
    scene.server.notify("window/workDoneProgress/cancel", json!({"token": "live-1"}));
    assert_eq!(scene.server.answer(id)["error"]["code"], REQUEST_CANCELLED);
    let (_, message) = scene.server.wait("a message", |message| message["method"] == "window/showMessage");
    let message = message["params"]["message"].as_str().unwrap().to_owned();
    assert!(message.ends_with("was stopped. To continue it, use `nodewise.resume`."), "{message}");
    let run = json!(message.split_whitespace().nth(2).unwrap());
    assert_eq!(scene.status_of(&run), "interrupted");
    assert!(scene.models.is_given_up(1), "the call is given up");

    scene.server.chooses.push_back("Approve");
    let answer = scene.command("nodewise.resume", &json!({"run": run}));
    assert_eq!(answer["trace"]["outcome"]["status"], "completed", "{answer}");
    scene.server.wait("the call that is made again", |message| {
        message["method"] == "window/logMessage" && message.to_string().contains("was started once before")
    });
    scene.check_no_key();
}

#[test]
fn a_node_runs_alone_and_its_lens_is_there_where_live_runs_are_configured() {
    let mut scene = Scene::new(json!([{"text": "Dear all."}, {"text": "Hello."}]));
    let uri = scene.folder.uri("letters.yaml");
    let lenses = scene.server.result("textDocument/codeLens", json!({"textDocument": {"uri": uri}}));
    let mut live = Vec::new();
    for lens in lenses.as_array().unwrap() {
        if lens["command"]["command"] == "nodewise.run" {
            live.push(lens["command"].clone());
        }
    }
    assert_eq!(live.len(), 3, "{live:?}");
    assert_eq!(live[0]["title"], "Run node (live)");
    scene.server.chooses.push_back("Allow");
    let answer = scene.command("nodewise.run", &live[0]["arguments"][0]);
    assert_eq!(answer["trace"]["outcome"]["status"], "completed", "{answer}");
    assert!(answer["summary"].as_str().unwrap().contains("completed in 1 step"), "{answer}");
    assert_eq!((scene.models.requests().len(), scene.questions().len()), (1, 1));
    let titles =
        scene.server.result("textDocument/codeLens", json!({"textDocument": {"uri": uri}})).to_string();
    assert_eq!(titles.matches("Run node (live) · completed in 1 step").count(), 1, "{titles}");

    scene.folder.write("nodewise.toml", "");
    scene.command("nodewise.refresh", &json!({}));
    scene.server.wait_until_read();
    let offers = |lenses: &Value| lenses.to_string().matches("Run node (live)").count();
    assert_eq!(offers(&lenses), 3);
    scene.server.wait_until("no lens of live runs, which nobody sees without a configuration", |server| {
        offers(&server.result("textDocument/codeLens", json!({"textDocument": {"uri": uri}}))) == 0
    });
}

#[test]
fn a_key_that_a_model_says_is_not_passed_on() {
    let mut scene = Scene::new(json!([{"echo": true}, {"echo": true}]));
    scene.server.chooses.extend(["Allow", "Approve"]);
    let argument = scene.subject();
    let answer = scene.command("nodewise.run", &argument);
    assert_eq!(answer["trace"]["outcome"]["status"], "completed", "{answer}");
    assert!(answer["trace"].to_string().contains("***"), "{answer}");
    scene.check_no_key();
}

#[test]
fn a_run_begins_again_from_a_step_of_another_one() {
    let mut scene = Scene::new(json!([
        {"text": "Dear all."}, {"text": "Thank you."}, {"text": "Thanks."}, {"text": "Many thanks."},
    ]));
    scene.server.chooses.extend(["Allow", "Approve"]);
    let argument = scene.subject();
    let first = scene.command("nodewise.run", &argument);
    let runs = scene.command("nodewise.runs", &json!({}));
    assert_eq!((&runs[0]["isOver"], &runs[0]["canResume"]), (&json!(true), &json!(false)), "{runs}");
    let events = first["trace"]["events"].as_array().unwrap();
    let last = events.iter().rposition(|event| event["event"] == "answered").unwrap();
    let again = scene.command("nodewise.run", &json!({"from": {"run": first["run"], "event": last}}));
    assert_eq!(again["trace"]["outcome"]["status"], "completed", "{again}");
    assert!(again["text"].as_str().unwrap().contains("Thanks."), "{again}");
    assert_ne!(again["run"], first["run"]);
    let from = json!({"run": first["run"], "step": "answer", "set": {"letter": "Dear friends."}});
    let changed = scene.command("nodewise.run", &json!({"from": from}));
    assert!(changed["text"].as_str().unwrap().contains("Dear friends."), "{changed}");
    assert_eq!(scene.models.requests().len(), 4, "each asks one model again");
    assert_eq!(scene.questions().len(), 2, "the person is not asked again");
    let wrong = scene.refused("nodewise.run", &json!({"from": {"run": first["run"], "step": 9}}));
    assert!(wrong["message"].as_str().unwrap().contains("has no step 9"), "{wrong}");
    scene.check_no_key();
}

#[test]
fn a_run_that_failed_continues_after_its_file_is_mended() {
    let mut scene =
        Scene::new(json!([{"status": 400, "body": "{}"}, {"text": "Dear all."}, {"text": "Thank you."}]));
    scene.server.chooses.push_back("Allow");
    let argument = scene.subject();
    let failed = scene.command("nodewise.run", &argument);
    assert_eq!(failed["trace"]["outcome"]["status"], "failed", "{failed}");
    let runs = scene.command("nodewise.runs", &json!({}));
    assert_eq!((&runs[0]["isOver"], &runs[0]["canResume"]), (&json!(true), &json!(true)), "{runs}");
    scene.server.chooses.push_back("Approve");
    let done = scene.command("nodewise.resume", &json!({"run": failed["run"]}));
    assert_eq!(done["trace"]["outcome"]["status"], "completed", "{done}");
}

#[test]
fn a_damaged_run_is_named_and_the_others_are_listed() {
    let mut scene = Scene::new(json!([{"text": "Dear all."}, {"text": "Thank you."}, {"text": "Dear all."}]));
    scene.server.chooses.extend(["Allow", "Approve", "Later"]);
    let argument = scene.subject();
    let whole = scene.command("nodewise.run", &argument);
    let damaged = scene.command("nodewise.run", &argument);
    assert_eq!(damaged["trace"]["outcome"]["status"], "waiting", "{damaged}");
    let store = scene.folder.path.join(".nodewise/runs.db");
    let mut bytes = std::fs::read(&store).unwrap();
    let question = b"Send it?";
    let mut places = Vec::new();
    for (at, window) in bytes.windows(question.len()).enumerate() {
        if window == question {
            places.push(at);
        }
    }
    places.into_iter().for_each(|at| bytes[at] = b's');
    std::fs::write(&store, &bytes).unwrap();
    let runs = scene.command("nodewise.runs", &json!({}));
    let listed: Vec<&Value> = runs.as_array().unwrap().iter().map(|run| &run["run"]).collect();
    assert_eq!(listed, [&whole["run"]], "{runs}");
    let id = damaged["run"].as_str().unwrap();
    let shown = scene.server.heard.iter().any(|text| text.contains(&format!("the run `{id}` in `")));
    assert!(shown, "{:#?}", scene.server.heard);
}

#[test]
fn a_pinned_node_is_not_asked_again() {
    let mut scene = Scene::new(json!([
        {"text": "Dear all."}, {"text": "Thank you."}, {"text": "Thanks."}, {"text": "Dear new."}, {"text": "Thanks again."},
    ]));
    scene.server.chooses.extend(["Allow", "Approve", "Approve", "Approve"]);
    let argument = scene.subject();
    let node = json!({"uri": scene.folder.uri("letters.yaml"), "graph": "letters", "node": "write"});
    let none = scene.refused("nodewise.pin", &node);
    assert!(
        none["message"].as_str().unwrap().contains("no live run of this project has an output"),
        "{none}"
    );
    let first = scene.command("nodewise.run", &argument);
    let pinned = scene.command("nodewise.pin", &node);
    assert_eq!(pinned, json!({"node": "write", "run": first["run"], "answers": 1}));
    let lenses = scene.lens_titles();
    let lens = format!("Unpin output (of {})", first["run"].as_str().unwrap());
    assert_eq!(lenses.iter().filter(|title| **title == lens).count(), 1, "{lenses:?}");
    // The prompt of the pinned node is edited; only the other node asks its model.
    let uri = scene.folder.uri("letters.yaml");
    scene.server.open(&uri, 1, &FLOW.replace("Write.", "Write a lot."));
    let again = scene.command("nodewise.run", &argument);
    assert_eq!(scene.models.requests().len(), 3, "{again}");
    let text = again["text"].as_str().unwrap();
    assert!(text.contains("Dear all.") && text.contains("Thanks."), "{text}");
    assert!(text.contains(&format!("(pinned, from {})", first["run"].as_str().unwrap())), "{text}");
    let events = again["trace"]["events"].as_array().unwrap();
    let answers =
        events.iter().filter(|event| event["event"] == "answered" && event["answer"]["usage"].is_null());
    let from: Vec<&Value> = answers.map(|event| &event["answer"]["pinned"]).collect();
    assert_eq!(from.first(), Some(&&first["run"]), "{again}");
    // A person decides anew.
    let looked =
        scene.refused("nodewise.pin", &json!({"uri": node["uri"], "graph": "letters", "node": "look"}));
    assert!(looked["message"].as_str().unwrap().contains("`look`"), "{looked}");
    assert_eq!(scene.command("nodewise.unpin", &node), json!({"unpinned": 1}));
    assert_eq!(scene.command("nodewise.unpin", &node), json!({"unpinned": 0}));
    let last = scene.command("nodewise.run", &argument);
    assert_eq!(scene.models.requests().len(), 5, "{last}");
    assert!(last["text"].as_str().unwrap().contains("Dear new."), "{last}");
}

#[test]
fn a_pin_holds_when_the_server_starts_again_and_when_the_run_is_resumed() {
    let mut scene = Scene::new(json!([
        {"text": "Dear all."}, {"text": "Thank you."}, {"text": "Dear new."}, {"text": "Dear newer."}, {"text": "Asked again."},
    ]));
    scene.server.chooses.extend(["Allow", "Approve"]);
    let argument = scene.subject();
    let node = json!({"uri": scene.folder.uri("letters.yaml"), "graph": "letters", "node": "answer"});
    let first = scene.command("nodewise.run", &argument)["run"].as_str().unwrap().to_owned();
    scene.command("nodewise.pin", &node);
    let pinned =
        |text: &str| text.contains("Thank you.") && text.contains(&format!("(pinned, from {first})"));
    let waiting = |scene: &mut Scene| {
        scene.server = served(&scene.folder, &scene.state);
        scene.server.chooses.extend(["Later"]);
        let waiting = scene.command("nodewise.run", &argument);
        assert_eq!(waiting["trace"]["outcome"]["status"], "waiting", "{waiting}");
        waiting["run"].clone()
    };

    let run = waiting(&mut scene);
    let lens = format!("Unpin output (of {first})");
    assert!(scene.lens_titles().contains(&lens));
    scene.server = served(&scene.folder, &scene.state);
    let decided = json!({"run": run, "decisions": [{"node": "look", "word": "approved"}]});
    let resumed = scene.command("nodewise.resume", &decided);
    assert!(pinned(resumed["text"].as_str().unwrap()), "{resumed}");

    // A run keeps the pins with which it began, also in a terminal and when they are removed meanwhile.
    let run = waiting(&mut scene);
    assert_eq!(scene.command("nodewise.unpin", &node), json!({"unpinned": 1}));
    assert!(!scene.lens_titles().contains(&lens));
    let mut resume = Command::new(env!("CARGO_BIN_EXE_nodewise"));
    resume.args(["resume", run.as_str().unwrap(), "--approve", "look"]).current_dir(&scene.folder.path);
    resume.env("XDG_STATE_HOME", &scene.state.path).env("PLANTED_KEY", PLANTED);
    let resumed = resume.output().unwrap();
    let text = String::from_utf8(resumed.stdout).unwrap();
    assert!(pinned(&text), "{text}\n{}", String::from_utf8_lossy(&resumed.stderr));
    assert_eq!(scene.models.requests().len(), 4, "only `write` asked its model");

    // A pin of a run that is gone costs nothing before the user knows.
    scene.command(
        "nodewise.pin",
        &json!({"uri": node["uri"], "graph": "letters", "node": "answer", "run": first}),
    );
    let mut delete = Command::new(env!("CARGO_BIN_EXE_nodewise"));
    delete.args(["runs", "delete", &first]).current_dir(&scene.folder.path);
    assert!(delete.status().unwrap().success());
    let refused = scene.refused("nodewise.run", &argument);
    let message = refused["message"].as_str().unwrap();
    let expected = format!(
        "the output of `answer` in letters.yaml is pinned from the run {first}, but cannot be read: "
    );
    assert!(message.starts_with(&expected) && message.contains("help: unpin it"), "{message}");
    assert_eq!(scene.models.requests().len(), 4);
    scene.check_no_key();
}

#[test]
fn nodes_have_a_lens_for_their_request_where_the_user_wants_it() {
    let mut scene = Scene::new(json!([]));
    assert!(!scene.lens_titles().contains(&"Show request".to_owned()));
    let settings = json!({"settings": {"nodewise": {"codeLens": {"request": true}}}});
    scene.server.notify("workspace/didChangeConfiguration", settings);
    let titles = scene.lens_titles();
    let count = |wanted: &str| titles.iter().filter(|title| *title == wanted).count();
    assert_eq!((count("Show request"), count("Run node (live)")), (3, 3), "{titles:?}");
}

/// An engine is called for commands that name it, and not because a file is open, a run is listed or a run of this machine begins.
#[test]
fn an_engine_that_no_command_names_is_never_called() {
    let engine = TcpListener::bind("127.0.0.1:0").unwrap();
    engine.set_nonblocking(true).unwrap();
    let address = engine.local_addr().unwrap();
    let mut scene = Scene::new(letters());
    let config = std::fs::read_to_string(scene.folder.path.join("nodewise.toml")).unwrap();
    let config =
        format!("{config}\n[live.engines.far]\nurl = \"http://{address}\"\nadmin = \"http://{address}\"\n");
    scene.folder.write("nodewise.toml", &config);
    scene.server = served(&scene.folder, &scene.state);
    let status = scene.command("nodewise.status", &json!({}));
    assert_eq!(status["projects"][0]["engines"], json!(["far"]), "{status}");
    scene.server.open(&scene.folder.uri("letters.yaml"), 1, FLOW);
    scene.server.open(&scene.folder.uri("nodewise.toml"), 1, &config);
    scene.server.diagnostics(&scene.folder.uri("letters.yaml"), Some(1));
    assert!(scene.lens_titles().contains(&"Run node (live)".to_owned()));
    assert_eq!(scene.command("nodewise.runs", &json!({})), json!([]));
    scene.server.chooses.extend(["Allow", "Approve"]);
    let argument = scene.subject();
    assert_eq!(scene.command("nodewise.run", &argument)["trace"]["outcome"]["status"], "completed");
    assert!(engine.accept().is_err(), "the engine was called");
    // A command that names it does call it.
    drop(engine);
    let error = scene.refused("nodewise.runs", &json!({"on": "far"}));
    assert!(error["message"].as_str().unwrap().starts_with("the engine `far` does not answer at"), "{error}");
    scene.check_no_key();
}

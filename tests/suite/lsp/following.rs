//! Live runs that a client follows: what happens is sent while it happens, and is the same as in the answer.

use serde_json::{Value, json};

use crate::lsp::live::{REQUEST_CANCELLED, Scene};
use crate::lsp::parts::{PROGRESS, check_parts};

#[test]
fn what_a_model_says_is_sent_before_its_answer_is_complete() {
    let mut scene = Scene::allowed(json!([
        {"text": "Dear all."}, {"text": "Dear all, this letter is long.", "slow_ms": 20},
    ]));
    let mut argument = scene.subject();
    argument["follow"] = json!("one");
    let wanted = json!({"command": "nodewise.run", "arguments": [argument], "workDoneToken": "live-9"});
    let id = scene.server.ask("workspace/executeCommand", wanted);
    let (_, first) = scene.server.wait("the beginning", |message| message["method"] == PROGRESS);
    assert_eq!((&first["params"]["follow"], &first["params"]["events"]), (&json!("one"), &json!([])));
    let graph = &first["params"]["beginning"]["graphs"][0];
    assert_eq!((&graph["id"], graph["nodes"].as_array().unwrap().len()), (&json!("letters"), 3), "{first}");
    let (_, said) = scene.server.wait("a part of the answer", |message| {
        message["params"]["answers"].as_array().is_some_and(|answers| !answers.is_empty())
    });
    let text = said["params"]["answers"][0]["text"].as_str().unwrap();
    assert!(!text.is_empty() && "Dear all, this letter is long.".starts_with(text), "{said}");
    // The model is still speaking: its call is given up before it is complete.
    scene.server.notify("window/workDoneProgress/cancel", json!({"token": "live-9"}));
    assert_eq!(scene.server.answer(id)["error"]["code"], REQUEST_CANCELLED);
    assert!(scene.models.is_given_up(1));
    scene.check_no_key();
}

#[test]
fn the_parts_of_a_run_are_its_trace_and_a_client_that_does_not_follow_gets_none() {
    let mut scene = Scene::allowed(json!([
        {"text": "Dear all."}, {"text": "Dear both."}, {"text": "Thank you."}, {"text": "Dear nobody."},
    ]));
    let mut argument = scene.subject();
    argument["follow"] = json!(7);
    scene.server.chooses.push_back("Approve");
    let answer = scene.command("nodewise.run", &argument);
    assert_eq!(answer["trace"]["outcome"]["status"], "completed", "{answer}");
    let parts: Vec<Value> =
        scene.server.drain(PROGRESS).into_iter().map(|(_, message)| message["params"].clone()).collect();
    assert!(parts.iter().all(|part| part["follow"] == 7 && part["run"] == answer["run"]), "{parts:?}");
    check_parts(&parts, &answer);

    scene.server.chooses.push_back("Later");
    let unfollowed = scene.subject();
    scene.command("nodewise.run", &unfollowed);
    assert_eq!(scene.server.drain(PROGRESS).len(), 0);
    scene.check_no_key();
}

//! What calls do in the world: which are repeated, and how the world can tell that they are.

use nodewise_test_support::model_server::ModelServer;
use serde_json::json;

use crate::place::{Place, check_replay, has_python, provider};

const CHAT: &str = "#- flow.liman.yaml
kind: LLMNode
name: desk
prompts:
  system: {en: You write.}
";

#[test]
fn a_repeated_call_is_shown_wherever_the_run_is() {
    let server = ModelServer::start(json!([{"status": 503, "body": "{}"}, {"text": "Hello."}])).unwrap();
    let place = Place::new(CHAT);
    let config = format!("[live]\nmodel = \"m-1\"\n{}", provider("local", "openai", &server));
    place.write("nodewise.toml", &config);
    let done = place
        .run(&["run", "flow.liman.yaml", "--start", "desk", "--input", "Hi", "--trust", "--format", "json"])
        .well();
    assert_eq!(server.requests().len(), 2);
    let reason = "the provider `local` answered 503 Service Unavailable";
    assert!(done.err.contains(&format!("{reason}: {{}}; asks again in 0.")), "{}", done.err);
    assert!(done.out.contains("\"retries\":[{\"wait\":"), "{}", done.out);
    check_replay(&place, &done.out);
    let shown = place.run(&["runs", "show", "last"]).well();
    assert!(shown.out.contains("repeats the call, after"), "{}", shown.out);
    assert!(shown.out.contains(reason), "{}", shown.out);
}

/// A payment between two other tools. The first time, the process of the run is killed when the money is paid; with the file
/// `down`, the payment fails instead.
const SHOP: &str = "#- nodewise.toml
[live]
tools.cart = { function = \"shop.cart\" }
tools.pay = { function = \"shop.pay\" }
tools.mail = { function = \"shop.mail\" }
#- shop.py
import os, signal, time
def note(name, key):
    with open('effects.txt', 'a') as file:
        file.write('%s %s\\n' % (name, key.split('/')[1]))
        os.fsync(file.fileno())
    return name
def cart(idempotency_key):
    return note('cart', idempotency_key)
def pay(idempotency_key):
    note('pay', idempotency_key)
    if os.path.exists('down'):
        raise RuntimeError('the bank is down')
    if os.path.exists('crash'):
        os.remove('crash')
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(60)
    return 'paid'
def mail(idempotency_key):
    return note('mail', idempotency_key)
#- flow.yaml
id: flow
name: Flow
description: ''
nodes:
  - {id: a, type: tool, tool_id: cart, tools: [cart], failure_policy: {max_retries: 1}}
  - {id: b, type: tool, tool_id: pay, tools: [pay], failure_policy: {max_retries: 1}}
  - {id: c, type: tool, tool_id: mail, tools: [mail], failure_policy: {max_retries: 1}}
edges: [{source: a, target: b}, {source: b, target: c}]
start_node: a
end_nodes: [c]
";

#[cfg(unix)]
#[test]
fn a_call_has_the_same_key_after_a_crash_and_after_a_failure() {
    if !has_python() {
        return;
    }
    for file in ["crash", "down"] {
        let place = Place::new(SHOP);
        place.write(file, "");
        let first = place.run(&["run", "flow.yaml", "--trust"]);
        assert_ne!(first.code, Some(0), "{first:?}");
        std::fs::remove_file(place.path().join(file)).ok();
        place.run(&["resume", "--trust"]).well();
        assert_eq!(place.read("effects.txt"), "cart 0\npay 1\npay 1\nmail 2\n", "{file}");
    }
}

/// The shop, where a resume does so with a payment that may have had its effect.
fn shop(again: &str, file: &str) -> Place {
    let place = Place::new(&SHOP.replace("shop.pay\" }", &format!("shop.pay\", again = \"{again}\" }}")));
    place.write(file, "");
    let first = place.run(&["run", "flow.yaml", "--trust"]);
    assert_ne!(first.code, Some(0), "{first:?}");
    std::fs::remove_file(place.path().join(file)).ok();
    place
}

/// How the shop's run ends after these options of a resume: what was done, and a part of what the run shows.
#[track_caller]
fn check_resumed(place: &Place, options: &[&str], effects: &str, shown: &str) {
    let done = place.run(&[&["resume", "--trust", "--format", "json"], options].concat());
    assert_eq!(place.read("effects.txt").replace('\n', ", "), effects, "{done:?}");
    assert!(done.out.contains(shown) || done.err.contains(shown), "{done:?}");
    if done.code == Some(0) {
        check_replay(place, &done.out);
    }
}

#[cfg(unix)]
#[test]
fn a_call_is_never_repeated_without_a_person() {
    if !has_python() {
        return;
    }
    for file in ["crash", "down"] {
        let place = shop("never", file);
        let refused = place.run(&["resume", "--trust"]);
        assert_eq!(refused.code, Some(2), "{refused:?}");
        let expected = "the call of the tool `pay` at `b` may have had its effect, and `again = \"never\"` forbids to repeat it\n  \
                    help: find out what it did; then give its result with `nodewise resume --answer b=JSON`, or let it fail \
                    with `--reject b`";
        assert!(refused.err.contains(expected), "{}", refused.err);
        let paid = "cart 0, pay 1, ";
        check_resumed(&place, &["--approve", "b"], paid, "forbids to repeat it");
        check_resumed(&place, &["--answer", "pay=1"], paid, "the call of the tool `pay` at `b` may have had");
        check_resumed(
            &place,
            &["--answer", "b={\"receipt\": 7}"],
            "cart 0, pay 1, mail 2, ",
            "\"value\":{\"receipt\":7}",
        );
        let place = shop("never", file);
        check_resumed(&place, &["--reject"], paid, " s  b: CallNotRepeated");
    }
}

#[cfg(unix)]
#[test]
fn a_person_says_whether_a_call_is_repeated() {
    if !has_python() {
        return;
    }
    let place = shop("ask", "crash");
    let waiting = place.run(&["resume", "--trust"]);
    assert_eq!(waiting.code, Some(1), "{waiting:?}");
    assert!(waiting.err.contains("waits for a decision at `b`"), "{}", waiting.err);
    assert!(
        waiting.err.contains("the call of the tool `pay` may have had its effect. Call it again?"),
        "{}",
        waiting.err
    );
    let list = place.run(&["runs"]).well();
    assert!(list.out.contains("waiting"), "{}", list.out);
    check_resumed(&place, &["--approve"], "cart 0, pay 1, pay 1, mail 2, ", "completed");
    let place = shop("ask", "crash");
    check_resumed(&place, &["--answer", "b=paid"], "cart 0, pay 1, mail 2, ", "completed");
    let place = shop("ask", "crash");
    check_resumed(&place, &["--reject", "b"], "cart 0, pay 1, ", "CallNotRepeated");
    let place = shop("repeat", "crash");
    check_resumed(&place, &["--answer", "b=paid"], "cart 0, pay 1, mail 2, ", "completed");
}

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

//! New runs that begin with the answers of recorded ones, for as long as they ask the same.

use nodewise_test_support::model_server::ModelServer;
use serde_json::{Value as Json, json};

use crate::place::{Done, Place, check_replay, has_python, provider};

/// Two agents and a tool, one after another.
const CHAT: &str = "#- flow.yaml
id: flow
name: Flow
description: ''
nodes:
  - {id: a, type: agent, agent_id: writer, write_keys: ['*']}
  - {id: b, type: agent, agent_id: critic, read_keys: ['*'], write_keys: ['*']}
edges: [{source: a, target: b}]
start_node: a
end_nodes: [b]
---
id: writer
name: Writer
model: m-1
provider: local
system_prompt: Write.
---
id: critic
name: Critic
model: m-1
provider: local
system_prompt: Judge.
";

struct Forking {
    place: Place,
    server: ModelServer,
}

impl Forking {
    /// A project whose models answer by a script.
    fn new(files: &str, script: Json) -> Forking {
        let (place, server) = (Place::new(files), ModelServer::start(script).unwrap());
        let config = place.read("nodewise.toml");
        let config =
            if config.contains("[live]") { config } else { format!("{config}\n[live]\nmodel = \"m-1\"\n") };
        place.write("nodewise.toml", &format!("{config}{}", provider("local", "openai", &server)));
        Forking { place, server }
    }

    fn run(&self, options: &[&str]) -> Done {
        self.place.run(&[&["run", "--trust", "--format", "json"], options].concat())
    }

    /// Begins from a recorded run; so many calls of models are made for it.
    #[track_caller]
    fn fork(&self, options: &[&str], calls: usize) -> Done {
        let before = self.server.requests().len();
        let done = self.run(options).well();
        assert_eq!(self.server.requests().len() - before, calls, "{done:?}");
        check_replay(&self.place, &done.out);
        done
    }

    fn last(&self) -> String {
        let list = self.place.run(&["runs", "--format", "json"]).well();
        let list: Json = serde_json::from_str(&list.out).unwrap();
        list["runs"][0]["id"].as_str().unwrap().to_owned()
    }

    #[track_caller]
    fn check_shown(&self, shown: &str) {
        let done = self.place.run(&["runs", "show", "last"]).well();
        assert_eq!(done.out.lines().next(), Some(shown), "{}", done.out);
    }
}

fn chat() -> Forking {
    let script = json!([
        {"when": "Write.", "text": "First.", "usage": [10, 1], "times": 0},
        {"when": "Judge.", "text": "Second.", "usage": [20, 2], "times": 0},
        {"when": "Judge well.", "text": "Third.", "usage": [30, 3], "times": 0},
    ]);
    Forking::new(CHAT, script)
}

#[test]
fn what_came_before_a_step_is_kept_and_not_paid_for() {
    let chat = chat();
    chat.run(&["flow.yaml"]).well();
    let first = chat.last();
    for step in ["b", "2"] {
        let done = chat.fork(&["--from", &format!("{first}@{step}")], 1);
        let note =
            format!("note: began from {first} with 1 answer of it; from `b` on, everything is asked again");
        assert!(done.err.contains(&note), "{}", done.err);
        chat.check_shown(&format!("began from the run {first} with 1 answer of it, up to `b`"));
    }
    let list = chat.place.run(&["runs", "--format", "json"]).well();
    let list: Json = serde_json::from_str(&list.out).unwrap();
    let tokens = |run: usize| list["runs"][run]["spent"]["input_tokens"].as_f64().unwrap();
    assert_eq!((tokens(0), tokens(2)), (20.0, 30.0), "a new run counts what it paid for itself");
    chat.fork(&["--from", &format!("{first}@a")], 2);
    chat.fork(&["--from", &first], 0);
    chat.check_shown(&format!("began from the run {first} with 2 answers of it"));
    let steps = chat.place.run(&["runs", "show", &first, "--format", "steps"]).well();
    assert_eq!(steps.out, "   1  a\n   2  b\n");
    for (step, what) in [("3", "step 3"), ("0", "step 0"), ("c", "node `c` among its steps")] {
        let wrong = chat.run(&["--from", &format!("{first}@{step}")]);
        assert_eq!(wrong.code, Some(2), "{wrong:?}");
        assert!(wrong.err.contains(&format!("the run `{first}` has no {what}")), "{}", wrong.err);
    }
}

#[test]
fn the_first_question_that_differs_is_asked_again_and_all_after_it() {
    let chat = chat();
    chat.run(&["flow.yaml"]).well();
    let first = chat.last();
    chat.place.write("flow.yaml", &chat.place.read("flow.yaml").replace("Judge.", "Judge well."));
    let done = chat.fork(&["--from", &first], 1);
    let note = "with 1 answer of it; `b` is asked again, because its question differs in `prompt`";
    assert!(done.err.contains(note), "{}", done.err);
    assert!(done.out.contains("Third."), "{}", done.out);
    chat.place.write("flow.yaml", &chat.place.read("flow.yaml").replace("Write.", "Write.  Twice."));
    chat.place.write("flow.yaml", &chat.place.read("flow.yaml").replace("Judge well.", "Judge."));
    let done = chat.fork(&["--from", &first], 2);
    assert!(done.err.contains("with 0 answers of it; `a` is asked again"), "{}", done.err);
    let moved = chat.run(&["--from", &format!("{first}@b"), "--set", "x=1"]);
    let reason = "the state cannot be changed at `b`: the step comes after a question for `a` that differs in `prompt`";
    assert!(moved.err.contains(reason), "{}", moved.err);
}

#[test]
fn the_state_and_the_input_can_be_changed() {
    let chat = chat();
    chat.run(&["flow.yaml", "--input", "{\"topic\": \"tea\"}"]).well();
    let first = chat.last();
    chat.fork(&["--from", &format!("{first}@b"), "--set", "topic=coffee", "--set", "size={\"cups\": 3}"], 1);
    let body = chat.server.requests().last().unwrap().body.to_string();
    assert!(body.contains("coffee") && body.contains("cups") && !body.contains("tea"), "{body}");
    chat.check_shown(&format!(
        "began from the run {first} with 1 answer of it, up to `b`, where `topic` was set to \"coffee\", where `size` was set \
         to {{\"cups\":3}}"
    ));
    let exported = chat.place.run(&["runs", "export", "last"]);
    assert!(exported.err.contains("was changed at a step"), "{}", exported.err);
    // A run from that run has its changes, or its own in their place.
    chat.fork(&["--from", "last"], 0);
    assert!(chat.place.run(&["runs", "show", "last"]).well().out.contains("coffee"));
    chat.fork(&["--from", "last@b", "--set", "topic=milk"], 1);
    let body = chat.server.requests().last().unwrap().body.to_string();
    assert!(body.contains("milk") && !body.contains("coffee"), "{body}");
    let done = chat.fork(&["--from", &first, "--input", "{\"topic\": \"soup\"}"], 1);
    assert!(done.err.contains("`b` is asked again"), "`a` does not read the input: {}", done.err);
    let without = chat.run(&["--from", &first, "--set", "topic=milk"]);
    assert!(without.err.contains("a changed state needs a step"), "{}", without.err);
    let both = chat.run(&["flow.yaml", "--from", &first]);
    assert!(both.err.contains("cannot be used with"), "{}", both.err);
}

#[test]
fn a_run_that_was_stopped_begins_again_with_another_budget() {
    let chat = chat();
    let stopped = chat.run(&["flow.yaml", "--limit-tokens", "5"]);
    assert_eq!(stopped.code, Some(1), "{stopped:?}");
    let first = chat.last();
    chat.fork(&["--from", &first, "--limit-tokens", "1000"], 1);
    let old = chat.place.run(&["runs"]).well();
    let line = old.out.lines().find(|line| line.contains(&first)).unwrap();
    assert!(line.contains("stopped"), "the recorded run stays as it is: {line}");
}

/// A tool that fails while a file is there, between two others; each notes what it does.
const SHOP: &str = "#- nodewise.toml
[live]
tools.cart = { function = \"shop.cart\" }
tools.pay = { function = \"shop.pay\" }
#- shop.py
import os
def note(name):
    with open('effects.txt', 'a') as file:
        file.write(name + ' ')
    return name
def cart(**state):
    return note('cart')
def pay(**state):
    if os.path.exists('down'):
        raise RuntimeError('the bank is down')
    return note('pay')
#- flow.yaml
id: flow
name: Flow
description: ''
nodes:
  - {id: a, type: tool, tool_id: cart, tools: [cart]}
  - {id: b, type: approval, approval_config: {prompt_message: 'Pay it?'}}
  - {id: c, type: tool, tool_id: pay, tools: [pay], failure_policy: {max_retries: 1}}
edges: [{source: a, target: b}, {source: b, target: c}]
start_node: a
end_nodes: [c]
";

#[test]
fn decisions_are_kept_and_a_failed_call_is_made_again() {
    if !has_python() {
        return;
    }
    let shop = Forking::new(SHOP, json!([]));
    shop.place.write("down", "");
    assert_eq!(shop.run(&["flow.yaml"]).code, Some(1));
    let failed = shop.place.run(&["resume", "--trust", "--approve"]);
    assert_eq!(failed.code, Some(1), "{failed:?}");
    let first = shop.last();
    std::fs::remove_file(shop.place.path().join("down")).unwrap();
    let done = shop.fork(&["--from", &first], 0);
    assert!(done.err.contains("with 2 answers of it"), "a tool's and a person's: {}", done.err);
    assert_eq!(shop.place.read("effects.txt"), "cart pay ");
    let waiting = shop.run(&["--from", &format!("{first}@b")]);
    assert!(waiting.err.contains("waits for a decision at `b`"), "{}", waiting.err);
    let done = shop.place.run(&["resume", "--trust", "--approve", "--format", "json"]).well();
    check_replay(&shop.place, &done.out);
    assert_eq!(shop.place.read("effects.txt"), "cart pay pay ");
}

#[test]
fn agentos() {
    if !has_python() {
        return;
    }
    let files = Place::copy("tests/data/stored-runs/0.1/agentos");
    let flow = files.read("flow.yaml");
    let config = "[agentos.external]\ntools = [\"pay\"]\n[live]\nmodel = \"m-1\"\ntools.pay = { function = \"shop.pay\" }\n";
    let flow = flow.split("\n# The same without").next().unwrap();
    let flow =
        format!("#- flow.yaml\n{flow}\n#- shop.py\n{}\n#- nodewise.toml\n{config}", files.read("shop.py"));
    let shop = Forking::new(&flow, json!([{"text": "It is on its way.", "times": 0}]));
    assert_eq!(shop.run(&["flow.yaml", "--as-documented"]).code, Some(1));
    shop.place.run(&["resume", "--trust", "--approve"]).well();
    let first = shop.last();
    let set = ["--from", &format!("{first}@pay"), "--set", "amount=80", "--set", "artifacts.write=Changed."];
    let done = shop.fork(&set, 0);
    for part in
        ["\"key\":\"scratch.amount\",\"value\":80", "\"key\":\"artifacts.write\",\"value\":\"Changed.\""]
    {
        assert!(done.out.contains(part), "{part}: {}", done.out);
    }
    assert_eq!(shop.place.read("paid.txt"), "paid\npaid\n");
    shop.check_shown(&format!(
        "began from the run {first} with 2 answers of it, up to `pay`, where `amount` was set to 80, where `artifacts.write` was \
         set to \"Changed.\""
    ));
    let waiting = shop.run(&["--from", &format!("{first}@review")]);
    assert!(waiting.err.contains("waits for a decision at `review`"), "{}", waiting.err);
    shop.fork(&["--from", &first], 0);
    assert_eq!(shop.place.read("paid.txt"), "paid\npaid\n");
}

#[test]
fn liman() {
    if !has_python() {
        return;
    }
    let files = Place::copy("tests/data/stored-runs/0.1/liman");
    let names =
        std::fs::read_dir(files.path()).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    let name = names.into_iter().find(|name| name.ends_with(".yaml")).unwrap();
    let flow = format!("#- desk.yaml\n{}\n#- shop.py\n{}\n", files.read(&name), files.read("shop.py"));
    let script = json!([
        {"when": "tool_call_id", "text": "It is on its way.", "times": 0},
        {"calls": [{"tool": "pay", "arguments": {"order": "O-1007"}, "id": "call-1"}], "times": 0}
    ]);
    let shop = Forking::new(&flow, script);
    shop.run(&["desk.yaml", "--start", "desk", "--input", "Pay."]).well();
    let first = shop.last();
    let steps = shop.place.run(&["runs", "show", &first, "--format", "steps"]).well();
    assert_eq!(steps.out, "   1  LLMNode/desk\n   2  ToolNode/pay\n   3  LLMNode/desk\n");
    shop.fork(&["--from", &format!("{first}@pay"), "--set", "tier=gold"], 1);
    assert_eq!(shop.place.read("paid.txt"), "paid\npaid\n");
    shop.fork(&["--from", &format!("{first}@3")], 1);
    shop.fork(&["--from", &first], 0);
    assert_eq!(shop.place.read("paid.txt"), "paid\npaid\n");
    shop.place.write("desk.yaml", &shop.place.read("desk.yaml").replace("Pay, then", "Pay once, then"));
    let done = shop.fork(&["--from", &first], 2);
    assert!(done.err.contains("`LLMNode/desk` is asked again"), "{}", done.err);
}

/// Two tools at the same time: one is slow, the other fails while a file is there.
const BESIDE: &str = "#- nodewise.toml
[agentos.external]
tools = [\"slow\", \"fast\"]
[live]
tools.slow = { function = \"shop.slow\" }
tools.fast = { function = \"shop.fast\" }
#- shop.py
import os, time
def note(name):
    with open('effects.txt', 'a') as file:
        file.write(name + ' ')
    return name
def noted():
    try:
        return open('effects.txt').read()
    except FileNotFoundError:
        return ''
def slow():
    while 'fast' not in noted():
        time.sleep(0.01)
    # The other call fails meanwhile; the result is the same if it does not.
    time.sleep(0.2)
    return note('slow')
def fast():
    note('fast')
    if os.path.exists('down'):
        raise RuntimeError('down')
    return 'fast'
#- flow.yaml
id: graph-flow
name: flow
nodes:
  - {id: slow, type: tool, executorConfig: {type: tool, toolName: slow, args: {}}, executionMode: single_turn, effectClass: external, checkpoint: none}
  - {id: fast, type: tool, executorConfig: {type: tool, toolName: fast, args: {}}, executionMode: single_turn, effectClass: external, checkpoint: none}
edges:
  - {id: one, source: __START__, target: slow, type: static}
  - {id: two, source: __START__, target: fast, type: static}
  - {id: three, source: slow, target: __END__, type: static}
  - {id: four, source: fast, target: __END__, type: static}
stateSchema: {input: {}, scratch: {}, artifacts: {}}
reducers: {}
checkpointPolicy: none
memoryConsistency: snapshot
";

#[test]
fn what_was_asked_at_the_same_time_is_kept() {
    if !has_python() {
        return;
    }
    for command in ["run", "resume"] {
        let beside = Forking::new(BESIDE, json!([]));
        beside.place.write("down", "");
        let failed = beside.run(&["flow.yaml"]);
        assert_ne!(failed.code, Some(0), "{failed:?}");
        assert_eq!(beside.place.read("effects.txt"), "fast slow ");
        // A second failure at the same place keeps what was kept.
        let again = beside.place.run(&["resume", "--trust"]);
        assert_ne!(again.code, Some(0), "{again:?}");
        assert_eq!(beside.place.read("effects.txt"), "fast slow fast ");
        std::fs::remove_file(beside.place.path().join("down")).unwrap();
        let from = ["--from", "last"];
        let options = if command == "run" { &from[..] } else { &[] };
        let done = beside.place.run(&[&[command, "--trust", "--format", "json"], options].concat()).well();
        assert_eq!(beside.place.read("effects.txt"), "fast slow fast fast ", "{command}: {done:?}");
        check_replay(&beside.place, &done.out);
    }
}

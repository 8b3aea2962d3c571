//! Live and stored runs in the debugger: `nodewise dap` as editors start it, with a real model server and real tools.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use nodewise_live::trust::{Plan, Trust};
use nodewise_test_support::model_server::ModelServer;
use serde_json::{Value, json};

use crate::debug_protocol::check_message;
use crate::place::{PLANTED, Place, check_replay, has_python, provider};

const FLOW: &str = "#- flow.yaml
id: flow
name: Flow
description: ''
nodes:
  - {id: say, type: agent, agent_id: writer, write_keys: [draft], failure_policy: {max_retries: 1, timeout_ms: 6000}}
  - {id: send, type: agent, agent_id: writer, read_keys: [draft], write_keys: [sent]}
edges: [{source: say, target: send}]
start_node: say
end_nodes: [send]
---
id: writer
name: Writer
model: m-1
provider: local
system_prompt: Write.
";

const WAITING: &str = "#- nodewise.toml
[live]
tools.pay = { function = \"shop.pay\" }
#- shop.py
def pay(**state):
    print('paying')
    return 'paid'
#- flow.yaml
id: flow
name: Flow
description: ''
nodes:
  - {id: ask, type: approval, read_keys: ['*'], approval_config: {prompt_message: 'Pay it?', rejection_node_id: refuse}}
  - {id: pay, type: tool, tool_id: pay, tools: [pay], read_keys: ['*'], write_keys: ['*']}
  - {id: refuse, type: router}
edges: [{source: ask, target: pay}]
start_node: ask
end_nodes: [pay, refuse]
";

/// A project whose models are the server's, and which the user has allowed to call it.
fn place(server: &ModelServer) -> Place {
    let place = Place::new(FLOW);
    place.write("nodewise.toml", &format!("[live]\ntimeout_s = 20\n{}", provider("local", "openai", server)));
    allow(&place);
    place
}

/// Allows what a run of the project would start and call.
fn allow(place: &Place) {
    let plan = place.run(&["run", "flow.yaml", "--dry-run", "--format", "json"]).well();
    let folder = std::fs::canonicalize(place.path()).unwrap();
    let trust = Trust::in_folder(&place.path().join("state/nodewise"));
    trust.give(&folder, &Plan::read(&plan.out).unwrap()).unwrap();
}

/// The adapter, and everything that it said.
struct Adapter {
    child: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    wire: String,
    sent: i64,
    /// The events that nobody asked for yet.
    events: Vec<Value>,
}

/// How long a message is waited for. What does not come by then never will.
const PATIENCE: Duration = Duration::from_secs(60);

impl Adapter {
    fn start(place: &Place) -> Adapter {
        let mut command = place.command(&["dap"]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            loop {
                let mut length = 0;
                loop {
                    let mut line = String::new();
                    if output.read_line(&mut line).unwrap_or(0) == 0 {
                        return;
                    }
                    match line.trim().split_once(": ") {
                        Some((_, number)) => length = number.parse().unwrap(),
                        None => break,
                    }
                }
                let mut body = vec![0; length];
                output.read_exact(&mut body).unwrap();
                if sender.send(serde_json::from_slice(&body).unwrap()).is_err() {
                    return;
                }
            }
        });
        let input = child.stdin.take();
        let mut adapter =
            Adapter { child, input, messages, wire: String::new(), sent: 0, events: Vec::new() };
        adapter.ask("initialize", json!({"adapterID": "nodewise"}));
        adapter
    }

    fn next(&mut self) -> Value {
        let message = self.messages.recv_timeout(PATIENCE).unwrap();
        check_message(&message);
        self.wire.push_str(&message.to_string());
        message
    }

    /// The response to a request.
    fn respond(&mut self, command: &str, arguments: Value) -> Value {
        self.sent += 1;
        let request =
            json!({"seq": self.sent, "type": "request", "command": command, "arguments": arguments});
        let body = request.to_string();
        let input = self.input.as_mut().unwrap();
        write!(input, "Content-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        input.flush().unwrap();
        loop {
            let message = self.next();
            if message["type"] == "response" && message["request_seq"] == self.sent {
                return message;
            }
            self.events.push(message);
        }
    }

    /// The body of the response to a request that succeeds.
    #[track_caller]
    fn ask(&mut self, command: &str, arguments: Value) -> Value {
        let response = self.respond(command, arguments);
        assert_eq!(response["success"], true, "{response}");
        response["body"].clone()
    }

    /// The next event of a name. Events before it are dropped.
    fn event(&mut self, name: &str) -> Value {
        loop {
            let event = if self.events.is_empty() { self.next() } else { self.events.remove(0) };
            if event["event"] == name {
                return event["body"].clone();
            }
        }
    }

    /// The reason and the description of the next stop.
    fn stop(&mut self) -> (String, String) {
        let body = self.event("stopped");
        let text = |key: &str| body[key].as_str().unwrap_or_default().to_owned();
        (text("reason"), text("description"))
    }

    fn go(&mut self, command: &str) {
        self.ask(command, json!({"threadId": 1}));
    }

    fn begin(&mut self, command: &str, configuration: Value) {
        self.ask(command, configuration);
        self.event("initialized");
        self.ask("configurationDone", Value::Null);
    }

    /// What the console answers.
    fn say(&mut self, text: &str) -> String {
        let body = self.ask("evaluate", json!({"expression": text, "context": "repl"}));
        body["result"].as_str().unwrap().to_owned()
    }

    /// Gives the question at the top of the stack an answer.
    fn answer(&mut self, value: &str) {
        let frames = self.ask("stackTrace", json!({"threadId": 1}));
        let frame = frames["stackFrames"][0]["id"].clone();
        self.ask("setExpression", json!({"expression": "answer", "value": value, "frameId": frame}));
    }

    fn end(mut self) -> String {
        self.ask("disconnect", json!({}));
        drop(self.input.take());
        assert!(self.child.wait().unwrap().success());
        self.wire.clone()
    }
}

impl Drop for Adapter {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

fn answers() -> Value {
    json!([{"text": "Dear all.", "times": 0}])
}

#[test]
fn a_question_is_held_until_the_user_continues() {
    let server = ModelServer::start(answers()).unwrap();
    let place = place(&server);
    let mut adapter = Adapter::start(&place);
    adapter.begin("launch", json!({"program": "flow.yaml", "live": true, "breakOnAsk": "all"}));
    assert_eq!(adapter.stop(), ("breakpoint".into(), "say: asks model of writer: breakpoint, hit 1".into()));
    assert_eq!(server.requests().len(), 0, "nothing is asked before the user continues");
    // A step back and forth asks nothing either.
    adapter.go("stepBack");
    adapter.stop();
    adapter.go("next");
    adapter.stop();
    assert_eq!(server.requests().len(), 0);
    adapter.go("continue");
    assert_eq!(adapter.stop().1, "send: asks model of writer: breakpoint, hit 2");
    assert_eq!(server.requests().len(), 1);
    adapter.go("continue");
    assert_eq!(adapter.stop(), ("end".into(), "completed".into()));
    assert_eq!(server.requests().len(), 2);
    adapter.go("continue");
    assert_eq!(adapter.event("exited")["exitCode"], 0);
    let wire = adapter.end();
    assert!(!wire.contains(PLANTED), "a key is in a message");
    let trace = place.run(&["runs", "replay", "last", "--format", "json"]).well();
    check_replay(&place, &trace.out);
}

#[test]
fn the_clock_stands_while_a_run_is_held() {
    let server = ModelServer::start(answers()).unwrap();
    let place = place(&server);
    let mut adapter = Adapter::start(&place);
    adapter.begin("launch", json!({"program": "flow.yaml", "live": true, "breakOnAsk": "all"}));
    adapter.stop();
    // Longer than the time limit of the node. The limit is long enough for a computer whose cores and disk are busy.
    std::thread::sleep(Duration::from_secs(8));
    adapter.answer("From the debugger.");
    adapter.go("continue");
    assert_eq!(adapter.stop().1, "send: asks model of writer: breakpoint, hit 2");
    assert_eq!(adapter.say("draft"), "\"From the debugger.\"");
    let requests = server.requests();
    assert!(requests.is_empty(), "the user answered, not the model: {requests:?}");
    adapter.go("continue");
    assert_eq!(adapter.stop().1, "completed");
    adapter.end();
}

#[test]
fn a_killed_adapter_leaves_a_run_that_can_be_resumed() {
    let server = ModelServer::start(answers()).unwrap();
    let place = place(&server);
    let mut adapter = Adapter::start(&place);
    adapter.begin("launch", json!({"program": "flow.yaml", "live": true, "breakOnAsk": "all"}));
    adapter.stop();
    adapter.go("continue");
    adapter.stop();
    adapter.child.kill().unwrap();
    adapter.child.wait().unwrap();
    assert_eq!(server.requests().len(), 1);
    let resumed = place.run(&["resume", "last", "--trust", "--format", "json", "--no-progress"]).well();
    assert_eq!(server.requests().len(), 2, "what was held is asked, and nothing else is asked again");
    assert!(!resumed.err.contains("again"), "{}", resumed.err);
    check_replay(&place, &resumed.out);
    // The log of a run that nobody disturbed is the same, but for its times.
    let alone = place.run(&["run", "flow.yaml", "--trust", "--format", "json", "--no-progress"]).well();
    assert_eq!(without_times(&resumed.out), without_times(&alone.out));
}

/// The events of a trace without what a clock decides.
fn without_times(trace: &str) -> Vec<Value> {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(members) => {
                for key in
                    ["at", "after", "begun", "ended", "now", "duration_ms", "completed_at", "updated_at"]
                {
                    members.shift_remove(key);
                }
                members.values_mut().for_each(strip);
            }
            Value::Array(items) => items.iter_mut().for_each(strip),
            _ => {}
        }
    }
    let trace: Value = serde_json::from_str(trace).unwrap();
    let mut events = trace["events"].as_array().unwrap().clone();
    events.iter_mut().for_each(strip);
    events
}

#[test]
fn a_client_that_leaves_interrupts_the_run() {
    let server = ModelServer::start(answers()).unwrap();
    for leaves_orderly in [true, false] {
        let place = place(&server);
        let mut adapter = Adapter::start(&place);
        adapter.begin("launch", json!({"program": "flow.yaml", "live": true, "breakOnAsk": "all"}));
        adapter.stop();
        match leaves_orderly {
            true => drop(adapter.end()),
            false => {
                drop(adapter.input.take());
                assert_eq!(adapter.child.wait().unwrap().code(), Some(1));
            }
        }
        let runs = place.run(&["runs", "--format", "json"]).well();
        assert!(runs.out.contains("\"interrupted\""), "{}", runs.out);
        // It goes on in the debugger, where its record ends.
        let mut adapter = Adapter::start(&place);
        adapter.begin("attach", json!({"goOn": true, "breakOnAsk": "all"}));
        assert_eq!(adapter.stop().1, "say: asks model of writer: breakpoint, hit 1");
        // A second client cannot drive it, and can follow it.
        let mut other = Adapter::start(&place);
        let refused = other.respond("attach", json!({"run": "last", "goOn": true}));
        assert_eq!(refused["message"], "driven", "{refused}");
        other.begin("attach", json!({"run": "last", "stopOnEntry": true}));
        assert_eq!(other.stop().0, "entry");
        other.go("next");
        assert_eq!(other.stop().1, "say");
        let decided = other.respond("evaluate", json!({"expression": ".decide approved", "context": "repl"}));
        assert_eq!(decided["success"], false, "{decided}");
        // The next node begins when the first client lets the run continue.
        other.go("next");
        adapter.go("continue");
        adapter.stop();
        assert_eq!(other.stop().1, "say: -> send");
        other.go("stepBack");
        assert_eq!(other.stop().1, "say");
        other.go("continue");
        adapter.go("continue");
        assert_eq!(adapter.stop().1, "completed");
        assert_eq!(other.stop(), ("end".to_owned(), "completed".to_owned()));
        other.end();
        adapter.end();
    }
}

#[test]
fn a_stored_run_is_walked_through_and_forked() {
    let server =
        ModelServer::start(json!([{"text": "First.", "times": 1}, {"text": "Second.", "times": 0}])).unwrap();
    let place = place(&server);
    let live = place.run(&["run", "flow.yaml", "--trust", "--format", "json", "--no-progress"]).well();
    // The files are those of the run, whatever became of them.
    place.write("flow.yaml", "id: other\n");
    let mut adapter = Adapter::start(&place);
    adapter.ask("attach", json!({"run": "last"}));
    let set = adapter.ask("setFunctionBreakpoints", json!({"breakpoints": [{"name": "send"}]}));
    assert_eq!(set["breakpoints"][0]["verified"], true, "{set}");
    adapter.ask("configurationDone", Value::Null);
    assert_eq!(adapter.stop().1, "send: breakpoint, hit 1");
    assert_eq!(adapter.say("draft"), "\"First.\"");
    let frames = adapter.ask("stackTrace", json!({"threadId": 1}));
    let source = &frames["stackFrames"][0]["source"];
    assert_eq!(source["origin"], "as it was when the run began", "{source}");
    let text = adapter.ask("source", json!({"sourceReference": source["sourceReference"]}));
    assert!(text["content"].as_str().unwrap().contains("agent_id: writer"), "{text}");
    adapter.go("reverseContinue");
    assert_eq!(adapter.stop().0, "entry");
    adapter.ask("setFunctionBreakpoints", json!({"breakpoints": []}));
    adapter.go("continue");
    assert_eq!(adapter.stop(), ("end".into(), "completed".into()));
    assert_eq!(adapter.say(".trace walked.json"), format!("saved `{}`", adapter_path(&place, "walked.json")));
    assert_eq!(place.read("walked.json"), live.out);
    // Another answer is a simulation: the server is not asked.
    let asked = server.requests().len();
    adapter.ask("setFunctionBreakpoints", json!({"breakpoints": [{"name": "agent:writer"}]}));
    adapter.go("reverseContinue");
    assert_eq!(adapter.stop().1, "send: asks model of writer: breakpoint, hit 2");
    adapter.answer("Another one.");
    adapter.ask("setFunctionBreakpoints", json!({"breakpoints": []}));
    adapter.go("continue");
    assert_eq!(adapter.stop().1, "completed");
    assert_eq!(adapter.say("sent"), "\"Another one.\"");
    assert_eq!(server.requests().len(), asked);
    adapter.end();
}

fn adapter_path(place: &Place, file: &str) -> String {
    place.path().join(file).display().to_string()
}

#[test]
fn a_decision_continues_a_run_that_waits() {
    if !has_python() {
        return;
    }
    let place = Place::new(WAITING);
    allow(&place);
    let mut adapter = Adapter::start(&place);
    adapter.begin("launch", json!({"program": "flow.yaml", "live": true}));
    assert_eq!(adapter.stop().0, "decision");
    assert!(place.run(&["runs"]).well().out.contains("waiting"));
    assert_eq!(adapter.say(".decide approved"), "the run continues with `approved`");
    let printed = adapter.event("output");
    assert_eq!(adapter.stop(), ("end".into(), "completed".into()), "{printed}");
    adapter.end();
    let shown = place.run(&["runs", "show", "last"]).well();
    assert!(shown.out.contains("completed"), "{}", shown.out);
}

#[test]
fn a_stored_run_that_waits_is_decided_as_a_simulation() {
    if !has_python() {
        return;
    }
    let place = Place::new(WAITING);
    place.run(&["run", "flow.yaml", "--trust", "--no-progress"]);
    let mut adapter = Adapter::start(&place);
    adapter.begin("attach", json!({"run": "last"}));
    assert_eq!(adapter.stop().0, "decision");
    assert_eq!(adapter.say(".decide rejected"), "a new branch begins here");
    adapter.go("continue");
    assert_eq!(adapter.stop(), ("end".into(), "completed".into()));
    adapter.end();
    assert!(place.run(&["runs"]).well().out.contains("waiting"), "the stored run still waits");
}

#[test]
fn nothing_starts_in_the_debugger_that_nobody_allowed() {
    let place = Place::new(WAITING);
    let mut adapter = Adapter::start(&place);
    let refused = adapter.respond("launch", json!({"program": "flow.yaml", "live": true}));
    assert_eq!(refused["message"], "notAllowed", "{refused}");
    let text = refused["body"]["error"]["variables"]["text"].as_str().unwrap();
    assert!(text.contains("shop.pay") && text.contains("`nodewise run flow.yaml`"), "{text}");
    assert!(!place.path().join(".nodewise").exists());
    adapter.end();
}

#[test]
fn a_trace_is_walked_through() {
    let place = Place::new(FLOW);
    let trace = place.run(&["simulate", "flow.yaml", "--format", "json", "--seed", "7"]).well();
    place.write("run.json", &trace.out);
    let mut adapter = Adapter::start(&place);
    adapter.begin("launch", json!({"program": "flow.yaml", "trace": "run.json"}));
    assert_eq!(adapter.stop(), ("end".into(), "completed".into()));
    adapter.say(".trace again.json");
    assert_eq!(place.read("again.json"), trace.out);
    assert!(!adapter.wire.contains("have changed"), "{}", adapter.wire);
    adapter.end();
    // Of other files, the difference is reported.
    place.write("flow.yaml", &place.read("flow.yaml").replace("start_node: say", "start_node: send"));
    let mut adapter = Adapter::start(&place);
    adapter.begin("launch", json!({"program": "flow.yaml", "trace": "run.json"}));
    adapter.stop();
    assert!(
        adapter.wire.contains("The files have changed since `run.json` was recorded"),
        "{}",
        adapter.wire
    );
    adapter.end();
}

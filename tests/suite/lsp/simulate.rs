//! Graphs that run dry over the wire: lenses, the command behind them, progress, and runs that are stopped.

use serde_json::{Value, json};

use crate::lsp::client::{Folder, Server};

const FLOW: &str = "\
id: flow
nodes:
  - {id: ask, executorConfig: {type: tool, toolName: x}}
  - {id: tell, executorConfig: {type: tool, toolName: x}}
edges:
  - {id: a, source: __START__, target: ask, type: static}
  - {id: b, source: ask, target: tell, type: static}
  - {id: c, source: tell, target: __END__, type: static}
";
const SCENARIO: &str = "\
scenario: Somebody asks.
file: flow.yaml
expect: {status: completed}
";
/// An agent that writes.
const CLAIMS: &str = "\
id: claims
name: Claims
description: ''
nodes:
  - {id: write, type: agent, agent_id: writer, read_keys: ['*'], write_keys: [letter]}
  - {id: close, type: router}
edges:
  - {source: write, target: close}
start_node: write
end_nodes: [close]
";
/// An agent of nodes.
const DESK: &str = "\
kind: LLMNode
name: desk
prompts: {system: {en: Help.}}
nodes: [close]
---
kind: LLMNode
name: close
prompts: {system: {en: Say goodbye.}}
---
kind: ToolNode
name: look
description: {en: Looks it up.}
func: programs.look
";
/// A loop without an end.
const LOOP: &str = "\
id: loop
name: Loop
description: ''
nodes:
  - {id: a, type: router}
edges: [{source: a, target: a}]
start_node: a
end_nodes: []
";
/// A program that lets it run.
const PATIENT: &str = "\
script: What has no end.
host: {max_iterations: 1000000000000}
";
const REQUEST_CANCELLED: i64 = -32800;
const REQUEST_FAILED: i64 = -32803;

fn served() -> (Folder, Server) {
    let files = [
        ("flow.yaml", FLOW),
        ("flow.scenario.yaml", SCENARIO),
        ("loop.yaml", LOOP),
        ("loop.script.yaml", PATIENT),
        ("claims.yaml", CLAIMS),
        ("desk/nodewise.toml", ""),
        ("desk/desk.yaml", DESK),
    ];
    let folder = Folder::new(&files);
    let mut server = Server::open_folder(&folder);
    server.wait_until_read();
    (folder, server)
}

fn simulation(argument: &Value) -> Value {
    json!({"command": "nodewise.simulate", "arguments": [argument]})
}

/// What the lenses that run something offer, with the nodes that their runs visit.
fn runs(server: &mut Server, uri: &str) -> Vec<String> {
    let lenses = server.result("textDocument/codeLens", json!({"textDocument": {"uri": uri}}));
    let mut shown = Vec::new();
    for lens in lenses.as_array().unwrap() {
        let command = &lens["command"];
        if command["command"] != "nodewise.simulate" {
            continue;
        }
        let title = command["title"].as_str().unwrap();
        let wanted = json!({"command": command["command"], "arguments": command["arguments"]});
        let answer = server.result("workspace/executeCommand", wanted);
        assert_eq!(answer["trace"]["outcome"]["status"], "completed", "{answer}");
        assert!(answer["text"].as_str().unwrap().contains("tell"));
        check_lines(&answer);
        let (_, message) = server.wait("a message", |message| message["method"] == "window/showMessage");
        assert_eq!(message["params"]["message"], answer["summary"]);
        shown.push(format!("{title}: {}", answer["summary"].as_str().unwrap()));
    }
    shown
}

/// Each line of the timeline has its event: the title none, the head of a visit its beginning, the end the last.
fn check_lines(answer: &Value) {
    let text: Vec<&str> = answer["text"].as_str().unwrap().lines().collect();
    let (lines, events) =
        (answer["lines"].as_array().unwrap(), answer["trace"]["events"].as_array().unwrap());
    assert_eq!(lines.len(), text.len());
    assert_eq!((&lines[0], lines.last().unwrap()), (&Value::Null, &json!(events.len() - 1)));
    let head = text.iter().position(|line| line.contains(" 0 ms  ")).unwrap();
    assert_eq!(events[lines[head].as_u64().unwrap() as usize]["event"], "visit-started", "{}", text[head]);
}

#[test]
fn lenses_run_graphs_nodes_and_scenarios() {
    let (folder, mut server) = served();
    assert_eq!(
        runs(&mut server, &folder.uri("flow.yaml")),
        [
            "Simulate graph: graph `flow`: completed in 2 steps · 0 ms · no script: answers are made up",
            "Simulate from here: graph `flow`: completed in 2 steps · 0 ms · no script: answers are made up",
            "Run node: graph `flow`: completed in 1 step · 0 ms · no script: answers are made up",
            "Simulate from here: graph `flow`: completed in 1 step · 0 ms · no script: answers are made up",
            "Run node: graph `flow`: completed in 1 step · 0 ms · no script: answers are made up",
        ]
    );
    assert_eq!(
        runs(&mut server, &folder.uri("flow.scenario.yaml")),
        ["Run scenario: Somebody asks: passed, completed in 2 steps · 0 ms"]
    );
}

#[test]
fn nodes_of_each_system_run_alone() {
    let (folder, mut server) = served();
    let mut alone = |file: &str, node: &str| {
        let argument = json!({"uri": folder.uri(file), "node": node, "only": true, "memory": {"k": 1}});
        let answer = server.result("workspace/executeCommand", simulation(&argument));
        let events = answer["trace"]["events"].as_array().unwrap();
        let of = |name: &str| events.iter().filter(|event| event["event"] == name).collect::<Vec<_>>();
        let visited: Vec<&Value> = of("visit-started").iter().map(|event| &event["node"]).collect();
        assert_eq!(visited, [node], "{answer}");
        let edges = of("edge-judged");
        let targets: Vec<&str> = edges.iter().map(|edge| edge["target"].as_str().unwrap()).collect();
        format!("{} -> {}", answer["summary"].as_str().unwrap(), targets.join(", "))
    };
    assert_eq!(
        alone("flow.yaml", "ask"),
        "graph `flow`: completed in 1 step · 0 ms · no script: answers are made up -> tell"
    );
    assert_eq!(alone("loop.yaml", "a"), "graph `Loop`: completed in 1 step · 0 ms -> a");
    assert_eq!(
        alone("desk/desk.yaml", "LLMNode/desk"),
        "agent of `LLMNode/desk`: completed in 1 step · 0 ms · no script: answers are made up -> LLMNode/close"
    );
    assert_eq!(
        alone("desk/desk.yaml", "ToolNode/look"),
        "agent of `ToolNode/look`: completed in 1 step · 0 ms · no script: answers are made up -> "
    );
}

#[test]
fn lenses_show_how_the_last_run_ended_until_the_text_changes() {
    let (folder, mut server) = served();
    let uri = folder.uri("flow.yaml");
    server.open(&uri, 1, FLOW);
    let titles = |server: &mut Server| -> Vec<String> {
        let lenses = server.result("textDocument/codeLens", json!({"textDocument": {"uri": uri}}));
        let titles = lenses.as_array().unwrap().iter().filter_map(|lens| lens["command"]["title"].as_str());
        titles.filter(|title| title.contains('·')).map(str::to_owned).collect()
    };
    assert!(titles(&mut server).is_empty());
    server.result("workspace/executeCommand", simulation(&json!({"uri": uri, "graph": "flow"})));
    assert_eq!(
        titles(&mut server),
        ["Simulate graph · completed in 2 steps · 0 ms · no script: answers are made up"]
    );
    server.result(
        "workspace/executeCommand",
        simulation(&json!({"uri": uri, "graph": "flow", "node": "tell"})),
    );
    assert_eq!(
        titles(&mut server),
        ["Simulate from here · completed in 1 step · 0 ms · no script: answers are made up"]
    );
    server.replace(&uri, 2, &format!("{FLOW}# edited\n"));
    assert!(titles(&mut server).is_empty());
}

#[test]
fn lenses_are_asked_for_again_when_they_say_something_else_and_once_each_time() {
    let folder = Folder::new(&[("flow.yaml", FLOW)]);
    let refreshes = json!({"workspace": {"codeLens": {"refreshSupport": true}}});
    let mut server = Server::open_folder_with(&folder, refreshes, json!({}));
    server.wait_until_read();
    let uri = folder.uri("flow.yaml");
    server.open(&uri, 1, FLOW);
    let count = |server: &Server| {
        server.asked.iter().filter(|asked| asked["method"] == "workspace/codeLens/refresh").count()
    };
    // What the server asks and what it answers come in no order: the count is right in the end.
    let come_to = |server: &mut Server, wanted: usize| {
        server.wait_until(&format!("lenses are asked for {wanted} times"), |server| {
            server.command("nodewise.status");
            count(server) >= wanted
        });
    };
    come_to(&mut server, 1);
    let before = count(&server);
    // A run takes the place of the one before, which is one change of what lenses say, not two.
    for run in 1..=3 {
        server.result("workspace/executeCommand", simulation(&json!({"uri": uri, "graph": "flow"})));
        come_to(&mut server, before + run);
    }
    assert_eq!(count(&server), before + 3);
    // After an edit the client asks by itself; what goes is reported once.
    server.replace(&uri, 2, &format!("{FLOW}# edited\n"));
    come_to(&mut server, before + 4);
    server.replace(&uri, 3, FLOW);
    folder.write("more.yaml", "kind: LLMNode\nname: planner\n");
    let change = json!({"uri": folder.uri("more.yaml"), "type": 1});
    server.notify("workspace/didChangeWatchedFiles", json!({"changes": [change]}));
    come_to(&mut server, before + 5);
    assert_eq!(count(&server), before + 5);
}

#[test]
fn what_a_scenario_expects_is_checked_and_reported_at_its_line() {
    let (folder, mut server) = served();
    let uri = folder.uri("wrong.scenario.yaml");
    let wrong =
        "scenario: Nobody tells.\nfile: flow.yaml\nexpect:\n  path: {excludes: [tell]}\n  status: failed\n";
    server.open(&uri, 1, wrong);
    server.diagnostics(&uri, Some(1));
    let answer = server.result("workspace/executeCommand", simulation(&json!({"uri": uri})));
    assert_eq!(answer["scenario"]["passed"], false);
    let mismatches = answer["scenario"]["mismatches"].as_array().unwrap();
    let lines: Vec<&Value> =
        mismatches.iter().map(|one| &one["location"]["range"]["start"]["line"]).collect();
    assert_eq!(lines, [4, 3]);
    assert_eq!(mismatches[1]["node"]["uri"], folder.uri("flow.yaml"));
    let published = server.published(&uri, Some(1));
    let sources: Vec<&Value> =
        published["diagnostics"].as_array().unwrap().iter().map(|one| &one["source"]).collect();
    assert_eq!(sources, ["nodewise simulate", "nodewise simulate"]);
    assert_eq!(
        crate::lsp::client::shown(&published["diagnostics"]),
        "4:10: - the run ended as completed, expected failed\n3:20: - `tell` was visited after `ask`\n"
    );
    // What is wrong goes with the next edit, also of the graph.
    let flow = folder.uri("flow.yaml");
    server.open(&flow, 1, FLOW);
    server.replace(&flow, 2, &format!("{FLOW}# edited\n"));
    assert_eq!(server.diagnostics(&uri, Some(1)), "");
}

#[test]
fn failed_visits_are_reported_until_a_user_clears_them() {
    let (folder, mut server) = served();
    let uri = folder.uri("broken.yaml");
    let broken =
        LOOP.replace("{id: a, type: router}", "{id: a, type: tool, tool_id: x}").replace("loop", "broken");
    server.open(&uri, 1, &broken);
    let before = server.diagnostics(&uri, Some(1));
    server.result("workspace/executeCommand", simulation(&json!({"uri": uri})));
    let after = server.diagnostics(&uri, Some(1));
    assert_eq!(after.lines().count(), before.lines().count() + 1, "{after}");
    assert!(after.contains("4:9: - NodeConfigError: tool node"), "{after}");
    server.result(
        "workspace/executeCommand",
        json!({"command": "nodewise.clearRun", "arguments": [{"uri": uri}]}),
    );
    assert_eq!(server.diagnostics(&uri, Some(1)), before);
}

#[test]
fn clients_that_show_runs_get_what_to_paint() {
    let files = [("flow.yaml", FLOW), ("flow.scenario.yaml", SCENARIO)];
    let folder = Folder::new(&files);
    for shows in [false, true] {
        let capabilities = json!({"experimental": {"nodewiseSimulated": shows}});
        let mut server = Server::open_folder_with(&folder, capabilities, json!({}));
        server.wait_until_read();
        let uri = folder.uri("flow.yaml");
        server.open(&uri, 7, FLOW);
        let wanted = json!({"uri": uri, "graph": "flow"});
        let answer = server.result("workspace/executeCommand", simulation(&wanted));
        server.command("nodewise.status");
        if !shows {
            assert!(server.drain("nodewise/simulated").is_empty());
            continue;
        }
        let notice = server.drain("nodewise/simulated").pop().unwrap().1["params"].clone();
        assert_eq!((&notice["trace"], &notice["status"]), (&answer["id"], &json!("completed")));
        let file = &notice["files"][0];
        assert_eq!((&file["uri"], &file["version"]), (&json!(uri), &json!(7)));
        let visits: Vec<(&Value, &Value)> =
            file["nodes"].as_array().unwrap().iter().map(|node| (&node["label"], &node["visits"])).collect();
        assert_eq!(visits, [(&json!("ask"), &json!(1)), (&json!("tell"), &json!(1))]);
        assert_eq!(file["edges"][0]["followed"], 1);
        let lines: Vec<&Value> = file["lines"].as_array().unwrap().iter().map(|one| &one["line"]).collect();
        assert_eq!(lines, [2, 3, 5, 6, 7]);
        assert_eq!(file["failures"], json!([]));
        server.replace(&uri, 8, &format!("{FLOW}# edited\n"));
        server.command("nodewise.status");
        let cleared = server.drain("nodewise/simulated").pop().unwrap().1["params"].clone();
        assert_eq!((&cleared["trace"], &cleared["files"][0]["nodes"]), (&Value::Null, &json!([])));
    }
}

#[test]
fn traces_have_locations_states_and_forks() {
    let (folder, mut server) = served();
    let uri = folder.uri("claims.yaml");
    let script = "script: What is answered.\nagents:\n  writer: [{text: yes}]\n";
    let wanted = json!({"uri": uri, "script": {"text": script}, "memory": {"letter": "old"}});
    let answer = server.result("workspace/executeCommand", simulation(&wanted));
    let events = answer["trace"]["events"].as_array().unwrap().clone();
    let position = |name: &str| events.iter().position(|event| event["event"] == name).unwrap();
    let locations = &answer["trace"]["locations"];
    let location =
        |event: &Value| locations[usize::try_from(event["location"].as_u64().unwrap()).unwrap()].clone();
    let visit = location(&events[position("visit-started")]);
    assert_eq!((&visit["uri"], &visit["range"]["start"]["line"]), (&json!(uri), &json!(4)));
    let edge = location(&events[position("edge-judged")]);
    assert_eq!(edge["range"]["start"]["line"], 7);
    let edges = answer["trace"]["graphs"][0]["edges"].as_array().unwrap();
    assert!(edges.iter().all(|edge| edge["location"].is_u64()), "{edges:?}");

    let mut state = |event: usize| {
        let point = json!({"trace": answer["id"], "event": event});
        server
            .result("workspace/executeCommand", json!({"command": "nodewise.stateAt", "arguments": [point]}))
    };
    let wrote = events.iter().position(|event| event["key"] == "letter").unwrap();
    let before = state(wrote - 1);
    assert_eq!((&before["graphs"][0]["state"]["letter"], &before["changes"]), (&json!("old"), &json!([])));
    let after = state(wrote);
    let change = json!([{"scope": 0, "key": "letter", "before": "old", "after": "yes"}]);
    assert_eq!((&after["graphs"][0]["state"]["letter"], &after["changes"]), (&json!("yes"), &change));
    assert_eq!(after["visit"], events[wrote]["visit"]);

    let answered = position("answered");
    let mut other = events[answered]["answer"].clone();
    other["reply"]["text"] = json!("no");
    let fork = json!({"fork": {"trace": answer["id"], "event": answered, "answer": other}});
    let forked = server.result("workspace/executeCommand", simulation(&fork));
    let changed = forked["trace"]["events"].as_array().unwrap();
    assert_eq!(changed[..answered], events[..answered]);
    assert_eq!(changed[wrote]["value"], "no");
    assert_ne!(forked["id"], answer["id"]);
    let same = json!({"fork": {"trace": answer["id"], "event": answered}});
    let same = server.result("workspace/executeCommand", simulation(&same));
    assert_eq!(same["trace"]["events"], answer["trace"]["events"]);

    let mut refused = |command: &str, argument: Value| {
        let wanted = json!({"command": command, "arguments": [argument]});
        server.request("workspace/executeCommand", wanted)["error"]["message"].as_str().unwrap().to_owned()
    };
    let gone = refused("nodewise.stateAt", json!({"trace": "99", "event": 0}));
    assert_eq!(gone, "the trace `99` is no longer available");
    let past = refused("nodewise.stateAt", json!({"trace": answer["id"], "event": 9999}));
    assert!(past.ends_with("events, so there is no event 9999"), "{past}");
    let odd = refused("nodewise.simulate", json!({"fork": {"trace": answer["id"], "event": 0, "answer": 1}}));
    assert_eq!(odd, "the event is neither an answer nor a decision");
}

#[test]
fn scenarios_of_a_file_are_tested_together() {
    let (folder, mut server) = served();
    let uri = folder.uri("more.scenario.yaml");
    let more = "scenario: It ends.\nfile: flow.yaml\n---\nscenario: It fails.\nfile: flow.yaml\nexpect:\n  status: failed\n---\nscenario: Nothing.\nfile: nothing.yaml\n";
    server.open(&uri, 1, more);
    server.diagnostics(&uri, Some(1));
    let test = |uri: Option<&str>| json!({"command": "nodewise.test", "arguments": [{"uri": uri}]});
    let answer = server.result("workspace/executeCommand", test(Some(&uri)));
    assert_eq!((&answer["passed"], &answer["failed"], &answer["broken"]), (&json!(1), &json!(1), &json!(1)));
    let flow = answer["files"].as_array().unwrap().iter().find(|file| file["uri"] == folder.uri("flow.yaml"));
    assert_eq!(flow.unwrap()["lines"][0], json!({"line": 2, "hits": 2}));
    let published = server.diagnostics(&uri, Some(1));
    assert!(published.contains("6:10: - the run ended as completed, expected failed"), "{published}");
    assert!(published.contains("8:0: - the scenario cannot run: "), "{published}");
    let all = server.result("workspace/executeCommand", test(None));
    assert_eq!((&all["passed"], &all["failed"], &all["broken"]), (&json!(2), &json!(1), &json!(1)));
}

#[test]
fn what_cannot_run_says_why() {
    let (folder, mut server) = served();
    let mut refused = |argument: Value| {
        let error = server.request("workspace/executeCommand", simulation(&argument))["error"].clone();
        assert_eq!(error["code"], REQUEST_FAILED, "{error}");
        error["message"].as_str().unwrap().to_owned()
    };
    let uri = folder.uri("flow.yaml");
    let unknown = refused(json!({"uri": uri, "graph": "flwo"}));
    assert_eq!(unknown, "no graph has the id `flwo`\n  help: there are graphs `flow`");
    assert_eq!(refused(json!({"uri": uri, "scenario": 7})), "the file has no scenario with this index");
    let no_script = refused(json!({"uri": uri, "script": folder.uri("loop.yaml")}));
    assert_eq!(no_script, "the file is not a script");
}

#[test]
fn long_runs_are_stopped_and_hold_up_nothing() {
    let (folder, mut server) = served();
    let uri = folder.uri("loop.yaml");
    let endless = json!({
        "uri": uri, "script": folder.uri("loop.script.yaml"),
        "limits": {"visits": 1e12, "timeMs": 1e15, "events": 1e12},
    });
    for by_token in [false, true] {
        let mut wanted = simulation(&endless);
        wanted["workDoneToken"] = json!("run");
        let id = server.ask("workspace/executeCommand", wanted);
        server.wait("progress", |message| {
            message["method"] == "$/progress" && message["params"]["value"]["kind"] == "report"
        });
        let text = format!("{LOOP}# edited\n");
        server.open(&uri, 1, &text);
        assert_eq!(server.text(&uri), text);
        assert!(!server.has_answer(id));
        if by_token {
            server.notify("window/workDoneProgress/cancel", json!({"token": "run"}));
        } else {
            server.notify("$/cancelRequest", json!({"id": id}));
        }
        assert_eq!(server.answer(id)["error"]["code"], REQUEST_CANCELLED);
        server.wait("the end", |message| {
            message["method"] == "$/progress" && message["params"]["value"]["kind"] == "end"
        });
        server.drain("$/progress");
        server.notify("textDocument/didClose", json!({"textDocument": {"uri": uri}}));
    }
}

fn endless(folder: &Folder) -> Value {
    simulation(&json!({
        "uri": folder.uri("loop.yaml"), "script": folder.uri("loop.script.yaml"),
        "limits": {"visits": 1e12, "timeMs": 1e15, "events": 1e12},
    }))
}

#[test]
fn long_runs_are_shown_and_stopped_without_a_token_of_the_client() {
    let folder = Folder::new(&[("loop.yaml", LOOP), ("loop.script.yaml", PATIENT)]);
    let capabilities = json!({"window": {"workDoneProgress": true}});
    let mut server = Server::open_folder_with(&folder, capabilities, json!({}));
    server.wait_until_read();
    let id = server.ask("workspace/executeCommand", endless(&folder));
    let (_, begun) = server.wait("progress", |message| {
        message["method"] == "$/progress" && message["params"]["value"]["title"] == "Simulating"
    });
    assert_eq!(begun["params"]["value"]["cancellable"], true);
    let token = begun["params"]["token"].clone();
    server.notify("window/workDoneProgress/cancel", json!({"token": token}));
    assert_eq!(server.answer(id)["error"]["code"], REQUEST_CANCELLED);
    server.wait("the end", |message| {
        message["params"]["token"] == token && message["params"]["value"]["kind"] == "end"
    });
}

#[test]
fn only_so_many_runs_go_on_at_a_time() {
    let (folder, mut server) = served();
    let ids: Vec<i64> = (0..4).map(|_| server.ask("workspace/executeCommand", endless(&folder))).collect();
    let refused = server.request("workspace/executeCommand", endless(&folder));
    assert_eq!(refused["error"]["message"], "4 runs are already active; stop one of them first");
    for id in ids {
        server.notify("$/cancelRequest", json!({"id": id}));
        assert_eq!(server.answer(id)["error"]["code"], REQUEST_CANCELLED);
    }
}

/// A script for each graph: one with its name, one that names it, one of another system, one without a graph.
const SCRIPTS: [(&str, &str); 6] = [
    ("flow.yaml", FLOW),
    ("claims.yaml", CLAIMS),
    ("flow.script.yaml", "script: What is answered.\ntools:\n  x: {value: yes, times: always}\n"),
    (
        "usual/claims.script.yaml",
        "script: Usual.\nfile: ../claims.yaml\nagents: {writer: {text: Dear customer, times: always}}\n",
    ),
    ("other.script.yaml", "script: Other.\nfile: flow.yaml\ntools:\n  x: {value: no, times: always}\n"),
    ("people.script.yaml", "script: People.\npeople: [approved]\n"),
];

#[test]
fn the_script_that_is_made_for_a_file_answers() {
    let folder = Folder::new(&SCRIPTS);
    let mut server = Server::open_folder(&folder);
    server.wait_until_read();
    let mut run = |argument: Value| {
        let answer = server.result("workspace/executeCommand", simulation(&argument));
        let script = answer["script"].as_str().map(|uri| uri.rsplit('/').next().unwrap().to_owned());
        (answer["summary"].as_str().unwrap().to_owned(), script, answer["madeUp"].as_bool().unwrap())
    };
    let (flow, claims) = (folder.uri("flow.yaml"), folder.uri("claims.yaml"));
    let ended = "graph `flow`: completed in 2 steps · 0 ms";
    assert_eq!(run(json!({"uri": flow})), (ended.to_owned(), Some("flow.script.yaml".to_owned()), false));
    let other = folder.uri("other.script.yaml");
    assert_eq!(
        run(json!({"uri": flow, "script": other})),
        (ended.to_owned(), Some("other.script.yaml".to_owned()), false)
    );
    assert_eq!(
        run(json!({"uri": flow, "withoutScript": true})),
        (format!("{ended} · no script: answers are made up"), None, true)
    );
    let (_, script, is_made_up) = run(json!({"uri": claims, "graph": "claims"}));
    assert_eq!((script.as_deref(), is_made_up), (Some("claims.script.yaml"), false));
}

#[test]
fn scripts_for_other_systems_are_not_offered() {
    let folder = Folder::new(&SCRIPTS);
    let mut server = Server::open_folder(&folder);
    server.wait_until_read();
    let mut scripts = |file: &str| -> Vec<String> {
        let wanted = json!({"command": "nodewise.scripts", "arguments": [{"uri": folder.uri(file)}]});
        let found = server.result("workspace/executeCommand", wanted);
        let name = |one: &Value| {
            let name = one["uri"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
            if one["isMadeFor"] == true { format!("{name} *") } else { name }
        };
        found.as_array().unwrap().iter().map(name).collect()
    };
    assert_eq!(scripts("flow.yaml"), ["flow.script.yaml *", "other.script.yaml *", "people.script.yaml"]);
    assert_eq!(scripts("claims.yaml"), ["claims.script.yaml *", "people.script.yaml"]);
}

#[test]
fn scripts_say_what_a_run_is_given_and_declarations_which_values_fit() {
    let claims = CLAIMS
        .replace("nodes:", "inputs: {text: {schema: {type: string}, description: What happened.}}\nnodes:");
    let folder = Folder::new(&[
        ("claims.yaml", &claims),
        ("claims.script.yaml", "script: Usual.\nuses: shared/input.script.yaml\n"),
        ("shared/input.script.yaml", "script: Hail.\nfile: ../claims.yaml\ninput: {text: Hail.}\n"),
        ("desk/desk.yaml", DESK),
        ("desk/desk.script.yaml", "script: Two turns.\nturns: [Hello, Bye]\n"),
    ]);
    let mut server = Server::open_folder(&folder);
    server.wait_until_read();
    let mut ask = |command: &str, argument: Value| {
        let wanted = json!({"command": command, "arguments": [argument]});
        server.result("workspace/executeCommand", wanted)
    };
    let scripts = ask("nodewise.scripts", json!({"uri": folder.uri("claims.yaml")}));
    let inputs: Vec<&Value> = scripts.as_array().unwrap().iter().map(|script| &script["input"]).collect();
    assert_eq!(inputs, [&json!({"text": "Hail."}), &json!({"text": "Hail."})], "{scripts}");
    let scripts = ask("nodewise.scripts", json!({"uri": folder.uri("desk/desk.yaml")}));
    assert_eq!((&scripts[0]["turns"], scripts[0].get("input")), (&json!(2), None), "{scripts}");
    let schema = ask("nodewise.inputSchema", json!({"uri": folder.uri("claims.yaml"), "graph": "claims"}));
    let text = json!({"type": "string", "description": "What happened."});
    assert_eq!(schema, json!({"type": "object", "properties": {"text": text}, "required": ["text"]}));
    assert_eq!(ask("nodewise.inputSchema", json!({"uri": folder.uri("desk/desk.yaml")})), Value::Null);
    assert_eq!(
        ask("nodewise.inputSchema", json!({"uri": folder.uri("claims.yaml"), "graph": "none"})),
        Value::Null
    );
}

//! The server for coding agents, as a client talks to it.
//!
//! Input: requests. Output: answers. Invariant: each answer fits the schema that the tool announces.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::cli::support::Folder;

/// A server, and the client of it.
struct Session {
    server: Child,
    requests: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    count: u64,
}

impl Session {
    fn begin(folder: &Path, words: &[&str]) -> Session {
        let mut command = Command::new(env!("CARGO_BIN_EXE_nodewise"));
        command.arg("mcp").args(words).current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut server = command.stderr(Stdio::null()).spawn().unwrap();
        let (requests, answers) = (server.stdin.take(), BufReader::new(server.stdout.take().unwrap()));
        let mut session = Session { server, requests, answers, count: 0 };
        let client = json!({"name": "test", "version": "1"});
        session.result(
            "initialize",
            json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}),
        );
        session.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        session
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.requests.as_mut().unwrap(), "{message}").unwrap();
    }

    fn request(&mut self, method: &str, params: Value) -> Value {
        self.count += 1;
        let id = self.count;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let mut line = String::new();
            self.answers.read_line(&mut line).unwrap();
            let message: Value = serde_json::from_str(&line).unwrap();
            if message["id"] == id {
                return message;
            }
        }
    }

    fn result(&mut self, method: &str, params: Value) -> Value {
        let answer = self.request(method, params);
        answer.get("result").unwrap_or_else(|| panic!("{method}: {answer}")).clone()
    }

    /// The text of an answer, which fits the schema of its tool.
    fn call(&mut self, tool: &str, arguments: Value) -> String {
        let tools = self.result("tools/list", json!({}));
        let listed = tools["tools"].as_array().unwrap().iter().find(|listed| listed["name"] == tool).unwrap();
        let answer = self.result("tools/call", json!({"name": tool, "arguments": arguments}));
        let text = answer["content"][0]["text"].as_str().unwrap().to_owned();
        if answer["isError"] == true {
            return text;
        }
        for (schema, value) in [("inputSchema", &arguments), ("outputSchema", &answer["structuredContent"])] {
            let schema = jsonschema::validator_for(&listed[schema]).unwrap();
            let faults: Vec<String> = schema.iter_errors(value).map(|fault| fault.to_string()).collect();
            assert_eq!(faults, Vec::<String>::new(), "{tool}: {value}");
        }
        text
    }

    fn end(mut self) {
        self.requests = None;
        assert!(self.server.wait().unwrap().success());
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.server.kill().ok();
        self.server.wait().ok();
    }
}

const DESK: &str = "\
#- desk.yaml
kind: LLMNode
name: desk
prompts: {system: {en: You help.}}
tools: [find_ordr]
---
kind: ToolNode
name: find_order
description: {en: Finds.}
func: shop.find
#- desk.scenario.yaml
scenario: It greets.
file: desk.yaml
turns: [Hello]
nodes: {desk: [Good day.]}
expect: {path: [desk]}
";

/// What a tool says about the desk.
fn check_call(tool: &str, arguments: Value, expected: &str) {
    let folder = Folder::new(DESK);
    let mut session = Session::begin(folder.path(), &[]);
    let text = session.call(tool, arguments.clone());
    let place = folder.path().canonicalize().unwrap().display().to_string();
    assert_eq!(text.replace(&place, "FOLDER"), expected, "{tool} {arguments}");
    session.end();
}

#[test]
fn tools_say_what_the_commands_say() {
    check_call(
        "check",
        json!({}),
        "1 error, 0 warnings in 2 files (3 declarations)
desk.yaml
  4:9 error unknown-tool: no tool is named `find_ordr`; nothing in the project declares it; write `find_order`, which is declared; unsafe fix: Replace it with `find_order`
",
    );
    check_call(
        "fix",
        json!({"unsafe": true, "paths": ["desk.yaml"]}),
        "--- a/desk.yaml
+++ b/desk.yaml
@@ -1,7 +1,7 @@
 kind: LLMNode
 name: desk
 prompts: {system: {en: You help.}}
-tools: [find_ordr]
+tools: [find_order]
 ---
 kind: ToolNode
 name: find_order
",
    );
    check_call("format", json!({"text": "kind:   LLMNode\nname:  a\n"}), "kind: LLMNode\nname: a\n");
    check_call(
        "graph",
        json!({"paths": ["desk.yaml"]}),
        "all nodes
  desk  LLMNode  (1 error)  desk.yaml:2
    ..> find_ordr  (1 error)
  find_order  ToolNode  desk.yaml:7
  find_ordr  not declared
",
    );
    check_call(
        "test",
        json!({"filter": "greets"}),
        "ok      desk.scenario.yaml:1  It greets.  (1 visit, 0 ms)\n1 scenario: 1 passed\n",
    );
    check_call(
        "evaluate",
        json!({"language": "filtrex", "expression": "memory.a > 1", "values": {"memory": {"a": 2}}}),
        "(> (var memory.a) 1)\nvalue: true\nroutes: true\nverifier: true\n",
    );
    check_call(
        "runs",
        json!({}),
        "no runs found here\n  help: start one with `nodewise run TARGET`, or name another project with `--project FOLDER`\n",
    );
}

#[test]
fn an_unsaved_text_is_read_with_the_files_beside_it() {
    let text = "kind: LLMNode\nname: second\nprompts: {system: {en: Hi.}}\ntools: [find_order, nothing]\n";
    check_call(
        "check",
        json!({"text": text, "path": "second.yaml"}),
        "1 error, 0 warnings in 1 file (1 declaration)
second.yaml
  4:21 error unknown-tool: no tool is named `nothing`; nothing in the project declares it; declare it as ToolNode, or list it in nodewise.toml if the program registers it
",
    );
}

#[test]
fn what_does_not_fit_is_refused_in_words() {
    let outside =
        |path: &str| format!("error: `{path}` is outside of the workspace\n  help: name a path in `FOLDER`");
    check_call("check", json!({"paths": ["../.."]}), &outside("../.."));
    check_call("fix", json!({"paths": ["/etc"], "write": true}), &outside("/etc"));
    check_call("simulate", json!({"target": "desk.yaml", "script": "/etc/passwd"}), &outside("/etc/passwd"));
    check_call("check", json!({"text": "", "path": "/etc/x.yaml"}), &outside("/etc/x.yaml"));
    check_call(
        "check",
        json!({"paths": 5}),
        "error: the arguments do not fit: invalid type: integer `5`, expected a sequence",
    );
    check_call("check", json!({"budget": -1}), "error: `budget` takes a whole number, not -1");
    check_call(
        "explain",
        json!({"rool": "x"}),
        "error: the arguments do not fit: unknown field `rool`, expected `rule` or `dialect`",
    );
    check_call(
        "explain",
        json!({"rule": "unknwn-tool"}),
        "error: no rule is called `unknwn-tool`\n  help: did you mean `unknown-tool`?",
    );
    check_call(
        "simulate",
        json!({"target": "--help"}),
        "error: --help: no such file or folder\n  help: check the path",
    );
    check_call(
        "check",
        json!({"text": "x".repeat(10 << 20)}),
        "error: `text` has 10 MB; a text may have 4 MB\n  help: save it, and name the file in `paths`",
    );
}

#[test]
fn an_input_is_never_the_name_of_a_file() {
    let folder = Folder::new(DESK);
    folder.write("secret.json", "\"do not read\"");
    let mut session = Session::begin(folder.path(), &[]);
    let text = session.call("simulate", json!({"target": "desk.yaml", "input": "@secret.json"}));
    assert!(text.contains("@secret.json") && !text.contains("do not read"), "{text}");
    session.end();
}

#[test]
fn pages_lead_through_all_findings_of_a_project() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let words = ["check", "--format", "agent", "--no-progress", "examples/cycgraph-broken"];
    let all = Command::new(env!("CARGO_BIN_EXE_nodewise")).args(words).current_dir(root).output().unwrap();
    let all = String::from_utf8(all.stdout).unwrap();
    let mut expected: Vec<&str> = all.lines().filter(|line| line.starts_with("  ")).collect();
    let mut session = Session::begin(root, &["examples"]);
    let (mut lines, mut offset) = (Vec::new(), 0);
    loop {
        let arguments = json!({"paths": ["cycgraph-broken"], "budget": 200, "offset": offset});
        let answer = session.result("tools/call", json!({"name": "check", "arguments": arguments}));
        let text = answer["content"][0]["text"].as_str().unwrap();
        assert!(text.len() < 1600, "{text}");
        lines.extend(text.lines().filter(|line| line.starts_with("  ")).map(str::to_owned));
        let Some(next) = answer["structuredContent"]["next"].as_u64() else { break };
        offset = next;
    }
    let severity = |line: &str| line.contains(" warning ");
    assert!(lines.is_sorted_by_key(|line| severity(line)));
    lines.sort_unstable();
    expected.sort_unstable();
    assert_eq!(lines, expected);
    session.end();
}

#[test]
fn resources_and_prompts_can_be_read() {
    let folder = Folder::new(DESK);
    let mut session = Session::begin(folder.path(), &[]);
    let listed = session.result("resources/list", json!({}));
    let addresses: Vec<String> = listed["resources"]
        .as_array()
        .unwrap()
        .iter()
        .map(|resource| resource["uri"].as_str().unwrap().to_owned())
        .chain(["nodewise://rules/unknown-tool".to_owned()])
        .collect();
    assert!(addresses.len() > 5, "{addresses:?}");
    for address in addresses {
        let read = session.result("resources/read", json!({"uri": address}));
        assert!(read["contents"][0]["text"].as_str().unwrap().len() > 20, "{address}: {read}");
    }
    let missing = session.request("resources/read", json!({"uri": "file:///etc/passwd"}));
    assert_eq!(missing["error"]["message"], "there is no resource `file:///etc/passwd`");
    let prompt = session.result("prompts/get", json!({"name": "correct", "arguments": {"path": "a.yaml"}}));
    assert!(prompt["messages"][0]["content"]["text"].as_str().unwrap().contains("`a.yaml`"));
    let missing = session.request("prompts/get", json!({"name": "correct"}));
    assert_eq!(missing["error"]["message"], "the argument `path` is missing");
    session.end();
}

#[test]
fn there_is_no_tool_for_live_runs_unless_the_user_adds_it() {
    let folder = Folder::new(DESK);
    for (words, expected) in [(&[][..], false), (&["--allow-runs"][..], true)] {
        let mut session = Session::begin(folder.path(), words);
        let tools = session.result("tools/list", json!({}));
        let has_run = tools["tools"].as_array().unwrap().iter().any(|tool| tool["name"] == "run");
        assert_eq!(has_run, expected);
        let called =
            session.request("tools/call", json!({"name": "run", "arguments": {"target": "desk.yaml"}}));
        let text = called.to_string();
        assert!(
            text.contains("there is no tool `run`") || text.contains("this client cannot ask the user"),
            "{text}"
        );
        session.end();
    }
}

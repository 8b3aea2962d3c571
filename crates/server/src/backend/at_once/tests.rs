//! Requests without any thread of the session: what is answered, is answered by the thread that brings the message. The answers
//! are compared with those of the server for pages, which come from the framework.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::backend::{self, Backend};
use crate::disk::{ClientFiles, Disk};
use crate::session::SessionWorker;
use crate::single_thread::SingleThreadServer;
use crate::transport::{Collected, Outbox, Server};
use crate::workers::Workers;

const FLOW: &str = "\
kind: LLMNode
name: planner
prompts: {system: {en: Plan.}}
tools: [se, 'find']
nodes:
  - target: writer
    when: score > 0 && lo
---
kind: ToolNode
name: search
description: {en: Finds pages.}
func: tools.web.search
";
const OTHER: &str = "kind: LLMNode\nname: writer\nprompts: {system: {en: Write.}}\n---\nkind: ToolNode\nname: 'find'\ndescription: \"Finds \\\"all\\\" 😀\"\nfunc: a.b\n";
const FOLDER: &str = "file:///project";

/// A client, a server whose session has no thread, and the server for pages.
struct Talk {
    server: Server<Backend>,
    session: SessionWorker,
    messages: Collected,
    page: SingleThreadServer,
    number: u64,
    _runtime: Runtime,
}

impl Talk {
    fn begin(capabilities: &Value) -> Talk {
        let mut talk = Talk::open(capabilities, &["flow.yaml", "other.yaml"]);
        talk.settle();
        talk
    }

    /// A client that has sent its first messages, and opened some files. The session has handled nothing yet.
    fn open(capabilities: &Value, open: &[&str]) -> Talk {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().unwrap();
        let workers = Workers::Threads(runtime.handle().clone());
        let (outbox, messages) = Outbox::collected();
        let files = ClientFiles::default();
        let is_shut_down = Arc::new(AtomicBool::new(false));
        let (service, socket, session) = backend::service(
            &outbox,
            &workers,
            Disk::Texts(files.clone()),
            &is_shut_down,
            &Arc::new(OnceLock::new()),
        );
        let server = Server::new(&outbox, service, socket, &workers);
        let page = SingleThreadServer::new();
        let mut talk = Talk { server, session, messages, page, number: 0, _runtime: runtime };
        let texts = [("flow.yaml", FLOW), ("other.yaml", OTHER)];
        for (name, text) in texts {
            files.write(PathBuf::from(format!("/project/{name}")), Some(text.into()));
        }
        let all: Vec<Value> =
            texts.iter().map(|(name, text)| json!([format!("{FOLDER}/{name}"), text])).collect();
        let message = json!({"jsonrpc": "2.0", "method": "nodewise/files", "params": {"files": all}});
        talk.page.message(&message, Duration::from_secs(1));
        let folders = json!([{"uri": FOLDER, "name": "project"}]);
        talk.ask(
            "initialize",
            json!({"processId": null, "capabilities": capabilities, "workspaceFolders": folders}),
        );
        talk.notify("initialized", json!({}));
        for (name, text) in texts.into_iter().filter(|(name, _)| open.contains(name)) {
            let uri = format!("{FOLDER}/{name}");
            let document = json!({"uri": uri, "languageId": "yaml", "version": 1, "text": text});
            talk.notify("textDocument/didOpen", json!({"textDocument": document}));
        }
        talk
    }

    /// Lets the session handle its events until the folder is read.
    fn settle(&mut self) {
        for _ in 0..15_000 {
            self.session.handle_waiting();
            std::thread::sleep(Duration::from_millis(2));
            let view = self.session.shared().view_now();
            if view.is_some_and(|view| view.projects.values().any(|project| project.is_complete)) {
                return;
            }
        }
        panic!("the folder is not read");
    }

    fn notify(&mut self, method: &str, parameters: Value) {
        let message = json!({"jsonrpc": "2.0", "method": method, "params": parameters});
        self.page.message(&message, Duration::from_secs(1));
        self.server.message(message.to_string().as_bytes(), &|_| {});
    }

    /// What both servers have sent when they return from the message.
    fn ask(&mut self, method: &str, parameters: Value) -> (Option<String>, Option<String>) {
        self.number += 1;
        let message = json!({"jsonrpc": "2.0", "id": self.number, "method": method, "params": parameters});
        self.messages.take();
        self.server.message(message.to_string().as_bytes(), &|_| {});
        let end = format!("\"id\":{}}}", self.number);
        let is_answer = |text: &String| text.ends_with(&end) && !text.contains("\"method\"");
        let answer = self.messages.take().into_iter().find(is_answer);
        let framework = self.page.message(&message, Duration::from_secs(1)).into_iter().find(is_answer);
        (answer, framework)
    }

    /// What the server sends for a request, within half a minute.
    fn awaited(&mut self, method: &str, parameters: Value) -> String {
        self.ask(method, parameters);
        let start = "{\"jsonrpc\":\"2.0\",\"result\":";
        let mut sent = Vec::new();
        for _ in 0..15_000 {
            self.session.handle_waiting();
            sent.extend(self.messages.take());
            if let Some(answer) = sent.iter().find(|text| text.starts_with(start)) {
                return answer.clone();
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        panic!("no answer to {method}: {sent:?}");
    }

    fn check_same(&mut self, method: &str, name: &str, (line, character): (usize, usize)) -> String {
        let document = json!({"uri": format!("{FOLDER}/{name}")});
        let at = json!({"line": line, "character": character});
        let parameters = json!({"textDocument": document, "position": at, "positions": [at]});
        let (answer, framework) = self.ask(method, parameters);
        assert_eq!(answer, framework, "{method} in {name} at {line}:{character}");
        answer.unwrap()
    }

    fn check_everywhere(&mut self, method: &str, wanted: &[&str]) {
        let mut all = String::new();
        for (number, line) in FLOW.lines().enumerate() {
            for column in 0..=line.len() {
                all += &self.check_same(method, "flow.yaml", (number, column));
            }
        }
        for word in wanted {
            assert!(all.contains(word), "{method}: {word}");
        }
    }
}

/// `find` is declared in a file that is not open.
#[test]
fn what_lies_in_other_files_waits_until_they_are_read() {
    let at = json!({"textDocument": {"uri": format!("{FOLDER}/flow.yaml")}, "position": {"line": 3, "character": 14}});
    let mut rename = at.clone();
    rename["newName"] = "look".into();
    for (method, parameters) in
        [("textDocument/definition", &at), ("textDocument/hover", &at), ("textDocument/rename", &rename)]
    {
        let mut talk = Talk::open(&json!({}), &["flow.yaml"]);
        let answer = talk.awaited(method, parameters.clone());
        let expected = if method == "textDocument/hover" { "Finds" } else { "other.yaml" };
        assert!(answer.contains(expected), "{method}: {answer}");
    }
}

#[test]
fn answers_are_those_of_the_framework() {
    let item = json!({"snippetSupport": true, "insertReplaceSupport": true, "documentationFormat": ["markdown"],
        "tagSupport": {"valueSet": [1]}, "insertTextModeSupport": {"valueSet": [1, 2]}});
    for capabilities in [json!({}), json!({"textDocument": {"completion": {"completionItem": item}}})] {
        let mut talk = Talk::begin(&capabilities);
        talk.check_everywhere("textDocument/completion", &["\"label\":\"search\"", "\"handle\":"]);
        talk.check_everywhere("textDocument/hover", &["Finds pages."]);
        talk.check_everywhere("textDocument/definition", &["other.yaml"]);
        talk.check_same("textDocument/documentSymbol", "flow.yaml", (0, 0));
        talk.check_same("textDocument/foldingRange", "flow.yaml", (0, 0));
        talk.check_same("textDocument/selectionRange", "flow.yaml", (3, 9));
    }
}

/// A list of items in which each has an edit of its own.
fn expanded(answer: &str) -> Value {
    let mut result = serde_json::from_str::<Value>(answer).unwrap()["result"].take();
    let defaults = result.as_object_mut().and_then(|list| list.remove("itemDefaults"));
    let range = defaults.map_or(Value::Null, |mut defaults| defaults["editRange"].take());
    for item in result["items"].as_array_mut().into_iter().flatten() {
        let text = item.as_object_mut().unwrap().remove("textEditText");
        if item.get("textEdit").is_some() {
            assert_eq!(text, None, "{item}");
            continue;
        }
        let text = text.unwrap_or_else(|| item["label"].clone());
        let mut edit = match range.get("insert") {
            Some(_) => range.clone(),
            None => json!({"range": range}),
        };
        edit["newText"] = text;
        item["textEdit"] = edit;
    }
    result
}

#[test]
fn items_have_the_range_of_their_edits_in_common() {
    for item in
        [json!({"snippetSupport": true}), json!({"snippetSupport": true, "insertReplaceSupport": true})]
    {
        let completion =
            json!({"completionItem": item, "completionList": {"itemDefaults": ["editRange", "data"]}});
        let mut talk = Talk::begin(&json!({"textDocument": {"completion": completion}}));
        let document = json!({"uri": format!("{FOLDER}/flow.yaml")});
        let mut shortened = 0;
        for (number, line) in FLOW.lines().enumerate() {
            for column in 0..=line.len() {
                let at = json!({"line": number, "character": column});
                let (answer, framework) =
                    talk.ask("textDocument/completion", json!({"textDocument": document, "position": at}));
                let (answer, framework) = (answer.unwrap(), framework.unwrap());
                assert!(answer.len() <= framework.len() + 120, "{answer}");
                assert!(!framework.contains("itemDefaults"), "{framework}");
                assert_eq!(expanded(&answer), expanded(&framework), "{number}:{column}");
                shortened += usize::from(answer.len() < framework.len());
            }
        }
        assert!(shortened > 20, "{shortened} lists are shorter");
    }
}

#[test]
fn an_edit_that_waits_is_read_first() {
    let mut talk = Talk::begin(&json!({}));
    let at = json!({"line": 3, "character": 8});
    let change = json!({"range": {"start": at, "end": {"line": 3, "character": 10}}, "text": "wri"});
    talk.notify(
        "textDocument/didChange",
        json!({"textDocument": {"uri": format!("{FOLDER}/flow.yaml"), "version": 2}, "contentChanges": [change]}),
    );
    let answer = talk.check_same("textDocument/completion", "flow.yaml", (3, 11));
    assert!(!answer.contains("\"label\":\"search\""), "{answer}");
}

#[test]
fn a_request_beside_slow_work_is_for_another_thread() {
    let mut talk = Talk::begin(&json!({}));
    let position = json!({"textDocument": {"uri": format!("{FOLDER}/flow.yaml")}, "position": {"line": 3, "character": 9}});
    // Opening a document may take long, and a large one stays slow.
    let text = "# long\n".repeat(30_000);
    let document =
        json!({"uri": "file:///project/large.yaml", "languageId": "yaml", "version": 1, "text": text});
    talk.notify("textDocument/didOpen", json!({"textDocument": document}));
    assert_eq!(talk.ask("textDocument/completion", position.clone()).0, None);
    talk.session.handle_waiting();
    assert_eq!(talk.ask("textDocument/completion", position.clone()).0, None);
    talk.notify("textDocument/didClose", json!({"textDocument": {"uri": "file:///project/large.yaml"}}));
    talk.session.handle_waiting();
    assert!(talk.ask("textDocument/completion", position).0.is_some());
}

//! What an editor gets from the language server about a document of the fourth system.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::{RELAY, files};

/// A server with one open document.
struct Editor {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    uri: String,
    text: String,
    last_id: u32,
}

impl Editor {
    /// Opens a document; `$0` in it is the cursor, which is removed.
    fn open(text: &str) -> (Editor, Value) {
        let mut child = Command::new(RELAY)
            .args(["lsp", "--stdio"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let before = text.split("$0").next().unwrap();
        let line = before.matches('\n').count();
        let character = before.rsplit('\n').next().unwrap().chars().count();
        let (folder, text) = (format!("file://{}", files().display()), text.replace("$0", ""));
        let uri = format!("{folder}/open.yaml");
        let mut editor = Editor { child, input, output, uri: uri.clone(), text: text.clone(), last_id: 0 };
        let folders = json!([{"uri": folder, "name": "files"}]);
        editor
            .ask("initialize", &json!({"processId": null, "capabilities": {}, "workspaceFolders": folders}));
        editor.tell("initialized", &json!({}));
        let document = json!({"uri": uri, "languageId": "yaml", "version": 1, "text": text});
        editor.tell("textDocument/didOpen", &json!({"textDocument": document}));
        let position = json!({"line": line, "character": character});
        (editor, json!({"textDocument": {"uri": uri}, "position": position}))
    }

    fn send(&mut self, message: &Value) {
        let body = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        self.input.flush().unwrap();
    }

    fn tell(&mut self, method: &str, parameters: &Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": parameters}));
    }

    /// The answer to a request. What the server asks meanwhile gets no answer but an empty one.
    fn ask(&mut self, method: &str, parameters: &Value) -> Value {
        self.last_id += 1;
        let id = self.last_id;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": parameters}));
        loop {
            let message = self.receive();
            if message.get("method").is_some() {
                if let Some(asked) = message.get("id") {
                    self.send(&json!({"jsonrpc": "2.0", "id": asked, "result": null}));
                }
            } else if message["id"] == id {
                assert!(message.get("error").is_none(), "{message}");
                return message["result"].clone();
            }
        }
    }

    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "the server ended");
            match line.trim().strip_prefix("Content-Length: ") {
                Some(number) => length = number.parse().unwrap(),
                None if line.trim().is_empty() => break,
                None => {}
            }
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).unwrap();
        serde_json::from_slice(&body).unwrap()
    }

    /// The text after the edits of a rename.
    fn edited(&self, edit: &Value) -> String {
        let changes = &edit["changes"][&self.uri];
        let documents = edit["documentChanges"].as_array().into_iter().flatten();
        let listed = documents.flat_map(|change| change["edits"].as_array().cloned().unwrap_or_default());
        let mut edits: Vec<Value> = changes.as_array().cloned().unwrap_or_default();
        edits.extend(listed);
        let offset = |place: &Value| {
            let (line, character) = (place["line"].as_u64().unwrap(), place["character"].as_u64().unwrap());
            let lines = self.text.split_inclusive('\n').take(line as usize);
            lines.map(str::len).sum::<usize>() + character as usize
        };
        edits.sort_by_key(|edit| std::cmp::Reverse(offset(&edit["range"]["start"])));
        let mut text = self.text.clone();
        for edit in &edits {
            let range = offset(&edit["range"]["start"])..offset(&edit["range"]["end"]);
            text.replace_range(range, edit["newText"].as_str().unwrap());
        }
        text
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

const DOCUMENT: &str = "\
relay: triage
keys: [ticket]
first: read
last: [thank]
steps:
  - {step: read, type: ask, question: How?, reads: [ticket], writes: mood}
  - {step: thank, type: ask, question: Thanks., writes: reply}
links:
  - {from: read, to: thank, when: mood is 'good'}
";

/// The document with the cursor in front of the last occurrence of a text.
fn at(text: &str) -> String {
    let (before, after) = DOCUMENT.split_at(DOCUMENT.rfind(text).unwrap());
    format!("{before}$0{after}")
}

fn check_completion(text: &str, expected: &[&str]) {
    let (mut editor, position) = Editor::open(text);
    let answer = editor.ask("textDocument/completion", &position);
    let items = answer["items"].as_array().or(answer.as_array()).cloned().unwrap_or_default();
    let labels: Vec<&str> = items.iter().filter_map(|item| item["label"].as_str()).collect();
    for label in expected {
        assert!(labels.contains(label), "{label} is not offered: {labels:?}\n{text}");
    }
}

#[test]
fn completion_offers_keys_words_names_and_expressions() {
    check_completion(&DOCUMENT.replace("last: [thank]", "$0"), &["last"]);
    check_completion(&DOCUMENT.replace("type: ask, question: Thanks.", "type: $0"), &["ask", "pick"]);
    check_completion(&DOCUMENT.replace("to: thank", "to: $0"), &["read", "thank"]);
    check_completion(&DOCUMENT.replace("mood is 'good'", "$0"), &["mood"]);
}

#[test]
fn hover_shows_what_the_table_says() {
    for (text, expected) in [
        ("first: read", "The step where a run begins."),
        ("ask, question: Thanks.", "a model answers the question"),
        ("mood is", "mood"),
    ] {
        let (mut editor, position) = Editor::open(&at(text));
        let shown = editor.ask("textDocument/hover", &position).to_string();
        assert!(shown.contains(expected), "{text}: {shown}");
    }
}

#[test]
fn a_step_is_renamed_everywhere() {
    let (mut editor, mut request) = Editor::open(&at("thank, when"));
    request["newName"] = json!("reward");
    let edit = editor.ask("textDocument/rename", &request);
    assert_eq!(editor.edited(&edit), DOCUMENT.replace("thank", "reward"));
}

#[test]
fn a_key_is_renamed_in_conditions_too() {
    let (mut editor, mut request) = Editor::open(&at("mood is"));
    request["newName"] = json!("tone");
    let edit = editor.ask("textDocument/rename", &request);
    assert_eq!(editor.edited(&edit), DOCUMENT.replace("mood", "tone"));
}

#[test]
fn a_link_leads_to_its_step() {
    let (mut editor, position) = Editor::open(&at("thank, when"));
    let found = editor.ask("textDocument/definition", &position);
    let place = found.get(0).unwrap_or(&found);
    let range = place.get("targetSelectionRange").or(place.get("range")).unwrap();
    assert_eq!(range["start"]["line"], 6, "{found}");
}

#[test]
fn findings_are_published() {
    let (mut editor, _) = Editor::open(&DOCUMENT.replace("to: thank", "to: thnk"));
    loop {
        let message = editor.receive();
        let found = message["params"]["diagnostics"].to_string();
        if message["method"] == "textDocument/publishDiagnostics" && found.contains("unknown-node") {
            assert!(found.contains("no step is named `thnk`"), "{found}");
            return;
        }
    }
}

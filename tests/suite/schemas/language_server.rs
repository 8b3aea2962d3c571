//! A session with `yaml-language-server`, as an editor holds it.
//!
//! Input: schemas and texts. Output: what the server reports. Invariant: the texts are named `SCHEMA/…`, and the schema of
//! that name speaks of them.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Map, Value, json};

/// The program that runs the server; any Node that is new enough.
const NODE: &str = "NODEWISE_NODE";
/// Where the texts seem to be.
const DOCUMENTS: &str = "file:///documents";
/// Graver than these are errors and warnings.
const WARNING: u64 = 2;

/// The Node that runs programs of packages.
pub(crate) fn node() -> OsString {
    std::env::var_os(NODE).unwrap_or_else(|| "node".into())
}

pub(crate) struct Session {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    settings: Value,
    diagnostics: BTreeMap<String, Vec<Value>>,
    is_configured: bool,
    requests: u64,
}

impl Drop for Session {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

impl Session {
    /// Starts a server with schemas by name.
    pub(crate) fn start(installed: &Path, schemas: &[(&str, PathBuf)]) -> Session {
        let program = installed.join("node_modules/yaml-language-server/bin/yaml-language-server");
        let mut command = Command::new(node());
        command.arg(program).arg("--stdio").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let patterns: Map<String, Value> = schemas
            .iter()
            .map(|(name, file)| {
                (format!("file://{}", file.display()), json!([format!("/documents/{name}/**")]))
            })
            .collect();
        let settings = json!({
            "yaml": {"schemas": patterns, "schemaStore": {"enable": false}, "validate": true, "completion": true},
        });
        let (diagnostics, is_configured) = (BTreeMap::new(), false);
        let mut session = Session { child, input, output, settings, diagnostics, is_configured, requests: 0 };
        let capabilities = json!({
            "workspace": {"configuration": true},
            "textDocument": {
                "completion": {"completionItem": {"snippetSupport": true, "documentationFormat": ["markdown"]}},
                "hover": {"contentFormat": ["markdown"]},
            },
        });
        let process = std::process::id();
        session.request(
            "initialize",
            json!({"processId": process, "rootUri": null, "capabilities": capabilities}),
        );
        session.send(json!({"method": "initialized", "params": {}}));
        let settings = session.settings.clone();
        session.send(json!({"method": "workspace/didChangeConfiguration", "params": {"settings": settings}}));
        while !session.is_configured {
            session.receive();
        }
        session
    }

    pub(crate) fn open(&mut self, name: &str, text: &str) {
        let document = json!({"uri": uri(name), "languageId": "yaml", "version": 1, "text": text});
        self.send(json!({"method": "textDocument/didOpen", "params": {"textDocument": document}}));
    }

    /// The errors and warnings of a text that was opened: `line: message`.
    pub(crate) fn problems(&mut self, name: &str) -> Vec<String> {
        let uri = uri(name);
        while !self.diagnostics.contains_key(&uri) {
            self.receive();
        }
        let grave = |one: &&Value| one["severity"].as_u64().is_none_or(|severity| severity <= WARNING);
        let mut problems: Vec<(u64, String)> = self.diagnostics[&uri]
            .iter()
            .filter(grave)
            .map(|one| {
                let line = one["range"]["start"]["line"].as_u64().unwrap() + 1;
                (line, format!("{line}: {}", one["message"].as_str().unwrap()))
            })
            .collect();
        problems.sort();
        problems.into_iter().map(|(_, problem)| problem).collect()
    }

    /// Asks something about a place, both from 0, and waits for the answer.
    pub(crate) fn ask(&mut self, method: &str, name: &str, line: u32, character: u32) -> Value {
        self.request(
            method,
            json!({
                "textDocument": {"uri": uri(name)},
                "position": {"line": line, "character": character},
            }),
        )
    }

    fn request(&mut self, method: &str, params: Value) -> Value {
        self.requests += 1;
        let id = self.requests;
        self.send(json!({"id": id, "method": method, "params": params}));
        loop {
            let message = self.receive();
            if message["id"] == id && message["method"].is_null() {
                return message["result"].clone();
            }
        }
    }

    fn send(&mut self, mut message: Value) {
        message["jsonrpc"] = json!("2.0");
        let body = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        self.input.flush().unwrap();
    }

    /// Reads a message, keeps diagnostics, and answers what the server asks.
    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "the language server ended");
            match line.trim().split_once(": ") {
                Some(("Content-Length", number)) => length = number.parse().unwrap(),
                Some(_) => {}
                None => break,
            }
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).unwrap();
        let message: Value = serde_json::from_slice(&body).unwrap();
        match message["method"].as_str() {
            Some("textDocument/publishDiagnostics") => {
                let params = &message["params"];
                let found = params["diagnostics"].as_array().unwrap().clone();
                self.diagnostics.insert(params["uri"].as_str().unwrap().to_owned(), found);
            }
            Some(method) if !message["id"].is_null() => {
                let result = if method == "workspace/configuration" {
                    self.is_configured = true;
                    let asked = message["params"]["items"].as_array().unwrap().iter();
                    asked
                        .map(|item| self.settings[item["section"].as_str().unwrap_or_default()].clone())
                        .collect()
                } else {
                    Value::Null
                };
                self.send(json!({"id": message["id"], "result": result}));
            }
            _ => {}
        }
        message
    }
}

fn uri(name: &str) -> String {
    format!("{DOCUMENTS}/{name}")
}

//! A small editor: it starts the server, sends messages and waits for answers.
//!
//! Input: messages. Output: messages. Invariant: an answer that does not come fails the test instead of holding it up.

use std::collections::VecDeque;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// How long an answer may take before the test fails.
const PATIENCE: Duration = Duration::from_secs(30);

/// A running server.
pub(crate) struct Server {
    child: Child,
    input: Option<ChildStdin>,
    messages: Receiver<(Instant, Value)>,
    /// What came and was not waited for yet.
    waiting: Vec<(Instant, Value)>,
    last_id: i64,
    /// What the server gets when it asks for settings.
    pub(crate) settings: Value,
    /// What the server asked of the client.
    pub(crate) asked: Vec<Value>,
    /// What the user chooses when questions are shown; without, nothing.
    pub(crate) chooses: VecDeque<&'static str>,
    /// Whether the user reads questions and does not answer them.
    pub(crate) is_reading: bool,
    /// Whether all that comes is kept.
    pub(crate) is_listening: bool,
    /// All that came, as it was written.
    pub(crate) heard: Vec<String>,
}

/// A folder of its own for one test, removed at its end.
pub(crate) struct Folder {
    pub(crate) path: PathBuf,
}

impl Folder {
    /// A folder with files.
    pub(crate) fn new(files: &[(&str, &str)]) -> Folder {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("nodewise-lsp-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let folder = Folder { path: std::env::temp_dir().canonicalize().unwrap().join(name) };
        fs::create_dir_all(&folder.path).unwrap();
        for (path, text) in files {
            folder.write(path, text);
        }
        folder
    }

    /// Writes a file.
    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.path.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// The URI of a file.
    pub(crate) fn uri(&self, path: &str) -> String {
        uri(&self.path.join(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.path).ok();
    }
}

/// The URI of a path without special characters.
pub(crate) fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

impl Server {
    /// Starts a server that nobody has talked to.
    pub(crate) fn start() -> Server {
        Server::start_with(Command::new(env!("CARGO_BIN_EXE_nodewise")).args(["lsp", "--no-cache"]))
    }

    /// Starts a command that is a server in the end.
    pub(crate) fn start_with(command: &mut Command) -> Server {
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let (sender, messages) = channel();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            while let Some(message) = read_message(&mut output) {
                if sender.send((Instant::now(), message)).is_err() {
                    return;
                }
            }
        });
        let input = child.stdin.take();
        let (waiting, asked) = (Vec::new(), Vec::new());
        Server {
            child,
            input,
            messages,
            waiting,
            last_id: 0,
            settings: Value::Null,
            asked,
            chooses: VecDeque::new(),
            is_reading: false,
            is_listening: false,
            heard: Vec::new(),
        }
    }

    /// A server that serves a folder for a client that understands everything that is asked here.
    pub(crate) fn open_folder(folder: &Folder) -> Server {
        Server::open_folder_with(folder, json!({}), json!({}))
    }

    /// The same with further capabilities and options.
    pub(crate) fn open_folder_with(folder: &Folder, capabilities: Value, options: Value) -> Server {
        let mut server = Server::start();
        server.initialize(&[uri(&folder.path)], capabilities, options);
        server
    }

    /// Introduces the client; the result is what the server can do.
    pub(crate) fn initialize(&mut self, folders: &[String], capabilities: Value, options: Value) -> Value {
        let answer = self.introduce(folders, capabilities, options);
        self.notify("initialized", json!({}));
        answer
    }

    /// The same without `initialized`, so that the server reads nothing yet.
    pub(crate) fn introduce(&mut self, folders: &[String], capabilities: Value, options: Value) -> Value {
        let mut known = json!({
            "textDocument": {"publishDiagnostics": {
                "versionSupport": true, "relatedInformation": true, "codeDescriptionSupport": true,
                "dataSupport": true, "tagSupport": {"valueSet": [1, 2]},
            }},
            "workspace": {"textDocumentContent": {"dynamicRegistration": true}},
        });
        merge(&mut known, capabilities);
        let mut wanted = json!({"debug": true});
        merge(&mut wanted, options);
        let folders: Vec<Value> = folders.iter().map(|uri| json!({"uri": uri, "name": "test"})).collect();
        let answer = self.request(
            "initialize",
            json!({
                "processId": null, "rootUri": null, "workspaceFolders": folders,
                "capabilities": known, "initializationOptions": wanted,
            }),
        );
        answer["result"]["capabilities"].clone()
    }

    /// Sends bytes as they are; a client that has hung up sends nothing, also when the server asks it something.
    pub(crate) fn raw(&mut self, bytes: &[u8]) {
        let Some(input) = self.input.as_mut() else { return };
        // A server that is gone is noticed by what does not come back.
        input.write_all(bytes).and_then(|()| input.flush()).ok();
    }

    /// Sends a message.
    pub(crate) fn send(&mut self, message: &Value) {
        let body = message.to_string();
        self.raw(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    }

    /// Sends a notification.
    pub(crate) fn notify(&mut self, method: &str, parameters: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": parameters}));
    }

    /// Sends a request; the result is its id.
    pub(crate) fn ask(&mut self, method: &str, parameters: Value) -> i64 {
        self.last_id += 1;
        let mut request = json!({"jsonrpc": "2.0", "id": self.last_id, "method": method});
        if !parameters.is_null() {
            request["params"] = parameters;
        }
        self.send(&request);
        self.last_id
    }

    /// Sends a request and waits for the whole answer.
    pub(crate) fn request(&mut self, method: &str, parameters: Value) -> Value {
        let id = self.ask(method, parameters);
        self.answer(id)
    }

    /// Sends a request that must succeed.
    pub(crate) fn result(&mut self, method: &str, parameters: Value) -> Value {
        let answer = self.request(method, parameters);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// Waits for the answer to a request.
    pub(crate) fn answer(&mut self, id: i64) -> Value {
        self.wait("an answer", |message| message.get("method").is_none() && message["id"] == id).1
    }

    /// Waits for a message.
    pub(crate) fn wait(&mut self, what: &str, is_wanted: impl Fn(&Value) -> bool) -> (Instant, Value) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(at) = self.waiting.iter().position(|(_, message)| is_wanted(message)) {
                return self.waiting.remove(at);
            }
            if !self.take(deadline.saturating_duration_since(Instant::now())) {
                panic!("{what} did not come; waiting: {:?}", self.waiting);
            }
        }
    }

    /// Takes what comes within a time.
    pub(crate) fn idle(&mut self, time: Duration) {
        let end = Instant::now() + time;
        while self.take(end.saturating_duration_since(Instant::now())) {}
    }

    /// Takes all that comes until a server that ended has nothing left to say.
    pub(crate) fn listen_to_the_end(&mut self) {
        while self.take(PATIENCE) {}
    }

    /// Whether the answer to a request came.
    pub(crate) fn has_answer(&self, id: i64) -> bool {
        self.waiting.iter().any(|(_, message)| message.get("method").is_none() && message["id"] == id)
    }

    /// What came and was not waited for, of one method.
    pub(crate) fn drain(&mut self, method: &str) -> Vec<(Instant, Value)> {
        let (wanted, others) = std::mem::take(&mut self.waiting)
            .into_iter()
            .partition(|(_, message)| message["method"] == method);
        self.waiting = others;
        wanted
    }

    fn take(&mut self, time: Duration) -> bool {
        let Ok((at, message)) = self.messages.recv_timeout(time) else { return false };
        if self.is_listening {
            self.heard.push(message.to_string());
        }
        if message["method"] == "window/showMessageRequest" && self.is_reading {
            self.asked.push(message);
        } else if message.get("method").is_some() && message.get("id").is_some() {
            let result = match message["method"].as_str() {
                Some("workspace/configuration") => json!([self.settings]),
                Some("window/showMessageRequest") => {
                    self.chooses.pop_front().map_or(Value::Null, |title| json!({"title": title}))
                }
                _ => Value::Null,
            };
            self.send(&json!({"jsonrpc": "2.0", "id": message["id"], "result": result}));
            self.asked.push(message);
        } else {
            self.waiting.push((at, message));
        }
        true
    }

    /// Opens a document.
    pub(crate) fn open(&mut self, uri: &str, version: i64, text: &str) {
        let document = json!({"uri": uri, "languageId": "yaml", "version": version, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": document}));
    }

    /// Edits a document.
    pub(crate) fn edit(&mut self, uri: &str, version: i64, changes: Value) {
        let document = json!({"uri": uri, "version": version});
        self.notify("textDocument/didChange", json!({"textDocument": document, "contentChanges": changes}));
    }

    /// Replaces a document's text.
    pub(crate) fn replace(&mut self, uri: &str, version: i64, text: &str) {
        self.edit(uri, version, json!([{"text": text}]));
    }

    /// Waits for the diagnostics of one version of a document, one a line: `line:column: code message`, from 0.
    pub(crate) fn diagnostics(&mut self, uri: &str, version: Option<i64>) -> String {
        shown(&self.published(uri, version)["diagnostics"])
    }

    /// Waits for the diagnostics of one version of a document.
    pub(crate) fn published(&mut self, uri: &str, version: Option<i64>) -> Value {
        let (_, message) = self.wait(&format!("diagnostics of {uri} {version:?}"), |message| {
            message["method"] == "textDocument/publishDiagnostics"
                && message["params"]["uri"] == uri
                && message["params"].get("version").and_then(Value::as_i64) == version
        });
        message["params"].clone()
    }

    /// Waits until the folders are read.
    pub(crate) fn wait_until_read(&mut self) -> Value {
        let mut status = Value::Null;
        self.wait_until("the folders are read", |server| {
            status = server.command("nodewise.status");
            let projects = status["projects"].as_array().unwrap();
            !projects.is_empty() && projects.iter().all(|project| project["isComplete"] == true)
        });
        status
    }

    /// Asks the server until what it says is what is waited for.
    pub(crate) fn wait_until(&mut self, what: &str, mut holds: impl FnMut(&mut Server) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !holds(self) {
            assert!(Instant::now() < deadline, "waited in vain: {what}");
            // The server has better things to do than to answer this.
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// Executes a command.
    pub(crate) fn command(&mut self, name: &str) -> Value {
        self.result("workspace/executeCommand", json!({"command": name, "arguments": []}))
    }

    /// The server's text of a document.
    pub(crate) fn text(&mut self, uri: &str) -> String {
        let found = self.result("nodewise/debug", json!({"what": "text", "uri": uri}));
        found["text"].as_str().unwrap_or_else(|| panic!("no text of {uri}")).to_owned()
    }

    /// Waits for the end of the process; the result is its exit code.
    pub(crate) fn exit_code(&mut self) -> Option<i32> {
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        panic!("the process did not end");
    }

    /// Closes the server's input.
    pub(crate) fn hang_up(&mut self) {
        self.input = None;
    }

    /// The resident memory, in KiB; nothing where the system does not tell.
    pub(crate) fn memory(&self) -> Option<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
        line.split_whitespace().nth(1)?.parse().ok()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// Diagnostics, one a line.
pub(crate) fn shown(diagnostics: &Value) -> String {
    let line = |one: &Value| {
        let start = &one["range"]["start"];
        let first_line = one["message"].as_str().unwrap().lines().next().unwrap();
        format!(
            "{}:{}: {} {first_line}\n",
            start["line"],
            start["character"],
            one["code"].as_str().unwrap_or("-")
        )
    };
    diagnostics.as_array().unwrap().iter().map(line).collect()
}

fn merge(base: &mut Value, more: Value) {
    match (base, more) {
        (Value::Object(base), Value::Object(more)) => {
            for (key, value) in more {
                merge(base.entry(key).or_insert(Value::Null), value);
            }
        }
        (base, more) => *base = more,
    }
}

fn read_message(output: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if let Some(value) = line.strip_prefix("Content-Length: ") {
            length = value.trim().parse().unwrap();
        }
        if line.trim().is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    output.read_exact(&mut body).ok()?;
    Some(serde_json::from_slice(&body).unwrap())
}

//! What `nodewise lsp --log FILE` says: requests with their times, those that are slow, and faults.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::lsp::client::{Folder, Server};

/// How long a line may take before the test fails.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server that writes a log, and a folder with one file.
pub(crate) struct Logged {
    pub(crate) folder: Folder,
    pub(crate) server: Server,
    log: PathBuf,
}

impl Logged {
    /// A server for a folder with the text as `a.yaml`; `level` is how much it logs.
    pub(crate) fn start(text: &str, level: &str) -> Logged {
        let folder = Folder::new(&[("a.yaml", text)]);
        let log = folder.path.join("nodewise.log");
        let mut command = Command::new(env!("CARGO_BIN_EXE_nodewise"));
        let server = Server::start_with(command.args(["lsp", "--log-level", level, "--log"]).arg(&log));
        Logged { folder, server, log }
    }

    /// Introduces the client.
    pub(crate) fn initialize(&mut self) {
        let folders = [self.folder.uri("")];
        self.server.initialize(&folders, json!({}), json!({}));
    }

    /// Waits for a line that has all these parts, in this order.
    #[track_caller]
    pub(crate) fn check_line(&self, parts: &[&str]) {
        let has = |line: &str| {
            let found = parts.iter().try_fold(line, |rest, part| rest.split_once(part).map(|(_, rest)| rest));
            found.is_some()
        };
        let deadline = Instant::now() + PATIENCE;
        while !read(&self.log).lines().any(has) {
            assert!(Instant::now() < deadline, "no line has {parts:?}:\n{}", read(&self.log));
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

fn read(log: &Path) -> String {
    std::fs::read_to_string(log).unwrap_or_default()
}

#[test]
fn each_request_is_a_line_with_its_time() {
    let mut logged = Logged::start("kind: LLMNode\nname: a\n", "info");
    logged.initialize();
    logged.server.wait_until_read();
    let uri = logged.folder.uri("a.yaml");
    let position = json!({"textDocument": {"uri": uri}, "position": {"line": 0, "character": 1}});
    logged.server.result("textDocument/hover", position);
    logged.check_line(&[" INFO `nodewise lsp` begins version="]);
    logged.check_line(&[" INFO request{method=initialize id=1} took ", "s"]);
    logged.check_line(&[" INFO a project root=", " files=1, in load{folder="]);
    logged.check_line(&["request{method=workspace/executeCommand command=nodewise.status id="]);
    logged.check_line(&["request{method=textDocument/hover id=", &format!(" file={uri}}} took ")]);
}

#[test]
fn files_and_notifications_are_for_those_who_want_more() {
    let mut logged = Logged::start("kind: LLMNode\nname: a\n", "debug");
    logged.initialize();
    let uri = logged.folder.uri("a.yaml");
    logged.server.open(&uri, 1, "kind: LLMNode\nname: b\n");
    logged.server.published(&uri, Some(1));
    logged.check_line(&["DEBUG notification{method=textDocument/didOpen ", &format!("file={uri}}} took ")]);
    logged.check_line(&["DEBUG judge{file=a.yaml} took "]);
}

#[test]
fn a_slow_request_is_a_warning_that_names_the_file() {
    let mut logged = Logged::start("kind: LLMNode\nname: a\n", "warn");
    logged.initialize();
    let uri = logged.folder.uri("a.yaml");
    let work = json!({"what": "work", "milliseconds": 300, "uri": uri});
    logged.server.result("nodewise/debug", work);
    logged.check_line(&[" WARN slow: request{method=nodewise/debug id=", &format!(" file={uri}}} took ")]);
}

#[test]
fn a_fault_is_in_the_log() {
    let mut logged = Logged::start("kind: LLMNode\nname: a\n", "error");
    logged.initialize();
    logged.server.request("nodewise/debug", json!({"what": "panic"}));
    logged.check_line(&["ERROR a bug in nodewise: ", "a test asked for this panic"]);
}

//! Sessions for tests: a project in memory, a client that checks every message with the schema of the protocol.

use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use nodewise_analysis::settings::Settings;
use nodewise_analysis::workspace::{Change, Snapshot, Workspace};
use nodewise_dap::launch::{LaunchArguments, Launched, Launcher, RunBeginning, RunSource};
use nodewise_dap::refusal::{Refusal, RefusalKind};
use nodewise_dap::session::DebugSession;
use nodewise_engine::outcome::{Failure, Outcome, Status};
use nodewise_model::scenario::Scenario;
use nodewise_simulation::prepare;
use nodewise_simulation::run::Run;
use nodewise_simulation::scenario::{documents_of, whole};
use nodewise_simulation::target::{SimulationTarget, folder_of};
use nodewise_test_support::Fixture;
use serde_json::{Value, json};

use crate::schema::check_message;

/// The folder of the projects of tests.
pub(crate) const ROOT: &str = "/project";

/// A project in memory.
pub(crate) struct Project {
    pub(crate) snapshot: Snapshot,
    /// The files that were written, with their texts.
    pub(crate) written: Mutex<Vec<(PathBuf, String)>>,
    /// The files that changed since they were read; those without a text are gone.
    pub(crate) changed: Mutex<BTreeMap<String, Option<String>>>,
}

impl Project {
    pub(crate) fn of(files: impl IntoIterator<Item = (String, String)>) -> Project {
        let mut workspace = Workspace::new();
        let write = |(path, text): (String, String)| Change::Write {
            path: path.into(),
            text: Arc::from(text),
            settings: Arc::new(Settings::default()),
        };
        workspace.apply(files.into_iter().map(write).collect());
        Project { snapshot: workspace.snapshot(), written: Mutex::default(), changed: Mutex::default() }
    }

    pub(crate) fn fixture(text: &str) -> Project {
        let fixture = Fixture::parse(text.strip_prefix('\n').unwrap_or(text));
        let files = fixture.files.iter();
        Project::of(files.map(|file| (file.path.trim_start_matches('/').to_owned(), file.text.clone())))
    }

    /// An example of the repository.
    pub(crate) fn example(name: &str) -> Project {
        fn read(folder: &Path, root: &Path, files: &mut Vec<(String, String)>) {
            let mut entries: Vec<PathBuf> =
                std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
            entries.sort();
            for path in entries {
                if path.is_dir() {
                    read(&path, root, files);
                } else if path.extension().is_some_and(|extension| extension == "yaml" || extension == "json")
                {
                    let relative = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
                    files.push((relative, std::fs::read_to_string(&path).unwrap()));
                }
            }
        }
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
        let mut files = Vec::new();
        read(&root, &root, &mut files);
        Project::of(files)
    }

    /// The run of a scenario of a file.
    pub(crate) fn run(&self, path: &str, position: usize) -> Option<Run> {
        let (target, scenario) = self.beginning(path, position)?;
        Some(prepare(&self.snapshot, &target, &scenario).unwrap())
    }

    fn beginning(&self, path: &str, position: usize) -> Option<(SimulationTarget, Scenario)> {
        let file = self.snapshot.file(self.snapshot.source(path)?)?;
        let found = documents_of(&self.snapshot, file).nth(position)?;
        let scenario = whole(&self.snapshot, found.scenario, found.path).unwrap();
        let target = SimulationTarget::find(&self.snapshot, &scenario.target, folder_of(found.path)).unwrap();
        Some((target, scenario))
    }

    /// The scripts and scenarios of all files.
    pub(crate) fn scenarios(&self) -> Vec<(String, usize)> {
        let files = self.snapshot.files().iter();
        let of = |file: &Arc<nodewise_analysis::facts::FileFacts>| {
            let count = documents_of(&self.snapshot, file).count();
            (0..count).map(|position| (file.path.to_string(), position)).collect::<Vec<_>>()
        };
        files.flat_map(of).collect()
    }
}

impl Launcher for Project {
    fn launch(&self, arguments: &LaunchArguments) -> Result<Launched, Refusal> {
        let path = arguments.program.strip_prefix(ROOT).unwrap_or(&arguments.program).trim_start_matches('/');
        let run = self.run(path, arguments.scenario.unwrap_or(0) as usize);
        let run = run.ok_or_else(|| {
            Refusal::new(RefusalKind::NoTarget, format!("`{}` has no scenario", arguments.program))
        })?;
        let (target, scenario) = self.beginning(path, arguments.scenario.unwrap_or(0) as usize).unwrap();
        let beginning = Some(RunBeginning { target, scenario, uses: Vec::new() });
        Ok(Launched {
            root: PathBuf::from(ROOT),
            snapshot: self.snapshot.clone(),
            run,
            source: RunSource::Simulated,
            beginning,
            stored: None,
            notes: Vec::new(),
        })
    }

    /// A record of the first scenario of a file: `run` is the file, and `EVENTS` of `FILE:EVENTS` how far the record goes.
    fn attach(&self, arguments: &LaunchArguments) -> Result<Launched, Refusal> {
        let name = arguments.stored.run.clone().unwrap_or_default();
        let (path, events) = name.split_once(':').unwrap_or((&name, "1000000"));
        let run = self.run(path, 0).ok_or_else(|| Refusal::new(RefusalKind::NoTarget, "no run"))?;
        let mut recorded = run.clone();
        let events: usize = events.parse().unwrap();
        while recorded.log().len() < events && recorded.advance() {}
        let outcome = Outcome::failed(Status::Cancelled, Failure::lasting("Interrupted", "not finished"));
        Ok(Launched {
            root: PathBuf::from(ROOT),
            snapshot: self.snapshot.clone(),
            run,
            source: RunSource::Recorded(Box::new(recorded), outcome),
            beginning: None,
            stored: Some((name.clone(), PathBuf::from(ROOT))),
            notes: vec!["run RECORDED".to_owned()],
        })
    }

    fn write(&self, path: &Path, text: &str) -> Result<(), Refusal> {
        self.written.lock().unwrap().push((path.to_owned(), text.to_owned()));
        Ok(())
    }

    fn text(&self, path: &Path) -> Option<String> {
        let path = path.strip_prefix(ROOT).ok()?.to_string_lossy().into_owned();
        if let Some(text) = self.changed.lock().unwrap().get(&path) {
            return text.clone();
        }
        let file = self.snapshot.file(self.snapshot.source(&path)?)?;
        Some(file.text.to_string())
    }

    fn canonical(&self, path: &Path) -> PathBuf {
        let mut whole = PathBuf::new();
        for part in path.components() {
            match part {
                std::path::Component::ParentDir => drop(whole.pop()),
                part => whole.push(part),
            }
        }
        whole
    }
}

/// What is wrong with a debugger, so that the tests must fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Nothing.
    None,
    /// It does not stop at breakpoints.
    BreakpointsIgnored,
    /// It goes forwards when it shall go back.
    BackIsForward,
}

impl Fault {
    /// The request that the debugger does instead of one.
    fn instead_of(self, command: &str) -> &str {
        match (self, command) {
            (Fault::BackIsForward, "stepBack") => "next",
            (Fault::BackIsForward, "reverseContinue") => "continue",
            _ => command,
        }
    }

    /// Whether the lines of a session can show it.
    fn is_shown_by(self, script: &str) -> bool {
        match self {
            Fault::None => false,
            Fault::BreakpointsIgnored => BREAKPOINTS.iter().any(|command| script.contains(command)),
            Fault::BackIsForward => script.contains("stepBack") || script.contains("reverseContinue"),
        }
    }
}

/// The requests that set breakpoints.
const BREAKPOINTS: [&str; 3] = ["setBreakpoints", "setFunctionBreakpoints", "setDataBreakpoints"];

pub(crate) struct Client<'p> {
    fault: Fault,
    pub(crate) session: DebugSession<'p>,
    sent: i64,
    received: u64,
    /// Whether messages from before the request may wait.
    has_late: bool,
    /// The thread of the last stop.
    pub(crate) thread: i64,
    frame: Option<i64>,
    /// The conversation in short.
    pub(crate) transcript: String,
}

impl<'p> Client<'p> {
    pub(crate) fn new(project: &'p Project) -> Client<'p> {
        Client {
            fault: Fault::None,
            session: DebugSession::new(project),
            sent: 0,
            received: 0,
            has_late: false,
            thread: 1,
            frame: None,
            transcript: String::new(),
        }
    }

    /// Sends a request, lets the run go on to its next stop, and returns the response with the events.
    pub(crate) fn ask(&mut self, command: &str, arguments: Value) -> (Value, Vec<Value>) {
        self.has_late = false;
        self.send(command, arguments)
    }

    /// The same, if messages from before may wait.
    pub(crate) fn ask_late(&mut self, command: &str, arguments: Value) -> (Value, Vec<Value>) {
        self.has_late = true;
        self.send(command, arguments)
    }

    fn send(&mut self, command: &str, arguments: Value) -> (Value, Vec<Value>) {
        self.sent += 1;
        self.raw(&json!({"seq": self.sent, "type": "request", "command": command, "arguments": arguments}));
        let mut turns = 0;
        while self.session.is_running() && turns < 10_000 {
            self.session.work();
            turns += 1;
        }
        let mut response = Value::Null;
        let mut events = Vec::new();
        for message in self.session.take_messages() {
            self.received += 1;
            assert_eq!(message["seq"], self.received, "numbers follow one another");
            check_message(&message);
            if message["type"] == "response" {
                assert!(response.is_null(), "a second response: {message}");
                assert!(self.has_late || events.is_empty(), "an event before the response: {message}");
                response = message;
            } else {
                if message["event"] == "stopped" {
                    self.thread = message["body"]["threadId"].as_i64().unwrap();
                    self.frame = None;
                }
                events.push(message);
            }
        }
        assert!(!response.is_null(), "no response to {command}");
        (response, events)
    }

    /// Sends a message as it is.
    pub(crate) fn raw(&mut self, message: &Value) {
        self.session.handle(message);
    }

    /// The body of a successful response.
    pub(crate) fn body(&mut self, command: &str, arguments: Value) -> Value {
        let (response, _) = self.ask(command, arguments);
        assert_eq!(response["success"], true, "{response}");
        response["body"].clone()
    }

    /// Begins a session, up to its first stop.
    pub(crate) fn begin(&mut self, launch: Value, breakpoints: &[(&str, Value)]) {
        self.body("initialize", json!({"adapterID": "nodewise"}));
        self.body("launch", launch);
        for (command, arguments) in breakpoints {
            self.body(command, arguments.clone());
        }
        let (response, events) = self.ask("configurationDone", Value::Null);
        assert_eq!(response["success"], true, "{response}");
        self.note(&response, &events);
    }

    pub(crate) fn frames(&mut self) -> Vec<Value> {
        let thread = self.thread;
        let body = self.body("stackTrace", json!({"threadId": thread}));
        body["stackFrames"].as_array().unwrap().clone()
    }

    fn top_frame(&mut self) -> i64 {
        if self.frame.is_none() {
            self.frame = self.frames().first().map(|frame| frame["id"].as_i64().unwrap());
        }
        self.frame.unwrap()
    }

    /// The variables of a scope of the top frame, with the reference of the scope.
    pub(crate) fn scope(&mut self, name: &str) -> (i64, Vec<Value>) {
        let frame = self.top_frame();
        let scopes = self.body("scopes", json!({"frameId": frame}))["scopes"].clone();
        let scope = scopes.as_array().unwrap().iter().find(|scope| scope["name"] == name).cloned();
        let Some(scope) = scope else { return (0, Vec::new()) };
        let reference = scope["variablesReference"].as_i64().unwrap();
        let body = self.body("variables", json!({"variablesReference": reference}));
        (reference, body["variables"].as_array().unwrap().clone())
    }

    /// A line of a session: a request with its arguments as JSON, or `stack`, `scope NAME`, `eval EXPRESSION`, `set VALUE`.
    pub(crate) fn line(&mut self, line: &str) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        self.transcript.push_str(&format!("> {line}\n"));
        match word {
            "stack" => {
                for frame in self.frames() {
                    let name = frame["source"]["name"].as_str().unwrap_or("-");
                    let text = format!("  {} {name}:{}\n", frame["name"].as_str().unwrap(), frame["line"]);
                    self.transcript.push_str(&text);
                }
            }
            "scope" => {
                for one in self.scope(rest).1 {
                    let text =
                        format!("  {} = {}\n", one["name"].as_str().unwrap(), one["value"].as_str().unwrap());
                    self.transcript.push_str(&text);
                }
            }
            "eval" => {
                let frame = self.top_frame();
                let (response, events) =
                    self.ask("evaluate", json!({"expression": rest, "frameId": frame, "context": "repl"}));
                let shown = response["body"]["result"].as_str().unwrap_or_default();
                let lines: String = shown.lines().map(|line| format!("  {line}\n")).collect();
                self.transcript.push_str(&lines);
                self.note(&response, &events);
            }
            "set" => {
                let (reference, _) = self.scope("Answer");
                let (response, events) = self.ask(
                    "setVariable",
                    json!({"variablesReference": reference, "name": "answer", "value": rest}),
                );
                self.note(&response, &events);
            }
            _ => {
                let mut arguments =
                    if rest.is_empty() { Value::Null } else { serde_json::from_str(rest).unwrap() };
                if matches!(word, "continue" | "next" | "stepIn" | "stepOut" | "stepBack" | "reverseContinue")
                {
                    let mut with_thread = json!({"threadId": self.thread});
                    if let Value::Object(members) = arguments {
                        with_thread.as_object_mut().unwrap().extend(members);
                    }
                    arguments = with_thread;
                }
                let source = arguments["source"].clone();
                let (response, events) = self.ask(self.fault.instead_of(word), arguments);
                if self.fault == Fault::BreakpointsIgnored && BREAKPOINTS.contains(&word) {
                    self.ask(word, json!({"source": source, "breakpoints": []}));
                }
                for one in response["body"]["breakpoints"].as_array().into_iter().flatten() {
                    let text = match one["message"].as_str() {
                        Some(message) => format!("  unverified: {message}\n"),
                        None => format!("  breakpoint {} at line {}\n", one["id"], one["line"]),
                    };
                    self.transcript.push_str(&text);
                }
                for one in response["body"]["targets"].as_array().into_iter().flatten() {
                    self.transcript.push_str(&format!(
                        "  {} {}\n",
                        one["id"],
                        one["label"].as_str().unwrap()
                    ));
                }
                self.note(&response, &events);
            }
        }
    }

    fn note(&mut self, response: &Value, events: &[Value]) {
        if response["success"] == false {
            let error = &response["body"]["error"];
            let text = error["variables"]["text"].as_str().unwrap();
            self.transcript.push_str(&format!("  {}: {text}\n", response["message"].as_str().unwrap()));
        }
        for event in events {
            let body = &event["body"];
            let text = match event["event"].as_str().or(event["command"].as_str()).unwrap() {
                "stopped" => {
                    let thread = if body["threadId"] == 1 {
                        String::new()
                    } else {
                        format!(" [thread {}]", body["threadId"])
                    };
                    format!(
                        "{}: {}{thread}",
                        body["reason"].as_str().unwrap(),
                        body["description"].as_str().unwrap()
                    )
                }
                "output" => format!("| {}", body["output"].as_str().unwrap().trim_end()),
                "exited" => format!("exited {}", body["exitCode"]),
                other => other.to_owned(),
            };
            self.transcript.push_str(&format!("  {text}\n"));
        }
    }
}

/// Compares the transcript of a session with the expected one. With a debugger that has a fault, it must be another one.
#[track_caller]
pub(crate) fn check_debug(fixture: &str, script: &str, expected: &str) {
    let project = Project::fixture(fixture);
    let expected = expected.strip_prefix('\n').unwrap_or(expected);
    let found = transcript(&project, script, Fault::None);
    assert!(found == expected, "found:\n{found}\nexpected:\n{expected}");
    for fault in [Fault::BreakpointsIgnored, Fault::BackIsForward] {
        // A session that cannot be carried on is found too.
        let faulty = AssertUnwindSafe(|| transcript(&project, script, fault));
        let found = || std::panic::catch_unwind(faulty).ok();
        if fault.is_shown_by(script) {
            assert!(found().as_deref() != Some(expected), "{fault:?} is not found");
        }
    }
}

/// The transcript of a session.
fn transcript(project: &Project, script: &str, fault: Fault) -> String {
    let mut client = Client::new(project);
    client.fault = fault;
    client.body("initialize", json!({"adapterID": "nodewise"}));
    for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
        client.line(line);
    }
    client.transcript
}

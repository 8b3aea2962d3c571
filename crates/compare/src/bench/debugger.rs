//! `cargo xtask bench debugger`: measures the debug adapter, and debugpy on a loop of as many steps.
//!
//! Input is the release build. Output is a Markdown table of the best of several runs. Invariant: both adapters answer the same
//! requests of the same client, and take turns.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use super::client::{PATIENCE, milliseconds};
use super::measure::once;
use super::megabytes;
use xtask::checkout::{Profile, build};
use xtask::installs::python_packages;

const DEBUGPY: &str = "1.8.17";
const RUNS: usize = 5;
/// So many times the loop goes round. A round of the graph is about 20 events.
const ROUNDS: usize = 26_000;
/// The round of the first stop that is looked at.
const MIDDLE: usize = 5_200;
/// The round of the last stop.
const LAST: usize = ROUNDS - 100;

/// A graph that goes round until its counter says that it is enough.
const GRAPH: &str = "\
id: loop
name: Loop
description: A counter.
nodes:
  - {id: count, type: tool, tool_id: next, tools: [next], read_keys: [count_result], write_keys: [count_result]}
  - {id: stop, type: tool, tool_id: stop, tools: [stop]}
edges:
  - {source: count, target: count, condition: {type: conditional, condition: memory.count_result < 1}}
  - {source: count, target: stop, condition: {type: conditional, condition: memory.count_result >= 1}}
start_node: count
end_nodes: [stop]
";

/// An adapter, and what it debugs.
struct Subject {
    name: String,
    command: Vec<String>,
    folder: PathBuf,
    /// The launch configuration of the loop, and of a program that stops at once.
    launches: [Value; 2],
    /// The file and the line of a breakpoint in each of them.
    places: [(PathBuf, u64); 2],
    /// A condition that holds in each round of the loop.
    condition: &'static str,
    goes_back: bool,
}

/// The times of one run, in milliseconds.
#[derive(Debug, Clone, Copy)]
struct Times {
    launch: f64,
    stop: f64,
    forward: f64,
    back: f64,
    memory: u64,
}

impl Times {
    const NONE: Times = Times {
        launch: f64::INFINITY,
        stop: f64::INFINITY,
        forward: f64::INFINITY,
        back: f64::INFINITY,
        memory: 0,
    };

    fn best(self, other: Times) -> Times {
        Times {
            launch: self.launch.min(other.launch),
            stop: self.stop.min(other.stop),
            forward: self.forward.min(other.forward),
            back: self.back.min(other.back),
            memory: self.memory.max(other.memory),
        }
    }
}

/// Measures and prints the result.
pub(super) fn run(root: &Path) -> Result<()> {
    let nodewise = build(root, Profile::Release)?;
    let folder = root.join("target/bench/debugger");
    let subjects = [ours(root, &nodewise, &folder)?, debugpy(&folder)?];
    let mut best = [Times::NONE; 2];
    for _ in 0..RUNS {
        for (subject, best) in subjects.iter().zip(&mut best) {
            *best = best.best(measured(subject)?);
        }
    }
    let simulated =
        once(&nodewise, &["simulate", path(&folder.join("loop.scenario.yaml"))?, "--format", "json"])?;
    let [ours, theirs] = best;
    println!("| what | `nodewise dap` | debugpy {DEBUGPY} |\n|---|---|---|");
    println!(
        "| from the start of the adapter to the first stop | {:.0} ms | {:.0} ms |",
        ours.launch, theirs.launch
    );
    println!(
        "| stack, scopes and variables of a stop in round {MIDDLE} | {:.1} ms | {:.1} ms |",
        ours.stop, theirs.stop
    );
    println!(
        "| continue with a condition over {} rounds | {:.0} ms | {:.0} ms |",
        LAST - MIDDLE,
        ours.forward,
        theirs.forward
    );
    println!("| the same backwards | {:.0} ms | no |", ours.back);
    println!(
        "| memory of the adapter in the end | {:.0} MB | {:.0} MB |",
        megabytes(ours.memory),
        megabytes(theirs.memory)
    );
    println!("| memory of `nodewise simulate --format json` | {:.0} MB | |", megabytes(simulated.peak_bytes));
    Ok(())
}

fn path(path: &Path) -> Result<&str> {
    path.to_str().context("the checkout's path is not UTF-8")
}

fn ours(root: &Path, program: &Path, folder: &Path) -> Result<Subject> {
    std::fs::create_dir_all(folder)?;
    let scenario = folder.join("loop.scenario.yaml");
    std::fs::write(folder.join("loop.yaml"), GRAPH)?;
    let limits = "limits: {events: 3000000, visits: 10000000, tokens: 1000000000}";
    let answers =
        "host: {max_iterations: 10000000}\ntools: {next: {value: 0, times: always}, stop: {value: 0}}";
    std::fs::write(&scenario, format!("scenario: Loop.\nfile: loop.yaml\n{answers}\n{limits}\n"))?;
    let example = root.join("examples/cycgraph");
    let claims = std::fs::read_to_string(example.join("claims.yaml"))?;
    let settle =
        claims.lines().position(|line| line.contains("id: settle")).context("the example has `settle`")?;
    let launch = |program: &Path| json!({"program": program, "timeline": "off", "limits": {"events": 3_000_000, "visits": ROUNDS}});
    Ok(Subject {
        name: "nodewise dap".to_owned(),
        command: vec![path(program)?.to_owned(), "dap".to_owned()],
        folder: folder.to_owned(),
        launches: [launch(&scenario), json!({"program": example.join("claims.scenario.yaml")})],
        places: [(folder.join("loop.yaml"), 5), (example.join("claims.yaml"), settle as u64 + 1)],
        condition: "memory.count_result < 1",
        goes_back: true,
    })
}

fn debugpy(folder: &Path) -> Result<Subject> {
    let python = python_packages(&folder.join("python"), &format!("debugpy=={DEBUGPY}\n"))?;
    let [program, small] = ["loop.py", "small.py"].map(|name| folder.join(name));
    let text = format!(
        "def run():\n    state = {{'count_result': 0}}\n    for iteration_count in range({ROUNDS} + 1):\n        state['count_result'] = 0\n    return state\n\nrun()\n"
    );
    std::fs::write(&program, text)?;
    std::fs::write(&small, "state = {'amount': 1200}\nprint(state)\n")?;
    let launch =
        |program: &Path| json!({"program": program, "console": "internalConsole", "python": [&python]});
    Ok(Subject {
        name: "debugpy".to_owned(),
        command: vec![path(&python)?.to_owned(), "-m".to_owned(), "debugpy.adapter".to_owned()],
        folder: folder.to_owned(),
        launches: [launch(&program), launch(&small)],
        places: [(program, 4), (small, 2)],
        condition: "state['count_result'] < 1",
        goes_back: false,
    })
}

fn measured(subject: &Subject) -> Result<Times> {
    let begun = Instant::now();
    let mut small = Adapter::start(subject)?;
    small.begin(&subject.launches[1], &subject.places[1], None)?;
    let launch = milliseconds(begun, Instant::now());
    drop(small);

    let mut adapter = Adapter::start(subject)?;
    let (launched, place) = (&subject.launches[0], &subject.places[0]);
    adapter.begin(launched, place, Some((subject.condition, MIDDLE)))?;
    let asked = Instant::now();
    adapter.look()?;
    let stop = milliseconds(asked, Instant::now());
    adapter.set(place, Some((subject.condition, LAST)))?;
    let asked = Instant::now();
    adapter.go("continue")?;
    let forward = milliseconds(asked, Instant::now());
    let mut back = f64::INFINITY;
    if subject.goes_back {
        adapter.set(place, Some((subject.condition, MIDDLE)))?;
        let asked = Instant::now();
        adapter.go("reverseContinue")?;
        back = milliseconds(asked, Instant::now());
    }
    let memory = adapter.memory();
    Ok(Times { launch, stop, forward, back, memory })
}

/// A running adapter.
struct Adapter {
    name: String,
    process: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    pending: Vec<Value>,
    sent: i64,
    thread: i64,
}

impl Adapter {
    fn start(subject: &Subject) -> Result<Adapter> {
        let (program, arguments) = subject.command.split_first().context("an adapter has a command")?;
        let mut process = Command::new(program)
            .args(arguments)
            .current_dir(&subject.folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("cannot start {program}"))?;
        let input = process.stdin.take().context("the adapter has an input")?;
        let mut output = BufReader::new(process.stdout.take().context("the adapter has an output")?);
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            while let Some(message) = read(&mut output) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let name = subject.name.clone();
        Ok(Adapter { name, process, input, messages, pending: Vec::new(), sent: 0, thread: 1 })
    }

    /// Goes to the first stop.
    fn begin(
        &mut self,
        launch: &Value,
        place: &(PathBuf, u64),
        condition: Option<(&str, usize)>,
    ) -> Result<()> {
        self.request(
            "initialize",
            &json!({"adapterID": "bench", "linesStartAt1": true, "columnsStartAt1": true}),
        )?;
        // One of the two answers `launch` at once, and the other when the run begins.
        self.send("launch", launch)?;
        self.wait(|message| message["event"] == "initialized")?;
        self.set(place, condition)?;
        self.send("configurationDone", &json!({}))?;
        self.stopped()
    }

    fn set(&mut self, (file, line): &(PathBuf, u64), condition: Option<(&str, usize)>) -> Result<()> {
        let mut breakpoint = json!({"line": line});
        if let (Value::Object(members), Some(condition)) = (&mut breakpoint, condition) {
            let (condition, round) = condition;
            members.insert("condition".to_owned(), condition.into());
            members.insert("hitCondition".to_owned(), round.to_string().into());
        }
        self.request("setBreakpoints", &json!({"source": {"path": file}, "breakpoints": [breakpoint]}))
            .map(drop)
    }

    fn go(&mut self, command: &str) -> Result<()> {
        self.request(command, &json!({"threadId": self.thread}))?;
        self.stopped()
    }

    fn stopped(&mut self) -> Result<()> {
        let message = self.wait(|message| message["event"] == "stopped")?;
        let reason = message["body"]["reason"].as_str().unwrap_or_default();
        ensure!(reason == "breakpoint", "{} stopped because of {reason}: {message}", self.name);
        self.thread = message["body"]["threadId"].as_i64().unwrap_or(1);
        Ok(())
    }

    /// What an editor asks at a stop.
    fn look(&mut self) -> Result<()> {
        let stack =
            self.request("stackTrace", &json!({"threadId": self.thread, "startFrame": 0, "levels": 20}))?;
        let frame = &stack["stackFrames"][0]["id"];
        let scopes = self.request("scopes", &json!({"frameId": frame}))?;
        for scope in scopes["scopes"].as_array().into_iter().flatten() {
            self.request("variables", &json!({"variablesReference": scope["variablesReference"]}))?;
        }
        Ok(())
    }

    fn send(&mut self, command: &str, arguments: &Value) -> Result<i64> {
        self.sent += 1;
        let body = json!({"seq": self.sent, "type": "request", "command": command, "arguments": arguments})
            .to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{body}", body.len())?;
        self.input.flush()?;
        Ok(self.sent)
    }

    fn request(&mut self, command: &str, arguments: &Value) -> Result<Value> {
        let number = self.send(command, arguments)?;
        let answer =
            self.wait(|message| message["type"] == "response" && message["request_seq"] == number)?;
        ensure!(answer["success"] == true, "{command} of {}: {answer}", self.name);
        Ok(answer["body"].clone())
    }

    fn wait(&mut self, accepts: impl Fn(&Value) -> bool) -> Result<Value> {
        if let Some(position) = self.pending.iter().position(&accepts) {
            return Ok(self.pending.remove(position));
        }
        loop {
            let message = self
                .messages
                .recv_timeout(PATIENCE)
                .with_context(|| format!("{} says nothing", self.name))?;
            if accepts(&message) {
                return Ok(message);
            }
            if message["event"] == "terminated" {
                bail!("{} ended", self.name);
            }
            self.pending.push(message);
        }
    }

    /// The resident memory of the adapter in bytes. 0 if the system does not report it.
    fn memory(&self) -> u64 {
        let status =
            std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
        let number = line.split_whitespace().next().and_then(|word| word.parse::<u64>().ok());
        number.map_or(0, |kilobytes| kilobytes * 1024)
    }
}

impl Drop for Adapter {
    fn drop(&mut self) {
        // It may already have ended, which is fine.
        drop(self.send("disconnect", &json!({"terminateDebuggee": true})));
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

fn read(output: &mut BufReader<ChildStdout>) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end().split_once(": ") {
            Some(("Content-Length", number)) => length = number.parse().ok()?,
            Some(_) => {}
            None => break,
        }
    }
    let mut body = vec![0; length];
    output.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}

//! `cargo xtask bench debugger`: measures the debug adapter, and debugpy on a loop of as many steps.
//!
//! Input is the release build. Output is a Markdown table of the best of several runs. Invariant: both adapters answer the same
//! requests of the same client, and take turns. Each stop is checked: it is in the round that was wanted.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use super::client::{PATIENCE, milliseconds};
use super::measure::{self, once};
use super::megabytes;
use xtask::installs::python_packages;

const DEBUGPY: &str = "1.8.17";
const RUNS: usize = 5;
/// How often the loop runs. The last move, which goes back, covers more than half a million events.
const ROUNDS: usize = 36_000;
/// The number of events in one round of the loop.
const EVENTS_OF_ROUND: usize = 17;
/// The round of the first stop that is measured.
const MIDDLE: usize = 5_200;
/// The round of the last stop.
const LAST: usize = ROUNDS - 100;
/// How long an endless run continues before it is paused.
const TIME_TO_RUN: Duration = Duration::from_millis(300);

/// A graph with a loop that ends when its counter reaches the limit.
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

/// A debug adapter, and the program that it debugs.
struct Subject {
    name: String,
    command: Vec<String>,
    folder: PathBuf,
    /// The launch configurations of the loop, of a program that stops at once, and of one that does not end.
    launches: [Value; 3],
    /// The file and line of a breakpoint in the first two programs.
    places: [(PathBuf, u64); 2],
    /// The properties of a breakpoint that stops in this round, and that is evaluated in every round.
    in_round: fn(usize) -> Value,
    /// An expression for the number of the round. `None` if the hit count of the breakpoint is that number.
    round: Option<&'static str>,
    goes_back: bool,
}

/// The times of one run, in milliseconds.
#[derive(Debug, Clone, Copy)]
struct Times {
    launch: f64,
    stop: f64,
    forward: f64,
    back: f64,
    /// The processor time of the adapter for going back.
    back_processor: f64,
    pause: f64,
    memory: u64,
}

impl Times {
    const NONE: Times = Times {
        launch: f64::INFINITY,
        stop: f64::INFINITY,
        forward: f64::INFINITY,
        back: f64::INFINITY,
        back_processor: f64::INFINITY,
        pause: f64::INFINITY,
        memory: 0,
    };

    fn best(self, other: Times) -> Times {
        Times {
            launch: self.launch.min(other.launch),
            stop: self.stop.min(other.stop),
            forward: self.forward.min(other.forward),
            back: self.back.min(other.back),
            back_processor: self.back_processor.min(other.back_processor),
            pause: self.pause.min(other.pause),
            memory: self.memory.max(other.memory),
        }
    }
}

/// Measures and prints the result.
pub(super) fn run(root: &Path, nodewise: &Path) -> Result<()> {
    let folder = root.join("target/bench/debugger");
    let subjects = [ours(root, nodewise, &folder)?, debugpy(&folder)?];
    let mut best = [Times::NONE; 2];
    for _ in 0..RUNS {
        for (subject, best) in subjects.iter().zip(&mut best) {
            *best = best.best(measured(subject)?);
        }
    }
    let (scenario, rounds) = (folder.join("loop.scenario.yaml"), ROUNDS.to_string());
    let simulation = ["simulate", path(&scenario)?, "--format", "json", "--limit-visits", &rounds];
    let simulated = once(nodewise, &simulation)?;
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
    println!(
        "| the same backwards, over {} events | {:.0} ms, {:.0} ms of processor time | no |",
        (LAST - MIDDLE) * EVENTS_OF_ROUND,
        ours.back,
        ours.back_processor
    );
    println!("| pause in a run that does not end | {:.0} ms | {:.0} ms |", ours.pause, theirs.pause);
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
    let looping = |visits: usize| json!({"program": scenario, "timeline": "off", "limits": {"events": 100_000_000, "visits": visits}});
    Ok(Subject {
        name: "nodewise dap".to_owned(),
        command: vec![path(program)?.to_owned(), "dap".to_owned()],
        folder: folder.to_owned(),
        launches: [
            looping(ROUNDS),
            json!({"program": example.join("claims.scenario.yaml")}),
            looping(10_000_000),
        ],
        places: [(folder.join("loop.yaml"), 5), (example.join("claims.yaml"), settle as u64 + 1)],
        in_round: |round| json!({"condition": "memory.count_result < 1", "hitCondition": round.to_string()}),
        round: None,
        goes_back: true,
    })
}

fn debugpy(folder: &Path) -> Result<Subject> {
    let python = python_packages(&folder.join("python"), &format!("debugpy=={DEBUGPY}\n"))?;
    let [program, small, endless] = ["loop.py", "small.py", "endless.py"].map(|name| folder.join(name));
    let text = format!(
        "def run():\n    state = {{'count_result': 0}}\n    for iteration_count in range({ROUNDS} + 1):\n        state['count_result'] = 0\n    return state\n\nrun()\n"
    );
    std::fs::write(&program, text)?;
    std::fs::write(&small, "state = {'amount': 1200}\nprint(state)\n")?;
    // The program ends by itself, so that it does not stay if the adapter fails to end it.
    let waiting = "import time\nend = time.time() + 60\nwhile time.time() < end:\n    pass\n";
    std::fs::write(&endless, waiting)?;
    let launch =
        |program: &Path| json!({"program": program, "console": "internalConsole", "python": [&python]});
    Ok(Subject {
        name: "debugpy".to_owned(),
        command: vec![path(&python)?.to_owned(), "-m".to_owned(), "debugpy.adapter".to_owned()],
        folder: folder.to_owned(),
        launches: [launch(&program), launch(&small), launch(&endless)],
        places: [(program, 4), (small, 2)],
        // This adapter ignores a hit count if there is a condition.
        in_round: |round| json!({"condition": format!("iteration_count == {round}")}),
        round: Some("iteration_count"),
        goes_back: false,
    })
}

fn measured(subject: &Subject) -> Result<Times> {
    let begun = Instant::now();
    let mut small = Adapter::start(subject)?;
    small.begin(&subject.launches[1], &subject.places[1], &json!({}))?;
    let launch = milliseconds(begun, Instant::now());
    drop(small);

    let mut adapter = Adapter::start(subject)?;
    let (launched, place) = (&subject.launches[0], &subject.places[0]);
    let stopped = adapter.begin(launched, place, &(subject.in_round)(MIDDLE))?;
    let asked = Instant::now();
    adapter.look()?;
    let stop = milliseconds(asked, Instant::now());
    adapter.check_round(subject, &stopped, MIDDLE)?;
    let forward = adapter.go(subject, "continue", LAST)?;
    let used = adapter.processor_time();
    let (back, back_processor) = match subject.goes_back {
        true => (adapter.go(subject, "reverseContinue", MIDDLE)?, adapter.processor_time() - used),
        false => (f64::INFINITY, f64::INFINITY),
    };
    let memory = adapter.memory();
    drop(adapter);
    Ok(Times { launch, stop, forward, back, back_processor, pause: paused(subject)?, memory })
}

/// How long it takes to pause an endless run, in milliseconds.
fn paused(subject: &Subject) -> Result<f64> {
    let mut adapter = Adapter::start(subject)?;
    adapter.run(&subject.launches[2], |_| Ok(()))?;
    std::thread::sleep(TIME_TO_RUN);
    let asked = Instant::now();
    adapter.request("pause", &json!({"threadId": adapter.thread}))?;
    adapter.stopped("pause")?;
    Ok(milliseconds(asked, Instant::now()))
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

    /// Starts the program. `prepare` sets breakpoints and the like before.
    fn run(&mut self, launch: &Value, prepare: impl FnOnce(&mut Adapter) -> Result<()>) -> Result<()> {
        self.request(
            "initialize",
            &json!({"adapterID": "bench", "linesStartAt1": true, "columnsStartAt1": true}),
        )?;
        // Some adapters answer `launch` at once, others only when the run begins.
        self.send("launch", launch)?;
        self.wait(|message| message["event"] == "initialized")?;
        prepare(self)?;
        self.send("configurationDone", &json!({})).map(drop)
    }

    /// Runs to the first stop, which must be at the breakpoint.
    fn begin(&mut self, launch: &Value, place: &(PathBuf, u64), wanted: &Value) -> Result<Value> {
        self.run(launch, |adapter| adapter.set(place, wanted))?;
        self.stopped("breakpoint")
    }

    fn set(&mut self, (file, line): &(PathBuf, u64), wanted: &Value) -> Result<()> {
        let mut breakpoint = json!({"line": line});
        if let (Value::Object(members), Value::Object(wanted)) = (&mut breakpoint, wanted) {
            members.extend(wanted.clone());
        }
        self.request("setBreakpoints", &json!({"source": {"path": file}, "breakpoints": [breakpoint]}))
            .map(drop)
    }

    /// Moves to a round of the loop, and returns how long that took.
    fn go(&mut self, subject: &Subject, command: &str, round: usize) -> Result<f64> {
        self.set(&subject.places[0], &(subject.in_round)(round))?;
        let asked = Instant::now();
        self.request(command, &json!({"threadId": self.thread}))?;
        let stopped = self.stopped("breakpoint")?;
        let time = milliseconds(asked, Instant::now());
        self.check_round(subject, &stopped, round)?;
        Ok(time)
    }

    /// Checks that a stop is in a round of the loop.
    fn check_round(&mut self, subject: &Subject, stopped: &Value, round: usize) -> Result<()> {
        let Some(expression) = subject.round else {
            let description = stopped["body"]["description"].as_str().unwrap_or_default();
            ensure!(description.ends_with(&format!("hit {round}")), "{} is at {description}", self.name);
            return Ok(());
        };
        let stack = self.request("stackTrace", &json!({"threadId": self.thread}))?;
        let frame = &stack["stackFrames"][0]["id"];
        let asked = json!({"expression": expression, "frameId": frame, "context": "watch"});
        let found = self.request("evaluate", &asked)?["result"].clone();
        let is_wanted = found.as_str() == Some(round.to_string().as_str());
        ensure!(is_wanted, "{} is in round {found}, not in round {round}", self.name);
        Ok(())
    }

    fn stopped(&mut self, wanted: &str) -> Result<Value> {
        let message = self.wait(|message| message["event"] == "stopped")?;
        let reason = message["body"]["reason"].as_str().unwrap_or_default();
        ensure!(reason == wanted, "{} stopped because of {reason}: {message}", self.name);
        self.thread = message["body"]["threadId"].as_i64().unwrap_or(1);
        Ok(message)
    }

    /// Sends the requests that an editor sends at a stop.
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

    /// The processor time of the adapter so far, in milliseconds. 0 if the system does not report it.
    fn processor_time(&self) -> f64 {
        measure::processor_ms_of(self.process.id())
    }

    /// The resident memory of the adapter in bytes. 0 if the system does not report it.
    fn memory(&self) -> u64 {
        measure::memory(self.process.id(), "VmRSS:")
    }
}

impl Drop for Adapter {
    fn drop(&mut self) {
        // It may already have ended, which is fine. If not, it ends its program first.
        drop(self.send("disconnect", &json!({"terminateDebuggee": true})));
        for _ in 0..50 {
            if !matches!(self.process.try_wait(), Ok(None)) {
                break;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
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

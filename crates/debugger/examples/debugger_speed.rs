//! How fast the debugger is in a long run: `debugger_speed [EVENTS]`.
//!
//! Input: the number of events of a graph that runs in a circle; output: lines `what<TAB>figure`. Invariant: what is measured
//! is what a stop in an editor asks for.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "it measures, and prints"
)]

use std::sync::Arc;
use std::time::Instant;

use nodewise_analysis::settings::Settings;
use nodewise_analysis::workspace::{Change, Workspace};
use nodewise_debugger::breakpoints::{BreakpointSpec, Trigger};
use nodewise_debugger::debugger::{Backward, Debugger, Forward, Progress};
use nodewise_debugger::locations::Locations;
use nodewise_debugger::variables::Contents;
use nodewise_engine::fold::States;
use nodewise_simulation::prepare;
use nodewise_simulation::scenario::{documents_of, whole};
use nodewise_simulation::target::SimulationTarget;

const GRAPH: &str = "
id: circle
name: circle
description: Two nodes that follow each other.
max_iterations: 100000000
nodes:
  - {id: write, type: agent, agent_id: writer, write_keys: [draft]}
  - {id: score, type: tool, tool_id: rate, tools: [rate], read_keys: [draft]}
edges:
  - {source: write, target: score}
  - {source: score, target: write, condition: {type: conditional, condition: memory.score_result < 5}}
start_node: write
end_nodes: []
";

const SCENARIO: &str = "
scenario: It never ends.
file: circle.yaml
agents: {writer: {text: a, times: 1000000000}}
tools: {rate: {value: 3, times: 1000000000}}
limits: {visits: 100000000, events: EVENTS, time_ms: 1000000000000}
";

fn main() {
    let events: usize = std::env::args().nth(1).and_then(|count| count.parse().ok()).unwrap_or(200_000);
    let mut workspace = Workspace::new();
    let file = |path: &str, text: String| Change::Write {
        path: path.to_owned(),
        text: Arc::from(text),
        settings: Arc::new(Settings::default()),
    };
    let scenario = SCENARIO.replace("EVENTS", &events.to_string());
    workspace.apply(vec![file("circle.yaml", GRAPH.to_owned()), file("circle.scenario.yaml", scenario)]);
    let snapshot = workspace.snapshot();
    let source = snapshot.file(snapshot.source("circle.scenario.yaml").unwrap()).unwrap();
    let found = documents_of(&snapshot, source).next().unwrap();
    let scenario = whole(&snapshot, found.scenario, found.path).unwrap();
    let target = SimulationTarget::find(&snapshot, &scenario.target, "").unwrap();
    let run = prepare(&snapshot, &target, &scenario).unwrap();

    let began = Instant::now();
    let mut plain = run.clone();
    plain.drive(|_| true);
    tell("the run without a debugger", began);
    let locations = Arc::new(Locations::new(&snapshot, &run.facts().charts));
    let mut debugger = Debugger::new(run, Arc::clone(&locations), false, true);
    let began = Instant::now();
    forward(&mut debugger);
    tell("the run to its end in the debugger", began);
    println!("events\t{}", debugger.timeline().log().len());

    let middle = debugger.timeline().log().len() - 7;
    let began = Instant::now();
    let folded = States::after(debugger.timeline().log().get(..=middle).unwrap());
    tell("the state of an event near the end, from the first event", began);
    let began = Instant::now();
    let standing = debugger.timeline().state_at(middle).unwrap();
    tell("the same from the timeline", began);
    assert!(folded.of(standing.graphs[0].scope).unwrap().iter().eq(standing.graphs[0].state.iter()));

    debugger.jump(middle, nodewise_debugger::debugger::StopReason::Goto);
    let began = Instant::now();
    let frames = debugger.frames(debugger.lane());
    let contents = Contents::of(debugger.stacks(), frames.first().unwrap());
    let count: usize = contents.scopes().into_iter().map(|kind| contents.variables(kind).len()).sum();
    tell("stack, scopes and variables of a stop", began);
    println!("variables\t{count}");

    let condition = Some("memory.score_result > 100".to_owned());
    let trigger = Trigger::At(locations.named("score").unwrap());
    debugger
        .breakpoints
        .replace("functions", vec![BreakpointSpec { trigger, condition, hit: None, log: None }]);
    let began = Instant::now();
    debugger.back(Backward::Continue);
    tell("reverse continue over the whole run, with a condition that never holds", began);
}

fn forward(debugger: &mut Debugger) {
    debugger.go(Forward::Continue);
    while debugger.work(2048) == Progress::Running {}
}

fn tell(what: &str, began: Instant) {
    println!("{what}\t{:.3} ms", began.elapsed().as_secs_f64() * 1000.0);
}

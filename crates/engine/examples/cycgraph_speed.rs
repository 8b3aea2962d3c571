//! How fast graphs run with instant models: `cycgraph_speed [VISITS]`.
//!
//! Input: the number of visits of a ring of agents; output: lines `what<TAB>figure`. Invariant: the whole log is kept, as
//! a simulation does.

#![allow(clippy::disallowed_methods, clippy::print_stdout, reason = "it measures, and tells")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use nodewise_allocator as _;
use nodewise_dialect::lower;
use nodewise_dialect::tables::cycgraph::{CYCGRAPH, GRAPH_KIND_NAME};
use nodewise_dialect::value::SpannedValue as Written;
use nodewise_engine::ask::{Answer, Ask, Decision, ModelReply, Question, Reply};
use nodewise_engine::event::AskId;
use nodewise_engine::limits::Limits;
use nodewise_engine::outcome::{Failure, Status};
use nodewise_engine::provider::{Provider, drive};
use nodewise_engine::systems::cycgraph::host::{Host, HostAgent, HostTools};
use nodewise_engine::systems::cycgraph::program::Program;
use nodewise_engine::systems::cycgraph::{self, start::Start};
use nodewise_engine::time::Millis;
use nodewise_engine::usage::Usage;
use nodewise_expr::value::Value;
use nodewise_model::{Body, SourceId};
use nodewise_test_support::running;

const RUNS: usize = 7;
/// Nine waits of ten minutes each: this many visits are thirty days.
const FAILING_VISITS: usize = 480;

/// Answers at once; tools fail as often as their nodes are tried again.
struct Instantly {
    tool_calls: u32,
}

impl Provider for Instantly {
    fn answer(&mut self, _: AskId, ask: &Ask) -> Answer {
        if matches!(ask.what, Question::Tool(_)) {
            self.tool_calls += 1;
            return match self.tool_calls % 10 {
                0 => Answer::value(Value::Null),
                _ => Answer::failed(Failure::new("Error", "not yet")),
            };
        }
        let reply = ModelReply { text: "done".into(), ..ModelReply::default() };
        let usage = Usage { input_tokens: 10.0, output_tokens: 5.0, ..Usage::default() };
        Answer { usage, ..Answer::now(Reply::Model(reply)) }
    }

    fn decide(&mut self, _: &Value) -> Option<Decision> {
        None
    }
}

fn main() {
    let visits = std::env::args().nth(1).and_then(|visits| visits.parse().ok()).unwrap_or(100_000);
    if let Some((took, _)) = best(&running::ring(visits)) {
        println!("steps per second\t{:.0}", visits as f64 / took.as_secs_f64());
    }
    if let Some((took, passed)) = best(&running::failing(FAILING_VISITS)) {
        let days = passed.0 as f64 / 86_400_000.0;
        println!("{days:.1} days of retries\t{:.1} ms", took.as_secs_f64() * 1000.0);
    }
    if let Some((took, _)) = best(&running::row(10_000)) {
        println!("10,000 nodes in a row\t{:.1} ms", took.as_secs_f64() * 1000.0);
    }
}

/// The best time of several runs, and the virtual time that passed; nothing if a run does not complete.
fn best(graph: &str) -> Option<(Duration, Millis)> {
    let program = Arc::new(program(graph)?);
    let start = Start {
        goal: "the goal".into(),
        max_iterations: f64::INFINITY,
        max_execution_time_ms: f64::INFINITY,
        ..Start::default()
    };
    let mut best: Option<(Duration, Millis)> = None;
    for _ in 0..RUNS {
        let began = Instant::now();
        let mut kernel = cycgraph::begin(program.clone(), &start, Limits::default(), 0);
        let outcome = drive(&mut kernel, &mut Instantly { tool_calls: 0 });
        let took = began.elapsed();
        if outcome.status != Status::Completed {
            println!("{outcome:?}");
            return None;
        }
        if best.is_none_or(|(fastest, _)| took < fastest) {
            best = Some((took, kernel.now()));
        }
    }
    best
}

fn program(graph: &str) -> Option<Program> {
    let tree = nodewise_syntax::parse(graph);
    let written = Written::from_node(tree.documents().next()?.root()?, SourceId::default());
    let Body::Graph(graph) = lower::cycgraph::declaration(CYCGRAPH.kind(GRAPH_KIND_NAME)?, &written)?.body
    else {
        return None;
    };
    let worker = HostAgent { model: "model".into(), prompt: "You work.".into(), ..HostAgent::default() };
    let tools = HostTools { defined: [("t".into(), false)].into_iter().collect(), servers: None };
    let host = Host {
        agents: [("worker".into(), worker)].into_iter().collect(),
        tools: Some(tools),
        ..Host::default()
    };
    Some(Program::new(&graph, &[], host))
}

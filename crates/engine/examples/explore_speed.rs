//! How long the exploration of a graph of 50 nodes over 20 state keys takes, on all cores or on as many as `RAYON_NUM_THREADS`
//! says: `cargo run --release -p nodewise-engine --example explore_speed`. With `-- all`, it tries all states up to the limit.
#![allow(clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::disallowed_methods)]

use std::fmt::Write;
use std::sync::Arc;
use std::time::Instant;

use nodewise_allocator as _;
use nodewise_dialect::lower;
use nodewise_dialect::tables::cycgraph::{CYCGRAPH, GRAPH_KIND_NAME};
use nodewise_dialect::value::SpannedValue as Written;
use nodewise_engine::explore::thread_pool::SharedWork;
use nodewise_engine::explore::{ExplorationBounds, ThreadPool, explore};
use nodewise_engine::limits::Limits;
use nodewise_engine::systems::cycgraph::CycgraphGuide;
use nodewise_engine::systems::cycgraph::host::{Host, HostAgent, Source};
use nodewise_engine::systems::cycgraph::program::Program;
use nodewise_engine::systems::cycgraph::start::Start;
use nodewise_engine::systems::cycgraph::{self};
use nodewise_model::{Body, SourceId};
use nodewise_platform::threads::prelude::*;

const NODES: usize = 50;
const KEYS: usize = 20;

/// Agents that each write two keys, and choose by them and by keys of earlier ones: forward, across, back.
fn graph() -> String {
    let mut text = "id: wide\nname: wide\nstart_node: n0\nend_nodes: [n49]\nnodes:\n".to_owned();
    for node in 0..NODES {
        let (one, other) = (node % KEYS, (node * 7 + 3) % KEYS);
        writeln!(text, "  - {{id: n{node}, type: agent, agent_id: worker, write_keys: [k{one}, k{other}]}}")
            .expect("a text takes all");
    }
    text.push_str("edges:\n");
    for node in 0..NODES - 1 {
        let (one, other, earlier) = (node % KEYS, (node * 7 + 3) % KEYS, (node + KEYS - 3) % KEYS);
        let (next, across, back) = (node + 1, (node + 5).min(NODES - 1), node.saturating_sub(4));
        for (target, condition) in [
            (next, format!("memory.k{one} == \\\"go\\\" and memory.k{earlier} != \\\"stop\\\"")),
            (across, format!("memory.k{other} > {node}")),
            (back, format!("memory.k{one} == \\\"again\\\"")),
            (next, "true == 1 or memory.k0 != \\\"x\\\"".to_owned()),
        ] {
            writeln!(
                text,
                "  - {{source: n{node}, target: n{target}, condition: {{type: conditional, condition: \"{condition}\"}}}}"
            )
            .expect("a text takes all");
        }
    }
    text
}

struct AllCores;

impl ThreadPool for AllCores {
    fn threads(&self) -> usize {
        nodewise_platform::threads::current_num_threads()
    }

    fn do_all(&self, works: Vec<SharedWork<'_>>) {
        works.into_par_iter().for_each(|work| work());
    }
}

fn main() {
    let text = graph();
    let tree = nodewise_syntax::parse(text.as_str());
    let root = tree.documents().next().and_then(|document| document.root()).expect("a document");
    let written = Written::from_node(root, SourceId::default());
    let kind = CYCGRAPH.kind(GRAPH_KIND_NAME).expect("the kind of graphs");
    let Body::Graph(graph) = lower::cycgraph::declaration(kind, &written).expect("a graph").body else {
        panic!("no graph");
    };
    let agent =
        HostAgent { tools: [Source::Builtin("save_to_memory".into())].into(), ..HostAgent::default() };
    let host = Host { agents: [("worker".into(), agent)].into(), ..Host::default() };
    let program = Arc::new(Program::new(&graph, &[], host));
    let start = Start::default();
    let mut bounds = ExplorationBounds::default();
    if std::env::args().nth(1).as_deref() == Some("all") {
        bounds.plain = bounds.states;
    }
    for round in 0..3 {
        let begun = Instant::now();
        let guide = CycgraphGuide::new(program.clone(), &start);
        let run = cycgraph::begin(program.clone(), &start, Limits::default(), 0);
        let (guide, bounds) = (&guide, &bounds);
        let work = move || explore(&run, guide, bounds, &AllCores, &mut || true);
        let (report, ()) = nodewise_platform::threads::join(work, || ());
        println!(
            "round {round}: {} states, {} transitions, exhaustive: {}, {} findings, {} ends, {} ms",
            report.states,
            report.transitions,
            report.is_exhaustive,
            report.findings.len(),
            report.ends.len(),
            begun.elapsed().as_millis()
        );
        for gap in report.gaps {
            println!("  {gap}");
        }
    }
}

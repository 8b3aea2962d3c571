//! What can happen in small graphs, and what is found in them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fmt::Write;
use std::sync::Arc;

use nodewise_dialect::lower;
use nodewise_dialect::tables::cycgraph::{CYCGRAPH, GRAPH_KIND_NAME};
use nodewise_dialect::value::Value as Written;
use nodewise_engine::explore::{Bounds, Cycgraph, Report, explore};
use nodewise_engine::kernel::Kernel;
use nodewise_engine::limits::Limits;
use nodewise_engine::systems::cycgraph::host::{Agent, Host, Source, Tools};
use nodewise_engine::systems::cycgraph::program::Program;
use nodewise_engine::systems::cycgraph::start::Start;
use nodewise_engine::systems::cycgraph::{self, Cycgraph as System};
use nodewise_model::graph::Graph;
use nodewise_model::{Body, SourceId};
use smol_str::SmolStr;

/// A graph as YAML. Its agents save to memory, unless their id ends in `-text`; its tools are registered.
fn graph(text: &str) -> Graph {
    let tree = nodewise_syntax::parse(text);
    let root = tree.documents().next().and_then(|document| document.root()).expect("a document");
    let written = Written::from_node(root, SourceId::default());
    let kind = CYCGRAPH.kind(GRAPH_KIND_NAME).expect("the kind");
    match lower::cycgraph::declaration(kind, &written).expect("a graph").body {
        Body::Graph(graph) => *graph,
        _ => panic!("no graph"),
    }
}

fn run_of(text: &str) -> (Kernel<System>, Cycgraph) {
    let graph = graph(text);
    let agent = |id: &SmolStr| {
        let saves = !id.ends_with("-text");
        let tools = saves.then(|| Source::Builtin("save_to_memory".into())).into_iter().collect();
        (id.clone(), Agent { tools, ..Agent::default() })
    };
    let mut agents: Vec<SmolStr> =
        graph.nodes.iter().filter_map(|node| Some(node.agent.as_ref()?.name.clone())).collect();
    agents.push("judge".into());
    let host = Host {
        agents: agents.iter().map(agent).collect(),
        tools: Some(Tools { defined: [("fetch".into(), false)].into(), servers: None }),
        ..Host::default()
    };
    let program = Arc::new(Program::new(&graph, &[], host));
    let start = Start::default();
    let guide = Cycgraph::new(program.clone(), &start);
    (cycgraph::begin(program, &start, Limits::default(), 0), guide)
}

fn shown(report: &Report) -> String {
    let mut text = format!("exhaustive: {}\n", report.is_exhaustive);
    for gap in &report.gaps {
        writeln!(text, "gap: {gap}").unwrap();
    }
    for note in &report.notes {
        writeln!(text, "note: {note}").unwrap();
    }
    for end in &report.ends {
        let class = end.failure.as_ref().map(|failure| format!(" {}", failure.class)).unwrap_or_default();
        let fault = if end.needs_fault { " (fault)" } else { "" };
        writeln!(text, "end: {}{class} at {}{fault}", end.status.word(), end.node).unwrap();
    }
    for finding in &report.findings {
        let path = finding.witness.as_ref().map(|witness| {
            let nodes: Vec<&str> = witness.path.iter().map(|(_, node)| node.as_str()).take(8).collect();
            format!(" [{}]", nodes.join(" "))
        });
        writeln!(text, "{}: {}{}", finding.kind.name(), finding.kind, path.unwrap_or_default()).unwrap();
    }
    let worst = &report.worst;
    match (worst.is_unbounded, &worst.limit) {
        (true, limit) => writeln!(text, "worst: {}", limit.as_deref().unwrap_or("no limit")).unwrap(),
        (false, _) => {
            writeln!(text, "worst: {} visits, {} model calls", worst.visits, worst.model_calls).unwrap()
        }
    }
    text
}

fn check_explore(text: &str, expected: &str) {
    let (run, guide) = run_of(text);
    let report = explore(&run, &guide, &Bounds::default(), &mut || true);
    assert_eq!(shown(&report), expected.trim_start_matches('\n'), "\n{}", shown(&report));
}

#[test]
fn a_condition_that_never_holds() {
    check_explore(
        r#"
id: claims
name: claims
start_node: read
end_nodes: [pay, refuse]
nodes:
  - {id: read, type: agent, agent_id: reader, write_keys: [amount]}
  - {id: pay, type: agent, agent_id: payer, write_keys: [paid]}
  - {id: refuse, type: agent, agent_id: payer, write_keys: [paid]}
  - {id: lost, type: agent, agent_id: payer, write_keys: [paid]}
edges:
  - {source: read, target: pay, condition: {type: conditional, condition: "memory.amount <= 100"}}
  - {source: read, target: refuse, condition: {type: conditional, condition: "memory.amount > 100"}}
  - {source: read, target: lost, condition: {type: conditional, condition: "memory.amount > 200 and memory.amount < 100"}}
"#,
        r"
exhaustive: true
end: failed NoMatchingEdgeError at read
end: failed AgentExecutionError at read (fault)
end: completed at pay
end: failed AgentExecutionError at pay (fault)
end: completed at refuse
end: failed AgentExecutionError at refuse (fault)
unreached-node: no run visits `lost`
unreached-edge: no run follows the edge from `read` to `lost`: its condition never holds
dead-end: nothing leads on from `read` [read]
worst: 2 visits, 3 model calls
",
    );
}

#[test]
fn a_loop_without_an_exit_and_an_early_read() {
    check_explore(
        r#"
id: drafts
name: drafts
start_node: write
end_nodes: [publish]
nodes:
  - {id: write, type: agent, agent_id: writer, write_keys: [draft], read_keys: [notes]}
  - {id: review, type: agent, agent_id: reviewer, write_keys: [notes, verdict], read_keys: [draft]}
  - {id: publish, type: agent, agent_id: writer, write_keys: [out]}
edges:
  - {source: write, target: review}
  - {source: review, target: write, condition: {type: conditional, condition: "memory.verdict != \"good\""}}
  - {source: review, target: write, condition: {type: conditional, condition: "memory.verdict == \"good\""}}
  - {source: review, target: publish, condition: {type: conditional, condition: "memory.verdict == \"good\""}}
"#,
        r"
exhaustive: true
end: failed AgentExecutionError at write (fault)
end: failed AgentExecutionError at review (fault)
unreached-node: no run visits `publish`
unreached-edge: no run looks at the edge from `review` to `publish`
endless-loop: no answer leaves the loop of `review`, `write`: a limit alone ends it [write review write review write review write review]
read-before-write: `write` can read `notes` before anything has written it [write]
worst: max_iterations (50)
",
    );
}

#[test]
fn a_loop_that_some_answer_leaves() {
    check_explore(
        r#"
id: drafts
name: drafts
start_node: write
end_nodes: [publish]
nodes:
  - {id: write, type: agent, agent_id: writer, write_keys: [draft]}
  - {id: review, type: agent, agent_id: reviewer, write_keys: [score]}
  - {id: publish, type: router}
edges:
  - {source: write, target: review}
  - {source: review, target: publish, condition: {type: conditional, condition: "memory.score >= 0.8"}}
  - {source: review, target: write}
"#,
        r"
exhaustive: true
end: failed AgentExecutionError at write (fault)
end: failed AgentExecutionError at review (fault)
end: completed at publish
worst: max_iterations (50)
",
    );
}

#[test]
fn dead_ends_of_tools_and_people() {
    check_explore(
        r#"
id: requests
name: requests
start_node: fetch
end_nodes: [done]
nodes:
  - {id: fetch, type: tool, tool_id: fetch, tools: [{type: custom, name: fetch}]}
  - {id: ask, type: approval, approval_config: {prompt_message: ok, review_keys: ["*"], rejection_node_id: fetch}}
  - {id: done, type: router}
edges:
  - {source: fetch, target: ask, condition: {type: conditional, condition: "memory.fetch_result.status == \"ok\""}}
  - {source: ask, target: done}
"#,
        r"
exhaustive: true
end: failed NoMatchingEdgeError at fetch
end: failed Error at fetch (fault)
end: completed at done
dead-end: nothing leads on from `fetch` [fetch]
worst: max_iterations (50)
",
    );
}

#[test]
fn a_text_is_never_true() {
    check_explore(
        r#"
id: texts
name: texts
start_node: judge
end_nodes: [yes, no]
nodes:
  - {id: judge, type: agent, agent_id: judge-text, write_keys: [approved]}
  - {id: yes, type: router}
  - {id: no, type: router}
edges:
  - {source: judge, target: yes, condition: {type: conditional, condition: "memory.approved == true"}}
  - {source: judge, target: no}
"#,
        r"
exhaustive: true
end: failed AgentExecutionError at judge (fault)
end: completed at no
unreached-node: no run visits `yes`
unreached-edge: no run follows the edge from `judge` to `yes`: its condition never holds
worst: 2 visits, 1 model calls
",
    );
}

#[test]
fn a_supervisor_chooses_among_its_nodes() {
    check_explore(
        r#"
id: team
name: team
start_node: lead
end_nodes: [done]
nodes:
  - {id: lead, type: supervisor, agent_id: leader, supervisor_config: {managed_nodes: [dig, build], max_iterations: 4}}
  - {id: dig, type: agent, agent_id: worker, write_keys: [hole]}
  - {id: build, type: agent, agent_id: worker, write_keys: [house], read_keys: [hole]}
  - {id: done, type: router}
edges:
  - {source: dig, target: lead}
  - {source: build, target: lead}
"#,
        r"
exhaustive: true
note: supervisor `lead` ends the run after 4 choices
end: completed at lead
end: failed AgentExecutionError at lead (fault)
end: failed AgentExecutionError at dig (fault)
end: failed AgentExecutionError at build (fault)
unreached-node: no run visits `done`
read-before-write: `build` can read `hole` before anything has written it [lead build]
worst: max_iterations (50)
",
    );
}

#[test]
fn a_verifier_decides_by_a_path() {
    check_explore(
        r#"
id: checks
name: checks
start_node: make
end_nodes: [good]
nodes:
  - {id: make, type: agent, agent_id: maker, write_keys: [report]}
  - {id: check, type: verifier, read_keys: [report], verifier_config: {type: jsonpath, target_key: report, path: $.total, assertion: {op: gt, value: 10}}}
  - {id: good, type: router}
edges:
  - {source: make, target: check}
  - {source: check, target: good, condition: {type: conditional, condition: "memory.check_verification_passed"}}
  - {source: check, target: make, condition: {type: conditional, condition: "not memory.check_verification_passed"}}
"#,
        r"
exhaustive: true
end: failed AgentExecutionError at make (fault)
end: completed at good
worst: max_iterations (50)
",
    );
}

#[test]
fn items_of_a_map() {
    check_explore(
        r#"
id: maps
name: maps
start_node: list
end_nodes: [all, some]
nodes:
  - {id: list, type: agent, agent_id: lister, write_keys: [items]}
  - {id: each, type: map, read_keys: [items], map_reduce_config: {worker_node_id: work, items_path: $.memory.items, error_strategy: best_effort}}
  - {id: work, type: agent, agent_id: worker, write_keys: [out]}
  - {id: all, type: router}
  - {id: some, type: router}
edges:
  - {source: list, target: each}
  - {source: each, target: all, condition: {type: conditional, condition: "memory.each_error_count == 0"}}
  - {source: each, target: some}
"#,
        r"
exhaustive: true
end: failed AgentExecutionError at list (fault)
end: completed at some
end: completed at all
worst: 3 visits, 4 model calls
",
    );
}

#[test]
fn a_condition_that_counts_visits() {
    check_explore(
        r#"
id: rounds
name: rounds
start_node: work
end_nodes: [done]
nodes:
  - {id: work, type: agent, agent_id: worker, write_keys: [out]}
  - {id: done, type: router}
edges:
  - {source: work, target: done, condition: {type: conditional, condition: "iteration_count >= 3"}}
  - {source: work, target: work}
"#,
        r"
exhaustive: true
end: failed AgentExecutionError at work (fault)
end: completed at done
worst: 4 visits, 3 model calls
",
    );
}

#[test]
fn what_is_not_varied_is_told() {
    check_explore(
        r#"
id: costs
name: costs
start_node: work
end_nodes: [work]
nodes:
  - {id: work, type: agent, agent_id: worker, write_keys: [out]}
edges:
  - {source: work, target: work, condition: {type: conditional, condition: "total_cost_usd > 1"}}
"#,
        r"
exhaustive: false
gap: conditions read `total_cost_usd`, which the exploration does not vary
end: completed at work
end: failed AgentExecutionError at work (fault)
unreached-edge: no run looks at the edge from `work` to `work`
worst: 1 visits, 1 model calls
",
    );
}

#[test]
fn swarms_hand_over() {
    check_explore(
        r#"
id: swarm
name: swarm
start_node: a
end_nodes: [z]
nodes:
  - {id: a, type: agent, agent_id: one, write_keys: ["*"], swarm_config: {peer_nodes: [b], max_handoffs: 2}}
  - {id: b, type: agent, agent_id: two, write_keys: ["*"], swarm_config: {peer_nodes: [a], max_handoffs: 2}}
  - {id: z, type: router}
edges:
  - {source: a, target: z}
  - {source: b, target: z, condition: {type: conditional, condition: "memory.ready"}}
"#,
        r"
exhaustive: true
end: failed AgentExecutionError at a (fault)
end: completed at z
end: failed NoMatchingEdgeError at b
end: failed AgentExecutionError at b (fault)
dead-end: nothing leads on from `b` [a b]
worst: max_iterations (50)
",
    );
}

//! Facts of graphs that are written as documents.

use nodewise_test_support::Fixture;

use super::GraphFacts;
use crate::settings::Settings;
use crate::testing::project;

/// The first graph of a text and its facts, shown as lines.
fn check_facts(
    text: &str,
    show: impl Fn(&nodewise_model::graph::Graph, &GraphFacts) -> Vec<String>,
    expected: &[&str],
) {
    let files = project(&Fixture::parse(text), &Settings::default());
    let effective = files.iter().next().unwrap().documents[0].effective.as_ref().unwrap();
    let (graph, facts) = effective.graphs().next().unwrap();
    assert_eq!(show(graph, facts), expected, "{text}");
}

fn access(_: &nodewise_model::graph::Graph, facts: &GraphFacts) -> Vec<String> {
    let show =
        |access: &super::NodeAccess| format!("{} -> {}", access.reads.join(","), access.writes.join(","));
    facts.access.iter().map(show).collect()
}

#[test]
fn what_nodes_read_and_write() {
    check_facts(
        r"
name: g
description: d
nodes:
  - {id: a, type: agent, agent_id: w, read_keys: [x], write_keys: [y], default_write_key: y}
  - {id: t, type: tool, tool_id: t, write_keys: [ignored]}
  - {id: v, type: verifier, read_keys: [y], verifier_config: {type: expression, expression: 'memory.y > 1', result_key: ok}}
  - {id: p, type: approval, read_keys: [x], approval_config: {review_keys: [y, '*']}}
  - {id: s, type: supervisor, agent_id: w, supervisor_config: {managed_nodes: [a, t, gone]}}
  - {id: g, type: subgraph, subgraph_config: {subgraph_id: o, output_mapping: {r: mine}}}
edges: []
start_node: a
end_nodes: []
",
        access,
        &[
            "x -> y,y,a_output",
            " -> t_result",
            "y -> ok,ok_passed",
            "x,y -> ",
            "a_output,gone_output,ignored,t_output,t_result,y -> ",
            " -> mine",
        ],
    );
}

#[test]
fn what_a_run_reaches() {
    let reached = |graph: &nodewise_model::graph::Graph, facts: &GraphFacts| {
        let mut shown: Vec<String> = Vec::new();
        for (position, node) in graph.nodes.iter().enumerate() {
            if facts.is_reached(position) {
                shown.push(node.id.as_ref().unwrap().value.to_string());
            }
        }
        shown.push(format!("cycle {}", !facts.circles().is_empty()));
        shown
    };
    check_facts(
        r"
name: g
description: d
nodes:
  - {id: a, type: approval, approval_config: {rejection_node_id: d}}
  - {id: b, type: router, swarm_config: {peer_nodes: [e]}}
  - {id: c, type: router}
  - {id: d, type: router}
  - {id: e, type: router}
  - {id: d, type: router}
edges: [{source: a, target: b}, {source: c, target: a}, {source: gone, target: c}, {source: b, target: nowhere}]
start_node: a
end_nodes: []
",
        reached,
        &["a", "b", "d", "e", "d", "cycle false"],
    );
    check_facts(
        "{name: g, description: d, nodes: [{id: a, type: router}], edges: [{source: a, target: a}], start_node: b, end_nodes: []}",
        reached,
        &["cycle true"],
    );
}

#[test]
fn ten_thousand_nodes_in_a_row() {
    let mut text = "name: g\ndescription: d\nstart_node: n0\nend_nodes: []\nnodes:\n".to_owned();
    for number in 0..10_000 {
        text.push_str(&format!(
            "- {{id: n{number}, type: agent, read_keys: [k{number}], write_keys: [k{}]}}\n",
            number + 1
        ));
    }
    text.push_str("edges:\n");
    for number in 0..9_999 {
        text.push_str(&format!("- {{source: n{number}, target: n{}}}\n", number + 1));
    }
    let files = project(&Fixture::parse(&text), &Settings::default());
    let graph = files.iter().next().unwrap().documents[0]
        .effective
        .as_ref()
        .unwrap()
        .declaration
        .as_ref()
        .unwrap()
        .graphs()
        .next()
        .unwrap();
    let facts = GraphFacts::new(graph);
    assert!(facts.is_reached(9_999) && facts.circles().is_empty());
}

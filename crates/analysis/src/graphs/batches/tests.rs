//! Batches of small graphs, written as edges, and of one that is large.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write;
use std::sync::Arc;

use nodewise_model::SourceId;
use nodewise_model::graph::Graph;

use crate::facts::FileFacts;
use crate::graphs::GraphFacts;
use crate::settings::Settings;

/// A graph of tools from lines such as `S a b` (edges from S to a and b) and `a ? b` (edges that a condition decides).
fn graph(lines: &[&str]) -> Graph {
    let mut names: Vec<&str> = Vec::new();
    let mut edges = String::new();
    for line in lines {
        let mut words = line.split(' ');
        let source = words.next().unwrap();
        let mut kind = "static";
        names.push(source);
        for word in words {
            if word == "?" {
                kind = "conditional, condition: {type: expression, expr: scratch.x}";
                continue;
            }
            names.push(word);
            writeln!(edges, "  - {{source: {}, target: {}, type: {kind}}}", sentinel(source), sentinel(word))
                .unwrap();
        }
    }
    names.retain(|name| !["S", "E", "unknown"].contains(name) && !name.starts_with('_'));
    names.sort_unstable();
    names.dedup();
    let nodes: String = names
        .iter()
        .map(|name| format!("  - {{id: {}, executorConfig: {{type: tool}}}}\n", sentinel(name)))
        .collect();
    let text = format!("nodes:\n{nodes}edges:\n{edges}");
    let facts = FileFacts::new(SourceId(0), "g.yaml".into(), text.into(), Arc::new(Settings::default()));
    let declaration = facts.documents[0].effective.as_ref().unwrap().declaration.clone().unwrap();
    declaration.graphs().next().unwrap().clone()
}

fn sentinel(name: &str) -> &str {
    match name {
        "S" => "__START__",
        "E" => "__END__",
        "N" => "__START__",
        other => other,
    }
}

fn names(graph: &Graph, positions: impl IntoIterator<Item = usize>) -> String {
    let name = |position: usize| graph.nodes[position].id.as_ref().unwrap().value.to_string();
    positions.into_iter().map(name).collect::<Vec<_>>().join(" ")
}

/// What a graph comes to: unreached nodes, nodes without a place in the order, circles, dependents of each node.
fn check_batches(lines: &[&str], expected: &str) {
    let graph = graph(lines);
    let facts = GraphFacts::new(&graph);
    let all = 0..graph.nodes.len();
    let mut found = Vec::new();
    let unreached = names(&graph, all.clone().filter(|node| !facts.is_reached(*node)));
    let stuck = names(&graph, all.clone().filter(|node| !facts.is_ordered(*node)));
    let circles: Vec<String> = facts.circles().iter().map(|circle| names(&graph, circle.clone())).collect();
    for (title, part) in [("unreached", unreached), ("stuck", stuck), ("circles", circles.join(", "))] {
        if !part.is_empty() {
            found.push(format!("{title}: {part}"));
        }
    }
    for node in all {
        if !facts.dependents(node).is_empty() {
            let dependents = names(&graph, facts.dependents(node).iter().copied());
            found.push(format!("{} > {dependents}", names(&graph, [node])));
        }
    }
    assert_eq!(found.join("; "), expected, "{lines:?}");
}

#[test]
fn nodes_wait_for_one_another() {
    check_batches(&["S a", "a b", "b E"], "a > b");
    check_batches(&["S a b", "a c", "b c", "c E"], "");
    check_batches(&["S a", "a b c", "b d", "c d", "d e", "e E"], "a > b c d; d > e");
    check_batches(&["S a", "a E", "b c"], "unreached: b c; b > c");
    check_batches(&["S a", "a b", "b a c", "c E"], "stuck: a b c; circles: a b");
    check_batches(&["S a", "a a E"], "stuck: a; circles: a");
    check_batches(&["S a", "unknown b", "a b", "b E"], "stuck: b");
    check_batches(&["S a", "a E", "E b"], "");
    check_batches(&["S a", "a __CONDITIONAL__", "b E"], "stuck: a b");
    check_batches(&["S __CONDITIONAL__", "b E"], "");
    check_batches(&["S b", "b E", "N b"], "");
}

#[test]
fn choices_exclude_their_arms() {
    let lines = ["S a", "a ? b c", "b d", "c e", "d f", "e f", "f E"];
    let graph = graph(&lines);
    let facts = GraphFacts::new(&graph);
    let node = |id: &str| facts.node(id).unwrap();
    for (one, other, expected) in [("b", "c", true), ("d", "e", true), ("b", "f", false), ("a", "d", false)] {
        assert_eq!(facts.are_exclusive(node(one), node(other)), expected, "{one} {other}");
    }
    assert_eq!(facts.arm(node("d")), Some(node("b")));
    assert_eq!(facts.arm(node("f")), None);
    assert_eq!((facts.batch(node("d")), facts.batch(node("f"))), (2, 3));
}

#[test]
fn a_large_graph_is_walked_once() {
    let name = |number: usize| format!("n{number}");
    let mut lines: Vec<String> = vec!["S n0".to_owned()];
    for number in 0..10_000 {
        let (next, far) = (number + 1, (number * 7 + 3) % (number + 1) + number + 1);
        lines.push(format!("{} ? {} {}", name(number), name(next), name(far.min(10_000))));
    }
    lines.push("n10000 E".to_owned());
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let graph = graph(&lines);
    let facts = GraphFacts::new(&graph);
    assert_eq!(facts.batches.order.nodes.len(), 10_001);
    assert!(facts.circles().is_empty());
}

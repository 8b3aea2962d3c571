//! Graphs that keep a runner busy, for benchmarks: plain nodes, no waits. In: sizes; out: cycgraph documents as JSON.
//! Invariant: what a size says is how many nodes are visited.

use std::fmt::Write;

/// The number of nodes in a ring.
const RING: usize = 10;

/// A ring of agents, each of which reads the output of the one before. The run leaves the ring after `visits` visits,
/// which must be a multiple of ten.
#[must_use]
pub fn ring(visits: usize) -> String {
    let mut nodes = String::new();
    let mut edges = String::new();
    for place in 0..RING {
        let before = (place + RING - 1) % RING;
        let _ = write!(
            nodes,
            r#"{{"id":"n{place}","type":"agent","agent_id":"worker","read_keys":["k{before}"],"write_keys":["k{place}"]}},"#
        );
        if place + 1 < RING {
            let _ = write!(edges, r#"{{"source":"n{place}","target":"n{}"}},"#, place + 1);
        }
    }
    let last = RING - 1;
    let condition = format!(r#"{{"type":"conditional","condition":"iteration_count < {visits}"}}"#);
    let _ = write!(edges, r#"{{"source":"n{last}","target":"n0","condition":{condition}}},"#);
    let _ = write!(edges, r#"{{"source":"n{last}","target":"done"}}"#);
    nodes.push_str(r#"{"id":"done","type":"router"}"#);
    document(&nodes, &edges, "n0", "done")
}

/// A sequence of `length` agents.
#[must_use]
pub fn row(length: usize) -> String {
    let mut nodes = String::new();
    let mut edges = String::new();
    for place in 0..length {
        let comma = if place + 1 < length { "," } else { "" };
        let before = place.saturating_sub(1);
        let _ = write!(
            nodes,
            r#"{{"id":"n{place}","type":"agent","agent_id":"worker","read_keys":["k{before}"],"write_keys":["k{place}"]}}{comma}"#
        );
        if place > 0 {
            let _ = write!(edges, r#"{{"source":"n{before}","target":"n{place}"}}{comma}"#);
        }
    }
    document(&nodes, &edges, "n0", &format!("n{}", length.saturating_sub(1)))
}

/// A graph that visits a tool `rounds` times. In each visit the tool must fail nine times, with retries ten minutes
/// apart.
#[must_use]
pub fn failing(rounds: usize) -> String {
    let policy = r#""failure_policy":{"max_retries":10,"backoff_strategy":"fixed","initial_backoff_ms":600000,"max_backoff_ms":3600000}"#;
    let node = format!(
        r#"{{"id":"flaky","type":"tool","tool_id":"t","tools":["t"],{policy}}},{{"id":"done","type":"router"}}"#
    );
    let condition = format!(r#"{{"type":"conditional","condition":"iteration_count < {rounds}"}}"#);
    let edges = format!(
        r#"{{"source":"flaky","target":"flaky","condition":{condition}}},{{"source":"flaky","target":"done"}}"#
    );
    document(&node, &edges, "flaky", "done")
}

fn document(nodes: &str, edges: &str, start: &str, end: &str) -> String {
    format!(
        r#"{{"id":"g","name":"g","description":"","nodes":[{nodes}],"edges":[{edges}],"start_node":"{start}","end_nodes":["{end}"]}}"#
    )
}

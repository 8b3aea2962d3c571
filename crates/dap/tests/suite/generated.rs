//! Random graphs of each system, each with a scenario that runs it. The same number gives the same project everywhere.

use std::fmt::Write;

use crate::support::Project;

/// Numbers that look random, and are always the same.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }
}

/// The file of the scenario in each of the projects.
pub(crate) const SCENARIO: &str = "flow.scenario.yaml";

/// A project of each system, with its name.
pub(crate) fn projects(number: u64) -> [(String, Project); 3] {
    let project = |system: &str, make: fn(&mut Dice) -> (String, String)| {
        let (graph, scenario) = make(&mut Dice(number));
        let files = [("flow.yaml".to_owned(), graph), (SCENARIO.to_owned(), scenario)];
        (format!("{system} {number}"), Project::of(files))
    };
    [project("cycgraph", cycgraph), project("AgentOS", agentos), project("Liman", liman)]
}

/// Tools with loops between them, which end when a counter says so or the limit is reached.
fn cycgraph(dice: &mut Dice) -> (String, String) {
    let count = 3 + dice.roll(4);
    let mut graph = "id: flow\nname: Flow\ndescription: Generated.\nnodes:\n".to_owned();
    let mut scenario =
        "scenario: Generated.\nfile: flow.yaml\nhost: {max_iterations: 14}\ntools:\n".to_owned();
    for node in 0..count {
        let read = dice.roll(count);
        writeln!(
            graph,
            "  - {{id: n{node}, type: tool, tool_id: t{node}, tools: [t{node}], read_keys: [n{read}_result]}}"
        )
        .unwrap();
        let (first, after, last) = (dice.roll(6), dice.roll(50), dice.roll(6));
        writeln!(
            scenario,
            "  t{node}: [{{value: {first}, after: {after}}}, {{value: {last}, times: always}}]"
        )
        .unwrap();
    }
    graph.push_str("edges:\n");
    for node in 0..count - 1 {
        for _ in 0..dice.roll(3) {
            let (target, bound) = (dice.roll(count), dice.roll(6));
            let condition = format!("memory.n{node}_result > {bound} and memory.n0_result < 5");
            writeln!(graph, "  - {{source: n{node}, target: n{target}, condition: {{type: conditional, condition: {condition}}}}}").unwrap();
        }
        let next = node + 1 + dice.roll(count - node - 1);
        writeln!(graph, "  - {{source: n{node}, target: n{next}}}").unwrap();
    }
    writeln!(graph, "start_node: n0\nend_nodes: [n{}]", count - 1).unwrap();
    (graph, scenario)
}

/// Tools side by side, with edges that lead forward.
fn agentos(dice: &mut Dice) -> (String, String) {
    let count = 3 + dice.roll(4);
    let mut graph = "id: flow\nname: flow\nnodes:\n".to_owned();
    let mut scenario = "scenario: Generated.\nfile: flow.yaml\nnodes:\n".to_owned();
    let mut edges = "edges:\n  - {id: in, source: __START__, target: n0, type: static}\n".to_owned();
    for node in 0..count {
        writeln!(
            graph,
            "  - {{id: n{node}, type: tool, executorConfig: {{type: tool, toolName: n{node}, args: {{}}}}, executionMode: single_turn, effectClass: read, checkpoint: none}}"
        )
        .unwrap();
        let (value, after) = (dice.roll(4), dice.roll(40));
        writeln!(scenario, "  n{node}: {{value: {{a: {value}}}, after: {after}}}").unwrap();
        for target in node + 1..count {
            match dice.roll(4) {
                0 => writeln!(edges, "  - {{id: e{node}-{target}, source: n{node}, target: n{target}, type: static}}"),
                1 => writeln!(
                    edges,
                    "  - {{id: e{node}-{target}, source: n{node}, target: n{target}, type: conditional, condition: {{type: expression, expr: \"artifacts.n{node}.a > 1\"}}}}"
                ),
                _ => Ok(()),
            }
            .unwrap();
        }
        writeln!(edges, "  - {{id: out-{node}, source: n{node}, target: __END__, type: static}}").unwrap();
    }
    graph.push_str(&edges);
    graph.push_str("stateSchema: {input: {}, scratch: {}, artifacts: {}}\nreducers: {}\ncheckpointPolicy: none\nmemoryConsistency: live\n");
    (graph, scenario)
}

/// Nodes that speak, each with edges to later ones.
fn liman(dice: &mut Dice) -> (String, String) {
    let count = 3 + dice.roll(4);
    let (mut graph, mut scenario) = (String::new(), String::new());
    let risk = dice.roll(5);
    writeln!(scenario, "scenario: Generated.\nfile: flow.yaml\nstart: n0\nturns: [{{input: hello, context: {{risk: {risk}}}}}]\nnodes:").unwrap();
    for node in 0..count {
        let edge = |target: usize, bound: usize| {
            format!("  - {{target: LLMNode/n{target}, when: risk >= {bound}}}\n")
        };
        let edges: String = (node + 1..count).map(|target| edge(target, dice.roll(5))).collect();
        let edges = if edges.is_empty() { edges } else { format!("nodes:\n{edges}") };
        let separator = if node == 0 { "" } else { "---\n" };
        write!(graph, "{separator}kind: LLMNode\nname: n{node}\nprompts: {{system: {{en: Help.}}}}\n{edges}")
            .unwrap();
        let after = dice.roll(40);
        writeln!(scenario, "  n{node}: [{{text: Said by {node}., after: {after}, times: always}}]").unwrap();
    }
    (graph, scenario)
}

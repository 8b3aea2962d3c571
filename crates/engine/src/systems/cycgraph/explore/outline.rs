//! Outlines of a program's graphs: which nodes read and write which key. In: programs; out: outlines of the graphs
//! that can run. Invariant: a granted key counts as one that may be written.

use std::collections::BTreeSet;

use nodewise_model::cycgraph::{HUMAN_KEYS, Work};
use smol_str::SmolStr;

use super::ask;
use crate::explore::guide::{EdgeOutline, NodeOutline, Outline};
use crate::explore::live_variables::LiveVariables;
use crate::systems::cycgraph::program::{GraphProgram, NodeProgram, Program, Reads};
use crate::systems::cycgraph::start::Start;

/// The outlines of the graphs that can run, the main one first.
pub(super) fn outlines(program: &Program, start: &Start, variables: &[LiveVariables]) -> Vec<Outline> {
    let mut open = vec![0];
    let mut known = BTreeSet::from([0]);
    let mut outlines = Vec::new();
    while let Some(position) = open.pop() {
        let (Some(graph), Some(variables)) = (program.graphs().get(position), variables.get(position)) else {
            continue;
        };
        outlines.push(outline(graph, program, start, variables, position == 0));
        for node in &graph.nodes {
            let Work::Subgraph(work) = &node.work else { continue };
            open.extend(ask::called(work, program).filter(|called| known.insert(*called)));
        }
    }
    outlines
}

fn outline(
    graph: &GraphProgram,
    program: &Program,
    start: &Start,
    variables: &LiveVariables,
    is_main: bool,
) -> Outline {
    let declared = graph.inputs.iter().flatten().map(|port| port.key.value.clone());
    let mut given: BTreeSet<SmolStr> = declared.collect();
    if is_main {
        given.extend(start.memory.iter().map(|(key, _)| key.clone()));
    }
    let node = |(position, node): (usize, &NodeProgram)| NodeOutline {
        id: node.id.clone(),
        reads: read(node),
        tests: variables.asked_after(position),
        writes: written(node, program, variables),
    };
    let edges = graph.nodes.iter().flat_map(|node| {
        node.edges.iter().map(|edge| EdgeOutline {
            from: node.id.clone(),
            to: edge.target_name.clone(),
            number: edge.position,
        })
    });
    // Workers of maps run inside the map. They are visited themselves only if an edge leads to them.
    let led_to: BTreeSet<&SmolStr> =
        graph.nodes.iter().flat_map(|node| &node.edges).map(|edge| &edge.target_name).collect();
    let workers: BTreeSet<&SmolStr> = graph.nodes.iter().filter_map(|node| worker(&node.work)).collect();
    let is_visited = |node: &NodeProgram| !workers.contains(&node.id) || led_to.contains(&node.id);
    Outline {
        id: graph.id.clone(),
        nodes: graph.nodes.iter().enumerate().filter(|(_, node)| is_visited(node)).map(node).collect(),
        edges: edges.collect(),
        given,
    }
}

/// The node that handles the items of a map.
fn worker(work: &Work) -> Option<&SmolStr> {
    match work {
        Work::Map(map) => map.worker.as_ref().map(|worker| &worker.value),
        _ => None,
    }
}

/// The keys that a node reads by name.
fn read(node: &NodeProgram) -> Vec<SmolStr> {
    match (&node.reads, &node.work) {
        // These nodes only pass on what they read, whether it is there or not.
        (Reads::All, _) | (_, Work::Supervisor(_) | Work::Human(_)) => Vec::new(),
        (Reads::Paths(paths), _) => paths.iter().filter_map(|path| path.first().cloned()).collect(),
    }
}

/// The keys that a node may write.
fn written(node: &NodeProgram, program: &Program, variables: &LiveVariables) -> Vec<SmolStr> {
    let mut keys: Vec<SmolStr> = node.grant.writes.to_vec();
    match &node.work {
        Work::Agent(_) => keys.extend(ask::written_by_agent(node, program, variables)),
        Work::Human(_) => keys.extend(HUMAN_KEYS.map(SmolStr::new_static)),
        Work::Subgraph(work) => {
            let to = work.outputs.iter().filter_map(|mapping| mapping.to.as_ref());
            keys.extend(to.map(|to| to.value.clone()));
        }
        Work::RemoteAgent(work) => {
            let to = work.outputs.iter().filter_map(|mapping| mapping.to.as_ref());
            keys.extend(to.map(|to| to.value.clone()));
        }
        Work::Tool(_)
        | Work::Router(_)
        | Work::Supervisor(_)
        | Work::Synthesizer
        | Work::Map(_)
        | Work::Voting(_)
        | Work::Evolution(_)
        | Work::Verifier(_)
        | Work::Reflection(_)
        | Work::Unknown => {}
    }
    keys
}

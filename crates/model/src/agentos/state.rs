//! What nodes leave in the state: artifacts under their key, and keys of the scratch part.

use smol_str::{SmolStr, format_smolstr};

use super::Work;
use crate::conventions::StateParts;
use crate::graph::{Graph, GraphNode};
use crate::state::{NodeAccess, StateModel};

/// The state of AgentOS graphs: an input, parts that every node can write, and the parts that a graph declares.
pub static STATE: &dyn StateModel = &OpenState;

#[derive(Debug)]
struct OpenState;

impl StateModel for OpenState {
    fn accesses(&self, graph: &Graph) -> Vec<NodeAccess> {
        let parts = graph.conventions.parts.as_ref();
        let access = |node| parts.map_or_else(NodeAccess::default, |parts| of_node(parts, node));
        graph.nodes.iter().map(access).collect()
    }
}

fn of_node(parts: &'static StateParts, node: &GraphNode) -> NodeAccess {
    let work = Work::of(node);
    let mut access = NodeAccess {
        leaves_mapping: matches!(work, Work::Human(_) | Work::Guardrail(_) | Work::Voice(_)),
        ..NodeAccess::default()
    };
    let scratch = |key: &str| format_smolstr!("{}.{key}", parts.scratch);
    match work {
        Work::Extension(_) | Work::Unknown => access.leaves_any_of.push(parts.scratch),
        Work::Voice(_) => access.leaves.extend(node.id.as_ref().map(|id| scratch(&id.value))),
        Work::Subgraph(subgraph) => {
            for mapping in &subgraph.outputs {
                // Someone is still typing this entry: it may become any key.
                let Some(to) = &mapping.to else {
                    access.leaves_any_of.push(parts.scratch);
                    continue;
                };
                // `to` may begin with the name of the part. A rule reports that; the key that is meant is clear.
                access.leaves.push(scratch(StateParts::without_part(parts.scratch, &to.value)));
            }
        }
        Work::Tool(_) | Work::Router(_) | Work::Human(_) | Work::Model(_) | Work::Guardrail(_) => {}
    }
    if !matches!(work, Work::Router(_)) {
        match artifact(node) {
            Some(key) => access.leaves.push(format_smolstr!("{}.{key}", parts.artifacts)),
            None => access.leaves_any_of.push(parts.artifacts),
        }
    }
    access
}

/// The state key under which a node stores its output.
fn artifact(node: &GraphNode) -> Option<&SmolStr> {
    node.execution.output_as.as_ref().or(node.id.as_ref()).map(|key| &key.value)
}

//! Why a run cannot begin: problems of the graph, and what it needs that the host does not wire (cycgraph:6.2, step
//! 0; cycgraph:3.3). In: a graph and a host; out: one text. Invariant: a graph that passes can be begun.

use nodewise_model::cycgraph::Work;
use smol_str::{SmolStr, format_smolstr};

use super::{GraphId, GraphProgram, Program};
use crate::systems::cycgraph::host::{Host, Source};

impl Program {
    /// The reason why a run of a graph cannot begin; `None` if it can.
    pub(crate) fn preflight(&self, id: GraphId) -> Option<SmolStr> {
        let graph = self.graph(id);
        if !graph.problems.is_empty() {
            return Some(format_smolstr!("Graph validation failed: {}", graph.problems.join(", ")));
        }
        let errors = wiring(graph, &self.host);
        (!errors.is_empty()).then(|| format_smolstr!("Runner wiring error: {}", errors.join(", ")))
    }
}

fn wiring(graph: &GraphProgram, host: &Host) -> Vec<String> {
    let mut errors = Vec::new();
    if !host.memory_writer && graph.nodes.iter().any(|node| matches!(node.work, Work::Reflection(_))) {
        errors.push(
            "graph has reflection node(s) but no memoryWriter was provided on GraphRunnerOptions".to_owned(),
        );
    }
    let sources = || graph.nodes.iter().map(|node| (&node.id, node.tools.as_deref().unwrap_or_default()));
    let reaches_servers = host.tools.as_ref().is_some_and(|tools| tools.servers.is_some());
    if !reaches_servers {
        let with_servers =
            sources().filter(|(_, tools)| tools.iter().any(|tool| matches!(tool, Source::Server(..))));
        errors.extend(with_servers.map(|(node, _)| {
            format!(
                "node '{node}' declares MCP tool sources but no ToolResolver was provided on GraphRunnerOptions.tools"
            )
        }));
    }
    for (node, tools) in sources() {
        for tool in tools {
            let Source::Custom(name) = tool else { continue };
            if !host.tools.as_ref().is_some_and(|tools| tools.defined.contains_key(name)) {
                errors.push(format!(
                    "node '{node}' declares custom tool \"{name}\" but no matching defineTool() registration was \
                     provided on GraphRunnerOptions.tools"
                ));
            }
        }
    }
    errors
}

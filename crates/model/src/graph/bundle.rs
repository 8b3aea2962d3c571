//! Graphs and agents packed together, what they require of a host, and where tools come from.

use std::collections::BTreeSet;

use nodewise_expr::value::Value;
use smol_str::SmolStr;

use super::{Graph, Port};
use crate::origin::{Located, Origin};

/// Graphs and the agents that they call, packed together.
#[derive(Debug, Clone)]
pub struct Bundle {
    /// The first line.
    pub head: Origin,
    /// The kind of the graphs, in the words of the dialect.
    pub graph_kind: &'static str,
    /// The kind of the agents, in the words of the dialect.
    pub agent_kind: &'static str,
    /// The main graph.
    pub graph: Option<Graph>,
    /// Further graphs, which the main graph calls.
    pub graphs: Vec<Graph>,
    /// Agents that the graphs call.
    pub agents: Vec<AgentDefinition>,
    /// What the host program must provide.
    pub requires: Requirements,
    /// The declared keys of the input; `None` if the bundle does not declare any.
    pub inputs: Option<Vec<Port>>,
    /// The declared keys of the output; `None` if the bundle does not declare any.
    pub outputs: Option<Vec<Port>>,
}

/// What a host program must provide for a bundle.
#[derive(Debug, Clone, Default)]
pub struct Requirements {
    /// The key of the requirements, if it was written.
    pub at: Option<Origin>,
    pub tools: Vec<Located<SmolStr>>,
    /// The schemas of the tools' arguments, by the names of the tools.
    pub arguments: Vec<(SmolStr, Located<Value>)>,
    /// The names of the tools whose results are tainted.
    pub tainting: Vec<SmolStr>,
    /// Servers of tools.
    pub servers: Vec<Located<SmolStr>>,
    pub models: Vec<Located<SmolStr>>,
}

/// Something that a bundle uses but does not list in its requirements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Undeclared<'b> {
    pub kind: RequirementKind,
    /// Where it is used.
    pub name: &'b Located<SmolStr>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequirementKind {
    /// A tool that the host registers.
    Tool,
    /// A server of tools.
    Server,
    Model,
}

/// An agent that nodes call.
#[derive(Debug, Clone)]
pub struct AgentDefinition {
    pub id: Option<Located<SmolStr>>,
    /// The first line.
    pub head: Origin,
    pub model: Option<Located<SmolStr>>,
    /// The provider of the model.
    pub provider: Option<Located<SmolStr>>,
    /// The system prompt.
    pub prompt: Option<Located<SmolStr>>,
    /// The tools that it may call.
    pub tools: Vec<ToolSource>,
    /// The only keys that it may read; `None` means no limit.
    pub reads: Option<Vec<Located<SmolStr>>>,
    /// The only keys that it may write; `None` means no limit.
    pub writes: Option<Vec<Located<SmolStr>>>,
    /// The sampling temperature.
    pub temperature: Option<f64>,
    /// The maximum number of model calls in one visit.
    pub max_steps: Option<f64>,
}

/// Where the tools of a node or an agent come from.
#[derive(Debug, Clone)]
pub struct ToolSource {
    /// The whole source.
    pub at: Origin,
    pub kind: ToolSourceKind,
}

#[derive(Debug, Clone)]
pub enum ToolSourceKind {
    /// A tool that is built into the engine.
    Builtin(Located<SmolStr>),
    /// A tool that the host registers.
    Custom(Located<SmolStr>),
    /// A server of tools, and the tools that are used; `None` means all of them.
    Server(Located<SmolStr>, Option<Vec<Located<SmolStr>>>),
}

impl RequirementKind {
    /// What is required, as a noun for messages.
    #[must_use]
    pub fn noun(self) -> &'static str {
        match self {
            RequirementKind::Tool => "tool",
            RequirementKind::Server => "server",
            RequirementKind::Model => "model",
        }
    }
}

impl Bundle {
    /// The tool sources of all nodes and agents of the bundle.
    pub fn sources(&self) -> impl Iterator<Item = &ToolSource> {
        let nodes = self.graph.iter().chain(&self.graphs).flat_map(|graph| &graph.nodes);
        let of_nodes = nodes.flat_map(|node| node.tools.iter().flat_map(|tools| &tools.value));
        of_nodes.chain(self.agents.iter().flat_map(|agent| &agent.tools))
    }

    /// What nodes and agents of the bundle use without a requirement, in the order of the model.
    #[must_use]
    pub fn undeclared(&self) -> Vec<Undeclared<'_>> {
        let names = |listed: &'_ [Located<SmolStr>]| -> BTreeSet<SmolStr> {
            listed.iter().map(|name| name.value.clone()).collect()
        };
        let (tools, servers) = (names(&self.requires.tools), names(&self.requires.servers));
        let models = names(&self.requires.models);
        let sources = self.sources().filter_map(|source| match &source.kind {
            ToolSourceKind::Builtin(_) => None,
            ToolSourceKind::Custom(name) => {
                (!tools.contains(&name.value)).then_some(Undeclared { kind: RequirementKind::Tool, name })
            }
            ToolSourceKind::Server(name, _) => {
                (!servers.contains(&name.value)).then_some(Undeclared { kind: RequirementKind::Server, name })
            }
        });
        let of_agents = self.agents.iter().filter_map(|agent| agent.model.as_ref());
        let of_agents = of_agents
            .filter(|model| !models.contains(&model.value))
            .map(|name| Undeclared { kind: RequirementKind::Model, name });
        sources.chain(of_agents).collect()
    }
}

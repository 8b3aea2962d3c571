//! What a target needs of the world, as its declarations say it: models of agents, tools with their arguments, functions, servers.
//!
//! Input: a snapshot, what is to run; output: plain data. Invariant: what no declaration says is absent; the configuration fills
//! it in.

mod shapes;

use std::collections::{BTreeMap, BTreeSet};

use nodewise_engine::systems::cycgraph::host::Source;
use nodewise_expr::ast::Path;
use nodewise_expr::limance::{self, Profile};
use nodewise_model::graph::GraphNode;
use nodewise_model::work::Work;
use nodewise_model::{Body, Declaration, Located, NodeKind};
use nodewise_project::config::live::Live;
use nodewise_simulation::Makings;
use nodewise_simulation::system::System;
use serde_json::Value as Json;
use smol_str::SmolStr;

/// The language of descriptions where a run has none.
const LANGUAGE: &str = "en";

/// What a target needs of the world.
#[derive(Debug, Clone)]
pub struct Wiring {
    /// Whose graph runs.
    pub system: System,
    /// Who asks models, by the name that a model's question has.
    pub agents: BTreeMap<SmolStr, Agent>,
    /// The tools that are called or offered to models, by name.
    pub tools: BTreeMap<SmolStr, Tool>,
    /// The servers of tools that declarations name; with the tools that are wanted of them, `None` is all.
    pub servers: BTreeMap<SmolStr, Option<BTreeSet<SmolStr>>>,
    /// The functions of the program, as dotted paths.
    pub functions: BTreeSet<SmolStr>,
}

/// Who asks a model.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Agent {
    /// The model.
    pub model: Option<SmolStr>,
    /// Whose model it is.
    pub provider: Option<SmolStr>,
    /// The shape that the answer must have, as JSON Schema.
    pub output: Option<Json>,
}

/// A tool.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tool {
    /// What it is for, as models read it.
    pub description: Option<String>,
    /// Its arguments, as JSON Schema.
    pub parameters: Option<Json>,
    /// The Python function behind it, as a dotted path.
    pub function: Option<SmolStr>,
    /// The server that has it.
    pub server: Option<SmolStr>,
}

/// A tool as models are offered it.
#[derive(Debug, Clone, PartialEq)]
pub struct OfferedTool {
    /// Its name.
    pub name: SmolStr,
    /// What it is for.
    pub description: Option<String>,
    /// Its arguments, as JSON Schema.
    pub parameters: Json,
}

impl Wiring {
    /// What a target needs.
    #[must_use]
    pub fn of(makings: &Makings<'_>, system: System) -> Wiring {
        let mut wiring = Wiring {
            system,
            agents: BTreeMap::new(),
            tools: BTreeMap::new(),
            servers: BTreeMap::new(),
            functions: BTreeSet::new(),
        };
        match system {
            System::Liman => {
                let language = makings.scenario.start.language.as_ref();
                let language = language.map_or(LANGUAGE, |language| language.value.as_str());
                for declaration in makings.agent_declarations() {
                    wiring.add_declaration(declaration, language);
                }
            }
            System::Cycgraph => {
                for (id, agent) in makings.called_agents() {
                    for source in agent.tools.iter() {
                        wiring.add_source(source);
                    }
                    let named = |word: &SmolStr| (!word.is_empty()).then(|| word.clone());
                    let provider = named(&agent.provider);
                    // An agent that nobody declares has its own name for a model.
                    let model = named(&agent.model).filter(|model| *model != id || provider.is_some());
                    wiring.agents.insert(id, Agent { model, provider, output: None });
                }
                for node in makings.graphs().iter().flat_map(|(_, graph)| &graph.nodes) {
                    let sources = node.tools.iter().flat_map(|tools| &tools.value);
                    sources.for_each(|source| wiring.add_source(&Source::from(&source.kind)));
                }
            }
            System::AgentOs => {
                for node in makings.graphs().iter().flat_map(|(_, graph)| &graph.nodes) {
                    wiring.add_node(node);
                }
            }
        }
        wiring
    }

    /// The same with what the configuration offers, where models may call whatever the program has.
    #[must_use]
    pub fn with_configured(mut self, live: &Live) -> Wiring {
        if self.system == System::AgentOs {
            live.mcp.keys().for_each(|server| drop(self.servers.insert(server.into(), None)));
            for tool in live.tools.keys() {
                self.tools.entry(tool.into()).or_default();
            }
        }
        self
    }

    /// A node that is a document of its own.
    fn add_declaration(&mut self, declaration: &Declaration, language: &str) {
        let (Body::Node(node), Some(name)) = (&declaration.body, &declaration.name) else { return };
        let function = node.function.as_ref().map(|function| function.value.clone());
        match node.kind {
            NodeKind::Model => {
                let output = (!node.output.is_empty()).then(|| shapes::of_fields(&node.output));
                self.agents.insert(name.value.clone(), Agent { output, ..Agent::default() });
            }
            NodeKind::Tool => {
                let tool = Tool {
                    description: shapes::text(&node.description, language),
                    parameters: Some(shapes::of_arguments(&node.arguments, language)),
                    function,
                    server: None,
                };
                self.tools.insert(name.value.clone(), tool);
            }
            NodeKind::Function => self.functions.extend(function),
        }
        let conditions = node.edges.iter().filter_map(|edge| edge.condition.as_ref());
        for condition in conditions {
            let parsed = limance::parse(&condition.text, Profile::Spec);
            self.functions.extend(parsed.function_ref().map(dotted));
        }
    }

    fn add_source(&mut self, source: &Source) {
        match source {
            Source::Builtin(_) => {}
            Source::Custom(name) => {
                self.tools.entry(name.clone()).or_default();
            }
            Source::Server(server, wanted) => {
                let all = self.servers.entry(server.clone()).or_insert_with(|| Some(BTreeSet::new()));
                match (all.as_mut(), wanted) {
                    (Some(known), Some(wanted)) => known.extend(wanted.iter().cloned()),
                    _ => *all = None,
                }
                for tool in wanted.iter().flatten() {
                    self.tools.entry(tool.clone()).or_default().server.get_or_insert_with(|| server.clone());
                }
            }
        }
    }

    /// A node of AgentOS: its model goes by the node's name, and may call whatever the program has.
    fn add_node(&mut self, node: &GraphNode) {
        match &node.work {
            Work::Tool(work) => {
                if let Some(tool) = &work.tool {
                    self.tools.entry(tool.value.clone()).or_default();
                }
            }
            Work::Model(_) => {
                let id = node.id.as_ref().map(|id| id.value.clone()).unwrap_or_default();
                let own = node.host.as_ref().and_then(|host| host.llm.as_ref());
                let (model, provider) =
                    own.map(|own| (named(&own.model), named(&own.provider))).unwrap_or_default();
                self.agents.insert(id, Agent { model, provider, output: None });
            }
            Work::Human(work) => {
                let judge = work.automation.as_ref().and_then(|automation| automation.judge.as_ref());
                if let (Some(judge), Some(id)) = (judge, &node.id) {
                    let (model, provider) = (named(&judge.model), named(&judge.provider));
                    self.agents.insert(id.value.clone(), Agent { model, provider, output: None });
                }
            }
            _ => {}
        }
    }
}

fn named(word: &Option<Located<SmolStr>>) -> Option<SmolStr> {
    word.as_ref().map(|word| word.value.clone()).filter(|word| !word.is_empty())
}

/// A path with its dots.
fn dotted(path: &Path) -> SmolStr {
    let names: Vec<&str> = path.segments.iter().map(|segment| segment.name.as_str()).collect();
    names.join(".").into()
}

//! What patterns are about, and its properties.
//!
//! Input: nodes, agents and graphs of the model. Output: their properties, each text and number with its place. Invariant: what
//! the declarations of a system cannot say is unknown, and so is what is missing where a program may add it.

use nodewise_dialect::table::Dialect;
use nodewise_model::graph::{AgentDefinition, Graph, GraphNode, ModelOverride, ToolSource, ToolSourceKind};
use nodewise_model::project_rule::PartProperty;
use nodewise_model::work::{ProvidedKind, WorkKind};
use nodewise_model::{Body, Declaration, Located, Node, NodeKind, Origin};
use smol_str::SmolStr;

use crate::facts::{DocumentFacts, Effective, FileFacts, Ownership};
use crate::graphs::GraphFacts;
use crate::rule::Context;
use crate::steps::StepBudget;

/// A part of a declaration that a pattern can describe.
#[derive(Debug, Clone, Copy)]
pub(super) enum Part<'a> {
    /// A node of a graph, by its position.
    Node(&'a Graph, &'a GraphFacts, usize),
    /// A node that is declared in a document of its own, without a graph.
    Alone(&'a GraphNode),
    /// A declaration that is itself a node, with its edges.
    Document(&'a Declaration, &'a Node),
    /// A declared agent.
    Agent(&'a AgentDefinition),
    Graph(&'a Graph),
}

/// The document that contains a part.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) document: &'a DocumentFacts,
    pub(super) dialect: &'static Dialect,
    /// Whether some values in it are only known when the program that builds it runs.
    pub(super) is_open: bool,
}

/// A part with everything needed to evaluate its properties.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a, 's> {
    pub(super) context: Context<'a>,
    pub(super) place: Place<'a>,
    pub(super) part: Part<'a>,
    pub(super) steps: &'s StepBudget,
}

/// How much of a property's value is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    Whole,
    /// A part of the texts; others may exist.
    Partial,
    /// The property stands for every possible text: a wildcard.
    Everything,
}

/// A text, if it is written.
type OptionalText<'a> = Option<&'a Located<SmolStr>>;

pub(super) type PlacedNumber = (f64, Option<Origin>);

impl<'a> Place<'a> {
    /// The place for the parts of a document; `None` if the document belongs to no supported system.
    pub(super) fn new(
        file: &FileFacts,
        document: &'a DocumentFacts,
        effective: &Effective,
    ) -> Option<Place<'a>> {
        match file.ownership {
            Ownership::Ours(dialect) if dialect.is_system() => {
                Some(Place { document, dialect, is_open: !effective.faults.unknown.is_empty() })
            }
            _ => None,
        }
    }
}

/// The nodes of a declaration. Of several nodes with the same id, only the one to which the id refers.
pub(super) fn nodes<'a>(
    context: &Context<'a>,
    declaration: &'a Declaration,
    effective: &'a Effective,
) -> impl Iterator<Item = Part<'a>> + use<'a> {
    let alone = match &declaration.body {
        Body::GraphNode(node) => Some(Part::Alone(node)),
        Body::Node(node) => Some(Part::Document(declaration, node)),
        _ => None,
    };
    let of_graph = |(graph, facts): (&'a Graph, &'a GraphFacts)| {
        let meant = (0..graph.nodes.len()).filter(move |position| facts.is_meant(graph, *position));
        meant.map(move |position| Part::Node(graph, facts, position))
    };
    alone.into_iter().chain(context.facts_of(effective).flat_map(of_graph))
}

impl<'a> Part<'a> {
    /// The part in its place.
    pub(super) fn at<'s>(
        self,
        context: Context<'a>,
        place: Place<'a>,
        steps: &'s StepBudget,
    ) -> Scene<'a, 's> {
        Scene { context, place, part: self, steps }
    }

    /// The node of a graph; `None` for other parts.
    pub(super) fn node(self) -> Option<&'a GraphNode> {
        match self {
            Part::Node(graph, _, position) => graph.nodes.get(position),
            Part::Alone(node) => Some(node),
            Part::Document(..) | Part::Agent(_) | Part::Graph(_) => None,
        }
    }

    /// Whether the node calls a model itself instead of a declared agent.
    pub(super) fn is_agent_itself(self) -> bool {
        match self {
            Part::Document(_, node) => node.kind == NodeKind::Model,
            part => {
                part.node().is_some_and(|node| node.work.kind() == WorkKind::Agent && node.agent.is_none())
            }
        }
    }

    pub(super) fn id(self) -> Option<&'a Located<SmolStr>> {
        match self {
            Part::Document(declaration, _) => declaration.name.as_ref(),
            Part::Agent(agent) => agent.id.as_ref(),
            Part::Graph(graph) => graph.id.as_ref(),
            Part::Node(..) | Part::Alone(_) => self.node()?.id.as_ref(),
        }
    }

    /// The place of its id or name, or its beginning if it has none.
    pub(super) fn at_name(self) -> Origin {
        let head = || match self {
            Part::Document(declaration, _) => declaration.head,
            Part::Agent(agent) => agent.head,
            Part::Graph(graph) => graph.head,
            Part::Node(graph, _, position) => graph.nodes.get(position).map_or(graph.head, |node| node.head),
            Part::Alone(node) => node.head,
        };
        self.id().map_or_else(head, |id| id.at)
    }
}

impl<'a> Scene<'a, '_> {
    /// Whether parts of this kind have the property, and declarations of this system can state it.
    pub(super) fn can_say(self, property: PartProperty) -> bool {
        let of_graph =
            matches!(property, PartProperty::Name | PartProperty::NodeCount | PartProperty::EdgeCount);
        let fits = match self.part {
            Part::Node(..) | Part::Alone(_) | Part::Document(..) => !of_graph,
            Part::Graph(_) => of_graph || property == PartProperty::Id,
            Part::Agent(_) => matches!(
                property,
                PartProperty::Id
                    | PartProperty::Model
                    | PartProperty::Provider
                    | PartProperty::Tools
                    | PartProperty::Servers
                    | PartProperty::Reads
                    | PartProperty::Writes
                    | PartProperty::Temperature
                    | PartProperty::MaxSteps
            ),
        };
        fits && self.place.dialect.properties.contains(&property)
    }

    /// Calls `see` with each text of a property and its place. Returns how much of the value these texts are.
    pub(super) fn texts(self, property: PartProperty, see: &mut dyn FnMut(&str, Option<Origin>)) -> Extent {
        let one = |text: Option<&Located<SmolStr>>, see: &mut dyn FnMut(&str, Option<Origin>)| match text {
            Some(text) => {
                see(&text.value, Some(text.at));
                Extent::Whole
            }
            None => self.missing(),
        };
        match property {
            PartProperty::Id => one(self.part.id(), see),
            PartProperty::Name => match self.part {
                Part::Graph(graph) => one(graph.name.as_ref(), see),
                _ => Extent::Partial,
            },
            PartProperty::Kind => self.kind(see),
            PartProperty::TypeWord => match self.part {
                Part::Document(declaration, _) => {
                    see(declaration.kind, None);
                    Extent::Whole
                }
                part => one(part.node().and_then(|node| node.type_word.as_ref()), see),
            },
            PartProperty::Agent => match self.part.node().and_then(|node| node.agent.as_ref()) {
                Some(agent) => {
                    see(&agent.name, Some(agent.at));
                    Extent::Whole
                }
                None => self.missing(),
            },
            PartProperty::Model => {
                self.of_model(|over| over.model.as_ref(), |agent| agent.model.as_ref(), see)
            }
            PartProperty::Provider => {
                self.of_model(|over| over.provider.as_ref(), |agent| agent.provider.as_ref(), see)
            }
            PartProperty::Tools => self.tools(false, see),
            PartProperty::Servers => self.tools(true, see),
            PartProperty::Guardrails => self.guardrails(see),
            PartProperty::Reads => self.access(true, see),
            PartProperty::Writes => self.access(false, see),
            PartProperty::Effect => {
                one(self.part.node().and_then(|node| node.execution.effect.as_ref()), see)
            }
            PartProperty::Runs => match self.part.node().and_then(|node| node.work.call()?.graph.as_ref()) {
                Some(graph) => {
                    see(&graph.name, Some(graph.at));
                    Extent::Whole
                }
                None => self.missing(),
            },
            PartProperty::ReadsAll
            | PartProperty::WritesAll
            | PartProperty::MaxTokens
            | PartProperty::MaxCost
            | PartProperty::Timeout
            | PartProperty::Attempts
            | PartProperty::Temperature
            | PartProperty::MaxSteps
            | PartProperty::NodeCount
            | PartProperty::EdgeCount => Extent::Partial,
        }
    }

    /// What is known if a property is not written: nothing is missing in a plain document, but a program may set it.
    fn missing(self) -> Extent {
        if self.place.is_open { Extent::Partial } else { Extent::Whole }
    }

    fn kind(self, see: &mut dyn FnMut(&str, Option<Origin>)) -> Extent {
        let kind = match self.part {
            Part::Document(_, node) => WorkKind::from(node.kind),
            part => part.node().map(|node| node.work.kind()).unwrap_or_default(),
        };
        if kind == WorkKind::Unknown {
            return Extent::Partial;
        }
        see(kind.word(), None);
        Extent::Whole
    }

    /// The agent that the part is or calls. The outer `None` means that it calls no agent, the inner one that the project
    /// does not declare it.
    fn agent(self) -> Option<Option<&'a AgentDefinition>> {
        match self.part {
            Part::Agent(agent) => Some(Some(agent)),
            part => Some(self.context.agent(self.place.document.id, part.node()?.agent.as_ref()?)),
        }
    }

    /// The text from the node's own model settings, or from its agent.
    fn of_model(
        self,
        of_override: fn(&'a ModelOverride) -> OptionalText<'a>,
        of_agent: fn(&'a AgentDefinition) -> OptionalText<'a>,
        see: &mut dyn FnMut(&str, Option<Origin>),
    ) -> Extent {
        let over = self.part.node().and_then(|node| node.host.as_ref()?.llm.as_ref());
        let agent = self.agent();
        let found = over.and_then(of_override).or_else(|| agent.flatten().and_then(of_agent));
        match found {
            Some(text) => {
                see(&text.value, Some(text.at));
                Extent::Whole
            }
            // The agent is defined in a program, so its model is unknown.
            None if matches!(agent, Some(None)) => Extent::Partial,
            None => self.missing(),
        }
    }

    fn tools(self, servers: bool, see: &mut dyn FnMut(&str, Option<Origin>)) -> Extent {
        let mut extent = self.missing();
        if let Part::Document(_, node) = self.part {
            if !servers {
                node.tools.iter().for_each(|tool| see(&tool.name, Some(tool.at)));
            }
            return extent;
        }
        let node = self.part.node();
        for (kind, name) in node.into_iter().flat_map(|node| node.work.provided()) {
            let is_wanted = match kind {
                ProvidedKind::Server => servers,
                ProvidedKind::Tool | ProvidedKind::Extension => !servers,
                ProvidedKind::Guardrail | ProvidedKind::Tag => false,
            };
            if is_wanted {
                see(&name.value, Some(name.at));
            }
        }
        let of_node = node.and_then(|node| node.tools.as_ref()).map(|tools| tools.value.as_slice());
        let agent = self.agent();
        if matches!(agent, Some(None)) && of_node.is_none() {
            extent = Extent::Partial;
        }
        let of_agent = agent.flatten().map(|agent| agent.tools.as_slice());
        for source in of_node.into_iter().chain(of_agent).flatten() {
            if !source.show(servers, see) {
                extent = Extent::Partial;
            }
        }
        extent
    }

    fn guardrails(self, see: &mut dyn FnMut(&str, Option<Origin>)) -> Extent {
        let Some(node) = self.part.node() else { return Extent::Partial };
        let provided = node.work.provided().into_iter().filter(|(kind, _)| *kind == ProvidedKind::Guardrail);
        provided.for_each(|(_, name)| see(&name.value, Some(name.at)));
        let policy = node.host.as_ref().and_then(|host| host.guardrails.as_ref());
        let named = policy.into_iter().flat_map(|policy| policy.input.iter().chain(&policy.output));
        named.for_each(|name| see(&name.value, Some(name.at)));
        self.missing()
    }

    fn access(self, reads: bool, see: &mut dyn FnMut(&str, Option<Origin>)) -> Extent {
        let (graph, facts, position) = match self.part {
            Part::Node(graph, facts, position) => (graph, facts, position),
            Part::Agent(agent) => {
                let keys = if reads { &agent.reads } else { &agent.writes };
                let Some(keys) = keys else { return Extent::Everything };
                keys.iter().for_each(|key| see(&key.value, Some(key.at)));
                return self.missing();
            }
            Part::Alone(_) | Part::Document(..) | Part::Graph(_) => return Extent::Partial,
        };
        let (Some(access), Some(node)) = (facts.access.get(position), graph.nodes.get(position)) else {
            return Extent::Partial;
        };
        let (keys, all, written) = match reads {
            true => (&access.reads, access.reads_all, &node.access.reads),
            false => (&access.writes, access.writes_all, &node.access.writes),
        };
        for key in keys {
            let at = written.iter().find(|written| written.value == *key).map(|written| written.at);
            see(key, at);
        }
        if all { Extent::Everything } else { self.missing() }
    }

    /// The number in a property. The outer `None` means that the property is no number or is unknown, the inner one that it
    /// is not written.
    pub(super) fn number(self, property: PartProperty) -> Option<Option<PlacedNumber>> {
        let located =
            |number: &Option<Located<f64>>| number.as_ref().map(|number| (number.value, Some(number.at)));
        let node = self.part.node();
        let of_agent = matches!(property, PartProperty::Temperature | PartProperty::MaxSteps);
        let agent = if of_agent { self.agent() } else { None };
        if matches!(agent, Some(None)) {
            // The agent is defined in a program, so its number is unknown.
            return None;
        }
        let agent = agent.flatten();
        let count = |count: usize| Some((count as f64, None));
        let graph = match self.part {
            Part::Graph(graph) => Some(graph),
            _ => None,
        };
        Some(match property {
            PartProperty::MaxTokens => node.and_then(|node| located(&node.budget.max_tokens)),
            PartProperty::MaxCost => node.and_then(|node| located(&node.budget.max_cost_usd)),
            PartProperty::Timeout => node.and_then(|node| located(&node.failure.timeout_ms)),
            PartProperty::Attempts => node.and_then(|node| located(&node.failure.attempts)),
            PartProperty::Temperature => agent.and_then(|agent| Some((agent.temperature?, None))),
            PartProperty::MaxSteps => agent.and_then(|agent| Some((agent.max_steps?, None))),
            PartProperty::NodeCount => graph.and_then(|graph| count(graph.nodes.len())),
            PartProperty::EdgeCount => graph.and_then(|graph| count(graph.edges.len())),
            _ => return None,
        })
    }

    /// The value of a yes-or-no property; `None` if it is not known.
    pub(super) fn flag(self, property: PartProperty) -> Option<bool> {
        let Part::Node(_, facts, position) = self.part else { return None };
        let access = facts.access.get(position)?;
        match property {
            PartProperty::ReadsAll => Some(access.reads_all),
            PartProperty::WritesAll => Some(access.writes_all),
            _ => None,
        }
    }
}

/// Lists the tools or servers of a source of tools.
trait ShownSource {
    /// Calls `see` with the names of its tools, or with its server if `servers`. Returns `false` if it also has tools whose
    /// names are not known.
    fn show(&self, servers: bool, see: &mut dyn FnMut(&str, Option<Origin>)) -> bool;
}

impl ShownSource for ToolSource {
    fn show(&self, servers: bool, see: &mut dyn FnMut(&str, Option<Origin>)) -> bool {
        match (&self.kind, servers) {
            (ToolSourceKind::Builtin(name) | ToolSourceKind::Custom(name), false)
            | (ToolSourceKind::Server(name, _), true) => {
                see(&name.value, Some(name.at));
                true
            }
            (ToolSourceKind::Builtin(_) | ToolSourceKind::Custom(_), true) => true,
            (ToolSourceKind::Server(_, Some(tools)), false) => {
                tools.iter().for_each(|tool| see(&tool.value, Some(tool.at)));
                true
            }
            (ToolSourceKind::Server(_, None), false) => false,
        }
    }
}

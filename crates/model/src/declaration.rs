//! Declarations: what a document says, with the names of the field instead of a dialect's keys.
//! A part that is absent or unreadable is `None` or empty; nothing here can be invalid by type.

use std::sync::{Arc, LazyLock};

use smol_str::SmolStr;
use thin_vec::ThinVec;

use crate::condition::Condition;
use crate::few::Few;
use crate::graph::{AgentDefinition, Bundle, Graph, GraphNode};
use crate::origin::{Located, Origin};
use crate::plan::DeclaredPlan;
use crate::project_rule::ProjectRule;
use crate::rare::{MostlyEmpty, Rare};
use crate::reference::Reference;
use crate::scenario::Scenario;
use crate::text::Localized;
use crate::work::NodeKind;

/// One declaration, with its overlays applied.
#[derive(Debug, Clone)]
pub struct Declaration {
    /// The kind as the dialect spells it, for instance `LLMNode`.
    pub kind: &'static str,
    /// The name; `None` if it is missing or not a text.
    pub name: Option<Located<SmolStr>>,
    /// The first line of the document. Findings about missing keys are reported there.
    pub head: Origin,
    pub body: Body,
}

/// What a declaration declares.
#[derive(Debug, Clone)]
pub enum Body {
    /// A node of the graph.
    Node(Box<Node>),
    /// An identity whose variables are injected into nodes.
    Account(Box<Account>),
    /// A source of credentials.
    Provider(Box<CredentialsProvider>),
    /// A whole graph.
    Graph(Box<Graph>),
    /// Graphs and the agents that they call, packed together.
    Bundle(Box<Bundle>),
    /// One node of a graph, in a document of its own.
    GraphNode(Box<GraphNode>),
    /// An agent that nodes of graphs call.
    Agent(Box<AgentDefinition>),
    /// Steps that a program compiles to a graph or runs directly.
    Plan(Box<DeclaredPlan>),
    /// The scripted answers of a simulated run, and what must be true after it.
    Scenario(Box<Scenario>),
    /// A rule of the project. The index shares it.
    Rule(Arc<ProjectRule>),
}

impl Declaration {
    /// The names of the graphs and agents in a bundle, each with its kind: other files can refer to them. The kind
    /// comes with the name because it depends on the dialect.
    pub fn packed(&self) -> impl Iterator<Item = (&'static str, Option<&Located<SmolStr>>)> {
        let bundle = match &self.body {
            Body::Bundle(bundle) => Some(bundle.as_ref()),
            _ => None,
        };
        bundle.into_iter().flat_map(|bundle| {
            let graphs = bundle.graph.iter().chain(&bundle.graphs);
            let graphs = graphs.map(|graph| (bundle.graph_kind, graph.id.as_ref()));
            graphs.chain(bundle.agents.iter().map(|agent| (bundle.agent_kind, agent.id.as_ref())))
        })
    }

    /// The graphs that the document declares, the main one first.
    pub fn graphs(&self) -> impl Iterator<Item = &Graph> {
        let (own, packed) = match &self.body {
            Body::Graph(graph) => (Some(graph.as_ref()), &[][..]),
            Body::Bundle(bundle) => (bundle.graph.as_ref(), bundle.graphs.as_slice()),
            _ => (None, &[][..]),
        };
        own.into_iter().chain(packed)
    }

    /// The graph with this number, from 0, among those of the document.
    #[must_use]
    pub fn graph(&self, position: usize) -> Option<&Graph> {
        match &self.body {
            Body::Graph(graph) => Some(graph.as_ref()).filter(|_| position == 0),
            Body::Bundle(bundle) => match (bundle.graph.as_ref(), position) {
                (Some(main), 0) => Some(main),
                (main, _) => bundle.graphs.get(position - usize::from(main.is_some())),
            },
            _ => None,
        }
    }

    /// The declared node; `None` if the document declares something else.
    #[must_use]
    pub fn node(&self) -> Option<&Node> {
        match &self.body {
            Body::Node(node) => Some(node),
            _ => None,
        }
    }

    /// The agents that the document declares.
    pub fn agents(&self) -> impl Iterator<Item = &AgentDefinition> {
        let agents = match &self.body {
            Body::Agent(agent) => std::slice::from_ref(agent.as_ref()),
            Body::Bundle(bundle) => bundle.agents.as_slice(),
            _ => &[],
        };
        agents.iter()
    }
}

/// A node of the graph.
#[derive(Debug, Clone)]
pub struct Node {
    /// What runs when the node is visited.
    pub kind: NodeKind,
    /// Texts sent to a model.
    pub prompts: Localized,
    /// The tools that the model or function may call.
    pub tools: ThinVec<Reference>,
    /// The edges that leave the node, in the order in which they are evaluated.
    pub edges: ThinVec<Edge>,
    /// The function path.
    pub function: Option<Located<SmolStr>>,
    /// The arguments that a model fills in for a tool.
    pub arguments: ThinVec<Argument>,
    /// Parts that few rules need. They are kept together because most nodes have none.
    pub details: Rare<NodeDetails>,
}

/// The parts of a node that few rules need.
#[derive(Debug, Clone, Default)]
pub struct NodeDetails {
    /// What the node does, for models and people.
    pub description: Localized,
    /// Example sentences after which a model should call the tool.
    pub triggers: ThinVec<Localized>,
    /// How the tool is described to a model, with variables in braces.
    pub shown_as: Localized,
    /// The account of the node, if the node names one.
    pub account: Option<Box<Reference>>,
    /// The account of the node, if it is written inside the node.
    pub inlined_account: Option<Box<InlinedAccount>>,
    /// The fields that the model's answer must have.
    pub output: ThinVec<OutputField>,
}

impl MostlyEmpty for NodeDetails {
    fn empty() -> &'static NodeDetails {
        static EMPTY: LazyLock<NodeDetails> = LazyLock::new(NodeDetails::default);
        &EMPTY
    }

    fn is_empty(&self) -> bool {
        let NodeDetails { description, triggers, shown_as, account, inlined_account, output } = self;
        description.texts.is_empty()
            && shown_as.texts.is_empty()
            && triggers.is_empty()
            && account.is_none()
            && inlined_account.is_none()
            && output.is_empty()
    }
}

impl Node {
    /// The names that the node refers to: tools, other nodes, and its account.
    pub fn references(&self) -> impl Iterator<Item = &Reference> + Clone {
        let targets = self.edges.iter().flat_map(|edge| &edge.targets);
        self.tools.iter().chain(targets).chain(self.details.account.as_deref())
    }

    /// Drops the texts, which only runs and people read. Of the prompts, languages and places stay.
    pub fn drop_texts(&mut self) {
        for text in &mut self.prompts.texts {
            (text.text, text.path) = (Box::default(), ThinVec::new());
        }
        self.arguments.iter_mut().for_each(Argument::drop_texts);
        self.details.reduce(|details| {
            details.description = Localized::default();
            details.triggers = ThinVec::new();
            details.shown_as = Localized::default();
            details.output.iter_mut().for_each(OutputField::drop_texts);
        });
    }
}

impl Argument {
    fn drop_texts(&mut self) {
        self.details.reduce(|details| {
            details.description = Localized::default();
            details.properties.iter_mut().for_each(Argument::drop_texts);
        });
    }
}

impl OutputField {
    fn drop_texts(&mut self) {
        self.description = Localized::default();
        self.fields.iter_mut().for_each(OutputField::drop_texts);
    }
}

/// An edge from one node to one or more others.
#[derive(Debug, Clone)]
pub struct Edge {
    /// The id that the author gave the edge, so that `depends` of other edges can name it.
    pub id: Option<Located<EdgeId>>,
    /// The nodes that the edge leads to; each one starts a branch.
    pub targets: Few<Reference>,
    /// When the edge is followed; `None` means always.
    pub condition: Option<Condition>,
    /// The ids of edges that must be resolved first.
    pub depends: ThinVec<Located<EdgeId>>,
    /// Which list of the node contains the edge.
    pub list: EdgeList,
    /// How the edge is written.
    pub form: EdgeForm,
    pub at: Origin,
}

/// Which list of a node contains an edge. Each release reads only some of the lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EdgeList {
    /// Edges to nodes of any kind.
    Nodes,
    /// Edges to model nodes.
    Models,
    /// Edges that name their targets by kind and name.
    Qualified,
}

/// How an edge is written. Each release reads only some of the forms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EdgeForm {
    /// As just the name of its target.
    Name,
    /// As a mapping that lists the names of its targets.
    Named,
    /// As a mapping with one target, given by kind and name.
    Qualified,
}

/// The id of an edge as text: `7` and `"7"` are the same id.
pub type EdgeId = SmolStr;

/// An argument of a tool, or a property of one.
#[derive(Debug, Clone)]
pub struct Argument {
    pub name: Option<Located<SmolStr>>,
    /// The types that a value may have; more than one is a union.
    pub types: Few<Located<SmolStr>>,
    /// Whether a call may omit the argument.
    pub optional: bool,
    /// Parts that few rules need.
    pub details: Rare<ArgumentDetails>,
    /// The whole argument.
    pub at: Origin,
}

/// The parts of an argument that few rules need.
#[derive(Debug, Clone, Default)]
pub struct ArgumentDetails {
    /// The properties of an object argument.
    pub properties: ThinVec<Argument>,
    /// The key of `properties`, if it was written.
    pub properties_at: Option<Origin>,
    /// What the argument is for.
    pub description: Localized,
}

impl MostlyEmpty for ArgumentDetails {
    fn empty() -> &'static ArgumentDetails {
        static EMPTY: LazyLock<ArgumentDetails> = LazyLock::new(ArgumentDetails::default);
        &EMPTY
    }

    fn is_empty(&self) -> bool {
        let ArgumentDetails { properties, properties_at, description } = self;
        properties.is_empty() && properties_at.is_none() && description.texts.is_empty()
    }
}

/// A field of a structured answer.
#[derive(Debug, Clone)]
pub struct OutputField {
    /// The name without the `?` that marks it optional.
    pub name: SmolStr,
    /// The type as written, without the lists around it; `None` for an object.
    pub type_name: Option<Located<SmolStr>>,
    /// How many lists surround the type: 2 for a list of lists.
    pub lists: usize,
    /// What the field means.
    pub description: Localized,
    /// Whether the answer may omit the field.
    pub optional: bool,
    /// The fields of an object.
    pub fields: ThinVec<OutputField>,
}

/// An identity.
#[derive(Debug, Clone)]
pub struct Account {
    /// The first line of the account.
    pub head: Origin,
    /// Whether a missing variable is an error. Default true.
    pub strict: bool,
    /// The key of the context, if the context is not empty.
    pub context_at: Option<Origin>,
    /// The variables that it injects; `None` if it has no context.
    pub inject: Option<Located<Vec<Injection>>>,
    /// The provider under the key for one provider.
    pub provider: Option<Reference>,
    /// The key for one provider, if it has a value.
    pub provider_at: Option<Origin>,
    /// The providers under the key for several providers.
    pub providers: ThinVec<Reference>,
    /// The key for several providers, if it has a value.
    pub providers_at: Option<Origin>,
}

/// An account that is written inside a node, so that only this node sees it.
#[derive(Debug, Clone)]
pub struct InlinedAccount {
    /// The generated name.
    pub name: SmolStr,
    pub account: Account,
}

/// A variable copied from the run context.
#[derive(Debug, Clone)]
pub struct Injection {
    /// The path at which the value is stored; `None` if the text is not an injection.
    pub target: Option<SmolStr>,
    /// The path at which the value is read.
    pub path: SmolStr,
    /// The list item.
    pub at: Origin,
}

/// A source of credentials.
#[derive(Debug, Clone)]
pub struct CredentialsProvider {
    /// The scheme, for instance `bearer`.
    pub scheme: Option<Located<SmolStr>>,
    /// The function that returns the credentials.
    pub function: Option<Located<SmolStr>>,
}

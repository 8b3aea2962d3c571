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

/// One declaration, overlays applied.
#[derive(Debug, Clone)]
pub struct Declaration {
    /// The kind as the dialect spells it, for instance `LLMNode`.
    pub kind: &'static str,
    /// The name; `None` while it is missing or not a text.
    pub name: Option<Located<SmolStr>>,
    /// The first line of the document, where something missing is reported.
    pub head: Origin,
    /// What is declared.
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
    /// Graphs and agents packed together.
    Bundle(Box<Bundle>),
    /// One node of a graph by itself.
    GraphNode(Box<GraphNode>),
    /// An agent that nodes of graphs call.
    Agent(Box<AgentDefinition>),
    /// Steps that a program makes a graph of, or does by itself.
    Plan(Box<DeclaredPlan>),
    /// What is answered in a dry run, and what must hold.
    Scenario(Box<Scenario>),
    /// A rule of the project; the index holds it too.
    Rule(Arc<ProjectRule>),
}

impl Declaration {
    /// What is packed in the declaration and can be referred to from elsewhere: the kinds of what is packed
    /// stand with it, because the dialect names them.
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

    /// The graph at a position among them.
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

    /// The node that it is, if it is one.
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
    /// Where the node leads, in evaluation order.
    pub edges: ThinVec<Edge>,
    /// The function path.
    pub function: Option<Located<SmolStr>>,
    /// The arguments that a model fills in for a tool.
    pub arguments: ThinVec<Argument>,
    /// What few rules ask for.
    pub details: Rare<NodeDetails>,
}

/// What few rules ask for of a node.
#[derive(Debug, Clone, Default)]
pub struct NodeDetails {
    /// What the node is for, as a model or a person reads it.
    pub description: Localized,
    /// Sentences that should lead a model to the tool.
    pub triggers: ThinVec<Localized>,
    /// How the tool is shown to a model, with variables in braces.
    pub shown_as: Localized,
    /// The account that the node runs with, when it is named.
    pub account: Option<Box<Reference>>,
    /// The account that the node runs with, when it is written in place.
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
    /// The names that it looks up itself: of tools, nodes and its account.
    pub fn references(&self) -> impl Iterator<Item = &Reference> + Clone {
        let targets = self.edges.iter().flat_map(|edge| &edge.targets);
        self.tools.iter().chain(targets).chain(self.details.account.as_deref())
    }

    /// Drops what only a run and people read: its texts. Of the prompts, the languages are
    /// still known, and where they stand.
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

/// A way from one node to others.
#[derive(Debug, Clone)]
pub struct Edge {
    /// The author's id, for `depends`.
    pub id: Option<Located<EdgeId>>,
    /// The nodes it leads to, each a branch.
    pub targets: Few<Reference>,
    /// When it is followed; `None` always.
    pub condition: Option<Condition>,
    /// The ids of edges that must be resolved before.
    pub depends: ThinVec<Located<EdgeId>>,
    /// In which of the node's lists it stands.
    pub list: EdgeList,
    /// How it is written.
    pub form: EdgeForm,
    /// The whole edge.
    pub at: Origin,
}

/// In which of a node's lists an edge stands: each release reads some of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EdgeList {
    /// Ways to nodes of any kind.
    Nodes,
    /// Ways to model nodes.
    Models,
    /// Ways to nodes by kind and name.
    Qualified,
}

/// How an edge is written: each release reads some of the forms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EdgeForm {
    /// As the name of its target alone.
    Name,
    /// With its targets by name.
    Named,
    /// With its one target by kind and name.
    Qualified,
}

/// An edge's id, by its text: `7` and `"7"` are one id.
pub type EdgeId = SmolStr;

/// An argument of a tool, or a property of one.
#[derive(Debug, Clone)]
pub struct Argument {
    pub name: Option<Located<SmolStr>>,
    /// The types it may have; more than one is a union.
    pub types: Few<Located<SmolStr>>,
    /// Whether a call may leave it out.
    pub optional: bool,
    /// What few rules ask for.
    pub details: Rare<ArgumentDetails>,
    /// The whole argument.
    pub at: Origin,
}

/// What few rules ask for of an argument.
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
    /// How many lists are around the type: 2 for a list of lists.
    pub lists: usize,
    /// What the field means.
    pub description: Localized,
    /// Whether the answer may leave it out.
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
    /// The key of its context, if it holds anything.
    pub context_at: Option<Origin>,
    /// The variables it injects; `None` when it has no context.
    pub inject: Option<Located<Vec<Injection>>>,
    /// The one provider of the singular form.
    pub provider: Option<Reference>,
    /// The key of the singular form, if it holds anything.
    pub provider_at: Option<Origin>,
    /// The providers of the plural form.
    pub providers: ThinVec<Reference>,
    /// The key of the plural form, if it holds anything.
    pub providers_at: Option<Origin>,
}

/// An account written in place, visible to its node only.
#[derive(Debug, Clone)]
pub struct InlinedAccount {
    /// The generated name.
    pub name: SmolStr,
    pub account: Account,
}

/// A variable copied from the run context.
#[derive(Debug, Clone)]
pub struct Injection {
    /// The path it is stored under; `None` when the text is not an injection.
    pub target: Option<SmolStr>,
    /// The path it is read from.
    pub path: SmolStr,
    /// The list item.
    pub at: Origin,
}

/// A source of credentials.
#[derive(Debug, Clone)]
pub struct CredentialsProvider {
    /// The scheme, for instance `bearer`.
    pub scheme: Option<Located<SmolStr>>,
    /// The function that yields the credentials.
    pub function: Option<Located<SmolStr>>,
}

//! What runs when a node of a graph is visited.
//!
//! Each system has a type for that in its own module, with a variant for each of its node types. A node holds it as
//! [`AnyWork`], and every layer that does not belong to a system asks it by [`NodeWork`]. Structs of work that several
//! systems have are below. Defaults of the dialect are filled in where the engine needs a value; `None` is what only the
//! author can say.

use std::any::Any;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use nodewise_expr::value::Value;
use smol_str::SmolStr;

use crate::graph::{EdgeCondition, Graph, GraphNode, KeyMapping};
use crate::origin::{Located, Origin};
use crate::reference::Reference;

/// What a node does when it is visited. Each system implements this for its own types.
pub trait NodeWork: Any + fmt::Debug + Send + Sync {
    /// What the node does, in terms that fit every system.
    fn kind(&self) -> WorkKind;

    /// The kind of the first question that the node asks.
    fn asks(&self) -> QuestionKind {
        QuestionKind::Model
    }

    /// The nodes to which it hands the run without an edge.
    fn hand_overs(&self) -> Vec<HandOver<'_>> {
        Vec::new()
    }

    /// The graph that the node runs, if it runs one.
    fn call(&self) -> Option<&SubgraphWork> {
        None
    }

    /// The expression or function that yields the name of the next node.
    fn condition(&self) -> Option<&EdgeCondition> {
        None
    }

    /// The targets that the node can name itself instead of having the conditions of its edges decide; `None` if it
    /// names none. Names of nodes that do not exist are left out.
    fn choice(
        &self,
        _graph: &Graph,
        _node: &GraphNode,
        _exists: &dyn Fn(&SmolStr) -> bool,
    ) -> Option<Choice> {
        None
    }

    /// The things that the host program must provide under these names.
    fn provided(&self) -> Vec<(ProvidedKind, &Located<SmolStr>)> {
        Vec::new()
    }

    /// The name of what runs, if that is not the node's agent. The inner `None` means that the name is missing.
    fn runs(&self) -> Option<Option<&str>> {
        None
    }

    /// The words that end the session of the node.
    fn exit_keywords(&self) -> &[Located<SmolStr>] {
        &[]
    }

    /// Whether the run can end at this node although the graph does not say so.
    fn may_end_run(&self) -> bool {
        false
    }

    /// A copy that writes its result to `new` instead of `old`; `None` if it does not write `old`.
    fn with_result_key(&self, _old: &str, _new: &str) -> Option<AnyWork> {
        None
    }
}

/// What runs when a node is visited, as a value of a type of the node's system.
#[derive(Clone)]
pub struct AnyWork(Arc<dyn NodeWork>);

/// What a node does, in terms that fit every system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum WorkKind {
    /// A model or an agent answers.
    Agent,
    /// A tool or an extension is called.
    Tool,
    /// A function of the program is called.
    Function,
    /// The next node is chosen.
    Choice,
    /// A person decides.
    Person,
    /// Something is evaluated.
    Judge,
    /// Several workers, voters or candidates work in parallel.
    Many,
    /// Another graph runs.
    Graph,
    /// Facts are stored for later runs.
    Memory,
    /// The type is missing or misspelt.
    #[default]
    Unknown,
}

/// What a node that is a document of its own does when it is visited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeKind {
    /// A model call with tools.
    Model,
    /// A function that a model may call.
    Tool,
    /// A function of the host program.
    Function,
}

/// A kind of question that a run asks models, tools, people or the host program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum QuestionKind {
    Model,
    Tool,
    Function,
    Extension,
    /// To a person.
    Human,
    Guardrail,
    /// To the search for capabilities.
    Discovery,
    /// To memory, to read from it.
    Recall,
    /// To memory, to write to it.
    Remember,
    /// To an agent of another system.
    Remote,
    /// To the host program, for a score.
    Fitness,
    /// To a voice session.
    Session,
}

/// A node to which another one hands the run without an edge.
#[derive(Debug, Clone, Copy)]
pub struct HandOver<'w> {
    /// Its id.
    pub target: &'w Located<SmolStr>,
    pub kind: HandOverKind,
    /// Whether the engine ignores the setting that names the target, so that no run goes there.
    pub is_ignored: bool,
}

/// Why a node hands the run to another one without an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HandOverKind {
    /// The node chose the target.
    Delegation,
    /// The target works on one item, inside the node.
    Worker,
    /// The target merges the results, inside the node.
    Merge,
    /// A person rejected.
    Rejection,
    /// A guardrail was violated.
    Violation,
}

/// The targets that a node can name itself.
#[derive(Debug, Clone, Default)]
pub struct Choice {
    /// The names that exist, sorted.
    pub names: BTreeSet<SmolStr>,
    /// Whether it may also name nodes that are not in `names`.
    pub has_others: bool,
    /// Whether it always names a node.
    pub is_certain: bool,
}

/// A kind of thing that the host program provides under a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProvidedKind {
    Tool,
    Extension,
    Guardrail,
    /// A server of tools or agents.
    Server,
    /// A tag of memory.
    Tag,
}

/// A call of a tool.
#[derive(Debug, Clone, Default)]
pub struct ToolWork {
    /// The tool's name.
    pub tool: Option<Located<SmolStr>>,
    /// The arguments of the call; `None` means what the node may read in the state.
    pub arguments: Option<Value>,
}

/// Chooses the next node.
#[derive(Debug, Clone, Default)]
pub struct RouterWork {
    /// What returns the name of the next node; `None` means that edges decide.
    pub condition: Option<EdgeCondition>,
}

/// A run of another graph.
#[derive(Debug, Clone, Default)]
pub struct SubgraphWork {
    pub graph: Option<Reference>,
    /// The place of the settings, if the dialect requires them.
    pub settings_at: Option<Origin>,
    /// Which values of this graph's state go into the input of the other graph.
    pub inputs: Vec<KeyMapping>,
    /// Which results of the other graph go into this graph's state.
    pub outputs: Vec<KeyMapping>,
    /// The maximum number of steps in the other graph.
    pub max_iterations: Option<f64>,
}

/// A decision of a person.
#[derive(Debug, Clone, Default)]
pub struct HumanWork {
    /// The place of the settings, if the dialect requires them.
    pub settings_at: Option<Origin>,
    /// The question.
    pub prompt: Option<Located<SmolStr>>,
    /// The state keys that the person sees; `*` means all.
    pub review_keys: Option<Vec<Located<SmolStr>>>,
    /// The maximum time for the answer, in milliseconds.
    pub timeout_ms: Option<f64>,
    /// The node to which a rejection leads.
    pub rejection: Option<Located<SmolStr>>,
    /// How the decision can be automated; `None` if the dialect does not have that.
    pub automation: Option<HumanAutomation>,
}

/// How a decision can be made without a person. The fields are tried in this order.
#[derive(Debug, Clone, Default)]
pub struct HumanAutomation {
    /// Approves at once.
    pub auto_accept: Option<Located<bool>>,
    /// Rejects at once, with this reason, which may be empty. The place is that of the setting.
    pub auto_reject: Option<Located<SmolStr>>,
    /// A model that decides.
    pub judge: Option<Judge>,
    /// What happens if no answer comes in time, as the word in the file.
    pub on_timeout: Option<Located<SmolStr>>,
    /// Whether guardrails may veto an automated approval.
    pub guardrails_may_veto: bool,
}

/// A model that decides instead of a person.
#[derive(Debug, Clone)]
pub struct Judge {
    /// Its key.
    pub at: Origin,
    pub model: Option<Located<SmolStr>>,
    /// The provider of the model.
    pub provider: Option<Located<SmolStr>>,
    /// How sure the model must be, from 0 to 1.
    pub threshold: Option<Located<f64>>,
    /// How much the model reasons, as the word in the file.
    pub effort: Option<Located<SmolStr>>,
    /// The criteria for the decision.
    pub criteria: Option<Located<SmolStr>>,
    /// Whether the provider has a default model, so that none has to be named.
    pub has_default_model: bool,
}

impl AnyWork {
    /// Wraps the work of a node.
    #[must_use]
    pub fn new(work: impl NodeWork) -> AnyWork {
        AnyWork(Arc::new(work))
    }

    /// The work in the type of a system; `None` if the node belongs to another one.
    #[must_use]
    pub fn of_system<T: NodeWork>(&self) -> Option<&T> {
        let work: &dyn Any = self.0.as_ref();
        work.downcast_ref()
    }
}

impl std::ops::Deref for AnyWork {
    type Target = dyn NodeWork;

    fn deref(&self) -> &Self::Target {
        self.0.as_ref()
    }
}

impl fmt::Debug for AnyWork {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl<'w> HandOver<'w> {
    /// A hand-over for this reason.
    #[must_use]
    pub fn new(kind: HandOverKind, target: &'w Located<SmolStr>) -> HandOver<'w> {
        HandOver { target, kind, is_ignored: false }
    }

    /// Whether the run visits the target as a step of its own, and not inside the node that names it.
    #[must_use]
    pub fn is_visit(&self) -> bool {
        matches!(self.kind, HandOverKind::Delegation | HandOverKind::Rejection) && !self.is_ignored
    }
}

impl From<NodeKind> for WorkKind {
    fn from(kind: NodeKind) -> WorkKind {
        match kind {
            NodeKind::Model => WorkKind::Agent,
            NodeKind::Tool => WorkKind::Tool,
            NodeKind::Function => WorkKind::Function,
        }
    }
}

impl WorkKind {
    /// The name in JSON and other data.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            WorkKind::Agent => "agent",
            WorkKind::Tool => "tool",
            WorkKind::Function => "function",
            WorkKind::Choice => "choice",
            WorkKind::Person => "person",
            WorkKind::Judge => "judge",
            WorkKind::Many => "many",
            WorkKind::Graph => "graph",
            WorkKind::Memory => "memory",
            WorkKind::Unknown => "unknown",
        }
    }
}

impl QuestionKind {
    /// Who or what is asked, as a noun for messages.
    #[must_use]
    pub fn noun(self) -> &'static str {
        match self {
            QuestionKind::Model => "model",
            QuestionKind::Tool => "tool",
            QuestionKind::Function => "function",
            QuestionKind::Extension => "extension",
            QuestionKind::Human => "person",
            QuestionKind::Guardrail => "guardrail",
            QuestionKind::Discovery => "search",
            QuestionKind::Recall => "memory",
            QuestionKind::Remember => "memory writer",
            QuestionKind::Remote => "remote agent",
            QuestionKind::Fitness => "fitness function",
            QuestionKind::Session => "voice session",
        }
    }
}

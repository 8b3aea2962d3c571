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

/// What a node does when it is visited, as every layer may ask.
pub trait NodeWork: Any + fmt::Debug + Send + Sync {
    /// What it is, whatever its system calls it.
    fn kind(&self) -> WorkKind;

    /// The kind of question that it asks first.
    fn asks(&self) -> QuestionKind {
        QuestionKind::Model
    }

    /// The nodes to which it hands the run without an edge.
    fn hand_overs(&self) -> Vec<HandOver<'_>> {
        Vec::new()
    }

    /// The run of another graph.
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

    /// What it needs of the host by name.
    fn provided(&self) -> Vec<(ProvidedKind, &Located<SmolStr>)> {
        Vec::new()
    }

    /// The name of what runs, if it is another than the node's agent; the inner `None` while that name is missing.
    fn runs(&self) -> Option<Option<&str>> {
        None
    }

    /// Words that end its session.
    fn exit_keywords(&self) -> &[Located<SmolStr>] {
        &[]
    }

    /// Whether the run can end here, although the graph does not say so.
    fn may_end_run(&self) -> bool {
        false
    }

    /// The same with another name for the key of its result; `None` if it does not write `old`.
    fn with_result_key(&self, _old: &str, _new: &str) -> Option<AnyWork> {
        None
    }
}

/// What runs when a node is visited: a type of the node's system.
#[derive(Clone)]
pub struct AnyWork(Arc<dyn NodeWork>);

/// What a node does, whatever its system calls it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum WorkKind {
    /// A model or an agent answers.
    Agent,
    /// A tool or an extension is called.
    Tool,
    /// A function of the program is called.
    Function,
    /// It is chosen what comes next.
    Choice,
    /// A person decides.
    Person,
    /// Something is evaluated.
    Judge,
    /// Many do the same at once.
    Many,
    /// Another graph runs.
    Graph,
    /// Facts are kept.
    Memory,
    /// Nothing that is known: the type is missing or misspelt.
    #[default]
    Unknown,
}

/// What runs when a node is visited that is a document of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeKind {
    /// A model call with tools.
    Model,
    /// A function that a model may call.
    Tool,
    /// A function of the host program.
    Function,
}

/// A kind of question that a run asks someone outside of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum QuestionKind {
    Model,
    Tool,
    Function,
    Extension,
    /// Of people.
    Human,
    Guardrail,
    /// Of searches for capabilities.
    Discovery,
    /// Of memory that is read.
    Recall,
    /// Of memory that is written.
    Remember,
    /// Of agents of other systems.
    Remote,
    /// Of the host's score.
    Fitness,
    /// Of voice sessions.
    Session,
}

/// A node to which another one hands the run without an edge.
#[derive(Debug, Clone, Copy)]
pub struct HandOver<'w> {
    /// Its id.
    pub target: &'w Located<SmolStr>,
    pub kind: HandOverKind,
    /// Whether nothing reads the setting that names it, so that no run goes there.
    pub is_ignored: bool,
}

/// Why a node hands the run to another one without an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HandOverKind {
    /// It chose that node.
    Delegation,
    /// That node works on one of its items, inside of it.
    Worker,
    /// That node merges the results, inside of it.
    Merge,
    /// A person said no.
    Rejection,
    /// A guardrail was violated.
    Violation,
}

/// The targets that a node can name itself.
#[derive(Debug, Clone, Default)]
pub struct Choice {
    /// The names that exist, in the order of their letters.
    pub names: BTreeSet<SmolStr>,
    /// Whether it may name others too.
    pub has_others: bool,
    /// Whether it always names one.
    pub is_certain: bool,
}

/// A kind of thing that a host program provides by name.
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
    /// What it is called with; `None` when that is the node's part of the state.
    pub arguments: Option<Value>,
}

/// A choice of what comes next.
#[derive(Debug, Clone, Default)]
pub struct RouterWork {
    /// What yields the name of the next node; `None` when edges decide.
    pub condition: Option<EdgeCondition>,
}

/// A run of another graph.
#[derive(Debug, Clone, Default)]
pub struct SubgraphWork {
    pub graph: Option<Reference>,
    /// The settings, where the dialect wants them.
    pub settings_at: Option<Origin>,
    /// From this graph's state to the other's input.
    pub inputs: Vec<KeyMapping>,
    /// From the other's results to this graph's state.
    pub outputs: Vec<KeyMapping>,
    /// How many steps it may take.
    pub max_iterations: Option<f64>,
}

/// A decision of a person.
#[derive(Debug, Clone, Default)]
pub struct HumanWork {
    /// The settings, where the dialect wants them.
    pub settings_at: Option<Origin>,
    /// The question.
    pub prompt: Option<Located<SmolStr>>,
    /// The keys of the state that are shown; `*` is all.
    pub review_keys: Option<Vec<Located<SmolStr>>>,
    /// How long the answer may take, in milliseconds.
    pub timeout_ms: Option<f64>,
    /// Where a rejection leads.
    pub rejection: Option<Located<SmolStr>>,
    /// Answers without a person; `None` when the dialect has none.
    pub automation: Option<HumanAutomation>,
}

/// Answers without a person, in the order in which they count.
#[derive(Debug, Clone, Default)]
pub struct HumanAutomation {
    /// Approves at once.
    pub auto_accept: Option<Located<bool>>,
    /// Rejects at once, with a reason or without: where it is on.
    pub auto_reject: Option<Located<SmolStr>>,
    /// A model that judges.
    pub judge: Option<Judge>,
    /// What no answer in time means: the word.
    pub on_timeout: Option<Located<SmolStr>>,
    /// Whether guardrails may veto an automated approval.
    pub guardrails_may_veto: bool,
}

/// A model that judges in a person's place.
#[derive(Debug, Clone)]
pub struct Judge {
    /// Its key.
    pub at: Origin,
    pub model: Option<Located<SmolStr>>,
    /// Whose model it is.
    pub provider: Option<Located<SmolStr>>,
    /// How sure it must be, from 0 to 1.
    pub threshold: Option<Located<f64>>,
    /// How much it thinks: the word.
    pub effort: Option<Located<SmolStr>>,
    /// What it decides by.
    pub criteria: Option<Located<SmolStr>>,
    /// Whether its provider works without a model being named.
    pub has_default_model: bool,
}

impl AnyWork {
    /// The work of a node, in the type of its system.
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
    /// A node to which the run goes for that reason.
    #[must_use]
    pub fn new(kind: HandOverKind, target: &'w Located<SmolStr>) -> HandOver<'w> {
        HandOver { target, kind, is_ignored: false }
    }

    /// Whether a run visits the target by itself: not inside of the node that names it.
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
    /// The word for it, in data.
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
    /// Who is asked, in a word.
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

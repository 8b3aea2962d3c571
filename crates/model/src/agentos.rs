//! AgentOS: what runs when a node of its graphs is visited, one variant for each kind of executor.

mod extension;
mod guardrail;
mod model;
mod state;
mod voice;

use smol_str::SmolStr;

pub use self::extension::ExtensionWork;
pub use self::guardrail::GuardrailWork;
pub use self::model::ModelWork;
pub use self::state::STATE;
pub use self::voice::{VoiceTrigger, VoiceWork};
use crate::graph::{EdgeCondition, Exit, Graph, GraphNode};
use crate::origin::Located;
use crate::work::{
    Choice, HandOver, HandOverKind, HumanWork, NodeWork, ProvidedKind, QuestionKind, RouterWork,
    SubgraphWork, ToolWork, WorkKind,
};

/// The value of a guardrail's `on_violation` that sends the run to another node.
pub const REROUTE: &str = "reroute";

/// What runs when a node is visited.
#[derive(Debug, Clone)]
pub enum Work {
    /// A tool is called.
    Tool(Box<ToolWork>),
    /// Edges, or an expression, decide what comes next.
    Router(Box<RouterWork>),
    /// Another graph runs.
    Subgraph(Box<SubgraphWork>),
    /// A person decides.
    Human(Box<HumanWork>),
    /// A language model and tools take turns.
    Model(Box<ModelWork>),
    /// A method of an extension is called.
    Extension(Box<ExtensionWork>),
    /// Guardrails look at the state.
    Guardrail(Box<GuardrailWork>),
    /// A voice session is held.
    Voice(Box<VoiceWork>),
    /// The type is missing or misspelt.
    Unknown,
}

impl Work {
    /// The work of a node; [`Work::Unknown`] for nodes of other systems.
    #[must_use]
    pub fn of(node: &GraphNode) -> &Work {
        node.work.of_system().unwrap_or(&Work::Unknown)
    }
}

impl NodeWork for Work {
    fn kind(&self) -> WorkKind {
        match self {
            Work::Tool(_) | Work::Extension(_) => WorkKind::Tool,
            Work::Router(_) => WorkKind::Choice,
            Work::Subgraph(_) => WorkKind::Graph,
            Work::Human(_) => WorkKind::Person,
            Work::Guardrail(_) => WorkKind::Judge,
            Work::Model(_) | Work::Voice(_) => WorkKind::Agent,
            Work::Unknown => WorkKind::Unknown,
        }
    }

    fn asks(&self) -> QuestionKind {
        match self {
            Work::Tool(_) => QuestionKind::Tool,
            Work::Human(_) => QuestionKind::Human,
            Work::Extension(_) => QuestionKind::Extension,
            Work::Guardrail(_) => QuestionKind::Guardrail,
            Work::Voice(_) => QuestionKind::Session,
            Work::Model(_) | Work::Router(_) | Work::Subgraph(_) | Work::Unknown => QuestionKind::Model,
        }
    }

    fn hand_overs(&self) -> Vec<HandOver<'_>> {
        match self {
            Work::Guardrail(guardrail) => {
                let leads = guardrail.on_violation.as_ref().is_some_and(|word| word.value == REROUTE);
                let violation =
                    |id| HandOver { is_ignored: !leads, ..HandOver::new(HandOverKind::Violation, id) };
                guardrail.reroute.iter().map(violation).collect()
            }
            Work::Human(human) => {
                human.rejection.iter().map(|id| HandOver::new(HandOverKind::Rejection, id)).collect()
            }
            Work::Tool(_)
            | Work::Router(_)
            | Work::Subgraph(_)
            | Work::Model(_)
            | Work::Extension(_)
            | Work::Voice(_)
            | Work::Unknown => Vec::new(),
        }
    }

    fn call(&self) -> Option<&SubgraphWork> {
        match self {
            Work::Subgraph(call) => Some(call),
            _ => None,
        }
    }

    fn condition(&self) -> Option<&EdgeCondition> {
        match self {
            Work::Router(router) => router.condition.as_ref(),
            _ => None,
        }
    }

    fn choice(&self, graph: &Graph, node: &GraphNode, exists: &dyn Fn(&SmolStr) -> bool) -> Option<Choice> {
        match self {
            Work::Router(router) => match &router.condition {
                Some(EdgeCondition::Expression(Some(condition))) => {
                    let routes = graph.conventions.routes(condition);
                    let names =
                        routes.constant.into_iter().map(|route| route.name).filter(|name| exists(name));
                    Some(Choice { names: names.collect(), has_others: routes.has_others, is_certain: true })
                }
                _ => None,
            },
            Work::Guardrail(guardrail) => {
                let target = guardrail.reroute.as_ref().filter(|target| exists(&target.value))?;
                Some(Choice { names: [target.value.clone()].into(), ..Choice::default() })
            }
            Work::Voice(voice) => {
                let is_possible =
                    |exit: &&Exit| exit.kind.as_ref().is_some_and(|reason| voice.can_end(reason));
                let exits = node.execution.exits.iter().filter(is_possible);
                let targets = exits.filter_map(|exit| Some(exit.target.as_ref()?.value.clone()));
                Some(Choice { names: targets.filter(|name| exists(name)).collect(), ..Choice::default() })
            }
            Work::Tool(_)
            | Work::Subgraph(_)
            | Work::Human(_)
            | Work::Model(_)
            | Work::Extension(_)
            | Work::Unknown => None,
        }
    }

    fn provided(&self) -> Vec<(ProvidedKind, &Located<SmolStr>)> {
        match self {
            Work::Tool(tool) => tool.tool.iter().map(|name| (ProvidedKind::Tool, name)).collect(),
            Work::Extension(extension) => {
                extension.extension.iter().map(|name| (ProvidedKind::Extension, name)).collect()
            }
            Work::Guardrail(guardrail) => {
                guardrail.guardrails.iter().map(|name| (ProvidedKind::Guardrail, name)).collect()
            }
            Work::Router(_)
            | Work::Subgraph(_)
            | Work::Human(_)
            | Work::Model(_)
            | Work::Voice(_)
            | Work::Unknown => Vec::new(),
        }
    }

    fn runs(&self) -> Option<Option<&str>> {
        let named = match self {
            Work::Tool(tool) => &tool.tool,
            Work::Extension(extension) => &extension.extension,
            Work::Subgraph(call) => return Some(call.graph.as_ref().map(|graph| graph.name.as_str())),
            Work::Router(_)
            | Work::Human(_)
            | Work::Model(_)
            | Work::Guardrail(_)
            | Work::Voice(_)
            | Work::Unknown => return None,
        };
        Some(named.as_ref().map(|name| name.value.as_str()))
    }

    fn exit_keywords(&self) -> &[Located<SmolStr>] {
        match self {
            Work::Voice(voice) => &voice.keywords,
            _ => &[],
        }
    }
}

//! cycgraph: what runs when a node of its graphs is visited, one variant for each node type.

mod access;
mod agent;
mod judging;
mod parallel;

use smol_str::SmolStr;

pub use self::access::{
    AMBIENT, HANDOFF_KEY, HUMAN_DECISION, HUMAN_KEYS, HUMAN_RESPONSE, STATE, implied_results,
};
pub use self::agent::{AgentWork, Annealing, RemoteAgentWork, SupervisorWork, Swarm};
pub use self::judging::{Assertion, Extractor, JsonPathCheck, ReflectionWork, Verification, VerifierWork};
pub use self::parallel::{EvolutionWork, MapWork, VotingWork};
use crate::graph::{EdgeCondition, GraphNode};
use crate::origin::Located;
use crate::work::{
    AnyWork, HandOver, HandOverKind, HumanWork, NodeWork, ProvidedKind, QuestionKind, RouterWork,
    SubgraphWork, ToolWork, WorkKind,
};

/// What runs when a node is visited.
#[derive(Debug, Clone)]
pub enum Work {
    /// A tool is called.
    Tool(Box<ToolWork>),
    /// Edges decide what comes next.
    Router(Box<RouterWork>),
    /// Another graph runs.
    Subgraph(Box<SubgraphWork>),
    /// A person decides.
    Human(Box<HumanWork>),
    /// An agent works, perhaps several times over.
    Agent(Box<AgentWork>),
    /// An agent chooses the next node, again and again.
    Supervisor(Box<SupervisorWork>),
    /// Results are merged: by the node's agent, or by joining lists.
    Synthesizer,
    /// An agent of another system works.
    RemoteAgent(Box<RemoteAgentWork>),
    /// A worker handles each item, in parallel.
    Map(Box<MapWork>),
    /// Agents vote.
    Voting(Box<VotingWork>),
    /// Candidates are bred over generations.
    Evolution(Box<EvolutionWork>),
    /// A part of the state is evaluated.
    Verifier(Box<VerifierWork>),
    /// Parts of the state are distilled to facts for later runs.
    Reflection(Box<ReflectionWork>),
    /// The type is missing or misspelt.
    Unknown,
}

impl Work {
    /// The work of a node; [`Work::Unknown`] for nodes of other systems.
    #[must_use]
    pub fn of(node: &GraphNode) -> &Work {
        node.work.of_system().unwrap_or(&Work::Unknown)
    }

    /// Settings of other node types that the node also has. Nothing runs them.
    pub fn idle(node: &GraphNode) -> impl Iterator<Item = &Work> {
        node.idle.iter().filter_map(AnyWork::of_system)
    }
}

/// The swarm of an agent; `None` if the agent also anneals, because the engine then ignores the swarm.
#[must_use]
pub fn working_swarm(node: &GraphNode) -> Option<&Swarm> {
    match Work::of(node) {
        Work::Agent(agent) if agent.annealing.is_none() => agent.swarm.as_deref(),
        _ => None,
    }
}

impl NodeWork for Work {
    fn kind(&self) -> WorkKind {
        match self {
            Work::Tool(_) => WorkKind::Tool,
            Work::Router(_) | Work::Supervisor(_) => WorkKind::Choice,
            Work::Subgraph(_) => WorkKind::Graph,
            Work::Human(_) => WorkKind::Person,
            Work::Verifier(_) => WorkKind::Judge,
            Work::Map(_) | Work::Voting(_) | Work::Evolution(_) => WorkKind::Many,
            Work::Reflection(_) => WorkKind::Memory,
            Work::Agent(_) | Work::Synthesizer | Work::RemoteAgent(_) => WorkKind::Agent,
            Work::Unknown => WorkKind::Unknown,
        }
    }

    fn asks(&self) -> QuestionKind {
        match self {
            Work::Tool(_) => QuestionKind::Tool,
            Work::Human(_) => QuestionKind::Human,
            Work::RemoteAgent(_) => QuestionKind::Remote,
            Work::Router(_)
            | Work::Subgraph(_)
            | Work::Agent(_)
            | Work::Supervisor(_)
            | Work::Synthesizer
            | Work::Map(_)
            | Work::Voting(_)
            | Work::Evolution(_)
            | Work::Verifier(_)
            | Work::Reflection(_)
            | Work::Unknown => QuestionKind::Model,
        }
    }

    fn hand_overs(&self) -> Vec<HandOver<'_>> {
        match self {
            Work::Supervisor(supervisor) => {
                let managed = supervisor.managed.iter();
                managed.map(|id| HandOver::new(HandOverKind::Delegation, id)).collect()
            }
            Work::Map(map) => {
                let workers = map.worker.iter().map(|id| HandOver::new(HandOverKind::Worker, id));
                let merging = map.synthesizer.iter().map(|id| HandOver::new(HandOverKind::Merge, id));
                workers.chain(merging).collect()
            }
            Work::Agent(agent) => {
                let is_ignored = agent.annealing.is_some();
                let peers = agent.swarm.iter().flat_map(|swarm| &swarm.peers);
                let hand_over = |id| HandOver { is_ignored, ..HandOver::new(HandOverKind::Delegation, id) };
                peers.map(hand_over).collect()
            }
            Work::Human(human) => {
                human.rejection.iter().map(|id| HandOver::new(HandOverKind::Rejection, id)).collect()
            }
            Work::Tool(_)
            | Work::Router(_)
            | Work::Subgraph(_)
            | Work::Synthesizer
            | Work::RemoteAgent(_)
            | Work::Voting(_)
            | Work::Evolution(_)
            | Work::Verifier(_)
            | Work::Reflection(_)
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

    fn provided(&self) -> Vec<(ProvidedKind, &Located<SmolStr>)> {
        match self {
            Work::Tool(tool) => tool.tool.iter().map(|name| (ProvidedKind::Tool, name)).collect(),
            Work::RemoteAgent(remote) => {
                remote.server.iter().map(|name| (ProvidedKind::Server, name)).collect()
            }
            Work::Reflection(reflection) => {
                reflection.tags.iter().map(|name| (ProvidedKind::Tag, name)).collect()
            }
            Work::Router(_)
            | Work::Subgraph(_)
            | Work::Human(_)
            | Work::Agent(_)
            | Work::Supervisor(_)
            | Work::Synthesizer
            | Work::Map(_)
            | Work::Voting(_)
            | Work::Evolution(_)
            | Work::Verifier(_)
            | Work::Unknown => Vec::new(),
        }
    }

    fn runs(&self) -> Option<Option<&str>> {
        let named = match self {
            Work::Tool(tool) => &tool.tool,
            Work::RemoteAgent(remote) => &remote.server,
            Work::Map(map) => &map.worker,
            Work::Subgraph(call) => return Some(call.graph.as_ref().map(|graph| graph.name.as_str())),
            Work::Router(_)
            | Work::Human(_)
            | Work::Agent(_)
            | Work::Supervisor(_)
            | Work::Synthesizer
            | Work::Voting(_)
            | Work::Evolution(_)
            | Work::Verifier(_)
            | Work::Reflection(_)
            | Work::Unknown => return None,
        };
        Some(named.as_ref().map(|name| name.value.as_str()))
    }

    fn may_end_run(&self) -> bool {
        matches!(self, Work::Supervisor(_))
    }

    fn with_result_key(&self, old: &str, new: &str) -> Option<AnyWork> {
        let Work::Verifier(verifier) = self else { return None };
        let mut verifier = verifier.clone();
        let key = verifier.result_key.as_mut().filter(|key| key.value == old)?;
        key.value = SmolStr::new(new);
        Some(AnyWork::new(Work::Verifier(verifier)))
    }
}

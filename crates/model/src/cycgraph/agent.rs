//! Work of agents: one that answers, one that chooses the next node, one far away. Which agent
//! it is stands in the node. Settings are defaults where the author says nothing; nothing here can be invalid.

use smol_str::SmolStr;

use crate::graph::KeyMapping;
use crate::origin::{Located, Origin, Setting};
use crate::reference::Reference;

#[derive(Debug, Clone, Default)]
pub struct AgentWork {
    /// Repeats the work until it is good enough; wins over the swarm.
    pub annealing: Option<Box<Annealing>>,
    /// Lets the agent hand the run to a peer.
    pub swarm: Option<Box<Swarm>>,
}

/// Repeats an agent's work at falling temperature and keeps the best answer.
#[derive(Debug, Clone)]
pub struct Annealing {
    /// The settings' key.
    pub at: Origin,
    /// The agent that scores.
    pub evaluator: Option<Reference>,
    /// The path to the score in what the agent wrote, where no agent scores.
    pub score_path: Setting<SmolStr>,
    /// The score that ends the loop.
    pub threshold: Setting<f64>,
    /// The most repetitions.
    pub max_iterations: Setting<f64>,
    /// The temperature of the first repetition.
    pub initial_temperature: Setting<f64>,
    /// The temperature of the last repetition.
    pub final_temperature: Setting<f64>,
    /// The least improvement that keeps the loop going.
    pub least_improvement: Setting<f64>,
}

/// Lets an agent hand the run to a peer.
#[derive(Debug, Clone)]
pub struct Swarm {
    /// The settings' key.
    pub at: Origin,
    /// The nodes it may hand over to.
    pub peers: Vec<Located<SmolStr>>,
    /// The hand-overs of a run before edges decide again.
    pub max_handoffs: Setting<f64>,
}

/// An agent chooses the next node, again and again.
#[derive(Debug, Clone, Default)]
pub struct SupervisorWork {
    /// The settings' key, if they are there.
    pub settings_at: Option<Origin>,
    /// The agent that chooses, where it is not the node's.
    pub agent: Option<Reference>,
    /// The nodes it chooses from.
    pub managed: Vec<Located<SmolStr>>,
    /// The choices before the run is ended.
    pub max_iterations: Setting<f64>,
}

/// An agent of another system works.
#[derive(Debug, Clone, Default)]
pub struct RemoteAgentWork {
    /// The settings' key, if they are there.
    pub settings_at: Option<Origin>,
    /// The server, as the host has registered it.
    pub server: Option<Located<SmolStr>>,
    /// The skill of the remote agent.
    pub skill: Option<SmolStr>,
    /// From state keys to parts of the message.
    pub inputs: Vec<KeyMapping>,
    /// From artifacts of the answer to state keys.
    pub outputs: Vec<KeyMapping>,
    /// How long to wait, in milliseconds.
    pub max_wait_ms: Option<Located<f64>>,
}

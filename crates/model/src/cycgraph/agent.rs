//! Work of agents: one that answers, one that chooses the next node, one far away. Which agent
//! it is stands in the node. Settings are defaults where the author says nothing; nothing here can be invalid.

use smol_str::SmolStr;

use crate::graph::KeyMapping;
use crate::origin::{Located, Origin, Setting};
use crate::reference::Reference;

#[derive(Debug, Clone, Default)]
pub struct AgentWork {
    /// Repeats the work until it is good enough. With it, the engine ignores the swarm.
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
    /// Where the score is in the agent's own answer, if no other agent scores.
    pub score_path: Setting<SmolStr>,
    /// The loop ends when a score reaches this number.
    pub threshold: Setting<f64>,
    /// The maximum number of repetitions.
    pub max_iterations: Setting<f64>,
    /// The temperature of the first repetition.
    pub initial_temperature: Setting<f64>,
    /// The temperature of the last repetition.
    pub final_temperature: Setting<f64>,
    /// The loop ends when the score improves by less than this.
    pub least_improvement: Setting<f64>,
}

/// Lets an agent hand the run to a peer.
#[derive(Debug, Clone)]
pub struct Swarm {
    /// The settings' key.
    pub at: Origin,
    /// The nodes it may hand over to.
    pub peers: Vec<Located<SmolStr>>,
    /// The maximum number of hand-overs in a run. After that, edges decide again.
    pub max_handoffs: Setting<f64>,
}

/// An agent chooses the next node, again and again.
#[derive(Debug, Clone, Default)]
pub struct SupervisorWork {
    /// The settings' key, if they are there.
    pub settings_at: Option<Origin>,
    /// The agent that chooses; `None` if the node's own agent does.
    pub agent: Option<Reference>,
    /// The nodes that it can choose.
    pub managed: Vec<Located<SmolStr>>,
    /// The maximum number of choices. The engine ends the run after that.
    pub max_iterations: Setting<f64>,
}

/// An agent of another system works.
#[derive(Debug, Clone, Default)]
pub struct RemoteAgentWork {
    /// The settings' key, if they are there.
    pub settings_at: Option<Origin>,
    /// The server, by the name that the host registered.
    pub server: Option<Located<SmolStr>>,
    /// The skill of the remote agent.
    pub skill: Option<SmolStr>,
    /// Which state keys go into which parts of the message.
    pub inputs: Vec<KeyMapping>,
    /// Which artifacts of the answer go into which state keys.
    pub outputs: Vec<KeyMapping>,
    /// The maximum time to wait for the answer, in milliseconds.
    pub max_wait_ms: Option<Located<f64>>,
}

//! What nodes may read and write (cycgraph:3.4): what they declare, and what their type implies.
//! In: nodes of the model; out: lists of keys. Invariant: implied keys come after declared ones.

use std::sync::Arc;

use nodewise_model::cycgraph::{Work, implied_results};
use nodewise_model::graph::{Graph, GraphNode};
use nodewise_model::state::WILDCARD;
use smol_str::{SmolStr, format_smolstr};

/// The key that stands for all keys.
pub(crate) const ALL: &str = WILDCARD;

/// What a node may write and control.
#[derive(Debug, Clone, Default)]
pub struct Grant {
    /// The keys that it may write.
    pub writes: Arc<[SmolStr]>,
    /// Whether it may write every key, end the run and hand it over.
    pub all: bool,
    /// Whether it may name the next node, or pause the run.
    pub control_flow: bool,
    /// Whether it may end the run.
    pub status: bool,
}

impl Grant {
    /// Whether a key may be written. The engine's own keys are always allowed.
    #[must_use]
    pub fn allows(&self, key: &str) -> bool {
        self.all || key.starts_with('_') || self.writes.iter().any(|granted| granted == key)
    }
}

/// The grant of a node, with what its type implies.
pub(super) fn grant(node: &GraphNode) -> Grant {
    let declared = node.access.writes.iter().map(|key| key.value.clone());
    let writes: Arc<[SmolStr]> = declared.chain(implied_results(node)).collect();
    let has = |word: &str| writes.iter().any(|key| key == word);
    let all = has(ALL);
    let (control_flow, status) = implied_control(Work::of(node));
    let control_flow = all || control_flow || has("control_flow");
    let status = all || status || has("status");
    Grant { writes, all, control_flow, status }
}

/// The keys that a node may read.
pub(super) fn effective_reads(node: &GraphNode, graph: &Graph) -> Vec<SmolStr> {
    let declared: Vec<SmolStr> = node.access.reads.iter().map(|key| key.value.clone()).collect();
    match Work::of(node) {
        Work::Human(human) if !declared.iter().any(|key| key == ALL) => {
            let mut keys = declared;
            for key in human.review_keys.iter().flatten().filter(|key| key.value != ALL) {
                push_new(&mut keys, key.value.clone());
            }
            keys
        }
        Work::Supervisor(supervisor) if declared.is_empty() => {
            let mut keys = Vec::new();
            for managed in &supervisor.managed {
                if let Some(node) = graph.node(&managed.value) {
                    let declared = node.access.writes.iter().map(|key| key.value.clone());
                    for key in declared.chain(implied_results(node)) {
                        push_new(&mut keys, key);
                    }
                }
                push_new(&mut keys, format_smolstr!("{}_output", managed.value));
            }
            keys
        }
        Work::Tool(_)
        | Work::Router(_)
        | Work::Subgraph(_)
        | Work::Human(_)
        | Work::Agent(_)
        | Work::Supervisor(_)
        | Work::Synthesizer
        | Work::RemoteAgent(_)
        | Work::Map(_)
        | Work::Voting(_)
        | Work::Evolution(_)
        | Work::Verifier(_)
        | Work::Reflection(_)
        | Work::Unknown => declared,
    }
}

fn push_new(keys: &mut Vec<SmolStr>, key: SmolStr) {
    if !keys.contains(&key) {
        keys.push(key);
    }
}

/// Whether a type implies control over the next node, and over the status of the run.
fn implied_control(work: &Work) -> (bool, bool) {
    match work {
        Work::Supervisor(_) => (true, true),
        Work::Human(_) | Work::Subgraph(_) | Work::RemoteAgent(_) => (true, false),
        Work::Agent(agent) => (agent.swarm.is_some(), false),
        Work::Tool(_)
        | Work::Router(_)
        | Work::Synthesizer
        | Work::Map(_)
        | Work::Voting(_)
        | Work::Evolution(_)
        | Work::Verifier(_)
        | Work::Reflection(_)
        | Work::Unknown => (false, false),
    }
}

//! Which keys of the memory a node reads and writes: what it declares, what its type implies, what it gets when it says
//! nothing.

use std::collections::BTreeMap;

use smol_str::{SmolStr, format_smolstr};

use super::Work;
use crate::graph::{Graph, GraphNode, KeyMapping};
use crate::state::{NodeAccess, StateModel, WILDCARD};

/// State fields that every node sees without a grant.
pub const AMBIENT: [&str; 2] = ["goal", "constraints"];
/// The key by which an agent hands the run to a peer. The engine removes it again after it has read it.
pub const HANDOFF_KEY: &str = "peer_delegation";
/// The key with the text that a person wrote.
pub const HUMAN_RESPONSE: &str = "human_response";
/// The key with the word for a person's decision.
pub const HUMAN_DECISION: &str = "human_decision";
/// The keys that a person's decision adds to the memory.
pub const HUMAN_KEYS: [&str; 2] = [HUMAN_RESPONSE, HUMAN_DECISION];
/// How many keys the supervisors of a graph may collect from the nodes that they manage. A supervisor that uses up the
/// rest counts as one that may read every key. Without a limit, many supervisors of many nodes would take quadratic time.
const DERIVED_MAX: usize = 100_000;

/// The memory of cycgraph: each node reads and writes only the keys that it is granted.
pub static STATE: &dyn StateModel = &Memory;

#[derive(Debug)]
struct Memory;

impl StateModel for Memory {
    fn accesses(&self, graph: &Graph) -> Vec<NodeAccess> {
        let mut all: Vec<NodeAccess> = graph.nodes.iter().map(of_node).collect();
        // If several nodes have the same id, the engine uses the last one.
        let by_id: BTreeMap<&str, &GraphNode> =
            graph.nodes.iter().filter_map(|node| Some((node.id.as_ref()?.value.as_str(), node))).collect();
        let mut budget = DERIVED_MAX;
        for (node, access) in graph.nodes.iter().zip(&mut all) {
            if let Work::Supervisor(supervisor) = Work::of(node)
                && node.access.reads.is_empty()
            {
                let reads = supervisor.managed.iter().flat_map(|managed| {
                    let node = by_id.get(managed.value.as_str()).copied();
                    let output = format_smolstr!("{}_output", managed.value);
                    node.into_iter().flat_map(granted_and_implied).chain([output])
                });
                let mut reads: Vec<SmolStr> = reads.take(budget).collect();
                budget -= reads.len();
                access.reads_all = budget == 0 || reads.iter().any(|key| key == WILDCARD);
                reads.sort_unstable();
                reads.dedup();
                access.reads = reads;
            }
        }
        all
    }

    fn ambient_keys(&self) -> &'static [&'static str] {
        &AMBIENT
    }

    fn reserved_keys(&self) -> &'static [&'static str] {
        &[HUMAN_RESPONSE, HUMAN_DECISION, HANDOFF_KEY]
    }

    fn transient_key(&self) -> Option<&'static str> {
        Some(HANDOFF_KEY)
    }
}

fn of_node(node: &GraphNode) -> NodeAccess {
    let granted = || node.access.writes.iter().map(|key| &key.value).filter(|key| *key != WILDCARD).cloned();
    let id = node.id.as_ref().map_or("", |id| id.value.as_str());
    let work = Work::of(node);
    let mut reads: Vec<SmolStr> = node.access.reads.iter().map(|key| key.value.clone()).collect();
    let reads_all = reads.iter().any(|key| key == WILDCARD);
    if let (Work::Human(human), false) = (work, reads_all) {
        let shown = human.review_keys.iter().flatten().map(|key| key.value.clone());
        reads.extend(shown.filter(|key| key != WILDCARD));
    }
    let implied = implied_results(node);
    let writes_all = node.access.writes.iter().any(|key| key.value == WILDCARD);
    let is_tool = matches!(work, Work::Tool(_));
    let answers = matches!(work, Work::Agent(_) | Work::Synthesizer);
    let answer = answers.then(|| format_smolstr!("{id}_output"));
    let mut writes: Vec<SmolStr> = if is_tool { Vec::new() } else { granted().collect() };
    let mut leaves = match work {
        // A person who decides may write keys of the memory too.
        Work::Agent(_) | Work::Human(_) => granted().collect(),
        Work::Synthesizer if node.agent.is_some() => granted().collect(),
        Work::Tool(_)
        | Work::Router(_)
        | Work::Subgraph(_)
        | Work::Supervisor(_)
        | Work::Synthesizer
        | Work::RemoteAgent(_)
        | Work::Map(_)
        | Work::Voting(_)
        | Work::Evolution(_)
        | Work::Verifier(_)
        | Work::Reflection(_)
        | Work::Unknown => implied.clone(),
    };
    writes.extend(implied.iter().cloned());
    writes.extend(node.access.default_write.iter().map(|key| key.value.clone()));
    if let Some(answer) = &answer {
        if writes_all {
            leaves.push(answer.clone());
        }
        writes.push(answer.clone());
    }
    if matches!(work, Work::Human(_) | Work::Subgraph(_)) {
        leaves.extend(HUMAN_KEYS.map(SmolStr::new_static));
    }
    let named = named_results(work, &implied);
    NodeAccess {
        reads,
        reads_all,
        writes,
        writes_all,
        implied,
        named,
        answer,
        leaves,
        ..NodeAccess::default()
    }
}

fn granted_and_implied(node: &GraphNode) -> impl Iterator<Item = SmolStr> {
    node.access.writes.iter().map(|key| key.value.clone()).chain(implied_results(node))
}

/// The keys in `implied` whose names come from the settings of the node, not from its id.
fn named_results(work: &Work, implied: &[SmolStr]) -> Vec<SmolStr> {
    match work {
        Work::Verifier(verifier) => verifier.result_key.iter().map(|key| key.value.clone()).collect(),
        Work::Reflection(reflection) => reflection.result_key.iter().map(|key| key.value.clone()).collect(),
        Work::Subgraph(_) | Work::RemoteAgent(_) => implied.to_vec(),
        Work::Tool(_)
        | Work::Router(_)
        | Work::Human(_)
        | Work::Agent(_)
        | Work::Supervisor(_)
        | Work::Synthesizer
        | Work::Map(_)
        | Work::Voting(_)
        | Work::Evolution(_)
        | Work::Unknown => Vec::new(),
    }
}

/// The keys that the engine writes for a node because of the node's type.
#[must_use]
pub fn implied_results(node: &GraphNode) -> Vec<SmolStr> {
    let id = node.id.as_ref().map_or("", |id| id.value.as_str());
    let named = |endings: &[&str]| endings.iter().map(|ending| format_smolstr!("{id}_{ending}")).collect();
    match Work::of(node) {
        Work::Verifier(verifier) => {
            let key = match &verifier.result_key {
                Some(key) => key.value.clone(),
                None => format_smolstr!("{id}_verification"),
            };
            let passed = format_smolstr!("{key}_passed");
            vec![key, passed]
        }
        Work::Reflection(reflection) => match &reflection.result_key {
            Some(key) => vec![key.value.clone()],
            None => named(&["reflection"]),
        },
        Work::Map(_) => named(&["results", "errors", "count", "error_count"]),
        Work::Voting(_) => named(&["consensus", "votes"]),
        Work::Evolution(_) => named(&[
            "winner",
            "winner_fitness",
            "winner_reasoning",
            "generation",
            "fitness_history",
            "population",
            "budget_stopped",
        ]),
        Work::Tool(_) => named(&["result"]),
        Work::Synthesizer => named(&["synthesis"]),
        Work::Subgraph(subgraph) => mapped(&subgraph.outputs),
        Work::RemoteAgent(remote) => mapped(&remote.outputs),
        Work::Router(_) | Work::Human(_) | Work::Agent(_) | Work::Supervisor(_) | Work::Unknown => Vec::new(),
    }
}

fn mapped(outputs: &[KeyMapping]) -> Vec<SmolStr> {
    outputs.iter().filter_map(|mapping| Some(mapping.to.as_ref()?.value.clone())).collect()
}

//! Which keys of the state a node reads and writes: what it declares, what its kind of work implies, what it gets when
//! it says nothing. In: the graph and who is who; out: one entry a node.

use nodewise_model::graph::{Graph, GraphNode};
use nodewise_model::work::Work;
use smol_str::{SmolStr, format_smolstr};

use super::GraphFacts;

/// The key that stands for all keys.
pub const WILDCARD: &str = "*";
/// State fields that every node sees without a grant.
pub const AMBIENT: [&str; 2] = ["goal", "constraints"];
/// More keys than this that supervisors see through the nodes that they manage are not counted any more.
const DERIVED_MAX: usize = 100_000;
/// The key by which an agent hands the run to a peer; the engine takes it out again.
pub const HANDOFF_KEY: &str = "peer_delegation";
/// What a person's decision leaves in the memory.
pub const HUMAN_KEYS: [&str; 2] = ["human_response", "human_decision"];

/// Which keys a node reads and writes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NodeAccess {
    /// The keys that it may read, dots included.
    pub reads: Vec<SmolStr>,
    /// Whether it may read every key.
    pub reads_all: bool,
    /// The keys that it may write, as the release counts them.
    pub writes: Vec<SmolStr>,
    /// Whether it may write every key.
    pub writes_all: bool,
    /// The keys of `writes` that the engine writes itself.
    pub implied: Vec<SmolStr>,
    /// The keys that it can really leave in the memory.
    pub leaves: Vec<SmolStr>,
}

/// The part of a key before its first dot.
#[must_use]
pub fn top_level(key: &str) -> &str {
    key.split_once('.').map_or(key, |(top, _)| top)
}

/// Whether a key is one that no node ever sees.
#[must_use]
pub fn is_hidden(key: &str) -> bool {
    key.split('.').any(|part| part.starts_with('_'))
}

/// The keys that the engine writes for a node.
#[must_use]
pub fn implied_results(node: &GraphNode) -> Vec<SmolStr> {
    let id = node.id.as_ref().map_or("", |id| id.value.as_str());
    let named = |endings: &[&str]| endings.iter().map(|ending| format_smolstr!("{id}_{ending}")).collect();
    match &node.work {
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
        Work::Router(_)
        | Work::Human(_)
        | Work::Model(_)
        | Work::Extension(_)
        | Work::Guardrail(_)
        | Work::Voice(_)
        | Work::Agent(_)
        | Work::Supervisor(_)
        | Work::Unknown => Vec::new(),
    }
}

fn mapped(outputs: &[nodewise_model::graph::Mapping]) -> Vec<SmolStr> {
    outputs.iter().filter_map(|mapping| Some(mapping.to.as_ref()?.value.clone())).collect()
}

/// The access of every node, by position.
pub(super) fn of_graph(graph: &Graph, facts: &GraphFacts) -> Vec<NodeAccess> {
    let mut all: Vec<NodeAccess> = graph.nodes.iter().map(of_node).collect();
    let mut budget = DERIVED_MAX;
    for (position, node) in graph.nodes.iter().enumerate() {
        if let Work::Supervisor(supervisor) = &node.work
            && node.access.reads.is_empty()
        {
            let reads = supervisor.managed.iter().flat_map(|managed| {
                let node = facts.node(&managed.value).and_then(|position| graph.nodes.get(position));
                let output = format_smolstr!("{}_output", managed.value);
                node.into_iter().flat_map(granted_and_implied).chain([output])
            });
            let mut reads: Vec<SmolStr> = reads.take(budget).collect();
            budget -= reads.len();
            all[position].reads_all = budget == 0 || reads.iter().any(|key| key == WILDCARD);
            reads.sort_unstable();
            reads.dedup();
            all[position].reads = reads;
        }
    }
    all
}

fn of_node(node: &GraphNode) -> NodeAccess {
    let granted = || node.access.writes.iter().map(|key| &key.value).filter(|key| *key != WILDCARD).cloned();
    let id = node.id.as_ref().map_or("", |id| id.value.as_str());
    let mut reads: Vec<SmolStr> = node.access.reads.iter().map(|key| key.value.clone()).collect();
    let reads_all = reads.iter().any(|key| key == WILDCARD);
    if let (Work::Human(human), false) = (&node.work, reads_all) {
        let shown = human.review_keys.iter().flatten().map(|key| key.value.clone());
        reads.extend(shown.filter(|key| key != WILDCARD));
    }
    let implied = implied_results(node);
    let writes_all = node.access.writes.iter().any(|key| key.value == WILDCARD);
    let is_tool = matches!(node.work, Work::Tool(_));
    let answers = matches!(node.work, Work::Agent(_) | Work::Synthesizer);
    let output = format_smolstr!("{id}_output");
    let mut writes: Vec<SmolStr> = if is_tool { Vec::new() } else { granted().collect() };
    let mut leaves = match node.work {
        // A person who decides may write keys of the memory too.
        Work::Agent(_) | Work::Human(_) => granted().collect(),
        Work::Synthesizer if node.agent.is_some() => granted().collect(),
        Work::Tool(_)
        | Work::Router(_)
        | Work::Subgraph(_)
        | Work::Model(_)
        | Work::Extension(_)
        | Work::Guardrail(_)
        | Work::Voice(_)
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
    if answers {
        if writes_all {
            leaves.push(output.clone());
        }
        writes.push(output);
    }
    if matches!(node.work, Work::Human(_) | Work::Subgraph(_)) {
        leaves.extend(HUMAN_KEYS.map(SmolStr::new_static));
    }
    NodeAccess { reads, reads_all, writes, writes_all, implied, leaves }
}

fn granted_and_implied(node: &GraphNode) -> impl Iterator<Item = SmolStr> {
    node.access.writes.iter().map(|key| key.value.clone()).chain(implied_results(node))
}

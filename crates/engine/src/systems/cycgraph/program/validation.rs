//! What the release finds wrong with a graph when a run is to begin (cycgraph:3.2, errors alone). In: a graph of the
//! model; out: texts in the release's words and order. Invariant: a graph without errors gives none.

use nodewise_expr::filtrex;
use nodewise_model::Located;
use nodewise_model::cycgraph::{
    EvolutionWork, ReflectionWork, SupervisorWork, Verification, Work, implied_results,
};
use nodewise_model::graph::{EdgeCondition, EdgeGuard, Graph, GraphEdge, GraphNode};
use rustc_hash::FxHashSet;
use smol_str::{SmolStr, format_smolstr};

use super::grants::ALL;
use super::node::name_of;

/// The errors of a graph.
pub(super) fn errors(graph: &Graph) -> Vec<String> {
    let mut known: FxHashSet<SmolStr> = FxHashSet::default();
    let mut errors = Vec::new();
    for id in graph.nodes.iter().map(name_of) {
        if !known.insert(id.clone()) {
            errors.push(format!("Duplicate node ID: '{id}'"));
        }
    }
    let start = graph.start.as_ref().map(|start| start.value.clone()).unwrap_or_default();
    if !known.contains(&start) {
        errors.push(format!("Start node '{start}' not found in graph nodes"));
    }
    for end in graph.ends.iter().flat_map(|ends| &ends.value).filter(|end| !known.contains(&end.value)) {
        errors.push(format!("End node '{}' not found in graph nodes", end.value));
    }
    let mut edge_ids: FxHashSet<&str> = FxHashSet::default();
    for (position, edge) in graph.edges.iter().enumerate() {
        if let Some(id) = &edge.id
            && !edge_ids.insert(&id.value)
        {
            errors.push(format!("Duplicate edge ID: '{}'", id.value));
        }
        edge_errors(edge, position, &known, &mut errors);
    }
    for node in &graph.nodes {
        node_errors(node, &known, &mut errors);
        default_write_error(node, &mut errors);
    }
    if graph.strict_keys {
        dangling_reads(graph, &mut errors);
    }
    errors
}

fn edge_errors(edge: &GraphEdge, position: usize, known: &FxHashSet<SmolStr>, errors: &mut Vec<String>) {
    // The release gives an edge without an id a random one; a run here must be repeatable.
    let id = edge.id.as_ref().map_or_else(|| format_smolstr!("<edge:{position}>"), |id| id.value.clone());
    for (end, word) in [(&edge.source, "source"), (&edge.target, "target")] {
        let name = end.as_ref().map(|end| end.name.value.clone()).unwrap_or_default();
        if !known.contains(&name) {
            errors.push(format!("Edge '{id}': {word} node '{name}' not found"));
        }
    }
    if let EdgeGuard::When(Some(EdgeCondition::Expression(Some(condition)))) = &edge.guard
        && let Some(problem) = filtrex::parse(&condition.text).problems.first()
    {
        errors.push(format!(
            "Edge '{id}': condition expression '{}' has syntax error: {}",
            condition.text, problem.message
        ));
    }
}

fn default_write_error(node: &GraphNode, errors: &mut Vec<String>) {
    let writes = &node.access.writes;
    if let Some(key) = &node.access.default_write
        && !writes.iter().any(|granted| granted.value == ALL || granted.value == key.value)
    {
        errors.push(format!(
            "Node '{}': default_write_key '{}' is not in write_keys [{}]",
            name_of(node),
            key.value,
            joined(writes)
        ));
    }
}

fn node_errors(node: &GraphNode, known: &FxHashSet<SmolStr>, errors: &mut Vec<String>) {
    let id = name_of(node);
    let is_missing = |name: &SmolStr| !known.contains(name);
    match Work::of(node) {
        Work::Agent(agent) => {
            if node.agent.as_ref().is_none_or(|agent| agent.name.is_empty()) {
                errors.push(format!("Agent node '{id}' is missing agent_id"));
            }
            let peers = agent.swarm.iter().flat_map(|swarm| &swarm.peers);
            errors.extend(
                peers
                    .filter(|peer| is_missing(&peer.value))
                    .map(|peer| format!("Swarm node '{id}': peer node '{}' not found in graph", peer.value)),
            );
        }
        Work::Tool(tool) if tool.tool.as_ref().is_none_or(|tool| tool.value.is_empty()) => {
            errors.push(format!("Tool node '{id}' is missing tool_id"));
        }
        Work::RemoteAgent(remote) if remote.settings_at.is_none() => {
            errors.push(format!("A2A node '{id}' is missing a2a_config"));
        }
        Work::RemoteAgent(remote) if remote.server.is_none() => {
            errors.push(format!("A2A node '{id}' is missing a2a_config.server_id"));
        }
        Work::Subgraph(subgraph) if subgraph.settings_at.is_none() => {
            errors.push(format!("Subgraph node '{id}' is missing subgraph_config"));
        }
        Work::Subgraph(subgraph) if subgraph.graph.as_ref().is_none_or(|graph| graph.name.is_empty()) => {
            errors.push(format!("Subgraph node '{id}' is missing subgraph_config.subgraph_id"));
        }
        Work::Human(human) if human.settings_at.is_none() => {
            errors.push(format!("Approval node '{id}' is missing approval_config"));
        }
        Work::Human(human) => {
            let target = human.rejection.iter().filter(|target| is_missing(&target.value));
            errors.extend(target.map(|target| {
                format!("Approval node '{id}': rejection_node_id '{}' not found in graph", target.value)
            }));
        }
        Work::Supervisor(supervisor) => supervisor_errors(node, supervisor, known, errors),
        Work::Evolution(evolution) => evolution_errors(&id, evolution, errors),
        Work::Reflection(reflection) => reflection_errors(node, reflection, errors),
        Work::Map(_) | Work::Voting(_) | Work::Verifier(_) => worker_errors(node, known, errors),
        Work::Tool(_)
        | Work::Router(_)
        | Work::Subgraph(_)
        | Work::Synthesizer
        | Work::RemoteAgent(_)
        | Work::Unknown => {}
    }
}

fn worker_errors(node: &GraphNode, known: &FxHashSet<SmolStr>, errors: &mut Vec<String>) {
    let id = name_of(node);
    match Work::of(node) {
        Work::Map(map) if map.settings_at.is_none() => {
            errors.push(format!("Map node '{id}' is missing map_reduce_config"));
        }
        Work::Map(map) => {
            let worker = map.worker.as_ref().map(|worker| worker.value.clone()).unwrap_or_default();
            if !known.contains(&worker) {
                errors.push(format!("Map node '{id}': worker node '{worker}' not found in graph"));
            }
            let merging = map.synthesizer.iter().filter(|node| !known.contains(&node.value));
            errors.extend(merging.map(|node| {
                format!("Map node '{id}': synthesizer node '{}' not found in graph", node.value)
            }));
        }
        Work::Voting(voting) if voting.settings_at.is_none() => {
            errors.push(format!("Voting node '{id}' is missing voting_config"));
        }
        Work::Voting(voting) => {
            if voting.voters.is_empty() {
                errors.push(format!("Voting node '{id}': voter_agent_ids must not be empty"));
            }
            if voting.strategy.value == "llm_judge" && voting.judge.is_none() {
                errors.push(format!("Voting node '{id}': llm_judge strategy requires judge_agent_id"));
            }
        }
        Work::Verifier(verifier) if verifier.settings_at.is_none() => {
            errors.push(format!("Verifier node '{id}' is missing verifier_config"));
        }
        Work::Verifier(verifier) => {
            let target = match &verifier.verification {
                Some(Verification::Judge { target, .. }) => target.as_ref(),
                Some(Verification::JsonPath(check)) => check.target.as_ref(),
                _ => None,
            };
            let hidden = target.filter(|target| !reads(node, &target.value));
            errors.extend(hidden.map(|target| {
                format!(
                    "Verifier node '{id}': target_key '{}' is not in read_keys — the value to verify would not be \
                     visible",
                    target.value
                )
            }));
        }
        Work::Tool(_)
        | Work::Router(_)
        | Work::Subgraph(_)
        | Work::Human(_)
        | Work::Agent(_)
        | Work::Supervisor(_)
        | Work::Synthesizer
        | Work::RemoteAgent(_)
        | Work::Evolution(_)
        | Work::Reflection(_)
        | Work::Unknown => {}
    }
}

fn supervisor_errors(
    node: &GraphNode,
    supervisor: &SupervisorWork,
    known: &FxHashSet<SmolStr>,
    errors: &mut Vec<String>,
) {
    let id = name_of(node);
    if supervisor.settings_at.is_none() {
        errors.push(format!("Supervisor node '{id}' is missing supervisor_config"));
        return;
    }
    if supervisor.agent.is_none() && node.agent.is_none() {
        errors.push(format!(
            "Supervisor node '{id}' is missing agent_id (set on the node or in supervisor_config)"
        ));
    }
    let missing = supervisor.managed.iter().filter(|managed| !known.contains(&managed.value));
    errors
        .extend(missing.map(|managed| {
            format!("Supervisor '{id}': managed node '{}' not found in graph", managed.value)
        }));
}

fn evolution_errors(id: &SmolStr, evolution: &EvolutionWork, errors: &mut Vec<String>) {
    if evolution.settings_at.is_none() {
        errors.push(format!("Evolution node '{id}' is missing evolution_config"));
        return;
    }
    if evolution.elite_count.value >= evolution.population_size.value {
        errors.push(format!("Evolution node '{id}': elite_count must be less than population_size"));
    }
    let is_tournament = evolution.selection.value == "tournament";
    if is_tournament && evolution.tournament_size.value > evolution.population_size.value {
        errors.push(format!("Evolution node '{id}': tournament_size exceeds population_size"));
    }
}

fn reflection_errors(node: &GraphNode, reflection: &ReflectionWork, errors: &mut Vec<String>) {
    let id = name_of(node);
    if reflection.settings_at.is_none() {
        errors.push(format!("Reflection node '{id}' is missing reflection_config"));
        return;
    }
    for (keys, word) in [(&reflection.sources, "source_key"), (&reflection.entities, "entity_key")] {
        let hidden = keys.iter().filter(|key| !reads(node, &key.value));
        errors.extend(
            hidden.map(|key| format!("Reflection node '{id}': {word} '{}' not in read_keys", key.value)),
        );
    }
}

/// Adds an error for each read of a key that nothing writes, if the graph does not allow such reads.
fn dangling_reads(graph: &Graph, errors: &mut Vec<String>) {
    if graph.nodes.iter().flat_map(|node| &node.access.writes).any(|key| key.value == ALL) {
        return;
    }
    let mut written: FxHashSet<SmolStr> =
        ["goal", "constraints"].map(SmolStr::new_static).into_iter().collect();
    written.extend(graph.inputs.iter().flatten().map(|port| port.key.value.clone()));
    for node in &graph.nodes {
        if !matches!(Work::of(node), Work::Tool(_)) {
            written.extend(node.access.writes.iter().map(|key| key.value.clone()));
        }
        written.extend(implied_results(node));
        written.extend(node.access.default_write.iter().map(|key| key.value.clone()));
        if matches!(Work::of(node), Work::Agent(_) | Work::Synthesizer) {
            written.insert(format_smolstr!("{}_output", name_of(node)));
        }
    }
    let is_dangling =
        |key: &&Located<SmolStr>| !written.contains(key.value.split('.').next().unwrap_or_default());
    for node in &graph.nodes {
        let id = name_of(node);
        let reads = node.access.reads.iter().filter(|key| key.value != ALL).filter(is_dangling);
        errors.extend(reads.map(|key| {
            format!(
                "Node '{id}': read_keys entry '{}' is not produced by any node in this graph — declare it in the \
                 graph's `inputs` if the run seeds it, or fix the name",
                key.value
            )
        }));
        let Work::Reflection(reflection) = Work::of(node) else { continue };
        errors.extend(reflection.sources.iter().filter(is_dangling).map(|key| {
            format!(
                "Node '{id}': reflection source_keys entry '{}' is not produced by any node in this graph — if it is \
                 not seeded via initial workflow memory, the node will distil zero facts (possible typo)",
                key.value
            )
        }));
    }
}

fn reads(node: &GraphNode, key: &str) -> bool {
    node.access.reads.iter().any(|read| read.value == ALL || read.value == key)
}

fn joined(keys: &[Located<SmolStr>]) -> String {
    keys.iter().map(|key| key.value.as_str()).collect::<Vec<_>>().join(", ")
}

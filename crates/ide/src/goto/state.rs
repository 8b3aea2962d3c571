//! The sources of a key of a graph's state: schemas, inputs, nodes that name it, nodes that write it under their own
//! id. In: the key as an entity. Out: places in the order declared, written, implied.

use nodewise_analysis::graphs::GraphFacts;
use nodewise_analysis::workspace::Snapshot;
use nodewise_dialect::table::NameUse;
use nodewise_model::Origin;
use nodewise_model::graph::{Graph, GraphNode};
use nodewise_model::state::NodeAccess;
use smol_str::SmolStr;

use crate::names::{Entity, NavigationTarget, Occurrence, document, occurrences_everywhere, tight, title};

/// Everything that gives a key its value.
pub(crate) fn writers(snapshot: &Snapshot, entity: &Entity) -> Vec<NavigationTarget> {
    let all = occurrences_everywhere(snapshot, entity);
    let with = |usage: NameUse| all.iter().filter(move |one| one.usage == usage);
    let mut targets: Vec<NavigationTarget> =
        with(NameUse::Declares).chain(with(NameUse::Writes)).map(|one| named(snapshot, one)).collect();
    if let Some((graph, facts, key)) = graph_of(snapshot, entity) {
        let written: Vec<Origin> = targets.iter().map(|target| target.at).collect();
        let names_it = |node: &GraphNode| {
            let holds = |at: &Origin| at.source == node.at.source && node.at.range.contains_range(at.range);
            written.iter().any(holds)
        };
        let implied = implied_by(graph, facts, key).into_iter().filter(|node| !names_it(node));
        targets.extend(implied.filter_map(|node| of_node(snapshot, node)));
    }
    targets
}

/// The places that say which values a key has: its schema, the graph's inputs and outputs.
pub(crate) fn ports(snapshot: &Snapshot, entity: &Entity) -> Vec<NavigationTarget> {
    let Some((graph, _, key)) = graph_of(snapshot, entity) else { return Vec::new() };
    let (part, inner) = key.split_once('.').unwrap_or(("", key));
    let parts = graph.state.iter().flat_map(|state| &state.value);
    let in_schema = parts
        .filter(|found| found.name.value == part)
        .flat_map(|found| found.keys.iter().flatten())
        .filter(|found| found.value == inner);
    let ports = graph.inputs.iter().chain(&graph.outputs).flatten();
    let in_ports = ports.map(|port| &port.key).filter(|found| found.value == *key);
    let target =
        |at: Origin| NavigationTarget { at: tight(snapshot, at), whole: at, title: title(snapshot, entity) };
    in_schema.chain(in_ports).map(|found| target(found.at)).collect()
}

/// The nodes that write a key without naming it, because their id is a part of it.
pub(crate) fn implied_by<'g>(graph: &'g Graph, facts: &GraphFacts, key: &str) -> Vec<&'g GraphNode> {
    let parts = graph.conventions.parts.as_ref();
    let in_artifacts = parts.and_then(|parts| key.strip_prefix(parts.artifacts)?.strip_prefix('.'));
    if let Some(id) = in_artifacts {
        let node = facts.node(id).and_then(|position| graph.nodes.get(position));
        return node.into_iter().filter(|node| node.execution.output_as.is_none()).collect();
    }
    let writers = facts.writers(key).iter();
    let implied =
        writers.filter(|position| facts.access.get(**position).is_some_and(|access| is_implied(access, key)));
    implied.filter_map(|position| graph.nodes.get(*position)).collect()
}

/// Whether a node writes the key because of its type. A grant does not change that.
fn is_implied(access: &NodeAccess, key: &str) -> bool {
    let mut keys = access.answer.iter().chain(&access.implied);
    keys.any(|implied| implied == key) && !access.named.iter().any(|named| named == key)
}

/// The graph that a key belongs to, and the key.
pub(crate) fn graph_of<'s>(
    snapshot: &'s Snapshot,
    entity: &'s Entity,
) -> Option<(&'s Graph, &'s GraphFacts, &'s SmolStr)> {
    let Entity::Local { document: id, graph: Some(graph), name, .. } = entity else { return None };
    let (graph, facts) = document(snapshot, *id)?.effective.as_ref()?.graph(*graph)?;
    Some((graph, facts, name))
}

/// A node as a target.
fn of_node(snapshot: &Snapshot, node: &GraphNode) -> Option<NavigationTarget> {
    let id = node.id.as_ref()?;
    Some(NavigationTarget {
        at: tight(snapshot, id.at),
        whole: node.at,
        title: format!("node `{}`", id.value),
    })
}

fn named(snapshot: &Snapshot, one: &Occurrence) -> NavigationTarget {
    NavigationTarget { at: one.at, whole: one.at, title: title(snapshot, &one.entity) }
}

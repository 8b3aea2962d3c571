//! Every place that changes with a rename. In: the entity and the new name. Out: places with their new text. Keys that
//! a node writes under its own id change with the id.

use nodewise_analysis::graphs::GraphFacts;
use nodewise_analysis::workspace::Snapshot;
use nodewise_model::graph::{Graph, GraphNode};
use smol_str::{SmolStr, format_smolstr};

use super::{RenameRefusal, allowed, own_key};
use crate::goto::graph_of;
use crate::names::{Entity, NameKind, Occurrence, occurrences_everywhere};

/// A place that changes.
#[derive(Debug, Clone)]
pub(super) struct Change {
    /// The use of a name.
    pub(super) name: Occurrence,
    /// The new text.
    pub(super) text: SmolStr,
}

/// The places that change.
pub(super) fn changes(
    snapshot: &Snapshot,
    entity: &Entity,
    new_name: &str,
) -> Result<Vec<Change>, RenameRefusal> {
    let mut all = of_entity(snapshot, entity, new_name);
    let Entity::Local { document, graph, kind, name: old_name } = entity else { return Ok(all) };
    let Some((found, facts, _)) = graph_of(snapshot, entity) else { return Ok(all) };
    let key =
        |name: SmolStr| Entity::Local { document: *document, graph: *graph, kind: NameKind::State, name };
    let implied = match kind {
        NameKind::Node => implied_by_id(found, facts, old_name, new_name),
        NameKind::State => implied_by_result(found, facts, old_name, new_name),
        _ => Vec::new(),
    };
    for (old_key, new_key) in implied {
        let uses = of_entity(snapshot, &key(old_key), &own_key(&new_key));
        if !uses.is_empty() && allowed::occupied(snapshot, &key(new_key.clone())) {
            let reason = format!("the state already has a key `{new_key}`, which the node would then write");
            return Err(RenameRefusal::new(reason));
        }
        all.extend(uses);
    }
    Ok(all)
}

fn of_entity(snapshot: &Snapshot, entity: &Entity, text: &str) -> Vec<Change> {
    let text = SmolStr::new(text);
    let uses = occurrences_everywhere(snapshot, entity).into_iter();
    uses.map(|name| Change { name, text: text.clone() }).collect()
}

/// The keys that nodes write because of their id, before and after the rename.
fn implied_by_id(graph: &Graph, facts: &GraphFacts, old_id: &str, new_id: &str) -> Vec<(SmolStr, SmolStr)> {
    let is_meant = |node: &GraphNode| node.id.as_ref().is_some_and(|id| id.value == old_id);
    let mut pairs = implied_after(graph, facts, |node| {
        if let Some(id) = node.id.as_mut().filter(|id| id.value == old_id) {
            id.value = SmolStr::new(new_id);
        }
    });
    // An output with another name does not depend on the id.
    if !graph.nodes.iter().any(|node| is_meant(node) && node.execution.output_as.is_some()) {
        let part = graph.conventions.parts.as_ref().map(|parts| parts.artifacts);
        pairs.extend(
            part.map(|part| (format_smolstr!("{part}.{old_id}"), format_smolstr!("{part}.{new_id}"))),
        );
    }
    pairs
}

/// The keys that nodes write because of the key of their verdict, before and after the rename.
fn implied_by_result(
    graph: &Graph,
    facts: &GraphFacts,
    old_key: &str,
    new_key: &str,
) -> Vec<(SmolStr, SmolStr)> {
    let mut pairs = implied_after(graph, facts, |node| {
        if let Some(renamed) = node.work.with_result_key(old_key, new_key) {
            node.work = renamed;
        }
    });
    pairs.retain(|(before, _)| before != old_key);
    pairs
}

/// The keys that nodes write after a change of the nodes, if they differ from before.
fn implied_after(
    graph: &Graph,
    facts: &GraphFacts,
    change: impl Fn(&mut GraphNode),
) -> Vec<(SmolStr, SmolStr)> {
    let mut changed = graph.clone();
    changed.nodes.iter_mut().for_each(change);
    let after = GraphFacts::new(&changed);
    let both = facts.access.iter().zip(&after.access);
    let keys =
        both.flat_map(|(before, after)| before.writes.iter().cloned().zip(after.writes.iter().cloned()));
    keys.filter(|(before, after)| before != after).collect()
}

//! Call hierarchy: what leads to a node, agent, graph or other declaration, and where it leads. In: a snapshot and a
//! position. Out: the other ends, each with the places of the edges, in the order of files and positions. An edge
//! belongs to the node that it leaves. The start of a graph is an edge from the graph. What leads to a state key is who
//! writes it, and a key leads to who reads and tests it; copies between graphs lead from key to key.

#[cfg(test)]
mod tests;

use nodewise_analysis::facts::DocumentId;
use nodewise_analysis::workspace::Snapshot;
use nodewise_dialect::table::NameUse;
use nodewise_model::Origin;
use rustc_hash::FxHashMap;

use crate::lineage::{self, KeyUse, is_key};
use crate::names::{
    Entity, NameKind, Occurrence, declarations, document, name_at, names, occurrences_everywhere,
};
use crate::owners::{self, Owner, Owners};
use crate::position::FilePosition;

/// A source or target of edges, as an item of the editor's call hierarchy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallItem {
    pub entity: Entity,
    /// The entity in words: "node `plan`".
    pub title: String,
    /// The place of its name.
    pub at: Origin,
    /// The place of the whole entity.
    pub whole: Origin,
}

/// The other end of edges, and the places of the edges.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HierarchyCall {
    /// The other end.
    pub item: CallItem,
    /// The places of the edges. For incoming calls, all of them are in the file of the item.
    pub ranges: Vec<Origin>,
}

/// The item at the cursor, if edges can lead to it or from it.
#[must_use]
pub fn prepare_calls(snapshot: &Snapshot, position: FilePosition) -> Option<CallItem> {
    let name = name_at(snapshot, position)?;
    (is_callable(&name.entity) || is_key(&name.entity)).then(|| item(snapshot, name.entity))?
}

/// What leads to the item at the cursor.
#[must_use]
pub fn incoming_calls(snapshot: &Snapshot, position: FilePosition) -> Vec<HierarchyCall> {
    let Some(name) = name_at(snapshot, position) else { return Vec::new() };
    if is_key(&name.entity) {
        let comes = |what: &KeyUse| matches!(what, KeyUse::Written | KeyUse::CopiedFrom(_) | KeyUse::Input);
        return to_key(snapshot, &name.entity, comes);
    }
    if !is_callable(&name.entity) {
        return Vec::new();
    }
    let mut owners: FxHashMap<DocumentId, Owners> = FxHashMap::default();
    let mut calls = Calls::default();
    for one in occurrences_everywhere(snapshot, &name.entity) {
        if let Some(caller) = caller(snapshot, &mut owners, &one).filter(|caller| *caller != name.entity) {
            calls.add(caller, one.at);
        }
    }
    calls.finish(snapshot)
}

/// Where the item at the cursor leads.
#[must_use]
pub fn outgoing_calls(snapshot: &Snapshot, position: FilePosition) -> Vec<HierarchyCall> {
    let Some(name) = name_at(snapshot, position) else { return Vec::new() };
    if is_key(&name.entity) {
        let goes = |what: &KeyUse| {
            matches!(what, KeyUse::Read | KeyUse::Tested | KeyUse::CopiedTo(_) | KeyUse::Output)
        };
        return of_key(snapshot, &name.entity, goes);
    }
    if !is_callable(&name.entity) {
        return Vec::new();
    }
    let (Entity::Declaration { document, .. } | Entity::Local { document, .. }) = &name.entity else {
        return Vec::new();
    };
    // The overlays of a declaration are in other files.
    let mut sources = vec![document.source];
    if matches!(name.entity, Entity::Declaration { .. }) {
        let uses = occurrences_everywhere(snapshot, &name.entity).into_iter();
        sources.extend(uses.filter(|one| is_overlay(snapshot, one)).map(|one| one.at.source));
        sources.sort_unstable();
        sources.dedup();
    }
    let mut owners: FxHashMap<DocumentId, Owners> = FxHashMap::default();
    let mut calls = Calls::default();
    for one in sources.into_iter().flat_map(|source| names(snapshot, source)) {
        let leads = is_callable(&one.entity) && one.entity != name.entity;
        if leads && caller(snapshot, &mut owners, &one).as_ref() == Some(&name.entity) {
            calls.add(one.entity, one.at);
        }
    }
    calls.finish(snapshot)
}

/// The nodes and keys that access a key in one of the wanted ways.
fn of_key(snapshot: &Snapshot, key: &Entity, is_wanted: impl Fn(&KeyUse) -> bool) -> Vec<HierarchyCall> {
    let mut calls = Calls::default();
    for step in lineage::steps(snapshot, key).into_iter().filter(|step| is_wanted(&step.what)) {
        let end = step.what.partner().cloned().or(step.owner);
        let Some(end) = end.filter(|end| end != key) else { continue };
        calls.add(end, step.at);
    }
    calls.finish(snapshot)
}

/// What writes or copies to a key. The places are in the file of the writer, because a mapping of keys may be in
/// another file.
fn to_key(snapshot: &Snapshot, key: &Entity, is_wanted: impl Fn(&KeyUse) -> bool) -> Vec<HierarchyCall> {
    let mut found = of_key(snapshot, key, is_wanted);
    for call in &mut found {
        call.ranges.retain(|at| at.source == call.item.at.source);
        if call.ranges.is_empty() {
            call.ranges.push(call.item.at);
        }
    }
    found
}

/// The ends that were found, in the order of their first edge.
#[derive(Default)]
struct Calls {
    positions: FxHashMap<Entity, usize>,
    found: Vec<(Entity, Vec<Origin>)>,
}

impl Calls {
    fn add(&mut self, entity: Entity, at: Origin) {
        let position = *self.positions.entry(entity.clone()).or_insert_with(|| {
            self.found.push((entity, Vec::new()));
            self.found.len() - 1
        });
        if let Some((_, ranges)) = self.found.get_mut(position) {
            ranges.push(at);
        }
    }

    fn finish(self, snapshot: &Snapshot) -> Vec<HierarchyCall> {
        let call = |(entity, ranges)| Some(HierarchyCall { item: item(snapshot, entity)?, ranges });
        self.found.into_iter().filter_map(call).collect()
    }
}

/// The source of an edge, for a use of a name. `None` if the name is declared there, or if the use is another end of
/// the edge.
fn caller(
    snapshot: &Snapshot,
    owners: &mut FxHashMap<DocumentId, Owners>,
    one: &Occurrence,
) -> Option<Entity> {
    if one.usage != NameUse::Refers || is_overlay(snapshot, one) {
        return None;
    }
    let facts = snapshot.file(one.at.source)?.document_at(one.at)?;
    let known = owners.entry(facts.id).or_insert_with(|| Owners::new(snapshot, facts));
    match known.of(one.at)? {
        Owner::Entity(entity) => Some(entity.clone()),
        Owner::Edge { source, source_at } => {
            let is_source = source_at.is_some_and(|at| at.range.contains_range(one.at.range));
            source.clone().filter(|_| !is_source)
        }
        Owner::Nobody => None,
    }
}

/// Whether a use of a name names the target of an overlay.
fn is_overlay(snapshot: &Snapshot, one: &Occurrence) -> bool {
    let facts = snapshot.file(one.at.source).and_then(|file| file.document_at(one.at));
    let target = facts.and_then(|facts| facts.overlay.as_ref()).and_then(|overlay| overlay.target.as_ref());
    target.is_some_and(|target| target.at.range.contains_range(one.at.range))
}

fn is_callable(entity: &Entity) -> bool {
    matches!(entity, Entity::Declaration { .. } | Entity::Local { kind: NameKind::Node, .. })
}

fn item(snapshot: &Snapshot, entity: Entity) -> Option<CallItem> {
    if is_key(&entity) {
        let at = lineage::key_place(snapshot, &entity)?;
        return Some(CallItem { title: lineage::key_title(snapshot, &entity), entity, at, whole: at });
    }
    let target = match &entity {
        Entity::Local { document: id, graph, name, .. } => {
            let (graph, facts) = document(snapshot, *id)?.effective.as_ref()?.graph((*graph)?)?;
            owners::node_target(snapshot, graph.nodes.get(facts.node(name)?)?)?
        }
        entity => declarations(snapshot, entity).into_iter().next()?,
    };
    Some(CallItem { entity, title: target.title, at: target.at, whole: target.whole })
}

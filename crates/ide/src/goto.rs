//! Where a name leads: its definition, its declaration, what it runs or is made of, what implements it. In: a snapshot
//! and a position; out: the name at the cursor and the places, the likeliest first. A place that programs provide has
//! none; nothing is guessed.

mod state;
#[cfg(test)]
mod tests;

use nodewise_analysis::workspace::Snapshot;
use nodewise_dialect::table::Use;
use nodewise_model::{Body, Origin};

use crate::anchors::{AnchorUses, anchor_at};
use crate::names::{
    Entity, Occurrence, Sort, Target, declarations, name_at, names_within, occurrences_everywhere, title,
};
use crate::position::FilePosition;
use state::writers;
pub(crate) use state::{graph_of, implied_by};

/// Where a name leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The name at the cursor.
    pub origin: Origin,
    /// The places, the likeliest first.
    pub targets: Vec<Target>,
}

/// Where the thing at the cursor is defined. A declaration leads to itself and to the overlays that patch it, a key of the
/// state to everything that writes it, an alias to its anchor.
#[must_use]
pub fn definition(snapshot: &Snapshot, position: FilePosition) -> Option<Link> {
    if let Some(anchor) = position.file(snapshot).and_then(|file| anchor_at(file, position.offset)) {
        return Some(of_anchor(anchor));
    }
    let name = name_at(snapshot, position)?;
    let mut targets = match &name.entity {
        Entity::Local { sort: Sort::State, .. } | Entity::Shared { sort: Sort::State, .. } => {
            writers(snapshot, &name.entity)
        }
        Entity::Function { path } => functions(snapshot, path),
        entity => declarations(snapshot, entity),
    };
    if name.usage == Use::Declares {
        targets.extend(patches(snapshot, &name));
    }
    link(name, targets)
}

/// Where the thing at the cursor is declared: for a key of the state its schema, the graph's input or output.
#[must_use]
pub fn declaration(snapshot: &Snapshot, position: FilePosition) -> Option<Link> {
    let Some(name) = name_at(snapshot, position) else { return definition(snapshot, position) };
    let declared = match &name.entity {
        Entity::Local { sort: Sort::State, .. } => state::ports(snapshot, &name.entity),
        Entity::Function { path } => functions(snapshot, path),
        entity => declarations(snapshot, entity),
    };
    match declared.is_empty() {
        true => definition(snapshot, position),
        false => link(name, declared),
    }
}

/// What the thing at the cursor is made of: what a node runs (its agent, graph, tool or function), what says of a key of
/// the state which values it has.
#[must_use]
pub fn type_definition(snapshot: &Snapshot, position: FilePosition) -> Option<Link> {
    let name = name_at(snapshot, position)?;
    let targets = match &name.entity {
        Entity::Local { sort: Sort::State, .. } => state::ports(snapshot, &name.entity),
        Entity::Local { sort: Sort::Node, .. } => what_runs(snapshot, &name.entity),
        Entity::Declaration { .. } => implementations(snapshot, &name.entity),
        Entity::Function { path } => functions(snapshot, path),
        _ => Vec::new(),
    };
    link(name, targets)
}

/// The program text behind the thing at the cursor: the function of a tool or node.
#[must_use]
pub fn implementation(snapshot: &Snapshot, position: FilePosition) -> Option<Link> {
    let name = name_at(snapshot, position)?;
    let targets = match &name.entity {
        Entity::Function { path } => functions(snapshot, path),
        Entity::Declaration { .. } => implementations(snapshot, &name.entity),
        Entity::Local { sort: Sort::Node, .. } => what_runs(snapshot, &name.entity),
        _ => Vec::new(),
    };
    link(name, targets)
}

fn link(name: Occurrence, targets: Vec<Target>) -> Option<Link> {
    (!targets.is_empty()).then_some(Link { origin: name.at, targets })
}

fn of_anchor(anchor: AnchorUses) -> Link {
    let title = format!("anchor `{}`", anchor.name);
    Link { origin: anchor.clicked, targets: vec![Target { at: anchor.at, whole: anchor.whole, title }] }
}

/// The overlays of what is declared at a name.
fn patches(snapshot: &Snapshot, name: &Occurrence) -> Vec<Target> {
    let is_overlay = |one: &Occurrence| {
        let file = snapshot.file(one.at.source);
        let document = file.and_then(|file| file.document_at(one.at));
        let overlay = document.and_then(|document| document.overlay.as_ref());
        overlay
            .and_then(|overlay| overlay.target.as_ref())
            .is_some_and(|target| target.at.range.contains_range(one.at.range))
    };
    if !matches!(name.entity, Entity::Declaration { .. }) {
        return Vec::new();
    }
    let title = format!("Overlay of {}", title(snapshot, &name.entity));
    let all = occurrences_everywhere(snapshot, &name.entity).into_iter().filter(is_overlay);
    all.map(|one| {
        let file = snapshot.file(one.at.source);
        let whole = file.and_then(|file| file.document_at(one.at)).map_or(one.at, |found| found.range);
        Target { at: one.at, whole, title: title.clone() }
    })
    .collect()
}

/// What a node of a graph runs: the agents, graphs and tools that it names and that are declared somewhere.
fn what_runs(snapshot: &Snapshot, node: &Entity) -> Vec<Target> {
    let mut targets: Vec<Target> = Vec::new();
    for node in declarations(snapshot, node) {
        for one in names_within(snapshot, node.at.source, node.whole.range) {
            let is_inside = node.whole.range.contains_range(one.at.range);
            let runs = match &one.entity {
                Entity::Declaration { .. } => true,
                Entity::Shared { sort, .. } => *sort == Sort::Tool || *sort == Sort::Server,
                _ => false,
            };
            if is_inside && runs && one.usage == Use::Refers {
                targets.extend(declarations(snapshot, &one.entity));
            }
        }
    }
    let mut seen: Vec<Origin> = Vec::new();
    targets.retain(|target| {
        let is_new = !seen.contains(&target.at);
        seen.push(target.at);
        is_new
    });
    targets
}

/// The functions that a declaration names.
fn implementations(snapshot: &Snapshot, entity: &Entity) -> Vec<Target> {
    let Entity::Declaration { document, .. } = entity else { return Vec::new() };
    let declaration = snapshot
        .file(document.source)
        .and_then(|file| file.documents.get(document.position as usize))
        .and_then(|document| snapshot.index().effective(document))
        .and_then(|effective| effective.declaration.as_ref());
    let function = match declaration.map(|declaration| &declaration.body) {
        Some(Body::Node(node)) => node.function.as_ref(),
        Some(Body::Provider(provider)) => provider.function.as_ref(),
        _ => None,
    };
    function.map(|path| functions(snapshot, &path.value)).unwrap_or_default()
}

/// Where the program defines a function.
fn functions(_snapshot: &Snapshot, _path: &str) -> Vec<Target> {
    Vec::new()
}

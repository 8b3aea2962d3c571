//! Where a name leads: its definition, its declaration, its type, its implementation. In: a snapshot and a position.
//! Out: the name at the cursor and the places, the most likely first. Names that programs provide have no place, and
//! nothing is guessed.

mod state;
#[cfg(test)]
mod tests;

use nodewise_analysis::functions::Module;
use nodewise_analysis::registrations::Registration;
use nodewise_analysis::workspace::Snapshot;
use nodewise_dialect::table::NameUse;
use nodewise_model::{Body, Origin};
use nodewise_syntax::TextRange;

use crate::anchors::{AnchorUses, anchor_at};
use smol_str::SmolStr;

use crate::names::{
    Entity, NameKind, NavigationTarget, Occurrence, declarations, document, name_at, names_within,
    occurrences_everywhere, title,
};
use crate::position::FilePosition;
use state::writers;
pub(crate) use state::{graph_of, implied_by};

/// The targets of a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DefinitionLink {
    /// The name at the cursor.
    pub origin: Origin,
    /// The places, the most likely first.
    pub targets: Vec<NavigationTarget>,
    /// The functions of programs, which are in other files.
    pub functions: Vec<FunctionPlace>,
}

impl DefinitionLink {
    /// A link without targets, for callers that add some.
    #[must_use]
    pub fn nowhere(position: FilePosition) -> DefinitionLink {
        let origin = Origin::new(position.source, TextRange::empty(position.offset));
        DefinitionLink { origin, targets: Vec::new(), functions: Vec::new() }
    }
}

/// A function of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FunctionPlace {
    /// The program's file, relative to the project.
    pub path: String,
    /// The line of the function's name, from 0.
    pub line: u32,
    /// The number of bytes before the name on its line.
    pub column: u32,
    /// The name, with its classes.
    pub name: SmolStr,
    /// The first lines of its documentation: signature and text.
    pub title: String,
}

/// Where the thing at the cursor is defined. A declaration leads to itself and to its overlays, a state key to
/// everything that writes it, an alias to its anchor.
#[must_use]
pub fn definition(snapshot: &Snapshot, position: FilePosition) -> Option<DefinitionLink> {
    if let Some(anchor) = position.file(snapshot).and_then(|file| anchor_at(file, position.offset)) {
        return Some(of_anchor(anchor));
    }
    let name = name_at(snapshot, position)?;
    let mut targets = match &name.entity {
        Entity::Local { kind: NameKind::State, .. } | Entity::Shared { kind: NameKind::State, .. } => {
            writers(snapshot, &name.entity)
        }
        entity => declarations(snapshot, entity),
    };
    if name.usage == NameUse::Declares {
        targets.extend(patches(snapshot, &name));
    }
    let functions = match &name.entity {
        Entity::Function { .. } => function(snapshot, &name.entity),
        Entity::Missing { kinds, name } => registering(snapshot, kinds, name),
        _ => Vec::new(),
    };
    link(name, targets, functions)
}

/// Where programs register a name.
fn registering(snapshot: &Snapshot, kinds: &[&str], name: &SmolStr) -> Vec<FunctionPlace> {
    let places = snapshot.functions().registering(kinds, name);
    let place = |(module, one): (&Module, &Registration)| FunctionPlace {
        path: module.path.clone(),
        line: one.line,
        column: one.column,
        name: name.clone(),
        title: format!("{} {name}", one.kind),
    };
    places.map(place).collect()
}

/// Where the thing at the cursor is declared. For a state key: its schema, and the graph's inputs or outputs.
#[must_use]
pub fn declaration(snapshot: &Snapshot, position: FilePosition) -> Option<DefinitionLink> {
    let Some(name) = name_at(snapshot, position) else { return definition(snapshot, position) };
    let declared = match &name.entity {
        Entity::Local { kind: NameKind::State, .. } => state::ports(snapshot, &name.entity),
        entity => declarations(snapshot, entity),
    };
    match declared.is_empty() {
        true => definition(snapshot, position),
        false => link(name, declared, Vec::new()),
    }
}

/// The type of the thing at the cursor. For a node: its agent, graph, tool or function. For a state key: the places
/// that say which values it has.
#[must_use]
pub fn type_definition(snapshot: &Snapshot, position: FilePosition) -> Option<DefinitionLink> {
    let name = name_at(snapshot, position)?;
    let targets = match &name.entity {
        Entity::Local { kind: NameKind::State, .. } => state::ports(snapshot, &name.entity),
        Entity::Local { kind: NameKind::Node, .. } => what_runs(snapshot, &name.entity),
        _ => Vec::new(),
    };
    let functions = function(snapshot, &name.entity);
    link(name, targets, functions)
}

/// The program text behind the thing at the cursor: the function of a tool or node.
#[must_use]
pub fn implementation(snapshot: &Snapshot, position: FilePosition) -> Option<DefinitionLink> {
    let name = name_at(snapshot, position)?;
    let targets = match &name.entity {
        Entity::Local { kind: NameKind::Node, .. } => what_runs(snapshot, &name.entity),
        _ => Vec::new(),
    };
    let functions = function(snapshot, &name.entity);
    link(name, targets, functions)
}

fn link(
    name: Occurrence,
    targets: Vec<NavigationTarget>,
    functions: Vec<FunctionPlace>,
) -> Option<DefinitionLink> {
    let leads = !targets.is_empty() || !functions.is_empty();
    leads.then_some(DefinitionLink { origin: name.at, targets, functions })
}

fn of_anchor(anchor: AnchorUses) -> DefinitionLink {
    let title = format!("anchor `{}`", anchor.name);
    let target = NavigationTarget { at: anchor.at, whole: anchor.whole, title };
    DefinitionLink { origin: anchor.clicked, targets: vec![target], functions: Vec::new() }
}

/// The overlays of the declaration with a name.
fn patches(snapshot: &Snapshot, name: &Occurrence) -> Vec<NavigationTarget> {
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
        NavigationTarget { at: one.at, whole, title: title.clone() }
    })
    .collect()
}

/// What a node of a graph runs: the declared agents, graphs and tools that it names.
fn what_runs(snapshot: &Snapshot, node: &Entity) -> Vec<NavigationTarget> {
    let mut targets: Vec<NavigationTarget> = Vec::new();
    for node in declarations(snapshot, node) {
        for one in names_within(snapshot, node.at.source, node.whole.range) {
            let is_inside = node.whole.range.contains_range(one.at.range);
            let runs = match &one.entity {
                Entity::Declaration { .. } => true,
                Entity::Shared { kind, .. } => *kind == NameKind::Tool || *kind == NameKind::Server,
                _ => false,
            };
            if is_inside && runs && one.usage == NameUse::Refers {
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

/// The function whose path a name is, or which the declaration with that name uses.
fn function(snapshot: &Snapshot, entity: &Entity) -> Vec<FunctionPlace> {
    let path = match entity {
        Entity::Function { path } => Some(path),
        Entity::Declaration { document: id, .. } => {
            let effective = document(snapshot, *id).and_then(|found| snapshot.index().effective(found));
            match effective.and_then(|found| found.declaration.as_ref()).map(|found| &found.body) {
                Some(Body::Node(node)) => node.function.as_ref().map(|path| &path.value),
                Some(Body::Provider(provider)) => provider.function.as_ref().map(|path| &path.value),
                _ => None,
            }
        }
        _ => None,
    };
    path.and_then(|path| function_place(snapshot, path)).into_iter().collect()
}

/// The place of the function with a dotted path.
#[must_use]
pub fn function_place(snapshot: &Snapshot, path: &str) -> Option<FunctionPlace> {
    let (module, function) = snapshot.functions().find(path)?;
    Some(FunctionPlace {
        path: module.path.clone(),
        line: function.line,
        column: function.column,
        name: function.name.clone(),
        title: match &function.doc {
            Some(doc) => format!("{}{}: {doc}", function.name, function.signature),
            None => format!("{}{}", function.name, function.signature),
        },
    })
}

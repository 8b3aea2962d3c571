//! Where an entity is declared, and every place that names it. In: an entity. Out: places, in the order of files and
//! positions. A file is searched only if its facts or its text can contain the name.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use nodewise_analysis::facts::{DocumentFacts, DocumentId, Effective, FileFacts};
use nodewise_analysis::workspace::Snapshot;
use nodewise_dialect::table::NameUse;
use nodewise_model::graph::Graph;
use nodewise_model::{Body, Declaration, Located, Origin, SourceId};
use nodewise_platform::threads::prelude::*;
use nodewise_syntax::{TextRange, TextSize};
use smol_str::SmolStr;

use super::{Entity, NameKind, Occurrence, names_of};

/// Below this number of files, one thread searches them.
const FEW_FILES: usize = 16;

/// A target to go to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NavigationTarget {
    /// The name.
    pub at: Origin,
    /// The whole declaration.
    pub whole: Origin,
    /// A title for lists: "LLMNode `planner`".
    pub title: String,
}

/// Where an entity is declared. Empty if programs provide it. A state key without a declaration is declared where it is
/// written.
#[must_use]
pub fn declarations(snapshot: &Snapshot, entity: &Entity) -> Vec<NavigationTarget> {
    match entity {
        Entity::Declaration { document, kind, part } => {
            declared(snapshot, *document, kind, *part).into_iter().collect()
        }
        Entity::Local { .. } | Entity::Shared { .. } => {
            let all = occurrences_everywhere(snapshot, entity);
            let with = |usage: NameUse| -> Vec<&Occurrence> {
                all.iter().filter(|one| one.usage == usage).collect()
            };
            let mut found = with(NameUse::Declares);
            if found.is_empty() {
                found = with(NameUse::Writes);
            }
            found.into_iter().map(|one| target(snapshot, one)).collect()
        }
        Entity::File { path } => file(snapshot, path).into_iter().collect(),
        Entity::Missing { .. } | Entity::Function { .. } => Vec::new(),
    }
}

/// The file at a path. The target is its start.
fn file(snapshot: &Snapshot, path: &str) -> Option<NavigationTarget> {
    let file = snapshot.file(snapshot.source(path)?)?;
    let at = |end: TextSize| Origin::new(file.source, TextRange::up_to(end));
    let title = format!("file `{path}`");
    Some(NavigationTarget { at: at(TextSize::new(0)), whole: at(TextSize::of(&*file.text)), title })
}

/// Every place of the project where an entity is named, in reading order.
#[must_use]
pub fn occurrences_everywhere(snapshot: &Snapshot, entity: &Entity) -> Vec<Occurrence> {
    let in_file = |file: &&FileFacts| -> Vec<Occurrence> { names_of(snapshot, file.source, entity) };
    let files = files_that_may_name(snapshot, entity);
    match files.len() < FEW_FILES {
        true => files.iter().flat_map(in_file).collect(),
        false => files.par_iter().map(in_file).collect::<Vec<_>>().into_iter().flatten().collect(),
    }
}

/// The files that may contain an entity's name, in load order.
pub(crate) fn files_that_may_name<'s>(snapshot: &'s Snapshot, entity: &Entity) -> Vec<&'s FileFacts> {
    let all = || snapshot.files().iter().map(Arc::as_ref).take_while(|_| !snapshot.is_cancelled());
    let files = |sources: BTreeSet<SourceId>| -> Vec<&FileFacts> {
        sources.into_iter().filter_map(|source| snapshot.file(source)).collect()
    };
    let lettered = |name: &str| by_letters(snapshot, name).map(|file| file.source).collect::<Vec<_>>();
    match entity {
        Entity::Declaration { document, kind, part } => {
            let Some(name) = declared_name(snapshot, *document, kind, *part) else { return Vec::new() };
            let mut sources = users(snapshot, *document, &name.value);
            sources.extend(lettered(&name.value));
            files(sources)
        }
        Entity::Missing { name, .. } => all().filter(|file| refers_to(file, name)).collect(),
        Entity::Local { document, graph, kind, name } => {
            // Other files name the keys of a graph if they run the graph, and the edges of a declaration if they patch
            // it.
            let owner = match (kind, graph) {
                (NameKind::State, Some(graph)) => {
                    declaration(snapshot, *document).and_then(|found| found.graph(*graph)?.id.as_ref())
                }
                (NameKind::Edge | NameKind::Variable, None) => {
                    declaration(snapshot, *document).and_then(|found| found.name.as_ref())
                }
                _ => None,
            };
            let mut sources = match owner {
                Some(owner) => users(snapshot, *document, &owner.value),
                None => BTreeSet::from([document.source]),
            };
            if *kind == NameKind::State {
                // The agents that a graph runs can name its keys.
                sources.extend(declared_for(snapshot, *document));
            }
            sources.extend(lettered(name.rsplit('.').next().unwrap_or_default()));
            if let Some(owner) = owner {
                sources.extend(lettered(&owner.value));
            }
            files(sources)
        }
        Entity::File { path } => {
            let name = path.rsplit('/').next().unwrap_or_default();
            by_letters(snapshot, name).collect()
        }
        Entity::Shared { name, .. } | Entity::Function { path: name } => {
            // A space in the name can be a line break in the text, and other letters can be escaped.
            let is_plain = name.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"'\\".contains(&byte));
            // A member of a variable can be written apart from it.
            let last = match entity {
                Entity::Shared { kind: NameKind::State, .. } => name.rsplit('.').next().unwrap_or_default(),
                _ => name,
            };
            let finder = memchr::memmem::Finder::new(last.as_bytes());
            all().filter(|file| !is_plain || finder.find(file.text.as_bytes()).is_some()).collect()
        }
    }
}

/// The files that declare what a document refers to.
fn declared_for(snapshot: &Snapshot, id: DocumentId) -> BTreeSet<SourceId> {
    let effective = document(snapshot, id).and_then(|document| document.effective.as_ref());
    let references = effective.into_iter().flat_map(Effective::references);
    references.filter_map(|reference| Some(snapshot.index().meant(id, reference)?.document.source)).collect()
}

/// The files whose text may contain a name, in load order.
pub(crate) fn by_letters<'s>(snapshot: &'s Snapshot, name: &str) -> impl Iterator<Item = &'s FileFacts> {
    let finder = memchr::memmem::Finder::new(name.as_bytes()).into_owned();
    let files = snapshot.index().lettered().filter_map(|source| snapshot.file(source));
    files.filter(move |file| finder.find(file.text.as_bytes()).is_some())
}

/// The files that name a declaration, in load order: its own, those with documents that refer to it, and those with
/// overlays of either.
fn users(snapshot: &Snapshot, declared: DocumentId, name: &str) -> BTreeSet<SourceId> {
    let index = snapshot.index();
    let documents = index.users(name).chain([declared]);
    documents
        .flat_map(|document| index.patches(document).chain([document]))
        .map(|document| document.source)
        .collect()
}

/// An entity in words: "LLMNode `planner`".
#[must_use]
pub fn title(snapshot: &Snapshot, entity: &Entity) -> String {
    match entity {
        Entity::Declaration { document, kind, part } => match shown_name(snapshot, *document, kind, *part) {
            Some(name) => format!("{kind} `{name}`"),
            None => (*kind).to_owned(),
        },
        Entity::Missing { name, .. } => format!("`{name}`"),
        Entity::Local { kind, name, .. } | Entity::Shared { kind, name, .. } => {
            format!("{} `{name}`", kind.noun())
        }
        Entity::Function { path } => format!("function `{path}`"),
        Entity::File { path } => format!("file `{path}`"),
    }
}

/// The document's facts.
pub(crate) fn document(snapshot: &Snapshot, id: DocumentId) -> Option<&DocumentFacts> {
    snapshot.file(id.source)?.documents.get(id.position as usize)
}

/// The declaration of a document by itself.
pub(crate) fn declaration(snapshot: &Snapshot, id: DocumentId) -> Option<&Declaration> {
    document(snapshot, id)?.effective.as_ref()?.declaration.as_ref()
}

/// The name that a document or a part of it declares.
pub(crate) fn declared_name<'s>(
    snapshot: &'s Snapshot,
    document: DocumentId,
    kind: &str,
    part: usize,
) -> Option<&'s Located<SmolStr>> {
    let declaration = declaration(snapshot, document)?;
    if declaration.kind == kind && part == 0 && !matches!(declaration.body, Body::Bundle(_)) {
        return declaration.name.as_ref();
    }
    declaration.packed().filter(|(packed, _)| *packed == kind).nth(part)?.1
}

/// The name to show for a declaration of a document. For a graph, its title if it differs from its id.
pub(crate) fn shown_name<'s>(
    snapshot: &'s Snapshot,
    document: DocumentId,
    kind: &str,
    part: usize,
) -> Option<&'s str> {
    let name = declared_name(snapshot, document, kind, part)?;
    let graph = declaration(snapshot, document)?.graph(part);
    let is_declared = |graph: &&Graph| graph.id.as_ref().is_some_and(|id| id.at == name.at);
    graph.filter(is_declared).and_then(Graph::title).or(Some(&name.value))
}

fn declared(snapshot: &Snapshot, id: DocumentId, kind: &str, part: usize) -> Option<NavigationTarget> {
    let name = declared_name(snapshot, id, kind, part)?;
    let declaration = declaration(snapshot, id)?;
    let whole = match &declaration.body {
        Body::Bundle(_) => name.at,
        _ => document(snapshot, id)?.range,
    };
    let shown = shown_name(snapshot, id, kind, part).unwrap_or(&name.value);
    Some(NavigationTarget { at: tight(snapshot, name.at), whole, title: format!("{kind} `{shown}`") })
}

fn target(snapshot: &Snapshot, one: &Occurrence) -> NavigationTarget {
    let at = one.letters.unwrap_or(one.at);
    let whole = node_at(snapshot, one).filter(|whole| whole.source == at.source).unwrap_or(at);
    NavigationTarget { at, whole, title: title(snapshot, &one.entity) }
}

/// The whole node of a graph that is declared at a name.
fn node_at(snapshot: &Snapshot, one: &Occurrence) -> Option<Origin> {
    let Entity::Local { document, graph: Some(graph), kind: NameKind::Node, .. } = &one.entity else {
        return None;
    };
    let graph = declaration(snapshot, *document)?.graph(*graph)?;
    let declares = |at: Origin| at.source == one.at.source && at.range.contains_range(one.at.range);
    let node = graph.nodes.iter().find(|node| node.id.as_ref().is_some_and(|id| declares(id.at)))?;
    Some(node.at)
}

/// The range of a name without its quotes.
pub(crate) fn tight(snapshot: &Snapshot, at: Origin) -> Origin {
    let text = snapshot.file(at.source).and_then(|file| file.text.get(Range::<usize>::from(at.range)));
    let quote = TextSize::of('"');
    match text {
        Some(text) if text.len() > 1 && text.starts_with(['"', '\'', '`']) => {
            Origin::new(at.source, TextRange::new(at.range.start() + quote, at.range.end() - quote))
        }
        _ => at,
    }
}

/// Whether some document of the file looks the name up, or patches its declaration.
fn refers_to(file: &FileFacts, name: &SmolStr) -> bool {
    let looks_up = |document: &DocumentFacts| {
        let effective = document.effective.as_ref();
        let target = document.overlay.as_ref().and_then(|overlay| overlay.target.as_ref());
        // The text of a plan names its graphs.
        let is_plan = effective
            .and_then(|effective| effective.declaration.as_ref())
            .is_some_and(|declaration| matches!(declaration.body, Body::Plan(_)));
        let references = effective.into_iter().flat_map(Effective::references);
        references.chain(target).any(|reference| reference.name == *name)
            || is_plan && memchr::memmem::find(file.text.as_bytes(), name.as_bytes()).is_some()
    };
    file.documents.iter().any(looks_up)
}

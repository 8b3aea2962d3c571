//! Where a thing is declared, and every place where it is named. In: an entity; out: places, in the order of files and
//! positions. A file is looked into only if the letters of the name stand in it.

use nodewise_analysis::facts::{DocumentFacts, DocumentId, FileFacts};
use nodewise_analysis::workspace::Snapshot;
use nodewise_dialect::table::Use;
use nodewise_model::{Body, Declaration, Located, Origin, SourceId};
use smol_str::SmolStr;

use super::{Entity, Occurrence, Sort, names};

/// A place to go to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The name.
    pub at: Origin,
    /// Everything that the name stands for.
    pub whole: Origin,
    /// What it is, for lists: "LLMNode `planner`".
    pub title: String,
}

/// Where an entity is declared; nowhere, for what programs provide. A key of a state that nothing declares is where it
/// is written.
#[must_use]
pub fn declarations(snapshot: &Snapshot, entity: &Entity) -> Vec<Target> {
    match entity {
        Entity::Declaration { document, kind, part } => {
            declared(snapshot, *document, kind, *part).into_iter().collect()
        }
        Entity::Local { .. } | Entity::Shared { .. } => {
            let all = occurrences_everywhere(snapshot, entity);
            let with =
                |usage: Use| -> Vec<&Occurrence> { all.iter().filter(|one| one.usage == usage).collect() };
            let mut found = with(Use::Declares);
            if found.is_empty() {
                found = with(Use::Writes);
            }
            found.into_iter().map(|one| target(snapshot, one)).collect()
        }
        Entity::Missing { .. } | Entity::Function { .. } => Vec::new(),
    }
}

/// Every place of the project where an entity is named, in reading order.
#[must_use]
pub fn occurrences_everywhere(snapshot: &Snapshot, entity: &Entity) -> Vec<Occurrence> {
    let own = match entity {
        Entity::Local { document, sort, .. } if *sort != Sort::State => Some(document.source),
        _ => None,
    };
    let words = words(snapshot, entity);
    let holds = |file: &FileFacts| words.iter().all(|word| contains(&file.text, word));
    let mut found = Vec::new();
    let files = snapshot.files().iter().filter(|file| own.is_none_or(|own| own == file.source));
    for file in files {
        let is_home = matches!(entity, Entity::Local { document, .. } if document.source == file.source);
        if is_home || holds(file) {
            found.extend(names(snapshot, file.source).into_iter().filter(|one| one.entity == *entity));
        }
    }
    found
}

/// What an entity is, in words: "LLMNode `planner`".
#[must_use]
pub fn title(snapshot: &Snapshot, entity: &Entity) -> String {
    match entity {
        Entity::Declaration { document, kind, part } => match declared_name(snapshot, *document, kind, *part)
        {
            Some(name) => format!("{kind} `{}`", name.value),
            None => (*kind).to_owned(),
        },
        Entity::Missing { name, .. } => format!("`{name}`"),
        Entity::Local { sort, name, .. } | Entity::Shared { sort, name, .. } => {
            format!("{} `{name}`", sort.noun())
        }
        Entity::Function { path } => format!("function `{path}`"),
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

/// The name that a document, or a part of it, declares.
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

fn declared(snapshot: &Snapshot, id: DocumentId, kind: &str, part: usize) -> Option<Target> {
    let name = declared_name(snapshot, id, kind, part)?;
    let declaration = declaration(snapshot, id)?;
    let whole = match &declaration.body {
        Body::Bundle(_) => name.at,
        _ => document(snapshot, id)?.range,
    };
    Some(Target { at: tight(snapshot, name.at), whole, title: format!("{kind} `{}`", name.value) })
}

fn target(snapshot: &Snapshot, one: &Occurrence) -> Target {
    Target { at: one.at, whole: one.at, title: title(snapshot, &one.entity) }
}

/// A name's place without its quotes.
fn tight(snapshot: &Snapshot, at: Origin) -> Origin {
    let found = names_at(snapshot, at.source, at);
    found.map_or(at, |one| one.at)
}

fn names_at(snapshot: &Snapshot, source: SourceId, at: Origin) -> Option<Occurrence> {
    let mut found = super::names_within(snapshot, source, at.range).into_iter();
    found.find(|one| one.usage == Use::Declares && at.range.contains_range(one.at.range))
}

/// The words that a file must hold to name the entity; for a key of a state that another file's graph has, its
/// graph's name too.
fn words(snapshot: &Snapshot, entity: &Entity) -> Vec<SmolStr> {
    match entity {
        Entity::Declaration { document, kind, part } => declared_name(snapshot, *document, kind, *part)
            .into_iter()
            .map(|name| name.value.clone())
            .collect(),
        Entity::Missing { name, .. } | Entity::Shared { name, .. } => vec![name.clone()],
        Entity::Function { path } => vec![path.clone()],
        Entity::Local { document, graph, name, .. } => {
            let key = name.rsplit('.').next().unwrap_or(name);
            let graph = graph.and_then(|graph| declaration(snapshot, *document)?.graph(graph)?.id.as_ref());
            graph.map(|id| id.value.clone()).into_iter().chain([SmolStr::new(key)]).collect()
        }
    }
}

fn contains(text: &str, word: &str) -> bool {
    memchr::memmem::find(text.as_bytes(), word.as_bytes()).is_some()
}

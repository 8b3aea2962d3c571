//! All names in a file: what each refers to and what it does there. Definition, references, rename, highlight, lenses
//! and tokens use this. In: a file of a snapshot. Out: occurrences in reading order, each with the range of the name
//! without quotes and kinds. Only the dialect's table and the index decide what a name refers to.

mod collect;
mod expressions;
#[cfg(test)]
mod tests;
mod usages;
mod written;

use std::sync::Arc;

use nodewise_analysis::facts::{DocumentId, FileFacts};
use nodewise_analysis::workspace::Snapshot;
use nodewise_dialect::table::{NameUse, Symbol};
use nodewise_dialect::walk::Slot;
use nodewise_model::{NameScope, Origin, SourceId};
use nodewise_syntax::TextRange;
use nodewise_syntax::locate::{Place, locate};
use smol_str::SmolStr;

use crate::position::FilePosition;
pub(crate) use collect::{entity_of_reference, hosts, patched_kind};
pub use usages::{NavigationTarget, declarations, occurrences_everywhere, title};
pub(crate) use usages::{by_letters, declaration, declared_name, document, shown_name, tight};

/// What a name refers to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Entity {
    /// Something that a document declares for all files.
    Declaration {
        document: DocumentId,
        /// The kind of declaration.
        kind: &'static str,
        /// The index of the document's graph or agent.
        part: usize,
    },
    /// A name that is looked up in all files, and that no file declares.
    Missing {
        /// The kinds of declaration that it could refer to.
        kinds: &'static [&'static str],
        name: SmolStr,
    },
    /// Something inside one graph, or inside one document.
    Local {
        document: DocumentId,
        /// The index of the document's graph. `None` for the document itself.
        graph: Option<usize>,
        kind: NameKind,
        /// The name. A key of a state with parts includes the part: `scratch.count`.
        name: SmolStr,
    },
    /// Something that programs provide. It is the same in every file of the dialect.
    Shared {
        /// The dialect's id.
        dialect: &'static str,
        kind: NameKind,
        name: SmolStr,
    },
    /// A function of a program, by its dotted path.
    Function { path: SmolStr },
    /// A file of the project, by its path.
    File {
        /// The path, relative to the project.
        path: SmolStr,
    },
}

/// What a name inside a graph or document refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NameKind {
    /// A node of the graph.
    Node,
    Edge,
    /// A key of the run's state.
    State,
    /// A variable of a text's templates.
    Variable,
    Tool,
    /// A server that offers tools or agents.
    Server,
    /// A language model.
    Model,
    Guardrail,
    /// An extension of the host.
    Extension,
    /// A trait of a persona.
    Trait,
    /// A tag of facts in long-term memory.
    Tag,
}

/// One use of a name.
#[derive(Debug, Clone)]
pub struct Occurrence {
    /// What the name refers to.
    pub entity: Entity,
    pub usage: NameUse,
    /// The range of the name, without quotes. In a module, perhaps that of a constant that holds it.
    pub at: Origin,
    /// Where the letters of the name are. In a module, they may be apart from the use, even in another module; `None` if
    /// the program computes the name.
    pub letters: Option<Origin>,
    /// The name as it is written here, with escapes resolved.
    pub name: SmolStr,
    /// The field that contains it.
    pub slot: Option<Slot>,
    /// The scope of the name, if all files can declare it.
    pub scope: Option<&'static NameScope>,
    /// Whether it is inside an expression.
    pub in_expression: bool,
    /// Whether an alias is in the place of the name.
    pub is_alias: bool,
}

/// The names of a file, in reading order.
#[must_use]
pub fn names(snapshot: &Snapshot, source: SourceId) -> Vec<Occurrence> {
    match of_large(snapshot, source) {
        Some(all) => all.to_vec(),
        None => collect::of_file(snapshot, source, None),
    }
}

/// The places of a file that name an entity, in reading order.
#[must_use]
pub fn names_of(snapshot: &Snapshot, source: SourceId, entity: &Entity) -> Vec<Occurrence> {
    let is_same = |one: &Occurrence| one.entity == *entity;
    match of_large(snapshot, source) {
        Some(all) => all.iter().filter(|one| is_same(one)).cloned().collect(),
        None => collect::of_file(snapshot, source, None).into_iter().filter(is_same).collect(),
    }
}

/// The names in a part of a file, in reading order.
#[must_use]
pub fn names_within(snapshot: &Snapshot, source: SourceId, range: TextRange) -> Vec<Occurrence> {
    let has_aliases = |file: &FileFacts| file.tree().has_aliases();
    match of_large(snapshot, source).filter(|_| !snapshot.file(source).is_some_and(has_aliases)) {
        Some(all) => all.iter().filter(|one| touches(one.at.range, range)).cloned().collect(),
        None => collect::of_file(snapshot, source, Some(range)),
    }
}

/// Whether two ranges have a place in common, including their ends.
pub(crate) fn touches(one: TextRange, other: TextRange) -> bool {
    one.start() <= other.end() && other.start() <= one.end()
}

/// The names of a large file, which are collected once for each snapshot.
fn of_large(snapshot: &Snapshot, source: SourceId) -> Option<Arc<Vec<Occurrence>>> {
    snapshot.of_large(source, |file| collect::of_file(snapshot, file.source, None))
}

/// The name at a position, also directly after its last letter.
#[must_use]
pub fn name_at(snapshot: &Snapshot, position: FilePosition) -> Option<Occurrence> {
    if position.file(snapshot).is_some_and(FileFacts::is_module) {
        return lettered_at(snapshot, position);
    }
    let around = TextRange::empty(position.offset);
    let at_cursor = smallest_at(names_within(snapshot, position.source, around), position);
    // The value of an anchor may be a name only where an alias or a merge key uses it.
    let has_aliases =
        || position.file(snapshot).is_some_and(|file| memchr::memchr(b'*', file.text.as_bytes()).is_some());
    at_cursor
        .or_else(|| has_aliases().then(|| smallest_at(names(snapshot, position.source), position)).flatten())
}

/// The name whose letters are at a position in a module. The program's own language server handles everything else.
fn lettered_at(snapshot: &Snapshot, position: FilePosition) -> Option<Occurrence> {
    let file = position.file(snapshot)?;
    if !matches!(locate(file.tree(), position.offset).place, Place::Value(_)) {
        return None;
    }
    let is_at =
        |place: Origin| place.source == position.source && place.range.contains_inclusive(position.offset);
    let found = names(snapshot, position.source).into_iter();
    let found = found.filter_map(|one| Some((one.letters.filter(|letters| is_at(*letters))?, one)));
    // A name that is written at the position is preferred to one that a constant brings there.
    let (letters, one) = found.min_by_key(|(letters, one)| (letters.range.len(), one.at != *letters))?;
    Some(Occurrence { at: letters, ..one })
}

/// The smallest name at a position, because a value with names in its expression may be a name itself.
fn smallest_at(found: Vec<Occurrence>, position: FilePosition) -> Option<Occurrence> {
    found
        .into_iter()
        .filter(|one| one.at.range.contains_inclusive(position.offset))
        .min_by_key(|one| (one.at.range.len(), one.at.range.start() == position.offset))
}

impl NameKind {
    /// The kind of a symbol. `None` for names that have a meaning only in another graph or program.
    pub(crate) fn of(symbol: Symbol) -> Option<NameKind> {
        Some(match symbol {
            Symbol::Node | Symbol::Endpoint => NameKind::Node,
            Symbol::Edge => NameKind::Edge,
            Symbol::State | Symbol::ForeignState | Symbol::Artifact => NameKind::State,
            Symbol::Tool => NameKind::Tool,
            Symbol::Server => NameKind::Server,
            Symbol::Model => NameKind::Model,
            Symbol::Guardrail => NameKind::Guardrail,
            Symbol::Extension => NameKind::Extension,
            Symbol::Trait => NameKind::Trait,
            Symbol::Tag => NameKind::Tag,
            Symbol::Graph | Symbol::Agent => return None,
        })
    }

    #[must_use]
    pub fn noun(self) -> &'static str {
        match self {
            NameKind::Node => "node",
            NameKind::Edge => "edge",
            NameKind::State => "state key",
            NameKind::Variable => "variable",
            NameKind::Tool => "tool",
            NameKind::Server => "server",
            NameKind::Model => "model",
            NameKind::Guardrail => "guardrail",
            NameKind::Extension => "extension",
            NameKind::Trait => "trait",
            NameKind::Tag => "tag",
        }
    }

    /// Whether such names belong to one graph or document, not to all files.
    pub(crate) fn is_local(self) -> bool {
        matches!(self, NameKind::Node | NameKind::Edge | NameKind::State | NameKind::Variable)
    }
}

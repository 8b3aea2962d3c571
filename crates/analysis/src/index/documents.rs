//! What is read of files for the index: their documents, what these declare, and what they refer to.
//!
//! Input: files. Output: their parts, in order. Invariant: a file that is known by its links alone gives what it would give if its
//! text were read.

use nodewise_model::{Reference, SourceId};
use smol_str::SmolStr;

use super::{Declared, Index};
use crate::deferred::{declaration, declared_names};
use crate::facts::{DocumentFacts, DocumentId, Effective, FileFacts};
use crate::files::Files;

/// The document with an id, if it exists.
pub(super) fn document(files: &Files, id: DocumentId) -> Option<&DocumentFacts> {
    files.get(id.source)?.documents.get(id.position as usize)
}

/// The documents of a file. Empty for a deferred file, whose links are enough.
pub(super) fn read_documents(files: &Files, source: SourceId) -> impl Iterator<Item = &DocumentFacts> {
    let file = files.get(source).filter(|file| file.links().is_none());
    file.into_iter().flat_map(|file| &file.documents)
}

/// The ids of a file's documents; empty if the file does not exist.
pub(crate) fn document_ids(files: &Files, source: SourceId) -> impl Iterator<Item = DocumentId> {
    let count = |file: &FileFacts| match file.links() {
        Some(links) => links.documents(),
        None => u32::try_from(file.documents.len()).unwrap_or(u32::MAX),
    };
    (0..files.get(source).map_or(0, count)).map(move |position| DocumentId { source, position })
}

/// The declarations of a file, in the order of its text.
pub(super) fn declarations(files: &Files, source: SourceId) -> impl Iterator<Item = (&SmolStr, Declared)> {
    let links = files.get(source).and_then(FileFacts::links);
    let known = links.into_iter().flat_map(|links| &links.declared).map(move |one| {
        let document = DocumentId { source, position: one.document };
        (&one.name, Declared::new(document, one.kind, one.part, one.at))
    });
    let read = read_documents(files, source).flat_map(|document| {
        let names = declaration(document).into_iter().flat_map(declared_names);
        names.map(|(kind, part, name)| (&name.value, Declared::new(document.id, kind, part, name.at)))
    });
    known.chain(read)
}

/// The references of a document after overlays are applied.
pub(super) fn references<'a>(
    index: &'a Index,
    files: &'a Files,
    id: DocumentId,
) -> impl Iterator<Item = &'a Reference> + Clone {
    let links = files.get(id.source).and_then(FileFacts::links);
    let effective = match links {
        Some(_) => index.patched.get(&id).and_then(|patched| patched.effective.as_deref()),
        None => document(files, id).and_then(|document| index.effective(document)),
    };
    let links = links.filter(|_| effective.is_none()).map(|links| links.references(id.position));
    links.unwrap_or_default().iter().chain(effective.into_iter().flat_map(Effective::references))
}

//! Who refers to a declaration: what hovers and lenses count. In: a snapshot and a declaration; out: the places of its
//! references, in the order of files. Read from the facts of files alone: no text is parsed again for it.

use nodewise_analysis::facts::{DocumentFacts, DocumentId, Ownership};
use nodewise_analysis::workspace::Snapshot;
use nodewise_model::{Origin, Reference};

use crate::names::{Entity, declared_name, entity_of_reference};

/// A place that refers to a declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Referral {
    /// The document that refers.
    pub document: DocumentId,
    /// The reference, with a kind in front of it and quotes around it.
    pub at: Origin,
}

/// The places that refer to a declaration; none for an entity of another sort.
#[must_use]
pub fn referrals(snapshot: &Snapshot, entity: &Entity) -> Vec<Referral> {
    let Entity::Declaration { document, kind, part } = entity else { return Vec::new() };
    let Some(name) = declared_name(snapshot, *document, kind, *part) else { return Vec::new() };
    let mut found = Vec::new();
    for file in snapshot.files() {
        let Ownership::Ours(dialect) = file.ownership else { continue };
        for document in &file.documents {
            let named = references(document).filter(|reference| reference.name == name.value);
            let meant = named
                .filter(|reference| entity_of_reference(snapshot, dialect, document, reference) == *entity);
            found.extend(meant.map(|reference| Referral { document: document.id, at: reference.at }));
        }
    }
    found
}

/// The names that a document looks up, as it is written.
fn references(document: &DocumentFacts) -> impl Iterator<Item = &Reference> {
    let own = document.effective.iter().flat_map(|effective| &effective.references);
    let target = document.overlay.iter().filter_map(|overlay| overlay.target.as_ref());
    own.chain(target)
}

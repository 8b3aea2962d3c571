//! What refers to a declaration, for the counts in hovers and lenses. In: a snapshot and a declaration. Out: the places
//! of its references, in the order of files. Most come from the index and the facts of files. Only scripts, scenarios
//! and plans are read again, because only their text contains the names.

use nodewise_analysis::facts::{DocumentFacts, DocumentId, Effective, Ownership};
use nodewise_analysis::workspace::Snapshot;
use nodewise_dialect::table::NameUse;
use nodewise_model::{Origin, Reference};
use nodewise_platform::sorting::Sorting;

use crate::names::{Entity, Occurrence, by_letters, declared_name, document, entity_of_reference, names_of};

/// A place that refers to a declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Referral {
    /// The document with the reference.
    pub document: DocumentId,
    /// The reference, with its kind and quotes.
    pub at: Origin,
}

/// The places that refer to a declaration. Empty for other entities.
#[must_use]
pub fn referrals(snapshot: &Snapshot, entity: &Entity) -> Vec<Referral> {
    let Entity::Declaration { document: own, kind, part } = entity else { return Vec::new() };
    let Some(name) = declared_name(snapshot, *own, kind, *part) else { return Vec::new() };
    let mut found = Vec::new();
    for file in by_letters(snapshot, &name.value) {
        let named = names_of(snapshot, file.source, entity).into_iter();
        let referring = named.filter(|one| one.usage != NameUse::Declares);
        let referral =
            |one: Occurrence| Some(Referral { document: file.document_at(one.at)?.id, at: one.at });
        found.extend(referring.filter_map(referral));
    }
    let is_lettered = |id: &DocumentId| found.iter().any(|one: &Referral| one.document.source == id.source);
    let others: Vec<DocumentId> =
        documents(snapshot, *own, &name.value).into_iter().filter(|id| !is_lettered(id)).collect();
    for id in others {
        let Some(file) = snapshot.file(id.source) else { continue };
        let (Ownership::Ours(dialect), Some(facts)) = (file.ownership, document(snapshot, id)) else {
            continue;
        };
        let named = references(facts).filter(|reference| reference.name == name.value);
        let meant =
            named.filter(|reference| entity_of_reference(snapshot, dialect, facts, reference) == *entity);
        found.extend(meant.map(|reference| Referral { document: id, at: reference.at }));
    }
    found.arrange_by_key(|one| (one.document, one.at.range.start()));
    found
}

/// The documents whose text may contain a name: those that refer to it with overlays applied, the overlays that may
/// have added the reference, and the overlays of the declarations with the name.
fn documents(snapshot: &Snapshot, own: DocumentId, name: &str) -> Vec<DocumentId> {
    let index = snapshot.index();
    let mut documents: Vec<DocumentId> = index.users(name).collect();
    let patches = documents.iter().flat_map(|user| index.patches(*user)).collect::<Vec<_>>();
    documents.extend(patches);
    documents.extend(index.patches(own));
    documents.sort_unstable();
    documents.dedup();
    documents
}

/// The names that a document looks up, without overlays.
fn references(document: &DocumentFacts) -> impl Iterator<Item = &Reference> {
    let own = document.effective.iter().flat_map(Effective::references);
    let target = document.overlay.iter().filter_map(|overlay| overlay.target.as_ref());
    own.chain(target)
}

//! Overlays and what they patch: which overlays aim at a declaration, in their order, and what the declaration
//! amounts to after them. A part of the index's update; only targets that an edit concerns are patched again.

use std::collections::BTreeSet;
use std::sync::Arc;

use nodewise_dialect::overlay;
use nodewise_dialect::table::{Dialect, Kind};
use nodewise_dialect::value::SpannedValue;
use smol_str::SmolStr;

use super::documents::{document, document_ids, read_documents};
use super::update::Update;
use super::{Declared, Index};
use crate::facts::{DocumentFacts, DocumentId, Effective, Ownership};
use crate::files::Files;

/// A declaration with the overlays that patch it.
#[derive(Debug, Clone, Default)]
pub(super) struct Patched {
    /// The overlays in the order in which they are applied: by the number of folders in their path, then by path, then by
    /// their position in the file.
    pub(super) patches: Vec<Patch>,
    /// The effective declaration; `None` if it is not certain.
    pub(super) effective: Option<Arc<Effective>>,
}

/// An overlay whose target exists.
#[derive(Debug, Clone, Copy)]
pub(super) struct Patch {
    folders: usize,
    pub(super) overlay: DocumentId,
    /// The kind that the overlay targets.
    kind: &'static str,
}

impl Update<'_> {
    /// Resolves overlays again and recomputes the declarations that they patch or patched. `redeclared` are the names whose
    /// declarations changed.
    pub(super) fn apply_overlays(&mut self, redeclared: &[SmolStr]) {
        let affected = self.affected_overlays(redeclared);
        let mut targets: BTreeSet<DocumentId> = BTreeSet::new();
        for id in affected {
            self.aim(id, &mut targets);
        }
        if !self.old.patched.is_empty() || !targets.is_empty() {
            for source in self.changed {
                let ids = document_ids(self.before, *source).chain(document_ids(self.after, *source));
                targets.extend(ids.filter(|id| self.next.patched.contains(id)));
            }
        }
        for target in targets {
            self.patch(target);
            self.documents.push(target);
            self.concerned.push(target.source);
        }
    }

    /// The overlays to resolve again: those of changed files, before and after the change, and those that target a
    /// redeclared name.
    fn affected_overlays(&mut self, redeclared: &[SmolStr]) -> BTreeSet<DocumentId> {
        let mut affected = BTreeSet::new();
        for source in self.changed {
            for (id, name) in read_documents(self.before, *source).filter_map(aimed) {
                affected.insert(id);
                let Some(aiming) = name.and_then(|name| self.next.overlays.get_mut(name)) else { continue };
                aiming.retain(|overlay| *overlay != id);
                if let Some(name) = name.filter(|_| aiming.is_empty()) {
                    self.next.overlays.remove(name);
                }
            }
            for (id, name) in read_documents(self.after, *source).filter_map(aimed) {
                affected.insert(id);
                if let Some(name) = name {
                    self.next.overlays.entry(name.clone()).push(id);
                }
            }
        }
        if !self.next.overlays.is_empty() {
            let aiming = redeclared.iter().filter_map(|name| self.next.overlays.get(name));
            affected.extend(aiming.flatten());
        }
        affected
    }

    /// Resolves the target of an overlay that may be new, changed or gone. Adds its old and its new target to `targets`.
    fn aim(&mut self, id: DocumentId, targets: &mut BTreeSet<DocumentId>) {
        let old_target = overlay_target(self.old, self.before, id);
        let new_target = overlay_target(&self.next, self.after, id);
        let target = |declared: Option<Declared>| declared.map(|declared| (declared.document, declared.kind));
        self.is_relinked |= target(old_target) != target(new_target);
        if target(old_target) != target(new_target) || self.is_changed(id.source) {
            if let Some(old) = old_target {
                if let Some(patched) = self.next.patched.get_mut(&old.document) {
                    patched.patches.retain(|patch| patch.overlay != id);
                }
                targets.insert(old.document);
            }
            if let Some(new) = new_target {
                let folders = self.after.get(id.source).map_or(0, |file| file.path.matches('/').count());
                let patch = Patch { folders, overlay: id, kind: new.kind };
                let patches = &mut self.next.patched.entry(new.document).patches;
                let before = patches
                    .partition_point(|other| (other.folders, other.overlay) < (patch.folders, patch.overlay));
                patches.insert(before, patch);
                targets.insert(new.document);
            }
        }
        let is_overlay = document(self.after, id).is_some_and(|document| document.overlay.is_some());
        let is_orphan = is_overlay && new_target.is_none();
        if is_orphan {
            self.next.orphans.insert(id, ());
        } else {
            self.next.orphans.remove(&id);
        }
        if is_orphan != self.old.orphans.contains(&id) {
            self.documents.push(id);
            self.concerned.push(id.source);
        }
    }

    /// Recomputes the effective declaration of `target`.
    fn patch(&mut self, target: DocumentId) {
        let Some(patched) = self.next.patched.get_mut(&target) else { return };
        if patched.patches.is_empty() {
            self.next.patched.remove(&target);
        } else {
            patched.effective = effective(self.after, target, &patched.patches).map(Arc::new);
        }
    }
}

/// The overlay of a document, and the name that it targets if that can be read.
fn aimed(document: &DocumentFacts) -> Option<(DocumentId, Option<&SmolStr>)> {
    let overlay = document.overlay.as_ref()?;
    Some((document.id, overlay.target.as_ref().map(|target| &target.name)))
}

fn overlay_target(index: &Index, files: &Files, id: DocumentId) -> Option<Declared> {
    index.overlaid(document(files, id)?.overlay.as_ref()?)
}

fn effective(files: &Files, target: DocumentId, patches: &[Patch]) -> Option<Effective> {
    let Ownership::Ours(dialect) = files.get(target.source)?.ownership else { return None };
    let kind = dialect.kind(patches.first()?.kind)?;
    let overlays = patches.iter().map(|patch| patch.overlay);
    let value = patched_value(files, (dialect, kind), target, overlays)?;
    Some(Effective::of_declaration(dialect, kind, &value, &files.get(target.source)?.settings))
}

/// The value of a declaration with its overlays applied.
pub(crate) fn patched_value<'f>(
    files: &'f Files,
    (dialect, kind): (&'static Dialect, &'static Kind),
    target: DocumentId,
    overlays: impl Iterator<Item = DocumentId>,
) -> Option<SpannedValue<'f>> {
    let mut value = value_of(files, target)?;
    for overlay in overlays {
        let strategy = document(files, overlay)?.overlay.as_ref()?.strategy;
        if let Some(patch_value) = value_of(files, overlay) {
            value = overlay::apply(dialect, kind, &value, &patch_value, strategy);
        }
    }
    Some(value)
}

/// The value of a document, read from its tree.
fn value_of(files: &Files, id: DocumentId) -> Option<SpannedValue<'_>> {
    let file = files.get(id.source)?;
    let root = file.tree().documents().nth(id.position as usize)?.root()?;
    Some(SpannedValue::from_node(root, id.source))
}

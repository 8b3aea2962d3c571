//! What files and documents say in another way than before.
//!
//! Input: files and the index of them, before and after a change. Output: what to count, and which uses and declarations to remove
//! and to add. Invariant: each file and each document is compared by itself, so that several threads share them.

use std::collections::BTreeSet;

use nodewise_model::{Body, Reference, SourceId};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use super::documents::{declarations, read_documents, references};
use super::name::{User, Want};
use super::{Declared, Index, Totals};
use crate::deferred::{declaration, is_lettered};
use crate::facts::{DocumentId, FileFacts};
use crate::files::Files;

/// A file, and whether it is now in a set of files. Only files that were or are in it are listed.
pub(super) type Noted = (SourceId, bool);

/// Changes of the counts over files.
#[derive(Debug, Default)]
pub(super) struct Counted {
    /// How much each count increases. Decreases wrap around.
    pub(super) totals: Totals,
    /// Files that start, stop or continue to name things in other files by text alone.
    pub(super) lettered: Vec<Noted>,
    /// Files that start, stop or continue to declare project rules.
    pub(super) rules: Vec<Noted>,
}

/// Changes of what files declare.
#[derive(Debug, Default)]
pub(super) struct Redeclared<'u> {
    /// The names that the changed files declared before.
    pub(super) removed: FxHashSet<&'u SmolStr>,
    /// The declarations of the changed files now.
    pub(super) added: Vec<(&'u SmolStr, Declared)>,
    /// The files whose declarations changed, sorted.
    pub(super) sources: Vec<SourceId>,
}

/// Changes of what documents refer to.
#[derive(Debug, Default)]
pub(super) struct Relinked<'u> {
    /// The references that no longer exist.
    pub(super) removed: Vec<(&'u SmolStr, User)>,
    /// The new references. One may be listed several times.
    pub(super) added: Vec<(&'u SmolStr, User)>,
    /// Whether a document refers to other things than before, or in another order.
    pub(super) is_other: bool,
}

impl Counted {
    pub(super) fn add(&mut self, (old, before, after): (&Index, &Files, &Files), source: SourceId) {
        let mut count = |files: &Files, step| {
            files.get(source).into_iter().for_each(|file| self.totals.count_file(file, step));
        };
        count(before, usize::wrapping_sub);
        count(after, usize::wrapping_add);
        let note = |noted: &mut Vec<Noted>, was: bool, is: bool| {
            noted.extend((was || is).then_some((source, is)));
        };
        note(&mut self.lettered, old.lettered.contains(&source), names_by_letters(after, source));
        note(&mut self.rules, old.rule_files.contains(&source), declares_rules(after, source));
    }
}

impl<'u> Redeclared<'u> {
    pub(super) fn add(&mut self, before: &'u Files, after: &'u Files, source: SourceId) {
        if declarations(after, source).eq(declarations(before, source)) {
            return;
        }
        self.removed.extend(declarations(before, source).map(|(name, _)| name));
        self.added.extend(declarations(after, source));
        self.sources.push(source);
    }
}

impl<'u> Relinked<'u> {
    pub(super) fn add(
        &mut self,
        (old, before): (&'u Index, &'u Files),
        (next, after): (&'u Index, &'u Files),
        id: DocumentId,
    ) {
        let (old, new) = (references(old, before, id), references(next, after, id));
        let user = |reference: &Reference| User { document: id, want: Want::of(reference) };
        if old.clone().next().is_none() {
            let count = self.added.len();
            self.added.extend(new.map(|reference| (&reference.name, user(reference))));
            self.is_other |= self.added.len() > count;
        } else if !old.clone().map(use_of).eq(new.clone().map(use_of)) {
            self.is_other = true;
            let (old, new) = (uses(old, user), uses(new, user));
            self.removed.extend(old.difference(&new));
            self.added.extend(new.difference(&old));
        }
    }
}

/// Whether a file declares project rules.
fn declares_rules(files: &Files, source: SourceId) -> bool {
    let mut declared = read_documents(files, source).filter_map(declaration);
    declared.any(|one| matches!(one.body, Body::Rule(_)))
}

/// Whether documents of a file name things in other files by text alone.
fn names_by_letters(files: &Files, source: SourceId) -> bool {
    files.get(source).and_then(FileFacts::links).is_some_and(|links| links.is_lettered)
        || read_documents(files, source).filter_map(declaration).any(is_lettered)
}

/// The name and the kind that a reference looks for, without its place.
fn use_of(reference: &Reference) -> (&SmolStr, Want) {
    (&reference.name, Want::of(reference))
}

/// The names and kinds that references look for, each once.
fn uses<'a>(
    references: impl Iterator<Item = &'a Reference>,
    user: impl Fn(&Reference) -> User,
) -> BTreeSet<(&'a SmolStr, User)> {
    references.map(|reference| (&reference.name, user(reference))).collect()
}

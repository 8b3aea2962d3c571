//! Keeping an index true: from the index of some files and the files as they are now to the index of those. Only
//! names, documents and targets that changed files concern are looked at, so an edit costs what it changes; an index
//! that is rebuilt is the change of all files at once.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use nodewise_model::{Declaration, SourceId};
use nodewise_platform::threads::prelude::*;
use rustc_hash::FxHashSet;
use smol_str::SmolStr;
use tracing::debug_span;

use super::differences::{Counted, Noted, Redeclared, Relinked};
use super::documents::{document_ids, read_documents};
use super::name::{Name, Summary, User};
use super::view::PROJECT_RULES;
use super::{Declared, Index, Totals};
use crate::deferred::{agents, is_readable};
use crate::facts::{DocumentId, FileFacts, Ownership};
use crate::files::Files;
use crate::nesting::GraphCalls;
use crate::persistent_map::{Shards, SmallMap};
use crate::project_rules::ActiveRule;

/// At most this many files or documents are merged into the index at once. Each batch reuses the memory of the one before:
/// allocating is slow, and a list of everything would be a quarter as large as the index.
const BATCH: usize = if cfg!(test) { 5 } else { 1 << 11 };
/// The number of files or documents that one thread reads at a time.
const PART: usize = if cfg!(test) { 2 } else { 1 << 7 };

/// What an update changes for readers of the index.
#[derive(Debug, Default)]
pub(crate) struct Delta {
    /// The names whose declarations changed, and the paths of files that were added or removed, sorted. Empty if the index
    /// had no files before.
    pub(crate) names: Vec<SmolStr>,
    /// The files with changes, sorted: their text, the effect of overlays on them, or whether they are used.
    pub(crate) sources: Vec<SourceId>,
}

/// An update in progress.
pub(super) struct Update<'u> {
    pub(super) old: &'u Index,
    pub(super) before: &'u Files,
    pub(super) after: &'u Files,
    /// The files that were added, changed or removed, sorted.
    pub(super) changed: &'u [SourceId],
    pub(super) next: Index,
    /// Whether the index was empty before, so that every name is new.
    is_first: bool,
    /// Whether a declaration, a reference or an overlay changed.
    pub(super) is_relinked: bool,
    /// The names with changes. Not collected if `is_first`.
    touched: FxHashSet<SmolStr>,
    /// The documents whose effective declaration may have changed.
    pub(super) documents: Vec<DocumentId>,
    /// The files that are affected although their text did not change.
    pub(super) concerned: Vec<SourceId>,
}

/// Adds a count or subtracts it; both wrap around.
pub(super) type Step = fn(usize, usize) -> usize;

impl Index {
    /// The index of the files `after`, computed from this index of the files `before`. `changed` are the files that were
    /// added, changed or removed. Also returns what changes for readers.
    #[must_use]
    pub(crate) fn updated(&self, before: &Files, after: &Files, changed: &[SourceId]) -> (Index, Delta) {
        let _entered = debug_span!("index", changed = changed.len(), files = after.len()).entered();
        let is_first = before.is_empty();
        let mut update = Update {
            old: self,
            before,
            after,
            changed,
            next: self.clone(),
            is_first,
            is_relinked: is_first,
            touched: FxHashSet::default(),
            documents: Vec::new(),
            concerned: Vec::new(),
        };
        if is_first {
            let documents = after.iter().map(|file| document_ids(after, file.source).count()).sum();
            update.next.names = Shards::with_capacity(documents);
            update.next.used = Shards::with_capacity(documents);
            // These lists may still be cached from a time before all files were removed.
            update.next.near = OnceLock::new();
            update.next.near_missed = OnceLock::new();
        }
        // The order matters: overlays are resolved with the new declarations, and references are read after overlays are
        // applied.
        let rule_files = update.count_files();
        let has_other_rules = update.note_rules(&rule_files);
        update.declare();
        let redeclared = update.redeclared();
        update.apply_overlays(&redeclared);
        update.refer();
        update.count_names();
        let Update { mut next, mut documents, mut concerned, is_relinked, .. } = update;
        next.declared_revision += u64::from(!redeclared.is_empty());
        let is_relinked = is_relinked || !redeclared.is_empty();
        next.link_revision += u64::from(is_relinked);
        if is_relinked || has_other_rules {
            next.document_leads = Arc::default();
        }
        documents.extend(redeclared.iter().flat_map(|name| next.users(name)));
        documents.sort_unstable();
        documents.dedup();
        next.nesting = self.nesting.updated(&documents, |id| calls_of(after, &next, id));
        concerned.extend(changed);
        concerned.sort_unstable();
        concerned.dedup();
        let mut names = redeclared;
        if has_other_rules {
            names.push(SmolStr::new_static(PROJECT_RULES));
            names.sort_unstable();
        }
        if !is_first {
            names.extend(changed.iter().filter_map(|source| come_or_gone(before, after, *source)));
            names.sort_unstable();
        }
        (next, Delta { names, sources: concerned })
    }
}

/// The path of a file that was added or removed. Other files may have looked for it.
fn come_or_gone(before: &Files, after: &Files, source: SourceId) -> Option<SmolStr> {
    match (before.get(source), after.get(source)) {
        (Some(file), None) | (None, Some(file)) => Some(SmolStr::new(&file.path)),
        _ => None,
    }
}

impl Update<'_> {
    /// Whether the file was added, changed or removed.
    pub(super) fn is_changed(&self, source: SourceId) -> bool {
        self.changed.binary_search(&source).is_ok()
    }

    /// Updates the counts over files. Returns the files that declare project rules or did so before.
    fn count_files(&mut self) -> Vec<Noted> {
        let count = |sources: &[SourceId]| {
            let mut counted = Counted::default();
            sources.iter().for_each(|source| counted.add((self.old, self.before, self.after), *source));
            counted
        };
        let mut rules = Vec::new();
        for counted in in_parts(self.changed, count) {
            self.next.totals.add_files(&counted.totals);
            // What such files name by text alone may be something else after each of their changes.
            self.is_relinked |= !counted.lettered.is_empty();
            note(&mut self.next.lettered, &counted.lettered);
            rules.extend(counted.rules);
        }
        rules
    }

    /// Replaces the project rules of changed files. Returns whether any rule may have changed.
    fn note_rules(&mut self, files: &[Noted]) -> bool {
        note(&mut self.next.rule_files, files);
        if files.is_empty() {
            return false;
        }
        let declaring = self.next.rule_files.iter();
        let declared = declaring.flat_map(|source| read_documents(self.after, *source));
        let mut rules: Vec<ActiveRule> = Vec::new();
        for rule in declared.filter_map(ActiveRule::of_document) {
            if rules.iter().all(|known| known.id != rule.id) {
                rules.push(rule);
            }
        }
        self.next.project_rules = Arc::new(rules);
        true
    }

    /// Replaces the declarations of changed files.
    fn declare(&mut self) {
        let (before, after) = (self.before, self.after);
        let read = |sources: &[SourceId]| {
            let mut redeclared = Redeclared::default();
            sources.iter().for_each(|source| redeclared.add(before, after, *source));
            redeclared
        };
        for batch in self.changed.chunks(BATCH) {
            let parts = in_parts(batch, read);
            let names = &mut self.next.names;
            for Redeclared { removed, sources, .. } in &parts {
                let is_other =
                    |declared: &Declared| sources.binary_search(&declared.document.source).is_err();
                removed.iter().for_each(|name| {
                    if let Some(name) = names.get_mut(name.as_str()) {
                        name.declared.retain(is_other);
                    }
                });
            }
            let added: Vec<&[_]> = parts.iter().map(|part| part.added.as_slice()).collect();
            names.change_all(&added, |name, declared| name.declare(*declared));
            if !self.is_first {
                let changes = parts.iter().flat_map(|part| {
                    part.added.iter().map(|(name, _)| *name).chain(part.removed.iter().copied())
                });
                self.touched.extend(changes.cloned());
            }
        }
    }

    /// The names whose declarations changed, sorted. A declaration that only moved in its text is not a change.
    fn redeclared(&mut self) -> Vec<SmolStr> {
        let nothing = Name::default();
        let is_other = |name: &&SmolStr| {
            let old = self.old.names.get(name.as_str()).unwrap_or(&nothing);
            !self.next.names.get(name.as_str()).unwrap_or(&nothing).is_declared_like(old)
        };
        let mut names: Vec<SmolStr> = self.touched.iter().filter(is_other).cloned().collect();
        names.sort_unstable();
        self.touched = names.iter().cloned().collect();
        names
    }

    /// Replaces the references of changed documents.
    fn refer(&mut self) {
        for source in self.changed {
            let both = document_ids(self.before, *source).chain(document_ids(self.after, *source));
            self.documents.extend(both);
        }
        self.documents.sort_unstable();
        self.documents.dedup();
        let mut names = std::mem::take(&mut self.next.names);
        for batch in self.documents.chunks(BATCH) {
            let read = |documents: &[DocumentId]| {
                let (old, next) = ((self.old, self.before), (&self.next, self.after));
                let mut relinked = Relinked::default();
                documents.iter().for_each(|id| relinked.add(old, next, *id));
                relinked
            };
            let parts = in_parts(batch, read);
            self.is_relinked |= parts.iter().any(|part| part.is_other);
            let mut removed: BTreeMap<&SmolStr, Vec<User>> = BTreeMap::new();
            for (name, user) in parts.iter().flat_map(|part| &part.removed) {
                removed.entry(name).or_default().push(*user);
            }
            for (name, users) in &removed {
                if let Some(name) = names.get_mut(name.as_str()) {
                    name.users.retain(|user| users.binary_search(user).is_err());
                }
            }
            let added: Vec<&[_]> = parts.iter().map(|part| part.added.as_slice()).collect();
            names.change_all(&added, |name, user| name.refer(*user));
            if !self.is_first {
                let added = added.into_iter().flatten().map(|(name, _)| *name);
                self.touched.extend(removed.into_keys().chain(added).cloned());
            }
        }
        self.next.names = names;
    }

    /// Updates the counts over names, and the sorted lists of names if they exist.
    fn count_names(&mut self) {
        let nothing = Name::default();
        let names = std::mem::take(&mut self.next.names);
        if self.is_first {
            self.count_all(&names);
        }
        let touched = std::mem::take(&mut self.touched);
        let old_names = &self.old.names;
        let mut emptied: Vec<&SmolStr> = Vec::new();
        touched.iter().for_each(|word| {
            let new = names.get(word.as_str()).unwrap_or(&nothing);
            self.count_name(word, old_names.get(word.as_str()).unwrap_or(&nothing), new);
            emptied.extend(new.is_empty().then_some(word));
        });
        self.next.names = names;
        emptied.into_iter().for_each(|word| drop(self.next.names.remove(word.as_str())));
        self.next.totals.crossed.retain(|_, count| *count > 0);
    }

    /// Computes the counts over all names for an index that was empty before.
    fn count_all(&mut self, names: &Shards<SmolStr, Name>) {
        let count = |parts: &[Arc<SmallMap<SmolStr, Name>>]| {
            let (mut totals, mut used) = (Totals::default(), Vec::new());
            parts.iter().flat_map(|part| part.values()).for_each(|name| {
                let summary = name.summary();
                totals.count_name(&summary, usize::wrapping_add);
                used.extend(summary.used);
            });
            (totals, used)
        };
        let counted: Vec<(Totals, Vec<DocumentId>)> = in_parts(names.parts(), count);
        for (totals, _) in &counted {
            self.next.totals.outside_tools += totals.outside_tools;
            self.next.totals.idle_models += totals.idle_models;
            for (kind, count) in &totals.crossed {
                *self.next.totals.crossed.entry(kind).or_default() += count;
            }
        }
        let used = counted.iter().map(|(_, used)| used.iter().map(|document| (document, ())).collect());
        let used: Vec<Vec<(&DocumentId, ())>> = used.collect();
        let used: Vec<&[_]> = used.iter().map(Vec::as_slice).collect();
        self.next.used.change_all(&used, |count, ()| *count += 1);
    }

    /// Subtracts what a name contributed to the counts before, and adds what it contributes now.
    fn count_name(&mut self, word: &SmolStr, old: &Name, new: &Name) {
        let (before, after) = (old.summary(), new.summary());
        let next = &mut self.next;
        next.totals.count_name(&before, usize::wrapping_sub);
        next.totals.count_name(&after, usize::wrapping_add);
        for document in before.used.iter().filter(|document| !after.used.contains(document)) {
            count_use(&mut next.used, *document, false);
            self.concerned.push(document.source);
        }
        for document in after.used.iter().filter(|document| !before.used.contains(document)) {
            count_use(&mut next.used, *document, true);
            self.concerned.push(document.source);
        }
        if old.kinds() != new.kinds()
            && let Some(near) = next.near.get_mut()
        {
            Arc::make_mut(near).set_kinds(word, new.kinds());
        }
        if before.is_missed != after.is_missed {
            next.missed_revision += 1;
            if let Some(missed) = next.near_missed.get_mut() {
                Arc::make_mut(missed).set(word, after.is_missed);
            }
        }
    }
}

impl Totals {
    pub(super) fn count_file(&mut self, file: &FileFacts, step: Step) {
        self.ours = step(self.ours, usize::from(matches!(file.ownership, Ownership::Ours(_))));
        self.others = step(self.others, usize::from(matches!(file.ownership, Ownership::NotOurs)));
        let (is_readable, agents) = match file.links() {
            Some(links) => (links.is_readable, links.agents as usize),
            None => (is_readable(file), agents(file)),
        };
        self.unreadable = step(self.unreadable, usize::from(!is_readable));
        self.agents = step(self.agents, agents);
    }

    /// Adds the counts of other files.
    fn add_files(&mut self, other: &Totals) {
        let Totals { ours, others, unreadable, agents, outside_tools: _, idle_models: _, crossed: _ } = other;
        self.ours = self.ours.wrapping_add(*ours);
        self.others = self.others.wrapping_add(*others);
        self.unreadable = self.unreadable.wrapping_add(*unreadable);
        self.agents = self.agents.wrapping_add(*agents);
    }

    fn count_name(&mut self, summary: &Summary, step: Step) {
        self.outside_tools = step(self.outside_tools, usize::from(summary.is_outside_tool));
        self.idle_models = step(self.idle_models, summary.idle_models);
        for kind in &summary.crossed {
            let count = self.crossed.entry(kind).or_default();
            *count = step(*count, 1);
        }
    }
}

/// Adds files to a set or removes them. If nothing changes, the set stays shared with older indexes.
fn note(files: &mut Arc<BTreeSet<SourceId>>, noted: &[Noted]) {
    for (source, is) in noted {
        match (files.contains(source), *is) {
            (false, true) => drop(Arc::make_mut(files).insert(*source)),
            (true, false) => drop(Arc::make_mut(files).remove(source)),
            _ => {}
        }
    }
}

/// Applies `read` to parts of a list, in order. A long list is read on all cores.
fn in_parts<T: Sync, P: Send>(all: &[T], read: impl Fn(&[T]) -> P + Sync) -> Vec<P> {
    match all.len() {
        ..=PART => vec![read(all)],
        _ => all.par_chunks(PART).map(&read).collect(),
    }
}

fn count_use(used: &mut Shards<DocumentId, u32>, document: DocumentId, is_more: bool) {
    if is_more {
        *used.entry(document) += 1;
        return;
    }
    let is_last = match used.get_mut(&document) {
        Some(count) => {
            *count = count.saturating_sub(1);
            *count == 0
        }
        None => false,
    };
    if is_last {
        used.remove(&document);
    }
}

/// The graphs of a document that run other graphs, and the declared graphs that they run.
fn calls_of(files: &Files, index: &Index, id: DocumentId) -> Vec<GraphCalls> {
    let is_patched = index.patched.contains(&id);
    // The links of a deferred file are only known if its graphs run no others. An overlay may still change that.
    let file = files.get(id.source).filter(|file| is_patched || file.links().is_none());
    let document = file.and_then(|file| file.documents.get(id.position as usize));
    let effective = document.and_then(|document| index.effective(document));
    let declaration = effective.and_then(|effective| effective.declaration.as_ref());
    let graphs = declaration.into_iter().flat_map(Declaration::graphs).enumerate();
    let calls = graphs.map(|(part, graph)| {
        let references = graph.nodes.iter().filter_map(|node| node.work.call()?.graph.as_ref());
        let children = references.filter_map(|reference| index.meant(id, reference));
        GraphCalls { part, children: children.map(|declared| (declared.document, declared.part())).collect() }
    });
    calls.filter(|call| !call.children.is_empty()).collect()
}

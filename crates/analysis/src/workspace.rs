//! A project that is kept true while files come, change and go. In: changes, applied by one writer in the order in
//! which they arrive; out: snapshots, which any number of readers hold while the next change is applied. Invariant:
//! files, index and diagnostics are what a check of the same texts would make of them.

mod checked;
mod judged;
mod modules;
mod numbers;

use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use nodewise_dialect::table::{Dialect, Kind};
use nodewise_dialect::value::SpannedValue;
use nodewise_model::SourceId;
use nodewise_model::conventions::Conventions;
use nodewise_modules::Trees;
use nodewise_platform::sorting::Sorting;
use nodewise_platform::threads::prelude::*;
use rustc_hash::FxHashMap;

pub use self::checked::{CheckedBefore, ContentBefore, file_numbers};
pub use self::judged::KeptJudgement;
use self::judged::{Judged, Readers};
pub use self::modules::ModuleTexts;
use crate::cancel::Cancel;
use crate::check;
use crate::deferred::DeferredFile;
use crate::diagnostic::Diagnostic;
use crate::facts::{DocumentId, DocumentRole, FileFacts, Ownership};
use crate::file_text::TextSource;
use crate::files::{Files, load_order};
use crate::functions::{Functions, PythonChange};
use crate::index::{Delta, Index, patched_value};
use crate::persistent_map::Shards;
use crate::settings::Settings;

/// A project whose files change over time.
#[derive(Debug, Default)]
pub struct Workspace {
    now: Snapshot,
    readers: Readers,
    trees: Trees,
}

/// Up to this many changed files, the syntax trees of their modules are kept for the next change. More files change when a
/// folder is read, not when someone types.
const FEW: usize = 16;

/// A change of one file.
#[derive(Debug, Clone)]
pub enum Change {
    /// The file now has this text and these settings. It may be new.
    Write {
        /// The path relative to the project, with `/` between its parts.
        path: Arc<str>,
        /// The whole text.
        text: Arc<str>,
        /// The settings for the file.
        settings: Arc<Settings>,
    },
    /// The file no longer exists.
    Remove {
        /// The path relative to the project.
        path: Arc<str>,
    },
}

/// The effects of changes on the files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Applied {
    /// The files that were added, changed or removed, sorted by number.
    pub changed: Vec<SourceId>,
    /// The files whose diagnostics may have changed, sorted. Includes the changed files that still exist.
    pub stale: Vec<SourceId>,
    /// Whether all files have new numbers, because too many were added at one place.
    pub renumbered: bool,
}

/// An unchanging view of a project at one moment.
#[derive(Debug, Clone, Default)]
pub struct Snapshot {
    state: Arc<State>,
    functions: Arc<Functions>,
    cancel: Cancel,
}

#[derive(Debug, Default)]
struct State {
    files: Files,
    index: Index,
    /// Results from earlier states that are still valid, provided that their answers about all files are the same.
    kept: Shards<SourceId, Arc<Judged>>,
    /// Results computed in this state.
    fresh: Mutex<FxHashMap<SourceId, Arc<Judged>>>,
    /// Values that readers computed for large files in this state; see [`Snapshot::of_large`].
    made: Mutex<FxHashMap<SourceId, Arc<dyn Any + Send + Sync>>>,
    /// Whether some deferred files may not have been read yet. Shared with the following states.
    has_unread: Arc<AtomicBool>,
}

/// A file to read, with its new text or settings.
struct Written {
    source: SourceId,
    path: Arc<str>,
    text: Arc<str>,
    settings: Arc<Settings>,
    keeps_tree: bool,
}

/// The new content of each path; `None` for a file to remove.
type Wanted = BTreeMap<Arc<str>, WantedContent>;
type WantedFile = (Arc<str>, WantedContent);
type WantedContent = Option<(Arc<str>, Arc<Settings>)>;

impl Workspace {
    /// A project without files.
    #[must_use]
    pub fn new() -> Workspace {
        Workspace::default()
    }

    /// A project of deferred files, whose texts are read from `texts` when needed.
    #[must_use]
    pub fn deferred(mut files: Vec<DeferredFile>, texts: &Arc<dyn TextSource>) -> Workspace {
        files.arrange_by(|one, other| load_order(&one.path, &other.path));
        let numbered: Vec<(SourceId, DeferredFile)> = numbers::anew(files.len()).zip(files).collect();
        let facts = numbered.into_par_iter().map(|(source, file)| FileFacts::deferred(source, file, texts));
        let files: Files = facts.collect::<Vec<_>>().into_iter().collect();
        let index = Index::build(&files);
        let has_unread = Arc::new(AtomicBool::new(true));
        let state = Arc::new(State { files, index, has_unread, ..State::default() });
        Workspace { now: Snapshot { state, ..Snapshot::default() }, ..Workspace::default() }
    }

    /// Applies changes in order.
    pub fn apply(&mut self, changes: Vec<Change>) -> Applied {
        let old = Arc::clone(&self.now.state);
        let mut wanted = wanted(&old.files, changes);
        if wanted.is_empty() {
            return Applied::default();
        }
        modules::add_dependents(&old.files, &mut wanted);
        let others = ModuleTexts::new(&old.files, &wanted);
        let others = if wanted.len() <= FEW { others.with_trees(&self.trees) } else { others };
        let is_new = |path: &&str| old.files.at_path(path).is_none();
        let mut new: Vec<&str> = wanted.keys().map(AsRef::as_ref).filter(is_new).collect();
        new.arrange_by(|one, other| load_order(one, other));
        let Some(numbers) = numbers::between(&old.files, &new) else { return self.number_anew(wanted) };
        let mut numbers = numbers.into_iter();
        let mut written: Vec<Written> = Vec::new();
        let mut files = old.files.clone();
        let mut changed: Vec<SourceId> = Vec::with_capacity(wanted.len());
        for (path, content) in in_load_order(wanted) {
            let known = old.files.at_path(&path);
            let Some(source) = known.map(|file| file.source).or_else(|| numbers.next()) else { continue };
            changed.push(source);
            match content {
                Some((text, settings)) => {
                    let keeps_tree = known.is_some_and(|file| file.keeps_tree());
                    written.push(Written { source, path, text, settings, keeps_tree });
                }
                None => files.remove(source),
            }
        }
        facts(written, &others).into_iter().for_each(|file| files.insert(Arc::new(file)));
        let has_much = |file: &FileFacts| file.is_large() || !file.parts.has_none();
        let leaves_much = changed.iter().any(|source| old.files.get(*source).is_some_and(has_much));
        let applied = self.set(&old, files, changed);
        if leaves_much {
            // Freeing large facts takes time, so do it on another thread.
            nodewise_platform::threads::spawn(move || drop(old));
        }
        applied
    }

    /// Applies changes of the project's Python files. Declarations may name functions in them.
    pub fn apply_python(&mut self, changes: Vec<PythonChange>) -> Applied {
        if changes.is_empty() {
            return Applied::default();
        }
        Arc::make_mut(&mut self.now.functions).apply(changes);
        let old = Arc::clone(&self.now.state);
        let index = old.index.clone().with_registered(self.now.functions.registered());
        match index.answers_like(&old.index) {
            true => Applied::default(),
            false => self.replace(&old, old.files.clone(), (index, Delta::default()), Vec::new()),
        }
    }

    /// The current state of the project.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        self.now.clone()
    }

    /// Sets the current state to other files. `changed` are those that were added, changed or removed.
    fn set(&mut self, old: &State, files: Files, changed: Vec<SourceId>) -> Applied {
        let indexed = old.index.updated(&old.files, &files, &changed);
        self.replace(old, files, indexed, changed)
    }

    /// Sets the current state to other files and their index.
    fn replace(
        &mut self,
        old: &State,
        files: Files,
        (index, delta): (Index, Delta),
        changed: Vec<SourceId>,
    ) -> Applied {
        let mut kept = old.kept.clone();
        old.fresh().iter().for_each(|(source, judged)| {
            if let Some(before) = kept.insert(*source, Arc::clone(judged)) {
                self.readers.remove(*source, &before);
            }
            self.readers.add(*source, judged);
        });
        let mut stale = self.readers.concerned(&delta);
        for source in &stale {
            if let Some(judged) = kept.remove(source) {
                self.readers.remove(*source, &judged);
            }
        }
        if !index.answers_like(&old.index) {
            stale.extend(self.readers.answered_otherwise(&index));
        }
        // Both states count: an overlay may have stopped patching a declaration, or started.
        let patching: Vec<SourceId> = [(&old.index, &old.files), (&index, &files)]
            .into_iter()
            .flat_map(|(index, files)| patching(index, files, &stale))
            .collect();
        stale.extend(patching);
        stale.retain(|source| files.get(*source).is_some());
        let has_unread = Arc::clone(&old.has_unread);
        self.now.state = Arc::new(State { files, index, kept, has_unread, ..State::default() });
        Applied { changed, stale: stale.into_iter().collect(), renumbered: false }
    }

    /// Gives all files new numbers, with room for more files between them.
    fn number_anew(&mut self, wanted: Wanted) -> Applied {
        let old = Arc::clone(&self.now.state);
        let mut contents: Wanted = old
            .files
            .iter()
            .map(|file| {
                (Arc::clone(&file.path), Some((Arc::clone(file.text.shared()), Arc::clone(&file.settings))))
            })
            .collect();
        contents.extend(wanted);
        contents.retain(|_, content| content.is_some());
        let others = ModuleTexts::new(&old.files, &contents);
        let numbers = numbers::anew(contents.len());
        let written = numbers.zip(in_load_order(contents)).filter_map(|(source, (path, content))| {
            let (text, settings) = content?;
            Some(Written { source, path, text, settings, keeps_tree: false })
        });
        let files: Files = facts(written.collect(), &others).into_iter().collect();
        let all: Vec<SourceId> = files.iter().map(|file| file.source).collect();
        let index = Index::build(&files).relinked_since(&old.index);
        self.readers = Readers::default();
        let state = State { files, index, ..State::default() };
        self.now.state = Arc::new(state);
        Applied { changed: all.clone(), stale: all, renumbered: true }
    }
}

/// Up to this many files, sorting the names takes no noticeable time.
const FILES_FEW: usize = 1_000;

impl Snapshot {
    /// The same snapshot for a reader that may be cancelled. Its methods still return complete results; long reads should
    /// check [`Snapshot::is_cancelled`] between files.
    #[must_use]
    pub fn cancelled_by(&self, cancel: &Cancel) -> Snapshot {
        Snapshot { cancel: cancel.clone(), ..self.clone() }
    }

    /// Whether the reader's answer is no longer wanted.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    #[must_use]
    pub fn files(&self) -> &Files {
        &self.state.files
    }

    /// Reads the deferred files, one after another. Stops when the snapshot is cancelled.
    pub fn read_deferred(&self) {
        let unread = self.files().iter().filter(|file| !file.is_read());
        unread.take_while(|_| !self.is_cancelled()).for_each(|file| {
            file.read_now();
        });
        if !self.is_cancelled() {
            self.state.has_unread.store(false, Ordering::Relaxed);
        }
    }

    /// Sorts the names now, so that the first question about names does not have to wait.
    pub fn prepare(&self) {
        self.state.index.prepare();
    }

    /// Whether questions about names can be answered at once, without sorting names or reading deferred files.
    #[must_use]
    pub fn is_prepared(&self) -> bool {
        let is_in_order = self.state.index.is_prepared() || self.state.files.len() <= FILES_FEW;
        is_in_order && !self.state.has_unread.load(Ordering::Relaxed)
    }

    /// The functions in the project's Python files.
    #[must_use]
    pub fn functions(&self) -> &Functions {
        &self.functions
    }

    /// The index of all files.
    #[must_use]
    pub fn index(&self) -> &Index {
        &self.state.index
    }

    /// The number of the file at a path relative to the project.
    #[must_use]
    pub fn source(&self, path: &str) -> Option<SourceId> {
        self.state.files.at_path(path).map(|file| file.source)
    }

    /// The file with a number.
    #[must_use]
    pub fn file(&self, source: SourceId) -> Option<&FileFacts> {
        self.state.files.get(source)
    }

    /// The conventions of the system to which a file belongs.
    #[must_use]
    pub fn conventions(&self, source: SourceId) -> &'static Conventions {
        match self.file(source).map(|file| file.ownership) {
            Some(Ownership::Ours(dialect)) => dialect.conventions,
            Some(Ownership::Empty | Ownership::NotOurs) | None => &Conventions::NONE,
        }
    }

    /// The project as it would be if one file had another text.
    #[must_use]
    pub fn with_text(&self, source: SourceId, text: Arc<str>) -> Snapshot {
        self.with_texts([(source, text)])
    }

    /// The project as it would be if files had other texts. Modules that import these files are read again.
    #[must_use]
    pub fn with_texts(&self, texts: impl IntoIterator<Item = (SourceId, Arc<str>)>) -> Snapshot {
        let content = |(source, text)| {
            let file = self.file(source)?;
            Some((Arc::clone(&file.path), Some((text, Arc::clone(&file.settings)))))
        };
        let mut wanted: Wanted = texts.into_iter().filter_map(content).collect();
        modules::add_dependents(&self.state.files, &mut wanted);
        let others = ModuleTexts::new(&self.state.files, &wanted);
        let mut files = self.state.files.clone();
        let mut changed = Vec::with_capacity(wanted.len());
        for (path, content) in in_load_order(wanted) {
            let (Some(source), Some((text, settings))) = (self.source(&path), content) else { continue };
            changed.push(source);
            files.insert(Arc::new(FileFacts::read(source, path, text, settings, false, &others)));
        }
        let (index, _) = self.state.index.updated(&self.state.files, &files, &changed);
        let state = Arc::new(State { files, index, ..State::default() });
        Snapshot { state, functions: Arc::clone(&self.functions), cancel: self.cancel.clone() }
    }

    /// The diagnostics of a file in output order, as `check` prints them. If they are not known yet, the file is checked.
    /// The result is reused by later snapshots as long as it is valid.
    #[must_use]
    pub fn diagnostics(&self, source: SourceId) -> Vec<Diagnostic> {
        let Some(file) = self.file(source) else { return Vec::new() };
        let judged: Vec<Arc<Judged>> =
            self.judged_with(file).into_iter().filter_map(|source| self.state.judge(source)).collect();
        let found = judged.iter().flat_map(|judged| judged.diagnostics());
        check::settle(file, found.filter(|diagnostic| diagnostic.finding.at.source == source).cloned())
    }

    /// The diagnostics of a file that follow from its own text, in output order. They stay valid when unknown files are
    /// read, except if an overlay among those replaces the text in question.
    #[must_use]
    pub fn own_diagnostics(&self, source: SourceId) -> Vec<Diagnostic> {
        let Some((file, judged)) = self.file(source).zip(self.state.judge(source)) else { return Vec::new() };
        let found = judged.own().filter(|diagnostic| diagnostic.finding.at.source == source);
        check::settle_own(file, found.cloned())
    }

    /// Computes a value for a large file and keeps it for all readers of this snapshot. `None` for small files, for which
    /// computing it again is cheap. Only one type of value is kept for each file.
    pub fn of_large<T: Any + Send + Sync>(
        &self,
        source: SourceId,
        make: impl FnOnce(&FileFacts) -> T,
    ) -> Option<Arc<T>> {
        let file = self.file(source).filter(|file| file.is_large())?;
        let lock = || self.state.made.lock().unwrap_or_else(PoisonError::into_inner);
        let known = lock().get(&source).cloned();
        if let Some(known) = known.and_then(|known| known.downcast::<T>().ok()) {
            return Some(known);
        }
        // Computed without holding the lock, because several threads may work on it.
        let made = Arc::new(make(file));
        // A cancelled reader may have computed an incomplete value.
        if self.is_cancelled() {
            return Some(made);
        }
        lock().insert(source, Arc::clone(&made) as Arc<dyn Any + Send + Sync>);
        Some(made)
    }

    /// Whether the diagnostics of a file are already computed.
    #[must_use]
    pub fn is_judged(&self, source: SourceId) -> bool {
        let Some(file) = self.file(source) else { return true };
        self.judged_with(file).into_iter().all(|source| self.state.known(source).is_some())
    }

    /// A declaration as its system reads it, with overlays applied: the system, the kind and the value. `None` for a
    /// document that declares nothing itself.
    #[must_use]
    pub fn value(&self, id: DocumentId) -> Option<(&'static Dialect, &'static Kind, SpannedValue<'_>)> {
        let file = self.file(id.source)?;
        let document = file.documents.get(id.position as usize)?;
        let (Ownership::Ours(dialect), DocumentRole::Kind(kind)) = (file.ownership, &document.role) else {
            return None;
        };
        if !kind.is_declarable() {
            return None;
        }
        let overlays = self.state.index.patches(id);
        let value = patched_value(&self.state.files, (dialect, kind), id, overlays)?;
        Some((dialect, kind, value))
    }

    /// The files that must be checked for the diagnostics of one file: itself, and the files with declarations that its
    /// overlays patch, because findings about those may be in the overlays.
    fn judged_with(&self, file: &FileFacts) -> BTreeSet<SourceId> {
        let overlays = file.documents.iter().filter_map(|document| document.overlay.as_ref());
        let targets = overlays.filter_map(|overlay| self.state.index.overlaid(overlay));
        targets.map(|target| target.document.source).chain([file.source]).collect()
    }
}

impl State {
    /// The result of checking a file; computed if it is not known yet.
    fn judge(&self, source: SourceId) -> Option<Arc<Judged>> {
        if let Some(known) = self.known(source) {
            return Some(known);
        }
        let judged = Arc::new(Judged::new(&self.files, &self.index, self.files.get(source)?));
        self.fresh().insert(source, Arc::clone(&judged));
        Some(judged)
    }

    /// The result of checking a file, if it is known and still valid.
    fn known(&self, source: SourceId) -> Option<Arc<Judged>> {
        let kept = self.kept.get(&source).filter(|judged| judged.holds(&self.index));
        kept.cloned().or_else(|| self.fresh().get(&source).cloned())
    }

    fn fresh(&self) -> MutexGuard<'_, FxHashMap<SourceId, Arc<Judged>>> {
        // If a reader panicked, the map is still consistent.
        self.fresh.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The contents of paths after all changes. Paths whose content does not change are left out.
fn wanted(files: &Files, changes: Vec<Change>) -> Wanted {
    let mut wanted = Wanted::new();
    for change in changes {
        match change {
            Change::Write { path, text, settings } => wanted.insert(path, Some((text, settings))),
            Change::Remove { path } => wanted.insert(path, None),
        };
    }
    wanted.retain(|path, content| match (files.at_path(path), content) {
        (Some(file), Some((text, settings))) => file.text.shared() != text || file.settings != *settings,
        (known, content) => known.is_some() || content.is_some(),
    });
    wanted
}

fn in_load_order(wanted: Wanted) -> Vec<WantedFile> {
    let mut files: Vec<WantedFile> = wanted.into_iter().collect();
    files.arrange_by(|(one, _), (other, _)| load_order(one, other));
    files
}

/// Computes the facts of files.
fn facts(written: Vec<Written>, others: &ModuleTexts<'_>) -> Vec<FileFacts> {
    match written.len() {
        0 | 1 => written.into_iter().map(|one| one.read(others)).collect(),
        _ => written.into_par_iter().map(|one| one.read(others)).collect(),
    }
}

impl Written {
    fn read(self, others: &ModuleTexts<'_>) -> FileFacts {
        FileFacts::read(self.source, self.path, self.text, self.settings, self.keeps_tree, others)
    }
}

/// The files with overlays for declarations in `sources`. Findings about such a declaration may be in the overlay's file.
fn patching<'a>(
    index: &'a Index,
    files: &'a Files,
    targets: &'a BTreeSet<SourceId>,
) -> impl Iterator<Item = SourceId> + 'a {
    let targets = targets.iter().filter(|_| index.has_patches());
    let documents = targets.filter_map(|target| files.get(*target)).flat_map(|file| &file.documents);
    documents.flat_map(|document| index.patches(document.id)).map(|overlay| overlay.source)
}

#[cfg(test)]
mod tests;

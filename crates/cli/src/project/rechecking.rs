//! The check of a project of which an earlier check knew everything: only what changed is checked, and what depends on it.
//!
//! Input: a project, and where results are kept. Output: its result. Invariant: the result is that of a check of all files; where
//! that is not sure, there is none.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use nodewise_analysis::TextSource;
use nodewise_analysis::deferred::DeferredFile;
use nodewise_analysis::diagnostic::Diagnostic;
use nodewise_analysis::workspace::{Change, CheckedBefore, ContentBefore, Snapshot, Workspace};
use nodewise_model::SourceId;
use nodewise_project::cache::changes::{FileNow, ProjectChanges};
use nodewise_project::cache::kept_check::{JudgedFile, KeptFile};
use nodewise_project::cache::known_files::KnownLinks;
use nodewise_project::cache::{
    self, CheckCache, CheckInputs, CheckKey, CheckResult, CheckTime, CheckedFile, FileStamp, KnownResult,
    StampedProgram,
};
use nodewise_project::discovery::{FoundFile, Project};
use nodewise_project::dropped_texts::DroppedTexts;
use nodewise_project::modules::is_module;
use nodewise_project::settings::SettingsOf;
use rayon::prelude::*;
use tracing::{info, info_span};

use super::checking::source_id;
use super::{Judge, checked, declared};
use crate::undeclared_rules;
use crate::workspace::programs;

/// If more than one file in `FEW` must be checked, a check of all files is as fast.
const FEW: usize = 4;

/// What an earlier check reported.
struct FormerReport {
    /// What reports say about each file.
    checked: Vec<Option<CheckedFile>>,
    /// The findings in all files, in output order.
    diagnostics: Vec<Diagnostic>,
}

/// A project with the changes since an earlier check.
struct ChangedProject {
    snapshot: Snapshot,
    /// The files whose findings may have changed.
    stale: BTreeSet<SourceId>,
    /// The programs that the check needs, if it needs any.
    programs: Option<Vec<StampedProgram>>,
}

impl Judge<'_> {
    /// Checks what changed since the last check of all files, and what depends on it; `None` if all files must be checked.
    pub(super) fn recheck(
        &self,
        project: &Project,
        cache: &CheckCache,
        key: &CheckKey,
    ) -> Option<KnownResult> {
        let _entered = info_span!("check what changed").entered();
        let began = CheckTime::now();
        let kept = cache.kept_check(key)?;
        let changes = kept.changes(project)?;
        if changed_paths(project, &kept.files, &changes).any(is_module) {
            // Whether a module belongs to a graph depends on all modules together.
            return None;
        }
        let checked = kept.files.iter().map(|file| file.checked.as_ref().map(|(checked, _)| *checked));
        let former = FormerReport { checked: checked.collect(), diagnostics: kept.diagnostics };
        let dropped = Arc::new(DroppedTexts::of(project));
        let texts = Arc::clone(&dropped) as Arc<dyn TextSource>;
        let mut settings = SettingsOf::new(project.config.clone(), self.forced).with_named(&project.files);
        let changed = changed_project(project, kept.files, &changes, &mut settings, &texts)?;
        if !undeclared_rules::notices(project, changed.snapshot.files()).is_empty() {
            return None;
        }
        self.progress.stage("checking", changed.stale.len());
        let known = former.result(project, &changes, &changed)?;
        if dropped.has_changed() {
            return None;
        }
        let stamp = |file: &FileNow| match file {
            FileNow::Same { stamp, .. } => Some(*stamp),
            FileNow::Other(read) => read.stamp,
        };
        let stamps: Vec<FileStamp> = changes.files.iter().map(stamp).collect::<Option<_>>()?;
        let inputs = CheckInputs { began, files: &stamps, programs: changed.programs.as_deref() };
        cache.keep(key, project, inputs, &known.result);
        if changes.has_new_times {
            cache.keep_times(key, began, &changes.same(project), changes.programs.as_deref());
        }
        info!(files = changed.stale.len(), of = project.files.len(), "only what changed is checked");
        // Not dropped, as after a check of all files: the process ends soon.
        std::mem::forget(changed);
        Some(known)
    }
}

/// The paths of the files that were added, changed or removed.
fn changed_paths<'c>(
    project: &'c Project,
    known: &'c [KeptFile],
    changes: &'c ProjectChanges,
) -> impl Iterator<Item = &'c str> {
    let is_other = |now: &FileNow| matches!(now, FileNow::Other(_));
    let others = project.files.iter().zip(&changes.files).filter(move |(_, now)| is_other(now));
    let others = others.map(|(file, _)| &*file.relative);
    let removed = changes.removed.iter().filter_map(|position| known.get(*position));
    others.chain(removed.map(|file| &*file.path))
}

/// The project after the changes. `None` if the old text of a changed file is needed, or if too many files depend on the
/// changes.
fn changed_project(
    project: &Project,
    known: Vec<KeptFile>,
    changes: &ProjectChanges,
    settings: &mut SettingsOf,
    texts: &Arc<dyn TextSource>,
) -> Option<ChangedProject> {
    let paths: Vec<String> = changed_paths(project, &known, changes).map(str::to_owned).collect();
    let removed = changes.removed.iter().filter_map(|position| known.get(*position));
    let mut wanted: Vec<Change> =
        removed.map(|file| Change::Remove { path: Arc::clone(&file.path) }).collect();
    for (file, now) in project.files.iter().zip(&changes.files) {
        if let FileNow::Other(read) = now {
            let (path, text) = (Arc::clone(&file.relative), Arc::clone(&read.text));
            wanted.push(Change::Write { settings: settings.file(&path), path, text });
        }
    }
    let files = checked_before(project, known, changes, settings)?;
    let count = files.len();
    let registering = match &changes.programs {
        Some(known) => {
            let (registering, stamped): (Vec<_>, Vec<_>) = programs(&project.root).into_iter().unzip();
            // A program that changed since the comparison makes the stored result useless.
            (stamped == *known).then_some(registering)?
        }
        None => Vec::new(),
    };
    let mut workspace = Workspace::checked_before(files, registering, texts)?;
    let before = workspace.snapshot();
    if !paths.iter().all(|path| before.can_lack_text(path)) {
        return None;
    }
    let applied = workspace.apply(wanted);
    let mut stale: BTreeSet<SourceId> = applied.stale.into_iter().collect();
    let mut needed = changes.programs.clone();
    let snapshot = workspace.snapshot();
    if needed.is_none() && snapshot.index().lacks_registrations(snapshot.files()) {
        let (registering, stamped) = programs(&project.root).into_iter().unzip();
        stale.extend(workspace.apply_python(registering).stale);
        needed = Some(stamped);
    }
    let snapshot = workspace.snapshot();
    std::mem::forget((workspace, before));
    let is_little = !applied.renumbered && stale.len() <= count / FEW;
    is_little.then_some(ChangedProject { snapshot, stale, programs: needed })
}

/// The files as the earlier check knew them. `None` if the text of a changed file is needed as it was.
fn checked_before(
    project: &Project,
    known: Vec<KeptFile>,
    changes: &ProjectChanges,
    settings: &mut SettingsOf,
) -> Option<Vec<CheckedBefore>> {
    let mut places = vec![None; known.len()];
    for (position, now) in changes.files.iter().enumerate() {
        if let FileNow::Same { known, stamp } = now {
            *places.get_mut(*known)? = Some((position, *stamp));
        }
    }
    let files = known.into_iter().zip(places).filter_map(|(file, place)| {
        let (_, judged) = file.checked?;
        Some((settings.file(&file.path), file.path, judged, place))
    });
    let files: Vec<_> = files.collect();
    let before = |(settings, path, judged, place): (_, Arc<str>, JudgedFile, Option<(usize, FileStamp)>)| {
        let JudgedFile { source, links, judgement } = judged;
        let content = match links {
            Some(KnownLinks { mark, ownership, links }) => {
                // The old text of a changed file is gone, so it gets a number without a text.
                let number = place.map_or(SourceId(u32::MAX), |(position, _)| source_id(position));
                ContentBefore::Deferred(DeferredFile { path, mark, number, ownership, links, settings })
            }
            None => {
                let (position, stamp) = place?;
                let text = text_of(project, position, stamp)?;
                ContentBefore::Text { path, text, settings }
            }
        };
        Some(CheckedBefore { source, content, judgement })
    };
    files.into_par_iter().map(before).collect()
}

/// The text of a file, if the file still has this stamp.
fn text_of(project: &Project, position: usize, stamp: FileStamp) -> Option<Arc<str>> {
    let file = project.files.get(position)?;
    let read = cache::read(&file.path(), project.config.size_max).ok()?;
    (read.stamp == Some(stamp)).then_some(read.text)
}

impl FormerReport {
    /// The result for the project now; `None` if a finding points to a file that is gone, or to a text that has just changed.
    fn result(
        &self,
        project: &Project,
        changes: &ProjectChanges,
        changed: &ChangedProject,
    ) -> Option<KnownResult> {
        let ChangedProject { snapshot, stale, .. } = changed;
        let positions = Positions::of(project, snapshot);
        let fresh = stale.par_iter().flat_map_iter(|source| snapshot.diagnostics(*source));
        let fresh: Vec<Diagnostic> = fresh.collect();
        let is_left = |one: &&Diagnostic| {
            let source = one.finding.at.source;
            !stale.contains(&source) && positions.of_number(source).is_some()
        };
        let kept = self.diagnostics.iter().filter(is_left).cloned();
        let mut diagnostics: Vec<Diagnostic> = kept
            .chain(fresh)
            .map(|one| one.renumbered(|source| positions.of_number(source)))
            .collect::<Option<_>>()?;
        // All findings of one file come from the same list, in order, so a stable sort by file is enough.
        diagnostics.sort_by_key(|one| one.finding.at.source);
        let file = |(file, now): (&FoundFile, &FileNow)| match now {
            FileNow::Same { known, .. } => self.checked.get(*known).copied().flatten(),
            FileNow::Other(_) => snapshot.files().at_path(&file.relative).map(|facts| checked(facts)),
        };
        let files = project.files.iter().zip(&changes.files).map(file).collect();
        let pointed_to: BTreeSet<SourceId> = diagnostics.iter().flat_map(Diagnostic::sources).collect();
        let text = |source: SourceId| {
            let position = usize::try_from(source.0).ok()?;
            let text = match changes.files.get(position)? {
                FileNow::Same { stamp, .. } => text_of(project, position, *stamp)?,
                FileNow::Other(read) => Arc::clone(&read.text),
            };
            Some((source, text))
        };
        let texts: BTreeMap<SourceId, Arc<str>> =
            pointed_to.into_par_iter().map(text).collect::<Option<_>>()?;
        let rules = snapshot.index().project_rules().iter().map(declared).collect();
        Some(KnownResult { result: CheckResult { files, diagnostics, rules }, texts })
    }
}

/// The id of each file in a snapshot, with the id that stands for its position in the project.
struct Positions(Vec<(SourceId, SourceId)>);

impl Positions {
    fn of(project: &Project, snapshot: &Snapshot) -> Positions {
        // Both are in load order.
        let mut files = snapshot.files().iter().peekable();
        let pair = |(position, file): (usize, &FoundFile)| {
            let facts = files.next_if(|facts| facts.path == file.relative)?;
            Some((facts.source, source_id(position)))
        };
        Positions(project.files.iter().enumerate().filter_map(pair).collect())
    }

    fn of_number(&self, number: SourceId) -> Option<SourceId> {
        let at = self.0.binary_search_by_key(&number, |(number, _)| *number).ok()?;
        self.0.get(at).map(|(_, position)| *position)
    }
}

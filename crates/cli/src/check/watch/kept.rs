//! A project in memory while it is watched.
//!
//! Input: the files of discovery, changed paths. Output: a workspace with their texts. Invariant: the workspace has the
//! texts on disk, as far as events and stamps tell. A file is read only if one of them shows a change.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use nodewise_analysis::settings::Pin;
use nodewise_analysis::workspace::{Change, Workspace};
use nodewise_project::discovery::{FoundFile, Project};
use nodewise_project::notice::Notice;
use nodewise_project::paths;
use nodewise_project::reading::{self, Unreadable};
use nodewise_project::settings::SettingsOf;
use rayon::prelude::*;

use super::programs::KeptPrograms;
use super::stamp::{Stamp, stamp};
use crate::workspace::without_text;

/// A project, its texts, and the time when they were read.
pub(super) struct Kept {
    /// The project, as discovery found it.
    pub(super) project: Project,
    /// The workspace with its texts.
    pub(super) workspace: Workspace,
    settings: SettingsOf,
    programs: KeptPrograms,
    /// The state of each file, by its path in the project.
    states: BTreeMap<Arc<str>, State>,
}

/// The state of a file when it was read.
struct State {
    stamp: Option<Stamp>,
    /// Its index among the project's files.
    number: usize,
    unreadable: Option<Unreadable>,
}

/// The result of reading files.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Read {
    /// How many files were read.
    pub(super) files: usize,
    /// Whether the report may differ from the last one.
    pub(super) is_news: bool,
}

/// The result of reading one file.
type Fresh = (usize, Option<Stamp>, Result<Arc<str>, Unreadable>);

impl Kept {
    /// A new project. All of it is read.
    pub(super) fn new(project: Project, forced: Option<Pin>) -> (Kept, Read) {
        let settings = SettingsOf::new(project.config.clone(), forced).with_named(&project.files);
        let (workspace, programs, states) = Default::default();
        let mut kept = Kept { project, workspace, settings, programs, states };
        let all: Vec<usize> = (0..kept.project.files.len()).collect();
        let files = kept.read(&all, Vec::new()).files;
        (kept, Read { files, is_news: true })
    }

    /// Whether a path is one of the files.
    pub(super) fn knows(&self, path: &Path) -> bool {
        self.relative(path).is_some()
    }

    /// Applies a new discovery: other files, another configuration. Reads files that are new, reported as changed, or
    /// have another stamp.
    pub(super) fn take_over(
        mut self,
        project: Project,
        forced: Option<Pin>,
        touched: &BTreeSet<PathBuf>,
    ) -> (Kept, Read) {
        self.settings = SettingsOf::new(project.config.clone(), forced).with_named(&project.files);
        let mut is_news = project.shown != self.project.shown || project.files != self.project.files;
        self.project = project;
        let mut before = std::mem::take(&mut self.states);
        let mut stale = Vec::new();
        for (number, file) in self.project.files.iter().enumerate() {
            let known = before.remove(&file.relative);
            let is_same = known.as_ref().is_some_and(|state| {
                let path = file.path();
                state.stamp.is_some() && state.stamp == stamp(&path) && !touched.contains(&path)
            });
            match known {
                Some(state) if is_same => {
                    self.states.insert(Arc::clone(&file.relative), State { number, ..state });
                }
                _ => stale.push(number),
            }
        }
        let mut changes: Vec<Change> = before.into_keys().map(|path| Change::Remove { path }).collect();
        changes.extend(self.settings_changes());
        let read = self.read(&stale, changes);
        is_news |= read.is_news;
        (self, Read { is_news, ..read })
    }

    /// Reads the files again that belong to the project.
    pub(super) fn read_again(&mut self, paths: &[&PathBuf]) -> Read {
        let states = paths.iter().filter_map(|path| self.states.get(self.relative(path)?.as_str()));
        let numbers: Vec<usize> = states.map(|state| state.number).collect();
        self.read(&numbers, Vec::new())
    }

    /// The notices about files that cannot be read.
    pub(super) fn unreadable(&self) -> impl Iterator<Item = Notice> {
        self.project.files.iter().filter_map(|file| {
            let unreadable = self.states.get(&file.relative)?.unreadable.as_ref()?;
            Some(without_text(&self.project, file, unreadable.clone()))
        })
    }

    /// The path of one of the files in the project.
    fn relative(&self, path: &Path) -> Option<String> {
        let relative = paths::slashed(path.strip_prefix(&self.project.root).ok()?);
        self.states.contains_key(relative.as_str()).then_some(relative)
    }

    /// Reads files and applies their texts, after the other changes.
    fn read(&mut self, numbers: &[usize], mut changes: Vec<Change>) -> Read {
        let size_max = self.project.config.size_max;
        let files = &self.project.files;
        let fresh = numbers.par_iter().filter_map(|&number| {
            let path = files.get(number)?.path();
            // The stamp first. If the file is written between the two, it is read again.
            Some((number, stamp(&path), reading::read(&path, size_max)))
        });
        let fresh: Vec<Fresh> = fresh.collect();
        let mut is_news = false;
        for (number, stamp, text) in fresh {
            let Some(FoundFile { relative, .. }) = files.get(number) else { continue };
            let path = Arc::clone(relative);
            let unreadable = match text {
                Ok(text) => {
                    let settings = self.settings.file(relative);
                    changes.push(Change::Write { path: Arc::clone(&path), text, settings });
                    None
                }
                Err(unreadable) => {
                    changes.push(Change::Remove { path: Arc::clone(&path) });
                    Some(unreadable)
                }
            };
            let before = self.states.get(&path).and_then(|state| state.unreadable.as_ref());
            is_news |= before != unreadable.as_ref();
            self.states.insert(path, State { stamp, number, unreadable });
        }
        is_news |= !self.workspace.apply(changes).changed.is_empty();
        let snapshot = self.workspace.snapshot();
        if snapshot.index().lacks_registrations(snapshot.files()) {
            self.workspace.apply_python(self.programs.changes(&self.project.root));
        }
        Read { files: numbers.len(), is_news }
    }

    /// The files whose settings have changed.
    fn settings_changes(&mut self) -> Vec<Change> {
        let snapshot = self.workspace.snapshot();
        let mut changes = Vec::new();
        for file in snapshot.files() {
            let settings = self.settings.file(&file.path);
            if self.states.contains_key(&file.path) && settings != file.settings {
                changes.push(Change::Write {
                    path: Arc::clone(&file.path),
                    text: Arc::clone(file.text.shared()),
                    settings,
                });
            }
        }
        changes
    }
}

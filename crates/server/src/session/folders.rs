//! The open folders, which are read in the background.
//!
//! Input: opened and closed folders, changed files, results of reading. Output: projects. Invariant: a folder is read
//! once at a time. Changes during the reading are read afterwards.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use nodewise_ide::completion;
use tracing::info_span;

use crate::clock::Moment;
use crate::editor::{Editor, Level, ProgressStep};
use crate::projects::load::{self, Content, Known, Loaded, LoadedProject, Watch};
use crate::projects::{DocumentOwner, Project};
use crate::uri;

use super::{Event, Session};
use crate::projects::load::concerns_us;

/// An open folder.
#[derive(Debug, Default)]
pub(super) struct Folder {
    is_read: bool,
    reading: Option<Reading>,
    /// The files to read after the current reading, one set for each request. An empty set means all files.
    waiting: Vec<BTreeSet<PathBuf>>,
}

#[derive(Debug)]
struct Reading {
    round: u64,
    is_given_up: Arc<AtomicBool>,
}

impl Folder {
    /// Whether its projects have been read.
    pub(super) fn is_read(&self) -> bool {
        self.is_read
    }

    /// Whether its projects are read for the first time.
    fn is_loading(&self) -> bool {
        !self.is_read && self.reading.is_some()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if let Some(reading) = &self.reading {
            reading.is_given_up.store(true, Ordering::Relaxed);
        }
    }
}

impl Session {
    /// Whether a folder is read for the first time.
    pub(super) fn is_loading(&self) -> bool {
        self.folders.values().any(Folder::is_loading)
    }

    /// Opens and closes folders.
    pub(super) fn change_folders(&mut self, added: &[String], removed: &[String]) {
        for folder in removed.iter().filter_map(|uri| uri::to_path(uri)) {
            self.opened.remove(&folder);
        }
        self.opened.extend(added.iter().filter_map(|uri| uri::to_path(uri)));
        let lies_in_another =
            |folder: &PathBuf| folder.ancestors().skip(1).any(|around| self.opened.contains(around));
        let outermost: BTreeSet<PathBuf> =
            self.opened.iter().filter(|folder| !lies_in_another(folder)).cloned().collect();
        let closed: Vec<PathBuf> =
            self.folders.keys().filter(|folder| !outermost.contains(*folder)).cloned().collect();
        for folder in closed {
            self.folders.remove(&folder);
            self.drop_projects(&folder);
        }
        let is_new = |folder: &PathBuf| !self.folders.contains_key(folder);
        let new: Vec<PathBuf> = outermost.into_iter().filter(is_new).collect();
        self.folders.extend(new.iter().map(|folder| (folder.clone(), Folder::default())));
        self.stale.is_other = true;
        self.place_documents();
        for folder in new {
            self.read_folder(&folder, BTreeSet::new());
        }
    }

    /// Reads the folders, also if they have already been read.
    pub(super) fn reread(&mut self) {
        let folders: Vec<PathBuf> = self.folders.keys().cloned().collect();
        for folder in folders {
            self.read_folder(&folder, BTreeSet::new());
        }
    }

    /// Handles changes of files and folders on disk. If a whole folder appears or disappears, editors report only the
    /// folder.
    pub(super) fn touched(&mut self, uris: &[String]) {
        let files = uris.iter().filter_map(|uri| uri::to_path(uri));
        let files: BTreeSet<PathBuf> =
            files.filter(|file| concerns_us(file) || self.holds_something(file)).collect();
        let is_hidden = |uri: &str| self.documents.contains_key(uri);
        let is_touched = |uri: &str| {
            uri::to_path(uri).is_some_and(|file| file.ancestors().any(|around| files.contains(around)))
        };
        let run = self.view.ran.iter().flat_map(|ran| &ran.files).map(|file| Arc::clone(&file.uri));
        // The text of an open document replaces that of its file.
        let outdated: Vec<Arc<str>> = run.filter(|uri| !is_hidden(uri) && is_touched(uri)).collect();
        self.forget_runs(|ran| outdated.iter().any(|uri| ran.is_about(uri)));
        let folders: BTreeSet<PathBuf> =
            files.iter().filter_map(|file| self.folder_of(file)).map(PathBuf::from).collect();
        for folder in folders {
            let inside = files.iter().filter(|file| file.starts_with(&folder)).cloned().collect();
            self.read_folder(&folder, inside);
        }
    }

    /// Whether a path is a folder, or was a folder with known files.
    fn holds_something(&self, path: &Path) -> bool {
        if self.view.disk.is_folder(path) {
            return true;
        }
        let holds = |(home, project): (&DocumentOwner, &Project)| match home {
            DocumentOwner::Folder(root) if root.starts_with(path) => true,
            DocumentOwner::Folder(_) => home.relative(path).is_some_and(|path| project.has_below(&path)),
            DocumentOwner::Alone(_) => false,
        };
        self.projects.iter().any(holds)
    }

    /// Reads a folder. Changed files are read even if their size and time are the same. If none are given, all files
    /// are checked.
    fn read_folder(&mut self, path: &PathBuf, touched: BTreeSet<PathBuf>) {
        let Some(folder) = self.folders.get_mut(path).filter(|_| self.is_ready) else { return };
        if folder.reading.is_some() {
            folder.waiting.push(touched);
            return;
        }
        self.rounds += 1;
        let is_given_up = Arc::new(AtomicBool::new(false));
        let round = self.rounds;
        folder.reading = Some(Reading { round, is_given_up: Arc::clone(&is_given_up) });
        let title = (!folder.is_read).then(|| "nodewise: Loading".to_owned());
        let known = match folder.is_read {
            true => self.known(path),
            false => Known::new(),
        };
        let (editor, queue, folder) = (Arc::clone(&self.editor), self.queue.clone(), path.clone());
        let disk = self.view.disk.clone();
        let work = move || {
            let _entered = info_span!("load", folder = %folder.display(), touched = touched.len()).entered();
            let read = || {
                let reporter = ReadingReporter::new(Arc::clone(&editor), is_given_up, round, title);
                let light = (!touched.is_empty()).then(|| load::files(&disk, &known, &touched)).flatten();
                light.or_else(|| load::folder(&disk, &folder, &known, &touched, &reporter))
            };
            // Requests wait for the end of the reading, however it ends.
            let loaded = catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| {
                let message =
                    format!("a bug in nodewise: cannot read {}; please report it", folder.display());
                editor.log(Level::Error, message);
                None
            });
            queue.send(Event::Loaded { round, loaded: loaded.map(Box::new) });
        };
        if let Err(error) = self.workers.start("nodewise-load", work) {
            self.editor.log(Level::Error, format!("cannot read the files: {error}"));
            if let Some(folder) = self.folders.get_mut(path) {
                folder.reading = None;
            }
        }
    }

    fn known(&self, folder: &PathBuf) -> Known {
        let inside = self.projects.iter().filter_map(|(home, project)| match home {
            DocumentOwner::Folder(root) if root.starts_with(folder) && project.is_complete() => {
                Some((root, project))
            }
            _ => None,
        });
        inside.map(|(root, project)| (root.clone(), project.known())).collect()
    }

    /// Applies the result of reading.
    pub(super) fn loaded(&mut self, round: u64, loaded: Option<Box<Loaded>>) {
        let is_awaited =
            |folder: &Folder| folder.reading.as_ref().is_some_and(|reading| reading.round == round);
        let Some((path, folder)) = self.folders.iter_mut().find(|(_, folder)| is_awaited(folder)) else {
            return;
        };
        let path = path.clone();
        folder.reading = None;
        let waiting = std::mem::take(&mut folder.waiting);
        match loaded.map(|loaded| *loaded) {
            Some(Loaded::Whole(read)) => {
                folder.is_read = true;
                for notice in &read.notices {
                    let level = if notice.is_failure { Level::Error } else { Level::Warning };
                    let message = format!("{}: {}; {}", notice.path, notice.reason, notice.help);
                    self.editor.log(level, message);
                }
                self.take_projects(&path, read.projects);
            }
            Some(Loaded::Files(texts)) => self.take_files(texts),
            None => {}
        }
        if !waiting.is_empty() {
            // If one of the waiting requests is for all files, read all files.
            let is_all = waiting.iter().any(BTreeSet::is_empty);
            let touched: BTreeSet<PathBuf> = waiting.into_iter().flatten().collect();
            if is_all && !touched.is_empty() {
                self.read_folder(&path, BTreeSet::new());
            }
            self.read_folder(&path, touched);
        }
    }

    fn take_projects(&mut self, folder: &PathBuf, loaded: Vec<LoadedProject>) {
        let roots: BTreeSet<PathBuf> = loaded.iter().map(|project| project.root.clone()).collect();
        let mut is_new = false;
        for mut project in loaded {
            let home = DocumentOwner::Folder(project.root.clone());
            let open = self.open_paths(&home);
            match (self.projects.get_mut(&home), &mut project.content) {
                (Some(known), Content::Changes(texts)) => {
                    texts.retain(|(path, _)| !open.contains(&**path));
                    known.reread(std::mem::take(texts));
                    known.set_states(project.states);
                    known.take_programs(project.programs);
                }
                _ => {
                    let kept_links = project.kept_links.take();
                    let project = Project::read(project);
                    let snapshot = project.snapshot();
                    if let Some(kept_links) = kept_links {
                        let (snapshot, states) = (snapshot.clone(), project.states());
                        let work = move || kept_links.complete(&snapshot, &states);
                        // If there is no thread for this, files are read when something asks for them.
                        self.workers.start("nodewise-links", work).ok();
                    }
                    // The first completion would otherwise wait until the names of the project are sorted.
                    if self.workers.has_threads() {
                        nodewise_platform::threads::spawn(move || completion::rehearse(&snapshot));
                    }
                    self.projects.insert(home.clone(), project);
                    is_new = true;
                }
            }
            self.stale.projects.insert(home);
        }
        let is_gone = |home: &&DocumentOwner| matches!(home, DocumentOwner::Folder(root) if root.starts_with(folder) && !roots.contains(root));
        let gone: Vec<DocumentOwner> = self.projects.keys().filter(is_gone).cloned().collect();
        is_new |= !gone.is_empty();
        for home in gone {
            self.projects.remove(&home);
            self.stale.projects.insert(home);
        }
        if is_new {
            self.place_documents();
        }
        self.stale.is_other = true;
    }

    fn take_files(&mut self, texts: Vec<(PathBuf, Arc<str>, Option<Arc<str>>)>) {
        for (root, path, text) in texts {
            let home = DocumentOwner::Folder(root);
            if self.open_paths(&home).contains(&*path) {
                continue;
            }
            if let Some(project) = self.projects.get_mut(&home) {
                project.reread(vec![(path, text)]);
                self.stale.projects.insert(home);
                self.stale.is_other = true;
            }
        }
    }

    fn open_paths(&self, home: &DocumentOwner) -> BTreeSet<String> {
        let inside = self.documents.values().filter(|open| open.home.as_ref() == Some(home));
        inside.map(|open| open.path.clone()).collect()
    }

    fn drop_projects(&mut self, folder: &PathBuf) {
        let is_inside =
            |home: &&DocumentOwner| matches!(home, DocumentOwner::Folder(root) if root.starts_with(folder));
        let gone: Vec<DocumentOwner> = self.projects.keys().filter(is_inside).cloned().collect();
        for home in gone {
            self.projects.remove(&home);
            self.stale.projects.insert(home);
        }
    }

    /// Finds the project of every document again.
    fn place_documents(&mut self) {
        let uris: Vec<Arc<str>> = self.documents.keys().cloned().collect();
        for uri in uris {
            let Some(open) = self.documents.get(&uri) else { continue };
            let (file, language) = (open.file.clone(), open.document.language.clone());
            let place = self.place(&uri, file.as_deref(), &language);
            let Some(open) = self.documents.get_mut(&uri) else { continue };
            let path = std::mem::replace(&mut open.path, place.1);
            if let Some(before) = std::mem::replace(&mut open.home, place.0)
                && open.home.as_ref() != Some(&before)
            {
                self.leave(before, &path);
            }
            self.stale.texts.insert(uri);
        }
    }
}

/// Reports the progress of reading to the editor, a few times per second.
struct ReadingReporter {
    editor: Arc<dyn Editor>,
    is_given_up: Arc<AtomicBool>,
    round: u64,
    is_shown: bool,
    begun: Moment,
    reported: AtomicU64,
}

const REPORT_EVERY_MS: u64 = 100;

impl ReadingReporter {
    fn new(
        editor: Arc<dyn Editor>,
        is_given_up: Arc<AtomicBool>,
        round: u64,
        title: Option<String>,
    ) -> ReadingReporter {
        let is_shown = title.is_some();
        if let Some(title) = title {
            editor.progress(ProgressStep::Begin { work: round, title, is_cancellable: false });
        }
        ReadingReporter {
            editor,
            is_given_up,
            round,
            is_shown,
            begun: Moment::now(),
            reported: AtomicU64::new(0),
        }
    }
}

impl Watch for ReadingReporter {
    fn is_wanted(&self) -> bool {
        !self.is_given_up.load(Ordering::Relaxed)
    }

    fn progress(&self, done: usize, all: usize) {
        let now = u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        if self.is_shown && now >= self.reported.load(Ordering::Relaxed) + REPORT_EVERY_MS {
            self.reported.store(now, Ordering::Relaxed);
            self.editor.progress(ProgressStep::Report { work: self.round, done, all });
        }
    }
}

impl Drop for ReadingReporter {
    fn drop(&mut self) {
        if self.is_shown {
            self.editor.progress(ProgressStep::End { work: self.round });
        }
    }
}

//! Reads a folder: its projects, and the changes since it was last read.
//!
//! Input: a folder, and the state of its files when they were last read. Output: projects, complete or as changes.
//! Invariant: nothing outside of the folder is read. A file is read again only if its size or time differ, or if the
//! editor reports a change.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use nodewise_analysis::functions::PythonChange;
use nodewise_analysis::workspace::{Change, Workspace};
use nodewise_dialect::tables::is_declaration_extension;
use nodewise_platform::threads::prelude::*;
use nodewise_project::cache::FileState;
use nodewise_project::config::{Config, ConfigProblem, FILE_NAME};
use nodewise_project::discovery::Project as Found;
use nodewise_project::modules::{self, ReadFile};
use nodewise_project::notice::Notice;
use nodewise_project::reading::Unreadable;
use nodewise_project::settings::SettingsOf;
use nodewise_project::{paths, python, shared_rules};

use super::kept_links::{FormerFiles, KeptLinks};
use crate::disk::Disk;

/// The state of a folder's projects when they were last read, by their folders.
pub(crate) type Known = BTreeMap<PathBuf, KnownProject>;

/// The state of a project when it was last read.
#[derive(Debug, Clone)]
pub(crate) struct KnownProject {
    /// The state of its files, by path.
    pub(crate) states: Arc<BTreeMap<Arc<str>, FileState>>,
    /// The state of its configuration.
    pub(crate) config_state: Option<FileState>,
    /// The maximum size of a file, in bytes. Larger files are not read.
    pub(crate) size_max: u64,
}

/// The result of reading a folder.
#[derive(Debug)]
pub(crate) enum Loaded {
    /// The whole contents of the folder.
    Whole(Folder),
    /// Some of its files: the folder of the project, the path, and the text unless the file is gone.
    Files(Vec<(PathBuf, Arc<str>, Option<Arc<str>>)>),
}

/// The contents of a folder.
#[derive(Debug)]
pub(crate) struct Folder {
    pub(crate) projects: Vec<LoadedProject>,
    /// Notices about files that cannot be read.
    pub(crate) notices: Vec<Notice>,
}

/// A project on disk.
#[derive(Debug)]
pub(crate) struct LoadedProject {
    /// The folder of the project.
    pub(crate) root: PathBuf,
    pub(crate) config: Config,
    pub(crate) config_problems: Vec<ConfigProblem>,
    /// Its files, or changes to them.
    pub(crate) content: Content,
    /// The state of the files when they were read.
    pub(crate) states: BTreeMap<Arc<str>, FileState>,
    /// The state of the configuration when it was read.
    pub(crate) config_state: Option<FileState>,
    /// Its Python files, or changes to them.
    pub(crate) programs: Programs,
    /// Where the links of its files are kept, if all files were looked at.
    pub(crate) kept_links: Option<KeptLinks>,
}

/// The Python files of a project.
#[derive(Debug)]
pub(crate) enum Programs {
    All(Vec<PythonChange>),
    Changed(Vec<PythonChange>),
}

/// The files of a project.
#[derive(Debug)]
pub(crate) enum Content {
    Whole(Workspace),
    /// The changes since they were last read: the path, and the text unless the file is gone.
    Changes(Vec<(Arc<str>, Option<Arc<str>>)>),
}

/// Observes the reading of a folder, and can stop it.
pub(crate) trait Watch: Sync {
    /// Whether the work is still wanted.
    fn is_wanted(&self) -> bool;
    /// Reports that `done` of `all` files are read.
    fn progress(&self, done: usize, all: usize);
}

/// Reads only the touched files. `None` if the whole folder has to be read: if a file is not known, or if it is a
/// copy that has to be compared with its original.
pub(crate) fn files(disk: &Disk, known: &Known, touched: &BTreeSet<PathBuf>) -> Option<Loaded> {
    let read = |file: &PathBuf| {
        let (root, project) = file.ancestors().find_map(|around| known.get_key_value(around))?;
        let path = paths::slashed(file.strip_prefix(root).ok()?);
        let (path, _) = project.states.get_key_value(path.as_str())?;
        if shared_rules::is_copy(path) {
            return None;
        }
        // A file that is gone may have been replaced by a folder.
        let text = if disk.is_file(file) { Some(disk.read(file, project.size_max).ok()?) } else { None };
        Some((root.clone(), Arc::clone(path), text))
    };
    touched.iter().map(read).collect::<Option<_>>().map(Loaded::Files)
}

/// Reads a folder. `None` if the work is no longer wanted.
pub(crate) fn folder(
    disk: &Disk,
    folder: &Path,
    known: &Known,
    touched: &BTreeSet<PathBuf>,
    watch: &dyn Watch,
) -> Option<Loaded> {
    let found = disk.projects(folder);
    let all = found.projects.iter().map(|project| project.files.len()).sum();
    let mut done = 0;
    let mut notices = found.notices;
    let mut projects = Vec::new();
    for project in found.projects {
        let count = project.files.len();
        let reader = Reader { disk, touched, watch, done, all };
        projects.push(reader.project(project, known, &mut notices)?);
        done += count;
    }
    Some(Loaded::Whole(Folder { projects, notices }))
}

struct Reader<'w> {
    disk: &'w Disk,
    touched: &'w BTreeSet<PathBuf>,
    watch: &'w dyn Watch,
    done: usize,
    all: usize,
}

/// How many files are read before it is checked again whether they are still wanted.
const BATCH: usize = 256;

/// What was found at the files of a project.
#[derive(Default)]
struct Seen {
    /// Texts that are new, and paths that are gone.
    changes: Vec<(Arc<str>, Option<Arc<str>>)>,
    /// The positions of the files that are known from a former session, and are read later.
    deferred: Vec<usize>,
    states: BTreeMap<Arc<str>, FileState>,
}

impl Reader<'_> {
    fn project(&self, found: Found, known: &Known, notices: &mut Vec<Notice>) -> Option<LoadedProject> {
        let config_file = found.root.join(FILE_NAME);
        let config_state = self.disk.state(&config_file);
        let is_same =
            |old: &&KnownProject| old.config_state == config_state && !self.is_touched(&config_file);
        let old = known.get(&found.root).filter(is_same).map(|old| &*old.states);
        let kept_links = KeptLinks::of(self.disk, &found).filter(|_| old.is_none());
        let former = kept_links.as_ref().map(KeptLinks::former_files).unwrap_or_default();
        let Seen { mut changes, deferred, states } = self.look(&found, old, &former, notices)?;
        let content = || match old {
            Some(old) => {
                let gone = old.keys().filter(|path| !states.contains_key(*path));
                changes.extend(gone.map(|path| (Arc::clone(path), None)));
                Content::Changes(changes)
            }
            None => Content::Whole(workspace(&found, changes, former, &deferred)),
        };
        let (content, programs) = nodewise_platform::threads::join(content, || self.programs(&found.root));
        let Found { root, config, config_problems, .. } = found;
        Some(LoadedProject {
            root,
            config,
            config_problems,
            content,
            states,
            config_state,
            programs,
            kept_links,
        })
    }

    /// Looks at each file of a project, and reads those that are new or have changed. `None` if the work is no longer wanted.
    fn look(
        &self,
        found: &Found,
        old: Option<&BTreeMap<Arc<str>, FileState>>,
        former: &FormerFiles,
        notices: &mut Vec<Notice>,
    ) -> Option<Seen> {
        let mut seen = Seen::default();
        for (batch, files) in found.files.chunks(BATCH).enumerate() {
            if !self.watch.is_wanted() {
                return None;
            }
            self.watch.progress(self.done + batch * BATCH, self.all);
            let texts: Vec<_> = files
                .par_iter()
                .map(|file| {
                    let path = file.path();
                    let state = self.disk.state(&path);
                    let old = old.and_then(|old| old.get(&file.relative).copied());
                    let is_touched = self.is_touched(&path);
                    let is_former = !is_touched && former.have(&file.relative, state);
                    let is_same = is_former || state.is_some() && state == old && !is_touched;
                    let text = (!is_same).then(|| self.disk.read(&path, found.config.size_max));
                    (state, is_former, text)
                })
                .collect();
            for ((position, file), (state, is_former, text)) in (batch * BATCH..).zip(files).zip(texts) {
                match text {
                    Some(Ok(text)) => seen.changes.push((Arc::clone(&file.relative), Some(text))),
                    Some(Err(unreadable)) => {
                        let (path, Unreadable { reason, help }) = (file.path(), unreadable);
                        notices.push(Notice::failure(path.to_string_lossy(), reason, help));
                        continue;
                    }
                    None => seen.deferred.extend(is_former.then_some(position)),
                }
                seen.states.extend(state.map(|state| (Arc::clone(&file.relative), state)));
            }
        }
        Some(seen)
    }

    /// Whether the editor reported a change of a file, or of a folder around it.
    fn is_touched(&self, file: &Path) -> bool {
        !self.touched.is_empty() && file.ancestors().any(|around| self.touched.contains(around))
    }

    /// The Python files of a project: the changed ones, or all if the editor did not name any.
    fn programs(&self, root: &Path) -> Programs {
        let change = |file: PathBuf| {
            let path = paths::slashed(file.strip_prefix(root).ok()?);
            let text =
                if self.disk.is_file(&file) { self.disk.read(&file, python::SIZE_MAX).ok() } else { None };
            Some(PythonChange { path, text })
        };
        let is_file = |path: &PathBuf| concerns_us(path) && !self.disk.is_folder(path);
        // A touched folder may contain any number of programs.
        if self.touched.is_empty() || !self.touched.iter().all(is_file) {
            return Programs::All(self.disk.python_files(root).into_par_iter().filter_map(change).collect());
        }
        let touched = self.touched.iter().filter(|file| python::is_python_name(file)).cloned();
        Programs::Changed(touched.filter_map(change).collect())
    }
}

fn workspace(
    found: &Found,
    texts: Vec<(Arc<str>, Option<Arc<str>>)>,
    former: FormerFiles,
    deferred: &[usize],
) -> Workspace {
    let mut settings = SettingsOf::new(found.config.clone(), None);
    let mut workspace = match deferred {
        [] => Workspace::new(),
        _ => former.workspace(found, deferred, &mut settings),
    };
    let write = |(path, text): (Arc<str>, Arc<str>)| {
        let settings = settings.file(&path);
        Change::Write { path, text, settings }
    };
    let texts: Vec<(Arc<str>, Arc<str>)> =
        texts.into_iter().filter_map(|(path, text)| Some((path, text?))).collect();
    let read = texts.iter().map(|(path, text)| ReadFile { path, text, is_named: false });
    let needed = modules::needed(&read.collect::<Vec<_>>());
    let texts = texts.into_iter().zip(needed).filter_map(|(file, is_needed)| is_needed.then_some(file));
    workspace.apply(texts.map(write).collect());
    workspace
}

/// Whether the server needs to know about changes of the file.
pub(crate) fn concerns_us(file: &Path) -> bool {
    let extension = file.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(is_declaration_extension)
        || python::is_python_name(file)
        || file.file_name().is_some_and(|name| name == FILE_NAME)
}

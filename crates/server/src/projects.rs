//! The projects of a session: declarations that are checked together, updated when documents and files change.
//!
//! Input: the contents of a folder, documents, changes on disk. Output: snapshots. Invariant: the text of an open
//! document replaces that of its file. The text on disk is used again when the document is closed.

pub(crate) mod kept_links;
pub(crate) mod load;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use nodewise_analysis::functions::PythonChange;
use nodewise_analysis::workspace::{Change, Snapshot, Workspace};
use nodewise_project::cache::FileState;
use nodewise_project::config::live::Live;
use nodewise_project::config::{Config, ConfigProblem};
use nodewise_project::paths;
use nodewise_project::settings::SettingsOf;

use crate::disk::Disk;
use load::{Content, KnownProject, LoadedProject, Programs};

/// Identifies a project.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum DocumentOwner {
    /// The project of a folder.
    Folder(PathBuf),
    /// The project of a single document, by its URI.
    Alone(Arc<str>),
}

/// A project of a session.
#[derive(Debug)]
pub(crate) struct Project {
    root: Option<PathBuf>,
    config: Config,
    live: Arc<Live>,
    config_problems: Vec<ConfigProblem>,
    settings: SettingsOf,
    workspace: Workspace,
    is_complete: bool,
    states: Arc<BTreeMap<Arc<str>, FileState>>,
    config_state: Option<FileState>,
}

impl Project {
    /// The project of one document without a folder.
    pub(crate) fn alone() -> Project {
        Project { is_complete: true, ..Project::unread(None, Config::default(), Vec::new()) }
    }

    /// The project of a folder whose files have not been read.
    pub(crate) fn unread(
        root: Option<PathBuf>,
        config: Config,
        config_problems: Vec<ConfigProblem>,
    ) -> Project {
        Project {
            root,
            settings: SettingsOf::new(config.clone(), None),
            live: Arc::new(config.live.clone()),
            config,
            config_problems,
            workspace: Workspace::new(),
            is_complete: false,
            states: Arc::default(),
            config_state: None,
        }
    }

    /// A project that was read from disk.
    pub(crate) fn read(loaded: LoadedProject) -> Project {
        let mut project = Project::unread(Some(loaded.root), loaded.config, loaded.config_problems);
        project.is_complete = true;
        project.states = Arc::new(loaded.states);
        project.config_state = loaded.config_state;
        if let Content::Whole(workspace) = loaded.content {
            project.workspace = workspace;
        }
        project.take_programs(loaded.programs);
        project
    }

    /// Stores the state of its files when they were read.
    pub(crate) fn set_states(&mut self, states: BTreeMap<Arc<str>, FileState>) {
        self.states = Arc::new(states);
    }

    /// The state of its files when they were read.
    pub(crate) fn states(&self) -> Arc<BTreeMap<Arc<str>, FileState>> {
        Arc::clone(&self.states)
    }

    /// Applies changes on disk: paths with their texts, or without if the files are gone.
    pub(crate) fn reread(&mut self, texts: Vec<(Arc<str>, Option<Arc<str>>)>) {
        let change = |(path, text): (Arc<str>, Option<Arc<str>>)| match text {
            Some(text) => self.write(&path, text),
            None => Change::Remove { path },
        };
        let changes: Vec<Change> = texts.into_iter().map(change).collect();
        if !changes.is_empty() {
            self.workspace.apply(changes);
        }
    }

    /// Replaces its Python files, or applies changes to them.
    pub(crate) fn take_programs(&mut self, programs: Programs) {
        let changes = match programs {
            Programs::Changed(changes) => changes,
            Programs::All(mut changes) => {
                let here: BTreeSet<&str> = changes.iter().map(|change| change.path.as_str()).collect();
                let snapshot = self.workspace.snapshot();
                let known = snapshot.functions().modules().map(|module| module.path.clone());
                let gone: Vec<String> = known.filter(|path| !here.contains(path.as_str())).collect();
                changes.extend(gone.into_iter().map(|path| PythonChange { path, text: None }));
                changes
            }
        };
        self.workspace.apply_python(changes);
    }

    /// Its folder, if it has one.
    pub(crate) fn root(&self) -> Option<&Path> {
        self.root.as_deref()
    }

    /// Whether all its files have been read.
    pub(crate) fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// The problems of its configuration.
    pub(crate) fn config_problems(&self) -> &[ConfigProblem] {
        &self.config_problems
    }

    /// The former names that its configuration uses.
    pub(crate) fn config_notes(&self) -> &[ConfigProblem] {
        &self.config.notes
    }

    /// How its declarations are formatted.
    pub(crate) fn format(&self) -> &nodewise_format::FormatOptions {
        &self.config.format
    }

    /// The providers of its live runs.
    pub(crate) fn live(&self) -> &Arc<Live> {
        &self.live
    }

    /// The state of its files and its configuration when they were read, to find out later what has changed.
    pub(crate) fn known(&self) -> KnownProject {
        let states = self.states();
        KnownProject { states, config_state: self.config_state, size_max: self.config.size_max }
    }

    /// Whether a file with that path existed when it was read.
    pub(crate) fn has_on_disk(&self, path: &str) -> bool {
        self.states.contains_key(path)
    }

    /// Whether a folder contained declarations or programs when it was read.
    pub(crate) fn has_below(&self, folder: &str) -> bool {
        let inside = format!("{folder}/");
        let mut behind = self.states.range::<str, _>((Bound::Excluded(inside.as_str()), Bound::Unbounded));
        let snapshot = self.workspace.snapshot();
        behind.next().is_some_and(|(path, _)| path.starts_with(&inside))
            || snapshot.functions().modules().any(|module| module.path.starts_with(&inside))
    }

    /// Whether its configuration includes a file.
    pub(crate) fn wants(&self, path: &str) -> bool {
        self.config.filter.wants(path)
    }

    /// The change that replaces the text of a file with the text of its document.
    pub(crate) fn write(&mut self, path: &str, text: Arc<str>) -> Change {
        Change::Write { path: path.into(), text, settings: self.settings.file(path) }
    }

    /// The change that uses the file on disk again, after its document is closed.
    pub(crate) fn back_to_disk(&mut self, disk: &Disk, path: &str) -> Change {
        let file = self.root.as_deref().filter(|_| self.has_on_disk(path)).map(|root| root.join(path));
        match file.map(|file| disk.read(&file, self.config.size_max)) {
            Some(Ok(text)) => self.write(path, text),
            _ => Change::Remove { path: path.into() },
        }
    }

    pub(crate) fn apply(&mut self, changes: Vec<Change>) {
        self.workspace.apply(changes);
    }

    /// The project as it is now.
    pub(crate) fn snapshot(&self) -> Snapshot {
        self.workspace.snapshot()
    }
}

impl DocumentOwner {
    /// The path of a file, relative to the project's folder.
    pub(crate) fn relative(&self, file: &Path) -> Option<String> {
        match self {
            DocumentOwner::Folder(root) => file.strip_prefix(root).ok().map(paths::slashed),
            DocumentOwner::Alone(_) => None,
        }
    }
}

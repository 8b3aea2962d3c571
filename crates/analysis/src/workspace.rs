//! A project that is kept true while files come, change and go. In: changes, applied by one writer in the order in
//! which they arrive; out: snapshots, which any number of readers hold while the next change is applied.

use std::collections::BTreeMap;
use std::sync::Arc;

use nodewise_model::SourceId;

use crate::check;
use crate::diagnostic::Diagnostic;
use crate::facts::FileFacts;
use crate::files::Files;
use crate::index::Index;
use crate::settings::Settings;

/// A project under change.
#[derive(Debug, Default)]
pub struct Workspace {
    texts: BTreeMap<String, (Arc<str>, Arc<Settings>)>,
    now: Snapshot,
}

/// One thing that happened to a project.
#[derive(Debug, Clone)]
pub enum Change {
    /// A file has this text and these settings now; it may be new.
    Write {
        /// The path relative to the project, with `/` between its parts.
        path: String,
        /// The whole text.
        text: Arc<str>,
        /// What is configured for the file.
        settings: Arc<Settings>,
    },
    /// A file is gone.
    Remove {
        /// The path relative to the project.
        path: String,
    },
}

/// A project at one moment.
#[derive(Debug, Clone, Default)]
pub struct Snapshot {
    state: Arc<State>,
}

#[derive(Debug, Default)]
struct State {
    files: Files,
    index: Index,
    paths: BTreeMap<String, SourceId>,
}

impl Workspace {
    /// A project without files.
    #[must_use]
    pub fn new() -> Workspace {
        Workspace::default()
    }

    /// Applies changes, one after another.
    pub fn apply(&mut self, changes: Vec<Change>) {
        for change in changes {
            match change {
                Change::Write { path, text, settings } => {
                    self.texts.insert(path, (text, settings));
                }
                Change::Remove { path } => {
                    self.texts.remove(&path);
                }
            }
        }
        let facts = self.texts.iter().zip(0..).map(|((path, (text, settings)), number)| {
            FileFacts::new(SourceId(number), path.clone(), Arc::clone(text), Arc::clone(settings))
        });
        let files: Files = facts.collect();
        let index = Index::build(&files);
        let paths = files.iter().map(|file| (file.path.clone(), file.source)).collect();
        self.now = Snapshot { state: Arc::new(State { files, index, paths }) };
    }

    /// The project as it is now.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        self.now.clone()
    }
}

impl Snapshot {
    /// The files.
    #[must_use]
    pub fn files(&self) -> &Files {
        &self.state.files
    }

    /// All files together.
    #[must_use]
    pub fn index(&self) -> &Index {
        &self.state.index
    }

    /// The number of the file at a path relative to the project.
    #[must_use]
    pub fn source(&self, path: &str) -> Option<SourceId> {
        self.state.paths.get(path).copied()
    }

    /// The file of that number.
    #[must_use]
    pub fn file(&self, source: SourceId) -> Option<&FileFacts> {
        self.state.files.get(source)
    }

    /// What is wrong with a file, in output order: what `check` prints for it.
    #[must_use]
    pub fn diagnostics(&self, source: SourceId) -> Vec<Diagnostic> {
        let mut diagnostics = check::check(&self.state.files);
        diagnostics.retain(|diagnostic| diagnostic.finding.at.source == source);
        diagnostics
    }
}

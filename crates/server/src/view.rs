//! What a request reads: the session at one moment.
//!
//! Input: a URI, an origin. Output: files, positions. Invariant: a view never changes, so any thread can answer a
//! request while the next edit is applied.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use nodewise_analysis::facts::FileFacts;
use nodewise_analysis::workspace::Snapshot;
use nodewise_model::{Origin, SourceId};
use nodewise_project::config::live::Live;
use nodewise_project::config::{ConfigProblem, FILE_NAME};
use rustc_hash::FxHashMap;

use crate::disk::Disk;
use crate::options::UserSettings;
use crate::positions::{Encoding, LineTable, Span};
use crate::projects::DocumentOwner;
use crate::runs::Ran;
use crate::uri;

/// The session at one moment.
#[derive(Debug, Clone, Default)]
pub(crate) struct View {
    /// The code units that columns count.
    pub(crate) encoding: Encoding,
    /// The files of the folders.
    pub(crate) disk: Disk,
    /// The user's settings.
    pub(crate) options: UserSettings,
    /// Whether the client pulls diagnostics, so that none are pushed.
    pub(crate) pulls: bool,
    /// The folders that are open.
    pub(crate) folders: Arc<[PathBuf]>,
    pub(crate) projects: BTreeMap<DocumentOwner, Arc<ProjectView>>,
    /// The open documents, by their URIs.
    pub(crate) documents: BTreeMap<Arc<str>, Arc<OpenDocument>>,
    /// A counter of changes to what the projects declare, refer to and patch.
    pub(crate) links: u64,
    /// The value of the counter when the client was last asked to refresh.
    pub(crate) links_sent: u64,
    /// The decorations of the last runs. No two have the same file.
    pub(crate) ran: Vec<Arc<Ran>>,
}

/// A project at one moment.
#[derive(Debug, Default)]
pub(crate) struct ProjectView {
    /// Its folder, if it has one.
    pub(crate) root: Option<PathBuf>,
    /// Its declarations.
    pub(crate) snapshot: Snapshot,
    /// Whether all its files have been read.
    pub(crate) is_complete: bool,
    /// The problems of its configuration.
    pub(crate) config_problems: Vec<ConfigProblem>,
    /// The former names that its configuration uses.
    pub(crate) config_notes: Vec<ConfigProblem>,
    /// How its declarations are formatted.
    pub(crate) format: nodewise_format::FormatOptions,
    /// The providers of its live runs.
    pub(crate) live: Arc<Live>,
    /// Its open documents, by path.
    pub(crate) open: BTreeMap<String, Arc<OpenDocument>>,
}

/// An open document at one moment.
#[derive(Debug)]
pub(crate) struct OpenDocument {
    /// The URI, as the client writes it.
    pub(crate) uri: Arc<str>,
    /// The client's version number of this text.
    pub(crate) version: i32,
    /// Its project. `None` if nodewise ignores the document.
    pub(crate) home: Option<DocumentOwner>,
    /// Its path in the project.
    pub(crate) path: String,
    pub(crate) text: Arc<str>,
    lines: OnceLock<Arc<LineTable>>,
}

/// The file of a request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FileView<'v> {
    pub(crate) project: &'v ProjectView,
    /// What is known about it.
    pub(crate) facts: &'v FileFacts,
}

/// Converts origins to positions. The lines of each file are counted once.
#[derive(Debug)]
pub(crate) struct Places<'v> {
    project: &'v ProjectView,
    encoding: Encoding,
    tables: RefCell<FxHashMap<SourceId, Arc<LineTable>>>,
}

impl View {
    /// The file that a URI names, open or not.
    pub(crate) fn file(&self, uri: &str) -> Option<FileView<'_>> {
        let (home, path) = match self.documents.get(uri) {
            Some(document) => (document.home.clone()?, document.path.clone()),
            None => self.home_of(uri)?,
        };
        let project = self.projects.get(&home)?;
        let source = project.snapshot.source(&path)?;
        Some(FileView { project, facts: project.snapshot.file(source)? })
    }

    /// Converts a project's origins to positions.
    pub(crate) fn places<'v>(&self, project: &'v ProjectView) -> Places<'v> {
        Places { project, encoding: self.encoding, tables: RefCell::default() }
    }

    /// The path of a file in a project, also if the file does not exist.
    pub(crate) fn path_in(&self, project: &ProjectView, uri: &str) -> Option<String> {
        let (home, path) = self.home_of(uri)?;
        let own = self.projects.get(&home)?;
        std::ptr::eq(own.as_ref(), project).then_some(path)
    }

    /// The nearest project around a file that is not open, and the path of the file in it.
    fn home_of(&self, uri: &str) -> Option<(DocumentOwner, String)> {
        let file = uri::to_path(uri)?;
        let homes = file.ancestors().map(|folder| DocumentOwner::Folder(folder.to_owned()));
        let home = homes.into_iter().find(|home| self.projects.contains_key(home))?;
        let path = home.relative(&file)?;
        Some((home, path))
    }
}

impl ProjectView {
    /// A number that changes with every change of what is declared, referred to or patched.
    pub(crate) fn links(&self) -> u64 {
        self.snapshot.index().link_revision()
    }

    /// The client's URI of a file in the project.
    pub(crate) fn uri(&self, path: &str) -> Option<Arc<str>> {
        match (self.open.get(path), &self.root) {
            (Some(document), _) => Some(Arc::clone(&document.uri)),
            (None, Some(root)) => Some(uri::from_path(&root.join(path)).into()),
            (None, None) => None,
        }
    }
}

impl OpenDocument {
    pub(crate) fn new(
        uri: Arc<str>,
        version: i32,
        (home, path): (Option<DocumentOwner>, String),
        text: Arc<str>,
    ) -> OpenDocument {
        OpenDocument { uri, version, home, path, text, lines: OnceLock::new() }
    }

    /// Whether it is a configuration file.
    pub(crate) fn is_configuration(&self) -> bool {
        self.home.is_none()
            && uri::to_path(&self.uri)
                .is_some_and(|file| file.file_name().is_some_and(|name| name == FILE_NAME))
    }

    pub(crate) fn lines(&self, encoding: Encoding) -> &Arc<LineTable> {
        self.lines.get_or_init(|| Arc::new(LineTable::new(&self.text, encoding)))
    }
}

impl Places<'_> {
    /// The lines of a file.
    pub(crate) fn lines(&self, source: SourceId) -> Option<Arc<LineTable>> {
        if let Some(lines) = self.tables.borrow().get(&source) {
            return Some(Arc::clone(lines));
        }
        let facts = self.project.snapshot.file(source)?;
        let lines = match self.project.open.get(&*facts.path) {
            Some(document) if document.text == *facts.text.shared() => {
                Arc::clone(document.lines(self.encoding))
            }
            _ => Arc::new(LineTable::new(&facts.text, self.encoding)),
        };
        self.tables.borrow_mut().insert(source, Arc::clone(&lines));
        Some(lines)
    }

    /// The place of an origin: the URI of the file, and the positions.
    pub(crate) fn place(&self, origin: Origin) -> Option<(Arc<str>, Span)> {
        let facts = self.project.snapshot.file(origin.source)?;
        Some((self.project.uri(&facts.path)?, self.span(origin)?))
    }

    /// The positions of an origin.
    pub(crate) fn span(&self, origin: Origin) -> Option<Span> {
        Some(self.lines(origin.source)?.span(origin.range))
    }
}

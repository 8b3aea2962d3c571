//! The session: the open folders and documents, and what is known about them.
//!
//! Input: events, in the order in which they arrived. Output: views, and messages to the editor. Invariant: one thread at a
//! time owns the session. A request sees every event that arrived before it, and no later one. Only a request whose answer depends
//! on other files sees the folders that are read meanwhile.

mod folders;
mod queue;
mod ran;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use nodewise_dialect::tables::{is_declaration_extension, systems};
use nodewise_project::config::{Config, FILE_NAME};
use nodewise_project::reading;

use crate::disk::Disk;
use crate::documents::{DocumentEdit, DocumentText};
use crate::editor::{Editor, Level};
use crate::options::UserSettings;
use crate::positions::Encoding;
use crate::projects::load::Loaded;
use crate::projects::{DocumentOwner, Project};
use crate::publish::Publisher;
use crate::runs::Ran;
use crate::uri;
use crate::view::{OpenDocument, ProjectView, View};
use crate::workers::Workers;

use folders::Folder;
pub(crate) use queue::{Queue, SessionWorker, SharedSession};

/// What the session handles: something that happened, or a request for a view.
pub(crate) enum Event {
    /// The client sent `initialize`.
    Begin(Setup),
    /// The client is ready, so reading may begin.
    Ready,
    /// A document was opened.
    Open {
        uri: String,
        /// The client's version number of the text.
        version: i32,
        /// The language id that the client sent.
        language: String,
        text: String,
    },
    /// A document was edited.
    Edit {
        uri: String,
        /// The client's version number of the new text.
        version: i32,
        edits: Vec<DocumentEdit>,
    },
    /// A document was closed.
    Close { uri: String },
    /// A document was saved.
    Save { uri: String },
    /// Files changed on disk.
    Touched(Vec<String>),
    /// The user asked to read the files again.
    Refresh,
    /// Folders were opened and closed.
    Folders {
        /// The URIs of the opened folders.
        added: Vec<String>,
        /// The URIs of the closed folders.
        removed: Vec<String>,
    },
    /// The user's settings changed.
    Options(UserSettings),
    /// A folder was read.
    Loaded {
        /// The number of the reading, which identifies it.
        round: u64,
        /// The result. `None` if the reading was stopped.
        loaded: Option<Box<Loaded>>,
    },
    /// A run has decorations to show.
    Ran(Box<Ran>),
    /// Removes the decorations of a file, or of all files.
    ClearRuns(Option<String>),
    /// A request wants a view.
    Read {
        /// Whether it waits until the open folders have been read for the first time.
        needs_folders: bool,
        /// What is called with the view.
        reader: ViewReader,
    },
}

/// What a request does with its view.
pub(crate) type ViewReader = Box<dyn FnOnce(Arc<View>) + Send>;

/// What the client said in `initialize`.
#[derive(Debug, Default)]
pub(crate) struct Setup {
    /// The code units that columns count.
    pub(crate) encoding: Encoding,
    /// The URIs of the open folders.
    pub(crate) folders: Vec<String>,
    /// The user's settings, if the client already sent them.
    pub(crate) options: UserSettings,
    /// Whether the client pulls diagnostics, so that none are pushed.
    pub(crate) pulls: bool,
}

/// A document with more bytes is large: to parse and check it takes more than about a millisecond.
const LARGE: usize = 1 << 17;

pub(crate) struct Session {
    editor: Arc<dyn Editor>,
    publisher: Arc<Publisher>,
    queue: Queue,
    workers: Workers,
    is_ready: bool,
    /// The folders that the client has open.
    opened: BTreeSet<PathBuf>,
    /// The opened folders that are not inside another one.
    folders: BTreeMap<PathBuf, Folder>,
    projects: BTreeMap<DocumentOwner, Project>,
    documents: BTreeMap<Arc<str>, Open>,
    view: View,
    current: Arc<View>,
    /// What changed since the view was made.
    stale: Stale,
    rounds: u64,
    /// Requests that wait for the first reading of the folders.
    held: Vec<ViewReader>,
}

/// An open document, and its project.
struct Open {
    document: DocumentText,
    home: Option<DocumentOwner>,
    path: String,
    file: Option<PathBuf>,
}

/// What to update before the next request reads.
#[derive(Debug, Default)]
struct Stale {
    /// Documents whose text changed.
    texts: BTreeSet<Arc<str>>,
    /// Documents that the user edited, in the order of the edits.
    edited: Vec<Arc<str>>,
    /// Projects whose view has to be made again.
    projects: BTreeSet<DocumentOwner>,
    /// Whether anything else changed.
    is_other: bool,
}

impl Session {
    pub(crate) fn new(
        editor: Arc<dyn Editor>,
        publisher: Arc<Publisher>,
        queue: Queue,
        workers: Workers,
        disk: Disk,
    ) -> Session {
        Session {
            editor,
            publisher,
            queue,
            workers,
            is_ready: false,
            opened: BTreeSet::new(),
            folders: BTreeMap::new(),
            projects: BTreeMap::new(),
            documents: BTreeMap::new(),
            view: View { disk, ..View::default() },
            current: Arc::default(),
            stale: Stale::default(),
            rounds: 0,
            held: Vec::new(),
        }
    }

    fn handle(&mut self, event: Event) {
        match event {
            Event::Begin(setup) => self.begin(setup),
            Event::Ready => self.ready(),
            Event::Open { uri, version, language, text } => self.open(uri, version, language, &text),
            Event::Edit { uri, version, edits } => self.edit(&uri, version, &edits),
            Event::Close { uri } => self.close(&uri),
            Event::Save { uri } => self.save(uri),
            Event::Touched(uris) => self.touched(&uris),
            Event::Refresh => self.reread(),
            Event::Folders { added, removed } => {
                self.change_folders(&added, &removed);
                self.answer_held();
            }
            Event::Options(options) => self.set_options(options),
            Event::Loaded { round, loaded } => {
                self.loaded(round, loaded);
                self.answer_held();
            }
            Event::Ran(ran) => self.ran(*ran),
            Event::ClearRuns(uri) => match uri {
                Some(uri) => self.forget_runs(|ran| ran.is_about(&uri)),
                None => self.forget_runs(|_| true),
            },
            Event::Read { needs_folders: true, reader } if self.is_loading() => self.held.push(reader),
            Event::Read { reader, .. } => {
                self.settle();
                reader(Arc::clone(&self.current));
            }
        }
    }

    /// Answers the requests that waited for the folders, if all are read.
    fn answer_held(&mut self) {
        if self.held.is_empty() || self.is_loading() {
            return;
        }
        self.settle();
        for reader in std::mem::take(&mut self.held) {
            reader(Arc::clone(&self.current));
        }
    }

    /// Whether an open document is so large that to read it takes milliseconds.
    fn has_large_document(&self) -> bool {
        self.documents.values().any(|open| open.document.length() > LARGE)
    }

    fn begin(&mut self, setup: Setup) {
        self.view.encoding = setup.encoding;
        self.view.options = setup.options;
        self.view.pulls = setup.pulls;
        self.change_folders(&setup.folders, &[]);
    }

    fn ready(&mut self) {
        self.is_ready = true;
        self.editor.watch();
        self.editor.ask_options();
        self.reread();
    }

    fn open(&mut self, uri: String, version: i32, language: String, text: &str) {
        let uri: Arc<str> = uri.into();
        let file = uri::to_path(&uri);
        let document = DocumentText::new(text, version, language);
        let (home, path) = self.place(&uri, file.as_deref(), &document.language);
        if let Some(before) = self.documents.insert(Arc::clone(&uri), Open { document, home, path, file })
            && let Some(home) = before.home
        {
            self.stale.projects.insert(home);
        }
        self.mark_edited(&uri);
    }

    fn edit(&mut self, uri: &str, version: i32, edits: &[DocumentEdit]) {
        let Some((uri, open)) =
            self.documents.get_key_value(uri).map(|(uri, _)| Arc::clone(uri)).and_then(|uri| {
                let open = self.documents.get_mut(&uri)?;
                Some((uri, open))
            })
        else {
            // The server does not know the text of a document that was never opened.
            let message = format!("ignored an edit of `{uri}`, because the document is not open");
            self.editor.log(Level::Warning, message);
            return;
        };
        open.document.edit(edits, version, self.view.encoding);
        self.mark_edited(&uri);
        self.forget_runs(|ran| ran.is_about(&uri));
    }

    fn mark_edited(&mut self, uri: &Arc<str>) {
        self.stale.texts.insert(Arc::clone(uri));
        self.stale.edited.retain(|other| other != uri);
        self.stale.edited.push(Arc::clone(uri));
    }

    fn close(&mut self, uri: &str) {
        let Some(open) = self.documents.remove(uri) else { return };
        self.forget_runs(|ran| ran.is_about(uri));
        self.stale.texts.remove(uri);
        self.stale.is_other = true;
        if let Some(home) = open.home {
            self.leave(home, &open.path);
        }
    }

    /// Removes a document from its project.
    fn leave(&mut self, home: DocumentOwner, path: &str) {
        if let DocumentOwner::Alone(_) = home {
            self.projects.remove(&home);
        } else if let Some(project) = self.projects.get_mut(&home) {
            let change = project.back_to_disk(&self.view.disk, path);
            project.apply(vec![change]);
        }
        self.stale.projects.insert(home);
    }

    /// A saved document still replaces its file, so its project does not change. Only a new file changes the project.
    fn save(&mut self, uri: String) {
        let is_known = self.documents.get(uri.as_str()).is_some_and(|open| {
            let project = open.home.as_ref().and_then(|home| self.projects.get(home));
            project.is_some_and(|project| project.has_on_disk(&open.path))
        });
        if !is_known {
            self.touched(&[uri]);
        }
    }

    fn set_options(&mut self, options: UserSettings) {
        self.stale.is_other |= self.view.options != options;
        self.view.options = options;
    }

    /// The project of a document, and the path in it. If the project has not been read, it starts with the open
    /// documents.
    fn place(
        &mut self,
        uri: &Arc<str>,
        file: Option<&Path>,
        language: &str,
    ) -> (Option<DocumentOwner>, String) {
        let extension = file.and_then(Path::extension).and_then(|extension| extension.to_str());
        let is_named = extension.is_some_and(is_declaration_extension);
        let is_called = matches!(language, "yaml" | "json" | "jsonc" | "json5")
            || systems().any(|dialect| dialect.id == language);
        let is_configuration = file.and_then(Path::file_name).is_some_and(|name| name == FILE_NAME);
        if is_configuration || !(is_named || is_called || file.is_none()) {
            return (None, String::new());
        }
        if let Some(file) = file
            && let Some(folder) = self.folder_of(file).map(Path::to_owned)
        {
            let home = self.home_in(&folder, file);
            let path = home.relative(file).unwrap_or_default();
            let is_wanted = self.projects.get(&home).is_some_and(|project| project.wants(&path));
            return (is_wanted.then_some(home), path);
        }
        let home = DocumentOwner::Alone(Arc::clone(uri));
        self.projects.entry(home.clone()).or_insert_with(Project::alone);
        (Some(home), uri::name(uri))
    }

    /// The open folder that contains a file.
    fn folder_of(&self, file: &Path) -> Option<&Path> {
        let found = file.ancestors().skip(1).find_map(|around| self.folders.get_key_value(around));
        found.map(|(folder, _)| folder.as_path())
    }

    /// The project of a file inside an open folder.
    fn home_in(&mut self, folder: &Path, file: &Path) -> DocumentOwner {
        let around = || file.ancestors().skip(1).take_while(|around| around.starts_with(folder));
        if self.folders.get(folder).is_some_and(Folder::is_read) {
            let homes = around().map(|around| DocumentOwner::Folder(around.to_owned()));
            let known = homes.into_iter().find(|home| self.projects.contains_key(home));
            return known.unwrap_or_else(|| self.unread(folder, None));
        }
        let configured = around().find(|around| self.view.disk.is_file(&around.join(FILE_NAME)));
        self.unread(folder, configured)
    }

    /// The project of a folder. It starts without files if it is not known yet.
    fn unread(&mut self, folder: &Path, configured: Option<&Path>) -> DocumentOwner {
        let root = configured.unwrap_or(folder);
        let home = DocumentOwner::Folder(root.to_owned());
        if !self.projects.contains_key(&home) {
            let text =
                configured.and_then(|root| self.view.disk.read(&root.join(FILE_NAME), reading::MIB).ok());
            let (config, problems) = text.map(|text| Config::judge(&text)).unwrap_or_default();
            self.projects.insert(home.clone(), Project::unread(Some(root.to_owned()), config, problems));
        }
        home
    }

    /// Updates the view with all changes since the last call, and gives it to the publisher.
    fn settle(&mut self) {
        let stale = std::mem::take(&mut self.stale);
        if stale.texts.is_empty() && stale.projects.is_empty() && !stale.is_other {
            return;
        }
        let mut projects = stale.projects;
        let mut changes: BTreeMap<DocumentOwner, Vec<_>> = BTreeMap::new();
        for uri in &stale.texts {
            let Some(open) = self.documents.get(uri) else { continue };
            let text = open.document.text();
            let place = (open.home.clone(), open.path.clone());
            if let Some(home) = &open.home
                && let Some(project) = self.projects.get_mut(home)
            {
                changes.entry(home.clone()).or_default().push(project.write(&open.path, Arc::clone(&text)));
            }
            let document = OpenDocument::new(Arc::clone(uri), open.document.version, place, text);
            self.view.documents.insert(Arc::clone(uri), Arc::new(document));
        }
        for (home, changes) in changes {
            if let Some(project) = self.projects.get_mut(&home) {
                project.apply(changes);
            }
            projects.insert(home);
        }
        self.view.documents.retain(|uri, _| self.documents.contains_key(uri));
        for home in projects {
            match self.projects.get(&home) {
                Some(project) => {
                    let view = Arc::new(project_view(&home, project, &self.view.documents));
                    let before = self.view.projects.insert(home, Arc::clone(&view));
                    let is_relinked = before.is_some_and(|before| before.links() != view.links());
                    self.view.links += u64::from(is_relinked);
                }
                None => {
                    self.view.projects.remove(&home);
                }
            }
        }
        self.view.folders = self.folders.keys().cloned().collect();
        if stale.is_other {
            self.view.links_sent = self.view.links;
        }
        let outgrown = std::mem::replace(&mut self.current, Arc::new(self.view.clone()));
        self.publisher.take(Arc::clone(&self.current), outgrown, stale.edited);
        if stale.is_other {
            // After an edit, the client requests the diagnostics of that document. The server asks it to request the
            // others in a pause.
            self.editor.refresh();
        }
    }
}

fn project_view(
    home: &DocumentOwner,
    project: &Project,
    documents: &BTreeMap<Arc<str>, Arc<OpenDocument>>,
) -> ProjectView {
    let own = documents.values().filter(|document| document.home.as_ref() == Some(home));
    ProjectView {
        root: project.root().map(Path::to_owned),
        snapshot: project.snapshot(),
        is_complete: project.is_complete(),
        config_problems: project.config_problems().to_vec(),
        config_notes: project.config_notes().to_vec(),
        format: project.format().clone(),
        live: Arc::clone(project.live()),
        open: own.map(|document| (document.path.clone(), Arc::clone(document))).collect(),
    }
}

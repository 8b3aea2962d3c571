//! Sends diagnostics to the client, and remembers what it sent.
//!
//! Input: views, of which only the newest is used. Output: reports to the editor. Invariant: a report has the version
//! of the text that was checked. Work on an older view stops when a newer one arrives. Unchanged diagnostics are not
//! sent again.

pub(crate) mod findings;

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use nodewise_project::config::{Config, FILE_NAME};
use rustc_hash::FxHasher;
use tracing::debug_span;

use crate::editor::Editor;
use crate::options::DiagnosticsScope;
use crate::placed::{Placed, Report};
use crate::view::{ProjectView, View};

/// Sends diagnostics.
#[derive(Debug)]
pub(crate) struct Publisher {
    waiting: Mutex<Waiting>,
    arrived: Condvar,
    /// Whether another thread may bring events while this one waits.
    has_threads: bool,
}

/// What the client was sent.
#[derive(Debug, Default)]
pub(crate) struct Sent {
    published: Published,
    links_sent: u64,
}

#[derive(Debug, Default)]
struct Waiting {
    view: Option<Arc<View>>,
    /// The documents that were edited since the last report, the last one first.
    edited: Vec<Arc<str>>,
    /// The views that newer ones replaced. Dropping the last owner of a large document takes milliseconds, so it
    /// happens when no report is waiting.
    outgrown: Vec<Arc<View>>,
}

/// What the client was sent: the version and a hash of the diagnostics, by URI.
type Published = BTreeMap<Arc<str>, (Option<i32>, u64)>;

/// After a pause of this length without events, files that are not open are reported.
const PAUSE: Duration = Duration::from_millis(200);

impl Publisher {
    /// A publisher that has sent nothing. Without threads, the time between two calls of `run_waiting` counts as a pause.
    pub(crate) fn new(has_threads: bool) -> Publisher {
        Publisher { waiting: Mutex::default(), arrived: Condvar::new(), has_threads }
    }

    /// Replaces the view with a newer one. `edited` are the documents to report first.
    pub(crate) fn take(
        &self,
        view: Arc<View>,
        outgrown: Arc<View>,
        edited: impl IntoIterator<Item = Arc<str>>,
    ) {
        let mut waiting = self.lock();
        waiting.view = Some(view);
        waiting.outgrown.push(outgrown);
        for uri in edited {
            waiting.edited.retain(|other| *other != uri);
            waiting.edited.insert(0, uri);
        }
        drop(waiting);
        self.arrived.notify_one();
    }

    /// Sends reports until the process ends.
    pub(crate) fn run(&self, editor: &dyn Editor) {
        let mut sent = Sent::default();
        loop {
            let (view, edited) = self.next();
            self.send(&view, &edited, editor, &mut sent);
        }
    }

    /// Sends the reports that wait.
    pub(crate) fn run_waiting(&self, editor: &dyn Editor, sent: &mut Sent) {
        let mut waiting = self.lock();
        let (view, edited) = (waiting.view.take(), std::mem::take(&mut waiting.edited));
        drop(waiting);
        if let Some(view) = view {
            self.send(&view, &edited, editor, sent);
        }
    }

    fn send(&self, view: &View, edited: &[Arc<str>], editor: &dyn Editor, sent: &mut Sent) {
        let entered = debug_span!("publish", edited = edited.len()).entered();
        let is_current = view.pulls || self.open_documents(view, edited, editor, &mut sent.published);
        // Taken out first, so that they are dropped without the lock.
        let outgrown = std::mem::take(&mut self.lock().outgrown);
        drop(outgrown);
        if is_current {
            self.files(view, editor, &mut sent.published);
            drop(entered);
            if self.is_quiet() {
                editor.renew();
                sent.links_sent = sent.links_sent.max(view.links_sent);
                if view.links > sent.links_sent {
                    sent.links_sent = view.links;
                    editor.refresh_annotations();
                }
            }
        }
    }

    /// Waits for a view.
    fn next(&self) -> (Arc<View>, Vec<Arc<str>>) {
        let mut waiting = self.lock();
        loop {
            if let Some(view) = waiting.view.take() {
                return (view, std::mem::take(&mut waiting.edited));
            }
            waiting = self.arrived.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Whether a newer view exists.
    fn is_outdated(&self) -> bool {
        self.lock().view.is_some()
    }

    /// Waits for the length of the pause, and returns whether no newer view arrived. Without threads, it does not wait.
    fn is_quiet(&self) -> bool {
        if !self.has_threads {
            return !self.is_outdated();
        }
        let waiting = self.lock();
        let is_waiting = |waiting: &mut Waiting| waiting.view.is_none();
        let waited = self.arrived.wait_timeout_while(waiting, PAUSE, is_waiting);
        waited.unwrap_or_else(PoisonError::into_inner).1.timed_out()
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reports open documents, edited ones first. `false` if a newer view arrived.
    fn open_documents(
        &self,
        view: &View,
        edited: &[Arc<str>],
        editor: &dyn Editor,
        published: &mut Published,
    ) -> bool {
        let is_edited = |uri: &&Arc<str>| !edited.contains(uri);
        for uri in edited.iter().chain(view.documents.keys().filter(is_edited)) {
            if let Some(report) = report(view, uri) {
                send(report, editor, published);
            }
            if self.is_outdated() {
                return false;
            }
        }
        true
    }

    /// Reports files that are not open, and clears reports that are no longer true.
    fn files(&self, view: &View, editor: &dyn Editor, published: &mut Published) {
        let mut current: BTreeMap<Arc<str>, ()> =
            view.documents.keys().map(|uri| (Arc::clone(uri), ())).collect();
        for project in view.projects.values() {
            if let Some(report) = config_report(view, project) {
                current.insert(Arc::clone(&report.uri), ());
                send(report, editor, published);
            }
        }
        if view.options.diagnostics == DiagnosticsScope::Workspace && !view.pulls {
            // Only the first reports do not wait for a pause.
            if !published.is_empty() && !self.is_quiet() {
                return;
            }
            for project in view.projects.values().filter(|project| project.is_complete) {
                for file in project.snapshot.files() {
                    if self.is_outdated() {
                        return;
                    }
                    let Some(uri) = project.uri(&file.path) else { continue };
                    if current.insert(Arc::clone(&uri), ()).is_none() {
                        let diagnostics = findings::of_file(view, project, file);
                        let report = Report { uri, version: None, diagnostics };
                        if published.contains_key(&report.uri) || !report.diagnostics.is_empty() {
                            send(report, editor, published);
                        }
                    }
                }
            }
        }
        let gone: Vec<Arc<str>> =
            published.keys().filter(|uri| !current.contains_key(*uri)).cloned().collect();
        for uri in gone {
            send(Report { uri: Arc::clone(&uri), version: None, diagnostics: Vec::new() }, editor, published);
            published.remove(&uri);
        }
    }
}

/// The diagnostics of an open document.
pub(crate) fn report(view: &View, uri: &str) -> Option<Report> {
    let document = view.documents.get(uri)?;
    let diagnostics = match view.file(uri) {
        Some(file) => findings::of_file(view, file.project, file.facts),
        None if document.is_configuration() => {
            let (config, problems) = Config::judge(&document.text);
            findings::of_configuration(&problems, &config.notes)
        }
        None => Vec::new(),
    };
    Some(Report { uri: Arc::clone(&document.uri), version: Some(document.version), diagnostics })
}

/// The diagnostics of a project's saved configuration. `None` if there are none, or if it is open.
fn config_report(view: &View, project: &ProjectView) -> Option<Report> {
    let (problems, notes) = (&project.config_problems, &project.config_notes);
    let uri = project.uri(FILE_NAME).filter(|_| !problems.is_empty() || !notes.is_empty())?;
    let diagnostics = findings::of_configuration(problems, notes);
    let is_open = view.documents.contains_key(&uri);
    (!is_open).then_some(Report { uri, version: None, diagnostics })
}

fn send(report: Report, editor: &dyn Editor, published: &mut Published) {
    let known = (report.version, fingerprint(&report.diagnostics));
    if published.get(&report.uri) != Some(&known) {
        published.insert(Arc::clone(&report.uri), known);
        editor.publish(report);
    }
}

/// A hash that differs if diagnostics differ.
pub(crate) fn fingerprint(diagnostics: &[Placed]) -> u64 {
    let mut hasher = FxHasher::default();
    diagnostics.hash(&mut hasher);
    hasher.finish()
}

//! The files below one folder.
//!
//! Input: a folder. Output: its declaration files, the projects inside it, and notices. Invariant: `.git` and
//! what `.gitignore` names are left out, other hidden files are not; no link is followed twice, and none out of the project
//! unless that is asked for.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use ignore::{DirEntry, WalkBuilder, WalkState};
use nodewise_dialect::tables::{is_declaration_extension, is_module_extension};
use nodewise_modules::is_module;
use nodewise_platform::sorting::Sorting;

use super::{DiscoveryRequest, FilePlace, FoundFile, Reach, in_load_order};
use crate::config::{FILE_NAME, FileFilter};
use crate::notice::Notice;
use crate::paths;

/// What a search found below a folder.
#[derive(Debug, Default)]
pub(super) struct Walked {
    /// Its declaration files, in no particular order.
    pub(super) files: Vec<FoundFile>,
    /// The folders that were searched, including the first one, in no particular order.
    pub(super) folders: Vec<PathBuf>,
    /// Folders that are projects of their own, if the user asked for them.
    pub(super) nested: Vec<PathBuf>,
    /// Notices about what was not read.
    pub(super) notices: Vec<Notice>,
}

/// Searches a folder of the project `root`. `below` is the place that most of its files share. `filters` are those of the
/// projects around, each with its own folder.
pub(super) fn walk(
    (below, root, folder): (&Arc<FilePlace>, &Path, &Path),
    shown: &Path,
    reach: Reach,
    filters: &[(PathBuf, Arc<FileFilter>)],
    request: &DiscoveryRequest,
) -> Walked {
    let mut walked = Walked::default();
    if request.is_only_said(folder) {
        return walked;
    }
    let (nested, outward, unread) = <(Shared, Shared, Shared)>::default();
    let bounds = (!request.follows_links).then(|| Bounds::new(root, folder));
    let builder = builder(folder, reach, filters, (&nested, &outward, &unread), bounds, request.is_confined);
    let visit_entry = |entry: Result<DirEntry, ignore::Error>, walked: &mut Walked| match entry {
        Ok(entry) => {
            if is_folder(&entry) && (entry.depth() == 0 || reach == Reach::Below) {
                walked.folders.push(entry.path().to_owned());
            }
            visit(&entry, (below, root, folder), shown, filters, walked);
        }
        Err(error) => walked.notices.extend(notice(&error, folder, shown, request)),
    };
    visit_all(&builder, reach, &visit_entry, &mut walked);
    let outward = std::mem::take(&mut *outward.lock().unwrap_or_else(PoisonError::into_inner));
    let asked = outward.iter().filter(|link| !request.is_confined && request.names(link));
    walked.notices.extend(asked.filter(|link| is_wanted(link, filters)).map(|link| {
        let help = "add `--follow-links` to follow it, or exclude it";
        Notice::remark(place(link, folder, shown), "a link that leads out of the project; not followed", help)
    }));
    let unread = std::mem::take(&mut *unread.lock().unwrap_or_else(PoisonError::into_inner));
    walked.notices.extend(unread.iter().map(|below| {
        let help = "make its `.gitignore` a regular file, or exclude the folder";
        Notice::remark(place(below, folder, shown), "its `.gitignore` is not a regular file; not read", help)
    }));
    let mut nested = nested.lock().unwrap_or_else(PoisonError::into_inner);
    walked.nested = nested.drain(..).filter(|folder: &PathBuf| request.covers(folder)).collect();
    // The files are sorted later, together with the named ones.
    walked.nested.arrange();
    walked.notices.arrange_by(|one, other| one.path.cmp(&other.path));
    walked
}

/// Handles an entry of a folder, in the thread that finds it.
type Visit<'v> = dyn Fn(Result<DirEntry, ignore::Error>, &mut Walked) + Sync + 'v;

/// Visits what a walk comes across, in no particular order.
fn visit_all(builder: &WalkBuilder, reach: Reach, visit: &Visit<'_>, walked: &mut Walked) {
    // A single folder is listed before other threads have started.
    if reach == Reach::Folder {
        builder.build().for_each(|entry| visit(entry, walked));
        return;
    }
    let (sender, parts) = channel();
    builder.build_parallel().run(|| {
        let mut part = Part { walked: Walked::default(), sender: sender.clone() };
        Box::new(move |entry| {
            visit(entry, &mut part.walked);
            WalkState::Continue
        })
    });
    drop(sender);
    parts.into_iter().for_each(|part| walked.extend(part));
}

/// What one thread finds. It is sent when the thread ends.
struct Part {
    walked: Walked,
    sender: Sender<Walked>,
}

impl Drop for Part {
    fn drop(&mut self) {
        // Merging sorted lists later takes one look at each file.
        self.walked.files.arrange_by(in_load_order);
        // The receiver waits for all parts.
        let _ = self.sender.send(std::mem::take(&mut self.walked));
    }
}

impl Walked {
    fn extend(&mut self, other: Walked) {
        let Walked { files, folders, nested, notices } = other;
        self.files.extend(files);
        self.folders.extend(folders);
        self.nested.extend(nested);
        self.notices.extend(notices);
    }
}

/// Paths that are noted while a folder is walked.
type Shared = Arc<Mutex<Vec<PathBuf>>>;

/// The folders that links may lead into.
struct Bounds(Vec<PathBuf>);

impl Bounds {
    /// The project, and the folder that was named, which may be a link itself.
    fn new(root: &Path, folder: &Path) -> Bounds {
        Bounds([root, folder].into_iter().filter_map(|one| one.canonicalize().ok()).collect())
    }

    /// Whether a link leads out, or nowhere.
    fn leads_out(&self, link: &Path) -> bool {
        link.canonicalize().map_or(true, |target| !self.0.iter().any(|bound| target.starts_with(bound)))
    }
}

/// Whether a file of a project is reached through a link that leads out of it.
#[must_use]
pub fn leads_out(file: &Path, root: &Path) -> bool {
    Bounds::new(root, root).leads_out(file)
}

fn builder(
    folder: &Path,
    reach: Reach,
    filters: &[(PathBuf, Arc<FileFilter>)],
    (nested, outward, unread): (&Shared, &Shared, &Shared),
    bounds: Option<Bounds>,
    is_confined: bool,
) -> WalkBuilder {
    let mut builder = WalkBuilder::new(folder);
    builder
        .hidden(false)
        .ignore(false)
        .git_global(false)
        .git_exclude(false)
        .require_git(false)
        .follow_links(true)
        .max_depth((reach == Reach::Folder).then_some(1));
    if is_confined {
        confine(&mut builder, folder);
    } else if folder.ancestors().any(has_odd_ignore_file) {
        builder.parents(false).git_ignore(false);
    }
    let (filters, nested, outward) = (filters.to_vec(), Arc::clone(nested), Arc::clone(outward));
    let unread = Arc::clone(unread);
    let note = |paths: &Shared, path: &Path| {
        paths.lock().unwrap_or_else(PoisonError::into_inner).push(path.to_owned());
    };
    builder.filter_entry(move |entry| {
        let bounds = bounds.as_ref().filter(|_| entry.path_is_symlink());
        if bounds.is_some_and(|bounds| bounds.leads_out(entry.path())) {
            if is_folder(entry) || is_declaration_name(entry.path()) {
                note(&outward, entry.path());
            }
            return false;
        }
        if entry.depth() == 0 || !is_folder(entry) {
            return true;
        }
        let path = entry.path();
        if entry.file_name() == ".git" || filters.iter().any(|filter| excludes(filter, path)) {
            return false;
        }
        if has_odd_ignore_file(path) {
            note(&unread, path);
            return false;
        }
        let is_project = path.join(FILE_NAME).is_file();
        if is_project {
            note(&nested, path);
        }
        !is_project
    });
    builder
}

fn visit(
    entry: &DirEntry,
    (below, root, folder): (&Arc<FilePlace>, &Path, &Path),
    shown: &Path,
    filters: &[(PathBuf, Arc<FileFilter>)],
    walked: &mut Walked,
) {
    let (path, name) = (entry.path(), Path::new(entry.file_name()));
    if entry.depth() == 0 || !is_declaration_name(name) {
        return;
    }
    if is_folder(entry) {
        let help = "rename the folder; only files may end in `.yaml`, `.yml` or `.json`";
        walked.notices.push(Notice::remark(place(path, folder, shown), "a folder, not a file", help));
        return;
    }
    let Some(of_project) = paths::slashed_below(path, root) else { return };
    let is_wanted = filters.iter().all(|(around, filter)| match around == root {
        true => filter.wants(&of_project),
        false => wants(path, (around, filter)),
    });
    let is_built = || is_module_name(name) && path.strip_prefix(folder).is_ok_and(is_built_module);
    if !is_wanted || is_built() {
        return;
    }
    // Reading a pipe without a writer never ends. If the user names the pipe, it is added with the named files.
    if !entry.file_type().is_some_and(|kind| kind.is_file()) {
        let help = "name it on the command line to read it, or exclude it";
        walked.notices.push(Notice::remark(place(path, folder, shown), "not a regular file; not read", help));
        return;
    }
    walked.files.push(FoundFile::new(below, of_project.into(), path));
}

/// Whether the projects around a file want it.
pub(super) fn is_wanted(file: &Path, filters: &[(PathBuf, Arc<FileFilter>)]) -> bool {
    filters.iter().all(|(root, filter)| wants(file, (root, filter)))
}

/// Whether a project wants a file. A project has no say about files outside of its folder.
fn wants(file: &Path, (root, filter): (&Path, &FileFilter)) -> bool {
    paths::slashed_below(file, root).is_none_or(|relative| filter.wants(&relative))
}

/// Keeps a search from reading the ignore files of the folders around. As git's ignore files they would be read even where
/// they do not apply; as custom ignore files they are not.
pub(crate) fn confine(builder: &mut WalkBuilder, folder: &Path) {
    builder.parents(false).git_ignore(false);
    if !has_odd_ignore_file(folder) {
        builder.add_custom_ignore_filename(".gitignore");
    }
}

/// Whether the `.gitignore` of a folder is a pipe, a socket or a device. A search in the folder would read it, perhaps
/// forever.
pub(crate) fn has_odd_ignore_file(folder: &Path) -> bool {
    folder.join(".gitignore").metadata().is_ok_and(|found| !found.is_file() && !found.is_dir())
}

fn is_folder(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|kind| kind.is_dir())
}

/// Whether a file is read as a declaration: by its ending, in any case. Modules that only declare types are left out.
#[must_use]
pub fn is_declaration_name(path: &Path) -> bool {
    let is_of_types = || is_module_name(path) && !is_module(&path.to_string_lossy());
    path.extension().and_then(OsStr::to_str).is_some_and(is_declaration_extension) && !is_of_types()
}

fn is_module_name(path: &Path) -> bool {
    path.extension().and_then(OsStr::to_str).is_some_and(is_module_extension)
}

/// Folders whose modules nobody writes by hand.
const BUILT: [&str; 2] = ["node_modules", "dist"];

/// Whether a path is a module of an installed package, or one that a build wrote.
pub(crate) fn is_built_module(relative: &Path) -> bool {
    is_module_name(relative) && relative.iter().any(|part| BUILT.iter().any(|folder| part == *folder))
}

fn excludes((root, filter): &(PathBuf, Arc<FileFilter>), folder: &Path) -> bool {
    paths::slashed_below(folder, root).is_some_and(|relative| filter.exclude.fit(&relative))
}

fn place(path: &Path, folder: &Path, shown: &Path) -> String {
    let relative = path.strip_prefix(folder).map(|relative| shown.join(relative));
    relative.unwrap_or_else(|_| path.to_owned()).to_string_lossy().into_owned()
}

/// The notice for an error of the search. `None` if the user need not know of it.
fn notice(error: &ignore::Error, folder: &Path, shown: &Path, request: &DiscoveryRequest) -> Option<Notice> {
    let place = |path: &Path| place(path, folder, shown);
    // A file that the user did not ask for is only context, so it does not make the run fail.
    let unreadable = |path: &Path, reason: String, help: &str| Notice {
        is_failure: request.names(path),
        ..Notice::failure(place(path), reason, help)
    };
    match error {
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => {
            notice(err, folder, shown, request)
        }
        ignore::Error::Loop { child, .. } => {
            let reason = "a link to a parent folder; not followed";
            Some(Notice::remark(place(child), reason, "remove the link, or exclude it"))
        }
        ignore::Error::WithPath { path, err } => match err.as_ref() {
            ignore::Error::Loop { .. } => notice(err, folder, shown, request),
            // A link that leads nowhere matters only where a declaration is expected.
            _ if path.is_symlink() && !path.exists() => {
                let help = "remove the link, or create its target";
                is_declaration_name(path).then(|| unreadable(path, "a broken link".to_owned(), help))
            }
            err => {
                let reason =
                    std::fs::read_dir(path).err().map_or_else(|| err.to_string(), |io| io.to_string());
                Some(unreadable(path, reason, "make it readable, or exclude it"))
            }
        },
        other => {
            let help = "make it readable, or exclude it";
            Some(Notice::failure(shown.to_string_lossy(), other.to_string(), help))
        }
    }
}

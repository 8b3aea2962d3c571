//! The files below one folder.
//!
//! Input: a folder. Output: its declaration files, the projects inside it, and notices. Invariant: `.git` and
//! what `.gitignore` names are left out, other hidden files are not; no link is followed twice, and none out of the project
//! unless that is asked for.

use std::ffi::{OsStr, OsString};
use std::fs::FileType;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use nodewise_dialect::tables::{is_declaration_extension, is_module_extension};
use nodewise_modules::is_module;
use nodewise_platform::sorting::Sorting;
use nodewise_platform::threads::prelude::*;

use super::ignore_files::{self, IgnoreFiles, IgnoreRules, has_odd_ignore_file};
use super::{DiscoveryRequest, FoundFile, Reach};
use crate::config::{FILE_NAME, FileFilter};
use crate::notice::Notice;
use crate::paths;

/// What lies below a folder.
#[derive(Debug, Default)]
pub(super) struct Walked {
    /// Its declaration files, in load order as far as their names are Unicode.
    pub(super) files: Vec<FoundFile>,
    /// The folders in which they were looked for, the first one among them.
    pub(super) folders: Vec<PathBuf>,
    /// Folders that are projects of their own, and asked for.
    pub(super) nested: Vec<PathBuf>,
    /// What is to be said about the rest.
    pub(super) notices: Vec<Notice>,
}

/// Walks a folder of the project `root`. `filters` are those of the projects around, each with its own folder.
pub(super) fn walk(
    (root, folder): (&Path, &Path),
    shown: &Path,
    reach: Reach,
    filters: &[(PathBuf, Arc<FileFilter>)],
    request: &DiscoveryRequest,
) -> Walked {
    let mut walked = Walked::default();
    if request.is_only_said(folder) {
        return walked;
    }
    let bounds = (!request.follows_links).then(|| Bounds::new(root, folder));
    let (ignore_files, error) = IgnoreFiles::new(folder, request.is_confined);
    let walk = Walk { folder, shown, reach, filters, request, bounds, ignore_files };
    walked.notices.extend(error.and_then(|error| walk.notice(&error)));
    walk.run(&mut walked);
    walked.nested.retain(|folder| request.covers(folder));
    walked
}

/// What is the same for all folders of a walk.
struct Walk<'w> {
    folder: &'w Path,
    shown: &'w Path,
    reach: Reach,
    filters: &'w [(PathBuf, Arc<FileFilter>)],
    request: &'w DiscoveryRequest,
    bounds: Option<Bounds>,
    ignore_files: IgnoreFiles,
}

/// A folder that is to be listed.
struct Below {
    path: PathBuf,
    /// The path below the walked folder, with `/` behind each part.
    relative: String,
    /// What counts in the folder around it.
    rules: Option<Arc<IgnoreRules>>,
    is_top: bool,
}

/// What a folder holds, in load order.
#[derive(Default)]
struct Listed {
    items: Vec<Item>,
    /// The folders among the items.
    below: Vec<Below>,
    walked: Walked,
}

/// A part of a folder.
enum Item {
    File(FoundFile),
    /// The next one of the folders below it.
    Folder,
}

/// The items of a folder that are not taken yet, and the position of the next folder among them.
struct Branch {
    items: std::vec::IntoIter<Item>,
    next: usize,
}

/// So few folders are listed before other threads have begun.
const FEW: usize = 4;

impl Walk<'_> {
    /// Lists the folders that are equally deep at the same time: those below them are known then.
    fn run(&self, walked: &mut Walked) {
        let top = Below { path: self.folder.to_owned(), relative: String::new(), rules: None, is_top: true };
        let (mut level, mut branches) = (vec![top], Vec::new());
        while !level.is_empty() {
            let listed: Vec<Listed> = match level.len() {
                ..FEW => level.into_iter().map(|below| self.list(below)).collect(),
                _ => level.into_par_iter().map(|below| self.list(below)).collect(),
            };
            let first = branches.len() + listed.len();
            level = Vec::new();
            for Listed { items, below, walked: found } in listed {
                branches.push(Branch { items: items.into_iter(), next: first + level.len() });
                level.extend(below);
                walked.folders.extend(found.folders);
                walked.nested.extend(found.nested);
                walked.notices.extend(found.notices);
            }
        }
        walked.files = in_load_order(branches);
    }

    fn list(&self, mut below: Below) -> Listed {
        let mut listed = Listed::default();
        let (entries, error) = entries(&below.path);
        // A file system may take names in other letters for the same.
        let is_there = |name: &str| entries.iter().any(|entry| entry.name.eq_ignore_ascii_case(name));
        let may_hold = |name: &str| error.is_some() || is_there(name);
        if !below.is_top && !self.enters(&below, may_hold, &mut listed.walked) {
            return listed;
        }
        if is_there(ignore_files::NAME) {
            below.rules = self.ignore_files.below(&below.path, below.rules);
        }
        for entry in entries {
            self.add(&below, entry, &mut listed);
        }
        if let Some(error) = error {
            let help = "make it readable, or exclude it";
            listed.walked.notices.push(self.unreadable(&below.path, error.to_string(), help));
        }
        listed.walked.folders.push(below.path);
        listed
    }

    /// Whether a folder belongs to the walk. `may_hold` rules out names without asking the file system again.
    fn enters(&self, below: &Below, may_hold: impl Fn(&str) -> bool, walked: &mut Walked) -> bool {
        let path = below.path.as_path();
        if may_hold(ignore_files::NAME) && has_odd_ignore_file(path) {
            let help = "make its `.gitignore` a regular file, or exclude the folder";
            let reason = "its `.gitignore` is not a regular file; not read";
            walked.notices.push(Notice::remark(self.place(path), reason, help));
            return false;
        }
        if may_hold(FILE_NAME) && path.join(FILE_NAME).is_file() {
            walked.nested.push(path.to_owned());
            return false;
        }
        if is_declaration_name(path) {
            let help = "rename the folder; only files may end in `.yaml`, `.yml` or `.json`";
            walked.notices.push(Notice::remark(self.place(path), "a folder, not a file", help));
        }
        true
    }

    /// Adds a part of a folder, if it belongs to the walk.
    fn add(&self, below: &Below, entry: Entry, listed: &mut Listed) {
        let path = below.path.join(&entry.name);
        let is_link = entry.kind.is_symlink();
        let kind = if is_link { self.follow(below, &path, &mut listed.walked) } else { Some(entry.kind) };
        let Some(kind) = kind else { return };
        let is_folder = kind.is_dir();
        if self.ignore_files.ignores(below.rules.as_deref(), &path, is_folder) {
            return;
        }
        if is_link && self.bounds.as_ref().is_some_and(|bounds| bounds.leads_out(&path)) {
            if is_folder || entry.is_declaration {
                listed.walked.notices.extend(self.outward(&path));
            }
            return;
        }
        let mut relative = format!("{}{}", below.relative, entry.name.to_string_lossy());
        if !is_folder {
            if entry.is_declaration {
                listed.items.extend(self.file(path, relative, kind, &mut listed.walked).map(Item::File));
            }
            return;
        }
        if entry.name == ".git" || self.filters.iter().any(|filter| excludes(filter, &path)) {
            return;
        }
        relative.push('/');
        let inner = Below { path, relative, rules: below.rules.clone(), is_top: false };
        if self.reach == Reach::Below {
            listed.items.push(Item::Folder);
            listed.below.push(inner);
        } else {
            self.enters(&inner, |_| true, &mut listed.walked);
        }
    }

    /// What a link leads to; nothing, with a notice where one is due, if it is not followed.
    fn follow(&self, below: &Below, link: &Path, walked: &mut Walked) -> Option<FileType> {
        let Ok(target) = link.metadata() else {
            // A link that leads nowhere matters only where a declaration is expected.
            if is_declaration_name(link) {
                let help = "remove the link, or create its target";
                walked.notices.push(self.unreadable(link, "a broken link".to_owned(), help));
            }
            return None;
        };
        if target.is_dir() && self.leads_around(below, link) {
            let (reason, help) =
                ("a link to a parent folder; not followed", "remove the link, or exclude it");
            walked.notices.push(Notice::remark(self.place(link), reason, help));
            return None;
        }
        Some(target.file_type())
    }

    /// Whether a link in a folder leads to this folder, or to one around it that the walk has come through.
    fn leads_around(&self, below: &Below, link: &Path) -> bool {
        let Ok(target) = link.canonicalize() else { return false };
        let through = below.path.ancestors().take_while(|around| around.starts_with(self.folder));
        through.into_iter().any(|around| around.canonicalize().is_ok_and(|around| around == target))
    }

    /// The file, if it is wanted and can be read.
    fn file(
        &self,
        path: PathBuf,
        relative: String,
        kind: FileType,
        walked: &mut Walked,
    ) -> Option<FoundFile> {
        if !is_wanted(&path, self.filters) || is_built_module(Path::new(&relative)) {
            return None;
        }
        // Reading a pipe that nobody writes to never ends; a named one is added with the named files.
        if !kind.is_file() {
            let help = "name it on the command line to read it, or exclude it";
            walked.notices.push(Notice::remark(self.place(&path), "not a regular file; not read", help));
            return None;
        }
        Some(FoundFile { relative, path, is_reported: false, is_named: false })
    }

    /// The notice about a link that leads out of the project, where the user asked for it.
    fn outward(&self, link: &Path) -> Option<Notice> {
        let is_asked = !self.request.is_confined && self.request.names(link) && is_wanted(link, self.filters);
        let help = "add `--follow-links` to follow it, or exclude it";
        let reason = "a link that leads out of the project; not followed";
        is_asked.then(|| Notice::remark(self.place(link), reason, help))
    }

    /// What was not asked for is read as context, and does not make the run fail.
    fn unreadable(&self, path: &Path, reason: String, help: &str) -> Notice {
        Notice { is_failure: self.request.names(path), ..Notice::failure(self.place(path), reason, help) }
    }

    fn place(&self, path: &Path) -> String {
        let relative = path.strip_prefix(self.folder).map(|relative| self.shown.join(relative));
        relative.unwrap_or_else(|_| path.to_owned()).to_string_lossy().into_owned()
    }

    /// What is wrong with the `.gitignore` of a folder around.
    fn notice(&self, error: &ignore::Error) -> Option<Notice> {
        let help = "make it readable, or exclude it";
        match error {
            ignore::Error::WithLineNumber { err, .. } => self.notice(err),
            ignore::Error::WithPath { path, err } => {
                let reason =
                    std::fs::read_dir(path).err().map_or_else(|| err.to_string(), |io| io.to_string());
                Some(self.unreadable(path, reason, help))
            }
            other => Some(Notice::failure(self.shown.to_string_lossy(), other.to_string(), help)),
        }
    }
}

/// The files of all folders.
fn in_load_order(mut branches: Vec<Branch>) -> Vec<FoundFile> {
    let (mut files, mut open) = (Vec::new(), vec![0]);
    while let Some(branch) = open.last().and_then(|last| branches.get_mut(*last)) {
        match branch.items.next() {
            Some(Item::File(file)) => files.push(file),
            Some(Item::Folder) => {
                open.push(branch.next);
                branch.next += 1;
            }
            None => {
                open.pop();
            }
        }
    }
    files
}

/// A part of a folder, as the folder lists it.
struct Entry {
    name: OsString,
    kind: FileType,
    is_declaration: bool,
}

/// The parts of a folder that may matter to a walk, by name, and why there may be more.
fn entries(folder: &Path) -> (Vec<Entry>, Option<std::io::Error>) {
    let (mut entries, mut error) = (Vec::new(), None);
    let listed = match std::fs::read_dir(folder) {
        Ok(listed) => listed,
        Err(error) => return (entries, Some(error)),
    };
    for entry in listed {
        match entry.and_then(|entry| Ok((entry.file_name(), entry.file_type()?))) {
            Ok((name, kind)) => {
                let is_declaration = is_declaration_name(Path::new(&name));
                let is_special = || {
                    [ignore_files::NAME, FILE_NAME].iter().any(|special| name.eq_ignore_ascii_case(special))
                };
                if is_declaration || kind.is_dir() || kind.is_symlink() || is_special() {
                    entries.push(Entry { name, kind, is_declaration });
                }
            }
            Err(failed) => error = Some(failed),
        }
    }
    entries.arrange_by(|one, other| one.name.cmp(&other.name));
    (entries, error)
}

/// Where links may lead.
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

/// Whether the projects around a file want it.
pub(super) fn is_wanted(file: &Path, filters: &[(PathBuf, Arc<FileFilter>)]) -> bool {
    let filters = filters.iter().filter(|(_, filter)| !filter.wants_all());
    filters.into_iter().all(|(root, filter)| match file.strip_prefix(root) {
        Ok(relative) => filter.wants(&paths::slashed(relative)),
        Err(_) => true,
    })
}

/// Whether a file is read as a declaration: the dialects' endings, case and all; of modules those that do more than declare
/// types.
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

/// Whether a path is that of a module of a package, or one that a build wrote.
pub(crate) fn is_built_module(relative: &Path) -> bool {
    is_module_name(relative) && relative.iter().any(|part| BUILT.iter().any(|folder| part == *folder))
}

fn excludes((root, filter): &(PathBuf, Arc<FileFilter>), folder: &Path) -> bool {
    let fits = |relative| filter.exclude.fit(&paths::slashed(relative));
    !filter.exclude.is_empty() && folder.strip_prefix(root).is_ok_and(fits)
}

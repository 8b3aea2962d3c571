//! From paths to projects and their files.
//!
//! Input: paths, the file system. Output: projects in path order, each with its files in load order, and notices.
//! Invariant: a file belongs to one project and counts once; the order of the arguments changes nothing.

mod found_file;
mod left_out;
mod request;
pub(crate) mod walk;

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use nodewise_analysis::files::load_order;
use nodewise_platform::sorting::Sorting;
use tracing::{info, info_span};

use crate::baseline;
use crate::config::{Config, ConfigProblem, FILE_NAME, FileFilter};
use crate::notice::Notice;
use crate::paths;
use crate::reading;
use crate::shared_rules;

pub use found_file::{FilePlace, FoundFile};
pub use left_out::{ExclusionReason, LeftOut, left_out};
use request::Argument;
pub use request::{DiscoveryRequest, Stdin};
use walk::Walked;
pub use walk::{is_declaration_name, leads_out};

/// Why the search for files cannot start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiscoveryError(String);

impl fmt::Display for DiscoveryError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for DiscoveryError {}

/// Files that are checked together.
#[derive(Debug)]
pub struct Project {
    /// The folder, absolute.
    pub root: PathBuf,
    /// The folder, as messages show it.
    pub shown: PathBuf,
    /// The settings from its configuration file.
    pub config: Config,
    /// What is wrong with its configuration file. The rest of the file is used.
    pub config_problems: Vec<ConfigProblem>,
    /// Its files, in load order. The list is shared with whatever reads the files again later.
    pub files: Arc<Vec<FoundFile>>,
    /// The folders that were searched for files.
    pub folders: Vec<PathBuf>,
    /// Whether it has a configuration of its own.
    pub has_config: bool,
}

/// The projects that were found, and what to report about the search.
#[derive(Debug, Default)]
pub struct Discovery {
    /// The projects, in path order.
    pub projects: Vec<Project>,
    /// Problems and remarks of the search.
    pub notices: Vec<Notice>,
}

impl Project {
    /// Removes the files whose paths the function accepts.
    pub fn leave_out(&mut self, is_left_out: impl Fn(&PathBuf) -> bool) {
        Arc::make_mut(&mut self.files).retain(|file| !is_left_out(&file.path()));
    }

    /// The path of one of its files, as shown.
    pub fn shown_path(&self, file: &FoundFile) -> String {
        self.shown.join(&*file.relative).to_string_lossy().into_owned()
    }
}

/// A folder that is a project, before it is walked.
#[derive(Debug)]
struct Root {
    folder: PathBuf,
    has_config: bool,
    reach: Reach,
    /// The filters of the projects around it. Empty unless it was found inside another project, or exclusions are forced.
    outer: Vec<(PathBuf, Arc<FileFilter>)>,
}

/// Which files a project can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Reach {
    /// The files directly in its folder.
    Folder,
    /// All files below its folder.
    Below,
}

/// Finds the projects that a request is about.
pub fn find(request: &DiscoveryRequest, config_file: Option<&Path>) -> Result<Discovery, DiscoveryError> {
    let _entered = info_span!("find files").entered();
    let forced = config_file.map(read_forced_config).transpose()?;
    let configured_projects = configured_projects(request);
    let mut waiting: VecDeque<Root> = roots(request, &configured_projects).into();
    if request.forces_exclusions && forced.is_none() {
        waiting.iter_mut().for_each(|root| root.outer = filters_around(&root.folder));
    }
    let mut finder = Finder { request, forced, configured_projects, discovery: Discovery::default() };
    let mut seen = BTreeSet::new();
    while let Some(root) = waiting.pop_front() {
        if seen.insert(root.folder.clone()) {
            waiting.extend(finder.project(root));
        }
    }
    let mut discovery = finder.discovery;
    if let (Some(config), Some(path)) = (&finder.forced, config_file) {
        discovery.notices.extend(notes(config, &path.to_string_lossy()));
    }
    discovery.projects.arrange_by(|one, other| one.root.cmp(&other.root));
    discovery.notices.extend(request.notices.iter().cloned());
    Ok(discovery)
}

/// The former names that a configuration uses; `shown` is its file.
fn notes(config: &Config, shown: &str) -> impl Iterator<Item = Notice> {
    config.notes.iter().map(move |note| {
        let place = format!("{shown}:{}:{}", note.at.line, note.at.column);
        Notice::remark(place, note.reason.clone(), note.help.clone())
    })
}

fn read_forced_config(path: &Path) -> Result<Config, DiscoveryError> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| DiscoveryError(format!("`{}` cannot be read: {error}", path.display())))?;
    Config::read(&text).map_err(|problem| {
        let (line, column) = (problem.at.line, problem.at.column);
        let place = format!("{}:{line}:{column}", path.display());
        DiscoveryError(format!("{place}: {}\n  help: {}", problem.reason, problem.help))
    })
}

/// For the folder of each argument, the nearest folder with a configuration. `None` if there is none.
type ConfiguredProjects = BTreeMap<PathBuf, Option<PathBuf>>;

fn configured_projects(request: &DiscoveryRequest) -> ConfiguredProjects {
    let upward = if request.is_confined { 1 } else { usize::MAX };
    let mut configured_projects = ConfiguredProjects::new();
    for argument in &request.arguments {
        let folder = argument.folder();
        if !configured_projects.contains_key(folder) {
            configured_projects.insert(folder.to_owned(), configured_folder(folder, upward));
        }
    }
    configured_projects
}

/// The nearest folder with a configuration, among this one and those above it. At most `upward` folders are tried.
fn configured_folder(folder: &Path, upward: usize) -> Option<PathBuf> {
    folder.ancestors().take(upward).find(|ancestor| ancestor.join(FILE_NAME).is_file()).map(Path::to_owned)
}

/// The projects that the arguments are in.
fn roots(request: &DiscoveryRequest, configured_projects: &ConfiguredProjects) -> Vec<Root> {
    let mut reaches: BTreeMap<&Path, (bool, Reach)> = BTreeMap::new();
    for argument in &request.arguments {
        let folder = argument.folder();
        let home = configured_projects.get(folder).and_then(Option::as_deref);
        let reach = if home.is_some() || argument.is_folder { Reach::Below } else { Reach::Folder };
        let entry = reaches.entry(home.unwrap_or(folder)).or_insert((home.is_some(), reach));
        entry.1 = entry.1.max(reach);
    }
    // A named folder without a configuration is walked as a whole, so a folder without a configuration inside of it needs
    // no walk of its own.
    let loose = reaches.iter().filter(|(_, reach)| **reach == (false, Reach::Below));
    let loose: BTreeSet<&Path> = loose.map(|(folder, _)| *folder).collect();
    reaches.retain(|folder, (has_config, _)| {
        *has_config || !folder.ancestors().skip(1).any(|around| loose.contains(around))
    });
    let root = |(folder, (has_config, reach)): (&Path, _)| Root {
        folder: folder.to_owned(),
        has_config,
        reach,
        outer: Vec::new(),
    };
    reaches.into_iter().map(root).collect()
}

/// The filters of the configurations in the folders above this one. A configuration that cannot be read excludes nothing.
fn filters_around(folder: &Path) -> Vec<(PathBuf, Arc<FileFilter>)> {
    let filter = |around: &Path| {
        let text = reading::read(&around.join(FILE_NAME), reading::MIB).ok()?;
        Some((around.to_owned(), Arc::new(Config::read(&text).ok()?.filter)))
    };
    folder.ancestors().skip(1).filter_map(filter).collect()
}

struct Finder<'r> {
    request: &'r DiscoveryRequest,
    forced: Option<Config>,
    configured_projects: ConfiguredProjects,
    discovery: Discovery,
}

impl Finder<'_> {
    /// Walks a project and adds it to the result. Returns the projects inside it.
    fn project(&mut self, root: Root) -> Vec<Root> {
        let (config, mut config_problems) = self.config(&root);
        let filter = Arc::new(config.filter.clone());
        let mut outer = root.outer.clone();
        outer.push((root.folder.clone(), Arc::clone(&filter)));
        let shown = self.request.shown(&root.folder);
        let below = Arc::new(FilePlace::Below(root.folder.clone()));
        let place = (&below, root.folder.as_path(), root.folder.as_path());
        let mut walked = walk::walk(place, &shown, root.reach, &outer, self.request);
        if !self.request.forces_exclusions {
            self.add_named_folders((&root, &below), &filter, &shown, &mut walked);
        }
        let Walked { mut files, folders, nested, notices } = walked;
        self.discovery.notices.extend(notices);
        self.add_named_files((&root, &below), &outer, &mut files);
        files.arrange_by(in_load_order);
        files.dedup_by(|one, other| one.relative == other.relative);
        let configured = config.baseline.as_ref().map(|baseline| root.folder.join(baseline));
        files.retain(|file| !is_baseline(Path::new(&*file.relative)));
        files.retain(|file| configured.as_ref().is_none_or(|baseline| file.path() != *baseline));
        files.retain(|file| !shared_rules::is_copy(&file.relative));
        self.mark(&root, &mut files);
        let (shared, problems) = shared_rules::files(&root.folder, &config.shared_rules);
        let found = |(relative, path): (String, PathBuf)| FoundFile::new(&below, relative.into(), &path);
        if !shared.is_empty() {
            files.extend(shared.into_iter().map(found));
            files.sort_by(in_load_order);
        }
        files.shrink_to_fit();
        self.report_problems(&root, &problems);
        config_problems.extend(problems);
        let nested = nested.into_iter().map(|folder| Root {
            folder,
            has_config: true,
            reach: Reach::Below,
            outer: outer.clone(),
        });
        let nested = nested.collect();
        info!(root = %root.folder.display(), has_config = root.has_config, files = files.len(), "a project");
        let Root { folder: root, has_config, .. } = root;
        let files = Arc::new(files);
        let project = Project { root, shown, config, config_problems, files, folders, has_config };
        self.discovery.projects.push(project);
        nested
    }

    /// Marks the files whose findings are reported, and those that the user named.
    fn mark(&self, root: &Root, files: &mut [FoundFile]) {
        let is_covered = self.request.covers(&root.folder);
        let names_files = self.request.names_files();
        for file in files {
            file.is_reported = is_covered;
            // Most requests name folders only. Then no path has to be built here, which matters for many files.
            if names_files || !is_covered {
                let path = file.path();
                file.is_reported |= self.request.names(&path);
                file.is_named = !self.request.forces_exclusions && self.request.is_named(&path);
            }
        }
    }

    /// The configuration of a project. Problems are reported as failures, and entries with a problem are ignored.
    fn config(&mut self, root: &Root) -> (Config, Vec<ConfigProblem>) {
        if let Some(forced) = &self.forced {
            return (forced.clone(), Vec::new());
        }
        if !root.has_config {
            return (Config::default(), Vec::new());
        }
        let path = root.folder.join(FILE_NAME);
        let shown = self.request.shown(&path).to_string_lossy().into_owned();
        let text = match reading::read(&path, reading::MIB) {
            Ok(text) => text,
            Err(unreadable) => {
                self.discovery.notices.push(Notice::failure(shown, unreadable.reason, unreadable.help));
                return (Config::default(), Vec::new());
            }
        };
        let (config, problems) = Config::judge(&text);
        self.report_problems(root, &problems);
        self.discovery.notices.extend(notes(&config, &shown));
        (config, problems)
    }

    /// Reports what is wrong with the configuration of a project.
    fn report_problems(&mut self, root: &Root, problems: &[ConfigProblem]) {
        let shown = self.request.shown(&root.folder.join(FILE_NAME)).to_string_lossy().into_owned();
        for problem in problems {
            let place = format!("{shown}:{}:{}", problem.at.line, problem.at.column);
            let help = &problem.help;
            let help = match help.ends_with('?') {
                true => format!("{help} It is ignored until then"),
                false => format!("{help}; it is ignored until then"),
            };
            self.discovery.notices.push(Notice::failure(place, problem.reason.clone(), help));
        }
    }

    /// Adds the files below folders that the user named, even if the project leaves these folders out.
    fn add_named_folders(
        &self,
        (root, below): (&Root, &Arc<FilePlace>),
        filter: &FileFilter,
        shown: &Path,
        all: &mut Walked,
    ) {
        for argument in self.request.arguments.iter().filter(|argument| argument.is_folder) {
            let folder = argument.absolute.as_path();
            if folder == root.folder || !self.is_home(root, argument) {
                continue;
            }
            let relative = paths::slashed(&paths::relative(folder, &root.folder));
            let is_left_out = filter.exclude.fit(&relative) || !filter.include.is_empty();
            let own = (!is_left_out).then(|| (root.folder.clone(), Arc::new(filter.clone())));
            let filters: Vec<_> = own.into_iter().collect();
            let place = (below, root.folder.as_path(), folder);
            let walked = walk::walk(place, &shown.join(&relative), Reach::Below, &filters, self.request);
            all.folders.extend(walked.folders);
            all.files.extend(walked.files);
        }
    }

    /// Adds the files that the user named, even if the project leaves them out, unless exclusions are forced.
    fn add_named_files(
        &self,
        (root, below): (&Root, &Arc<FilePlace>),
        filters: &[(PathBuf, Arc<FileFilter>)],
        files: &mut Vec<FoundFile>,
    ) {
        for argument in self.request.arguments.iter().filter(|argument| !argument.is_folder) {
            let is_left_out = self.request.forces_exclusions && !walk::is_wanted(&argument.absolute, filters);
            if self.is_home(root, argument) && !is_left_out {
                let relative = paths::slashed(&paths::relative(&argument.absolute, &root.folder));
                files.push(FoundFile::new(below, relative.into(), &argument.absolute));
            }
        }
    }

    /// Whether an argument belongs to this project, and not to one inside or around it.
    fn is_home(&self, root: &Root, argument: &Argument) -> bool {
        let home = self.configured_projects.get(argument.folder()).and_then(Option::as_deref);
        match (root.has_config, root.reach) {
            (true, _) => home == Some(root.folder.as_path()),
            (false, Reach::Below) => home.is_none() && argument.absolute.starts_with(&root.folder),
            (false, Reach::Folder) => {
                home.is_none() && !argument.is_folder && argument.folder() == root.folder
            }
        }
    }
}

/// Whether a file has the usual name of a baseline.
pub(crate) fn is_baseline(path: &Path) -> bool {
    // This runs for every file. Comparing the last bytes is cheap, and mostly enough.
    path.as_os_str().as_encoded_bytes().ends_with(baseline::FILE_NAME.as_bytes())
        && path.file_name().is_some_and(|name| name == baseline::FILE_NAME)
}

fn in_load_order(one: &FoundFile, other: &FoundFile) -> Ordering {
    load_order(&one.relative, &other.relative)
}

#[cfg(test)]
mod tests;

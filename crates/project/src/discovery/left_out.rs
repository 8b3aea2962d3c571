//! Files that are not read although their names are those of declarations, and why.
//!
//! Input: a request, and what was found for it. Output: files, and folders that were not looked into, each with the reason.
//! Invariant: what is left out is what the walk did not yield; the reasons are asked of the same patterns, so that a listing
//! never says otherwise than a check does.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};

use ignore::Match;
use ignore::gitignore::Gitignore;

use super::walk::{has_odd_ignore_file, is_declaration_name, leads_out};
use super::{Discovery, DiscoveryRequest, FoundFile, Project, is_baseline};
use crate::config::{FILE_NAME, Unwanted};
use crate::paths;

/// A file that is not read, or a folder that is not searched.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct LeftOut {
    /// The path, as shown; that of a folder ends with `/`.
    pub shown: String,
    pub why: ExclusionReason,
}

/// Why a file is not read, or a folder is not searched.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExclusionReason {
    /// A configuration excludes it.
    Excluded {
        /// The configuration, as shown.
        config: String,
        pattern: String,
    },
    /// A configuration includes only other files.
    NotIncluded {
        /// The configuration, as shown.
        config: String,
    },
    /// Git ignores it.
    Ignored {
        /// The file that says so, as shown.
        by: String,
        pattern: String,
    },
    /// It lists findings.
    Baseline,
    /// A link that was not followed.
    Link,
    /// A link that leads out of the project.
    Outward,
    /// It cannot be read.
    Unreadable,
}

impl fmt::Display for ExclusionReason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExclusionReason::Excluded { config, pattern } => {
                write!(formatter, "excluded by `{pattern}` in {config}")
            }
            ExclusionReason::NotIncluded { config } => {
                write!(formatter, "not included by any pattern in {config}")
            }
            ExclusionReason::Ignored { by, pattern } => write!(formatter, "ignored by `{pattern}` in {by}"),
            ExclusionReason::Baseline => formatter.write_str("it is a baseline"),
            ExclusionReason::Link => formatter.write_str("a broken link, or a link to a parent folder"),
            ExclusionReason::Outward => {
                formatter.write_str("a link that leads out of the project; `--follow-links` follows it")
            }
            ExclusionReason::Unreadable => formatter.write_str("it cannot be read"),
        }
    }
}

/// The files and folders that the user asked for and that are not read. `config` is the configuration for all projects, if
/// the user chose one.
#[must_use]
pub fn left_out(request: &DiscoveryRequest, found: &Discovery, config: Option<&Path>) -> Vec<LeftOut> {
    let files = found.projects.iter().flat_map(|project| project.files.iter());
    let roots = found.projects.iter().map(|project| project.root.as_path());
    let looked_into = found.projects.iter().flat_map(|project| &project.folders).map(PathBuf::as_path);
    let mut finder = LeftOutFinder {
        request,
        config,
        projects: &found.projects,
        read: files.map(FoundFile::path).collect(),
        walked: roots.chain(looked_into).collect(),
        ignore_files: BTreeMap::new(),
    };
    let mut left_out = BTreeSet::new();
    for folder in finder.walked.clone() {
        finder.folder(folder, &mut left_out);
    }
    for argument in request.arguments.iter().filter(|argument| !argument.is_folder) {
        if !finder.read.contains(argument.absolute.as_path()) {
            left_out.insert(finder.left_out(&argument.absolute, false));
        }
    }
    left_out.into_iter().collect()
}

struct LeftOutFinder<'r> {
    request: &'r DiscoveryRequest,
    config: Option<&'r Path>,
    projects: &'r [Project],
    /// The files that are read.
    read: BTreeSet<PathBuf>,
    /// The folders that were searched.
    walked: BTreeSet<&'r Path>,
    /// The `.gitignore` of each folder, empty where there is none.
    ignore_files: BTreeMap<PathBuf, Gitignore>,
}

impl LeftOutFinder<'_> {
    /// Adds what is left out directly in one folder.
    fn folder(&mut self, folder: &Path, left_out: &mut BTreeSet<LeftOut>) {
        // The search itself reports a folder that cannot be read.
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let is_folder = path.is_dir();
            let is_left_out = match is_folder {
                true => {
                    entry.file_name() != ".git"
                        && self.request.covers(&path)
                        && !self.walked.contains(path.as_path())
                }
                false => {
                    is_declaration_name(&path)
                        && self.request.names(&path)
                        && !self.read.contains(path.as_path())
                }
            };
            if is_left_out {
                left_out.insert(self.left_out(&path, is_folder));
            }
        }
    }

    fn left_out(&mut self, path: &Path, is_folder: bool) -> LeftOut {
        let mut shown = self.shown(path);
        if is_folder {
            shown.push('/');
        }
        LeftOut { shown, why: self.why(path, is_folder) }
    }

    fn why(&mut self, path: &Path, is_folder: bool) -> ExclusionReason {
        let excluded = self.unwanted(path, is_folder);
        let projects = self.projects;
        let lists = |project: &Project| {
            project.config.baseline.as_ref().is_some_and(|baseline| project.root.join(baseline) == path)
        };
        if let Some(why) = excluded.or_else(|| self.ignored(path, is_folder)) {
            why
        } else if is_baseline(path) || projects.iter().any(lists) {
            ExclusionReason::Baseline
        } else if self.is_outward(path) {
            ExclusionReason::Outward
        } else if path.is_symlink() {
            ExclusionReason::Link
        } else {
            ExclusionReason::Unreadable
        }
    }

    /// Whether a link leads out of its project to something that exists.
    fn is_outward(&self, path: &Path) -> bool {
        let project = self.projects.iter().rev().find(|project| path.starts_with(&project.root));
        path.is_symlink() && path.exists() && project.is_some_and(|project| leads_out(path, &project.root))
    }

    /// Why the configurations of the projects around leave out a path. `None` if they do not.
    fn unwanted(&self, path: &Path, is_folder: bool) -> Option<ExclusionReason> {
        self.projects.iter().rev().find_map(|project| {
            let relative = paths::slashed(path.strip_prefix(&project.root).ok()?);
            let own = || self.shown(&project.root.join(FILE_NAME));
            let config = self.config.map_or_else(own, |config| config.to_string_lossy().into_owned());
            let excluded = |pattern: &str| ExclusionReason::Excluded {
                config: config.clone(),
                pattern: pattern.to_owned(),
            };
            let filter = &project.config.filter;
            match is_folder {
                true => filter.exclude.fitting(&relative).map(excluded),
                false => filter.unwanted(&relative).map(|unwanted| match unwanted {
                    Unwanted::NotIncluded => ExclusionReason::NotIncluded { config: config.clone() },
                    Unwanted::Excluded(pattern) => excluded(pattern),
                }),
            }
        })
    }

    /// Why git ignores a path. The nearest ignore file with a matching pattern decides, up to the folder of the repository.
    fn ignored(&mut self, path: &Path, is_folder: bool) -> Option<ExclusionReason> {
        for around in path.ancestors().skip(1) {
            let read = || match has_odd_ignore_file(around) {
                true => Gitignore::empty(),
                false => Gitignore::new(around.join(".gitignore")).0,
            };
            let rules = self.ignore_files.entry(around.to_owned()).or_insert_with(read);
            match rules.matched(path, is_folder) {
                Match::Ignore(glob) => {
                    let (by, pattern) = (around.join(".gitignore"), glob.original().to_owned());
                    return Some(ExclusionReason::Ignored { by: self.shown(&by), pattern });
                }
                Match::Whitelist(_) => return None,
                Match::None if around.join(".git").exists() => return None,
                Match::None => {}
            }
        }
        None
    }

    fn shown(&self, path: &Path) -> String {
        self.request.shown(path).to_string_lossy().into_owned()
    }
}

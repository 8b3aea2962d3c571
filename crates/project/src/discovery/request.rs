//! What a command line asks for: folders, files, standard input.
//!
//! Input: the paths as given. Output: the same paths, absolute, and how to show others. Invariant: a path that
//! does not exist is a notice, and the rest of the request stands.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use nodewise_platform::sorting::Sorting;

use super::DiscoveryError;
use super::walk::is_declaration_name;
use crate::notice::Notice;
use crate::paths;

/// What a command line asks for.
#[derive(Debug, Default)]
pub struct DiscoveryRequest {
    /// The paths, without repetitions, in path order.
    pub(super) arguments: Vec<Argument>,
    /// Notices about paths that do not exist or cannot be read.
    pub(super) notices: Vec<Notice>,
    /// A text that stands for a file.
    pub stdin: Option<Stdin>,
    /// Whether nothing outside of the folders is read.
    pub(super) is_confined: bool,
    /// Whether files that the configuration leaves out are left out even if the user names them.
    pub(super) forces_exclusions: bool,
    /// Whether links are followed out of the projects.
    pub(super) follows_links: bool,
    current: PathBuf,
    files: BTreeSet<PathBuf>,
    folders: BTreeSet<PathBuf>,
}

/// A path of the command line.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Argument {
    pub(super) absolute: PathBuf,
    /// Whether it is a folder.
    pub(super) is_folder: bool,
    /// Whether it was given as an absolute path, and is shown as one.
    is_shown_absolute: bool,
}

/// Standard input, read as a file.
#[derive(Debug)]
pub struct Stdin {
    pub path: PathBuf,
    pub bytes: Arc<[u8]>,
}

impl Argument {
    /// The folder itself, or the folder that the file lies in.
    pub(super) fn folder(&self) -> &Path {
        if self.is_folder { &self.absolute } else { self.absolute.parent().unwrap_or(&self.absolute) }
    }
}

impl DiscoveryRequest {
    /// A request for `given` paths and, if there is one, a text that stands for the file `stdin`.
    pub fn new(
        given: &[PathBuf],
        stdin: Option<(&Path, Vec<u8>)>,
    ) -> Result<DiscoveryRequest, DiscoveryError> {
        let current = std::env::current_dir()
            .map_err(|error| DiscoveryError(format!("the current folder cannot be read: {error}")))?;
        let mut request = DiscoveryRequest { current, ..DiscoveryRequest::default() };
        for path in given {
            request.add(path);
        }
        if let Some((path, bytes)) = stdin {
            let absolute = std::path::absolute(path).map_err(|error| {
                DiscoveryError(format!("the name for standard input is not a path: {error}"))
            })?;
            let absolute: PathBuf = absolute.components().collect();
            request.stdin = Some(Stdin { path: absolute.clone(), bytes: bytes.into() });
            let is_shown_absolute = path.is_absolute();
            request.arguments.push(Argument { absolute, is_folder: false, is_shown_absolute });
        }
        request.arguments.arrange();
        request.arguments.dedup_by(|one, other| one.absolute == other.absolute);
        for argument in &request.arguments {
            let known = if argument.is_folder { &mut request.folders } else { &mut request.files };
            known.insert(argument.absolute.clone());
        }
        Ok(request)
    }

    /// A request for everything below one folder, as an editor opens it. Nothing around the folder is read, and no link out
    /// of it is followed.
    #[must_use]
    pub fn confined(root: &Path) -> DiscoveryRequest {
        let root: PathBuf = root.components().collect();
        let folder = Argument { absolute: root.clone(), is_folder: true, is_shown_absolute: true };
        let folders = BTreeSet::from([root]);
        DiscoveryRequest {
            arguments: vec![folder],
            is_confined: true,
            folders,
            ..DiscoveryRequest::default()
        }
    }

    /// Sets whether exclusions also apply to named files, for callers that name files without knowing the configuration.
    #[must_use]
    pub fn force_exclusions(self, forces_exclusions: bool) -> DiscoveryRequest {
        DiscoveryRequest { forces_exclusions, ..self }
    }

    /// Sets whether links out of the projects are followed.
    #[must_use]
    pub fn follow_links(self, follows_links: bool) -> DiscoveryRequest {
        DiscoveryRequest { follows_links, ..self }
    }

    /// Whether a folder does not exist, and is known only from the name of standard input.
    pub(super) fn is_only_said(&self, folder: &Path) -> bool {
        self.stdin.as_ref().is_some_and(|stdin| stdin.path.starts_with(folder)) && !folder.exists()
    }

    fn add(&mut self, path: &Path) {
        let found = std::fs::metadata(path).and_then(|metadata| Ok((metadata, paths::absolute(path)?)));
        match found {
            Ok((metadata, absolute)) => {
                let is_shown_absolute = path.is_absolute();
                self.arguments.push(Argument { absolute, is_folder: metadata.is_dir(), is_shown_absolute });
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let shown = path.to_string_lossy();
                self.notices.push(Notice::failure(shown, "no such file or folder", "check the path"));
            }
            Err(error) => {
                let help = "check the path and its permissions";
                self.notices.push(Notice::failure(path.to_string_lossy(), error.to_string(), help));
            }
        }
    }

    /// Whether the user asked for a file, by its name or by a folder around it.
    #[must_use]
    pub fn names(&self, file: &Path) -> bool {
        self.files.contains(file) || self.covers(file)
    }

    /// Whether the user named any file, and not only folders.
    pub(super) fn names_files(&self) -> bool {
        !self.files.is_empty()
    }

    /// Whether the user named the file itself, and it is read as YAML or JSON (by its ending, or as standard input).
    pub(super) fn is_named(&self, file: &Path) -> bool {
        let is_stdin = self.stdin.as_ref().is_some_and(|stdin| stdin.path == file);
        self.files.contains(file) && (is_stdin || is_declaration_name(file))
    }

    /// Whether the user asked for everything below a folder.
    pub(super) fn covers(&self, folder: &Path) -> bool {
        folder.ancestors().any(|around| self.folders.contains(around))
    }

    /// How a path is shown: as it was given, which is relative to the current folder in most cases.
    pub(super) fn shown(&self, path: &Path) -> PathBuf {
        let is_related = |argument: &&Argument| {
            path.starts_with(&argument.absolute) || argument.absolute.starts_with(path)
        };
        match self.arguments.iter().find(is_related) {
            Some(argument) if argument.is_shown_absolute => path.to_owned(),
            _ => paths::relative(path, &self.current),
        }
    }
}

//! The files of the open folders: those of the system, or texts that the client hands over.
//!
//! Input: paths, and texts from the client. Output: texts, projects, the states of files. Invariant: with texts from the client, nothing
//! else is read.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use nodewise_project::cache::{CheckCache, CheckKey, FileState};
use nodewise_project::discovery::{self, Discovery, DiscoveryRequest, FilePlace, FoundFile};
use nodewise_project::paths;
use nodewise_project::python;
use nodewise_project::reading::{self, Unreadable};
use nodewise_project::texts::{TextProject, projects_of};

/// The files of the open folders.
#[derive(Debug, Clone)]
pub(crate) enum Disk {
    System {
        /// Where the links between the files of large projects are kept. `None` to keep nothing.
        cache: Option<CheckCache>,
    },
    /// Texts from the client.
    Texts(ClientFiles),
}

/// Texts from the client, by their paths.
#[derive(Debug, Clone, Default)]
pub(crate) struct ClientFiles(Arc<Mutex<Files>>);

/// Distinguishes the links of files from the results of checks in the keys of the cache.
const KEPT_LINKS: &str = "links";

#[derive(Debug, Default)]
struct Files {
    texts: BTreeMap<PathBuf, (Arc<str>, u64)>,
    writes: u64,
}

impl Default for Disk {
    fn default() -> Disk {
        Disk::System { cache: None }
    }
}

impl Disk {
    /// Where the links of a project's files are kept. `None` for small projects, and without a cache.
    pub(crate) fn kept_links(&self, project: &discovery::Project) -> Option<(CheckCache, CheckKey)> {
        let Disk::System { cache: Some(cache) } = self else { return None };
        Some((cache.clone(), CheckKey::of(project, env!("CARGO_PKG_VERSION"), KEPT_LINKS)?))
    }

    /// Reads a file of at most `limit` bytes.
    pub(crate) fn read(&self, path: &Path, limit: u64) -> Result<Arc<str>, Unreadable> {
        match self {
            Disk::System { .. } => reading::read(path, limit),
            Disk::Texts(files) => match files.lock().texts.get(path) {
                Some((text, _)) => reading::limited(text, limit),
                None => Err(reading::missing()),
            },
        }
    }

    /// Whether a path is a file.
    pub(crate) fn is_file(&self, path: &Path) -> bool {
        match self {
            Disk::System { .. } => path.is_file(),
            Disk::Texts(files) => files.lock().texts.contains_key(path),
        }
    }

    /// Whether a path is a folder.
    pub(crate) fn is_folder(&self, path: &Path) -> bool {
        match self {
            Disk::System { .. } => path.is_dir(),
            Disk::Texts(files) => files.lock().below(path).next().is_some(),
        }
    }

    /// The state of a file. `None` if it cannot be read.
    pub(crate) fn state(&self, path: &Path) -> Option<FileState> {
        match self {
            Disk::System { .. } => Some(FileState::of(&std::fs::metadata(path).ok()?)),
            Disk::Texts(files) => {
                let files = files.lock();
                let (text, write) = files.texts.get(path)?;
                Some(FileState::of_text(text.len(), *write))
            }
        }
    }

    /// The projects in a folder.
    pub(crate) fn projects(&self, folder: &Path) -> Discovery {
        match self {
            // This can fail only if a configuration is forced, which a confined request does not do.
            Disk::System { .. } => {
                discovery::find(&DiscoveryRequest::confined(folder), None).unwrap_or_default()
            }
            Disk::Texts(files) => {
                let files = files.lock();
                let texts = files.below(folder).map(|(path, text)| (path, Arc::clone(text))).collect();
                let found = |project: TextProject| found(folder, project);
                Discovery {
                    projects: projects_of(&texts).into_iter().map(found).collect(),
                    ..Discovery::default()
                }
            }
        }
    }

    /// The Python files below a folder, in path order.
    pub(crate) fn python_files(&self, root: &Path) -> Vec<PathBuf> {
        match self {
            Disk::System { .. } => python::files(root),
            Disk::Texts(files) => {
                let files = files.lock();
                let inside = files.below(root).map(|(path, _)| root.join(path));
                inside.filter(|path| python::is_python_name(path)).collect()
            }
        }
    }
}

fn found(folder: &Path, project: TextProject) -> discovery::Project {
    // Joining an empty path would add a `/`.
    let root = match project.folder.trim_end_matches('/') {
        "" => folder.to_owned(),
        inside => folder.join(inside),
    };
    let below = Arc::new(FilePlace::Below(root.clone()));
    let file = |relative: String| {
        let path = root.join(&relative);
        let mut file = FoundFile::new(&below, relative.into(), &path);
        file.is_reported = true;
        file
    };
    let files: Vec<FoundFile> = project.files.into_iter().map(|text| file(text.path)).collect();
    discovery::Project {
        shown: root.clone(),
        files: Arc::new(files),
        config: project.config,
        config_problems: project.config_problems,
        folders: vec![root.clone()],
        has_config: !project.folder.is_empty(),
        root,
    }
}

impl ClientFiles {
    /// Stores the text of a file. Without a text, removes the file, or all files of the folder with this path.
    pub(crate) fn write(&self, path: PathBuf, text: Option<Arc<str>>) {
        let mut files = self.lock();
        files.writes += 1;
        let write = files.writes;
        match text {
            Some(text) => {
                files.texts.insert(path, (text, write));
            }
            None => files.texts.retain(|file, _| !file.starts_with(&path)),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Files> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Files {
    /// The files below a folder: paths relative to it, and texts.
    fn below<'f>(&'f self, folder: &'f Path) -> impl Iterator<Item = (String, &'f Arc<str>)> {
        // In the order of paths, everything below a folder follows the folder.
        let behind = self.texts.range(folder.to_owned()..);
        let inside = behind.map_while(move |(path, (text, _))| Some((path.strip_prefix(folder).ok()?, text)));
        inside.map(|(path, text)| (paths::slashed(path), text)).filter(|(path, _)| !path.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{ClientFiles, Disk, FoundFile};

    #[test]
    fn texts_are_files_in_folders() {
        let files = ClientFiles::default();
        let disk = Disk::Texts(files.clone());
        for (path, text) in [
            ("/w/a.yaml", "a: 1\n"),
            ("/w/sub/nodewise.toml", ""),
            ("/w/sub/b.yaml", "b: 1\n"),
            ("/w-other/c.yaml", ""),
            ("/w/sub/tools.py", ""),
        ] {
            files.write(path.into(), Some(text.into()));
        }
        let projects = |folder: &str| -> Vec<(String, Vec<String>)> {
            let found = disk.projects(Path::new(folder)).projects.into_iter();
            let files = |files: &[FoundFile]| files.iter().map(|file| file.relative.to_string()).collect();
            found
                .map(|project| (project.root.to_string_lossy().into_owned(), files(&project.files)))
                .collect()
        };
        let listed = |path: &str| vec![path.to_owned()];
        assert_eq!(
            projects("/w"),
            [("/w".to_owned(), listed("a.yaml")), ("/w/sub".to_owned(), listed("b.yaml"))]
        );
        assert!(disk.is_folder(Path::new("/w/sub")) && !disk.is_folder(Path::new("/w/a.yaml")));
        assert_eq!(disk.python_files(Path::new("/w")), [Path::new("/w/sub/tools.py")]);
        let before = disk.state(Path::new("/w/a.yaml"));
        files.write("/w/a.yaml".into(), Some("a: 2\n".into()));
        assert_ne!(disk.state(Path::new("/w/a.yaml")), before);
        assert_eq!(
            disk.read(Path::new("/w/a.yaml"), 4).map_err(|error| error.reason),
            Err("larger than 0 MiB; not read".to_owned())
        );
        files.write("/w/sub".into(), None);
        assert!(!disk.is_file(Path::new("/w/sub/b.yaml")));
    }
}

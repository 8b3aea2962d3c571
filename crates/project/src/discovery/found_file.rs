//! A file of a project, and where it stands.
//!
//! Input: the folder of a project, a path relative to it, and the path of the file. Output: the path, made again where it is
//! needed. Invariant: it is the path that was found, letter by letter. A project has a hundred thousand files, so what they have
//! in common is kept once.

use std::path::{MAIN_SEPARATOR, MAIN_SEPARATOR_STR, Path, PathBuf};
use std::sync::Arc;

/// A file of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundFile {
    /// The path relative to the project, with `/` between its parts.
    pub relative: Arc<str>,
    place: Arc<FilePlace>,
    /// Whether its findings are reported. The other files of a project are read as context.
    pub is_reported: bool,
    /// Whether the user named the file itself, as YAML or JSON.
    pub is_named: bool,
}

/// How the path of a file is stored.
#[derive(Debug, PartialEq, Eq)]
pub enum FilePlace {
    /// Where its relative path leads from this folder. All such files of a project share one value.
    Below(PathBuf),
    /// At this path, because the relative path does not lead there: it goes through a link, or is not valid text.
    At(PathBuf),
}

impl FoundFile {
    /// A file whose findings are not reported yet. It shares the place `folder` of its project if its relative path leads
    /// from there to `path`.
    #[must_use]
    pub fn new(folder: &Arc<FilePlace>, relative: Arc<str>, path: &Path) -> FoundFile {
        let place = match folder.leads_to(&relative, path) {
            true => Arc::clone(folder),
            false => Arc::new(FilePlace::At(path.to_owned())),
        };
        FoundFile { relative, place, is_reported: false, is_named: false }
    }

    /// Its relative path, if it leads from this folder to the file.
    #[cfg(unix)]
    pub(crate) fn below(&self, folder: &Path) -> Option<&str> {
        let leads = matches!(&*self.place, FilePlace::Below(known) if known.as_path() == folder);
        leads.then_some(&*self.relative)
    }

    /// The path of the file. It is built on each call.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        match &*self.place {
            FilePlace::Below(folder) => joined(folder, &self.relative),
            FilePlace::At(path) => path.clone(),
        }
    }
}

impl FilePlace {
    /// Whether the relative path leads from this folder to exactly this path.
    fn leads_to(&self, relative: &str, path: &Path) -> bool {
        let FilePlace::Below(folder) = self else { return false };
        let [letters, of_folder] = [path, folder].map(|path| path.as_os_str().as_encoded_bytes());
        let rest = letters.strip_prefix(of_folder);
        let rest = rest.and_then(|rest| rest.strip_prefix(MAIN_SEPARATOR_STR.as_bytes()));
        // Comparing the bytes is enough for most files, and there are many.
        rest == Some(relative.as_bytes()) && !relative.is_empty()
            || joined(folder, relative).as_os_str() == path.as_os_str()
    }
}

/// The path to which a relative path with `/` between its parts leads from a folder.
fn joined(folder: &Path, relative: &str) -> PathBuf {
    if MAIN_SEPARATOR == '/' {
        return folder.join(relative);
    }
    folder.join(relative.replace('/', MAIN_SEPARATOR_STR))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a file shares the folder of the project; its path is the one that was found in either case.
    #[track_caller]
    fn check(folder: &str, relative: &str, path: &str, shares: bool) {
        let place = Arc::new(FilePlace::Below(folder.into()));
        let file = FoundFile::new(&place, relative.into(), Path::new(path));
        assert_eq!(file.path().as_os_str(), path, "{relative}");
        assert_eq!(Arc::ptr_eq(&file.place, &place), shares, "{relative} in {folder}: {path}");
    }

    #[cfg(unix)]
    #[test]
    fn a_file_stands_where_it_was_found() {
        check("/p", "a/x.yaml", "/p/a/x.yaml", true);
        check("/", "x.yaml", "/x.yaml", true);
        check("/p", "a\\x.yaml", "/p/a\\x.yaml", true);
        check("/p", "a/x.yaml", "/p/a//x.yaml", false);
        check("/p", "../x.yaml", "/x.yaml", false);
        check("/p", "link/x.yaml", "/p/real/x.yaml", false);
        check("/p", "", "/p", false);
        check("/p", "q/x.yaml", "/pq/x.yaml", false);
    }

    #[cfg(windows)]
    #[test]
    fn a_file_stands_where_it_was_found() {
        check("C:\\p", "a/x.yaml", "C:\\p\\a\\x.yaml", true);
        check("C:\\p", "x.yaml", "C:\\p\\x.yaml", true);
        check("C:\\p", "a/x.yaml", "C:\\p\\a/x.yaml", false);
        check("C:\\p", "a/x.yaml", "D:\\p\\a\\x.yaml", false);
    }

    #[cfg(unix)]
    #[test]
    fn letters_that_are_no_text_are_kept() {
        use std::os::unix::ffi::OsStrExt;
        let place = Arc::new(FilePlace::Below("/p".into()));
        let path = Path::new(std::ffi::OsStr::from_bytes(b"/p/\xff.yaml"));
        let file =
            FoundFile::new(&place, crate::paths::slashed(Path::new(path.file_name().unwrap())).into(), path);
        assert_eq!((&*file.relative, file.path().as_path()), ("\u{fffd}.yaml", path));
    }

    #[test]
    fn a_file_needs_little_memory() {
        assert_eq!(size_of::<FoundFile>(), 2 * size_of::<Arc<str>>());
    }
}

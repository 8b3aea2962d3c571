//! The folder of a project, opened to read its files.
//!
//! Input: a folder and files that were found in it. Output: texts, or reasons why there are none. Invariant: it reads what the
//! whole path of the file leads to, as long as nobody moves the folder.

use std::fs::{File, Metadata};
use std::path::Path;
#[cfg(unix)]
use std::path::PathBuf;
use std::sync::Arc;

use crate::discovery::FoundFile;
use crate::reading::{self, Unreadable};

/// The folder of a project whose files are read, all at about the same time. It is opened once, so that the folders around it
/// are not looked up again for each file.
#[derive(Debug)]
pub struct ProjectFolder {
    /// `None` if it cannot be opened. Then each file is opened by its whole path, which gives the reason.
    opened: Option<OpenedFolder>,
}

/// An opened folder, and its path.
#[cfg(unix)]
#[derive(Debug)]
struct OpenedFolder(rustix::fd::OwnedFd, PathBuf);

/// Other systems open a file by its whole path alone.
#[cfg(not(unix))]
#[derive(Debug)]
enum OpenedFolder {}

impl ProjectFolder {
    /// Opens a folder.
    #[must_use]
    pub fn new(path: &Path) -> ProjectFolder {
        ProjectFolder { opened: OpenedFolder::new(path) }
    }

    /// Reads a file of at most `limit` bytes.
    ///
    /// # Errors
    /// As [`reading::read`].
    pub fn read(&self, file: &FoundFile, limit: u64) -> Result<Arc<str>, Unreadable> {
        self.read_with_metadata(file, limit).map(|(text, _)| text)
    }

    /// Reads like [`ProjectFolder::read`], and returns the metadata from before the text was read.
    pub(crate) fn read_with_metadata(
        &self,
        file: &FoundFile,
        limit: u64,
    ) -> Result<(Arc<str>, Metadata), Unreadable> {
        reading::read_opened(Path::new(&*file.relative), || self.open(file), limit)
    }

    fn open(&self, file: &FoundFile) -> std::io::Result<File> {
        let from_folder = self.opened.as_ref().and_then(|folder| folder.open(file));
        from_folder.unwrap_or_else(|| File::open(file.path()))
    }
}

#[cfg(unix)]
impl OpenedFolder {
    fn new(path: &Path) -> Option<OpenedFolder> {
        Some(OpenedFolder(File::open(path).ok()?.into(), path.to_owned()))
    }

    /// Opens a file, if it was found in this folder.
    fn open(&self, file: &FoundFile) -> Option<std::io::Result<File>> {
        use rustix::fs::{Mode, OFlags, openat};
        let relative = file.below(&self.1)?;
        let open = || openat(&self.0, relative, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty());
        Some(rustix::io::retry_on_intr(open).map(File::from).map_err(std::io::Error::from))
    }
}

#[cfg(not(unix))]
impl OpenedFolder {
    fn new(_: &Path) -> Option<OpenedFolder> {
        None
    }

    fn open(&self, _: &FoundFile) -> Option<std::io::Result<File>> {
        match *self {}
    }
}

#[cfg(test)]
mod tests {
    use crate::discovery::FilePlace;

    use super::*;

    #[test]
    fn a_file_is_read_from_its_folder_or_by_its_whole_path() {
        let base = std::env::temp_dir().join(format!("nodewise-project-folder-{}", std::process::id()));
        let (folder, other) = (base.join("project"), base.join("other"));
        std::fs::create_dir_all(folder.join("a")).unwrap();
        std::fs::create_dir_all(&other).unwrap();
        std::fs::write(folder.join("a/x.yaml"), "kind: Node").unwrap();
        std::fs::write(other.join("y.yaml"), "kind: ToolNode").unwrap();
        let place = Arc::new(FilePlace::Below(folder.clone()));
        let below = FoundFile::new(&place, "a/x.yaml".into(), &folder.join("a/x.yaml"));
        let elsewhere = FoundFile::new(&place, "link/y.yaml".into(), &other.join("y.yaml"));
        let missing = FoundFile::new(&place, "z.yaml".into(), &folder.join("z.yaml"));
        // One that is not the folder of the files reads them all the same, and so does one that is not there.
        for opened in [&folder, &other, &base.join("none")].map(|path| ProjectFolder::new(path)) {
            assert_eq!(opened.read(&below, 100).as_deref(), Ok("kind: Node"), "{opened:?}");
            assert_eq!(opened.read(&elsewhere, 100).as_deref(), Ok("kind: ToolNode"), "{opened:?}");
            assert_eq!(opened.read(&missing, 100).unwrap_err().reason, "no such file", "{opened:?}");
        }
        std::fs::remove_dir_all(base).unwrap();
    }
}

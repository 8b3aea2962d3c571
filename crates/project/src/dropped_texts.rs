//! The texts of a project's files, dropped when the facts of the files were known, and read again for what is quoted.
//!
//! Input: a project; the position of a file, and the mark of the text that it had. Output: the text, if the file still has it.
//! Invariant: once another text was there, or none, [`DroppedTexts::has_changed`] says so.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use nodewise_analysis::{TextMark, TextSource};
use nodewise_model::SourceId;
use tracing::debug;

use crate::discovery::Project;
use crate::reading;

/// Where the texts of a project are read again. The number of a file is its position among the project's files.
#[derive(Debug)]
pub struct DroppedTexts {
    root: PathBuf,
    /// The paths relative to the root, one behind the other, and where each ends: there are many files.
    paths: String,
    ends: Vec<usize>,
    /// Files that are somewhere else than their relative paths say.
    elsewhere: BTreeMap<SourceId, PathBuf>,
    size_max: u64,
    has_changed: AtomicBool,
}

impl DroppedTexts {
    /// The texts of a project.
    #[must_use]
    pub fn of(project: &Project) -> DroppedTexts {
        let (mut paths, mut ends) = (String::new(), Vec::with_capacity(project.files.len()));
        let mut elsewhere = BTreeMap::new();
        for (number, file) in (0..).map(SourceId).zip(&project.files) {
            if !is_below(&file.path, &project.root, &file.relative) {
                elsewhere.insert(number, file.path.clone());
            }
            paths.push_str(&file.relative);
            ends.push(paths.len());
        }
        paths.shrink_to_fit();
        let (root, size_max) = (project.root.clone(), project.config.size_max);
        DroppedTexts { root, paths, ends, elsewhere, size_max, has_changed: AtomicBool::new(false) }
    }

    /// Whether a file did not have its text any more when it was read again, so that findings may quote what is not there.
    pub fn has_changed(&self) -> bool {
        self.has_changed.load(Ordering::Relaxed)
    }

    fn path(&self, file: SourceId) -> Option<PathBuf> {
        if let Some(path) = self.elsewhere.get(&file) {
            return Some(path.clone());
        }
        let number = usize::try_from(file.0).ok()?;
        let start = number.checked_sub(1).map_or(Some(0), |before| self.ends.get(before).copied())?;
        Some(self.root.join(self.paths.get(start..*self.ends.get(number)?)?))
    }
}

/// Whether a path is that of a folder and one below it. Mostly the letters say so, and there are many files.
fn is_below(path: &Path, folder: &Path, relative: &str) -> bool {
    let [letters, of_folder] = [path, folder].map(|path| path.as_os_str().as_encoded_bytes());
    let rest = letters.strip_prefix(of_folder).and_then(|rest| rest.strip_prefix(b"/"));
    rest == Some(relative.as_bytes()) || path.strip_prefix(folder) == Ok(Path::new(relative))
}

impl TextSource for DroppedTexts {
    fn text(&self, file: SourceId, mark: TextMark) -> Option<Arc<str>> {
        let path = self.path(file)?;
        let text = reading::read(&path, self.size_max).ok().filter(|text| TextMark::of(text) == mark);
        if text.is_none() {
            debug!(file = %path.display(), "the file has changed while it was checked");
            self.has_changed.store(true, Ordering::Relaxed);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::discovery::FoundFile;

    /// A project of files with these texts in a folder of its own.
    fn project(folder: &Path, files: &[(&str, &str)]) -> Project {
        std::fs::create_dir_all(folder.join("below")).unwrap();
        let found = |(relative, text): &(&str, &str)| {
            let path = folder.join(relative.replace("linked", "below"));
            std::fs::write(&path, text).unwrap();
            FoundFile { relative: (*relative).into(), path, is_reported: true, is_named: false }
        };
        Project {
            root: folder.to_owned(),
            shown: PathBuf::new(),
            config: Config::default(),
            config_problems: Vec::new(),
            files: files.iter().map(found).collect(),
            folders: Vec::new(),
            has_config: false,
        }
    }

    #[test]
    fn texts_are_read_again_until_they_change() {
        let folder = std::env::temp_dir().join(format!("nodewise-dropped-texts-{}", std::process::id()));
        let files = [("a.yaml", "a: ä\n"), ("below/b.yaml", ""), ("linked/c.yaml", "c: 1\n")];
        let dropped = DroppedTexts::of(&project(&folder, &files));
        let text = |number: u32, text: &str| dropped.text(SourceId(number), TextMark::of(text));
        for (number, (_, whole)) in (0..).zip(&files) {
            assert_eq!(text(number, whole).as_deref(), Some(*whole));
        }
        assert!(!dropped.has_changed());
        std::fs::write(folder.join("a.yaml"), "a: b\n").unwrap();
        assert_eq!((text(0, "a: ä\n"), dropped.has_changed()), (None, true));
        std::fs::remove_file(folder.join("below/b.yaml")).unwrap();
        assert_eq!((text(1, ""), text(9, "")), (None, None));
        std::fs::remove_dir_all(folder).unwrap();
    }
}

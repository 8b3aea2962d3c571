//! The texts of a project's files, dropped when the facts of the files were known, and read again for what is quoted.
//!
//! Input: a project; the position of a file, and the mark of the text that it had. Output: the text, if the file still has it.
//! Invariant: once another text was there, or none, [`DroppedTexts::has_changed`] says so.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use nodewise_analysis::{TextMark, TextSource};
use nodewise_model::SourceId;
use tracing::debug;

use crate::discovery::{FoundFile, Project};
use crate::reading;

/// Where the texts of a project are read again. The number of a file is its position among the project's files.
#[derive(Debug)]
pub struct DroppedTexts {
    files: Arc<Vec<FoundFile>>,
    size_max: u64,
    has_changed: AtomicBool,
}

impl DroppedTexts {
    /// The texts of a project.
    #[must_use]
    pub fn of(project: &Project) -> DroppedTexts {
        let (files, size_max) = (Arc::clone(&project.files), project.config.size_max);
        DroppedTexts { files, size_max, has_changed: AtomicBool::new(false) }
    }

    /// Whether a file had another text when it was read again. Findings may then quote a text that is gone.
    pub fn has_changed(&self) -> bool {
        self.has_changed.load(Ordering::Relaxed)
    }
}

impl TextSource for DroppedTexts {
    fn text(&self, file: SourceId, mark: TextMark) -> Option<Arc<str>> {
        let path = self.files.get(usize::try_from(file.0).ok()?)?.path();
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
    use std::path::{Path, PathBuf};

    use super::*;
    use crate::config::Config;
    use crate::discovery::FilePlace;

    /// A project of files with these texts in a folder of its own.
    fn project(folder: &Path, files: &[(&str, &str)]) -> Project {
        std::fs::create_dir_all(folder.join("below")).unwrap();
        let below = Arc::new(FilePlace::Below(folder.to_owned()));
        let found = |(relative, text): &(&str, &str)| {
            let path = folder.join(relative.replace("linked", "below"));
            std::fs::write(&path, text).unwrap();
            FoundFile::new(&below, (*relative).into(), &path)
        };
        Project {
            root: folder.to_owned(),
            shown: PathBuf::new(),
            config: Config::default(),
            config_problems: Vec::new(),
            files: Arc::new(files.iter().map(found).collect()),
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

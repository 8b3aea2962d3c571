//! The Python files of a watched project.
//!
//! Input: a folder. Output: what changed in its programs since it was last asked for. Invariant: a program is read again only if its
//! time, its length or its identity changed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use nodewise_analysis::functions::PythonChange;
use nodewise_project::{paths, python, reading};
use rayon::prelude::*;

use super::stamp::{Stamp, stamp};

/// The programs that were read.
#[derive(Debug, Default)]
pub(super) struct KeptPrograms {
    /// The state of each, by its path in the project.
    stamps: BTreeMap<String, Stamp>,
}

impl KeptPrograms {
    /// The programs that are new, changed or gone.
    pub(super) fn changes(&mut self, root: &Path) -> Vec<PythonChange> {
        let mut before = std::mem::take(&mut self.stamps);
        let placed =
            |file: PathBuf| Some((paths::slashed(file.strip_prefix(root).ok()?), stamp(&file), file));
        let found: Vec<_> = python::files(root).into_par_iter().filter_map(placed).collect();
        let mut changed = Vec::new();
        for (path, now, file) in found {
            let known = before.remove(&path);
            if known.is_none() || known != now {
                changed.push((path.clone(), file));
            }
            self.stamps.extend(now.map(|now| (path, now)));
        }
        let read = |(path, file): (String, PathBuf)| {
            let text = reading::read(&file, python::SIZE_MAX).ok();
            PythonChange { path, text }
        };
        let gone = before.into_keys().map(|path| PythonChange { path, text: None });
        gone.chain(changed.into_par_iter().map(read).collect::<Vec<_>>()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_read_again_when_it_changed() {
        let root = std::env::temp_dir().join(format!("nodewise-programs-{}", std::process::id()));
        std::fs::create_dir_all(&root).unwrap();
        let write = |name: &str, text: &str| std::fs::write(root.join(name), text).unwrap();
        let mut kept = KeptPrograms::default();
        let mut check = |expected: &[(&str, Option<&str>)]| {
            let changes = kept.changes(&root);
            let found: Vec<_> =
                changes.iter().map(|change| (change.path.as_str(), change.text.as_deref())).collect();
            assert_eq!(found, expected);
        };
        write("a.py", "a = 1\n");
        write("b.py", "b = 1\n");
        write("c.txt", "no program\n");
        check(&[("a.py", Some("a = 1\n")), ("b.py", Some("b = 1\n"))]);
        check(&[]);
        write("b.py", "b = 10\n");
        check(&[("b.py", Some("b = 10\n"))]);
        std::fs::remove_file(root.join("a.py")).unwrap();
        check(&[("a.py", None)]);
        check(&[]);
        std::fs::remove_dir_all(&root).unwrap();
    }
}

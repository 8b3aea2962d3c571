//! The repository for tidy: every text file that version control would include.
//!
//! Input is the folder of the checkout. Output is relative paths with slashes, and texts. Invariant: the files are
//! sorted by path, so every report has the same order.

use std::path::Path;

use anyhow::{Context, Result};

use crate::rust_source::RustSource;

/// A file with UTF-8 text.
pub(crate) struct TextFile {
    pub(crate) path: String,
    pub(crate) text: String,
}

/// A Rust file of the project, in which code is separated from comments and literals.
pub(crate) struct RustFile {
    pub(crate) path: String,
    pub(crate) source: RustSource,
    /// Whether the file's module, or a parent module, is declared under `#[cfg(test)]`.
    is_test_module: bool,
}

pub(crate) struct Repository {
    pub(crate) files: Vec<TextFile>,
    pub(crate) rust_files: Vec<RustFile>,
    /// The paths of files that are not text.
    pub(crate) other_files: Vec<String>,
}

impl Repository {
    /// Reads the checkout below `root`, except files that `.gitignore` excludes.
    pub(crate) fn read(root: &Path) -> Result<Self> {
        let (mut files, mut other_files) = (Vec::new(), Vec::new());
        let walk = ignore::WalkBuilder::new(root)
            .hidden(false)
            .parents(false)
            .git_global(false)
            .git_exclude(false)
            .require_git(false)
            .filter_entry(|entry| entry.file_name() != ".git")
            .build();
        for entry in walk {
            let entry = entry.context("cannot walk the checkout")?;
            if !entry.file_type().is_some_and(|kind| kind.is_file()) {
                continue;
            }
            let bytes = std::fs::read(entry.path())
                .with_context(|| format!("cannot read {}", entry.path().display()))?;
            let path = slashed(entry.path().strip_prefix(root)?);
            match String::from_utf8(bytes) {
                Ok(text) => files.push(TextFile { path, text }),
                Err(_) => other_files.push(path),
            }
        }
        Ok(Self { other_files, ..Self::from_files(files) })
    }

    pub(crate) fn from_files(mut files: Vec<TextFile>) -> Self {
        files.sort_by(|left, right| left.path.cmp(&right.path));
        let mut rust_files: Vec<RustFile> = files
            .iter()
            .filter(|file| is_project_rust(&file.path))
            .map(|file| RustFile {
                path: file.path.clone(),
                source: RustSource::read(&file.text),
                is_test_module: false,
            })
            .collect();
        let test_modules: Vec<String> = rust_files.iter().flat_map(RustFile::test_modules).collect();
        for file in &mut rust_files {
            file.is_test_module = test_modules.iter().any(|module| {
                let behind = file.path.strip_prefix(module.as_str());
                behind.is_some_and(|behind| behind == ".rs" || behind.starts_with('/'))
            });
        }
        Self { files, rust_files, other_files: Vec::new() }
    }

    pub(crate) fn text(&self, path: &str) -> Option<&str> {
        self.files.iter().find(|file| file.path == path).map(|file| file.text.as_str())
    }
}

impl RustFile {
    /// The folder below `crates/`, or `xtask`. The tests of the root package belong to `cli`.
    pub(crate) fn crate_name(&self) -> &str {
        let mut folders = self.path.split('/');
        match (folders.next(), folders.next()) {
            (Some("crates"), Some(name)) => name,
            (Some("xtask"), _) => "xtask",
            _ => "cli",
        }
    }

    /// Whether the whole file is test code.
    pub(crate) fn is_test_file(&self) -> bool {
        self.is_test_module
            || self.path.ends_with("/tests.rs")
            || self.path.split('/').any(|folder| folder == "tests")
    }

    /// The paths, without `.rs`, of the modules that the file declares only for tests.
    fn test_modules(&self) -> Vec<String> {
        let folder = match self.path.rsplit_once('/') {
            Some((folder, "lib.rs" | "main.rs")) => folder,
            _ => self.path.trim_end_matches(".rs"),
        };
        let lines = self.source.code.lines().zip(&self.source.is_test_line);
        let declared = lines.filter(|(_, is_test)| **is_test).filter_map(|(line, _)| {
            let (_, module) = line.trim().strip_suffix(';')?.rsplit_once("mod ")?;
            Some(format!("{folder}/{module}"))
        });
        declared.collect()
    }

    /// Whether the file is never part of a program for users.
    pub(crate) fn is_for_developers(&self) -> bool {
        if self.path.ends_with("/build.rs") {
            return true;
        }
        let is_developers = |folder| matches!(folder, "benches" | "examples" | "fuzz");
        self.is_test_file() || self.path.split('/').any(is_developers)
    }

    /// The lines outside of test code, with their numbers from 1, and with comments and literals replaced with spaces.
    pub(crate) fn code_lines(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = if self.is_for_developers() { "" } else { self.source.code.as_str() };
        lines
            .lines()
            .zip(&self.source.is_test_line)
            .enumerate()
            .filter(|(_, (_, is_test))| !**is_test)
            .map(|(index, (line, _))| (index + 1, line))
    }

    /// The same lines, each with the offset at which it begins in `source.code`.
    pub(crate) fn code_lines_with_offsets(&self) -> impl Iterator<Item = (usize, usize)> {
        let mut offsets = vec![0];
        offsets.extend(self.source.code.match_indices('\n').map(|(offset, _)| offset + 1));
        let lines: Vec<usize> = self.code_lines().map(|(line, _)| line).collect();
        lines.into_iter().filter_map(move |line| Some((line, *offsets.get(line - 1)?)))
    }
}

fn is_project_rust(path: &str) -> bool {
    let is_source_folder =
        ["crates/", "xtask/", "tests/", "benches/", "fuzz/"].iter().any(|folder| path.starts_with(folder));
    path.ends_with(".rs") && is_source_folder && !is_data(path)
}

/// Whether the file is input of tests or an example, and not source code of the project.
pub(crate) fn is_data(path: &str) -> bool {
    path.starts_with("examples/") || path.contains("/data/") || path.contains("/corpus/")
}

fn slashed(path: &Path) -> String {
    let parts: Vec<_> = path.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    parts.join("/")
}

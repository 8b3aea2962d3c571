//! What a check found, kept on disk for the next check of the same files.
//!
//! Input: a project, what a check of it found. Output: the same findings, if neither the program, nor the configuration,
//! nor any file has changed since. Invariant: a result that is damaged, or that rests on another text, is never used; a
//! cache that cannot be read or written changes nothing but the time.

pub mod changes;
mod entry;
pub mod kept_check;
pub mod known_files;
mod parts;
mod stamp;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use nodewise_analysis::diagnostic::{Diagnostic, Severity};
use nodewise_model::SourceId;
use nodewise_platform::threads::prelude::*;
use serde::{Deserialize, Serialize};
use tracing::{debug, info, info_span};

use crate::discovery::{FoundFile, Project};
use crate::project_folder::ProjectFolder;
use crate::reading::{self, Unreadable};
use crate::user_folders::UserFolder;
use crate::{paths, python};
use entry::Entry;
pub use stamp::{CheckTime, FileStamp, FileState};

/// A project with fewer files is checked faster than its result can be looked up.
const LEAST_FILES: usize = 500;
/// Results that were written longer ago are deleted.
const KEPT_FOR: Duration = Duration::from_secs(60 * 60 * 24 * 30);
/// The names of all files with results begin like this.
const PREFIX: &str = "check-";

/// The folder with the results of checks.
#[derive(Debug, Clone)]
pub struct CheckCache {
    folder: PathBuf,
}

/// Identifies a check by everything that its result depends on, apart from the files.
#[derive(Debug, Clone)]
pub struct CheckKey {
    /// The name of the file with the result.
    name: String,
    /// A hash of the program, the configuration and the options.
    basis: u64,
    size_max: u64,
}

/// A file that a check has read.
#[derive(Debug, Clone)]
pub struct ReadText {
    pub text: Arc<str>,
    /// The stamp of the file when it was read. `None` for standard input, because it cannot be compared later.
    pub stamp: Option<FileStamp>,
}

/// The files that a check has read, with their stamps.
#[derive(Debug, Clone, Copy)]
pub struct CheckInputs<'i> {
    /// A time before the first file was read.
    pub began: CheckTime,
    /// The stamp of each file of the project, in load order.
    pub files: &'i [FileStamp],
    /// The Python files of the project, if the check needed what they register.
    pub programs: Option<&'i [StampedProgram]>,
}

/// A Python file of a project, with its stamp when it was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StampedProgram {
    /// The path relative to the project.
    pub path: String,
    pub stamp: FileStamp,
}

/// What reports say about a file of a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CheckedFile {
    /// How many declarations it has.
    pub declarations: u32,
    /// Whether it belongs to a system.
    pub is_declaration: bool,
}

/// A rule that a project declares itself, as reports show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeclaredRule {
    /// The id that its findings carry.
    pub id: &'static str,
    /// The severity of its findings.
    pub severity: Severity,
    pub message: String,
    /// Why the project has the rule, in the words of its author.
    pub why: Option<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct CheckResult {
    /// What reports say about each file of the project, in load order; `None` for a module without a graph. In findings,
    /// the number of a file is its position in this list.
    pub files: Vec<Option<CheckedFile>>,
    /// The findings in all files, in output order.
    pub diagnostics: Vec<Diagnostic>,
    /// The project's own rules.
    pub rules: Vec<DeclaredRule>,
}

/// The result of an earlier check that is still valid.
#[derive(Debug)]
pub struct KnownResult {
    pub result: CheckResult,
    /// The texts of the files that findings point to.
    pub texts: BTreeMap<SourceId, Arc<str>>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct StoredResults {
    /// The number of results.
    pub count: usize,
    /// Their size in bytes.
    pub bytes: u64,
}

impl CheckKey {
    /// The key for a check of a project by this program; `option` is what the command line adds. `None` if the project is
    /// so small that a check is faster than a lookup.
    #[must_use]
    pub fn of(project: &Project, version: &str, option: &str) -> Option<CheckKey> {
        if project.files.len() < LEAST_FILES {
            return None;
        }
        let config = &project.config;
        let basis = (
            version,
            program(),
            option,
            format!("{:?}", (&config.pins, &config.overrides, &config.settings)),
        );
        let name = format!("{PREFIX}{:016x}", hash_of(&(project.root.as_os_str(), option)));
        Some(CheckKey { name, basis: hash_of(&basis), size_max: config.size_max })
    }

    /// The key of the file that stores what is known of each file of the project.
    fn of_files(&self) -> CheckKey {
        CheckKey { name: format!("{}-files", self.name), ..self.clone() }
    }
}

impl CheckCache {
    /// The cache in the user's folder for caches; `None` where no such folder is known.
    #[must_use]
    pub fn of_user() -> Option<CheckCache> {
        folder_with(|name| std::env::var_os(name)).map(CheckCache::at)
    }

    /// The cache in a folder.
    #[must_use]
    pub fn at(folder: PathBuf) -> CheckCache {
        CheckCache { folder }
    }

    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The result of an earlier check, if it is still valid.
    #[must_use]
    pub fn find(&self, key: &CheckKey, project: &Project) -> Option<KnownResult> {
        let _entered = info_span!("look for a result").entered();
        let bytes = std::fs::read(self.folder.join(&key.name)).ok()?;
        let found = Entry::of_bytes(&bytes).filter(|entry| entry.basis == key.basis);
        let Some(entry) = found else {
            debug!(name = key.name, "the result is of another program or configuration, or damaged");
            return None;
        };
        let now = CheckTime::now();
        let seen = unchanged(&entry, key, project)?;
        let result = entry.result()?;
        let texts = texts_of(&entry, &result, key, project)?;
        if seen.is_new {
            // The files have new times but the same texts, as after a checkout. With the new stamps, the next check need
            // not read them.
            self.write(key, &entry.with_stamps(now, seen));
        }
        info!(root = %project.root.display(), "the result of a former check holds");
        Some(KnownResult { result, texts })
    }

    pub fn keep(&self, key: &CheckKey, project: &Project, inputs: CheckInputs<'_>, result: &CheckResult) {
        let _entered = info_span!("keep the result").entered();
        if inputs.files.len() != project.files.len() || result.files.len() != project.files.len() {
            return;
        }
        self.write(key, &Entry::new(key.basis, &project.files, inputs, result).bytes());
        self.delete_old();
    }

    /// What is stored.
    ///
    /// # Errors
    /// Where the folder cannot be read.
    pub fn stored(&self) -> std::io::Result<StoredResults> {
        let results = self.results()?;
        Ok(StoredResults { count: results.len(), bytes: results.iter().map(|(_, size, _)| size).sum() })
    }

    /// Deletes all results.
    ///
    /// # Errors
    /// Where the folder cannot be read, or a file in it cannot be deleted.
    pub fn clean(&self) -> std::io::Result<StoredResults> {
        let mut deleted = StoredResults::default();
        for (path, size, _) in self.results()? {
            std::fs::remove_file(path)?;
            deleted.count += 1;
            deleted.bytes += size;
        }
        Ok(deleted)
    }

    fn delete_old(&self) {
        let results = self.results().unwrap_or_default();
        let is_old = |time: &SystemTime| time.elapsed().is_ok_and(|age| age > KEPT_FOR);
        for (path, ..) in results.into_iter().filter(|(.., time)| is_old(time)) {
            std::fs::remove_file(path).ok();
        }
    }

    /// The results, each with its size and the time when it was written.
    fn results(&self) -> std::io::Result<Vec<(PathBuf, u64, SystemTime)>> {
        let entries = match std::fs::read_dir(&self.folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let mut results = Vec::new();
        for entry in entries {
            let entry = entry?;
            // Another process has deleted the file meanwhile.
            let Ok(metadata) = entry.metadata() else { continue };
            if entry.file_name().to_string_lossy().starts_with(PREFIX) && metadata.is_file() {
                results.push((entry.path(), metadata.len(), metadata.modified()?));
            }
        }
        Ok(results)
    }

    /// Writes a new file and renames it, so that other processes read either the old result or the new one, never a part.
    fn write(&self, key: &CheckKey, bytes: &[u8]) {
        self.write_with(key, |file| file.write_all(bytes));
    }

    /// Like `write`, for content that a function writes piece by piece.
    fn write_with(&self, key: &CheckKey, write: impl FnOnce(&mut File) -> std::io::Result<()>) {
        let written = || {
            std::fs::create_dir_all(&self.folder)?;
            let path = self.folder.join(&key.name);
            let new = self.folder.join(format!("{}.{}", key.name, unique()));
            write(&mut writable().open(&new)?)?;
            std::fs::rename(&new, &path)
        };
        if let Err(error) = written() {
            debug!(folder = %self.folder.display(), %error, "the result is not kept");
        }
    }
}

/// Reads a file of at most `limit` bytes, and notes its stamp.
///
/// # Errors
/// As [`reading::read`].
pub fn read(path: &Path, limit: u64) -> Result<ReadText, Unreadable> {
    reading::read_with_metadata(path, limit).map(ReadText::noted)
}

/// Reads a file of a project like [`read`], relative to the open folder of the project.
///
/// # Errors
/// As [`reading::read`].
pub fn read_file(folder: &ProjectFolder, file: &FoundFile, limit: u64) -> Result<ReadText, Unreadable> {
    folder.read_with_metadata(file, limit).map(ReadText::noted)
}

impl ReadText {
    fn noted((text, metadata): (Arc<str>, std::fs::Metadata)) -> ReadText {
        ReadText { stamp: Some(FileStamp::of(&metadata, &text)), text }
    }
}

/// The stamps that the files of a result have now. All files still have the same text.
struct SeenStamps {
    files: Vec<FileStamp>,
    programs: Option<Vec<StampedProgram>>,
    /// Whether a stamp differs from the stored one, or is too new to be trusted.
    is_new: bool,
}

/// Compares the files with those of a result. `None` if the project has other files, or if one has another text.
fn unchanged(entry: &Entry<'_>, key: &CheckKey, project: &Project) -> Option<SeenStamps> {
    if entry.files.len() != project.files.len() {
        return None;
    }
    let stamp = |(known, file): (&entry::FileEntry<'_>, &FoundFile)| {
        let is_it = *known.path == *file.relative && known.is_named == file.is_named;
        if is_it { now(&file.path(), known.stamp, entry.began, key.size_max) } else { None }
    };
    let files: Option<Vec<FileStamp>> = entry.files.par_iter().zip(&*project.files).map(stamp).collect();
    let files = files?;
    let programs = match &entry.programs {
        Some(known) => Some(unchanged_programs(known, entry.began, &project.root)?),
        None => None,
    };
    let is_old = |known: FileStamp, stamp: FileStamp| known == stamp && known.is_older_than(entry.began);
    let mut is_new = entry.files.iter().zip(&files).any(|(known, stamp)| !is_old(known.stamp, *stamp));
    if let (Some(known), Some(programs)) = (&entry.programs, &programs) {
        is_new |= known.iter().zip(programs).any(|(known, seen)| !is_old(known.stamp, seen.stamp));
    }
    Some(SeenStamps { files, programs, is_new })
}

fn unchanged_programs(
    known: &[StampedProgram],
    began: CheckTime,
    root: &Path,
) -> Option<Vec<StampedProgram>> {
    let found = python::files(root);
    if found.len() != known.len() {
        return None;
    }
    let program = |(known, path): (&StampedProgram, PathBuf)| {
        let is_it = paths::slashed(path.strip_prefix(root).ok()?) == known.path;
        let stamp = if is_it { now(&path, known.stamp, began, python::SIZE_MAX) } else { None }?;
        Some(StampedProgram { path: known.path.clone(), stamp })
    };
    known.par_iter().zip(found).map(program).collect()
}

/// The stamp that a file has now. `None` if it cannot be read, or if its text has changed.
fn now(path: &Path, known: FileStamp, began: CheckTime, limit: u64) -> Option<FileStamp> {
    // Equal times prove an equal text only if the file was old enough: a second write within one tick of the clock has the
    // same time.
    let metadata = std::fs::metadata(path).ok()?;
    if known.is_of(&metadata) && known.is_older_than(began) {
        return Some(known);
    }
    let stamp = read(path, limit).ok()?.stamp?;
    (stamp.hash == known.hash).then_some(stamp)
}

/// The texts of the files that findings point to; `None` if one of them has just changed.
fn texts_of(
    entry: &Entry<'_>,
    result: &CheckResult,
    key: &CheckKey,
    project: &Project,
) -> Option<BTreeMap<SourceId, Arc<str>>> {
    let mut wanted: Vec<SourceId> = result.diagnostics.iter().flat_map(Diagnostic::sources).collect();
    wanted.sort_unstable();
    wanted.dedup();
    let text = |source: SourceId| {
        let at = usize::try_from(source.0).ok()?;
        let read = read(&project.files.get(at)?.path(), key.size_max).ok()?;
        (read.stamp?.hash == entry.files.get(at)?.stamp.hash).then_some((source, read.text))
    };
    wanted.into_par_iter().map(text).collect()
}

/// The options for new files that only this user can read, because messages quote declarations.
fn writable() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// A text for file names that no other thread or running process uses.
fn unique() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    format!("{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// The size and the time of this program's file, because builds of one version may differ.
fn program() -> Option<(u64, SystemTime)> {
    let metadata = std::env::current_exe().and_then(std::fs::metadata).ok()?;
    Some((metadata.len(), metadata.modified().ok()?))
}

fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

fn folder_with(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let own = variable("NODEWISE_CACHE_DIR").map(PathBuf::from).filter(|path| path.is_absolute());
    own.or_else(|| UserFolder::Cache.find(variable))
}

#[cfg(test)]
mod kept_check_tests;
#[cfg(test)]
mod tests;

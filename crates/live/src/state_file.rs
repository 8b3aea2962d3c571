//! Files in the user's folder for state, which no project can bring along.
//!
//! Input: a name, a text. Output: the file, whole. Invariant: only this user can read it, and a process that ends in between leaves
//! the file as it was.

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use nodewise_project::user_folders::UserFolder;

/// The folder in which nodewise keeps the state of a user. `what` names what is stored there, for errors.
pub(crate) fn folder(what: &str) -> Result<PathBuf> {
    folder_with(what, |name| std::env::var_os(name))
}

fn folder_with(what: &str, variable: impl Fn(&str) -> Option<OsString>) -> Result<PathBuf> {
    match UserFolder::State.find(variable) {
        Some(folder) => Ok(folder),
        None => {
            bail!("no folder is known to store {what}\n  help: set `XDG_STATE_HOME` to an absolute path")
        }
    }
}

/// Locks a file against other threads and processes, and waits until it is free. The lock is held until the result is dropped.
pub(crate) fn lock(file: &Path, what: &str) -> Result<File> {
    let lock = with_suffix(file, "lock");
    let unwritable = || unwritable(&lock, what);
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder).with_context(unwritable)?;
    }
    let opened = writable().open(&lock).with_context(unwritable)?;
    match opened.lock() {
        // Some network file systems have no locks. A change is still written as a whole there.
        Err(error) if error.kind() != ErrorKind::Unsupported => Err(error).with_context(unwritable),
        _ => Ok(opened),
    }
}

/// Replaces a file as a whole. If you read it before, hold its [`lock`] from then on, or changes of others are lost.
pub(crate) fn replace(file: &Path, text: &str, what: &str) -> Result<()> {
    let unwritable = || unwritable(file, what);
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder).with_context(unwritable)?;
    }
    let new = with_suffix(file, &std::process::id().to_string());
    let mut written = writable().truncate(true).open(&new).with_context(unwritable)?;
    written.write_all(text.as_bytes()).with_context(unwritable)?;
    drop(written);
    std::fs::rename(&new, file).with_context(unwritable)
}

fn unwritable(file: &Path, what: &str) -> String {
    format!("cannot write `{}`, which stores {what}\n  help: make the folder writable", file.display())
}

fn with_suffix(file: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(file.as_os_str());
    name.push(format!(".{suffix}"));
    PathBuf::from(name)
}

/// Options to open a file that only this user can read.
fn writable() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// The path of a project's folder without links, which is the same however the user named the folder.
pub(crate) fn name_of(folder: &Path) -> Result<String> {
    let folder =
        std::fs::canonicalize(folder).with_context(|| format!("`{}` cannot be read", folder.display()))?;
    match folder.to_str() {
        Some(name) => Ok(name.to_owned()),
        None => {
            bail!("the path `{}` is not valid UTF-8\n  help: use a folder whose path is", folder.display())
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;

    #[test]
    fn state_lies_where_the_system_keeps_it() {
        let folder = |known: &[(&str, &str)]| {
            folder_with("what you allow", |name| {
                known.iter().find(|(key, _)| *key == name).map(|(_, value)| OsString::from(value))
            })
        };
        let both = [("XDG_STATE_HOME", "/state"), ("HOME", "/users/me")];
        assert_eq!(folder(&both).unwrap(), Path::new("/state/nodewise"));
        // A relative path counts as none.
        let home = folder(&[("XDG_STATE_HOME", "state"), ("HOME", "/users/me")]).unwrap();
        assert!(home.starts_with("/users/me") && home.ends_with("nodewise"), "{}", home.display());
        let error = folder(&[]).unwrap_err().to_string();
        assert!(error.starts_with("no folder is known to store what you allow"), "{error}");
    }
}

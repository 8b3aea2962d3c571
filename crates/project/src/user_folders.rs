//! The folders of a user in which programs keep files: state, and what can be made again.
//!
//! Input: the environment. Output: the folder of nodewise. Invariant: no project can name one, and a relative path counts as none.

use std::ffi::OsString;
use std::path::PathBuf;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UserFolder {
    /// Data that must not get lost.
    State,
    /// Data that can be made again.
    Cache,
}

impl UserFolder {
    /// The folder of nodewise by the convention of the system. `None` if the system has no such folder.
    #[must_use]
    pub fn find(self, variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
        let (xdg, mac, home) = match self {
            UserFolder::State => ("XDG_STATE_HOME", "Library/Application Support", ".local/state"),
            UserFolder::Cache => ("XDG_CACHE_HOME", "Library/Caches", ".cache"),
        };
        let folder = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let by_system = || {
            if cfg!(windows) {
                folder("LOCALAPPDATA")
            } else {
                folder("HOME").map(|user| user.join(if cfg!(target_os = "macos") { mac } else { home }))
            }
        };
        Some(folder(xdg).or_else(by_system)?.join("nodewise"))
    }
}

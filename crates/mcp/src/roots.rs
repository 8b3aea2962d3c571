//! The folders whose files an agent may name.
//!
//! Input: folders, paths of an agent. Output: paths for the command. Invariant: a path that leads out of the folders, by `..` or by
//! a symbolic link, is refused.

#![allow(
    clippy::disallowed_methods,
    reason = "whether a path leads out of a folder is known by the file system alone"
)]

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::error::ToolError;

/// The folders of the workspace. Commands run in the first one, and show paths relative to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Roots {
    folder: PathBuf,
    others: Vec<PathBuf>,
}

impl Roots {
    /// Uses the folders that exist. `None` if none of them does.
    pub fn new(folders: impl IntoIterator<Item = PathBuf>) -> Option<Roots> {
        let mut folders = folders
            .into_iter()
            .filter_map(|folder| folder.canonicalize().ok())
            .filter(|folder| folder.is_dir());
        Some(Roots { folder: folders.next()?, others: folders.collect() })
    }

    /// The folder in which commands run.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    fn all(&self) -> impl Iterator<Item = &Path> {
        std::iter::once(self.folder.as_path()).chain(self.others.iter().map(PathBuf::as_path))
    }

    /// A path of an agent as an argument of the command. Returns an error if it leads out of the folders.
    pub(crate) fn file(&self, path: &str) -> Result<String, ToolError> {
        let full = self.folder.join(path);
        let real = real(&full).ok_or_else(|| {
            ToolError::new(format!("there is no folder for `{path}`")).help("check the path")
        })?;
        if !self.all().any(|folder| real.starts_with(folder)) {
            let folders: Vec<String> = self.all().map(|folder| format!("`{}`", folder.display())).collect();
            return Err(ToolError::new(format!("`{path}` is outside of the workspace"))
                .help(&format!("name a path in {}", folders.join(" or "))));
        }
        let shown = real.strip_prefix(&self.folder).unwrap_or(&real);
        let shown = if shown.as_os_str().is_empty() { Path::new(".") } else { shown };
        match shown.to_str() {
            Some(text) => Ok(text.to_owned()),
            None => Err(ToolError::new(format!("`{path}` leads to a path that is not UTF-8"))),
        }
    }

    /// Paths of an agent as arguments of the command. Without paths, all folders.
    pub(crate) fn files(&self, paths: &[String]) -> Result<Vec<String>, ToolError> {
        if paths.is_empty() {
            let others = self.others.iter().map(|folder| folder.display().to_string());
            return Ok(std::iter::once(".".to_owned()).chain(others).collect());
        }
        paths.iter().map(|path| self.file(path)).collect()
    }

    /// A file or a graph of a file (`FILE#ID`) as an argument of the command.
    pub(crate) fn target(&self, target: &str) -> Result<String, ToolError> {
        match target.rsplit_once('#') {
            Some((path, graph)) if !self.folder.join(target).exists() => {
                Ok(format!("{}#{graph}", self.file(path)?))
            }
            _ => self.file(target),
        }
    }
}

/// A path with symbolic links and `..` resolved. Its last parts need not exist.
fn real(path: &Path) -> Option<PathBuf> {
    let mut missing: Vec<OsString> = Vec::new();
    let mut existing = path;
    loop {
        if let Ok(mut real) = existing.canonicalize() {
            real.extend(missing.iter().rev());
            return Some(real);
        }
        // A link to a missing file exists, but has no real path. Writing to it would write where it leads.
        if existing.symlink_metadata().is_ok() {
            return None;
        }
        // `..` after a part that does not exist cannot be resolved, so `file_name` gives `None` for it.
        missing.push(existing.file_name()?.to_owned());
        existing = existing.parent()?;
    }
}

#[cfg(test)]
mod tests {
    use super::Roots;

    /// What becomes of a path in the workspace `a`, beside which the folder `b` stands.
    fn check_path(path: &str, expected: Result<&str, &str>) {
        let parent =
            std::env::temp_dir().canonicalize().unwrap().join(format!("nodewise-mcp-{}", std::process::id()));
        let folder = parent.join("a");
        std::fs::create_dir_all(folder.join("deep")).unwrap();
        std::fs::create_dir_all(parent.join("b")).unwrap();
        #[cfg(unix)]
        for (link, to) in [("out", "../b"), ("nowhere", "../c/d"), ("deep/up", "..")] {
            std::os::unix::fs::symlink(to, folder.join(link)).ok();
        }
        let found = Roots::new([folder.clone()])
            .unwrap()
            .file(path)
            .map_err(|error| error.to_string().replace(&parent.display().to_string(), "PARENT"));
        assert_eq!(found.as_deref().map_err(String::as_str), expected, "{path}");
    }

    #[test]
    fn paths_stay_in_the_workspace() {
        let outside = |path: &str| {
            format!("error: `{path}` is outside of the workspace\n  help: name a path in `PARENT/a`")
        };
        check_path("deep", Ok("deep"));
        check_path(".", Ok("."));
        check_path("deep/../new.yaml", Ok("new.yaml"));
        check_path("new/graph.yaml", Ok("new/graph.yaml"));
        check_path("--fix", Ok("--fix"));
        for path in ["../b", "deep/../../b/x.yaml", "/etc/passwd"] {
            check_path(path, Err(&outside(path)));
        }
        let nowhere = |path: &str| format!("error: there is no folder for `{path}`\n  help: check the path");
        check_path("new/../../b", Err(&nowhere("new/../../b")));
        #[cfg(unix)]
        {
            check_path("deep/up/deep", Ok("deep"));
            check_path("out/x.yaml", Err(&outside("out/x.yaml")));
            check_path("nowhere", Err(&nowhere("nowhere")));
            check_path("nowhere/x.yaml", Err(&nowhere("nowhere/x.yaml")));
        }
    }
}

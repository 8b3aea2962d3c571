//! The current configuration of a project's folder.
//!
//! Input: a folder. Output: what `nodewise.toml` says. Invariant: a problem is reported with its line and what to do.

use std::path::Path;

use anyhow::{Context, Result};
use nodewise_project::config::{Config, ConfigProblem, FILE_NAME};

/// The current configuration of a folder.
pub(super) fn configuration(folder: &Path) -> Result<Config> {
    let path = folder.join(FILE_NAME);
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Config::default()),
        Err(error) => return Err(error).with_context(|| format!("`{}` cannot be read", path.display())),
    };
    Config::read(&text).map_err(|problem| broken(&problem))
}

/// A problem of a configuration as an error.
pub(super) fn broken(problem: &ConfigProblem) -> anyhow::Error {
    anyhow::anyhow!("{FILE_NAME}:{}: {}\n  help: {}", problem.at.line, problem.reason, problem.help)
}

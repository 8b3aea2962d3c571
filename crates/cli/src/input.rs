//! Standard input as a file.
//!
//! Input: the paths of a command line. Output: the files, including standard input. Invariant: standard input is read
//! once, and only if the paths contain `-`.

use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use nodewise_project::discovery::DiscoveryRequest;

/// The path that means standard input.
const STDIN: &str = "-";
/// The name of standard input without `--stdin-filename`.
pub(crate) const STDIN_NAME: &str = "<stdin>";

/// Whether a path means standard input.
pub(crate) fn is_stdin(path: &Path) -> bool {
    path == Path::new(STDIN)
}

/// All of standard input.
pub(crate) fn read() -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes).context("standard input cannot be read")?;
    Ok(bytes)
}

/// The request for paths. `name` is the path of standard input.
pub(crate) fn request(paths: &[PathBuf], name: Option<&Path>) -> Result<DiscoveryRequest> {
    let (stdin, paths): (Vec<_>, Vec<_>) = paths.iter().cloned().partition(|path| is_stdin(path));
    if stdin.is_empty() {
        if name.is_some() {
            bail!("`--stdin-filename` needs standard input\n  help: add `-` to the paths");
        }
        return Ok(DiscoveryRequest::new(&paths, None)?);
    }
    Ok(DiscoveryRequest::new(&paths, Some((name.unwrap_or(Path::new(STDIN_NAME)), read()?)))?)
}

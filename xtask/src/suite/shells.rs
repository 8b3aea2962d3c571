//! The completions and manual pages in the programs that they are for: zsh, fish, elvish and mandoc, as Debian packages
//! them, unpacked below `target/shells`. bash is there wherever these tests run.
//!
//! Input is the checkout; output is the verdict. Invariant: a second run unpacks nothing.

use std::path::Path;

use anyhow::Result;

use super::Verdict;
use crate::installs::debian_program;
use crate::repository::cargo;

const FOLDER: &str = "target/shells";
/// The programs, the release whose packages are taken, and what of each is to find the libraries that it came with.
const PROGRAMS: [(&str, &str, &str); 4] = [
    ("zsh", "trixie", "usr/bin/zsh"),
    ("fish", "trixie", "usr/bin/fish"),
    ("elvish", "bookworm", "-"),
    ("mandoc", "trixie", "usr/bin/mandoc"),
];
/// Tells the tests where the programs are; with it none of them may be missing.
const VARIABLE: &str = "NODEWISE_SHELLS";
const TEST: [&str; 4] = ["test", "--test", "suite", "cli::shells::"];

/// Runs the tests of completions and manual pages with every program.
pub(super) fn test(root: &Path) -> Result<Verdict> {
    let folder = root.join(FOLDER);
    for (program, release, patched) in PROGRAMS {
        let own = format!("{FOLDER}/{program}");
        if let Err(error) = debian_program(root, program, release, &own, patched) {
            return Ok(Verdict::Unavailable(format!("{error:#}")));
        }
    }
    let status = cargo(root).args(TEST).env(VARIABLE, &folder).status()?;
    Ok(match status.success() {
        true => Verdict::Passed,
        false => Verdict::Failed(format!(
            "`{VARIABLE}={} cargo {}` ended with {status}",
            folder.display(),
            TEST.join(" ")
        )),
    })
}

//! The program `git` for tests.
//!
//! Input: a folder and the words of a command. Output: what git prints. Invariant: the configuration of the machine does not count.

use std::path::Path;
use std::process::Command;

/// Runs git in a folder, and returns what it prints.
#[track_caller]
pub(crate) fn git(folder: &Path, words: &str) -> String {
    let mut command = Command::new("git");
    for (name, value) in [("GIT_CONFIG_GLOBAL", "/dev/null"), ("GIT_CONFIG_NOSYSTEM", "1")] {
        command.env(name, value);
    }
    for role in ["AUTHOR", "COMMITTER"] {
        command.env(format!("GIT_{role}_NAME"), "a").env(format!("GIT_{role}_EMAIL"), "a@example.org");
    }
    let output = command.args(words.split_whitespace()).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "git {words}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

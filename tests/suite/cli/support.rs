//! The one door: files and a command in, everything that can be seen out.
//!
//! Input: files in fixture notation (`#- path` begins a file) and a command line. Output: a transcript. Invariant:
//! a folder is removed when its test ends.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

static FOLDERS: AtomicU32 = AtomicU32::new(0);

/// A folder of one test.
pub(crate) struct Folder {
    path: PathBuf,
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.path).ok();
    }
}

impl Folder {
    /// A folder with these files.
    pub(crate) fn new(files: &str) -> Folder {
        let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
        let name = format!("nodewise-cli-{}-{number}", std::process::id());
        let folder = Folder { path: std::env::temp_dir().join(name) };
        std::fs::create_dir_all(&folder.path).unwrap();
        for part in files.split("#- ").skip(1) {
            let (path, text) = part.split_once('\n').unwrap();
            folder.write(path.trim(), text);
        }
        folder
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a file, and the folders that it lies in.
    pub(crate) fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.path.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    /// Reads a file.
    pub(crate) fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.path.join(path)).unwrap()
    }

    /// A command line that begins in this folder; words are separated by blanks.
    pub(crate) fn command(&self, words: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_nodewise"));
        command.args(words.split_whitespace()).current_dir(&self.path).stdin(Stdio::null());
        for name in ["NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "RUST_BACKTRACE"] {
            command.env_remove(name);
        }
        command
    }

    /// What a command line shows.
    pub(crate) fn run(&self, words: &str) -> String {
        transcript(&self.command(words).output().unwrap())
    }

    /// What a command line shows that reads `input`.
    pub(crate) fn run_with_input(&self, words: &str, input: impl AsRef<[u8]>) -> String {
        let mut command = self.command(words);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_ref()).unwrap();
        transcript(&child.wait_with_output().unwrap())
    }
}

/// Holds what a command line shows in a folder with `files` against `expected`.
#[track_caller]
pub(crate) fn check_run(files: &str, words: &str, expected: &str) {
    check_shown(&Folder::new(files).run(words), expected);
}

/// Compares two transcripts, and shows the found one as it is.
#[track_caller]
pub(crate) fn check_shown(found: &str, expected: &str) {
    let expected = expected.trim_start_matches('\n');
    assert!(found == expected, "found:\n{found}\nexpected:\n{expected}");
}

/// Standard output, standard error behind `! `, the exit code.
fn transcript(output: &Output) -> String {
    let mut shown = String::from_utf8(output.stdout.clone()).unwrap();
    for line in String::from_utf8(output.stderr.clone()).unwrap().lines() {
        shown.push_str(&format!("! {line}\n"));
    }
    shown.push_str(&format!("exit {}\n", output.status.code().unwrap_or(-1)));
    shown
}

//! A project for live runs, in a folder of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use nodewise_test_support::model_server::ModelServer;

static PLACES: AtomicUsize = AtomicUsize::new(0);

/// A key that must be nowhere.
pub(crate) const PLANTED: &str = "sk-planted-9f8e7d6c5b4a";

/// A folder that goes away with its runs.
pub(crate) struct Place {
    folder: PathBuf,
}

/// What a command line came to.
#[derive(Debug)]
pub(crate) struct Done {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Place {
    /// A folder with these files: `#- path` begins one.
    pub(crate) fn new(files: &str) -> Place {
        let number = PLACES.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("nodewise-live-{}-{number}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let place = Place { folder };
        for part in files.split("#- ").skip(1) {
            let (path, text) = part.split_once('\n').unwrap();
            place.write(path.trim(), text);
        }
        place
    }

    /// A copy of a folder of the repository.
    pub(crate) fn copy(from: &str) -> Place {
        let place = Place::new("");
        copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join(from), &place.folder);
        place
    }

    pub(crate) fn path(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.folder.join(path)).unwrap_or_default()
    }

    /// A command line in the folder, with a key in the environment; nobody sits at its terminal.
    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_nodewise"));
        command.args(words).current_dir(&self.folder).stdin(Stdio::null());
        command.env("PLANTED_KEY", PLANTED).env("XDG_STATE_HOME", self.folder.join("state"));
        command.env_remove("RUST_BACKTRACE");
        command
    }

    pub(crate) fn run(&self, words: &[&str]) -> Done {
        let done = Done::of(self.command(words).output().unwrap());
        // A project without an engine never hears of one.
        for printed in [&done.out, &done.err] {
            assert!(
                !printed.contains("Restate") && !printed.contains("durable") && !printed.contains("--on "),
                "{printed}"
            );
        }
        done
    }
}

impl Done {
    pub(crate) fn of(output: Output) -> Done {
        Done {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// The same, of a command that ended with 0.
    #[track_caller]
    pub(crate) fn well(self) -> Done {
        assert_eq!(self.code, Some(0), "{}\n{}", self.out, self.err);
        self
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.folder).ok();
    }
}

/// The configuration of a provider that a model server plays.
pub(crate) fn provider(name: &str, kind: &str, server: &ModelServer) -> String {
    let base = server.base_url();
    format!(
        "\n[live.providers.{name}]\nkind = \"{kind}\"\nbase_url = \"{base}\"\nkey = {{ env = \"PLANTED_KEY\" }}\n"
    )
}

/// Whether Python is there; says so where it is not.
pub(crate) fn has_python() -> bool {
    let has = Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success());
    assert!(has || std::env::var_os("CI").is_none(), "python3 is not there");
    if !has {
        eprintln!("skipped: python3 is not there");
    }
    has
}

/// A run replayed in the simulator gives the trace that the live run gave.
#[track_caller]
pub(crate) fn check_replay(place: &Place, trace: &str) {
    let replayed = place.run(&["runs", "replay", "last", "--format", "json"]).well();
    assert_eq!(replayed.out, trace);
}

/// Every file below a folder that holds a text.
pub(crate) fn holding(folder: &Path, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(holding(&path, text));
        } else if fs::read(&path).unwrap().windows(text.len()).any(|part| part == text.as_bytes()) {
            found.push(path.display().to_string());
        }
    }
    found
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &to),
            false => drop(fs::copy(entry.path(), to).unwrap()),
        }
    }
}

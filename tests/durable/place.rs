//! A project, its workers, and the command as a user has it.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::engine::{Engine, get, query, tempdir::Folder};

const NODEWISE: &str = env!("CARGO_BIN_EXE_nodewise");
/// How long a worker may take to listen.
const PATIENCE: Duration = Duration::from_secs(30);
/// How often it is looked how runs stand.
const LOOK: Duration = Duration::from_millis(100);

/// A copy of the project, with an engine in its configuration.
pub(crate) struct Place {
    folder: Folder,
    /// The administration of the engine in its configuration.
    admin: Mutex<String>,
}

/// A worker; it ends with it.
pub(crate) struct Worker {
    child: Child,
    port: u16,
    log: PathBuf,
}

/// What a worker is started with.
#[derive(Default)]
pub(crate) struct WorkerStart<'w> {
    pub(crate) port: u16,
    /// The address of the engine's administration, and that of the worker for the engine.
    pub(crate) register: Option<(String, String)>,
    pub(crate) plans: &'w [&'w str],
    /// Further variables of its environment.
    pub(crate) variables: &'w [(&'w str, &'w str)],
}

impl Place {
    pub(crate) fn new() -> Place {
        let folder = Folder::new("project");
        let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/durable/project");
        for entry in std::fs::read_dir(fixture).unwrap().map(|entry| entry.unwrap()) {
            if entry.file_type().unwrap().is_file() {
                std::fs::copy(entry.path(), folder.path().join(entry.file_name())).unwrap();
            }
        }
        let place = Place { folder, admin: Mutex::default() };
        for graph in ["flow", "large", "fatal"] {
            place.plan(graph);
        }
        place
    }

    /// Writes what a graph starts and calls.
    #[track_caller]
    pub(crate) fn plan(&self, graph: &str) {
        let plan = self.output_of(&["run", &format!("{graph}.yaml"), "--dry-run", "--format", "json"]);
        std::fs::write(self.path().join(format!("{graph}.plan.json")), plan).unwrap();
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Writes the addresses of an engine into the configuration.
    pub(crate) fn name(&self, engine: &Engine, more: &str) {
        self.name_at(&engine.urls(), &engine.admin(), more);
    }

    /// The same with these addresses.
    pub(crate) fn name_at(&self, urls: &[String], admin: &str, more: &str) {
        let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/durable/project/nodewise.toml");
        let mut text = std::fs::read_to_string(fixture).unwrap();
        text += &format!("\n[live.engines.test]\nurl = {urls:?}\nadmin = {admin:?}\n{more}");
        std::fs::write(self.path().join("nodewise.toml"), text).unwrap();
        admin.clone_into(&mut self.admin.lock().unwrap());
    }

    /// Runs the command in the project.
    pub(crate) fn nodewise(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// The command in the project.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(NODEWISE);
        command.current_dir(self.path()).args(arguments).stdin(Stdio::null());
        command.env("XDG_STATE_HOME", self.path().join("state"));
        command
    }

    /// What a command prints, which must succeed.
    #[track_caller]
    pub(crate) fn output_of(&self, arguments: &[&str]) -> String {
        let output = self.nodewise(arguments);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {error}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// Starts a run, and does not follow it.
    #[track_caller]
    pub(crate) fn start(&self, graph: &str) -> String {
        self.output_of(&["run", &format!("{graph}.yaml"), "--on", "test", "--trust", "--detach"])
    }

    /// How runs stand, by their ids.
    pub(crate) fn standings(&self) -> BTreeMap<String, String> {
        let output = self.nodewise(&["runs", "--on", "test", "--format", "json"]);
        // While nodes come and go, the engine may not answer.
        let list: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        let runs = list.get("runs").and_then(Value::as_array).cloned().unwrap_or_default();
        let text = |run: &Value, key: &str| run[key].as_str().unwrap_or_default().to_owned();
        runs.iter().map(|run| (text(run, "id"), text(run, "status"))).collect()
    }

    /// How many runs stand like this, as the engine itself says: it is asked often, and a command each time would take the processors
    /// from the workers.
    fn count(&self, standing: &str) -> usize {
        let admin = self.admin.lock().unwrap().clone();
        let rows = query(&admin, "SELECT value_utf8 FROM state WHERE key = 'standing'").unwrap_or_default();
        let parsed = |row: &Value| serde_json::from_str::<Value>(row["value_utf8"].as_str()?).ok();
        let stands = |parsed: &Value| {
            let word = parsed.get("outcome").or_else(|| parsed.get("status"));
            word.and_then(Value::as_str) == Some(standing)
        };
        rows.iter().filter_map(parsed).filter(stands).count()
    }

    /// Waits until all of these runs stand like this; says how long it took.
    #[track_caller]
    pub(crate) fn wait(&self, runs: &[String], standing: &str, limit: Duration) -> Duration {
        let begin = Instant::now();
        loop {
            while self.count(standing) < runs.len() && begin.elapsed() < limit {
                std::thread::sleep(LOOK);
            }
            let standings = self.standings();
            let others: Vec<_> =
                runs.iter().filter(|run| standings.get(*run).is_none_or(|found| found != standing)).collect();
            if others.is_empty() {
                return begin.elapsed();
            }
            if begin.elapsed() >= limit {
                let doctor = self.nodewise(&["runs", "doctor", "--on", "test"]);
                panic!(
                    "{} of {} runs are not {standing}: {others:?} {:?} {:?} {}",
                    others.len(),
                    runs.len(),
                    others.first().and_then(|run| standings.get(*run)),
                    self.effects(),
                    String::from_utf8_lossy(&doctor.stdout)
                );
            }
            std::thread::sleep(LOOK);
        }
    }

    /// Waits until something holds.
    #[track_caller]
    pub(crate) fn until(&self, what: &str, holds: impl Fn() -> bool) {
        let begin = Instant::now();
        while !holds() {
            assert!(begin.elapsed() < PATIENCE, "waited in vain until {what}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Holds the calls of `effect` before they are done.
    pub(crate) fn hold(&self) {
        std::fs::write(self.path().join("hold"), "").unwrap();
    }

    /// Lets them continue.
    pub(crate) fn release(&self) {
        std::fs::remove_file(self.path().join("hold")).unwrap();
    }

    /// How often calls began and were done, by their keys.
    pub(crate) fn effects(&self) -> BTreeMap<String, (u32, u32)> {
        let text = std::fs::read_to_string(self.path().join("effects.log")).unwrap_or_default();
        let mut counts: BTreeMap<String, (u32, u32)> = BTreeMap::new();
        for line in text.lines() {
            let (word, key) = line.split_once(' ').unwrap();
            let count = counts.entry(key.to_owned()).or_default();
            match word {
                "begin" => count.0 += 1,
                _ => count.1 += 1,
            }
        }
        counts
    }

    /// Starts a worker, and waits until it listens.
    #[track_caller]
    pub(crate) fn worker(&self, start: &WorkerStart<'_>) -> Worker {
        let log = self.path().join(format!("worker-{}.log", start.port));
        let mut command = Command::new(NODEWISE);
        command.current_dir(self.path()).args(["serve", "--listen", &format!("127.0.0.1:{}", start.port)]);
        for plan in start.plans {
            command.arg("--allow").arg(format!("{plan}.plan.json"));
        }
        if let Some((admin, reached_as)) = &start.register {
            command.args(["--register", admin, "--as", reached_as]);
        }
        command.env("XDG_STATE_HOME", self.path().join("state"));
        command.envs(start.variables.iter().copied());
        let file = File::options().create(true).append(true).open(&log).unwrap();
        command.stderr(file).stdout(Stdio::null()).stdin(Stdio::null());
        let mut worker = Worker { child: command.spawn().unwrap(), port: start.port, log };
        let begin = Instant::now();
        while !worker.log().lines().any(|line| line.starts_with("listening")) || !worker.is_healthy() {
            assert!(worker.child.try_wait().unwrap().is_none(), "{}", worker.log());
            assert!(begin.elapsed() < PATIENCE, "{}", worker.log());
            std::thread::sleep(Duration::from_millis(50));
        }
        worker
    }
}

impl Worker {
    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap_or_default()
    }

    fn is_healthy(&self) -> bool {
        get(&format!("127.0.0.1:{}", self.port), "/healthz")
            .is_some_and(|answer| answer.starts_with("HTTP/1.1 200"))
    }

    /// A figure of the worker.
    pub(crate) fn figure(&self, name: &str) -> u64 {
        let text = get(&format!("127.0.0.1:{}", self.port), "/metrics").unwrap();
        let line = text.lines().find_map(|line| line.strip_prefix(&format!("{name} "))).unwrap();
        line.trim().parse().unwrap()
    }

    /// Kills the worker, as a machine that loses its power.
    pub(crate) fn kill(&mut self) {
        self.child.kill().ok();
        self.child.wait().unwrap();
    }

    /// Asks the worker to end, and waits until it has.
    pub(crate) fn terminate(mut self) -> bool {
        Command::new("kill").arg(self.child.id().to_string()).status().unwrap();
        self.child.wait().unwrap().success()
    }

    /// Whether it has ended by itself.
    pub(crate) fn has_ended(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

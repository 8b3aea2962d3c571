//! The one door: files, a configuration and what a target needs in; tools that run, and their answers as lines, out.
//!
//! Input: files in fixture notation (`#- path` begins a file). Output: text. Invariant: a folder is removed when its test ends.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use nodewise_engine::ask::{Answer, FunctionQuestion, Reply, ToolQuestion};
use nodewise_expr::json::{from_json, to_json};
use nodewise_live::needed_keys::needed_keys;
use nodewise_live::secrets::Secrets;
use nodewise_live::tools::{Notes, Tools};
use nodewise_live::wiring::{Tool, Wiring};
use nodewise_project::config::Config;
use nodewise_simulation::systems;
use serde_json::Value as Json;

static FOLDERS: AtomicU32 = AtomicU32::new(0);

/// How long something may take that takes a moment, on a machine that does much else.
const PATIENCE: Duration = Duration::from_secs(60);

/// The secret that these tests plant.
pub(crate) const SECRET: &str = "sk-planted-0123456789";

/// The idempotency key of each call.
pub(crate) const KEY: &str = "20261122-1304-k7f2/7";

/// A folder of one test.
pub(crate) struct Folder {
    pub(crate) path: PathBuf,
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
        let name = format!("nodewise-live-tools-{}-{number}", std::process::id());
        let folder = Folder { path: std::env::temp_dir().join(name) };
        std::fs::create_dir_all(&folder.path).unwrap();
        for part in files.split("#- ").skip(1) {
            let (path, text) = part.split_once('\n').unwrap();
            let path = folder.path.join(path.trim());
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        folder
    }

    /// The number that a program wrote to a file; waits until it is there.
    pub(crate) async fn number_in(&self, file: &str) -> u32 {
        let path = self.path.join(file);
        let mut number = None;
        until(|| {
            number = std::fs::read_to_string(&path).ok().and_then(|text| text.trim().parse().ok());
            number.is_some()
        })
        .await;
        number.unwrap()
    }
}

/// Waits for a condition.
pub(crate) async fn until(mut holds: impl FnMut() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < PATIENCE, "it never came to that");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Waits until a process is gone; one that nobody has taken leave of counts as gone.
pub(crate) async fn until_gone(process: u32) {
    until(|| {
        let output = Command::new("ps").args(["-o", "stat=", "-p", &process.to_string()]).output().unwrap();
        let state = String::from_utf8(output.stdout).unwrap();
        state.trim().is_empty() || state.trim().starts_with('Z')
    })
    .await;
}

/// Whether Python is there; a test that needs it ends where it is not.
pub(crate) fn has_python() -> bool {
    let found = Command::new("python3").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    let is_there = found.is_ok_and(|status| status.success());
    if !is_there {
        assert!(std::env::var_os("CI").is_none(), "python3 is not there");
        println!("skipped: python3 is not there");
    }
    is_there
}

/// What was reported beside the answers.
#[derive(Debug, Default)]
pub(crate) struct Heard(Mutex<Vec<String>>);

impl Notes for Heard {
    fn note(&self, source: &str, line: &str) {
        self.0.lock().unwrap().push(format!("{source}: {line}"));
    }
}

impl Heard {
    /// Whether a line was reported.
    pub(crate) fn has(&self, line: &str) -> bool {
        self.0.lock().unwrap().iter().any(|heard| heard.contains(line))
    }
}

/// What a target needs: nothing.
pub(crate) fn nothing() -> Wiring {
    Wiring {
        system: systems::liman::SYSTEM,
        agents: Default::default(),
        tools: Default::default(),
        servers: Default::default(),
        functions: Default::default(),
    }
}

/// What a target needs: tools that nothing but the configuration says anything of.
pub(crate) fn tools_named(names: &[&str]) -> Wiring {
    let tools = names.iter().map(|name| ((*name).into(), Tool::default())).collect();
    Wiring { tools, ..nothing() }
}

/// What a target needs: all tools of a server.
pub(crate) fn all_of(server: &str) -> Wiring {
    Wiring { servers: [(server.into(), None)].into_iter().collect(), ..nothing() }
}

/// What a target needs: functions.
pub(crate) fn functions() -> Wiring {
    Wiring { functions: ["work.any".into()].into_iter().collect(), ..nothing() }
}

/// Tools that run.
pub(crate) struct Running {
    pub(crate) tools: Tools,
    pub(crate) heard: Arc<Heard>,
}

/// Starts what a target needs, as a configuration says it.
pub(crate) async fn start(folder: &Folder, configuration: &str, wiring: &Wiring) -> anyhow::Result<Running> {
    start_in(&folder.path, configuration, wiring).await
}

pub(crate) async fn start_in(folder: &Path, configuration: &str, wiring: &Wiring) -> anyhow::Result<Running> {
    let live = Config::read(configuration).map_err(|problem| anyhow::anyhow!("{problem:?}"))?.live;
    let heard = Arc::new(Heard::default());
    let mut secrets = Secrets::resolve(&needed_keys(&live, wiring));
    secrets.add(SECRET);
    let tools = Tools::start(&live, folder, wiring, Arc::new(secrets), heard.clone()).await?;
    Ok(Running { tools, heard })
}

impl Running {
    /// What a call of a tool answers, as a line.
    pub(crate) async fn call(&self, tool: &str, arguments: Json) -> String {
        let question = ToolQuestion { tool: tool.into(), arguments: from_json(arguments), call: None };
        line(&self.tools.call(&question, KEY).await)
    }

    /// What a function answers, as a line.
    pub(crate) async fn function(&self, path: &str, input: Json) -> String {
        let question = FunctionQuestion { path: path.into(), input: from_json(input) };
        line(&self.tools.function(&question, KEY).await)
    }
}

/// An answer as a line.
pub(crate) fn line(answer: &Answer) -> String {
    let aside = answer.aside.as_ref().map(|aside| format!(" beside {}", to_json(aside))).unwrap_or_default();
    match &answer.result {
        Ok(Reply::Value(value)) => format!("{}{aside}", to_json(value)),
        Ok(reply) => format!("{reply:?}{aside}"),
        Err(failure) => {
            let lasts = if failure.retryable { "" } else { " lasts" };
            let cause = failure.cause.as_ref().map(|cause| format!(" below {cause}")).unwrap_or_default();
            format!("{failure}{cause}{lasts}")
        }
    }
}

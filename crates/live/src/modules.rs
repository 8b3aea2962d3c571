//! Asks the user's Node which graphs a module of TypeScript or JavaScript builds.
//!
//! Input: a module, and a command of the user; output: the graphs that the real packages built, with places. Reading order:
//! [`answer`] (what Node says), `files` (what the module may import), [`declarations`] (the graphs as declarations).
//! Invariant: the module is loaded in a process of its own, with a time limit and without the user's environment; no graph runs.

pub mod answer;
pub mod declarations;
mod files;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::json;
use tokio::io::{AsyncWriteExt, BufReader};

use self::answer::ModuleAnswer;
use crate::planning;
use crate::secrets::Secrets;
use crate::tools::process::{LOCAL, Line, Pipes, Process, clean, next_line, variable};
use crate::tools::tool_log::{Notes, ToolLog};
use crate::trust::{Part, Plan};

/// The program that runs in Node. It loads the module and records what the packages build.
const RECORDER: &str = include_str!("modules/recorder.mjs");
/// The beginning of the line with the answer, to distinguish it from what the module prints.
const MARK: &str = "nodewise-recorded ";
/// The longest answer, in bytes.
const LONGEST_ANSWER: usize = 256 << 20;
/// The name of Node's program if the user names no other.
pub const NODE: &str = "node";
/// The oldest version of Node with the hooks that show what a module imports.
const OLDEST_NODE: &str = "22.15";

/// A module to load, and how.
#[derive(Debug, Clone)]
pub struct Loading {
    /// The program of Node: a name in `PATH`, or a path.
    pub node: PathBuf,
    /// The module, as an absolute path.
    pub module: PathBuf,
    /// The folder of its project, as an absolute path.
    pub folder: PathBuf,
    /// The variables of the environment that the module gets.
    pub variables: Vec<String>,
    /// Exported functions to call without arguments after loading.
    pub calls: Vec<String>,
    /// How long loading may take.
    pub limit: Duration,
}

impl Loading {
    /// What loading starts, and which files it uses, for the user to allow.
    #[must_use]
    pub fn plan(&self) -> Plan {
        let mut plan = Plan::default();
        let mut command = vec![self.node.to_string_lossy().into_owned(), self.shown(&self.module)];
        command.extend(self.calls.iter().map(|name| format!("{name}()")));
        plan.add(Part::Command {
            what: "Node loads the module".to_owned(),
            command,
            variables: self.variables.clone(),
        });
        plan.add(Part::setting("Node", &planning::resolved(&self.node).to_string_lossy()));
        for file in files::reachable(&self.module, &self.folder) {
            let sha256 = planning::sha256(&file);
            plan.add(Part::File { path: self.shown(&file), sha256 });
        }
        plan
    }

    /// A path for messages. A path in the project is shown relative to its folder.
    #[must_use]
    pub fn shown(&self, file: &Path) -> String {
        file.strip_prefix(&self.folder).unwrap_or(file).to_string_lossy().replace('\\', "/")
    }

    /// Loads the module.
    ///
    /// # Errors
    /// Where Node cannot be started or is too old, or the module does not end in time. An error that the module throws is not an
    /// error here, but a part of the answer.
    pub fn ask(&self, notes: Arc<dyn Notes>) -> Result<ModuleAnswer> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(self.asked(notes))
    }

    async fn asked(&self, notes: Arc<dyn Notes>) -> Result<ModuleAnswer> {
        let tool_log = ToolLog::new(notes, Arc::new(Secrets::default()));
        let mut command = clean(self.node.as_os_str());
        let variables = self.variables.iter().map(String::as_str).chain(LOCAL.iter().copied());
        command.envs(variables.filter_map(|name| Some((name, variable(name)?))));
        let name = self.shown(&self.module);
        let job = json!({"module": self.module, "name": name, "mark": MARK, "call": self.calls});
        command.args(["--no-warnings", "--input-type=module", "-"]).arg(job.to_string());
        command.current_dir(&self.folder);
        let (mut process, pipes) =
            Process::start(command, &self.shown(&self.module), &tool_log).with_context(|| {
                format!(
                    "`{}` cannot be started\n  help: install Node {OLDEST_NODE} or newer, or name it with `--node`",
                    self.node.display()
                )
            })?;
        let answered = tokio::time::timeout(self.limit, answered(pipes)).await;
        match answered {
            Ok(Some(line)) => {
                // Wait for the end, because the last output of the module may not be read yet.
                process.end().await;
                self.read(&line)
            }
            Ok(None) => {
                let words = process.last_words().await;
                bail!("Node ended without an answer: {words}")
            }
            Err(_) => bail!(
                "`{}` is still running after {} s, and was stopped\n  help: move what does not end out of the top level of the \
                 module, or raise `--timeout`",
                self.shown(&self.module),
                self.limit.as_secs()
            ),
        }
    }

    fn read(&self, line: &[u8]) -> Result<ModuleAnswer> {
        let built: ModuleAnswer =
            serde_json::from_slice(line).context("the answer of nodewise's program cannot be read")?;
        if built.fault.as_ref().is_some_and(|fault| fault.too_old) {
            bail!(
                "Node {} is too old to load modules for nodewise\n  help: install Node {OLDEST_NODE} or newer, or name it with \
                 `--node`",
                built.node
            );
        }
        Ok(built)
    }
}

/// The last line with the mark, after the program has ended; `None` if there is none.
async fn answered(pipes: Pipes) -> Option<Vec<u8>> {
    let Pipes { mut input, output } = pipes;
    let sent = async move {
        // If the program ends without reading its input, there is no answer anyway.
        let _ = input.write_all(RECORDER.as_bytes()).await;
        let _ = input.shutdown().await;
    };
    let read = async move {
        let mut output = BufReader::new(output);
        let (mut line, mut found) = (Vec::new(), None);
        while let Ok(Line::Whole) = next_line(&mut output, &mut line, LONGEST_ANSWER).await {
            found = line.strip_prefix(MARK.as_bytes()).map(<[u8]>::to_vec).or(found);
        }
        found
    };
    tokio::join!(sent, read).1
}

/// Whether Node can load the file as a module, by its name.
#[must_use]
pub fn is_module(path: &Path) -> bool {
    const ENDINGS: [&str; 7] = ["ts", "mts", "cts", "tsx", "js", "mjs", "cjs"];
    let is_declaration = path.file_stem().is_some_and(|stem| stem.to_string_lossy().ends_with(".d"));
    let ending = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    ENDINGS.contains(&ending) && !is_declaration
}

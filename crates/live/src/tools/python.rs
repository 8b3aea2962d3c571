//! Python functions of a workspace, called in processes of the user's interpreter.
//!
//! Input: a function's path and what it is given; output: what it returns, as JSON, or why it failed. Async functions share one
//! process. Invariant: every other process answers one call at a time, and one whose call is given up or takes too long is killed
//! with all that it started.

mod shared;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use nodewise_engine::ask::{Answer, Reply};
use nodewise_engine::outcome::Failure;
use nodewise_expr::json::from_json;
use nodewise_project::config::live::Live;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use smol_str::SmolStr;
use tokio::io::{AsyncWriteExt, BufReader};
use tokio::process::{ChildStdin, ChildStdout};
use tokio::sync::Semaphore;

use self::shared::{NoAnswer, SharedWorker};
use super::process::{LOCAL, Line, Pipes, Process, clean, next_line, variable};
use super::tool_log::ToolLog;

/// The program that each process runs.
const WORKER: &str = include_str!("worker.py");
/// The interpreter if nothing else names one.
const INTERPRETER: &str = if cfg!(windows) { "python" } else { "python3" };
/// The folder in which a virtual environment is looked for.
const ENVIRONMENT: &str = ".venv";
/// The interpreter in a virtual environment.
const OF_ENVIRONMENT: &str = if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" };
/// How long an interpreter may take to start.
const TIME_TO_START: Duration = Duration::from_secs(60);
/// The longest answer that is read, in bytes. The worker itself refuses to send more.
const LONGEST_ANSWER: usize = 17 << 20;

/// How a function gets its input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum How {
    /// By name, like the arguments of a tool. Names that the function does not declare are left out.
    Tool,
    /// As the input of a node: a mapping is passed by name if the function declares such names, anything else as the only
    /// argument.
    Input,
    /// The function is not called. The answer describes its parameters.
    Describe,
}

/// The Python functions of a workspace.
#[derive(Debug)]
pub(super) struct Python {
    interpreter: PathBuf,
    folder: PathBuf,
    /// The variables that the configuration passes on.
    variables: Vec<(String, OsString)>,
    /// The folders with sources, as a JSON list for the worker.
    sources: String,
    limit: Duration,
    tool_log: ToolLog,
    /// Processes that wait for a call. The one used last is taken first, since it has what functions keep in memory.
    idle: Mutex<Vec<Worker>>,
    room: Semaphore,
    /// The process for async functions, which starts with the first call of one.
    shared: tokio::sync::Mutex<Option<Arc<SharedWorker>>>,
    /// Whether functions are async, as far as it was asked.
    asyncs: Mutex<BTreeMap<String, bool>>,
}

/// A process that answers one call at a time.
#[derive(Debug)]
struct Worker {
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    process: Process,
}

#[derive(Serialize)]
struct Question<'a> {
    function: &'a str,
    how: How,
    input: &'a Json,
    /// The idempotency key.
    key: &'a str,
}

#[derive(Debug, Deserialize)]
struct Answered {
    #[serde(default)]
    value: Json,
    context: Option<Json>,
    error: Option<Raised>,
    #[serde(default)]
    notes: Vec<String>,
}

/// The exception that a function raised.
#[derive(Debug, Deserialize)]
struct Raised {
    class: String,
    message: String,
    cause: Option<String>,
    lasts: bool,
    #[serde(default)]
    traceback: Vec<String>,
}

/// What a function returned.
#[derive(Debug)]
pub(super) struct Returned {
    pub(super) value: Json,
    /// What the function set in the context of its node.
    pub(super) context: Option<Json>,
}

impl Python {
    /// Prepares the functions of a folder. Nothing is started yet.
    pub(super) fn new(live: &Live, folder: &Path, limit: Duration, tool_log: ToolLog) -> Result<Python> {
        let sources = live.python_path.iter().flatten().map(|source| folder.join(source));
        let sources: Vec<PathBuf> = sources.chain([folder.to_owned()]).collect();
        let passed = |name: &String| {
            let value = tool_log.variable(name).with_context(|| {
                format!(
                    "the variable `{name}` of Python functions is not set\n  help: set it in the environment or in \
                     `.env`, or remove it from `python_env` under `[live]` in nodewise.toml"
                )
            })?;
            anyhow::Ok((name.clone(), value))
        };
        let at_once = std::thread::available_parallelism().map_or(2, usize::from);
        Ok(Python {
            interpreter: interpreter(live, folder),
            variables: live.python_env.iter().map(passed).collect::<Result<_>>()?,
            folder: folder.to_owned(),
            sources: serde_json::to_string(&sources).context("the path of a folder is not valid UTF-8")?,
            limit,
            tool_log,
            idle: Mutex::new(Vec::new()),
            room: Semaphore::new(at_once),
            shared: tokio::sync::Mutex::new(None),
            asyncs: Mutex::new(BTreeMap::new()),
        })
    }

    /// Starts a first process, so that a missing interpreter is reported before the run begins.
    pub(super) async fn warm_up(&self) -> Result<()> {
        let worker = self.start(&[]).await?;
        self.put_back(worker);
        Ok(())
    }

    /// Calls a function.
    pub(super) async fn call(
        &self,
        function: &str,
        how: How,
        input: &Json,
        key: &str,
        limit: Option<Duration>,
    ) -> Result<Returned, Failure> {
        let question = Question { function, how, input, key };
        let result = self.called(&question, limit.unwrap_or(self.limit)).await;
        match result {
            Ok(mut returned) => {
                self.tool_log.mask(&mut returned.value);
                if let Some(context) = &mut returned.context {
                    self.tool_log.mask(context);
                }
                Ok(returned)
            }
            Err(failure) => Err(self.tool_log.masked_failure(failure)),
        }
    }

    /// Ends all processes.
    pub(super) async fn end(self) {
        let idle = self.idle.into_inner().unwrap_or_else(PoisonError::into_inner);
        futures::future::join_all(idle.into_iter().map(|worker| {
            // The worker ends when its input closes.
            drop(worker.input);
            worker.process.end()
        }))
        .await;
        if let Some(shared) = self.shared.into_inner() {
            shared.end().await;
        }
    }

    async fn called(&self, question: &Question<'_>, limit: Duration) -> Result<Returned, Failure> {
        match question.how != How::Describe && self.is_async(question.function, limit).await? {
            true => self.called_side_by_side(question, limit).await,
            false => self.called_alone(question, limit).await,
        }
    }

    /// Whether a function is async. If it cannot be imported, the answer is `false`, and its call reports why.
    async fn is_async(&self, function: &str, limit: Duration) -> Result<bool, Failure> {
        let known = self.asyncs.lock().unwrap_or_else(PoisonError::into_inner).get(function).copied();
        if let Some(known) = known {
            return Ok(known);
        }
        let question = Question { function, how: How::Describe, input: &Json::Null, key: "" };
        let described = match self.called_alone(&question, limit).await {
            Ok(described) => described.value,
            Err(failure) if failure.retryable => return Err(failure),
            Err(_) => return Ok(false),
        };
        let is_async = described.get("is_async").and_then(Json::as_bool) == Some(true);
        self.asyncs.lock().unwrap_or_else(PoisonError::into_inner).insert(function.to_owned(), is_async);
        Ok(is_async)
    }

    async fn called_side_by_side(
        &self,
        question: &Question<'_>,
        limit: Duration,
    ) -> Result<Returned, Failure> {
        let function = question.function;
        let shared = {
            let mut shared = self.shared.lock().await;
            match shared.as_ref().filter(|shared| !shared.is_over()) {
                Some(shared) => Arc::clone(shared),
                None => {
                    let started = self.start(&["shared"]).await;
                    let worker = started
                        .map_err(|error| Failure::lasting("PythonNotStarted", format!("{error:#}")))?;
                    Arc::clone(shared.insert(Arc::new(SharedWorker::new(worker))))
                }
            }
        };
        let question = serde_json::to_value(question);
        let question = question.map_err(|error| Failure::lasting("ValueError", error.to_string()))?;
        match shared.ask(question, limit).await {
            Ok(answered) => self.result(function, answered),
            Err(NoAnswer::Late) => Err(late(function, limit)),
            Err(NoAnswer::Ended(words)) => {
                let message = format!("the Python process of `{function}` ended: {words}");
                Err(Failure::new("ProcessEnded", message))
            }
        }
    }

    async fn called_alone(&self, question: &Question<'_>, limit: Duration) -> Result<Returned, Failure> {
        let function = question.function;
        let question = serde_json::to_string(question);
        let question = question.map_err(|error| Failure::lasting("ValueError", error.to_string()))?;
        let _place = self.room.acquire().await;
        let mut worker = match self.take_idle() {
            Some(worker) => worker,
            None => self
                .start(&[])
                .await
                .map_err(|error| Failure::lasting("PythonNotStarted", format!("{error:#}")))?,
        };
        let answered = match tokio::time::timeout(limit, worker.ask(&question)).await {
            Ok(Ok(answered)) => answered,
            Ok(Err(error)) => {
                let message = format!(
                    "the Python process of `{function}` ended ({error}): {}",
                    worker.process.last_words().await
                );
                return Err(Failure::new("ProcessEnded", message));
            }
            Err(_) => return Err(late(function, limit)),
        };
        self.put_back(worker);
        self.result(function, answered)
    }

    fn result(&self, function: &str, answered: Answered) -> Result<Returned, Failure> {
        for note in &answered.notes {
            self.tool_log.note(function, note);
        }
        let Some(raised) = answered.error else {
            return Ok(Returned { value: answered.value, context: answered.context });
        };
        for line in &raised.traceback {
            self.tool_log.note(function, line);
        }
        let mut message = raised.message;
        if let Some(name) = self.withheld(&raised.class, &message) {
            message.push_str(&format!(
                "\n  help: functions get no variable of the environment that the configuration does not name; write \
                 `python_env = [\"{name}\"]` under `[live]` in nodewise.toml"
            ));
        }
        Err(Failure {
            class: raised.class.into(),
            message: message.into(),
            retryable: !raised.lasts,
            cause: raised.cause.map(SmolStr::from),
        })
    }

    /// The variable that a function probably looked up: the key of a `KeyError`, if it is a variable that is set but not passed on.
    fn withheld<'m>(&self, class: &str, message: &'m str) -> Option<&'m str> {
        let name = message.strip_prefix('\'')?.strip_suffix('\'').filter(|_| class == "KeyError")?;
        let is_passed = self.variables.iter().any(|(passed, _)| passed == name);
        (!is_passed && self.tool_log.variable(name).is_some()).then_some(name)
    }

    /// A process that waits for a call and has not ended.
    fn take_idle(&self) -> Option<Worker> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let worker = idle.pop()?;
            if !worker.process.is_over() {
                return Some(worker);
            }
        }
    }

    fn put_back(&self, worker: Worker) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(worker);
    }

    async fn start(&self, manner: &[&str]) -> Result<Worker> {
        let mut command = clean(self.interpreter.as_os_str());
        command.envs(LOCAL.iter().filter_map(|name| Some((name, variable(name)?))));
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        // Compiled files are only used if they fit their source, because the user allowed the source.
        command
            .args(["--check-hash-based-pycs", "always", "-c", WORKER, &self.sources])
            .args(manner)
            .current_dir(&self.folder);
        let (process, Pipes { input, output }) =
            Process::start(command, "python", &self.tool_log).with_context(|| {
                format!(
                    "cannot start the Python interpreter `{}`\n  help: install Python 3.8 or newer, or name an \
                     interpreter with `python` under `[live]` in nodewise.toml",
                    self.interpreter.display()
                )
            })?;
        let mut worker = Worker { input, output: BufReader::new(output), process };
        let mut line = Vec::new();
        let ready = next_line(&mut worker.output, &mut line, LONGEST_ANSWER);
        match tokio::time::timeout(TIME_TO_START, ready).await {
            Ok(Ok(Line::Whole)) => Ok(worker),
            Ok(_) => {
                let words = worker.process.last_words().await;
                bail!(
                    "the Python interpreter `{}` did not run nodewise's worker: {words}\n  help: use Python \
                     3.8 or newer; name another interpreter with `python` under `[live]` in nodewise.toml",
                    self.interpreter.display()
                )
            }
            Err(_) => bail!(
                "the Python interpreter `{}` was not ready after {} s",
                self.interpreter.display(),
                TIME_TO_START.as_secs()
            ),
        }
    }
}

/// The failure of a call that took too long.
fn late(function: &str, limit: Duration) -> Failure {
    let message = format!(
        "`{function}` took longer than {} s and was stopped\n  help: raise `timeout_s` under `[live]` in nodewise.toml",
        limit.as_secs_f64()
    );
    Failure::new("TimeoutError", message)
}

impl Worker {
    async fn ask(&mut self, question: &str) -> Result<Answered> {
        self.input.write_all(question.as_bytes()).await?;
        self.input.write_all(b"\n").await?;
        self.input.flush().await?;
        let mut line = Vec::new();
        match next_line(&mut self.output, &mut line, LONGEST_ANSWER).await? {
            Line::Whole => Ok(serde_json::from_slice(&line)?),
            Line::Cut => bail!("its answer is too long"),
            Line::End => bail!("it closed its output"),
        }
    }
}

impl Returned {
    /// The answer to a question that wants a value.
    pub(super) fn answer(self) -> Answer {
        let aside = self.context.map(from_json);
        Answer { aside, ..Answer::now(Reply::Value(from_json(self.value))) }
    }
}

/// The interpreter: that of the configuration, else of a virtual environment in the folder, else of the system.
pub(super) fn interpreter(live: &Live, folder: &Path) -> PathBuf {
    if let Some(python) = &live.python {
        let is_command = Path::new(python).components().count() == 1;
        return if is_command { PathBuf::from(python) } else { folder.join(python) };
    }
    let of_environment = folder.join(ENVIRONMENT).join(OF_ENVIRONMENT);
    if of_environment.exists() { of_environment } else { PathBuf::from(INTERPRETER) }
}

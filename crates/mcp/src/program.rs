//! The nodewise command, asked in a process of its own.
//!
//! Input: arguments, a folder, perhaps a text for standard input. Output: what the command printed, and its exit code.
//! Invariant: a command that takes too long, prints too much or is no longer wanted is stopped; nothing of it is left.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::Command;

use crate::error::ToolError;

/// How long a command may take that asks no models.
const TIME_LIMIT: Duration = Duration::from_secs(120);

/// How long a command may take that asks models.
const LIVE_TIME_LIMIT: Duration = Duration::from_secs(3600);

/// How much a command may print to each output, in bytes.
const OUTPUT_LIMIT: u64 = 64 << 20;

/// The program of the nodewise command.
#[derive(Debug, Clone)]
pub struct NodewiseProgram {
    path: PathBuf,
}

/// A call of the nodewise command.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Invocation {
    /// The arguments. A value is written in the argument of its option (`--seed=1`), so that it is never read as an option.
    pub(crate) arguments: Vec<String>,
    /// The text for standard input.
    pub(crate) stdin: Option<String>,
    /// Whether the command asks models and tools, and may take long.
    pub(crate) is_live: bool,
}

impl Invocation {
    /// A call of a subcommand, without further arguments and without standard input.
    pub(crate) fn new(command: &str) -> Invocation {
        Invocation { arguments: vec![command.to_owned()], ..Invocation::default() }
    }

    /// Adds an argument.
    pub(crate) fn with(mut self, argument: impl Into<String>) -> Invocation {
        self.arguments.push(argument.into());
        self
    }

    /// Adds an option with a value; adds nothing if the value is `None`.
    pub(crate) fn with_value(self, option: &str, value: Option<impl std::fmt::Display>) -> Invocation {
        match value {
            Some(value) => self.with(format!("{option}={value}")),
            None => self,
        }
    }

    /// Adds an option without a value, if it is wanted.
    pub(crate) fn with_flag(self, option: &str, is_wanted: bool) -> Invocation {
        if is_wanted { self.with(option) } else { self }
    }

    /// Adds paths after `--`. Call this last.
    pub(crate) fn with_paths(mut self, paths: impl IntoIterator<Item = String>) -> Invocation {
        self.arguments.push("--".to_owned());
        self.arguments.extend(paths);
        self
    }
}

/// What a command printed.
#[derive(Debug)]
pub(crate) struct Finished {
    /// The exit code: 0 for success, 1 for problems, 2 for wrong usage or a file that cannot be read.
    pub(crate) code: i32,
    /// The results of the command.
    pub(crate) stdout: String,
    /// The notes and errors of the command.
    pub(crate) stderr: String,
}

impl Finished {
    /// The error that the command printed.
    pub(crate) fn error(&self) -> ToolError {
        let message = self.stderr.trim();
        match message.strip_prefix("error: ").unwrap_or(message) {
            "" => ToolError::new(format!("the command ended with {}", self.code)),
            message => ToolError::new(message.to_owned()),
        }
    }
}

impl NodewiseProgram {
    /// Uses the command at this path.
    pub fn new(path: PathBuf) -> NodewiseProgram {
        NodewiseProgram { path }
    }

    /// Runs the command in a folder. Dropping the future kills it.
    pub(crate) async fn run(&self, folder: &Path, invocation: Invocation) -> Result<Finished, ToolError> {
        let limit = if invocation.is_live { LIVE_TIME_LIMIT } else { TIME_LIMIT };
        tokio::time::timeout(limit, self.finished(folder, invocation)).await.unwrap_or_else(|_| {
            let seconds = limit.as_secs();
            Err(ToolError::new(format!("the command did not end within {seconds} seconds and was stopped"))
                .help("name fewer files, or a smaller limit"))
        })
    }

    async fn finished(&self, folder: &Path, invocation: Invocation) -> Result<Finished, ToolError> {
        let name = self.path.display();
        let cannot =
            |what: &str, error: std::io::Error| ToolError::new(format!("`{name}` cannot be {what}: {error}"));
        let mut child = Command::new(&self.path)
            .args(&invocation.arguments)
            .current_dir(folder)
            .env("NO_COLOR", "1")
            .stdin(if invocation.stdin.is_some() { Stdio::piped() } else { Stdio::null() })
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| cannot("started", error))?;
        let write = {
            let stdin = child.stdin.take().zip(invocation.stdin);
            async move {
                if let Some((mut pipe, text)) = stdin {
                    // A command may close its input early. Its output says why.
                    pipe.write_all(text.as_bytes()).await.ok();
                }
            }
        };
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let ((), stdout, stderr) = tokio::join!(write, printed(stdout), printed(stderr));
        let stdout = stdout?;
        let status = child.wait().await.map_err(|error| cannot("waited for", error))?;
        match status.code() {
            Some(code) => Ok(Finished { code, stdout, stderr: stderr? }),
            None => Err(ToolError::new("the command was ended by a signal".to_owned())),
        }
    }
}

/// Everything that a command prints to one of its outputs, up to the limit.
async fn printed(pipe: Option<impl AsyncRead + Unpin>) -> Result<String, ToolError> {
    let Some(pipe) = pipe else { return Ok(String::new()) };
    let mut bytes = Vec::new();
    let read = pipe.take(OUTPUT_LIMIT + 1).read_to_end(&mut bytes).await;
    read.map_err(|error| ToolError::new(format!("the answer of the command cannot be read: {error}")))?;
    if bytes.len() as u64 > OUTPUT_LIMIT {
        let limit = OUTPUT_LIMIT >> 20;
        return Err(ToolError::new(format!("the command printed more than {limit} MB and was stopped"))
            .help("name fewer files"));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

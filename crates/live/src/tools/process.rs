//! Programs that tools need: each one with what it started, to be ended as a whole.
//!
//! Input: a command; output: its pipes, and its last words where it ends too soon. Invariant: what a program started does not
//! outlive it, and it does not outlive the interest in it.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::ffi::OsString;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result};
use process_wrap::tokio::{ChildWrapper, CommandWrap};
use tokio::io::{AsyncBufRead, AsyncBufReadExt, BufReader};
use tokio::process::{ChildStdin, ChildStdout, Command};
use tokio::sync::{oneshot, watch};
use tokio::task::JoinHandle;

use super::tool_log::ToolLog;

/// How many of the last lines on standard error are remembered.
const REMEMBERED_LINES: usize = 12;
/// How much of a line is shown, in characters.
const LONGEST_SHOWN: usize = 400;
/// How much of a line is read, in bytes. It is far more than is shown, so that no secret is cut in two before it is masked.
const LONGEST_LINE: usize = 64 << 10;
/// How long to wait for a program to end after the request, and then for its standard error to close. Usually it is much faster;
/// only a program that has closed its output and still runs takes all of it.
const TIME_TO_END: Duration = Duration::from_secs(2);

/// The variables without which programs cannot run.
#[cfg(not(windows))]
const ESSENTIAL: &[&str] = &["PATH", "HOME"];
#[cfg(windows)]
const ESSENTIAL: &[&str] = &[
    "PATH",
    "HOME",
    "USERPROFILE",
    "SYSTEMROOT",
    "SYSTEMDRIVE",
    "PATHEXT",
    "TEMP",
    "TMP",
    "APPDATA",
    "LOCALAPPDATA",
];

/// A running program.
#[derive(Debug)]
pub(crate) struct Process {
    /// How the program ended; `None` while it runs.
    ended: watch::Receiver<Option<String>>,
    said: Arc<Mutex<VecDeque<String>>>,
    listener: JoinHandle<()>,
    /// When this is dropped, the program is killed.
    _holder: oneshot::Sender<Infallible>,
}

/// A program and all that it started. Dropping this kills all of them.
struct Group(Box<dyn ChildWrapper>);

/// Our ends of a program's pipes.
#[derive(Debug)]
pub(crate) struct Pipes {
    /// The standard input of the program.
    pub(crate) input: ChildStdin,
    /// The standard output of the program.
    pub(crate) output: ChildStdout,
}

impl Process {
    /// Starts a command. What it prints on standard error is reported as notes from `source`.
    pub(crate) fn start(mut command: Command, source: &str, tool_log: &ToolLog) -> Result<(Process, Pipes)> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        let mut command = CommandWrap::from(command);
        #[cfg(unix)]
        command.wrap(process_wrap::tokio::ProcessGroup::leader());
        #[cfg(windows)]
        command.wrap(process_wrap::tokio::JobObject);
        let mut group = Group(command.spawn()?);
        let input = group.0.stdin().take().context("it has no standard input")?;
        let output = group.0.stdout().take().context("it has no standard output")?;
        let errors = group.0.stderr().take().context("it has no standard error")?;
        let said = Arc::new(Mutex::new(VecDeque::new()));
        let listener =
            tokio::spawn(listen(BufReader::new(errors), said.clone(), source.to_owned(), tool_log.clone()));
        let (sender, ended) = watch::channel(None);
        let (holder, held) = oneshot::channel();
        tokio::spawn(watch_over(group, held, sender));
        Ok((Process { ended, said, listener, _holder: holder }, Pipes { input, output }))
    }

    /// Whether the program has ended.
    pub(crate) fn is_over(&self) -> bool {
        self.ended.borrow().is_some()
    }

    /// How the program ended, and what it printed last. Call this when its output has closed.
    pub(crate) async fn last_words(&mut self) -> String {
        let ended = tokio::time::timeout(TIME_TO_END, self.how_it_ended()).await;
        let ended = match ended {
            Ok(ended) => ended,
            Err(_) => "it closed its output and is still running".to_owned(),
        };
        self.wait_for_output().await;
        let said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        match said.is_empty() {
            true => ended,
            false => {
                let lines: Vec<&str> = said.iter().map(String::as_str).collect();
                format!("{ended}; its last output:\n    {}", lines.join("\n    "))
            }
        }
    }

    async fn how_it_ended(&mut self) -> String {
        match self.ended.wait_for(Option::is_some).await {
            Ok(ended) => ended.clone().unwrap_or_default(),
            Err(_) => "it has ended".to_owned(),
        }
    }

    /// Waits until all of standard error is read. Programs that this one started may keep the pipe open, so the wait is limited.
    async fn wait_for_output(&mut self) {
        let _ = tokio::time::timeout(TIME_TO_END, &mut self.listener).await;
    }

    /// Waits a while for the program to end, and kills what is left. What it printed before is still reported.
    pub(crate) async fn end(mut self) {
        if tokio::time::timeout(TIME_TO_END, self.how_it_ended()).await.is_ok() {
            self.wait_for_output().await;
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.listener.abort();
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // If it has ended already, it cannot be killed, which is fine.
        let _ = self.0.start_kill();
    }
}

/// Waits until the program ends or its [`Process`] is dropped. Then everything that the program started is killed, which also
/// closes its pipes.
async fn watch_over(
    mut group: Group,
    held: oneshot::Receiver<Infallible>,
    sender: watch::Sender<Option<String>>,
) {
    let ended = tokio::select! {
        ended = group.0.wait() => ended,
        _ = held => {
            let _ = group.0.start_kill();
            group.0.wait().await
        }
    };
    drop(group);
    let words = ended.map_or_else(|error| format!("it has ended: {error}"), |status| status.to_string());
    let _ = sender.send(Some(words));
}

/// The variables that Python functions get besides the essential ones: for the language, temporary files and the time zone.
pub(crate) const LOCAL: &[&str] = &["LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "TZ"];

/// A command whose environment has only the variables that programs need to run.
pub(crate) fn clean(program: &std::ffi::OsStr) -> Command {
    let mut command = Command::new(program);
    command.env_clear();
    command.envs(ESSENTIAL.iter().filter_map(|name| Some((name, variable(name)?))));
    command
}

/// The value of a variable of this process.
pub(crate) fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name)
}

async fn listen(
    mut errors: impl AsyncBufRead + Unpin,
    said: Arc<Mutex<VecDeque<String>>>,
    source: String,
    tool_log: ToolLog,
) {
    let mut line = Vec::new();
    while let Ok(Line::Whole | Line::Cut) = next_line(&mut errors, &mut line, LONGEST_LINE).await {
        let text = clipped(tool_log.masked(String::from_utf8_lossy(&line).trim_end()));
        if text.is_empty() {
            continue;
        }
        {
            let mut said = said.lock().unwrap_or_else(PoisonError::into_inner);
            if said.len() == REMEMBERED_LINES {
                said.pop_front();
            }
            said.push_back(text.clone());
        }
        tool_log.note_masked(&source, &text);
    }
}

/// A text, cut to the length that is shown.
fn clipped(mut text: String) -> String {
    if let Some((end, _)) = text.char_indices().nth(LONGEST_SHOWN) {
        text.truncate(end);
        text.push('…');
    }
    text
}

/// The result of reading a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Line {
    Whole,
    /// The line is longer than the limit, so only its beginning was kept.
    Cut,
    /// There are no more lines.
    End,
}

/// Reads the next line without its line break. At most `longest` bytes of it are kept.
pub(crate) async fn next_line(
    from: &mut (impl AsyncBufRead + Unpin),
    line: &mut Vec<u8>,
    longest: usize,
) -> std::io::Result<Line> {
    line.clear();
    let mut is_cut = false;
    let mut is_empty = true;
    loop {
        let available = from.fill_buf().await?;
        if available.is_empty() {
            return Ok(match (is_empty, is_cut) {
                (true, _) => Line::End,
                (false, true) => Line::Cut,
                (false, false) => Line::Whole,
            });
        }
        is_empty = false;
        let end = available.iter().position(|byte| *byte == b'\n');
        let part = available.get(..end.unwrap_or(available.len())).unwrap_or(available);
        let kept = part.len().min(longest.saturating_sub(line.len()));
        is_cut |= kept < part.len();
        line.extend_from_slice(part.get(..kept).unwrap_or(part));
        let read = part.len() + usize::from(end.is_some());
        from.consume(read);
        if end.is_some() {
            return Ok(if is_cut { Line::Cut } else { Line::Whole });
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use tokio::io::AsyncReadExt;

    use super::*;
    use crate::secrets::Secrets;
    use crate::tools::Notes;

    #[derive(Default)]
    struct Lines(Mutex<Vec<String>>);

    impl Notes for Lines {
        fn note(&self, source: &str, line: &str) {
            let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            lines.push(format!("{source}: {line}"));
        }
    }

    /// The whole life of the program passes before its pipes are read, as on a busy computer.
    #[tokio::test]
    async fn what_a_program_printed_before_its_end_is_shown() {
        let over = std::env::temp_dir().join(format!("nodewise-process-{}", std::process::id()));
        let lines = Arc::new(Lines::default());
        let tool_log = ToolLog::new(lines.clone(), Arc::new(Secrets::default()));
        let mut command = Command::new("sh");
        command.args(["-c", "echo one >&2; echo two >&2; echo answer; touch \"$0\""]).arg(&over);
        let (process, mut pipes) = Process::start(command, "program", &tool_log).unwrap();
        while !over.exists() {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::fs::remove_file(over).unwrap();
        let mut answer = String::new();
        pipes.output.read_to_string(&mut answer).await.unwrap();
        process.end().await;
        assert_eq!(answer, "answer\n");
        assert_eq!(*lines.0.lock().unwrap(), ["program: one", "program: two"]);
    }
}

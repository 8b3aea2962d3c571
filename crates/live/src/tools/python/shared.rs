//! The process in which async functions run side by side.
//!
//! Input: questions with numbers; output: their answers, in any order. Invariant: a call that is given up is cancelled, and where
//! its function does not let itself be cancelled, the process ends, with all calls that are in it.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use tokio::io::{AsyncWriteExt, BufReader};
use tokio::process::{ChildStdin, ChildStdout};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

use super::{Answered, LONGEST_ANSWER, Worker};
use crate::tools::process::{Line, Process, next_line};

/// How long an async function may take to end after its call is cancelled.
const TIME_TO_CANCEL: Duration = Duration::from_secs(2);

/// A process in which async functions run at the same time.
#[derive(Debug)]
pub(super) struct SharedWorker {
    lines: mpsc::UnboundedSender<String>,
    waiting: Arc<Mutex<Waiting>>,
    next: AtomicU64,
    writer: JoinHandle<()>,
    reader: JoinHandle<()>,
    process: tokio::sync::Mutex<Option<Process>>,
}

/// The callers that wait for an answer, by the number of their question. Once the process has ended, no caller can be added.
#[derive(Debug, Default)]
struct Waiting {
    calls: BTreeMap<u64, oneshot::Sender<Answered>>,
    is_over: bool,
}

pub(super) enum NoAnswer {
    /// The call took too long.
    Late,
    /// The process ended. The text says how, and what it printed last.
    Ended(String),
}

#[derive(Deserialize)]
struct Numbered {
    number: u64,
    #[serde(flatten)]
    answered: Answered,
}

impl SharedWorker {
    /// Shares a process that has started.
    pub(super) fn new(worker: Worker) -> SharedWorker {
        let Worker { input, output, process } = worker;
        let (lines, to_write) = mpsc::unbounded_channel();
        let waiting = Arc::new(Mutex::new(Waiting::default()));
        SharedWorker {
            lines,
            writer: tokio::spawn(write(input, to_write)),
            reader: tokio::spawn(read(output, Arc::clone(&waiting))),
            waiting,
            next: AtomicU64::new(0),
            process: tokio::sync::Mutex::new(Some(process)),
        }
    }

    /// Whether no more calls can be made in this process.
    pub(super) fn is_over(&self) -> bool {
        lock(&self.waiting).is_over
    }

    /// Asks a question, which must be a JSON object, and waits for its answer.
    pub(super) async fn ask(
        &self,
        mut question: serde_json::Value,
        limit: Duration,
    ) -> Result<Answered, NoAnswer> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        question["number"] = json!(number);
        let (sender, mut answered) = oneshot::channel();
        {
            let mut waiting = lock(&self.waiting);
            // Otherwise the sender is dropped here, and the caller learns at once that no answer comes.
            if !waiting.is_over {
                waiting.calls.insert(number, sender);
            }
        }
        // If the caller drops this future, dropping the call cancels the function.
        let mut call = PendingCall { number, lines: &self.lines, is_done: false };
        self.lines.send(question.to_string()).ok();
        match tokio::time::timeout(limit, &mut answered).await {
            Ok(Ok(answered)) => {
                call.is_done = true;
                Ok(answered)
            }
            Ok(Err(_)) => {
                call.is_done = true;
                Err(NoAnswer::Ended(self.last_words().await))
            }
            Err(_) => {
                drop(call);
                if tokio::time::timeout(TIME_TO_CANCEL, answered).await.is_err() {
                    self.kill().await;
                }
                Err(NoAnswer::Late)
            }
        }
    }

    /// Kills the process, with all calls that are under way in it.
    async fn kill(&self) {
        lock(&self.waiting).is_over = true;
        lock(&self.waiting).calls.clear();
        drop(self.process.lock().await.take());
    }

    /// Ends the process. Call this when nothing is asked any more.
    pub(super) async fn end(&self) {
        self.writer.abort();
        if let Some(process) = self.process.lock().await.take() {
            process.end().await;
        }
    }

    async fn last_words(&self) -> String {
        match self.process.lock().await.as_mut() {
            Some(process) => process.last_words().await,
            None => "another function in it did not end when it was stopped".to_owned(),
        }
    }
}

impl Drop for SharedWorker {
    fn drop(&mut self) {
        self.writer.abort();
        self.reader.abort();
    }
}

/// A call. If it is dropped before it is done, the function is cancelled.
struct PendingCall<'l> {
    number: u64,
    lines: &'l mpsc::UnboundedSender<String>,
    is_done: bool,
}

impl Drop for PendingCall<'_> {
    fn drop(&mut self) {
        if !self.is_done {
            self.lines.send(json!({"number": self.number}).to_string()).ok();
        }
    }
}

async fn write(mut input: ChildStdin, mut lines: mpsc::UnboundedReceiver<String>) {
    while let Some(mut line) = lines.recv().await {
        line.push('\n');
        if input.write_all(line.as_bytes()).await.is_err() || input.flush().await.is_err() {
            break;
        }
    }
}

async fn read(mut output: BufReader<ChildStdout>, waiting: Arc<Mutex<Waiting>>) {
    let mut line = Vec::new();
    while let Ok(Line::Whole) = next_line(&mut output, &mut line, LONGEST_ANSWER).await {
        let Ok(Numbered { number, answered }) = serde_json::from_slice(&line) else { break };
        let call = lock(&waiting).calls.remove(&number);
        if let Some(call) = call {
            // The caller may have stopped waiting.
            call.send(answered).ok();
        }
    }
    let mut waiting = lock(&waiting);
    waiting.is_over = true;
    waiting.calls.clear();
}

fn lock(waiting: &Mutex<Waiting>) -> MutexGuard<'_, Waiting> {
    waiting.lock().unwrap_or_else(PoisonError::into_inner)
}

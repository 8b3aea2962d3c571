//! The stream: one thread reads messages, one owns the session.
//!
//! Input: framed JSON. Output: framed JSON. Invariant: messages are handled in the order in which they arrive. While the
//! run continues, they are looked for between its turns. The end of the input ends the session.

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, channel};
use std::time::Duration;

use nodewise_wire::frames::{Frame, read_frame};
use nodewise_wire::surrogates;
use serde_json::Value;

use crate::launch::Launcher;
use crate::session::DebugSession;

/// Serves one client until it disconnects, or its stream ends. Returns whether it disconnected.
///
/// # Errors
/// If the system cannot start a thread.
pub fn serve(
    mut input: impl BufRead + Send + 'static,
    mut output: impl Write,
    launcher: &dyn Launcher,
) -> io::Result<bool> {
    let (frames, arriving) = channel();
    let read = move || {
        loop {
            let frame = read_frame(&mut input);
            let is_end = frame == Frame::End;
            if frames.send(frame).is_err() || is_end {
                return;
            }
        }
    };
    std::thread::Builder::new().name("nodewise-read".to_owned()).spawn(read)?;
    let mut session = DebugSession::new(launcher);
    let mut queue = VecDeque::new();
    loop {
        let wait = match session.is_running() {
            false => Wait::UntilMessage,
            true if session.is_waiting() => Wait::Shortly,
            true => Wait::Not,
        };
        if !take(&arriving, &mut queue, wait) {
            return Ok(false);
        }
        match queue.pop_front() {
            Some(Frame::Body(body)) => message(&mut session, &body, &queue),
            Some(Frame::Broken) => {}
            Some(Frame::End) => return Ok(false),
            None => turn(&mut session),
        }
        for message in session.take_messages() {
            // A client that no longer reads is gone.
            if write(&mut output, &message).is_err() {
                return Ok(false);
            }
        }
        if session.is_over() {
            return Ok(true);
        }
    }
}

/// How long to wait for a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wait {
    /// Until a message comes, because the run is stopped.
    UntilMessage,
    /// For a short time, because the run is driven elsewhere and waits for its models, tools and people.
    Shortly,
    /// Not at all, because the run has a turn.
    Not,
}

/// The time between two looks at a run that is driven elsewhere.
const LOOK: Duration = Duration::from_millis(5);

/// Adds the messages that have arrived to the queue. `false` if no more messages can come.
fn take(arriving: &Receiver<Frame>, queue: &mut VecDeque<Frame>, wait: Wait) -> bool {
    if queue.is_empty() {
        let first = match wait {
            Wait::UntilMessage => arriving.recv().map_err(|_| false),
            Wait::Shortly => arriving.recv_timeout(LOOK).map_err(|error| error == RecvTimeoutError::Timeout),
            Wait::Not => arriving.try_recv().map_err(|error| error == TryRecvError::Empty),
        };
        match first {
            Ok(frame) => queue.push_back(frame),
            Err(continues) => return continues,
        }
    }
    queue.extend(arriving.try_iter());
    true
}

/// Handles a message, unless one of the messages behind it in the queue cancels it.
fn message(session: &mut DebugSession<'_>, body: &[u8], behind: &VecDeque<Frame>) {
    let Some(message) = read(body) else { return };
    if is_cancelled(&message, behind) {
        session.cancelled(&message);
    } else if catch_unwind(AssertUnwindSafe(|| session.handle(&message))).is_err() {
        session.fail(&message);
    }
}

fn read(body: &[u8]) -> Option<Value> {
    serde_json::from_slice::<Value>(&surrogates::replaced(body)).ok()
}

/// Requests that cannot be cancelled: they begin or end the session or the run, or cancel something.
const LASTING: [&str; 7] =
    ["initialize", "launch", "attach", "configurationDone", "disconnect", "terminate", "cancel"];

fn is_cancelled(message: &Value, behind: &VecDeque<Frame>) -> bool {
    let command = message.get("command").and_then(Value::as_str).unwrap_or_default();
    let Some(number) = message.get("seq").and_then(Value::as_i64) else { return false };
    let cancels = |frame: &Frame| {
        let Frame::Body(body) = frame else { return false };
        // Every message in the queue is parsed when its turn comes. Parse it twice only if it can be a cancellation.
        let is_near = may_cancel(body);
        is_near
            && read(body).is_some_and(|one| {
                one.get("command").and_then(Value::as_str) == Some("cancel")
                    && one.pointer("/arguments/requestId").and_then(Value::as_i64) == Some(number)
            })
    };
    !LASTING.contains(&command) && behind.iter().any(cancels)
}

/// Whether a message contains the word that every cancellation of a request contains.
fn may_cancel(body: &[u8]) -> bool {
    const WORD: &[u8] = b"requestId";
    body.windows(WORD.len()).any(|window| window == WORD)
}

fn turn(session: &mut DebugSession<'_>) {
    if catch_unwind(AssertUnwindSafe(|| session.work())).is_err() {
        session.end_after_fault();
    }
}

fn write(output: &mut impl Write, message: &Value) -> io::Result<()> {
    let body = serde_json::to_vec(message)?;
    write!(output, "Content-Length: {}\r\n\r\n", body.len())?;
    output.write_all(&body)?;
    output.flush()
}

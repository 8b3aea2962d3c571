//! The stream: one thread reads messages, one owns the session.
//!
//! Input: framed JSON. Output: framed JSON. Invariant: messages are handled in the order in which they arrive. While the
//! run continues, they are looked for between its turns. The end of the input ends the session.

use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, TryRecvError, channel};

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
    while let Some(frame) = next(&arriving, session.is_running()) {
        match frame {
            Some(Frame::Body(body)) => message(&mut session, &body),
            Some(Frame::Broken) => {}
            Some(Frame::End) => return Ok(false),
            None => turn(&mut session),
        }
        for message in session.take_messages() {
            // A client that does not read any more is gone.
            if write(&mut output, &message).is_err() {
                return Ok(false);
            }
        }
        if session.is_over() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The next message; `Some(None)` if there is none and the run has a turn.
fn next(arriving: &Receiver<Frame>, is_running: bool) -> Option<Option<Frame>> {
    match is_running {
        false => arriving.recv().ok().map(Some),
        true => match arriving.try_recv() {
            Ok(frame) => Some(Some(frame)),
            Err(TryRecvError::Empty) => Some(None),
            Err(TryRecvError::Disconnected) => None,
        },
    }
}

fn message(session: &mut DebugSession<'_>, body: &[u8]) {
    let Ok(message) = serde_json::from_slice::<Value>(&surrogates::replaced(body)) else { return };
    if catch_unwind(AssertUnwindSafe(|| session.handle(&message))).is_err() {
        session.fail(&message);
    }
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

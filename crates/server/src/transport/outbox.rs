//! Outgoing messages.
//!
//! Input: messages from any thread. Output: framed JSON. Invariant: no sender waits for the client to read.

use std::io::Write;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use serde::Serialize;
use serde_json::json;

/// The queue of outgoing messages.
#[derive(Debug, Clone)]
pub(crate) struct Outbox {
    parcels: Sender<Parcel>,
}

#[derive(Debug)]
enum Parcel {
    Message(Vec<u8>),
    /// Signals the sender after everything before it is written.
    Flush(Sender<()>),
}

/// Messages that nothing writes.
pub(crate) struct Collected(Receiver<Parcel>);

impl Collected {
    /// The messages that were sent since the last call, as JSON.
    pub(crate) fn take(&self) -> Vec<String> {
        let body = |parcel| match parcel {
            Parcel::Message(body) => String::from_utf8(body).ok(),
            Parcel::Flush(_) => None,
        };
        self.0.try_iter().filter_map(body).collect()
    }
}

/// How long to wait until the last messages are written.
const PATIENCE: Duration = Duration::from_secs(1);

impl Outbox {
    /// Writes messages on a separate thread.
    pub(crate) fn start(output: impl Write + Send + 'static) -> std::io::Result<Outbox> {
        let (parcels, arriving) = channel();
        let work = move || write(output, &arriving);
        std::thread::Builder::new().name("nodewise-write".to_owned()).spawn(work)?;
        Ok(Outbox { parcels })
    }

    /// Collects messages for [`Collected::take`].
    pub(crate) fn collected() -> (Outbox, Collected) {
        let (parcels, arriving) = channel();
        (Outbox { parcels }, Collected(arriving))
    }

    /// Sends a message.
    pub(crate) fn send(&self, message: &impl Serialize) {
        if let Ok(body) = serde_json::to_vec(message) {
            self.send_body(body);
        }
    }

    /// Sends a message that is JSON already.
    pub(crate) fn send_body(&self, body: Vec<u8>) {
        self.parcels.send(Parcel::Message(body)).ok();
    }

    /// Sends a notification.
    pub(crate) fn notify(&self, method: &str, parameters: impl Serialize) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": parameters}));
    }

    /// Waits until everything is written, or until the client has stopped reading.
    pub(crate) fn flush(&self) {
        let (done, is_done) = channel();
        self.parcels.send(Parcel::Flush(done)).ok();
        is_done.recv_timeout(PATIENCE).ok();
    }
}

fn write(mut output: impl Write, parcels: &Receiver<Parcel>) {
    for parcel in parcels {
        let written = match parcel {
            Parcel::Message(body) => {
                let mut message = format!("Content-Length: {}\r\n\r\n", body.len()).into_bytes();
                message.extend(body);
                output.write_all(&message).and_then(|()| output.flush())
            }
            Parcel::Flush(done) => {
                done.send(()).ok();
                Ok(())
            }
        };
        // A client that no longer reads also closes the input, which ends the server.
        if written.is_err() {
            return;
        }
    }
}

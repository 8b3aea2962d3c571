//! Outgoing messages.
//!
//! Input: messages from any thread. Output: framed JSON, in the order in which it was sent. Invariant: no sender waits for the
//! client to read. What can be written at once is written by the sender: to wake up another thread for each answer takes processor
//! time.

use std::io::Write;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::Serialize;
use serde_json::json;

/// The queue of outgoing messages.
#[derive(Debug, Clone)]
pub(crate) struct Outbox {
    items: Sender<OutgoingItem>,
    writing: Arc<Mutex<WritingState>>,
}

/// Writes as much of a message as the output takes without waiting. Returns the number of bytes.
pub(crate) type WriteAtOnce = Box<dyn FnMut(&[u8]) -> usize + Send>;

/// What decides whether a sender writes its message itself.
#[derive(Default)]
struct WritingState {
    write_at_once: Option<WriteAtOnce>,
    /// How many messages wait, or are being written.
    waiting: usize,
}

#[derive(Debug)]
enum OutgoingItem {
    /// A message with its head, or the rest of one that was written in part.
    Message(Vec<u8>),
    /// Signals the sender after everything before it is written.
    Flush(Sender<()>),
}

/// Messages that are taken instead of written.
pub(crate) struct Collected(Receiver<OutgoingItem>);

impl Collected {
    /// The messages that were sent since the last call, as JSON.
    pub(crate) fn take(&self) -> Vec<String> {
        let body = |item| match item {
            OutgoingItem::Message(message) => {
                let (_, body) = std::str::from_utf8(&message).ok()?.split_once("\r\n\r\n")?;
                Some(body.to_owned())
            }
            OutgoingItem::Flush(_) => None,
        };
        self.0.try_iter().filter_map(body).collect()
    }
}

/// How long to wait until the last messages are written.
const PATIENCE: Duration = Duration::from_secs(1);

impl Outbox {
    /// Writes messages on a separate thread, unless `write_at_once` can write them.
    pub(crate) fn start(
        output: impl Write + Send + 'static,
        write_at_once: Option<WriteAtOnce>,
    ) -> std::io::Result<Outbox> {
        let (items, arriving) = channel();
        let writing = Arc::new(Mutex::new(WritingState { write_at_once, waiting: 0 }));
        let written = Arc::clone(&writing);
        let work = move || write(output, &arriving, &written);
        std::thread::Builder::new().name("nodewise-write".to_owned()).spawn(work)?;
        Ok(Outbox { items, writing })
    }

    /// Collects messages for [`Collected::take`].
    pub(crate) fn collected() -> (Outbox, Collected) {
        let (items, arriving) = channel();
        (Outbox { items, writing: Arc::default() }, Collected(arriving))
    }

    /// Sends a message.
    pub(crate) fn send(&self, message: &impl Serialize) {
        if let Ok(body) = serde_json::to_vec(message) {
            self.send_body(body);
        }
    }

    /// Sends a message that is JSON already.
    pub(crate) fn send_body(&self, body: Vec<u8>) {
        let mut message = format!("Content-Length: {}\r\n\r\n", body.len()).into_bytes();
        message.extend(body);
        let mut writing = lock(&self.writing);
        let written = writing.write_at_once(&message);
        if written < message.len() {
            message.drain(..written);
            writing.waiting += 1;
            // Under the lock, so that messages wait in the order in which they were sent.
            self.items.send(OutgoingItem::Message(message)).ok();
        }
    }

    /// Sends a notification.
    pub(crate) fn notify(&self, method: &str, parameters: impl Serialize) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": parameters}));
    }

    /// Waits until everything is written, or until the client has stopped reading.
    pub(crate) fn flush(&self) {
        let (done, is_done) = channel();
        self.items.send(OutgoingItem::Flush(done)).ok();
        is_done.recv_timeout(PATIENCE).ok();
    }
}

impl std::fmt::Debug for WritingState {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("WritingState").field("waiting", &self.waiting).finish_non_exhaustive()
    }
}

impl WritingState {
    fn write_at_once(&mut self, message: &[u8]) -> usize {
        match &mut self.write_at_once {
            Some(write) if self.waiting == 0 => write(message).min(message.len()),
            _ => 0,
        }
    }
}

fn lock(writing: &Mutex<WritingState>) -> MutexGuard<'_, WritingState> {
    writing.lock().unwrap_or_else(PoisonError::into_inner)
}

fn write(mut output: impl Write, items: &Receiver<OutgoingItem>, writing: &Mutex<WritingState>) {
    for item in items {
        match item {
            OutgoingItem::Message(message) => {
                // A client that no longer reads also closes the input, which ends the server.
                if output.write_all(&message).and_then(|()| output.flush()).is_err() {
                    return;
                }
                lock(writing).waiting -= 1;
            }
            OutgoingItem::Flush(done) => {
                done.send(()).ok();
            }
        }
    }
}

/// A function that writes to standard output without waiting.
#[cfg(target_os = "linux")]
pub(crate) fn to_stdout() -> Option<WriteAtOnce> {
    use std::io::IoSlice;

    use rustix::io::{Errno, ReadWriteFlags, pwritev2};

    /// The offset -1, which means after the last write. Pipes accept no other.
    const CURRENT: u64 = u64::MAX;

    let output = std::io::stdout();
    let mut is_able = true;
    Some(Box::new(move |message| {
        let mut written = 0;
        while let Some(rest) = message.get(written..).filter(|rest| is_able && !rest.is_empty()) {
            match pwritev2(&output, &[IoSlice::new(rest)], CURRENT, ReadWriteFlags::NOWAIT) {
                Ok(count) if count > 0 => written += count,
                Ok(_) | Err(Errno::AGAIN) => break,
                // Before Linux 6.5, pipes do not support this.
                Err(_) => is_able = false,
            }
        }
        written
    }))
}

/// On other systems, no function tells whether a write would wait.
#[cfg(not(target_os = "linux"))]
pub(crate) fn to_stdout() -> Option<WriteAtOnce> {
    None
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::sync::mpsc::channel;
    use std::sync::{Arc, Mutex, PoisonError};

    use serde_json::json;

    use super::{Outbox, WriteAtOnce};

    #[derive(Clone, Default)]
    struct Written(Arc<Mutex<Vec<u8>>>);

    impl Written {
        fn add(&self, bytes: &[u8]) {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        }
    }

    impl Write for Written {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            std::thread::yield_now();
            self.add(&bytes[..bytes.len().min(7)]);
            Ok(bytes.len().min(7))
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    /// Messages in the order in which they were sent, where the output takes this many bytes at once, in turn.
    #[track_caller]
    fn check_order(takes: &'static [usize]) {
        let written = Written::default();
        let (writing, mut turn) = (written.clone(), 0);
        let at_once: WriteAtOnce = Box::new(move |message| {
            turn += 1;
            let count = takes[turn % takes.len()].min(message.len());
            writing.add(&message[..count]);
            count
        });
        let outbox = Outbox::start(written.clone(), Some(at_once)).unwrap();
        (0..500).for_each(|number| outbox.send(&json!({ "number": number })));
        outbox.flush();
        let frame = |number| {
            let body = json!({ "number": number }).to_string();
            format!("Content-Length: {}\r\n\r\n{body}", body.len())
        };
        let expected: String = (0..500).map(frame).collect();
        assert_eq!(String::from_utf8(written.0.lock().unwrap().clone()).unwrap(), expected);
    }

    #[test]
    fn messages_stay_whole_and_in_order() {
        check_order(&[0]);
        check_order(&[usize::MAX]);
        check_order(&[usize::MAX, 0, 3, 30, usize::MAX]);
    }

    /// Takes nothing until the test ends.
    struct Stuck(std::sync::mpsc::Receiver<()>);

    impl Write for Stuck {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.recv().ok();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn no_sender_waits_for_a_client_that_does_not_read() {
        let (reads, is_read) = channel();
        let mut room = 100;
        let at_once: WriteAtOnce = Box::new(move |message| {
            let count = message.len().min(room);
            room -= count;
            count
        });
        let outbox = Outbox::start(Stuck(is_read), Some(at_once)).unwrap();
        (0..1_000).for_each(|number| outbox.send(&json!({ "number": number })));
        drop(reads);
        outbox.flush();
    }
}

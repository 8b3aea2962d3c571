//! A client for language servers, like an editor, over the server's standard input and output. In: a command. Out:
//! answers and diagnostics, each with the time when its last byte was read. Invariant: the client answers a request of
//! the server immediately, so no server waits for it.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::measure;

/// The maximum time to wait for an answer.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);

/// A running server.
pub(super) struct Client {
    process: Child,
    input: Arc<Mutex<ChildStdin>>,
    messages: Receiver<(Instant, Value)>,
    last_id: u64,
}

impl Client {
    /// Starts a server in a folder. `settings` answers the server's questions about its configuration.
    pub(super) fn start(command: &[String], folder: &Path, settings: Value) -> Result<Client> {
        let (program, arguments) = command.split_first().context("a server has a command")?;
        let mut process = Command::new(program)
            .args(arguments)
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("cannot start {program}"))?;
        let input = Arc::new(Mutex::new(process.stdin.take().context("the server has an input")?));
        let output = process.stdout.take().context("the server has an output")?;
        let (sender, messages) = channel();
        let answers = Arc::clone(&input);
        std::thread::spawn(move || read_all(output, &answers, &settings, &sender));
        Ok(Client { process, input, messages, last_id: 0 })
    }

    /// Sends a notification, and returns the time before.
    pub(super) fn notify(&self, method: &str, params: &Value) -> Result<Instant> {
        let before = Instant::now();
        send(&self.input, &json!({"jsonrpc": "2.0", "method": method, "params": params}))?;
        Ok(before)
    }

    /// Sends a request and waits for its answer. Returns the time in milliseconds, or `None` without an answer.
    pub(super) fn request(&mut self, method: &str, params: &Value) -> Result<Option<f64>> {
        Ok(self.answer(method, params)?.map(|(time, _)| time))
    }

    /// The same, with the result.
    pub(super) fn answer(&mut self, method: &str, params: &Value) -> Result<Option<(f64, Value)>> {
        self.last_id += 1;
        let id = self.last_id;
        let before = Instant::now();
        send(&self.input, &json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        let is_answer = |message: &Value| message["id"] == id && message.get("method").is_none();
        let Some((at, mut answer)) = self.wait(is_answer)? else { return Ok(None) };
        if let Some(error) = answer.get("error") {
            bail!("{method} was answered with {error}");
        }
        Ok(Some((milliseconds(before, at), answer["result"].take())))
    }

    /// Waits for a message, and drops earlier ones. `None` if it does not arrive.
    pub(super) fn wait(&self, accepts: impl Fn(&Value) -> bool) -> Result<Option<(Instant, Value)>> {
        let until = Instant::now() + PATIENCE;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.messages.recv_timeout(left) {
                Ok((at, message)) if accepts(&message) => return Ok(Some((at, message))),
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) => return Ok(None),
                Err(RecvTimeoutError::Disconnected) => bail!("the server is gone"),
            }
        }
    }

    /// Waits for diagnostics of a file that `accepts` wants. `None` if they do not arrive.
    pub(super) fn diagnostics(&self, uri: &str, accepts: impl Fn(&Value) -> bool) -> Result<Option<Instant>> {
        let is_wanted = |message: &Value| {
            let params = &message["params"];
            message["method"] == "textDocument/publishDiagnostics"
                && params["uri"].as_str().is_some_and(|named| named.replace("%3A", ":") == uri)
                && accepts(params)
        };
        Ok(self.wait(is_wanted)?.map(|(at, _)| at))
    }

    /// Drops all messages that have arrived.
    pub(super) fn drain(&self) {
        while self.messages.try_recv().is_ok() {}
    }

    /// The resident memory of the server in bytes. 0 if the system does not report it.
    pub(super) fn memory(&self) -> u64 {
        measure::memory(self.process.id(), "VmRSS:")
    }

    /// The most memory that the server has had, in bytes. 0 if the system does not report it.
    pub(super) fn peak(&self) -> u64 {
        measure::memory(self.process.id(), "VmHWM:")
    }

    /// The processor time of the server so far, in milliseconds. 0 if the system does not report it.
    pub(super) fn processor_ms(&self) -> f64 {
        measure::processor_ms_of(self.process.id())
    }

    /// Ends the server.
    pub(super) fn stop(mut self) -> Result<()> {
        self.request("shutdown", &Value::Null)?;
        self.notify("exit", &Value::Null)?;
        self.process.wait()?;
        Ok(())
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // The server may already have ended, which is fine.
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

/// The milliseconds between two times.
pub(super) fn milliseconds(from: Instant, to: Instant) -> f64 {
    to.saturating_duration_since(from).as_secs_f64() * 1e3
}

fn send(input: &Mutex<ChildStdin>, message: &Value) -> Result<()> {
    let body = message.to_string();
    let text = format!("Content-Length: {}\r\n\r\n{body}", body.len());
    let mut input = input.lock().unwrap_or_else(PoisonError::into_inner);
    input.write_all(text.as_bytes()).context("the server does not read any more")?;
    Ok(input.flush()?)
}

/// Reads messages until the server ends, and answers its requests.
fn read_all(
    output: ChildStdout,
    input: &Mutex<ChildStdin>,
    settings: &Value,
    messages: &Sender<(Instant, Value)>,
) {
    let mut output = BufReader::new(output);
    while let Some(body) = read_body(&mut output) {
        let at = Instant::now();
        let Ok(message) = serde_json::from_slice::<Value>(&body) else { return };
        if let (Some(method), Some(id)) = (message["method"].as_str(), message.get("id")) {
            let answer = json!({"jsonrpc": "2.0", "id": id, "result": answer(method, &message, settings)});
            if send(input, &answer).is_err() {
                return;
            }
        }
        if messages.send((at, message)).is_err() {
            return;
        }
    }
}

fn read_body(output: &mut BufReader<ChildStdout>) -> Option<Vec<u8>> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse::<usize>().ok();
        }
    }
    let mut body = vec![0; length?];
    output.read_exact(&mut body).ok()?;
    Some(body)
}

fn answer(method: &str, message: &Value, settings: &Value) -> Value {
    match method {
        "workspace/configuration" => {
            let items = message["params"]["items"].as_array().map(Vec::as_slice).unwrap_or_default();
            let sections = items.iter().map(|item| item["section"].as_str().unwrap_or_default());
            sections.map(|section| settings[section].clone()).collect()
        }
        _ => Value::Null,
    }
}

//! The command that knows a key. In: a program and its arguments; out: the first line that it prints. Invariant: an error
//! says how it went and nothing of what was printed.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// How long a command may take.
pub(super) const LIMIT: Duration = Duration::from_secs(10);
/// The longest line that is read, in bytes. No key is as long.
const LONGEST_LINE: u64 = 64 * 1024;
/// The pause between two checks whether the command has ended.
const LOOK: Duration = Duration::from_millis(5);

/// The first line that a command prints, trimmed. The error says what is wrong with the command, as the end of a sentence.
pub(super) fn first_line(command: &[String], limit: Duration) -> Result<String, String> {
    let Some((program, arguments)) = command.split_first() else { return Err("is empty".to_owned()) };
    let started = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let mut child = started.map_err(|error| format!("cannot be started ({error})"))?;
    let line = read(&mut child, limit);
    if line.is_err() {
        // If the command has ended meanwhile, there is nothing to kill.
        let _ = child.kill();
        let _ = child.wait();
    }
    let line = line?;
    if line.is_empty() { Err("prints nothing".to_owned()) } else { Ok(line) }
}

fn read(child: &mut Child, limit: Duration) -> Result<String, String> {
    let begin = Instant::now();
    let late = || format!("did not end within {} s", limit.as_secs_f64());
    let Some(output) = child.stdout.take() else { return Err("has no output".to_owned()) };
    let (sender, receiver) = mpsc::channel();
    // A thread of its own, because a program that the command started may keep the pipe open for ever.
    std::thread::spawn(move || {
        let mut line = Vec::new();
        let mut reader = BufReader::new(output);
        let read = reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line);
        // Nobody receives this if the command took too long.
        let _ = sender.send(read.map(|_| line));
        // Read the rest, so that the command does not fail because nobody reads its output.
        let _ = std::io::copy(&mut reader, &mut std::io::sink());
    });
    let line = receiver.recv_timeout(limit).map_err(|_| late())?;
    let line = line.map_err(|_| "cannot be read".to_owned())?;
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if begin.elapsed() < limit => std::thread::sleep(LOOK),
            Ok(None) => return Err(late()),
            Err(_) => return Err("cannot be waited for".to_owned()),
        }
    };
    if !status.success() {
        return Err(format!("failed ({status})"));
    }
    let line = String::from_utf8(line).map_err(|_| "prints a line that is not valid UTF-8".to_owned())?;
    Ok(line.trim().to_owned())
}

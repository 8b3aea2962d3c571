//! A running oracle: one process that answers any number of questions as JSON lines.
//!
//! Input is questions. Output is one answer for each, in order. Invariant: two threads write and read, so neither side
//! waits for a full pipe.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, Result, anyhow, bail};
use serde_json::Value;

pub(super) struct Oracle {
    child: Child,
    questions: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Oracle {
    pub(super) fn start(mut command: Command) -> Result<Oracle> {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {:?}", command.get_program()))?;
        let questions = child.stdin.take();
        let answers = child.stdout.take().context("the oracle writes to a pipe")?;
        Ok(Oracle { child, questions, answers: BufReader::new(answers) })
    }

    /// The answers to a batch. `meanwhile` is computed while the oracle works.
    pub(super) fn ask<T>(
        &mut self,
        questions: &[Value],
        meanwhile: impl FnOnce() -> T,
    ) -> Result<(Vec<Value>, T)> {
        let input = self.questions.as_mut().context("the oracle reads from a pipe")?;
        let answers = &mut self.answers;
        std::thread::scope(|scope| {
            let writer = scope.spawn(move || write_lines(input, questions));
            let reader = scope.spawn(move || read_lines(answers, questions.len()));
            let ours = meanwhile();
            let answers = reader.join().map_err(|_| anyhow!("the answers could not be read"))??;
            writer.join().map_err(|_| anyhow!("the questions could not be written"))??;
            Ok((answers, ours))
        })
    }
}

impl Drop for Oracle {
    fn drop(&mut self) {
        // The oracle ends at the end of its input.
        self.questions = None;
        // A failure at this point cannot be reported.
        let _ = self.child.wait();
    }
}

fn write_lines(input: &mut ChildStdin, questions: &[Value]) -> Result<()> {
    for question in questions {
        serde_json::to_writer(&mut *input, question)?;
        input.write_all(b"\n")?;
    }
    input.flush().context("the oracle stopped reading")
}

fn read_lines(answers: &mut BufReader<ChildStdout>, count: usize) -> Result<Vec<Value>> {
    let mut lines = Vec::with_capacity(count);
    for _ in 0..count {
        let mut line = String::new();
        if answers.read_line(&mut line)? == 0 {
            bail!("the oracle ended after {} of {count} answers", lines.len());
        }
        let answer: Value = serde_json::from_str(&line).with_context(|| line.clone())?;
        if let Some(broken) = answer["broken"].as_str() {
            bail!("the oracle's own program failed: {broken}");
        }
        lines.push(answer);
    }
    Ok(lines)
}

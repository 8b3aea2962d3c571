//! A job in another process, while the steps of this process run.
//!
//! Input is the job. Output is the results of its steps, and its text. Invariant: the text of a step is printed
//! in one piece, never between the lines of another step. A job that is no longer needed ends.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::plan::Job;
use super::{Ended, HEADING, Options, Outcome};

/// The folder with the output and the results of the other process. They stay after the run.
const FOLDER: &str = "target/test-jobs";
/// How often the output of the other process is checked if nothing else runs.
const LOOK: Duration = Duration::from_millis(200);

pub(super) struct Beside {
    job: Job,
    process: Child,
    log: PathBuf,
    /// The bytes of the log that are printed.
    printed: u64,
    results: PathBuf,
}

impl Beside {
    /// Starts a job with the same options.
    pub(super) fn start(root: &Path, options: Options<'_>, job: Job) -> Result<Beside> {
        let folder = root.join(FOLDER);
        std::fs::create_dir_all(&folder)?;
        let [log, results] = ["log", "results"].map(|kind| folder.join(format!("{}.{kind}", job.word())));
        std::fs::write(&results, "")?;
        let text = File::create(&log)?;
        // The job starts before any step, because Cargo rewrites this program if a step compiles another choice of
        // packages.
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["test", "--job", job.word(), "--results"]).arg(&results);
        command.args(options.words()).stdout(text.try_clone()?).stderr(text);
        let process = command.spawn().with_context(|| format!("cannot start the job {}", job.word()))?;
        println!(
            "the steps of the job `{}` run at the same time; {} has their text",
            job.word(),
            log.display()
        );
        Ok(Beside { job, process, log, printed: 0, results })
    }

    /// Prints the text of the steps that have ended.
    pub(super) fn print_ended(&mut self) -> Result<()> {
        let text = self.unprinted()?;
        let heading = format!("\n{HEADING}");
        let running = text.windows(heading.len()).rposition(|letters| letters == heading.as_bytes());
        running.map_or(Ok(()), |end| self.print(&text[..=end]))
    }

    /// Prints the remaining text as it comes, and returns the results.
    pub(super) fn wait(mut self) -> Result<Vec<Ended>> {
        let status = loop {
            let status = self.process.try_wait()?;
            let text = self.unprinted()?;
            self.print(&text)?;
            match status {
                Some(status) => break status,
                None => std::thread::sleep(LOOK),
            }
        };
        let mut ended = read(&std::fs::read_to_string(&self.results)?)?;
        ended.extend(interrupted(self.job, status, &ended));
        Ok(ended)
    }

    /// The output that is not printed yet, as bytes, because a step may print anything.
    fn unprinted(&self) -> Result<Vec<u8>> {
        let mut log = File::open(&self.log)?;
        log.seek(SeekFrom::Start(self.printed))?;
        let mut text = Vec::new();
        log.read_to_end(&mut text)?;
        Ok(text)
    }

    fn print(&mut self, text: &[u8]) -> Result<()> {
        let mut output = std::io::stdout().lock();
        output.write_all(text)?;
        output.flush()?;
        self.printed += text.len() as u64;
        Ok(())
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        // If the process has already ended, the error does not matter.
        let _ = self.process.kill();
    }
}

/// A failure of the job itself, if its process ended differently from what its steps say.
fn interrupted(job: Job, status: ExitStatus, ended: &[Ended]) -> Option<Ended> {
    let has_failed = ended.iter().any(|step| matches!(step.outcome, Outcome::Failed(_)));
    let expected = i32::from(has_failed);
    (status.code() != Some(expected)).then(|| Ended {
        name: format!("job {}", job.word()),
        seconds: 0.0,
        outcome: Outcome::Failed(format!("{status}, after {} of its steps", ended.len())),
    })
}

/// The id of the process that started this one. If that process ends, the id changes. `None` if the system does not
/// report it.
pub(super) fn parent() -> Option<u32> {
    #[cfg(unix)]
    return Some(std::os::unix::process::parent_id());
    #[cfg(not(unix))]
    None
}

/// Adds the result of a step to a file of results.
pub(super) fn add(results: &str, step: &Ended) -> Result<()> {
    let mut file = File::options().append(true).create(true).open(results)?;
    Ok(writeln!(file, "{}", line(step))?)
}

/// The result of a step, as JSON.
fn line(step: &Ended) -> Value {
    let (outcome, reason) = match &step.outcome {
        Outcome::Passed => ("passed", ""),
        Outcome::Skipped => ("skipped", ""),
        Outcome::Failed(reason) => ("failed", reason.as_str()),
    };
    json!({ "name": step.name, "seconds": step.seconds, "outcome": outcome, "reason": reason })
}

/// Reads a file of results.
fn read(results: &str) -> Result<Vec<Ended>> {
    let read = |line: &str| {
        let line: Value = serde_json::from_str(line)?;
        let word = |key: &str| line[key].as_str().unwrap_or_default().to_owned();
        let outcome = match line["outcome"].as_str() {
            Some("passed") => Outcome::Passed,
            Some("skipped") => Outcome::Skipped,
            _ => Outcome::Failed(word("reason")),
        };
        Ok(Ended { name: word("name"), seconds: line["seconds"].as_f64().unwrap_or_default(), outcome })
    };
    results.lines().map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::{Ended, Outcome, line, read};

    #[test]
    fn results_are_read_as_they_were_written() {
        let written = [
            Ended { name: "lints".to_owned(), seconds: 1.5, outcome: Outcome::Passed },
            Ended { name: "Emacs".to_owned(), seconds: 0.0, outcome: Outcome::Skipped },
            Ended {
                name: "tests".to_owned(),
                seconds: 2.0,
                outcome: Outcome::Failed("two\nlines".to_owned()),
            },
        ];
        let text: String = written.iter().map(|step| format!("{}\n", line(step))).collect();
        assert_eq!(read(&text).expect("each line is JSON"), written);
    }
}

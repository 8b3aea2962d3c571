//! The failed tests of `cargo test`, for the end of a long log.
//!
//! Input is the command. Output is its result, with each failed test and what it printed. Invariant: every line is
//! printed as it comes.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use super::Verdict;

/// The longest text of one test that is repeated, in lines.
const LONGEST: usize = 40;
/// What the test harness prints before the texts of the failed tests, and again before their names.
const HEADING: &str = "failures:";

/// The failed tests so far.
#[derive(Debug, Default)]
struct Failures {
    names: Vec<String>,
    /// The lines between both headings, with at most [`LONGEST`] of each test.
    text: String,
    /// The number of lines of the current test, between both headings.
    lines: Option<usize>,
}

/// Runs tests, and prints their output.
pub(super) fn test(command: &mut Command, words: &[&str]) -> Result<Verdict> {
    let mut process = command.args(words).stdout(Stdio::piped()).spawn()?;
    let output = process.stdout.take().context("no output of the tests")?;
    let failures = read(output, &mut std::io::stdout().lock())?;
    let status = process.wait()?;
    if status.success() {
        return Ok(Verdict::Passed);
    }
    let failures = failures.map(|failures| format!("; failed tests: {failures}")).unwrap_or_default();
    Ok(Verdict::Failed(format!("`cargo {}` ended with {status}{failures}", words.join(" "))))
}

/// Copies the output, and returns its failed tests.
fn read(output: impl Read, copy: &mut impl Write) -> Result<Option<String>> {
    let mut output = BufReader::new(output);
    let mut failures = Failures::default();
    let mut line = Vec::new();
    while output.read_until(b'\n', &mut line)? > 0 {
        copy.write_all(&line)?;
        copy.flush()?;
        failures.add(String::from_utf8_lossy(&line).trim_end());
        line.clear();
    }
    Ok(failures.words())
}

impl Failures {
    fn add(&mut self, line: &str) {
        let name = line.strip_prefix("test ").and_then(|test| test.strip_suffix(" ... FAILED"));
        self.names.extend(name.map(str::to_owned));
        self.lines = match self.lines {
            None if line == HEADING => Some(0),
            Some(_) if line == HEADING => None,
            Some(_) if line.starts_with("---- ") && line.ends_with(" ----") => Some(self.repeat(line, 0)),
            Some(lines) => Some(self.repeat(line, lines)),
            None => None,
        };
    }

    /// Keeps a line of a test, and returns the number of its lines.
    fn repeat(&mut self, line: &str, lines: usize) -> usize {
        let line = if lines == LONGEST { "[…]" } else { line };
        if lines <= LONGEST && !(line.is_empty() && self.text.ends_with("\n\n")) {
            self.text.push_str(line);
            self.text.push('\n');
        }
        lines + 1
    }

    /// The failed tests, in words.
    fn words(self) -> Option<String> {
        let names = self.names.join(", ");
        (!self.names.is_empty()).then(|| format!("{names}\n{}", self.text.trim_matches('\n')))
    }
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, read};

    #[track_caller]
    fn check(output: &str, expected: Option<&str>) {
        let mut copy = Vec::new();
        let failures = read(output.as_bytes(), &mut copy).expect("texts in memory");
        assert_eq!((String::from_utf8_lossy(&copy).as_ref(), failures.as_deref()), (output, expected));
    }

    #[test]
    fn failed_tests_are_repeated_with_what_they_printed() {
        check("test one ... ok\n\ntest result: ok. 1 passed\n", None);
        check(
            "test one ... ok\ntest two::three ... FAILED\n\nfailures:\n\n---- two::three stdout ----\n\nthread panicked\n \
             left: 1\n\n\nfailures:\n    two::three\n\ntest result: FAILED.\n\
             test four ... FAILED\n\nfailures:\n\n---- four stdout ----\nno file\n\nfailures:\n    four\n",
            Some(
                "two::three, four\n---- two::three stdout ----\n\nthread panicked\n left: 1\n\n---- four stdout ----\nno file",
            ),
        );
    }

    #[test]
    fn a_long_text_is_cut() {
        let long = "line\n".repeat(2 * LONGEST);
        let kept = "line\n".repeat(LONGEST - 1);
        check(
            &format!("test a ... FAILED\nfailures:\n---- a stdout ----\n{long}\nfailures:\n    a\n"),
            Some(&format!("a\n---- a stdout ----\n{kept}[…]")),
        );
    }
}

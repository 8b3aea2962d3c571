//! `nodewise merge`: three versions of a file as one, as git asks for it.
//!
//! Input: three files. Output: the merged text in the file of our side, and an exit code. Invariant: what cannot be merged by meaning
//! is merged by `git merge-file`, with its conflict markers, and ends with 1 if a person must look at it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use clap::Args;
use nodewise_review::merge::{MergeConflict, MergeOutcome, merge};

use crate::outcome::Outcome;
use crate::output::{Output, complain};

/// Merge three versions of a file by meaning.
///
/// This is a merge driver for git. The changes of THEIRS since BASE are written into OURS, whose layout and comments stay. Changes of
/// different nodes, edges and fields never conflict. Where both sides changed the same, or the result would have a new error, the file
/// gets the conflict markers of `git merge-file`, and the command ends with 1.
#[derive(Args)]
pub(crate) struct MergeOptions {
    /// The version that both sides began with.
    base: PathBuf,
    /// Our version; the result is written to it.
    ours: PathBuf,
    /// Their version.
    theirs: PathBuf,
    /// The path of the file in the repository [default: OURS].
    path: Option<PathBuf>,
    /// Print the result, and leave OURS as it is.
    #[arg(short, long)]
    print: bool,
    /// The length of conflict markers.
    #[arg(long, value_name = "N", default_value_t = 7)]
    marker_size: u32,
}

/// Merges the files.
pub(crate) fn run(options: &MergeOptions, output: &mut Output) -> Result<Outcome> {
    let texts = [&options.base, &options.ours, &options.theirs].map(|path| text(path));
    let [base, ours, theirs] = texts;
    let path = options.path.as_ref().unwrap_or(&options.ours).to_string_lossy().replace('\\', "/");
    let found = match (base?, ours?, theirs?) {
        (Some(base), Some(ours), Some(theirs)) if is_declaration(&path) => {
            merge(&path, &base, &ours, &theirs)
        }
        _ => MergeOutcome::Unreadable("the file is no YAML and no JSON"),
    };
    match found {
        MergeOutcome::Merged(merged) => {
            match options.print {
                true => output.write(&merged)?,
                false => std::fs::write(&options.ours, merged)
                    .with_context(|| format!("`{}` cannot be written", options.ours.display()))?,
            }
            Ok(Outcome::Clean)
        }
        MergeOutcome::Unreadable(_) => {
            Ok(if options.by_lines(output)? { Outcome::Clean } else { Outcome::Findings })
        }
        MergeOutcome::Conflicts(conflicts) => {
            conflicts.iter().for_each(|conflict| complain(&described(&path, conflict)));
            if options.by_lines(output)? {
                complain(&format!(
                    "{path}: the lines can be merged, so the file has no conflict markers\n  help: correct the file, then `git add` it"
                ));
            }
            Ok(Outcome::Findings)
        }
    }
}

impl MergeOptions {
    /// Merges the lines with git; whether there is no conflict.
    fn by_lines(&self, output: &mut Output) -> Result<bool> {
        let mut command = Command::new("git");
        command.args(["merge-file", "-q", "-L", "ours", "-L", "base", "-L", "theirs"]);
        command.arg(format!("--marker-size={}", self.marker_size));
        if self.print {
            command.arg("-p");
        }
        command.arg("--").args([&self.ours, &self.base, &self.theirs]).stdin(Stdio::null());
        let merged = command.output().context("`git` cannot be started")?;
        output.write(&String::from_utf8_lossy(&merged.stdout))?;
        // Git ends with the number of conflicts, or with a number that is none.
        match merged.status.code() {
            Some(0) => Ok(true),
            Some(1..=127) => Ok(false),
            _ => bail!("`git merge-file` failed: {}", String::from_utf8_lossy(&merged.stderr).trim()),
        }
    }
}

fn described(path: &str, conflict: &MergeConflict) -> String {
    match conflict.path.as_str() {
        "" => format!("{path}: conflict: {}", conflict.message),
        place => format!("{path}: conflict in `{place}`: {}", conflict.message),
    }
}

fn is_declaration(path: &str) -> bool {
    let extension = Path::new(path).extension().and_then(|extension| extension.to_str());
    matches!(extension, Some("yaml" | "yml" | "json"))
}

/// The text of a file; `None` if it is no text.
fn text(path: &Path) -> Result<Option<String>> {
    let bytes = std::fs::read(path).with_context(|| format!("`{}` cannot be read", path.display()))?;
    Ok(String::from_utf8(bytes).ok())
}

//! `nodewise test --recorded`: exported runs, repeated on the graphs of now.
//!
//! Input: the results of the scenarios of a folder, which `nodewise runs export` wrote, and of the traces there, and the file
//! with the differences that are meant. Output: which runs take another path. Invariant: a reason accepts one difference of one run; another difference of the
//! same run is reported.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use nodewise_simulation::report::Suite;
use nodewise_simulation::testing::Tested;
use serde::{Deserialize, Serialize};

use crate::output::remark;
use crate::print::count;

/// The file in the folder of the runs.
pub(super) const FILE: &str = "accepted.toml";

const HEADER: &str =
    "# Differences of recorded runs that are meant. `nodewise test --recorded` reads this file.\n";

/// The content of the file.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct AcceptedFile {
    #[serde(default)]
    accepted: Vec<Accepted>,
}

/// A difference that the user accepted.
#[derive(Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
struct Accepted {
    /// The file of the run, relative to the folder.
    run: String,
    /// The title of the run.
    title: String,
    /// The first difference.
    difference: String,
    /// Why the difference is accepted.
    reason: String,
}

/// The counts of repeated runs, by how they compare with their recordings.
#[derive(Debug, Default)]
pub(super) struct Repeated {
    same: usize,
    accepted: usize,
    differ: usize,
    /// Where the first difference is, and what differs.
    first: Option<(String, String)>,
}

/// Takes the accepted differences out of the results, and accepts the others if there is a reason.
pub(super) fn repeated(folder: &Path, reason: Option<&str>, suites: &mut [Suite]) -> Result<Repeated> {
    let path = folder.join(FILE);
    let mut known = read(&path)?;
    let mut found = Repeated::default();
    let (mut used, mut new) = (vec![false; known.len()], Vec::new());
    for suite in suites {
        let shown: Vec<String> =
            suite.tests.iter().map(|tested| relative(folder, &suite.shown(&tested.place.path))).collect();
        for (tested, run) in suite.tests.iter_mut().zip(shown) {
            let Some(difference) = difference(tested) else {
                found.same += 1;
                continue;
            };
            let is_it = |known: &Accepted| {
                known.run == run && known.title == tested.title && known.difference == difference
            };
            let position = known.iter().position(is_it);
            let is_new = position.is_none() && reason.is_some() && tested.ended.is_ok();
            if position.is_some() || is_new {
                found.accepted += 1;
                tested.mismatches.clear();
                if let Some(used) = position.and_then(|position| used.get_mut(position)) {
                    *used = true;
                }
            }
            match (is_new, position, reason) {
                (true, _, Some(reason)) => new.push(Accepted {
                    run,
                    title: tested.title.clone(),
                    difference,
                    reason: reason.to_owned(),
                }),
                (false, None, _) => {
                    found.differ += 1;
                    found.first.get_or_insert((format!("{run}:{}", tested.place.line), difference));
                }
                _ => {}
            }
        }
    }
    for stale in known.iter().zip(&used).filter(|(_, used)| !**used).map(|(known, _)| known) {
        remark(&format!(
            "note: {FILE} accepts a difference of `{}` that is gone: {}\n  help: delete the entry",
            stale.run, stale.difference
        ));
    }
    if !new.is_empty() {
        remark(&format!("accepted {} in `{}`", count(new.len(), "difference"), path.display()));
        known.extend(new);
        std::fs::write(&path, text(known)?)
            .with_context(|| format!("`{}` cannot be written", path.display()))?;
    }
    Ok(found)
}

impl Repeated {
    /// The counts, and the first difference.
    pub(super) fn summary(&self) -> String {
        let verb = |count: usize, one: &'static str, more: &'static str| if count == 1 { one } else { more };
        let mut line = format!(
            "{} {} the same path, {} {}",
            count(self.same, "recorded run"),
            verb(self.same, "takes", "take"),
            self.differ,
            verb(self.differ, "differs", "differ"),
        );
        if self.accepted > 0 {
            line.push_str(&format!(", {} accepted", self.accepted));
        }
        if let Some((place, difference)) = &self.first {
            line.push_str(&format!(": first difference at {place}: {difference}"));
        }
        line.push('\n');
        line
    }
}

/// How a run differs from its recording first; `None` if it does not.
fn difference(tested: &Tested) -> Option<String> {
    match &tested.ended {
        Err(reason) => Some(reason.clone()),
        Ok(_) => tested.mismatches.first().map(|mismatch| mismatch.message.clone()),
    }
}

/// A path of a run, relative to the folder of the runs.
fn relative(folder: &Path, shown: &str) -> String {
    let path = PathBuf::from(shown);
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let inside = absolute(&path).strip_prefix(absolute(folder)).map(Path::to_owned);
    inside.unwrap_or(path).to_string_lossy().replace('\\', "/")
}

fn read(path: &Path) -> Result<Vec<Accepted>> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error).with_context(|| format!("`{}` cannot be read", path.display())),
    };
    match toml::from_str::<AcceptedFile>(&text) {
        Ok(file) => Ok(file.accepted),
        Err(error) => bail!("`{}` cannot be read: {}", path.display(), error.message()),
    }
}

fn text(accepted: Vec<Accepted>) -> Result<String> {
    Ok(format!("{HEADER}\n{}", toml::to_string(&AcceptedFile { accepted })?))
}

/// Checks the folder of the runs.
pub(super) fn check_folder(folder: &Path) -> Result<()> {
    ensure!(
        folder.is_dir(),
        "`{}` is no folder\n  help: `nodewise runs export RUN -o FOLDER/NAME.scenario.yaml` writes a run to one",
        folder.display()
    );
    Ok(())
}

//! `nodewise check --watch`: repeats the report whenever files change.
//!
//! Input: the options of `check`. Output: a report for each change, and a line on standard error with the time and the
//! counts. Invariant: a report is what `check` would print at that moment. The command ends when the reader of its
//! output is gone, or when the user stops it.

mod events;
mod kept;
mod programs;
mod stamp;

use std::collections::{BTreeMap, BTreeSet};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail};
use nodewise_analysis::settings::Pin;
use nodewise_project::config::FILE_NAME;
use nodewise_project::discovery::{self, Discovery, DiscoveryRequest};
use nodewise_project::notice::Notice;
use nodewise_project::paths;

use self::events::{Batch, Events};
use self::kept::Kept;
use super::CheckOptions;
use super::round::Round;
use crate::baseline::{self, Baselines};
use crate::outcome::Outcome;
use crate::output::{Output, complain, remark};
use crate::print::{Summary, count};
use crate::project::Judged;

/// Clears the screen and the scrollback, and moves to the start.
const CLEAR: &str = "\u{1b}[2J\u{1b}[3J\u{1b}[H";
/// Files listed in `.gitignore` are not read.
const IGNORE_FILE: &str = ".gitignore";

/// Everything that is watched.
struct Watch<'o> {
    options: &'o CheckOptions,
    forced: Option<Pin>,
    /// The current folder at the start. It may be deleted and created again.
    current: PathBuf,
    /// The paths that are checked, absolute.
    arguments: Vec<PathBuf>,
    events: Events,
    request: DiscoveryRequest,
    /// By their folders.
    projects: BTreeMap<PathBuf, Kept>,
    /// The notices of discovery.
    notices: Vec<Notice>,
    /// The baselines, and the configuration for all projects.
    extras: Vec<PathBuf>,
    /// The output files of reports.
    reports: BTreeSet<PathBuf>,
}

/// The result of reading changed files.
#[derive(Debug, Default)]
struct ReadChanges {
    /// How many files were read.
    read: usize,
    /// Whether the report may differ from the last one.
    is_news: bool,
}

/// Reports until the reader of the output is gone.
pub(super) fn run(options: &CheckOptions, forced: Option<Pin>, output: &mut Output) -> Result<Outcome> {
    let current = std::env::current_dir().context("the current folder cannot be read")?;
    let absolute = |path: &PathBuf| match path.exists() {
        true => Ok(paths::absolute(path)?),
        false => bail!("{}: no such file or folder\n  help: check the path", path.display()),
    };
    let arguments = options.paths.iter().map(absolute).collect::<Result<Vec<PathBuf>>>()?;
    let request = options.request()?;
    let reports = options.reports.files().map(|file| current.join(file)).collect();
    let mut watch = Watch {
        options,
        forced,
        current,
        arguments,
        events: Events::new()?,
        request,
        projects: BTreeMap::new(),
        notices: Vec::new(),
        extras: Vec::new(),
        reports,
    };
    let started = Instant::now();
    let read_changes = watch.look_around(&BTreeSet::new())?;
    watch.report(read_changes.read, started, output)?;
    while !output.is_closed() {
        let batch = watch.events.wait()?;
        if let Err(error) = watch.turn(&batch, output) {
            complain(&format!("error: {error:#}"));
        }
    }
    Ok(Outcome::Clean)
}

impl Watch<'_> {
    /// Handles a batch of changes, and reports if something may differ.
    fn turn(&mut self, batch: &Batch, output: &mut Output) -> Result<()> {
        let started = Instant::now();
        let read_changes = self.take(batch)?;
        if read_changes.is_news { self.report(read_changes.read, started, output) } else { Ok(()) }
    }

    /// Handles a batch of changes.
    fn take(&mut self, batch: &Batch) -> Result<ReadChanges> {
        let is_known = |path: &&PathBuf| self.projects.values().any(|project| project.knows(path));
        let paths = batch.paths.difference(&self.reports);
        let (known, others): (Vec<&PathBuf>, Vec<&PathBuf>) = paths.partition(is_known);
        let is_more = batch.is_partial || others.iter().any(|path| self.concerns(path));
        // If a file is gone, discovery has to run again.
        if is_more || !known.iter().all(|path| path.is_file()) {
            return self.look_around(&batch.paths);
        }
        let mut read_changes = ReadChanges::default();
        for project in self.projects.values_mut() {
            let read = project.read_again(&known);
            read_changes.read += read.files;
            read_changes.is_news |= read.is_news;
        }
        Ok(read_changes)
    }

    /// Whether a path that is not a file of a project may change the list of files, or the findings.
    fn concerns(&self, path: &Path) -> bool {
        let is_called = |name: &str| path.file_name().is_some_and(|found| found == name);
        let is_around = || self.wanted().any(|wanted| wanted.starts_with(path));
        is_called(FILE_NAME)
            || is_called(IGNORE_FILE)
            || discovery::is_declaration_name(path)
            || self.extras.iter().any(|extra| extra == path)
            || self.events.is_watched(path)
            || is_around()
            || path.is_dir()
    }

    /// The paths in the command line and the configurations.
    fn wanted(&self) -> impl Iterator<Item = &PathBuf> {
        self.arguments.iter().chain(&self.extras)
    }

    /// Runs discovery again, and reads files that have changed.
    fn look_around(&mut self, touched: &BTreeSet<PathBuf>) -> Result<ReadChanges> {
        let mut found = self.find()?;
        // A second round finds changes from before a folder was watched.
        while self.events.watch(self.folders(&found))? {
            found = self.find()?;
        }
        let mut read_changes = ReadChanges { read: 0, is_news: found.notices != self.notices };
        read_changes.is_news |= self.extras.iter().any(|extra| touched.contains(extra));
        self.notices = found.notices;
        let mut before = std::mem::take(&mut self.projects);
        for project in found.projects {
            let root = project.root.clone();
            let (kept, read) = match before.remove(&root) {
                Some(kept) => kept.take_over(project, self.forced, touched),
                None => Kept::new(project, self.forced),
            };
            read_changes.read += read.files;
            read_changes.is_news |= read.is_news;
            self.projects.insert(root, kept);
        }
        read_changes.is_news |= !before.is_empty();
        Ok(read_changes)
    }

    fn find(&mut self) -> Result<Discovery> {
        if std::env::current_dir().is_err() {
            std::env::set_current_dir(&self.current).ok();
        }
        let options = self.options;
        self.request = options.request()?;
        let config = options.config.as_deref();
        let mut found = discovery::find(&self.request, config)?;
        self.extras = baseline::paths(&options.baseline, config, &found.projects)?;
        for project in &mut found.projects {
            project.leave_out(|path| self.extras.contains(path) || self.reports.contains(path));
        }
        self.extras.extend(config.map(|config| self.current.join(config)));
        Ok(found)
    }

    /// The folders to watch: those with files, and those in which named paths can appear.
    fn folders(&self, found: &Discovery) -> BTreeSet<PathBuf> {
        let walked = found.projects.iter().flat_map(|project| project.folders.iter().cloned());
        let nearest = |path: &PathBuf| path.ancestors().skip(1).find(|one| one.is_dir()).map(Path::to_owned);
        walked.chain(self.wanted().filter_map(nearest)).collect()
    }

    /// Prints the current report.
    fn report(&self, read: usize, started: Instant, output: &mut Output) -> Result<()> {
        let projects = self.projects.values().map(|kept| &kept.project);
        let config = self.options.config.as_deref();
        let baselines = Baselines::open(&self.options.baseline, config, projects)?;
        if std::io::stdout().is_terminal() {
            output.write(CLEAR)?;
        }
        let mut round = Round::begin(self.options, &self.request, baselines, output)?;
        let mut notices = self.notices.clone();
        for kept in self.projects.values() {
            let mut judged = Judged::of_snapshot(&kept.project, &kept.workspace.snapshot());
            round.project(&kept.project, &mut judged, output)?;
            notices.extend(kept.unreadable());
        }
        let (_, summary) = round.end(notices, output)?;
        output.finish()?;
        remark(&status(&summary, read, started.elapsed(), SystemTime::now()));
        Ok(())
    }
}

/// The status line: the time and the counts.
fn status(summary: &Summary, read: usize, took: Duration, now: SystemTime) -> String {
    let second = now.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let clock = format!("{:02}:{:02}:{:02}", second / 3_600 % 24, second / 60 % 60, second % 60);
    format!(
        "{clock} UTC: {}, {} in {}; {} read in {} ms; waiting for changes",
        count(summary.errors, "error"),
        count(summary.warnings, "warning"),
        count(summary.extent.files, "file"),
        count(read, "file"),
        took.as_millis()
    )
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::status;
    use crate::print::Summary;
    use crate::project::Extent;

    #[test]
    fn the_status_has_the_time_of_day() {
        let summary = Summary {
            extent: Extent { files: 35, ..Extent::default() },
            errors: 1,
            warnings: 2,
            ..Summary::default()
        };
        let now = UNIX_EPOCH + Duration::from_secs(20 * 86_400 + 14 * 3_600 + 3 * 60 + 27);
        assert_eq!(
            status(&summary, 1, Duration::from_micros(4_900), now),
            "14:03:27 UTC: 1 error, 2 warnings in 35 files; 1 file read in 4 ms; waiting for changes"
        );
    }
}

//! `nodewise check --baseline`: hides findings that are listed in a file.
//!
//! Input: baseline files, checked projects. Output: the projects without listed findings, entries that no longer occur,
//! new files. Invariant: entries for files and rules outside of this run do not change.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use nodewise_analysis::diagnostic::{Diagnostic, Severity};
use nodewise_analysis::facts::FileFacts;
use nodewise_analysis::fingerprint::{Fingerprint, fingerprints, former_fingerprints};
use nodewise_analysis::rules;
use nodewise_project::baseline::{Baseline, BaselineEntry, FILE_NAME};
use nodewise_project::discovery::Project;
use nodewise_project::paths;

use crate::output::{Output, complain, remark};
use crate::print::count;
use crate::print::json::escaped;
use crate::project::{FingerprintedFinding, Judged};
use crate::screen;

/// The options of the command line for baselines.
#[derive(Args)]
#[group(skip)]
pub(crate) struct BaselineOptions {
    /// Ignore the findings that this file lists.
    ///
    /// They are not reported and do not change the exit code. The default is the `baseline` under `[check]` in each
    /// project's `nodewise.toml`.
    #[arg(long = "baseline", value_name = "FILE")]
    file: Option<PathBuf>,
    /// Write all current findings to the baseline.
    ///
    /// Prints which findings were added and removed. The file is the one of `--baseline` or of `nodewise.toml`, else
    /// `nodewise-baseline.json` in the project's folder.
    #[arg(long, conflicts_with_all = ["diff", "formats", "files"])]
    write_baseline: bool,
    /// Fail if a finding of the baseline no longer occurs.
    ///
    /// Lists these findings, and ends with 1.
    #[arg(long, conflicts_with = "write_baseline")]
    strict_baseline: bool,
    /// Ignore the configured baseline, and report all findings.
    #[arg(long, conflicts_with_all = ["file", "write_baseline", "strict_baseline"])]
    no_baseline: bool,
}

/// The baselines of a run.
#[derive(Default)]
pub(crate) struct Baselines {
    files: Vec<Listed>,
    /// The index of each project's file, by the project's folder.
    of_project: BTreeMap<PathBuf, usize>,
    has_projects: bool,
}

/// A baseline file.
struct Listed {
    place: Place,
    /// Its entries.
    baseline: Baseline,
    is_there: bool,
    /// The current findings.
    present: Vec<BaselineEntry>,
    /// The current findings that a new file would list.
    reported: Vec<BaselineEntry>,
    /// How many findings match an entry only by file and rule.
    by_rule: usize,
}

/// A finding with everything that an entry can match.
struct Name<'n> {
    path: String,
    rule: &'n str,
    fingerprint: Fingerprint,
    former: &'n [Fingerprint],
}

/// The place of a baseline.
#[derive(Debug, Clone)]
struct Place {
    path: PathBuf,
    shown: String,
    /// Whether the user named it. Otherwise it is the default place.
    is_chosen: bool,
}

/// Whether the run includes a file and a rule.
pub(crate) type IsAsked<'a> = &'a dyn Fn(&Path, &str) -> bool;

impl BaselineOptions {
    /// Whether to write the baseline.
    pub(crate) fn writes(&self) -> bool {
        self.write_baseline
    }

    /// Whether entries that no longer occur are errors.
    pub(crate) fn is_strict(&self) -> bool {
        self.strict_baseline
    }

    /// The place of a project's baseline.
    fn place(&self, project: &Project, config: Option<&Path>) -> Result<Option<Place>> {
        if self.no_baseline {
            return Ok(None);
        }
        if let Some(file) = &self.file {
            return given(file).map(Some);
        }
        let place = |folder: &Path, shown: &Path, name: &str, is_chosen| Place {
            path: normal(&folder.join(name)),
            shown: shown.join(name).to_string_lossy().into_owned(),
            is_chosen,
        };
        Ok(match (&project.config.baseline, config) {
            (Some(name), None) => Some(place(&project.root, &project.shown, name, true)),
            (Some(name), Some(config)) => {
                let folder = config.parent().unwrap_or(Path::new(""));
                let mut place = place(folder, folder, name, true);
                place.path = paths::absolute(&place.path)?;
                Some(place)
            }
            (None, _) if self.write_baseline => Some(place(&project.root, &project.shown, FILE_NAME, false)),
            (None, _) => None,
        })
    }
}

/// The places of the projects' baselines.
pub(crate) fn paths(
    options: &BaselineOptions,
    config: Option<&Path>,
    projects: &[Project],
) -> Result<Vec<PathBuf>> {
    let places = projects.iter().map(|project| options.place(project, config));
    places.filter_map(|place| place.map(|place| place.map(|place| place.path)).transpose()).collect()
}

/// The place that the command line names.
fn given(file: &Path) -> Result<Place> {
    let folder = file.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    let shown = file.to_string_lossy().into_owned();
    let name = file.file_name().with_context(|| format!("`{shown}` is not the name of a file"))?;
    let folder = paths::absolute(folder).with_context(|| format!("`{shown}` cannot be read"))?;
    Ok(Place { path: folder.join(name), shown, is_chosen: true })
}

impl Baselines {
    /// Reads the baselines of projects. `config` is the configuration of all of them, if `--config` names one.
    pub(crate) fn open<'p>(
        options: &BaselineOptions,
        config: Option<&Path>,
        projects: impl IntoIterator<Item = &'p Project>,
    ) -> Result<Baselines> {
        let mut baselines = Baselines::default();
        for project in projects {
            baselines.has_projects = true;
            let Some(place) = options.place(project, config)? else { continue };
            let known = baselines.files.iter().position(|file| file.place.path == place.path);
            let number = match known {
                Some(number) => number,
                None => {
                    baselines.files.push(Listed::open(place, options.write_baseline)?);
                    baselines.files.len() - 1
                }
            };
            baselines.of_project.insert(project.root.clone(), number);
        }
        if options.strict_baseline && baselines.files.is_empty() && baselines.has_projects {
            bail!(
                "`--strict-baseline` needs a baseline\n  \
                 help: add `--baseline FILE`, or set `baseline` under `[check]` in nodewise.toml"
            );
        }
        Ok(baselines)
    }

    /// Whether there are no baselines.
    pub(crate) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Removes listed findings, and returns how many there were.
    pub(crate) fn hold_back(&mut self, project: &Project, judged: &mut Judged, lists_hints: bool) -> usize {
        let Some(listed) = self.of_project.get(&project.root).and_then(|&at| self.files.get_mut(at)) else {
            return 0;
        };
        let (mut left, mut held) = (Vec::new(), 0);
        let all = std::mem::take(&mut judged.found);
        let entries: Vec<BaselineEntry> = all.iter().map(|found| listed.entry(judged, found)).collect();
        let names = all.iter().zip(&entries).map(|(found, entry)| Name {
            path: entry.path.clone(),
            rule: found.diagnostic.rule,
            fingerprint: found.fingerprint,
            former: &found.former,
        });
        let (standing, by_rule) = listed.standing(&names.collect::<Vec<_>>());
        listed.by_rule += by_rule;
        for ((found, entry), standing) in all.into_iter().zip(entries).zip(standing) {
            let is_held = standing.is_some();
            // The matching entry is current, even if its fingerprint is older.
            listed.present.extend(standing.map(|fingerprint| BaselineEntry { fingerprint, ..entry.clone() }));
            if is_held || lists_hints || found.diagnostic.severity != Severity::Hint {
                listed.reported.push(entry.clone());
            }
            listed.present.push(entry);
            if is_held {
                held += 1;
            } else {
                left.push(found);
            }
        }
        judged.found = left;
        held
    }

    /// The findings of a file that are not listed.
    pub(crate) fn unlisted(
        &self,
        project: &Project,
        file: &FileFacts,
        found: Vec<Diagnostic>,
    ) -> Vec<Diagnostic> {
        let Some(listed) = self.of_project.get(&project.root).and_then(|&at| self.files.get(at)) else {
            return found;
        };
        let path = listed.relative(&project.root.join(&*file.path));
        let names: Vec<Fingerprint> = fingerprints(&file.text, &found);
        let former = former_fingerprints(&file.text, &found.iter().collect::<Vec<_>>());
        let named = found.iter().zip(names.into_iter().zip(&former));
        let named = named.map(|(diagnostic, (fingerprint, former))| Name {
            path: path.clone(),
            rule: diagnostic.rule,
            fingerprint,
            former,
        });
        let (standing, _) = listed.standing(&named.collect::<Vec<_>>());
        let unlisted = found.into_iter().zip(standing).filter(|(_, standing)| standing.is_none());
        unlisted.map(|(diagnostic, _)| diagnostic).collect()
    }

    /// Reports entries that no longer occur, for files and rules that the run includes. If `is_strict`, lists each.
    /// Returns their number.
    pub(crate) fn report_stale(&self, is_strict: bool, is_asked: IsAsked<'_>) -> usize {
        let mut all = 0;
        for file in &self.files {
            file.note_its_age();
            let stale = file.stale(is_asked);
            all += stale.len();
            if stale.is_empty() {
                continue;
            }
            if is_strict {
                for BaselineEntry { path, rule, message, .. } in &stale {
                    complain(&format!("error: {path}: `{rule}` no longer occurs: {message}"));
                }
            }
            let level = if is_strict { "error" } else { "note" };
            let occur = if stale.len() == 1 { "occurs" } else { "occur" };
            let say = if is_strict { complain } else { remark };
            say(&format!(
                "{level}: {} of {} no longer {occur}\n  help: update it with `nodewise check --write-baseline`",
                count(stale.len(), "finding"),
                file.place.shown
            ));
        }
        all
    }

    /// Writes the current findings, and reports the differences.
    pub(crate) fn write(&self, is_asked: IsAsked<'_>, output: &mut Output) -> Result<()> {
        if self.files.is_empty() {
            bail!("there is no project to write a baseline for\n  help: check the paths");
        }
        for file in &self.files {
            file.write(is_asked, output)?;
        }
        Ok(())
    }
}

impl Listed {
    fn open(place: Place, may_be_missing: bool) -> Result<Listed> {
        let text = match std::fs::read_to_string(&place.path) {
            Ok(text) => Some(text),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && may_be_missing => None,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => bail!(
                "{}: no such baseline\n  help: check the path, or create it with `--write-baseline`",
                place.shown
            ),
            Err(error) => return Err(anyhow!("{}: the baseline cannot be read: {error}", place.shown)),
        };
        let baseline = text.as_deref().map_or_else(|| Ok(Baseline::default()), Baseline::read);
        let baseline = baseline.map_err(|problem| {
            let (shown, at) = (&place.shown, problem.at);
            anyhow!("{shown}:{}:{}: {}\n  help: {}", at.line, at.column, problem.reason, problem.help)
        })?;
        Ok(Listed {
            place,
            baseline,
            is_there: text.is_some(),
            present: Vec::new(),
            reported: Vec::new(),
            by_rule: 0,
        })
    }

    fn folder(&self) -> &Path {
        self.place.path.parent().unwrap_or(&self.place.path)
    }

    /// The path of a file in entries.
    fn relative(&self, path: &Path) -> String {
        paths::slashed(&paths::relative(path, self.folder()))
    }

    fn entry(&self, judged: &Judged, found: &FingerprintedFinding) -> BaselineEntry {
        BaselineEntry {
            path: judged.path(&found.diagnostic).map_or_else(String::new, |path| self.relative(path)),
            rule: found.diagnostic.rule.to_owned(),
            message: found.diagnostic.finding.message.clone(),
            fingerprint: found.fingerprint,
        }
    }

    fn is_asked(&self, entry: &BaselineEntry, is_asked: IsAsked<'_>) -> bool {
        is_asked(&normal(&self.folder().join(&entry.path)), rules::current(&entry.rule))
    }

    /// The fingerprint of the entry that matches each finding, and how many match only by file and rule. In a baseline
    /// of an earlier nodewise, a message may have changed since.
    fn standing(&self, names: &[Name<'_>]) -> (Vec<Option<Fingerprint>>, usize) {
        let find = |name: &Name<'_>| {
            let mut known = std::iter::once(&name.fingerprint).chain(name.former);
            known.find(|known| self.baseline.holds(&name.path, **known)).copied()
        };
        let mut standing: Vec<Option<Fingerprint>> = names.iter().map(find).collect();
        if !self.baseline.is_former() {
            return (standing, 0);
        }
        let taken: BTreeSet<(&str, Fingerprint)> = names
            .iter()
            .zip(&standing)
            .filter_map(|(name, standing)| Some((name.path.as_str(), (*standing)?)))
            .collect();
        let entries = self.baseline.entries();
        let mut free: BTreeMap<(&str, &str), VecDeque<Fingerprint>> = BTreeMap::new();
        for entry in entries.iter().filter(|entry| !taken.contains(&(entry.path.as_str(), entry.fingerprint)))
        {
            let place = (entry.path.as_str(), rules::current(&entry.rule));
            free.entry(place).or_default().push_back(entry.fingerprint);
        }
        let mut by_rule = 0;
        for (name, standing) in names.iter().zip(&mut standing).filter(|(_, standing)| standing.is_none()) {
            *standing = free.get_mut(&(name.path.as_str(), name.rule)).and_then(VecDeque::pop_front);
            by_rule += usize::from(standing.is_some());
        }
        (standing, by_rule)
    }

    /// Reports once that rules or their messages have changed since the file was written.
    fn note_its_age(&self) {
        let entries = self.baseline.entries();
        let former = entries.iter().find_map(|entry| Some((&entry.rule, rules::renamed(&entry.rule)?)));
        let reason = match (former, self.by_rule) {
            (Some((id, rule)), _) => rules::renamed_note(id, rule),
            (None, 0) => return,
            (None, count) => {
                format!("{} only by file and rule, because messages changed", matched(count))
            }
        };
        let shown = &self.place.shown;
        remark(&format!("note: {shown}: {reason}\n  help: renew it with `nodewise check --write-baseline`"));
    }

    /// The entries that match no finding.
    fn stale(&self, is_asked: IsAsked<'_>) -> Vec<BaselineEntry> {
        let present: Baseline = self.present.iter().cloned().collect();
        let mut stale = self.baseline.without(&present);
        stale.retain(|entry| self.is_asked(entry, is_asked));
        stale
    }

    fn write(&self, is_asked: IsAsked<'_>, output: &mut Output) -> Result<()> {
        let kept = self.baseline.entries().into_iter().filter(|entry| !self.is_asked(entry, is_asked));
        let new: Baseline = kept.chain(self.reported.iter().cloned()).collect();
        let (added, gone) = (new.without(&self.baseline), self.baseline.without(&new));
        let findings = count(new.entries().len(), "finding");
        let shown = screen::line(&self.place.shown);
        if !self.is_there && new == Baseline::default() && !self.place.is_chosen {
            return output.line(&format!("{shown}: not created, because there are no findings"));
        }
        let text = escaped(&new.text());
        let is_same = self.is_there && !self.baseline.is_former() && added.is_empty() && gone.is_empty();
        if !is_same {
            std::fs::write(&self.place.path, text).with_context(|| format!("`{shown}` cannot be written"))?;
        }
        if !self.is_there {
            output.line(&format!("{shown}: created with {findings}"))?;
            if !self.place.is_chosen {
                remark(&format!(
                    "note: {shown} is not used yet\n  \
                     help: set `baseline = \"{FILE_NAME}\"` under `[check]` in nodewise.toml, or use `--baseline`"
                ));
            }
            return Ok(());
        }
        output.line(&format!("{shown}: {findings}, {} added, {} removed", added.len(), gone.len()))?;
        for (sign, entries) in [('+', added), ('-', gone)] {
            for BaselineEntry { path, rule, message, .. } in entries {
                output.line(&screen::line(&format!("{sign} {path}: {rule}: {message}")))?;
            }
        }
        Ok(())
    }
}

/// The number of matching entries, as the subject of a sentence.
fn matched(entries: usize) -> String {
    let verb = if entries == 1 { "matches" } else { "match" };
    format!("{} {verb}", if entries == 1 { "1 entry".to_owned() } else { format!("{entries} entries") })
}

/// An absolute path without `..`, without reading the disk.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => drop(normal.pop()),
            Component::CurDir => {}
            other => normal.push(other),
        }
    }
    normal
}

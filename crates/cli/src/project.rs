//! One project, read and checked, ready to print.
//!
//! Input: a project's files, or a snapshot of them. Output: facts and diagnostics, both in load order. Invariant: the
//! number of threads changes neither the findings nor their order.

mod checking;
mod rechecking;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use nodewise_analysis::diagnostic::Diagnostic;
use nodewise_analysis::facts::{FileFacts, Ownership};
use nodewise_analysis::fingerprint::{Fingerprint, fingerprints, former_fingerprints};
use nodewise_analysis::project_rules::ActiveRule;
use nodewise_analysis::report::{ReportPlace, ReportPosition};
use nodewise_analysis::settings::Pin;
use nodewise_analysis::workspace::Snapshot;
use nodewise_model::{Origin, SourceId};
use nodewise_project::cache::{CheckCache, CheckResult, CheckedFile, DeclaredRule, KnownResult};
use nodewise_project::discovery::{FoundFile, Project, Stdin};
use nodewise_syntax::{LineIndex, TextSize};
use rayon::prelude::*;

use crate::progress::Progress;

/// A checked project.
pub(crate) struct Judged {
    printed_files: BTreeMap<SourceId, PrintedFile>,
    /// The rules that the project declares itself.
    rules: Vec<DeclaredRule>,
    /// The findings in the requested files, in output order.
    pub(crate) found: Vec<FingerprintedFinding>,
    /// The number of files and declarations.
    pub(crate) extent: Extent,
}

/// The number of files and declarations.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Extent {
    /// Files with declarations or findings.
    pub(crate) files: usize,
    pub(crate) declarations: usize,
    /// Files without a system, or without a document.
    pub(crate) skipped: usize,
}

impl Extent {
    /// Counts the requested files among those that were checked.
    fn of<'f>(
        checked: impl Iterator<Item = (&'f FoundFile, SourceId, CheckedFile)>,
        diagnostics: &[Diagnostic],
    ) -> Extent {
        let mut extent = Extent::default();
        let has_findings: BTreeSet<SourceId> = diagnostics.iter().map(|one| one.finding.at.source).collect();
        for (_, source, checked) in checked.filter(|(file, ..)| file.is_reported) {
            extent.declarations += usize::try_from(checked.declarations).unwrap_or(usize::MAX);
            match checked.is_declaration || has_findings.contains(&source) {
                true => extent.files += 1,
                false => extent.skipped += 1,
            }
        }
        extent
    }
}

/// A finding with its fingerprints.
pub(crate) struct FingerprintedFinding {
    /// The finding.
    pub(crate) diagnostic: Diagnostic,
    /// Its fingerprint, which edits elsewhere do not change.
    pub(crate) fingerprint: Fingerprint,
    /// Its fingerprints under former ids of its rule.
    pub(crate) former: Vec<Fingerprint>,
}

/// The data of a file that findings point to, for printing.
struct PrintedFile {
    path: PathBuf,
    shown: String,
    text: Arc<str>,
    lines: OnceLock<LineIndex>,
}

/// The options for a check.
pub(crate) struct Judge<'j> {
    /// The dialect from the command line.
    pub(crate) forced: Option<Pin>,
    /// The text of standard input, in place of a file.
    pub(crate) stdin: Option<&'j Stdin>,
    /// The progress bar.
    pub(crate) progress: &'j Progress,
    /// Where results of former checks are.
    pub(crate) cache: Option<&'j CheckCache>,
}

/// What reports say about a file.
fn checked(file: &FileFacts) -> CheckedFile {
    CheckedFile {
        declarations: u32::try_from(file.declarations()).unwrap_or(u32::MAX),
        is_declaration: matches!(file.ownership, Ownership::Ours(_)),
    }
}

/// What reports show of a rule that the project declares itself.
fn declared(active: &ActiveRule) -> DeclaredRule {
    let message = active.rule.message.as_ref();
    DeclaredRule {
        id: active.id,
        severity: active.severity,
        message: message.map_or_else(String::new, |message| message.value.to_string()),
        why: active.rule.why.as_ref().map(ToString::to_string),
    }
}

impl PrintedFile {
    fn new(project: &Project, file: &FoundFile, text: Arc<str>) -> PrintedFile {
        let shown = project.shown_path(file);
        PrintedFile { path: file.path(), shown, text, lines: OnceLock::new() }
    }
}

impl Judged {
    /// A project at one moment. Only parts that are not checked yet are checked.
    pub(crate) fn of_snapshot(project: &Project, snapshot: &Snapshot) -> Judged {
        let facts = |file: &FoundFile| snapshot.files().at_path(&file.relative);
        let reported = project.files.par_iter().filter(|file| file.is_reported).filter_map(facts);
        let diagnostics: Vec<Diagnostic> =
            reported.flat_map_iter(|file| snapshot.diagnostics(file.source)).collect();
        let pointed_to: BTreeSet<SourceId> = diagnostics.iter().flat_map(Diagnostic::sources).collect();
        let printed_file = |file: &FoundFile| {
            let facts = facts(file).filter(|facts| pointed_to.contains(&facts.source))?;
            Some((facts.source, PrintedFile::new(project, file, Arc::clone(facts.text.shared()))))
        };
        let printed_files = project.files.iter().filter_map(printed_file).collect();
        let files = project.files.iter().filter_map(|file| Some((file, facts(file)?)));
        let extent =
            Extent::of(files.map(|(file, facts)| (file, facts.source, checked(facts))), &diagnostics);
        let rules = snapshot.index().project_rules().iter().map(declared).collect();
        Judged::new(printed_files, rules, extent, diagnostics)
    }

    /// A project whose check has that result, with the texts of the files that findings point to.
    fn of_result(project: &Project, known: KnownResult) -> Judged {
        let KnownResult { result: CheckResult { files, mut diagnostics, rules }, texts } = known;
        let file = |source: SourceId| project.files.get(usize::try_from(source.0).ok()?);
        diagnostics
            .retain(|diagnostic| file(diagnostic.finding.at.source).is_some_and(|file| file.is_reported));
        let checked = (0..).map(SourceId).zip(project.files.iter().zip(files));
        let checked = checked.filter_map(|(source, (file, checked))| Some((file, source, checked?)));
        let extent = Extent::of(checked, &diagnostics);
        let printed_file = |(source, text)| Some((source, PrintedFile::new(project, file(source)?, text)));
        Judged::new(texts.into_iter().filter_map(printed_file).collect(), rules, extent, diagnostics)
    }

    fn new(
        printed_files: BTreeMap<SourceId, PrintedFile>,
        rules: Vec<DeclaredRule>,
        extent: Extent,
        diagnostics: Vec<Diagnostic>,
    ) -> Judged {
        let found = named(&printed_files, diagnostics);
        Judged { printed_files, rules, found, extent }
    }

    /// The place of an origin.
    pub(crate) fn place(&self, origin: Origin) -> Option<ReportPlace<'_>> {
        let (printed_file, lines) = self.lines(origin.source)?;
        let position =
            |offset: TextSize| ReportPosition { at: lines.line_col(offset), offset: offset.into() };
        let (start, end) = (position(origin.range.start()), position(origin.range.end()));
        Some(ReportPlace { path: &printed_file.shown, start, end })
    }

    /// The rule of that id that the project declares itself.
    pub(crate) fn project_rule(&self, id: &str) -> Option<&DeclaredRule> {
        self.rules.iter().find(|rule| rule.id == id)
    }

    /// The path of the file with a finding.
    pub(crate) fn path(&self, diagnostic: &Diagnostic) -> Option<&Path> {
        self.printed_files.get(&diagnostic.finding.at.source).map(|printed_file| printed_file.path.as_path())
    }

    /// The text of a file, and its lines.
    pub(crate) fn text(&self, source: SourceId) -> Option<(&str, &LineIndex)> {
        let (printed_file, lines) = self.lines(source)?;
        Some((&printed_file.text, lines))
    }

    fn lines(&self, source: SourceId) -> Option<(&PrintedFile, &LineIndex)> {
        let printed_file = self.printed_files.get(&source)?;
        Some((printed_file, printed_file.lines.get_or_init(|| LineIndex::new(&printed_file.text))))
    }
}

/// Findings in output order, with their fingerprints.
fn named(
    printed_files: &BTreeMap<SourceId, PrintedFile>,
    diagnostics: Vec<Diagnostic>,
) -> Vec<FingerprintedFinding> {
    let of_file = |one: &Diagnostic, other: &Diagnostic| one.finding.at.source == other.finding.at.source;
    let names: Vec<(Fingerprint, Vec<Fingerprint>)> = diagnostics
        .chunk_by(of_file)
        .flat_map(|found| {
            let printed_file = found.first().and_then(|first| printed_files.get(&first.finding.at.source));
            let text = printed_file.map_or("", |printed_file| &printed_file.text);
            let former = former_fingerprints(text, &found.iter().collect::<Vec<_>>());
            fingerprints(text, found).into_iter().zip(former)
        })
        .collect();
    let found = diagnostics.into_iter().zip(names);
    found
        .map(|(diagnostic, (fingerprint, former))| FingerprintedFinding { diagnostic, fingerprint, former })
        .collect()
}

//! One project, read and checked, ready to print.
//!
//! Input: a project's files, or a snapshot of them. Output: facts and diagnostics, both in load order. Invariant: the
//! number of threads changes neither the findings nor their order.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use nodewise_analysis::check;
use nodewise_analysis::diagnostic::Diagnostic;
use nodewise_analysis::facts::{FileFacts, Ownership};
use nodewise_analysis::files::Files;
use nodewise_analysis::fingerprint::{Fingerprint, fingerprints, former_fingerprints};
use nodewise_analysis::index::Index;
use nodewise_analysis::project_rules::ActiveRule;
use nodewise_analysis::report::{ReportPlace, ReportPosition};
use nodewise_analysis::settings::Pin;
use nodewise_analysis::workspace::{ModuleTexts, Snapshot};
use nodewise_model::{Origin, SourceId};
use nodewise_project::cache::{
    self, CheckCache, CheckInputs, CheckKey, CheckResult, CheckTime, CheckedFile, DeclaredRule, FileStamp,
    KnownResult, ReadText, StampedProgram,
};
use nodewise_project::discovery::{FoundFile, Project, Stdin};
use nodewise_project::notice::Notice;
use nodewise_project::reading::{self, Unreadable};
use nodewise_project::settings::SettingsOf;
use nodewise_syntax::{LineIndex, TextSize};
use rayon::prelude::*;
use tracing::info_span;

use crate::progress::Progress;
use crate::undeclared_rules;
use crate::workspace::{registered, without_other_modules, without_text};

/// A checked project.
pub(crate) struct Judged {
    faces: BTreeMap<SourceId, Face>,
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
    /// The declarations in them.
    pub(crate) declarations: usize,
    /// Files without a system, or without a document.
    pub(crate) skipped: usize,
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

/// The data of a file for printing.
struct Face {
    path: PathBuf,
    shown: String,
    is_reported: bool,
    /// Its text; `None` if the findings are those of a former check, and none of them points to the file.
    text: Option<Arc<str>>,
    checked: CheckedFile,
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

/// The files of a project that can be read.
struct ReadFiles<'p> {
    /// Those to check.
    found: Vec<&'p FoundFile>,
    texts: Vec<Arc<str>>,
    /// For each file of the project, how it was; `None` if a file cannot be read.
    stamps: Option<Vec<FileStamp>>,
}

/// What a check came to.
struct Checked {
    result: CheckResult,
    /// The programs that were read for it, if it needed any.
    programs: Option<Vec<StampedProgram>>,
    /// The notices about the project as a whole.
    notices: Vec<Notice>,
}

impl Judge<'_> {
    /// Checks a project, unless the result of a former check still holds. Files that cannot be read become notices.
    pub(crate) fn project(&self, project: &Project, notices: &mut Vec<Notice>) -> Judged {
        // Nothing says whether standard input is the same as before.
        let cache = self.cache.filter(|_| self.stdin.is_none());
        let key = cache
            .and_then(|_| CheckKey::of(project, env!("CARGO_PKG_VERSION"), &format!("{:?}", self.forced)));
        let cache = cache.zip(key);
        if let Some(known) = cache.as_ref().and_then(|(cache, key)| cache.find(key, project)) {
            return Judged::of_result(project, known);
        }
        let began = CheckTime::now();
        let before = notices.len();
        let read = self.read(project, notices);
        let is_whole = notices.len() == before;
        let Checked { result, programs, notices: said } = self.check(project, &read);
        // What a notice says must be said again by the next check.
        if let (Some((cache, key)), Some(files), true) = (&cache, &read.stamps, said.is_empty()) {
            cache.keep(key, project, CheckInputs { began, files, programs: programs.as_deref() }, &result);
        }
        // A file that cannot be read may declare any rule.
        if is_whole {
            notices.extend(said);
        }
        let texts = (0..).map(source_id).zip(read.texts).collect();
        Judged::of_result(project, KnownResult { result, texts })
    }

    fn check(&self, project: &Project, read: &ReadFiles<'_>) -> Checked {
        let ReadFiles { found, texts, .. } = read;
        let mut settings = SettingsOf::new(project.config.clone(), self.forced).with_named(&project.files);
        let settings: Vec<_> = found.iter().map(|file| settings.file(&file.relative)).collect();
        self.progress.stage("checking", found.len() * 2);
        let entered = info_span!("parse files", files = found.len()).entered();
        let modules = found.iter().map(|file| file.relative.as_str()).zip(texts).collect::<ModuleTexts<'_>>();
        let facts: Vec<FileFacts> = (texts, found, settings)
            .into_par_iter()
            .enumerate()
            .map(|(position, (text, file, settings))| {
                let (source, text) = (source_id(position), Arc::clone(text));
                let facts = FileFacts::read(source, file.relative.clone(), text, settings, false, &modules);
                self.progress.step();
                facts
            })
            .collect();
        let files: Files = facts.into_iter().collect();
        drop(entered);
        let notices = undeclared_rules::notices(project, &files);
        let index = info_span!("index files").in_scope(|| Index::build(&files));
        let (index, programs) = match index.lacks_registrations(&files) {
            true => {
                let (names, programs) = registered(project);
                (index.with_registered(names), Some(programs))
            }
            false => (index, None),
        };
        let entered = info_span!("judge files").entered();
        let all: Vec<&Arc<FileFacts>> = files.iter().collect();
        let judged: Vec<Vec<Diagnostic>> = all
            .par_iter()
            .map(|file| {
                let diagnostics = check::judge(&files, &index, file);
                self.progress.step();
                diagnostics
            })
            .collect();
        drop(entered);
        let diagnostics = check::finish(&files, judged.into_iter().flatten().collect());
        let mut checked = files.iter().map(|file| checked(file));
        let mut found = found.iter().peekable();
        let of_file =
            |file: &FoundFile| found.next_if(|next| std::ptr::eq(**next, file)).and_then(|_| checked.next());
        let result = CheckResult {
            files: project.files.iter().map(of_file).collect(),
            diagnostics,
            rules: index.project_rules().iter().map(declared).collect(),
        };
        // The process ends after printing. Dropping every file's facts before that takes time and has no use.
        std::mem::forget((files, index));
        Checked { result, programs, notices }
    }

    /// The files that can be read, with their texts.
    fn read<'p>(&self, project: &'p Project, notices: &mut Vec<Notice>) -> ReadFiles<'p> {
        self.progress.stage("reading", project.files.len());
        let _entered = info_span!("read files", files = project.files.len()).entered();
        let texts: Vec<Result<ReadText, Unreadable>> = project
            .files
            .par_iter()
            .map(|file| {
                let text = self.text(&file.path, project.config.size_max);
                self.progress.step();
                text
            })
            .collect();
        let stamps = texts.iter().map(|text| text.as_ref().ok().and_then(|read| read.stamp)).collect();
        let mut readable = Vec::with_capacity(texts.len());
        for (file, text) in project.files.iter().zip(texts) {
            match text {
                Ok(read) => readable.push((file, read.text)),
                Err(unreadable) => notices.push(without_text(project, file, unreadable)),
            }
        }
        let (found, texts) = without_other_modules(readable).into_iter().unzip();
        ReadFiles { found, texts, stamps }
    }

    fn text(&self, path: &Path, size_max: u64) -> Result<ReadText, Unreadable> {
        let text = match self.stdin {
            Some(stdin) if stdin.path == path => reading::text(&stdin.bytes),
            _ if self.cache.is_some() => return cache::read(path, size_max),
            _ => reading::read(path, size_max),
        };
        text.map(|text| ReadText { text, stamp: None })
    }
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

impl Face {
    fn new(project: &Project, file: &FoundFile, checked: CheckedFile, text: Option<Arc<str>>) -> Face {
        Face {
            path: file.path.clone(),
            shown: project.shown_path(file),
            is_reported: file.is_reported,
            text,
            checked,
            lines: OnceLock::new(),
        }
    }
}

impl Judged {
    /// A project at one moment. Only parts that are not checked yet are checked.
    pub(crate) fn of_snapshot(project: &Project, snapshot: &Snapshot) -> Judged {
        let face = |file: &FoundFile| {
            let source = snapshot.source(&file.relative)?;
            let facts = snapshot.files().get(source)?;
            Some((source, Face::new(project, file, checked(facts), Some(Arc::clone(&facts.text)))))
        };
        let faces: BTreeMap<SourceId, Face> = project.files.iter().filter_map(face).collect();
        let reported: Vec<SourceId> =
            faces.iter().filter(|(_, face)| face.is_reported).map(|(source, _)| *source).collect();
        let diagnostics = reported.par_iter().flat_map_iter(|source| snapshot.diagnostics(*source)).collect();
        let rules = snapshot.index().project_rules().iter().map(declared).collect();
        Judged::new(faces, rules, diagnostics)
    }

    /// A project whose check has that result, with the texts of at least those files that findings point to.
    fn of_result(project: &Project, known: KnownResult) -> Judged {
        let KnownResult { result: CheckResult { files, mut diagnostics, rules }, mut texts } = known;
        let checked = project.files.iter().zip(files).filter_map(|(file, checked)| Some((file, checked?)));
        let face = |(number, (file, checked))| {
            let source = source_id(number);
            (source, Face::new(project, file, checked, texts.remove(&source)))
        };
        let faces: BTreeMap<SourceId, Face> = checked.enumerate().map(face).collect();
        diagnostics.retain(|diagnostic| {
            faces.get(&diagnostic.finding.at.source).is_some_and(|face| face.is_reported)
        });
        Judged::new(faces, rules, diagnostics)
    }

    fn new(
        faces: BTreeMap<SourceId, Face>,
        rules: Vec<DeclaredRule>,
        diagnostics: Vec<Diagnostic>,
    ) -> Judged {
        let mut extent = Extent::default();
        let has_findings: BTreeSet<SourceId> = diagnostics.iter().map(|one| one.finding.at.source).collect();
        for (source, face) in faces.iter().filter(|(_, face)| face.is_reported) {
            extent.declarations += usize::try_from(face.checked.declarations).unwrap_or(usize::MAX);
            match face.checked.is_declaration || has_findings.contains(source) {
                true => extent.files += 1,
                false => extent.skipped += 1,
            }
        }
        let found = named(&faces, diagnostics);
        Judged { faces, rules, found, extent }
    }

    /// The place of an origin.
    pub(crate) fn place(&self, origin: Origin) -> Option<ReportPlace<'_>> {
        let (face, lines) = self.lines(origin.source)?;
        let position =
            |offset: TextSize| ReportPosition { at: lines.line_col(offset), offset: offset.into() };
        let (start, end) = (position(origin.range.start()), position(origin.range.end()));
        Some(ReportPlace { path: &face.shown, start, end })
    }

    /// The rule of that id that the project declares itself.
    pub(crate) fn project_rule(&self, id: &str) -> Option<&DeclaredRule> {
        self.rules.iter().find(|rule| rule.id == id)
    }

    /// The path of the file with a finding.
    pub(crate) fn path(&self, diagnostic: &Diagnostic) -> Option<&Path> {
        self.faces.get(&diagnostic.finding.at.source).map(|face| face.path.as_path())
    }

    /// The text of a file, and its lines.
    pub(crate) fn text(&self, source: SourceId) -> Option<(&str, &LineIndex)> {
        let (face, lines) = self.lines(source)?;
        Some((face.text.as_deref()?, lines))
    }

    fn lines(&self, source: SourceId) -> Option<(&Face, &LineIndex)> {
        let face = self.faces.get(&source)?;
        let text = face.text.as_deref()?;
        Some((face, face.lines.get_or_init(|| LineIndex::new(text))))
    }
}

/// Findings in output order, with their fingerprints.
fn named(faces: &BTreeMap<SourceId, Face>, diagnostics: Vec<Diagnostic>) -> Vec<FingerprintedFinding> {
    let of_file = |one: &Diagnostic, other: &Diagnostic| one.finding.at.source == other.finding.at.source;
    let names: Vec<(Fingerprint, Vec<Fingerprint>)> = diagnostics
        .chunk_by(of_file)
        .flat_map(|found| {
            let face = found.first().and_then(|first| faces.get(&first.finding.at.source));
            let text = face.and_then(|face| face.text.as_deref()).unwrap_or_default();
            let former = former_fingerprints(text, &found.iter().collect::<Vec<_>>());
            fingerprints(text, found).into_iter().zip(former)
        })
        .collect();
    let found = diagnostics.into_iter().zip(names);
    found
        .map(|(diagnostic, (fingerprint, former))| FingerprintedFinding { diagnostic, fingerprint, former })
        .collect()
}

fn source_id(position: usize) -> SourceId {
    SourceId(u32::try_from(position).unwrap_or(u32::MAX))
}

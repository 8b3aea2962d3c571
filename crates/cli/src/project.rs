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
use nodewise_project::discovery::{FoundFile, Project, Stdin};
use nodewise_project::notice::Notice;
use nodewise_project::reading::{self, Unreadable};
use nodewise_project::settings::SettingsOf;
use nodewise_syntax::{LineIndex, TextSize};
use rayon::prelude::*;
use tracing::info_span;

use crate::progress::Progress;
use crate::workspace::{without_other_modules, without_text};

/// A checked project.
pub(crate) struct Judged {
    files: Files,
    faces: BTreeMap<SourceId, Face>,
    /// The rules that the project declares itself.
    rules: Vec<ActiveRule>,
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
}

impl Judge<'_> {
    /// Checks a project. Files that cannot be read become notices.
    pub(crate) fn project(&self, project: &Project, notices: &mut Vec<Notice>) -> Judged {
        let (found, texts) = self.read(project, notices);
        let mut settings = SettingsOf::new(project.config.clone(), self.forced).with_named(&project.files);
        let settings: Vec<_> = found.iter().map(|file| settings.file(&file.relative)).collect();
        self.progress.stage("checking", found.len() * 2);
        let entered = info_span!("parse files", files = found.len()).entered();
        let modules =
            found.iter().map(|file| file.relative.as_str()).zip(&texts).collect::<ModuleTexts<'_>>();
        let facts: Vec<FileFacts> = (&texts, &found, settings)
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
        let index = info_span!("index files").in_scope(|| Index::build(&files));
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
        let mut diagnostics = check::finish(&files, judged.into_iter().flatten().collect());
        let faces =
            found.iter().enumerate().map(|(number, file)| (source_id(number), Face::new(project, file)));
        let faces: BTreeMap<SourceId, Face> = faces.collect();
        diagnostics.retain(|diagnostic| {
            faces.get(&diagnostic.finding.at.source).is_some_and(|face| face.is_reported)
        });
        let rules = index.project_rules().to_vec();
        // The process ends after printing. Dropping the index before that takes time and has no use.
        std::mem::forget(index);
        Judged::new(files, faces, rules, diagnostics)
    }

    /// The files that can be read, with their texts.
    fn read<'p>(
        &self,
        project: &'p Project,
        notices: &mut Vec<Notice>,
    ) -> (Vec<&'p FoundFile>, Vec<Arc<str>>) {
        self.progress.stage("reading", project.files.len());
        let _entered = info_span!("read files", files = project.files.len()).entered();
        let texts: Vec<Result<Arc<str>, Unreadable>> = project
            .files
            .par_iter()
            .map(|file| {
                let text = self.text(&file.path, project.config.size_max);
                self.progress.step();
                text
            })
            .collect();
        let mut readable = Vec::with_capacity(texts.len());
        for (file, text) in project.files.iter().zip(texts) {
            match text {
                Ok(text) => readable.push((file, text)),
                Err(unreadable) => notices.push(without_text(project, file, unreadable)),
            }
        }
        without_other_modules(readable).into_iter().unzip()
    }

    fn text(&self, path: &Path, size_max: u64) -> Result<Arc<str>, Unreadable> {
        match self.stdin {
            Some(stdin) if stdin.path == path => reading::text(&stdin.bytes),
            _ => reading::read(path, size_max),
        }
    }
}

impl Face {
    fn new(project: &Project, file: &FoundFile) -> Face {
        Face {
            path: file.path.clone(),
            shown: project.shown_path(file),
            is_reported: file.is_reported,
            lines: OnceLock::new(),
        }
    }
}

impl Judged {
    /// A project at one moment. Only parts that are not checked yet are checked.
    pub(crate) fn of_snapshot(project: &Project, snapshot: &Snapshot) -> Judged {
        let face = |file: &FoundFile| Some((snapshot.source(&file.relative)?, Face::new(project, file)));
        let faces: BTreeMap<SourceId, Face> = project.files.iter().filter_map(face).collect();
        let reported: Vec<SourceId> =
            faces.iter().filter(|(_, face)| face.is_reported).map(|(source, _)| *source).collect();
        let diagnostics = reported.par_iter().flat_map_iter(|source| snapshot.diagnostics(*source)).collect();
        let rules = snapshot.index().project_rules().to_vec();
        Judged::new(snapshot.files().clone(), faces, rules, diagnostics)
    }

    fn new(
        files: Files,
        faces: BTreeMap<SourceId, Face>,
        rules: Vec<ActiveRule>,
        diagnostics: Vec<Diagnostic>,
    ) -> Judged {
        let mut extent = Extent::default();
        let has_findings: BTreeSet<SourceId> = diagnostics.iter().map(|one| one.finding.at.source).collect();
        for file in files.iter().filter(|file| faces.get(&file.source).is_some_and(|face| face.is_reported)) {
            extent.declarations += file.declarations();
            match matches!(file.ownership, Ownership::Ours(_)) || has_findings.contains(&file.source) {
                true => extent.files += 1,
                false => extent.skipped += 1,
            }
        }
        let found = named(&files, diagnostics);
        Judged { files, faces, rules, found, extent }
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
    pub(crate) fn project_rule(&self, id: &str) -> Option<&ActiveRule> {
        self.rules.iter().find(|rule| rule.id == id)
    }

    /// The path of the file with a finding.
    pub(crate) fn path(&self, diagnostic: &Diagnostic) -> Option<&Path> {
        self.faces.get(&diagnostic.finding.at.source).map(|face| face.path.as_path())
    }

    /// The text of a file, and its lines.
    pub(crate) fn text(&self, source: SourceId) -> Option<(&str, &LineIndex)> {
        let file = self.files.get(source)?;
        let (_, lines) = self.lines(source)?;
        Some((&file.text, lines))
    }

    fn lines(&self, source: SourceId) -> Option<(&Face, &LineIndex)> {
        let (file, face) = (self.files.get(source)?, self.faces.get(&source)?);
        Some((face, face.lines.get_or_init(|| LineIndex::new(&file.text))))
    }
}

/// Findings in output order, with their fingerprints.
fn named(files: &Files, diagnostics: Vec<Diagnostic>) -> Vec<FingerprintedFinding> {
    let of_file = |one: &Diagnostic, other: &Diagnostic| one.finding.at.source == other.finding.at.source;
    let names: Vec<(Fingerprint, Vec<Fingerprint>)> = diagnostics
        .chunk_by(of_file)
        .flat_map(|found| {
            let file = found.first().and_then(|first| files.get(first.finding.at.source));
            let text = file.map_or("", |file| &file.text);
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

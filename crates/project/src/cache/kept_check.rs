//! What a check knew of each file, kept on disk, so that the next one checks only what changed, and what depends on it.
//!
//! Input: the files of a project, with what the rules had for them. Output: the same, later. Invariant: what is damaged, or of
//! another program or configuration, is never used.
//!
//! The file has three parts for some thousand files each: what is known of them in JSON, the keys of what the rules looked up,
//! and what they found. The part before these is about the whole check.

use std::borrow::Cow;
use std::sync::Arc;

use nodewise_analysis::diagnostic::Diagnostic;
use nodewise_analysis::facts::FileFacts;
use nodewise_analysis::workspace::KeptJudgement;
use nodewise_model::SourceId;
use nodewise_platform::threads::prelude::*;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;
use tracing::{debug, info_span};

use super::entry::{DiagnosticEntry, RawDiagnosticEntry};
use super::known_files::{Kinds, KnownLinks, LinkRow, Names};
use super::parts::{self, PartsWriter, WrittenPart};
use super::stamp::{CheckTime, FileStamp};
use super::{CheckCache, CheckInputs, CheckKey, CheckedFile, StampedProgram};
use crate::discovery::{FoundFile, Project};

/// The number of files in one part of the stored check.
const PART: usize = 2_048;
/// The size of a stored key in bytes.
const KEY: usize = size_of::<u32>();

/// What an earlier check found out about a project.
#[derive(Debug)]
pub struct KeptCheck {
    /// A moment before the first file was read.
    pub began: CheckTime,
    /// The files, in load order.
    pub files: Vec<KeptFile>,
    /// The Python files, if the check needed what they register.
    pub programs: Option<Vec<StampedProgram>>,
    /// The findings, in output order.
    pub diagnostics: Vec<Diagnostic>,
}

/// What an earlier check found out about a file.
#[derive(Debug)]
pub struct KeptFile {
    /// The path relative to the project.
    pub path: Arc<str>,
    /// See [`FoundFile::is_named`].
    pub is_named: bool,
    pub stamp: FileStamp,
    /// What reports say about it, and the results of the rules. `None` for a module without a graph.
    pub checked: Option<(CheckedFile, JudgedFile)>,
}

/// The results of the rules for a file.
#[derive(Debug)]
pub struct JudgedFile {
    /// The number of the file in findings.
    pub source: SourceId,
    /// Its links to other files, if they say enough to know the file without its text.
    pub links: Option<KnownLinks>,
    /// What the rules found, and what that depends on.
    pub judgement: KeptJudgement,
}

/// The results of the rules for a file, in their stored form.
#[derive(Debug)]
pub struct WrittenJudgement {
    keys: Box<[u32]>,
    questions: Box<[u32]>,
    findings: Box<[u8]>,
}

/// What is stored once for the whole check.
#[derive(Serialize, Deserialize)]
struct Whole<'w> {
    began: CheckTime,
    programs: Option<Vec<StampedProgram>>,
    #[serde(borrow)]
    diagnostics: Vec<DiagnosticEntry<'w>>,
}

/// What is stored for some of the files.
#[derive(Default, Serialize, Deserialize)]
struct Part<'p> {
    /// The names that occur in these files, each once.
    #[serde(borrow)]
    names: Vec<Cow<'p, str>>,
    #[serde(borrow)]
    files: Vec<Row<'p>>,
}

/// A file as it is stored, an array without member names: its path, whether it is named, its stamp, the results of the
/// rules.
#[derive(Serialize, Deserialize)]
struct Row<'p>(#[serde(borrow)] Cow<'p, str>, bool, FileStamp, Option<JudgedRow>);

/// In this order: the number of declarations and whether there is a system, the number of the file, its links, how many
/// keys and bytes of findings it has, and the questions.
#[derive(Serialize, Deserialize)]
struct JudgedRow((u32, bool), u32, Option<LinkRow>, (usize, usize), Vec<u32>);

impl WrittenJudgement {
    /// The stored form of a judgement, and its findings.
    #[must_use]
    pub fn of(judgement: KeptJudgement) -> (WrittenJudgement, Vec<Diagnostic>) {
        let KeptJudgement { findings, keys, questions } = judgement;
        let written = match findings.is_empty() {
            true => Vec::new(),
            false => {
                let entries: Vec<RawDiagnosticEntry<'_>> =
                    findings.iter().map(RawDiagnosticEntry::of).collect();
                serde_json::to_vec(&entries).unwrap_or_default()
            }
        };
        (WrittenJudgement { keys, questions, findings: written.into() }, findings)
    }
}

impl CheckCache {
    /// What the last check of all files found out. `None` if nothing valid is stored.
    #[must_use]
    pub fn kept_check(&self, key: &CheckKey) -> Option<KeptCheck> {
        let _entered = info_span!("look for what was known").entered();
        let key = key.of_files();
        let bytes = std::fs::read(self.folder().join(&key.name)).ok()?;
        let Some(parts) = parts::read(&bytes, key.basis) else {
            debug!(name = key.name, "what was known is of another program or configuration, or damaged");
            return None;
        };
        let (whole, parts) = parts.split_first()?;
        let Whole { began, programs, diagnostics } = serde_json::from_slice(whole.bytes()?).ok()?;
        let diagnostics = diagnostics.iter().map(DiagnosticEntry::diagnostic).collect::<Option<_>>()?;
        let kinds = Kinds::all();
        let read = |three: &[parts::Part<'_>]| match three {
            [files, keys, findings] => files_of(files.bytes()?, keys.bytes()?, findings.bytes()?, &kinds),
            _ => None,
        };
        let parts: Vec<&[parts::Part<'_>]> = parts.chunks(3).collect();
        let files: Option<Vec<Vec<KeptFile>>> = parts.into_par_iter().map(read).collect();
        Some(KeptCheck { began, files: files?.into_iter().flatten().collect(), programs, diagnostics })
    }

    /// Stores what a check found out about all files. For each file of the project, `judged` has its facts and the results
    /// of the rules, or `None` for a module without a graph.
    pub fn keep_check(
        &self,
        key: &CheckKey,
        project: &Project,
        inputs: CheckInputs<'_>,
        judged: &[Option<(&FileFacts, CheckedFile, WrittenJudgement)>],
        diagnostics: &[Diagnostic],
    ) {
        let _entered = info_span!("keep what is known").entered();
        if inputs.files.len() != project.files.len() || judged.len() != project.files.len() {
            return;
        }
        let key = key.of_files();
        let diagnostics = diagnostics.iter().map(DiagnosticEntry::of).collect();
        let programs = inputs.programs.map(<[StampedProgram]>::to_vec);
        let whole = Whole { began: inputs.began, programs, diagnostics };
        let kinds = Kinds::all();
        let files: Vec<_> = project.files.iter().zip(inputs.files).zip(judged).collect();
        let chunks: Vec<&[FileToKeep<'_>]> = files.chunks(PART).collect();
        self.write_with(&key, |file| {
            let mut writer = PartsWriter::new(file, key.basis);
            writer.add(&serde_json::to_vec(&whole)?.into())?;
            for chunks in chunks.chunks(parts::TOGETHER) {
                let written = chunks.to_vec().into_par_iter().map(|files| parts_of(files, &kinds));
                let written: Vec<[WrittenPart; 3]> = written.collect();
                written.iter().flatten().try_for_each(|part| writer.add(part))?;
            }
            writer.end()
        });
    }

    /// Stores the new stamps of files and programs whose text has not changed, so that the next check need not read them.
    /// `same` has the files by their paths.
    pub fn keep_times(
        &self,
        key: &CheckKey,
        began: CheckTime,
        same: &FxHashMap<&str, FileStamp>,
        programs: Option<&[StampedProgram]>,
    ) {
        let _entered = info_span!("keep new times").entered();
        let key = key.of_files();
        let Ok(bytes) = std::fs::read(self.folder().join(&key.name)) else { return };
        let renewed = parts::read(&bytes, key.basis).and_then(|parts| {
            let (whole, parts) = parts.split_first()?;
            let whole: Whole<'_> = serde_json::from_slice(whole.bytes()?).ok()?;
            let programs = programs.map(<[StampedProgram]>::to_vec).or(whole.programs);
            let whole = serde_json::to_vec(&Whole { began, programs, ..whole }).ok()?;
            let renew = |(number, part): (usize, &parts::Part<'_>)| match number % 3 {
                0 => with_times(part.bytes()?, same),
                _ => part.bytes().map(<[u8]>::to_vec),
            };
            let parts = parts.par_iter().enumerate().map(renew).map(|part| part.map(WrittenPart::from));
            let parts: Vec<WrittenPart> = parts.collect::<Option<_>>()?;
            Some((WrittenPart::from(whole), parts))
        });
        let Some((whole, parts)) = renewed else { return };
        self.write_with(&key, |file| {
            let mut writer = PartsWriter::new(file, key.basis);
            std::iter::once(&whole).chain(&parts).try_for_each(|part| writer.add(part))?;
            writer.end()
        });
    }
}

/// A stored part, with the new stamps of the files whose text has not changed.
fn with_times(part: &[u8], same: &FxHashMap<&str, FileStamp>) -> Option<Vec<u8>> {
    let mut part: Part<'_> = serde_json::from_slice(part).ok()?;
    for Row(path, _, stamp, _) in &mut part.files {
        if let Some(new) = same.get(path.as_ref()).filter(|new| new.hash == stamp.hash) {
            *stamp = *new;
        }
    }
    serde_json::to_vec(&part).ok()
}

/// A file of a project with its stamp, and the results of the rules for it.
type FileToKeep<'k> =
    ((&'k FoundFile, &'k FileStamp), &'k Option<(&'k FileFacts, CheckedFile, WrittenJudgement)>);

fn parts_of(files: &[FileToKeep<'_>], kinds: &Kinds) -> [WrittenPart; 3] {
    let mut names = Names::default();
    let (mut all_keys, mut all_findings) = (Vec::new(), Vec::new());
    let mut rows = Vec::with_capacity(files.len());
    for ((file, stamp), judged) in files {
        let judged = judged.as_ref().map(|(facts, checked, judgement)| {
            let WrittenJudgement { keys, questions, findings } = judgement;
            all_keys.extend(keys.iter().flat_map(|key| key.to_le_bytes()));
            all_findings.extend_from_slice(findings);
            let links = LinkRow::of(facts, kinds, &mut names);
            let checked = (checked.declarations, checked.is_declaration);
            JudgedRow(checked, facts.source.0, links, (keys.len(), findings.len()), questions.to_vec())
        });
        rows.push(Row(Cow::Borrowed(&*file.relative), file.is_named, **stamp, judged));
    }
    let part = Part { names: names.all, files: rows };
    [serde_json::to_vec(&part).unwrap_or_default(), all_keys, all_findings].map(WrittenPart::from)
}

/// Reads the files from three parts. `None` if the parts contain something that this program does not write.
fn files_of(files: &[u8], mut keys: &[u8], mut findings: &[u8], kinds: &Kinds) -> Option<Vec<KeptFile>> {
    let part: Part<'_> = serde_json::from_slice(files).ok()?;
    let names: Vec<SmolStr> = part.names.iter().map(SmolStr::new).collect();
    let file = |Row(path, is_named, stamp, judged): Row<'_>| {
        let checked = match judged {
            Some(row) => Some(judged_file(row, (&mut keys, &mut findings), &names, kinds)?),
            None => None,
        };
        Some(KeptFile { path: path.into(), is_named, stamp, checked })
    };
    part.files.into_iter().map(file).collect()
}

fn judged_file(
    row: JudgedRow,
    (keys, findings): (&mut &[u8], &mut &[u8]),
    names: &[SmolStr],
    kinds: &Kinds,
) -> Option<(CheckedFile, JudgedFile)> {
    let JudgedRow((declarations, is_declaration), source, links, (key_count, findings_len), questions) = row;
    let (own_keys, rest) = keys.split_at_checked(key_count.checked_mul(KEY)?)?;
    *keys = rest;
    let (own_findings, rest) = findings.split_at_checked(findings_len)?;
    *findings = rest;
    let (own_keys, _) = own_keys.as_chunks::<KEY>();
    let judgement = KeptJudgement {
        findings: read_findings(own_findings)?,
        keys: own_keys.iter().map(|key| u32::from_le_bytes(*key)).collect(),
        questions: questions.into(),
    };
    let links = match links {
        Some(links) => Some(links.links(names, kinds)?),
        None => None,
    };
    let checked = CheckedFile { declarations, is_declaration };
    Some((checked, JudgedFile { source: SourceId(source), links, judgement }))
}

fn read_findings(bytes: &[u8]) -> Option<Vec<Diagnostic>> {
    if bytes.is_empty() {
        return Some(Vec::new());
    }
    let entries: Vec<RawDiagnosticEntry<'_>> = serde_json::from_slice(bytes).ok()?;
    entries.iter().map(RawDiagnosticEntry::diagnostic).collect()
}

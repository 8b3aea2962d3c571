//! A result as it lies on disk: a line with the hash of the rest, and JSON.
//!
//! Input: a result, or bytes. Output: bytes, or the result. Invariant: bytes whose hash does not fit are no result.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use nodewise_analysis::basis::{Basis, Needs};
use nodewise_analysis::diagnostic::{Diagnostic, Edit, Finding, Fix, Related, Severity};
use nodewise_analysis::project_rules;
use nodewise_analysis::rules;
use nodewise_model::{Origin, SourceId};
use nodewise_syntax::{TextRange, TextSize};
use serde::{Deserialize, Serialize};

use super::stamp::{CheckTime, FileStamp};
use super::{CheckInputs, CheckResult, CheckedFile, DeclaredRule, SeenStamps, StampedProgram, hash_of};
use crate::discovery::FoundFile;

/// How long the line with the hash is, in bytes.
const HEAD: usize = 17;
/// More classes of specifications than there are.
const CLASSES_MAX: usize = 10_000;

/// A result, and everything that it depends on.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Entry<'e> {
    /// The program and the configuration.
    pub(super) basis: u64,
    /// A moment before the first file was read.
    pub(super) began: CheckTime,
    #[serde(borrow)]
    pub(super) files: Vec<FileEntry<'e>>,
    /// The Python files, if the result depends on what they register.
    pub(super) programs: Option<Vec<StampedProgram>>,
    #[serde(borrow)]
    diagnostics: Vec<DiagnosticEntry<'e>>,
    #[serde(borrow)]
    rules: Vec<RuleEntry<'e>>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(from = "FileColumns<'e>", into = "FileColumns<'e>", bound(deserialize = "'de: 'e"))]
pub(super) struct FileEntry<'e> {
    /// The path relative to the project.
    pub(super) path: Cow<'e, str>,
    pub(super) is_named: bool,
    pub(super) stamp: FileStamp,
    checked: Option<CheckedFile>,
}

/// A file as it is stored: an array, to save the names of the members.
#[derive(Serialize, Deserialize)]
struct FileColumns<'e>(#[serde(borrow)] Cow<'e, str>, bool, FileStamp, Option<(u32, bool)>);

impl<'e> From<FileColumns<'e>> for FileEntry<'e> {
    fn from(FileColumns(path, is_named, stamp, checked): FileColumns<'e>) -> FileEntry<'e> {
        let checked =
            checked.map(|(declarations, is_declaration)| CheckedFile { declarations, is_declaration });
        FileEntry { path, is_named, stamp, checked }
    }
}

impl<'e> From<FileEntry<'e>> for FileColumns<'e> {
    fn from(FileEntry { path, is_named, stamp, checked }: FileEntry<'e>) -> FileColumns<'e> {
        let checked = checked.map(|checked| (checked.declarations, checked.is_declaration));
        FileColumns(path, is_named, stamp, checked)
    }
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct DiagnosticEntry<'e> {
    #[serde(borrow)]
    rule: Cow<'e, str>,
    spec: Option<Cow<'e, str>>,
    severity: u8,
    own_spec: Option<Cow<'e, str>>,
    also: Option<Cow<'e, str>>,
    at: Place,
    message: String,
    label: Option<String>,
    help: Option<String>,
    related: Vec<(Place, String)>,
    fixes: Vec<FixEntry>,
}

/// A finding before comments and broken text are considered, and what it depends on.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct RawDiagnosticEntry<'e>(#[serde(borrow)] DiagnosticEntry<'e>, BasisEntry);

/// The fields of a [`Basis`] in their order, what must be readable as a number.
type BasisEntry = (bool, bool, bool, bool, u8);

#[derive(Debug, Serialize, Deserialize)]
struct RuleEntry<'e> {
    #[serde(borrow)]
    id: Cow<'e, str>,
    severity: u8,
    message: String,
    why: Option<String>,
}

/// What a fix does, whether it is safe, and its edits.
type FixEntry = (String, bool, Vec<(Place, String)>);

/// A file and a range in it.
type Place = (u32, u32, u32);

impl<'e> Entry<'e> {
    pub(super) fn new(
        basis: u64,
        files: &'e [FoundFile],
        inputs: CheckInputs<'_>,
        result: &'e CheckResult,
    ) -> Entry<'e> {
        let file =
            |((file, stamp), checked): ((&'e FoundFile, &FileStamp), &Option<CheckedFile>)| FileEntry {
                path: Cow::Borrowed(&file.relative),
                is_named: file.is_named,
                stamp: *stamp,
                checked: *checked,
            };
        let rule = |rule: &DeclaredRule| RuleEntry {
            id: Cow::Borrowed(rule.id),
            severity: number(rule.severity),
            message: rule.message.clone(),
            why: rule.why.clone(),
        };
        Entry {
            basis,
            began: inputs.began,
            programs: inputs.programs.map(<[StampedProgram]>::to_vec),
            files: files.iter().zip(inputs.files).zip(&result.files).map(file).collect(),
            diagnostics: result.diagnostics.iter().map(DiagnosticEntry::of).collect(),
            rules: result.rules.iter().map(rule).collect(),
        }
    }

    /// Reads an entry. `None` if the bytes are damaged.
    pub(super) fn of_bytes(bytes: &'e [u8]) -> Option<Entry<'e>> {
        let (head, body) = bytes.split_at_checked(HEAD)?;
        let hash = u64::from_str_radix(std::str::from_utf8(head).ok()?.trim_end(), 16).ok()?;
        if hash != hash_of(&body) {
            return None;
        }
        serde_json::from_slice(body).ok()
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        let body = serde_json::to_vec(self).unwrap_or_default();
        let mut bytes = format!("{:016x}\n", hash_of(&body.as_slice())).into_bytes();
        bytes.extend_from_slice(&body);
        bytes
    }

    /// The bytes of the same entry with new stamps for its files.
    pub(super) fn with_stamps(mut self, began: CheckTime, seen: SeenStamps) -> Vec<u8> {
        self.began = began;
        for (file, stamp) in self.files.iter_mut().zip(seen.files) {
            file.stamp = stamp;
        }
        self.programs = seen.programs;
        self.bytes()
    }

    /// The result. `None` if it names a rule that this program does not have.
    pub(super) fn result(&self) -> Option<CheckResult> {
        let rule = |rule: &RuleEntry<'_>| {
            Some(DeclaredRule {
                id: rule_id(&rule.id)?,
                severity: severity(rule.severity)?,
                message: rule.message.clone(),
                why: rule.why.clone(),
            })
        };
        Some(CheckResult {
            files: self.files.iter().map(|file| file.checked).collect(),
            diagnostics: self.diagnostics.iter().map(DiagnosticEntry::diagnostic).collect::<Option<_>>()?,
            rules: self.rules.iter().map(rule).collect::<Option<_>>()?,
        })
    }
}

impl<'e> DiagnosticEntry<'e> {
    /// The stored form of a finding.
    pub(super) fn of(diagnostic: &'e Diagnostic) -> DiagnosticEntry<'e> {
        let Diagnostic { rule, spec, severity, finding, .. } = diagnostic;
        let fix = |fix: &Fix| {
            let edits = fix.edits.iter().map(|edit| (place(edit.at), edit.text.clone()));
            (fix.title.clone(), fix.safe, edits.collect())
        };
        DiagnosticEntry {
            rule: Cow::Borrowed(rule),
            spec: spec.map(Cow::Borrowed),
            severity: number(*severity),
            own_spec: finding.spec.map(Cow::Borrowed),
            also: finding.also.map(Cow::Borrowed),
            at: place(finding.at),
            message: finding.message.clone(),
            label: finding.label.clone(),
            help: finding.help.clone(),
            related: finding.related.iter().map(|one| (place(one.at), one.message.clone())).collect(),
            fixes: finding.fixes.iter().map(fix).collect(),
        }
    }

    /// The finding. `None` if it names a rule that this program does not have.
    pub(super) fn diagnostic(&self) -> Option<Diagnostic> {
        let class = |class: &Option<Cow<'_, str>>| match class {
            Some(class) => interned(class).map(Some),
            None => Some(None),
        };
        let fix = |(title, safe, edits): &FixEntry| {
            let edit = |(at, text): &(Place, String)| Some(Edit { at: origin(*at)?, text: text.clone() });
            Some(Fix {
                title: title.clone(),
                safe: *safe,
                edits: edits.iter().map(edit).collect::<Option<_>>()?,
            })
        };
        let related =
            |(at, message): &(Place, String)| Some(Related { at: origin(*at)?, message: message.clone() });
        let finding = Finding {
            spec: class(&self.own_spec)?,
            also: class(&self.also)?,
            at: origin(self.at)?,
            message: self.message.clone(),
            label: self.label.clone(),
            help: self.help.clone(),
            related: self.related.iter().map(related).collect::<Option<_>>()?,
            fixes: self.fixes.iter().map(fix).collect::<Option<_>>()?,
        };
        Some(Diagnostic::reported(
            rule_id(&self.rule)?,
            class(&self.spec)?,
            severity(self.severity)?,
            finding,
        ))
    }
}

const NEEDS: [Needs; 3] = [Needs::Nothing, Needs::Nodes, Needs::Edges];

impl<'e> RawDiagnosticEntry<'e> {
    /// The stored form of a finding.
    pub(super) fn of(diagnostic: &'e Diagnostic) -> RawDiagnosticEntry<'e> {
        let Basis { absence, about_syntax, about_form, about_value, needs } = diagnostic.basis;
        let needs = (0..).zip(NEEDS).find(|(_, known)| *known == needs).map_or(u8::MAX, |(number, _)| number);
        let basis = (absence, about_syntax, about_form, about_value, needs);
        RawDiagnosticEntry(DiagnosticEntry::of(diagnostic), basis)
    }

    /// The finding. `None` if it contains something that this program does not write.
    pub(super) fn diagnostic(&self) -> Option<Diagnostic> {
        let RawDiagnosticEntry(entry, (absence, about_syntax, about_form, about_value, needs)) = self;
        let needs = *NEEDS.get(usize::from(*needs))?;
        let (absence, about_syntax) = (*absence, *about_syntax);
        let (about_form, about_value) = (*about_form, *about_value);
        let basis = Basis { absence, about_syntax, about_form, about_value, needs };
        Some(Diagnostic { basis, ..entry.diagnostic()? })
    }
}

fn place(at: Origin) -> Place {
    (at.source.0, at.range.start().into(), at.range.end().into())
}

fn origin((source, start, end): Place) -> Option<Origin> {
    let range = (start <= end).then(|| TextRange::new(TextSize::from(start), TextSize::from(end)))?;
    Some(Origin { source: SourceId(source), range })
}

fn rule_id(id: &str) -> Option<&'static str> {
    match rules::rule(id) {
        Some(rule) => Some(rule.id),
        None => project_rules::finding_id(project_rules::name_of(id)?),
    }
}

/// A class of a specification as a static text. It is never freed, because there are only a few hundred.
fn interned(class: &str) -> Option<&'static str> {
    static CLASSES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut classes = CLASSES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = classes.get(class) {
        return Some(known);
    }
    if classes.len() >= CLASSES_MAX {
        return None;
    }
    let class: &'static str = Box::leak(class.to_owned().into_boxed_str());
    classes.insert(class);
    Some(class)
}

fn number(severity: Severity) -> u8 {
    match severity {
        Severity::Error => 0,
        Severity::Warning => 1,
        Severity::Hint => 2,
    }
}

fn severity(number: u8) -> Option<Severity> {
    [Severity::Error, Severity::Warning, Severity::Hint].get(usize::from(number)).copied()
}

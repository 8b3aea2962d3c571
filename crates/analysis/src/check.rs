//! Facts and index to diagnostics: every rule on every file, levels, suppressions, broken places, a
//! total order. A pure function; callers may judge files in parallel.

use nodewise_model::SourceId;
use nodewise_platform::sorting::Sorting;
use nodewise_platform::threads::prelude::*;
use tracing::{debug_span, trace_span};

use crate::diagnostic::{Diagnostic, Edit, Finding, Severity};
use crate::facts::{FileFacts, Ownership};
use crate::files::Files;
use crate::index::{Index, Reads, View};
use crate::program_words;
use crate::rule::{Context, Needs, OwnFacts, RegisteredPart, Report, Rule, RulePart};
use crate::rule_application;
use crate::rules::{self, UNUSED_SUPPRESSION, unused_comment};
use crate::settings::Settings;

/// Returns the diagnostics of all rules for one file, in no particular order. A finding about a declaration with overlays
/// may be in another file than `file`. [`finish`] sorts the diagnostics of all files and applies suppressions.
#[must_use]
pub fn judge(files: &Files, index: &Index, file: &FileFacts) -> Vec<Diagnostic> {
    let mut found = Found::default();
    judge_noting(files, index, file, None, &mut found);
    found.own.append(&mut found.others);
    found.own
}

/// The diagnostics that the rules return for one file.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Diagnostics that follow from this file's text alone. Only filled if the check records what the rules look up.
    pub(crate) own: Vec<Diagnostic>,
    /// Diagnostics that may change when other files change.
    pub(crate) others: Vec<Diagnostic>,
}

/// Like [`judge`], but adds the diagnostics to `found`, and records in `reads` what the rules look up in the index and in
/// other files.
pub(crate) fn judge_noting(
    files: &Files,
    index: &Index,
    file: &FileFacts,
    reads: Option<&Reads>,
    found: &mut Found,
) {
    let must_parse = file.must_parse();
    if matches!(file.ownership, Ownership::NotOurs) && !must_parse {
        return;
    }
    let judging = debug_span!("judge", file = &*file.path);
    let _entered = judging.enter();
    let own = OwnFacts::new(file, index);
    let entries = rules::concerning(file);
    let apply = |entry: &RegisteredPart, reads: Option<&Reads>| {
        let context = Context::new(file, files, View::new(index, file.source, reads), &own);
        let mut diagnostics = apply(context, entry);
        if must_parse {
            // The file belongs to another program, so nodewise does not change it.
            diagnostics.iter_mut().for_each(|one| one.finding.fixes.clear());
        }
        let may_be_added = entry.part.absence && file.has_overlays();
        (reads.is_some_and(|reads| reads.take_is_own(may_be_added)), diagnostics)
    };
    let mut add = |(is_own, diagnostics): (bool, Vec<Diagnostic>)| match is_own {
        true => found.own.extend(diagnostics),
        false => found.others.extend(diagnostics),
    };
    apply_project_rules(files, index, file, (reads, &own), &mut add);
    if !file.is_large() {
        entries.iter().for_each(|entry| add(apply(entry, reads)));
        return;
    }
    let judged: Vec<_> = entries
        .par_iter()
        .map(|entry| {
            let _entered = judging.enter();
            // `Reads` cannot be shared between threads, so each check gets its own. They are merged below.
            let reads = Reads::default();
            (apply(entry, Some(&reads)), reads)
        })
        .collect();
    for (judged, looked_up) in judged {
        add(judged);
        reads.into_iter().for_each(|reads| reads.take_over(&looked_up));
    }
}

/// Adds the findings of the project's own rules. They always depend on other files: any file may declare such a rule.
fn apply_project_rules(
    files: &Files,
    index: &Index,
    file: &FileFacts,
    (reads, own): (Option<&Reads>, &OwnFacts<'_>),
    add: &mut dyn FnMut((bool, Vec<Diagnostic>)),
) {
    let view = View::new(index, file.source, reads);
    let rules = view.project_rules();
    if !rules.is_empty() {
        add((false, rule_application::judge(Context::new(file, files, view, own), rules)));
    }
    if let Some(reads) = reads {
        reads.take_is_own(false);
    }
}

/// Runs one part of a rule on a file and turns its findings into diagnostics.
fn apply(context: Context<'_>, entry: &RegisteredPart) -> Vec<Diagnostic> {
    let RegisteredPart { rule, part, .. } = *entry;
    let _entered = trace_span!("rule", rule = rule.id).entered();
    #[cfg(feature = "planted-hang")]
    crate::planted::hang(context.file, rule);
    let mut report = Report::default();
    (part.check)(&context, &mut report);
    let mut diagnostics = Vec::new();
    for (mut finding, severity) in report.findings {
        debug_assert!(rule.is_fixable || finding.fixes.is_empty(), "`{}` has a fix: {finding:?}", rule.id);
        finding.fixes.retain(|fix| !fix.edits.iter().any(|edit| is_in_module(&context, edit)));
        let file = file_of(&context, finding.at.source);
        if let Some(module) = file.filter(|file| file.is_module()) {
            program_words::respell(&mut finding, module);
        }
        let settings = file.map_or(&context.file.settings, |file| &file.settings);
        if let Some(severity) = level(settings, rule, severity.unwrap_or(part.severity)) {
            let spec = class(context, part, &finding);
            diagnostics.push(Diagnostic { rule: rule.id, spec, severity, basis: part.basis(), finding });
        }
    }
    diagnostics
}

/// Whether an edit would change a module. Fixes are written as YAML, so they cannot change program code.
fn is_in_module(context: &Context<'_>, edit: &Edit) -> bool {
    file_of(context, edit.at.source).is_some_and(FileFacts::is_module)
}

fn file_of<'c>(context: &'c Context<'_>, source: SourceId) -> Option<&'c FileFacts> {
    if source == context.file.source { Some(context.file) } else { context.source(source) }
}

/// Finishes the diagnostics of all files: removes those that comments silence or that are in broken text, reports comments
/// that silence nothing, removes duplicates and sorts.
#[must_use]
pub fn finish(files: &Files, mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    diagnostics.arrange_by_key(|diagnostic| diagnostic.finding.at.source);
    let mut rest = diagnostics.into_iter().peekable();
    let mut settled = Vec::with_capacity(rest.len());
    for file in files {
        let own = std::iter::from_fn(|| rest.next_if(|one| one.finding.at.source <= file.source));
        settled.extend(settle(file, own));
    }
    settled
}

/// Finishes the diagnostics of one file: all that are located in it, whichever file was checked.
pub(crate) fn settle(file: &FileFacts, diagnostics: impl Iterator<Item = Diagnostic>) -> Vec<Diagnostic> {
    let mut used = vec![false; file.suppressions.comments.len()];
    let mut kept = kept(file, diagnostics, &mut used);
    kept.extend(unused_comments(file, &used));
    in_order(kept)
}

/// Finishes those diagnostics of a file that follow from the file's own text alone. It does not report comments that silence
/// nothing, because they may silence a finding that is not known yet.
pub(crate) fn settle_own(file: &FileFacts, diagnostics: impl Iterator<Item = Diagnostic>) -> Vec<Diagnostic> {
    let mut used = vec![false; file.suppressions.comments.len()];
    in_order(kept(file, diagnostics, &mut used))
}

/// Removes diagnostics that comments silence or that are in broken text.
fn kept(
    file: &FileFacts,
    diagnostics: impl Iterator<Item = Diagnostic>,
    used: &mut [bool],
) -> Vec<Diagnostic> {
    diagnostics
        .filter(|diagnostic| !is_guess(file, diagnostic) && !is_silenced(file, diagnostic, used))
        .collect()
}

/// Sorts the diagnostics and removes duplicates.
fn in_order(mut kept: Vec<Diagnostic>) -> Vec<Diagnostic> {
    kept.arrange_by(Diagnostic::cmp_in_output);
    kept.dedup_by(|one, other| {
        one.rule == other.rule
            && one.finding.at == other.finding.at
            && one.finding.message == other.finding.message
    });
    kept
}

/// Checks every file, one after another.
#[must_use]
pub fn check(files: &Files) -> Vec<Diagnostic> {
    let index = Index::build(files);
    let diagnostics = files.iter().flat_map(|file| judge(files, &index, file)).collect();
    finish(files, diagnostics)
}

/// The class of the specification that a finding stands for. `None` if there is none, or if the system refuses the document
/// before it would report this class: it reports only violations of form, or only missing requirements.
fn class(context: Context<'_>, part: &RulePart, finding: &Finding) -> Option<&'static str> {
    let file = context.source(finding.at.source).unwrap_or(context.file);
    let Ownership::Ours(dialect) = file.ownership else { return part.spec };
    let own = |spec: &&str| spec.split_once(':').is_some_and(|(id, _)| id == dialect.id);
    let of_violation = || part.violation?(&dialect.violations);
    let spec = finding.spec.or(part.spec.filter(own)).or_else(of_violation)?;
    let stands = match file.document_at(finding.at) {
        Some(document) if document.refused => dialect.violations.holds(spec),
        Some(document) if document.lacks_requirements => dialect.violations.undeclared == Some(spec),
        _ => true,
    };
    stands.then_some(spec)
}

fn level(settings: &Settings, rule: &Rule, severity: Severity) -> Option<Severity> {
    settings.level_of(rule.id, rule.category.word(), severity)
}

fn is_guess(file: &FileFacts, diagnostic: &Diagnostic) -> bool {
    let (at, basis) = (diagnostic.finding.at, diagnostic.basis);
    let unreadable = file.unreadable(at);
    if !file.settings.is_literal && unreadable != Needs::Nothing && basis.needs >= unreadable {
        return true;
    }
    !basis.about_syntax
        && (file.damage.covers(diagnostic.finding.at.range, basis.absence)
            || !basis.about_form
                && (file.is_mistake(diagnostic.finding.at)
                    || !basis.about_value && file.damage.is_unknown(diagnostic.finding.at.range)))
}

fn is_silenced(file: &FileFacts, diagnostic: &Diagnostic, used: &mut [bool]) -> bool {
    let mut silenced = false;
    let former = rules::rule(diagnostic.rule).map_or(&[][..], |rule| rule.former);
    for position in file.suppressions.silencing(diagnostic.rule, former, diagnostic.finding.at.range.start())
    {
        used[position] = true;
        silenced = true;
    }
    silenced
}

/// Findings for the comments of a file that silenced nothing. Comments whose rules are turned off are not reported.
fn unused_comments(file: &FileFacts, used: &[bool]) -> Vec<Diagnostic> {
    let RegisteredPart { rule, part, .. } = UNUSED_SUPPRESSION;
    let Some(severity) = level(&file.settings, rule, part.severity) else { return Vec::new() };
    if !matches!(file.ownership, Ownership::Ours(_)) {
        return Vec::new();
    }
    let comments = file.suppressions.comments.iter().zip(used).filter(|(_, used)| !**used);
    comments
        .map(|(comment, _)| {
            let finding: Finding = unused_comment(comment, file);
            let basis = part.basis();
            Diagnostic { rule: rule.id, spec: part.spec, severity, basis, finding }
        })
        .collect()
}

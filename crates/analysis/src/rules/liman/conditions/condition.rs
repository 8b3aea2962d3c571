//! What the rules about conditions share: the checker's findings of one kind, shown in a rule's own
//! words, with its fix (liman:4).

use nodewise_dialect::tables::liman::LIMAN;
use nodewise_expr::limance;
use nodewise_expr::limance::check::FindingKind;

use crate::conditions::{ConditionFacts, ConditionFinding, ConditionFindingKind};
use crate::diagnostic::{Finding, Severity};
use crate::rule::{Context, Report};
use crate::settings::Profile;

/// The texts with which a rule reports a problem in a condition.
pub(in crate::rules) struct Wording {
    /// The label: why it is wrong here.
    pub(in crate::rules) label: &'static str,
    /// The title of the fix, and whether the fix is safe; `None` for problems without a replacement.
    pub(in crate::rules) repair: Option<(&'static str, bool)>,
}

/// The LimanCE conditions of the file.
pub(in crate::rules) fn conditions<'a>(
    context: &Context<'a>,
) -> impl Iterator<Item = &'a ConditionFacts> + use<'a> {
    let all = context.documents().flat_map(|document| &document.conditions);
    all.filter(|condition| condition.language == limance::LANGUAGE)
}

/// Reports every finding of one kind.
pub(in crate::rules) fn check(
    context: &Context<'_>,
    kind: FindingKind,
    wording: &Wording,
    report: &mut Report,
) {
    for facts in conditions(context) {
        for finding in facts.findings.iter().filter(|finding| is_kind(finding, kind)) {
            report.push(shown(finding, wording));
        }
    }
}

/// Reports findings of one kind that are the first error of their condition.
pub(in crate::rules) fn check_first_error(
    context: &Context<'_>,
    kind: FindingKind,
    wording: &Wording,
    report: &mut Report,
) {
    for facts in conditions(context) {
        let first = facts.findings.iter().find(|finding| is_error(finding));
        if let Some(finding) = first.filter(|finding| is_kind(finding, kind)) {
            report.push(shown(finding, wording));
        }
    }
}

/// The severity of a condition that only a release rejects or reads differently.
pub(in crate::rules) fn release_severity(context: &Context<'_>) -> Severity {
    match context.file.settings.profile(&LIMAN) {
        Profile::Specification => Severity::Hint,
        Profile::Release(_) => Severity::Warning,
    }
}

/// The finding for a problem in a condition.
pub(in crate::rules) fn shown(finding: &ConditionFinding, wording: &Wording) -> Finding {
    let shown =
        Finding::new(finding.at, &*finding.message).label(wording.label).help_if(finding.help.clone());
    match (wording.repair, &finding.replacement) {
        (Some((title, safe)), Some(change)) => shown.fix(title, safe, change.at, &*change.text),
        _ => shown,
    }
}

/// Whether the finding is of that kind.
pub(in crate::rules) fn is_kind(finding: &ConditionFinding, kind: FindingKind) -> bool {
    finding.kind == ConditionFindingKind::of(kind)
}

/// Whether the condition is wrong under the specification and under every release.
pub(in crate::rules) fn is_error(finding: &ConditionFinding) -> bool {
    finding.kind == ConditionFindingKind::Syntax
        || matches!(finding.kind.kind(), Some(FindingKind::UnknownBuiltin | FindingKind::Arity))
}

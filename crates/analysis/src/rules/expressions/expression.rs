//! What the rules about expressions of graphs share: which expression decides which edge, and how a finding of the
//! expression language is shown.

use nodewise_dialect::table::Language;
use nodewise_expr::filtrex;
use nodewise_expr::filtrex::FindingKind;
use nodewise_model::Origin;
use nodewise_model::graph::{EdgeCondition, EdgeGuard};
use rustc_hash::FxHashSet;

use crate::conditions::{ConditionFacts, ConditionFinding, ConditionFindingKind};
use crate::diagnostic::Finding;
use crate::rule::{Context, Report};

/// Those expressions that decide edges of the file's graphs and for which `is_wanted` holds, in reading order. Expressions
/// that the release never evaluates are left out.
pub(in crate::rules) fn of_edges<'a>(
    context: &Context<'a>,
    is_wanted: impl Fn(&ConditionFacts) -> bool,
) -> impl Iterator<Item = &'a ConditionFacts> {
    let edges = || context.graphs().flat_map(|graph| &graph.edges);
    let expressions = || {
        edges().filter_map(|edge| match &edge.guard {
            EdgeGuard::When(Some(EdgeCondition::Expression(Some(expression)))) => Some(expression.at),
            _ => None,
        })
    };
    // Usually few or none are wanted, so filter first.
    let wanted: Vec<&ConditionFacts> =
        in_language(context, filtrex::EDGE).filter(|facts| is_wanted(facts)).collect();
    let deciding: FxHashSet<Origin> = match wanted.is_empty() {
        true => FxHashSet::default(),
        false => expressions().collect(),
    };
    wanted.into_iter().filter(move |facts| deciding.contains(&facts.at))
}

/// The expressions of the file in a language.
pub(in crate::rules) fn in_language<'a>(
    context: &Context<'a>,
    language: Language,
) -> impl Iterator<Item = &'a ConditionFacts> + use<'a> {
    let all = context.documents().flat_map(|document| &document.conditions);
    all.filter(move |facts| facts.language == language)
}

/// The finding for a problem in an expression, with its help and its fix.
pub(in crate::rules) fn shown(finding: &ConditionFinding) -> Finding {
    let shown = Finding::new(finding.at, &*finding.message).help_if(finding.help.clone());
    match &finding.replacement {
        Some(change) => {
            shown.fix(crate::rules::wording::write_title(&change.text), false, change.at, &*change.text)
        }
        None => shown,
    }
}

/// The labels that say why a problem matters: on the condition of an edge, and in a verifier.
pub(in crate::rules) struct FindingLabels {
    /// The label on an edge.
    pub(in crate::rules) edge: &'static str,
    pub(in crate::rules) verifier: &'static str,
}

/// Reports all findings of one kind in filtrex expressions.
pub(in crate::rules) fn check(
    context: &Context<'_>,
    kind: FindingKind,
    labels: &FindingLabels,
    report: &mut Report,
) {
    let kind = ConditionFindingKind::of(kind);
    let edges = of_edges(context, |facts| facts.has(kind)).map(|facts| (facts, labels.edge));
    let verifiers = in_language(context, filtrex::VERIFIER).map(|facts| (facts, labels.verifier));
    for (facts, label) in edges.chain(verifiers) {
        for finding in facts.findings.iter().filter(|finding| finding.kind == kind) {
            report.push(shown(finding).label(label));
        }
    }
}

/// The JSONPath expressions of the file.
pub(in crate::rules) fn paths<'a>(
    context: &Context<'a>,
) -> impl Iterator<Item = &'a ConditionFacts> + use<'a> {
    let all = context.documents().flat_map(|document| &document.conditions);
    all.filter(|facts| facts.language.is_path())
}

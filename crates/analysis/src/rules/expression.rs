//! What the rules about expressions of graphs share: which expression decides which edge, and how a finding of the
//! expression language is shown.

use nodewise_dialect::table::Language;
use nodewise_model::Origin;
use nodewise_model::graph::{EdgeCondition, Way};
use rustc_hash::FxHashSet;

use crate::conditions::{ConditionFacts, ConditionFinding};
use crate::diagnostic::Finding;
use crate::rule::Context;

/// The expressions that decide edges of the file's graphs, in reading order; those that the release does not look
/// at are left out.
pub(super) fn of_edges<'a>(context: &Context<'a>) -> Vec<&'a ConditionFacts> {
    let deciding: FxHashSet<Origin> = context
        .graphs()
        .flat_map(|graph| &graph.edges)
        .filter_map(|edge| match &edge.way {
            Way::When(Some(EdgeCondition::Expression(Some(expression)))) => Some(expression.at),
            _ => None,
        })
        .collect();
    in_language(context, Language::FiltrexEdge).filter(|facts| deciding.contains(&facts.at)).collect()
}

/// The expressions of the file in one language.
pub(super) fn in_language<'a>(
    context: &Context<'a>,
    language: Language,
) -> impl Iterator<Item = &'a ConditionFacts> + use<'a> {
    let all = context.documents().flat_map(|document| &document.conditions);
    all.filter(move |facts| facts.language == language)
}

/// A finding of the expression language, with its help and its repair.
pub(super) fn shown(finding: &ConditionFinding) -> Finding {
    let shown = Finding::new(finding.at, &*finding.message).help_if(finding.help.clone());
    match &finding.replacement {
        Some(change) => shown.fix(
            format!("Write `{}`", super::wording::short(&change.text)),
            false,
            change.at,
            &*change.text,
        ),
        None => shown,
    }
}

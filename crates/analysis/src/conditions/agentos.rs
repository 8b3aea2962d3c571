//! Routing expressions of AgentOS: what is odd about one, with its place in the file.
//!
//! Input: the expression and how it is written; output: findings in reading order. Invariant: what an expression
//! decides is not looked at here; a rule that knows its edge or router says the rest.

use nodewise_expr::agentos;

use super::written::Written;
use super::{ConditionFinding, ConditionFindingKind};

pub(super) fn findings(written: &Written<'_>, text: &str) -> Vec<ConditionFinding> {
    let mut repairs = written.repairs();
    agentos::check(text, &agentos::parse(text))
        .into_iter()
        .map(|finding| ConditionFinding {
            kind: ConditionFindingKind::Routing(finding.kind),
            at: written.place(finding.range),
            message: finding.message,
            help: finding.help,
            replacement: repairs.of(finding.range, finding.replacement.as_deref()),
        })
        .collect()
}

//! What `unguarded-effect` finds in AgentOS.

use super::trust::{is_real, trust_of};
use crate::diagnostic::Severity;
use crate::rule::{Context, Needs, Report, RulePart};
use crate::rules::security::{effects, trust};

pub(in crate::rules) static PART: RulePart =
    RulePart { severity: Severity::Hint, needs: Needs::Edges, check, ..RulePart::DEFAULT };

fn check(context: &Context<'_>, report: &mut Report) {
    for trusted in trust::graphs(context, trust_of) {
        effects::report_effects(&trusted, &|path| is_real(&trusted, path), report);
    }
}

//! What `unapproved-effect` finds in AgentOS.

use super::trust::{is_real, trust_of};
use crate::diagnostic::Severity;
use crate::rule::{Context, Needs, Report, RulePart};
use crate::rules::security::approvals::report_unapproved;

pub(in crate::rules) static PART: RulePart =
    RulePart { severity: Severity::Hint, needs: Needs::Edges, check, ..RulePart::DEFAULT };

fn check(context: &Context<'_>, report: &mut Report) {
    report_unapproved(context, trust_of, is_real, report);
}

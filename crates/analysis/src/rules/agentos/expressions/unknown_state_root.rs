//! What `unknown-state-root` finds in AgentOS.

use nodewise_expr::agentos::{FindingKind, PARTITIONS};

use crate::conditions::ConditionFinding;
use crate::diagnostic::Severity;
use crate::rule::{Context, Report, RulePart};
use crate::rules::agentos::routing;
use crate::rules::ranges;

pub(in crate::rules) static PART: RulePart =
    RulePart { spec: Some("agentos:I43"), severity: Severity::Error, check, ..RulePart::DEFAULT };

fn check(context: &Context<'_>, report: &mut Report) {
    for finding in routing::all(context).flat_map(|facts| &facts.findings) {
        if finding.kind.kind() == Some(FindingKind::UnknownRoot) {
            let shown = routing::shown(finding, "read as a text, not as a path", is_safe(context, finding));
            report.push(shown);
        }
    }
}

/// Whether the fix is safe: one of the first two names is a part of the state, whatever its case.
fn is_safe(context: &Context<'_>, finding: &ConditionFinding) -> bool {
    let names = ranges::source(context, finding.at).split('.');
    let is_part = |name: &str| PARTITIONS.iter().any(|part| part.eq_ignore_ascii_case(name));
    names.take(2).any(is_part)
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_fix, check_rule};

    #[test]
    fn prefixes_other_letters_and_other_names() {
        check_rule(
            "unknown-state-root",
            r#"
id: pick
type: router
executorConfig:
  type: router
  condition:
    type: expression
    expr: state.input.a && Scratch.b && output.x === 'y' && input.ok
#         ^^^^^^^^^^^^^ error[unknown-state-root]
#                          ^^^^^^^^^ error[unknown-state-root]
#                                       ^^^^^^^^ error[unknown-state-root]
"#,
        );
    }

    #[test]
    fn the_prefix_goes() {
        check_fix(
            "unknown-state-root",
            r#"
id: pick
type: router
executorConfig: {type: router, condition: {type: expression, expr: 'state.scratch.a == ''x'' ? a : b'}}
"#,
            r#"
id: pick
type: router
executorConfig: {type: router, condition: {type: expression, expr: 'scratch.a == ''x'' ? a : b'}}
"#,
        );
    }
}

//! ## What it does
//!
//! Reports a path that begins with a name which is not a part of the state.
//!
//! In AgentOS, this is a path in a routing expression: `state.scratch.n`, `Scratch.n`, `output.text`.
//!
//! In cycgraph, this is a path in a condition or a verifier. The keys that nodes write are under `memory`. A
//! verifier sees `memory` and `goal` only.
//!
//! ## Why it matters
//!
//! In AgentOS, paths begin with `scratch`, `input`, `artifacts`, `memory` or `diagnostics`, in lower case. Any
//! other word is read as a text.
//!
//! In cycgraph, the path finds nothing, and the expression is evaluated without a value.
//!
//! ## Example
//!
//! In AgentOS:
//!
//! ```yaml expect=unknown-state-root
//! id: pick
//! type: router
//! executorConfig:
//!   type: router
//!   condition: {type: expression, expr: "state.scratch.n > 3 ? 'many' : 'few'"}
//! executionMode: single_turn
//! effectClass: pure
//! checkpoint: none
//! ```
//!
//! In cycgraph:
//!
//! ```yaml expect=unknown-state-root
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: router}
//!   - {id: b, type: router}
//! edges:
//!   - {source: a, target: b, condition: {type: conditional, condition: approved == 1}}
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [b]
//! ```
//!
//! ## Instead
//!
//! In AgentOS:
//!
//! ```yaml ok
//! id: pick
//! type: router
//! executorConfig:
//!   type: router
//!   condition: {type: expression, expr: "scratch.n > 3 ? 'many' : 'few'"}
//! executionMode: single_turn
//! effectClass: pure
//! checkpoint: none
//! ```
//!
//! In cycgraph:
//!
//! ```yaml ok
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: router}
//!   - {id: b, type: router}
//! edges:
//!   - {source: a, target: b, condition: {type: conditional, condition: memory.approved == 1}}
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [b]
//! ```

mod cycgraph;

use nodewise_expr::agentos::{FindingKind, PARTITIONS};

use super::{place, routing};
use crate::conditions::ConditionFinding;
use crate::diagnostic::Severity;
use crate::rule::{Category, Context, Needs, Report, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "unknown-state-root",
    former: &["unknown-state-name"],
    category: Category::Correctness,
    is_fixable: true,
    since: "0.1.0",
    spec: Some("agentos:I43"),
    systems: &["agentos"],
    severity: Severity::Error,
    absence: false,
    about_syntax: false,
    about_form: false,
    needs: Needs::Nothing,
    also: &[&cycgraph::PART],
    check,
};

fn check(context: &Context<'_>, report: &mut Report) {
    for finding in routing::all(context).flat_map(|facts| &facts.findings) {
        if finding.kind.kind() == Some(FindingKind::UnknownRoot) {
            let shown = routing::shown(finding, "read as a text, not as a path", is_safe(context, finding));
            report.push(shown);
        }
    }
}

/// Whether a part of the state is named, with something before it or in other letters.
fn is_safe(context: &Context<'_>, finding: &ConditionFinding) -> bool {
    let names = place::source(context, finding.at).split('.');
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

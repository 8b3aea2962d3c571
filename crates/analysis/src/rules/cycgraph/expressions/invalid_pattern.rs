//! ## What it does
//!
//! Reports a text behind `~=` that is no regular expression.
//!
//! ## Why it matters
//!
//! The comparison ends in an error. An edge is then not followed; a verifier passes.
//!
//! ## Example
//!
//! ```yaml expect=invalid-pattern
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: router}
//!   - {id: b, type: router}
//! edges:
//!   - {source: a, target: b, condition: {type: conditional, condition: "memory.s ~= '['"}}
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [b]
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: router}
//!   - {id: b, type: router}
//! edges:
//!   - {source: a, target: b, condition: {type: conditional, condition: "memory.s ~= '^a'"}}
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [b]
//! ```

use nodewise_dialect::bind::IssueKind;
use nodewise_expr::filtrex::FindingKind;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::expressions::expression::{self, FindingLabels};

pub(crate) static RULE: Rule = Rule {
    id: "invalid-pattern",
    former: &[],
    category: Category::Correctness,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    let labels = FindingLabels {
        edge: "an error counts as false: the edge is never followed",
        verifier: "an error passes: whatever the value, it is verified",
    };
    expression::check(context, FindingKind::InvalidPattern, &labels, report);
    for issue in context.documents().flat_map(|document| &document.faults.issues) {
        if let IssueKind::Pattern(fault) = &issue.kind {
            let finding = Finding::new(issue.at, fault.clone()).label("the assertion never holds");
            report.push(finding.help("write a regular expression as JavaScript has it"));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn in_edges_and_verifiers() {
        check_rule(
            "invalid-pattern",
            r#"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: verifier, verifier_config: {type: expression, expression: "memory.s ~= '['"}}
#                                                                                        ^^^ warning[invalid-pattern]
  - {id: b, type: verifier, read_keys: [s], verifier_config: {type: jsonpath, target_key: s, path: $, assertion: {op: matches, pattern: "("}}}
#                                                                                                                                       ^^^ warning[invalid-pattern]
edges:
  - {source: a, target: a, condition: {type: conditional, condition: "memory.s ~= '['"}}
#                                                                                 ^^^ warning[invalid-pattern]
  - {source: a, target: a, condition: {type: always, condition: "memory.s ~= '['"}}
start_node: a
end_nodes: [b]
"#,
        );
    }
}

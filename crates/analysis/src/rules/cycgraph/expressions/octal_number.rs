//! ## What it does
//!
//! Reports a number with a leading zero.
//!
//! ## Why it matters
//!
//! It is read as octal: `010` is 8.
//!
//! ## Example
//!
//! ```yaml expect=octal-number
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: router}
//!   - {id: b, type: router}
//! edges:
//!   - {source: a, target: b, condition: {type: conditional, condition: memory.n == 010}}
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
//!   - {source: a, target: b, condition: {type: conditional, condition: memory.n == 8}}
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [b]
//! ```

use nodewise_expr::filtrex::FindingKind;

use crate::diagnostic::Severity;
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::expressions::expression::{self, FindingLabels};

pub(crate) static RULE: Rule = Rule {
    id: "octal-number",
    former: &[],
    category: Category::Suspicious,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Hint, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    let labels = FindingLabels {
        edge: "the release reads something else than is written",
        verifier: "the release reads something else than is written",
    };
    expression::check(context, FindingKind::Octal, &labels, report);
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn in_edges_and_verifiers() {
        check_rule(
            "octal-number",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: verifier, verifier_config: {type: expression, expression: memory.n == 010}}
#                                                                                       ^^^ hint[octal-number]
edges:
  - {source: a, target: a, condition: {type: conditional, condition: memory.n == 010}}
#                                                                                ^^^ hint[octal-number]
  - {source: a, target: a, condition: {type: always, condition: memory.n == 010}}
start_node: a
end_nodes: [b]
",
        );
    }
}

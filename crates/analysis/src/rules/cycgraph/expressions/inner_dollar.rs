//! ## What it does
//!
//! Reports `$.` inside an expression. Only at its beginning is it left out.
//!
//! ## Why it matters
//!
//! Anywhere else `$` is a name that does not exist, so that nothing is found under it.
//!
//! ## Example
//!
//! ```yaml expect=inner-dollar
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: router}
//!   - {id: b, type: router}
//! edges:
//!   - {source: a, target: b, condition: {type: conditional, condition: memory.a == $.memory.b}}
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
//!   - {source: a, target: b, condition: {type: conditional, condition: memory.a == memory.b}}
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [b]
//! ```

use nodewise_expr::filtrex::FindingKind;

use crate::diagnostic::Severity;
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::expressions::expression::{self, FindingLabels};

pub(crate) static RULE: Rule = Rule {
    id: "inner-dollar",
    former: &[],
    category: Category::Correctness,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    let labels = FindingLabels {
        edge: "the release reads something else than is written",
        verifier: "the release reads something else than is written",
    };
    expression::check(context, FindingKind::InnerDollar, &labels, report);
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn in_edges_and_verifiers() {
        check_rule(
            "inner-dollar",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: verifier, verifier_config: {type: expression, expression: memory.a == $.memory.b}}
#                                                                                       ^^ warning[inner-dollar]
edges:
  - {source: a, target: a, condition: {type: conditional, condition: memory.a == $.memory.b}}
#                                                                                ^^ warning[inner-dollar]
  - {source: a, target: a, condition: {type: always, condition: memory.a == $.memory.b}}
start_node: a
end_nodes: [b]
",
        );
    }
}

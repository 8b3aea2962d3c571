//! ## What it does
//!
//! Reports a keyword such as `and` that no blank follows.
//!
//! ## Why it matters
//!
//! The character behind the keyword is lost: `a and-b` is read as `a and b`.
//!
//! ## Example
//!
//! ```yaml expect=swallowed-character
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: router}
//!   - {id: b, type: router}
//! edges:
//!   - {source: a, target: b, condition: {type: conditional, condition: memory.a and-memory.b}}
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
//!   - {source: a, target: b, condition: {type: conditional, condition: memory.a and memory.b}}
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [b]
//! ```

use nodewise_expr::filtrex::FindingKind;

use crate::diagnostic::Severity;
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::expressions::expression::{self, FindingLabels};

pub(crate) static RULE: Rule = Rule {
    id: "swallowed-character",
    former: &[],
    category: Category::Suspicious,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Hint, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    let labels = FindingLabels {
        edge: "the release reads something else than is written",
        verifier: "the release reads something else than is written",
    };
    expression::check(context, FindingKind::SwallowedCharacter, &labels, report);
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn in_edges_and_verifiers() {
        check_rule(
            "swallowed-character",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: verifier, verifier_config: {type: expression, expression: memory.a and-memory.b}}
#                                                                                       ^ hint[swallowed-character]
edges:
  - {source: a, target: a, condition: {type: conditional, condition: memory.a and-memory.b}}
#                                                                                ^ hint[swallowed-character]
  - {source: a, target: a, condition: {type: always, condition: memory.a and-memory.b}}
start_node: a
end_nodes: [b]
",
        );
    }
}

//! ## What it does
//!
//! Reports the expression of a verifier that is not filtrex: its first fault, at the character where it is.
//!
//! ## Why it matters
//!
//! Nothing checks it when the graph loads. The node fails whenever it runs, and is tried again to no avail.
//!
//! ## Example
//!
//! ```yaml expect=verifier-syntax
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: verifier, verifier_config: {type: expression, expression: memory.x && memory.y}}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! name: brief
//! description: Write a brief.
//! inputs: {x: {schema: {}}, y: {schema: {}}}
//! nodes:
//!   - {id: a, type: verifier, read_keys: [x, y], verifier_config: {type: expression, expression: memory.x and memory.y}}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```

use nodewise_dialect::table::Language;

use super::expression;
use crate::conditions::ConditionFindingKind;
use crate::diagnostic::Severity;
use crate::rule::{Context, Needs, Report, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "verifier-syntax",
    spec: None,
    systems: &["cycgraph"],
    severity: Severity::Warning,
    absence: false,
    about_syntax: false,
    about_form: false,
    needs: Needs::Nothing,
    check,
};

fn check(context: &Context<'_>, report: &mut Report) {
    for facts in expression::in_language(context, Language::FiltrexVerifier) {
        for finding in facts.findings.iter().filter(|finding| finding.kind == ConditionFindingKind::Syntax) {
            report.push(expression::shown(finding).label("the node fails when it runs"));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn the_first_fault() {
        check_rule(
            "verifier-syntax",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: verifier, verifier_config: {type: expression, expression: memory.x && memory.y && 1}}
#                                                                                    ^^ warning[verifier-syntax]
edges: []
start_node: a
end_nodes: [b]
",
        );
    }
}

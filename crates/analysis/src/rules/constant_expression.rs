//! ## What it does
//!
//! Reports an expression that reads nothing of the state.
//!
//! ## Why it matters
//!
//! It always comes to the same. An edge that is always followed needs no condition.
//!
//! ## Example
//!
//! ```yaml expect=constant-expression
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: router}
//!   - {id: b, type: router}
//! edges:
//!   - {source: a, target: b, condition: {type: conditional, condition: 1 == 1}}
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
//!   - {source: a, target: b, condition: {type: conditional, condition: memory.n == 1}}
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [b]
//! ```

use nodewise_expr::filtrex::FindingKind;

use super::expression::{self, Harm};
use crate::diagnostic::Severity;
use crate::rule::{Context, Needs, Report, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "constant-expression",
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
    let harm = Harm { edge: "it always comes to the same", verifier: "it always comes to the same" };
    expression::check(context, FindingKind::Constant, &harm, report);
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn in_edges_and_verifiers() {
        check_rule(
            "constant-expression",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: verifier, verifier_config: {type: expression, expression: 1 == 1}}
#                                                                           ^^^^^^ warning[constant-expression]
edges:
  - {source: a, target: a, condition: {type: conditional, condition: 1 == 1}}
#                                                                    ^^^^^^ warning[constant-expression]
  - {source: a, target: a, condition: {type: always, condition: 1 == 1}}
start_node: a
end_nodes: [b]
",
        );
    }
}

//! ## What it does
//!
//! Reports a name at the beginning of a path that is no part of the run's state. Keys that nodes write stand
//! under `memory`; a verifier sees `memory` and `goal` only.
//!
//! ## Why it matters
//!
//! Nothing is found there, and the expression goes on with nothing.
//!
//! ## Example
//!
//! ```yaml expect=unknown-state-name
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

use nodewise_expr::filtrex::FindingKind;

use super::expression::{self, Harm};
use crate::diagnostic::Severity;
use crate::rule::{Context, Needs, Report, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "unknown-state-name",
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
    let harm = Harm { edge: "nothing is found there", verifier: "nothing is found there" };
    expression::check(context, FindingKind::UnknownName, &harm, report);
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn in_edges_and_verifiers() {
        check_rule(
            "unknown-state-name",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: verifier, verifier_config: {type: expression, expression: approved == 1}}
#                                                                           ^^^^^^^^ warning[unknown-state-name]
edges:
  - {source: a, target: a, condition: {type: conditional, condition: approved == 1}}
#                                                                    ^^^^^^^^ warning[unknown-state-name]
  - {source: a, target: a, condition: {type: always, condition: approved == 1}}
start_node: a
end_nodes: [b]
",
        );
    }
}

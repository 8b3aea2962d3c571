//! What `unknown-state-root` finds here. Reports a name at the beginning of a path that is no part of the run's
//! state.

use nodewise_expr::filtrex::FindingKind;

use crate::diagnostic::Severity;
use crate::rule::{Context, Needs, Part, Report};
use crate::rules::expression::{self, Harm};

pub(super) static PART: Part = Part {
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
            "unknown-state-root",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: verifier, verifier_config: {type: expression, expression: approved == 1}}
#                                                                           ^^^^^^^^ warning[unknown-state-root]
edges:
  - {source: a, target: a, condition: {type: conditional, condition: approved == 1}}
#                                                                    ^^^^^^^^ warning[unknown-state-root]
  - {source: a, target: a, condition: {type: always, condition: approved == 1}}
start_node: a
end_nodes: [b]
",
        );
    }
}

//! What `foreign-literal` finds in cycgraph.

use nodewise_expr::filtrex::{self, FindingKind};

use crate::conditions::{ConditionFacts, ConditionFindingKind};
use crate::diagnostic::Severity;
use crate::rule::{Context, Report, RulePart};
use crate::rules::expressions::expression;

pub(in crate::rules) static PART: RulePart =
    RulePart { severity: Severity::Warning, check, ..RulePart::DEFAULT };

fn check(context: &Context<'_>, report: &mut Report) {
    // The release warns about the other cases itself, and another rule reports that.
    let is_silent = |facts: &ConditionFacts| facts.has(literal()) && !filtrex::warns_of_booleans(&facts.text);
    let edges = expression::of_edges(context, is_silent);
    for facts in edges.chain(expression::in_language(context, filtrex::VERIFIER)) {
        for finding in facts.findings.iter().filter(|finding| finding.kind == literal()) {
            report.push(expression::shown(finding).label("nothing has this name"));
        }
    }
}

fn literal() -> ConditionFindingKind {
    ConditionFindingKind::of(FindingKind::ForeignLiteral)
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn also_booleans_in_verifiers() {
        check_rule(
            "foreign-literal",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: verifier, verifier_config: {type: expression, expression: memory.ok == true}}
#                                                                           ^^^^^^^^^^^^^^^^^ warning[foreign-literal]
edges:
  - {source: a, target: a, condition: {type: conditional, condition: memory.n == null}}
#                                                                    ^^^^^^^^^^^^^^^^ warning[foreign-literal]
  - {source: a, target: a, condition: {type: conditional, condition: memory.n == true}}
start_node: a
end_nodes: [b]
",
        );
    }
}

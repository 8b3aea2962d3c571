//! What `invalid-expression` finds in cycgraph.

use crate::conditions::ConditionFindingKind;
use crate::diagnostic::Severity;
use crate::rule::{Context, Report, RulePart};
use crate::rules::expressions::expression;

pub(in crate::rules) static PART: RulePart =
    RulePart { spec: Some("cycgraph:R13"), severity: Severity::Error, check, ..RulePart::DEFAULT };

fn check(context: &Context<'_>, report: &mut Report) {
    for facts in expression::of_edges(context, |facts| facts.has(ConditionFindingKind::Syntax)) {
        let syntax = facts.findings.iter().filter(|finding| finding.kind == ConditionFindingKind::Syntax);
        // Another rule reports empty expressions.
        for finding in syntax.filter(|_| !facts.text.is_empty()) {
            report.push(expression::shown(finding).spec("cycgraph:R13").label("the graph does not load"));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_fix, check_rule};

    #[test]
    fn the_first_fault() {
        check_rule(
            "invalid-expression",
            r#"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: router}
edges:
  - {source: a, target: a, condition: {type: conditional, condition: "memory.x && memory.y"}}
#                                                                              ^^ error[invalid-expression]
  - {source: a, target: a, condition: {type: always, condition: "memory.x && memory.y"}}
  - {source: a, target: a, condition: {type: conditional, condition: ''}}
start_node: a
end_nodes: [b]
"#,
        );
    }

    #[test]
    fn what_is_certain_is_fixed() {
        check_fix(
            "invalid-expression",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: router}
edges:
  - {source: a, target: a, condition: {type: conditional, condition: memory.x && memory.y}}
start_node: a
end_nodes: [b]
",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: router}
edges:
  - {source: a, target: a, condition: {type: conditional, condition: memory.x and memory.y}}
start_node: a
end_nodes: [b]
",
        );
    }
}

//! What `missing-condition` finds in cycgraph.

use nodewise_model::graph::{EdgeCondition, EdgeGuard};

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Context, Report, RulePart};

pub(in crate::rules) static PART: RulePart =
    RulePart { spec: Some("cycgraph:R12"), severity: Severity::Warning, check, ..RulePart::DEFAULT };

fn check(context: &Context<'_>, report: &mut Report) {
    for edge in context.graphs().flat_map(|graph| &graph.edges) {
        let EdgeGuard::When(Some(EdgeCondition::Expression(expression))) = &edge.guard else { continue };
        let at = match expression {
            Some(expression) if !expression.text.is_empty() => continue,
            Some(expression) => expression.at,
            None => edge.head,
        };
        report.push(
            Finding::new(at, "the conditional edge has no expression")
                .spec("cycgraph:R12")
                .label("it is never followed")
                .help("add the expression, or make the edge unconditional"),
        );
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn in_broken_text_an_empty_condition_is_sure_and_a_missing_one_is_not() {
        check_rule(
            "missing-condition",
            r#"
kind: Node
name: router
func: r.route
nodes:
  - {target: router}
  - {target: router, when: ""}
#                          ^^ error[missing-condition]: the condition is empty
llm_nodes: [a
"#,
        );
    }

    #[test]
    fn missing_or_empty() {
        check_rule(
            "missing-condition",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: router}
edges:
  - {source: a, target: a, condition: {type: conditional}}
#    ^^^^^^ warning[missing-condition]: the conditional edge has no expression
  - {source: a, target: a, condition: {type: conditional, condition: ''}}
#                                                                    ^^ warning[missing-condition]: the conditional edge has no expression
  - {source: a, target: a, condition: {type: always}}
start_node: a
end_nodes: [b]
",
        );
    }
}

//! ## What it does
//!
//! Reports a conditional edge without an expression, or with an empty one.
//!
//! ## Why it matters
//!
//! The edge is never followed: what is not there does not hold.
//!
//! ## Example
//!
//! ```yaml expect=expression-missing
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: router}
//!   - {id: b, type: router}
//! edges:
//!   - {source: a, target: b, condition: {type: conditional}}
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
//!   - {source: a, target: b, condition: {type: conditional, condition: memory.done}}
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [b]
//! ```

use nodewise_model::graph::{EdgeCondition, Way};

use super::step;
use crate::diagnostic::{Finding, Severity};
use crate::rule::{Context, Needs, Report, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "expression-missing",
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
    let Some(class) = step::class(context, &["cycgraph:R12"]) else { return };
    for edge in context.graphs().flat_map(|graph| &graph.edges) {
        let Way::When(Some(EdgeCondition::Expression(expression))) = &edge.way else { continue };
        let at = match expression {
            Some(expression) if !expression.text.is_empty() => continue,
            Some(expression) => expression.at,
            None => edge.head,
        };
        report.push(
            Finding::new(at, "the conditional edge has no expression")
                .spec(class)
                .label("it is never followed")
                .help("add the expression, or make the edge unconditional"),
        );
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn missing_or_empty() {
        check_rule(
            "expression-missing",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: router}
edges:
  - {source: a, target: a, condition: {type: conditional}}
#    ^^^^^^ warning[expression-missing]: the conditional edge has no expression
  - {source: a, target: a, condition: {type: conditional, condition: ''}}
#                                                                    ^^ warning[expression-missing]: the conditional edge has no expression
  - {source: a, target: a, condition: {type: always}}
start_node: a
end_nodes: [b]
",
        );
    }
}

//! ## What it does
//!
//! Reports an edge that lacks a condition.
//!
//! In cycgraph, this is a conditional edge without an expression, or with an empty one.
//!
//! In Liman, this is an edge without `when`, after overlays are applied, or with an empty one: `when:` with
//! nothing, `null` or an empty text. Write `when: "true"`, or only the name of the node, for an edge that is
//! always followed.
//!
//! ## Why it matters
//!
//! In cycgraph, the edge is never followed: a missing expression counts as false.
//!
//! In Liman, the specification requires a condition. The packages always follow such an edge, which may not be
//! what you meant.
//!
//! ## Example
//!
//! In cycgraph:
//!
//! ```yaml expect=missing-condition
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
//! In Liman:
//!
//! ```yaml expect=missing-condition
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: router}
//! ```
//!
//! In Liman, an empty condition:
//!
//! ```yaml expect=missing-condition
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: router, when: ""}
//! ```
//!
//! ## Instead
//!
//! In cycgraph:
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
//!
//! In Liman:
//!
//! ```yaml ok
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: done, when: "true"}
//! ---
//! kind: Node
//! name: done
//! func: r.done
//! ```
//!
//! In Liman, an empty condition:
//!
//! ```yaml ok
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: done, when: "true"}
//! ---
//! kind: Node
//! name: done
//! func: r.done
//! ```

mod empty;
mod liman;

use nodewise_model::graph::{EdgeCondition, Way};

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Needs, Report, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "missing-condition",
    former: &["expression-missing", "when-empty", "when-missing"],
    category: Category::Correctness,
    is_fixable: false,
    since: "0.1.0",
    spec: Some("cycgraph:R12"),
    systems: &["cycgraph"],
    severity: Severity::Warning,
    absence: false,
    about_syntax: false,
    about_form: false,
    needs: Needs::Nothing,
    also: &[&liman::PART, &empty::PART],
    check,
};

fn check(context: &Context<'_>, report: &mut Report) {
    for edge in context.graphs().flat_map(|graph| &graph.edges) {
        let Way::When(Some(EdgeCondition::Expression(expression))) = &edge.way else { continue };
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

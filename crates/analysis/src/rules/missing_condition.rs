//! ## What it does
//!
//! Reports a conditional edge without an expression, or with an empty one.
//!
//! Reports an edge without a condition, after overlays have added theirs. An edge that is always
//! followed says so: `when: "true"`, or it is a plain name.
//!
//! Reports an edge whose condition is there and empty: `when:` with nothing, `null` or an empty text.
//!
//! ## Why it matters
//!
//! The edge is never followed: what is not there does not hold.
//!
//! The specification requires a condition. The packages follow such an edge always, which may not be
//! what was meant.
//!
//! The packages take an empty condition for no condition and follow the edge always.
//!
//! ## Example
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
//! ```yaml expect=missing-condition
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: router}
//! ```
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

use super::step;
use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Needs, Report, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "missing-condition",
    former: &["expression-missing", "when-empty", "when-missing"],
    category: Category::Suspicious,
    is_fixable: false,
    since: "0.1.0",
    spec: None,
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

//! ## What it does
//!
//! Reports an expression on an edge that is always followed.
//!
//! ## Why it matters
//!
//! The edge is followed whatever the expression says; the release does not even parse it.
//!
//! ## Example
//!
//! ```yaml expect=ignored-condition
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: router}
//!   - {id: b, type: router}
//! edges:
//!   - {source: a, target: b, condition: {type: always, condition: memory.done}}
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

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};

pub(crate) static RULE: Rule = Rule {
    id: "ignored-condition",
    former: &[],
    category: Category::Suspicious,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for edge in context.graphs().flat_map(|graph| &graph.edges) {
        for key in &edge.foreign_keys {
            report.push(
                Finding::new(*key, "the edge is followed whatever the expression says")
                    .label("nothing reads it")
                    .help("write `type: conditional`, or remove the expression"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn on_edges_that_are_always_followed() {
        check_rule(
            "ignored-condition",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: router}
edges:
  - {source: a, target: a, condition: {type: always, condition: 'x &&'}}
#                                                    ^^^^^^^^^ warning[ignored-condition]
  - {source: a, target: a, condition: {type: conditional, condition: memory.x}}
start_node: a
end_nodes: [b]
",
        );
    }
}

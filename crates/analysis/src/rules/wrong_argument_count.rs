//! ## What it does
//!
//! Reports a call of a function with too many or too few arguments.
//!
//! ## Why it matters
//!
//! In cycgraph, nothing checks the number: an argument too many is ignored, and a missing one has no value.
//!
//! In Liman, the condition fails when it is evaluated, so the edge is never followed.
//!
//! ## Example
//!
//! In cycgraph:
//!
//! ```yaml expect=wrong-argument-count
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: router}
//!   - {id: b, type: router}
//! edges:
//!   - {source: a, target: b, condition: {type: conditional, condition: "exists(memory.a, memory.b)"}}
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [b]
//! ```
//!
//! In Liman:
//!
//! ```yaml expect=wrong-argument-count
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: router, when: $now(deadline) > 0}
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
//!   - {source: a, target: b, condition: {type: conditional, condition: exists(memory.a) and exists(memory.b)}}
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
//!   - {target: router, when: $now() > deadline}
//! ```

mod liman;

use nodewise_expr::filtrex::FindingKind;

use super::expression::{self, Harm};
use crate::diagnostic::Severity;
use crate::rule::{Category, Context, Needs, Report, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "wrong-argument-count",
    former: &["function-arity", "when-arity"],
    category: Category::Correctness,
    is_fixable: true,
    since: "0.1.0",
    spec: None,
    systems: &["cycgraph"],
    severity: Severity::Hint,
    absence: false,
    about_syntax: false,
    about_form: false,
    needs: Needs::Nothing,
    also: &[&liman::PART],
    check,
};

fn check(context: &Context<'_>, report: &mut Report) {
    let harm = Harm {
        edge: "the release reads something else than is written",
        verifier: "the release reads something else than is written",
    };
    expression::check(context, FindingKind::Arity, &harm, report);
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn in_edges_and_verifiers() {
        check_rule(
            "wrong-argument-count",
            r#"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: verifier, verifier_config: {type: expression, expression: "exists(memory.a, memory.b)"}}
#                                                                            ^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[wrong-argument-count]
edges:
  - {source: a, target: a, condition: {type: conditional, condition: "exists(memory.a, memory.b)"}}
#                                                                     ^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[wrong-argument-count]
  - {source: a, target: a, condition: {type: always, condition: "exists(memory.a, memory.b)"}}
start_node: a
end_nodes: [b]
"#,
        );
    }
}

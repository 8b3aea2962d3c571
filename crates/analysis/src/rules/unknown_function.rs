//! ## What it does
//!
//! Reports a call of a function that the language does not have: filtrex in cycgraph, LimanCE in Liman.
//!
//! ## Why it matters
//!
//! In cycgraph, the call ends in an error: an edge is not followed, and a verifier passes.
//!
//! In Liman, the condition fails when it is evaluated, so the edge is never followed.
//!
//! ## Example
//!
//! In cycgraph:
//!
//! ```yaml expect=unknown-function
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: router}
//!   - {id: b, type: router}
//! edges:
//!   - {source: a, target: b, condition: {type: conditional, condition: isset(memory.a)}}
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [b]
//! ```
//!
//! In Liman:
//!
//! ```yaml expect=unknown-function
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: router, when: $is_eror()}
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
//!   - {source: a, target: b, condition: {type: conditional, condition: exists(memory.a)}}
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
//!   - {target: router, when: $is_error()}
//! ```

mod liman;

use nodewise_expr::filtrex::FindingKind;

use super::expression::{self, Harm};
use crate::diagnostic::Severity;
use crate::rule::{Category, Context, Needs, Report, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "unknown-function",
    former: &["when-unknown-builtin"],
    category: Category::Correctness,
    is_fixable: true,
    since: "0.1.0",
    spec: None,
    systems: &["cycgraph"],
    severity: Severity::Warning,
    absence: false,
    about_syntax: false,
    about_form: false,
    needs: Needs::Nothing,
    also: &[&liman::PART],
    check,
};

fn check(context: &Context<'_>, report: &mut Report) {
    let harm = Harm {
        edge: "an error counts as false: the edge is never followed",
        verifier: "an error passes: whatever the value, it is verified",
    };
    expression::check(context, FindingKind::UnknownFunction, &harm, report);
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn in_edges_and_verifiers() {
        check_rule(
            "unknown-function",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: verifier, verifier_config: {type: expression, expression: isset(memory.a)}}
#                                                                           ^^^^^ warning[unknown-function]
edges:
  - {source: a, target: a, condition: {type: conditional, condition: isset(memory.a)}}
#                                                                    ^^^^^ warning[unknown-function]
  - {source: a, target: a, condition: {type: always, condition: isset(memory.a)}}
start_node: a
end_nodes: [b]
",
        );
    }
}

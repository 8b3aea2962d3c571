//! ## What it does
//!
//! Reports a function with too many or too few arguments.
//!
//! ## Why it matters
//!
//! Nothing checks them: what is too much is not looked at, what is missing is nothing.
//!
//! ## Example
//!
//! ```yaml expect=function-arity
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
//! ## Instead
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

use nodewise_expr::filtrex::FindingKind;

use super::expression::{self, Harm};
use crate::diagnostic::Severity;
use crate::rule::{Context, Needs, Report, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "function-arity",
    spec: None,
    systems: &["cycgraph"],
    severity: Severity::Hint,
    absence: false,
    about_syntax: false,
    about_form: false,
    needs: Needs::Nothing,
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
            "function-arity",
            r#"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: verifier, verifier_config: {type: expression, expression: "exists(memory.a, memory.b)"}}
#                                                                            ^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[function-arity]
edges:
  - {source: a, target: a, condition: {type: conditional, condition: "exists(memory.a, memory.b)"}}
#                                                                     ^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[function-arity]
  - {source: a, target: a, condition: {type: always, condition: "exists(memory.a, memory.b)"}}
start_node: a
end_nodes: [b]
"#,
        );
    }
}

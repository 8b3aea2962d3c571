//! ## What it does
//!
//! Reports a literal of another language, such as `True`, `None`, `nil` or `undefined`.
//!
//! In cycgraph, `null` is one of them, because filtrex has only numbers and texts. `true` and `false` on edges
//! are reported as `boolean-literal`.
//!
//! ## Why it matters
//!
//! The word is read as the name of a variable that does not exist.
//!
//! In cycgraph, `memory.n == null` is true if `n` is missing, and false if it is null.
//!
//! In Liman, `true`, `false` and `null` are written in lower case. Any other spelling is a variable. If it is
//! missing, the condition fails and the edge is never followed.
//!
//! ## Example
//!
//! In cycgraph:
//!
//! ```yaml expect=foreign-literal
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: router}
//!   - {id: b, type: router}
//! edges:
//!   - {source: a, target: b, condition: {type: conditional, condition: memory.n == null}}
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [b]
//! ```
//!
//! In Liman:
//!
//! ```yaml expect=foreign-literal
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: router, when: owner != None}
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
//!   - {source: a, target: b, condition: {type: conditional, condition: not exists(memory.n)}}
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
//!   - {target: router, when: owner != null}
//! ```

mod liman;

use nodewise_expr::filtrex::{self, FindingKind};

use super::expression;
use crate::conditions::{ConditionFacts, ConditionFindingKind};
use crate::diagnostic::Severity;
use crate::rule::{Category, Context, Needs, Report, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "foreign-literal",
    former: &["when-suspicious-name"],
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
    // The release itself warns of the others, and a rule of its own says so.
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

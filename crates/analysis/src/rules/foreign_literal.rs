//! ## What it does
//!
//! Reports `null`, `True` and other literals of other languages. filtrex has numbers and texts only. `true`
//! and `false` on edges are reported as `boolean-literal`.
//!
//! Reports a variable that is another language's literal: `True`, `None`, `nil`, `undefined`.
//!
//! ## Why it matters
//!
//! The word is the name of something that does not exist. `memory.n == null` holds when `n` is missing, and
//! does not when it is null.
//!
//! LimanCE writes `true`, `false` and `null` in lower case only. Anything else is a variable; when it is
//! not there, the condition fails and the edge is never followed.
//!
//! ## Example
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
//! ```yaml ok
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: router, when: owner != null}
//! ```

mod liman;

use nodewise_dialect::table::Language;
use nodewise_expr::filtrex::{self, FindingKind};

use super::expression;
use crate::conditions::{ConditionFacts, ConditionFindingKind};
use crate::diagnostic::Severity;
use crate::rule::{Category, Context, Needs, Report, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "foreign-literal",
    former: &["when-suspicious-name"],
    category: Category::Suspicious,
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
    let is_silent = |facts: &ConditionFacts| facts.has(LITERAL) && !filtrex::warns_of_booleans(&facts.text);
    let edges = expression::of_edges(context, is_silent);
    for facts in edges.chain(expression::in_language(context, Language::FiltrexVerifier)) {
        for finding in facts.findings.iter().filter(|finding| finding.kind == LITERAL) {
            report.push(expression::shown(finding).label("the word is a name that nothing has"));
        }
    }
}

const LITERAL: ConditionFindingKind = ConditionFindingKind::Filtrex(FindingKind::ForeignLiteral);

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

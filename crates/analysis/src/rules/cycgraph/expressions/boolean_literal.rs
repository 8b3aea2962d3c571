//! ## What it does
//!
//! Reports `true` or `false` in an edge's expression, outside of quoted texts.
//!
//! ## Why it matters
//!
//! filtrex has no such literals: the words are names of keys that do not exist. `memory.flag == true` holds
//! exactly when `flag` is missing, and does not when it is true.
//!
//! ## Example
//!
//! ```yaml expect=boolean-literal
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: agent, agent_id: x, write_keys: [done]}
//!   - {id: b, type: router}
//! edges:
//!   - {source: a, target: b, condition: {type: conditional, condition: memory.done == true}}
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
//!   - {id: a, type: agent, agent_id: x, write_keys: [done]}
//!   - {id: b, type: router}
//! edges:
//!   - {source: a, target: b, condition: {type: conditional, condition: memory.done}}
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [b]
//! ```

use nodewise_expr::filtrex::{self, FindingKind};

use crate::conditions::ConditionFindingKind;
use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::expressions::expression;

pub(crate) static RULE: Rule = Rule {
    id: "boolean-literal",
    former: &[],
    category: Category::Correctness,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart { spec: Some("cycgraph:R14"), severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for facts in expression::of_edges(context, |facts| filtrex::warns_of_booleans(&facts.text)) {
        let known = facts.findings.iter().find(|finding| finding.kind == literal());
        let finding = match known {
            Some(known) => expression::shown(known),
            None => Finding::new(facts.at, "filtrex has neither `true` nor `false`")
                .help("write `memory.flag` or `not memory.flag`, or compare with 1, 0 or a text"),
        };
        report.push(finding.spec("cycgraph:R14").label("the word is the name of a key that does not exist"));
    }
}

fn literal() -> ConditionFindingKind {
    ConditionFindingKind::of(FindingKind::ForeignLiteral)
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn outside_of_texts() {
        check_rule(
            "boolean-literal",
            r#"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: router}
edges:
  - {source: a, target: a, condition: {type: conditional, condition: "memory.a == 'true' and memory.b != false"}}
#                                                                                            ^^^^^^^^^^^^^^^^^ warning[boolean-literal]
  - {source: a, target: a, condition: {type: conditional, condition: memory.trueish and memory.is_true}}
  - {source: a, target: a, condition: {type: conditional, condition: memory.true}}
#                                                                    ^^^^^^^^^^^ warning[boolean-literal]: filtrex has neither `true` nor `false`
  - {source: a, target: a, condition: {type: conditional, condition: memory.n == true}}
#                                                                    ^^^^^^^^^^^^^^^^ warning[boolean-literal]
start_node: a
end_nodes: [b]
"#,
        );
    }
}

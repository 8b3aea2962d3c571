//! ## What it does
//!
//! Reports a verifier with `throw_on_fail` that judges by an expression or a JSONPath and is tried several
//! times. The default is 3 tries.
//!
//! ## Why it matters
//!
//! Its verdict is the same each time, because nothing else runs in between. The run only waits longer before
//! it fails.
//!
//! ## Example
//!
//! ```yaml expect=repeated-verdict
//! name: desk
//! description: A desk.
//! inputs:
//!   items: {schema: {type: array}}
//!   topic: {schema: {type: string}}
//! nodes:
//!   - {id: a, type: verifier, read_keys: [topic], verifier_config: {type: expression, expression: length(memory.topic) > 3, throw_on_fail: true}}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! name: desk
//! description: A desk.
//! inputs:
//!   items: {schema: {type: array}}
//!   topic: {schema: {type: string}}
//! nodes:
//!   - {id: a, type: verifier, read_keys: [topic], verifier_config: {type: expression, expression: length(memory.topic) > 3, throw_on_fail: true}, failure_policy: {max_retries: 0}}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```

use nodewise_model::cycgraph::{Verification, Work};

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::cycgraph::located_nodes::nodes;

pub(crate) static RULE: Rule = Rule {
    id: "repeated-verdict",
    former: &[],
    category: Category::Cost,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Hint, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for visit in nodes(context) {
        let Work::Verifier(verifier) = Work::of(visit.node) else { continue };
        let is_fixed =
            matches!(verifier.verification, Some(Verification::Expression(_) | Verification::JsonPath(_)));
        let tries = visit.node.failure.attempts.as_ref().map_or(1.0, |tries| tries.value);
        let at = verifier.throws.at.filter(|_| verifier.throws.value && is_fixed && tries > 1.0);
        if let Some(at) = at {
            report.push(
                Finding::new(at, format!("a failed check is repeated {tries} times without effect"))
                    .label("its verdict is the same each time")
                    .help("write `failure_policy: {max_retries: 0}`"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn models_may_change_their_mind() {
        check_rule(
            "repeated-verdict",
            r#"
name: desk
description: A desk.
inputs:
  items: {schema: {type: array}}
  topic: {schema: {type: string}}
nodes:
  - {id: a, type: verifier, read_keys: [topic], verifier_config: {type: expression, expression: length(memory.topic) > 3, throw_on_fail: true}, failure_policy: {max_retries: 2}}
#                                                                                                                                        ^^^^ hint[repeated-verdict]: a failed check is repeated 2 times without effect
  - {id: b, type: verifier, read_keys: [topic], verifier_config: {type: llm_judge, target_key: topic, evaluator_agent_id: x, throw_on_fail: true}}
edges: []
start_node: a
end_nodes: [b]
"#,
        );
    }
}

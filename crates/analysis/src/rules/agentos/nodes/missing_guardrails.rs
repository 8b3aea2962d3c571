//! ## What it does
//!
//! Reports a guardrail policy that names no guardrail for what goes in or for what comes out.
//!
//! ## Why it matters
//!
//! Nothing is checked.
//!
//! ## Example
//!
//! ```yaml expect=missing-guardrails
//! id: graph-a
//! name: a
//! nodes:
//!   - {id: say, type: gmi, executorConfig: {type: gmi, instructions: Answer.}, executionMode: single_turn, effectClass: read, checkpoint: none, guardrailPolicy: {onViolation: warn}}
//! edges:
//!   - {id: e1, source: __START__, target: say, type: static}
//!   - {id: e2, source: say, target: __END__, type: static}
//! stateSchema: {input: {}, scratch: {}, artifacts: {}}
//! reducers: {}
//! checkpointPolicy: none
//! memoryConsistency: snapshot
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! id: graph-a
//! name: a
//! nodes:
//!   - {id: say, type: gmi, executorConfig: {type: gmi, instructions: Answer.}, executionMode: single_turn, effectClass: read, checkpoint: none, guardrailPolicy: {output: [tone], onViolation: warn}}
//! edges:
//!   - {id: e1, source: __START__, target: say, type: static}
//!   - {id: e2, source: say, target: __END__, type: static}
//! stateSchema: {input: {}, scratch: {}, artifacts: {}}
//! reducers: {}
//! checkpointPolicy: none
//! memoryConsistency: snapshot
//! ```

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::agentos::routing_targets;

pub(crate) static RULE: Rule = Rule {
    id: "missing-guardrails",
    former: &["toothless-guardrails"],
    category: Category::Security,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { spec: Some("agentos:I19"), severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for policy in routing_targets::guardrail_policies(context) {
        if policy.input.is_empty() && policy.output.is_empty() {
            report.push(
                Finding::new(policy.at, "the policy names no guardrail")
                    .label("nothing is checked")
                    .help("list guardrails under `input` or `output`"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn one_list_is_enough() {
        check_rule(
            "missing-guardrails",
            r#"
nodes:
  - {id: a, executorConfig: {type: tool}, guardrailPolicy: {onViolation: block}}
#                                         ^^^^^^^^^^^^^^^ warning[missing-guardrails]: the policy names no guardrail
  - {id: b, executorConfig: {type: tool}, guardrailPolicy: {input: [], output: [x]}}
edges:
  - {source: a, target: b, type: static, guardrailPolicy: {input: []}}
#                                        ^^^^^^^^^^^^^^^ warning[missing-guardrails]: the policy names no guardrail
"#,
        );
    }
}

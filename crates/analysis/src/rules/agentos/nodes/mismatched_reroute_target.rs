//! ## What it does
//!
//! Reports guardrails whose action on a violation is `reroute` and that name no target, and a target beside
//! another action.
//!
//! ## Why it matters
//!
//! Without a target the run halts on a violation. With another action the target is ignored.
//!
//! ## Example
//!
//! ```yaml expect=mismatched-reroute-target
//! id: graph-a
//! name: a
//! nodes:
//!   - {id: gate, type: guardrail, executorConfig: {type: guardrail, guardrailIds: [pii], onViolation: reroute}, executionMode: single_turn, effectClass: pure, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: gate, type: static}
//!   - {id: e2, source: gate, target: __END__, type: static}
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
//!   - {id: gate, type: guardrail, executorConfig: {type: guardrail, guardrailIds: [pii], onViolation: reroute, rerouteTarget: redact}, executionMode: single_turn, effectClass: pure, checkpoint: none}
//!   - {id: store, type: tool, executorConfig: {type: tool, toolName: store}, executionMode: single_turn, effectClass: external, checkpoint: none}
//!   - {id: redact, type: tool, executorConfig: {type: tool, toolName: redact}, executionMode: single_turn, effectClass: external, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: gate, type: static}
//!   - {id: e2, source: gate, target: store, type: static}
//!   - {id: e3, source: gate, target: redact, type: static}
//!   - {id: e4, source: store, target: __END__, type: static}
//!   - {id: e5, source: redact, target: __END__, type: static}
//! stateSchema: {input: {}, scratch: {}, artifacts: {}}
//! reducers: {}
//! checkpointPolicy: none
//! memoryConsistency: snapshot
//! ```

use nodewise_dialect::tables::agentos::{ACTIONS_ON_VIOLATION, REROUTE_ACTION};
use nodewise_model::Located;
use nodewise_model::agentos::Work;
use smol_str::SmolStr;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::agentos::routing_targets;
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "mismatched-reroute-target",
    former: &["reroute-target"],
    category: Category::Suspicious,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { spec: Some("agentos:I18"), severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for node in context.graph_nodes() {
        if let Work::Guardrail(guardrail) = Work::of(node) {
            judge(guardrail.on_violation.as_ref(), guardrail.reroute.as_ref(), report);
        }
    }
    for policy in routing_targets::guardrail_policies(context) {
        judge(policy.on_violation.as_ref(), policy.reroute.as_ref(), report);
    }
}

fn judge(action: Option<&Located<SmolStr>>, target: Option<&Located<SmolStr>>, report: &mut Report) {
    let Some(action) = action else { return };
    let is_known = ACTIONS_ON_VIOLATION.iter().any(|known| action.value == known.text);
    match target {
        None if action.value == REROUTE_ACTION => report.push_at(
            Severity::Error,
            Finding::new(action.at, "a violation is rerouted, but nothing says where to")
                .label("a violation halts the run")
                .help("name the node as `rerouteTarget`, and draw an edge to it"),
        ),
        Some(target) if is_known && action.value != REROUTE_ACTION => report.push(
            Finding::new(target.at, format!("`{}` leads nowhere: nothing is rerouted", short(&target.value)))
                .label(format!("the action on a violation is `{}`", action.value))
                .help(format!("write `{REROUTE_ACTION}` as the action, or leave the target out")),
        ),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn in_nodes_policies_and_edges() {
        check_rule(
            "mismatched-reroute-target",
            r#"
nodes:
  - {id: a, executorConfig: {type: guardrail, onViolation: reroute}, guardrailPolicy: {onViolation: block, rerouteTarget: b}}
#                                                          ^^^^^^^ error[mismatched-reroute-target]: a violation is rerouted, but nothing says where to
#                                                                                                                         ^ warning[mismatched-reroute-target]: `b` leads nowhere: nothing is rerouted
  - {id: b, executorConfig: {type: guardrail, onViolation: reroute, rerouteTarget: a}, guardrailPolicy: {onViolation: odd, rerouteTarget: b}}
edges:
  - {source: a, target: b, type: static, guardrailPolicy: {onViolation: reroute}}
#                                                                       ^^^^^^^ error[mismatched-reroute-target]: a violation is rerouted, but nothing says where to
"#,
        );
    }
}

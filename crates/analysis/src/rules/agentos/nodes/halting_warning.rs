//! ## What it does
//!
//! Reports a guardrail node whose action on a violation is `warn` or `sanitize`.
//!
//! ## Why it matters
//!
//! In the documentation, the run continues. The release halts it, as with `block`: only `reroute` continues.
//!
//! ## Example
//!
//! ```yaml expect=halting-warning
//! id: graph-a
//! name: a
//! nodes:
//!   - {id: gate, type: guardrail, executorConfig: {type: guardrail, guardrailIds: [pii], onViolation: warn}, executionMode: single_turn, effectClass: pure, checkpoint: none}
//!   - {id: store, type: tool, executorConfig: {type: tool, toolName: store}, executionMode: single_turn, effectClass: external, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: gate, type: static}
//!   - {id: e2, source: gate, target: store, type: static}
//!   - {id: e3, source: store, target: __END__, type: static}
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

use nodewise_dialect::tables::agentos::HALTING_ACTIONS;
use nodewise_model::agentos::Work;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};

pub(crate) static RULE: Rule = Rule {
    id: "halting-warning",
    former: &[],
    category: Category::Suspicious,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Hint, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for node in context.graph_nodes() {
        let Work::Guardrail(guardrail) = Work::of(node) else { continue };
        let action = guardrail.on_violation.as_ref();
        if let Some(action) = action.filter(|action| HALTING_ACTIONS.contains(&action.value.as_str())) {
            report.push(
                Finding::new(action.at, format!("`{}` halts the run, as `block` does", action.value))
                    .label("the run continues in the documentation, but not in the release")
                    .help("write `block` if it is meant, or reroute to a node that continues"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn two_words_halt() {
        check_rule(
            "halting-warning",
            r#"
nodes:
  - {id: a, executorConfig: {type: guardrail, onViolation: warn}}
#                                                          ^^^^ hint[halting-warning]: `warn` halts the run, as `block` does
  - {id: b, executorConfig: {type: guardrail, onViolation: sanitize}}
#                                                          ^^^^^^^^ hint[halting-warning]: `sanitize` halts the run, as `block` does
  - {id: c, executorConfig: {type: guardrail, onViolation: block}}
edges:
"#,
        );
    }
}

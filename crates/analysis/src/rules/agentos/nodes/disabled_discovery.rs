//! ## What it does
//!
//! Reports settings of a discovery policy that is switched off.
//!
//! ## Why it matters
//!
//! With `enabled: false` the rest has no effect.
//!
//! ## Example
//!
//! ```yaml expect=disabled-discovery
//! id: graph-a
//! name: a
//! nodes:
//!   - {id: say, type: gmi, executorConfig: {type: gmi, instructions: Go.}, executionMode: single_turn, effectClass: read, checkpoint: none, discoveryPolicy: {enabled: false, query: search}}
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
//!   - {id: say, type: gmi, executorConfig: {type: gmi, instructions: Go.}, executionMode: single_turn, effectClass: read, checkpoint: none, discoveryPolicy: {enabled: false}}
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

pub(crate) static RULE: Rule = Rule {
    id: "disabled-discovery",
    former: &[],
    category: Category::Suspicious,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { spec: Some("agentos:I33"), severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for policy in context.graph_nodes().filter_map(|node| node.host.as_ref()?.discovery.as_ref()) {
        if policy.enabled == Some(false) {
            for other in &policy.others {
                report.push(
                    Finding::new(*other, "the policy is switched off")
                        .label("this has no effect")
                        .help("switch it on with `enabled: true`, or remove this"),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn only_when_off() {
        check_rule(
            "disabled-discovery",
            r#"
nodes:
  - {id: a, executorConfig: {type: gmi}, discoveryPolicy: {enabled: false, query: q, kind: tool}}
#                                                                          ^^^^^ warning[disabled-discovery]: the policy is switched off
#                                                                                    ^^^^ warning[disabled-discovery]: the policy is switched off
  - {id: b, executorConfig: {type: gmi}, discoveryPolicy: {query: q}}
edges:
"#,
        );
    }
}

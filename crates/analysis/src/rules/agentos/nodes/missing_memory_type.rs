//! ## What it does
//!
//! Reports a memory policy that keeps the output as a memory and does not name its type.
//!
//! ## Why it matters
//!
//! A host cannot tell where to keep it.
//!
//! ## Example
//!
//! ```yaml expect=missing-memory-type
//! id: graph-a
//! name: a
//! nodes:
//!   - {id: say, type: gmi, executorConfig: {type: gmi, instructions: Go.}, executionMode: single_turn, effectClass: read, checkpoint: none, memoryPolicy: {consistency: live, write: {autoEncode: true}}}
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
//!   - {id: say, type: gmi, executorConfig: {type: gmi, instructions: Go.}, executionMode: single_turn, effectClass: read, checkpoint: none, memoryPolicy: {consistency: live, write: {autoEncode: true, type: episodic}}}
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
    id: "missing-memory-type",
    former: &["memory-without-type"],
    category: Category::Suspicious,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { spec: Some("agentos:I32"), severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for policy in context.graph_nodes().filter_map(|node| node.host.as_ref()?.memory.as_ref()) {
        if let Some(at) = policy.auto_encode.filter(|_| !policy.has_write_type) {
            report.push(
                Finding::new(at, "the policy does not say which memory the output becomes")
                    .label("a host cannot tell where to keep it")
                    .help("add the `type`, for instance `episodic`"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn only_where_it_is_kept() {
        check_rule(
            "missing-memory-type",
            r#"
nodes:
  - {id: a, executorConfig: {type: gmi}, memoryPolicy: {write: {autoEncode: true}}}
#                                                                           ^^^^ warning[missing-memory-type]: the policy does not say which memory the output becomes
  - {id: b, executorConfig: {type: gmi}, memoryPolicy: {write: {autoEncode: false}}}
edges:
"#,
        );
    }
}

//! ## What it does
//!
//! Reports what a node asks of a host: policies for memory, discovery, persona and guardrails, another model.
//!
//! ## Why it matters
//!
//! The base runtime ignores all of it. It means something only to a host that looks at it.
//!
//! ## Example
//!
//! ```yaml expect=ignored-policy
//! id: graph-a
//! name: a
//! nodes:
//!   - {id: say, type: gmi, executorConfig: {type: gmi, instructions: Go.}, executionMode: single_turn, effectClass: read, checkpoint: none, guardrailPolicy: {output: [tone], onViolation: block}}
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
//!   - {id: say, type: gmi, executorConfig: {type: gmi, instructions: Go.}, executionMode: single_turn, effectClass: read, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: say, type: static}
//!   - {id: e2, source: say, target: __END__, type: static}
//! stateSchema: {input: {}, scratch: {}, artifacts: {}}
//! reducers: {}
//! checkpointPolicy: none
//! memoryConsistency: snapshot
//! ```

use nodewise_model::Origin;
use nodewise_model::graph::HostPolicies;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::ranges;

pub(crate) static RULE: Rule = Rule {
    id: "ignored-policy",
    former: &[],
    category: Category::Suspicious,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { spec: Some("agentos:I50"), severity: Severity::Hint, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for host in context.graph_nodes().filter_map(|node| node.host.as_deref()) {
        for at in asked(host) {
            let key = ranges::source(context, at).trim_matches('"');
            report.push(
                Finding::new(at, format!("the base runtime ignores `{key}`"))
                    .label("it takes a host that looks at it"),
            );
        }
    }
}

fn asked(host: &HostPolicies) -> impl Iterator<Item = Origin> {
    let policies = [
        host.llm.as_ref().map(|llm| llm.at),
        host.memory.as_ref().map(|policy| policy.at),
        host.discovery.as_ref().map(|policy| policy.at),
        host.persona.as_ref().map(|policy| policy.at),
        host.guardrails.as_ref().map(|policy| policy.at),
    ];
    policies.into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn each_is_shown() {
        check_rule(
            "ignored-policy",
            r#"
nodes:
  - {id: a, executorConfig: {type: gmi}, llm: {}, memoryPolicy: {}, discoveryPolicy: {}, personaPolicy: {}, guardrailPolicy: {}}
#                                        ^^^ hint[ignored-policy]: the base runtime ignores `llm`
#                                                 ^^^^^^^^^^^^ hint[ignored-policy]: the base runtime ignores `memoryPolicy`
#                                                                   ^^^^^^^^^^^^^^^ hint[ignored-policy]: the base runtime ignores `discoveryPolicy`
#                                                                                        ^^^^^^^^^^^^^ hint[ignored-policy]: the base runtime ignores `personaPolicy`
#                                                                                                           ^^^^^^^^^^^^^^^ hint[ignored-policy]: the base runtime ignores `guardrailPolicy`
  - {id: b, executorConfig: {type: gmi}}
edges:
"#,
        );
    }
}

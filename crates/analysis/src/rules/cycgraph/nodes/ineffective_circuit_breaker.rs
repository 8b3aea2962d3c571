//! ## What it does
//!
//! Reports a circuit breaker that is not switched on, and one whose `failure_threshold` is not below the
//! tries of its node.
//!
//! ## Why it matters
//!
//! `enabled` is false unless it is written. A node that used up its tries fails the run, and a success sets
//! the count of failures to 0, so that a breaker with as many failures as tries, or more, never opens. The
//! defaults are 5 failures and 3 tries.
//!
//! ## Example
//!
//! ```yaml expect=ineffective-circuit-breaker
//! name: desk
//! description: A desk.
//! nodes:
//!   - {id: a, type: agent, agent_id: one, write_keys: [reply], failure_policy: {max_retries: 3, circuit_breaker: {enabled: true, failure_threshold: 5}}}
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
//! nodes:
//!   - {id: a, type: agent, agent_id: one, write_keys: [reply], failure_policy: {max_retries: 5, circuit_breaker: {enabled: true, failure_threshold: 3}}}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::cycgraph::located_nodes::nodes;
use crate::rules::graph_findings;

pub(crate) static RULE: Rule = Rule {
    id: "ineffective-circuit-breaker",
    former: &["idle-circuit-breaker"],
    category: Category::Suspicious,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for visit in nodes(context) {
        let policy = &visit.node.failure;
        let (Some(breaker), Some(tries)) = (&policy.breaker, &policy.attempts) else { continue };
        let count = tries.value.max(1.0);
        if breaker.enabled.value && breaker.failures >= count {
            let finding = Finding::new(breaker.at, "this circuit breaker never opens")
                .label(format!("the run fails at {count} tries, it opens at {} failures", breaker.failures))
                .help("let `failure_threshold` be less than `max_retries`, which counts all tries");
            report.push(match tries.at == visit.node.head {
                true => finding,
                false => finding.related(tries.at, "the tries of the node"),
            });
        } else if breaker.enabled.at.is_none() && !graph_findings::is_malformed(context, breaker.at) {
            report.push(
                Finding::new(breaker.at, "this circuit breaker is off")
                    .label("`enabled` is false unless it is written")
                    .help("add `enabled: true`, or remove the breaker"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn off_and_too_late() {
        check_rule(
            "ineffective-circuit-breaker",
            r#"
name: desk
description: A desk.
nodes:
  - {id: a, type: agent, agent_id: one, write_keys: [reply], failure_policy: {max_retries: 3, circuit_breaker: {enabled: true, failure_threshold: 3}}}
#                                                                                             ^^^^^^^^^^^^^^^ warning[ineffective-circuit-breaker]: this circuit breaker never opens
  - {id: b, type: router, failure_policy: {circuit_breaker: {failure_threshold: 2}}}
#                                          ^^^^^^^^^^^^^^^ warning[ineffective-circuit-breaker]: this circuit breaker is off
  - {id: c, type: router, failure_policy: {circuit_breaker: {enabled: false}}}
  - {id: d, type: router, failure_policy: {circuit_breaker: {enabled: true, failure_threshold: 2}}}
  - {id: e, type: router, failure_policy: {circuit_breaker: {enabled: true}}}
#                                          ^^^^^^^^^^^^^^^ warning[ineffective-circuit-breaker]: this circuit breaker never opens
edges: []
start_node: a
end_nodes: [b]
"#,
        );
    }
}

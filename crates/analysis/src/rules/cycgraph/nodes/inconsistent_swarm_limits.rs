//! ## What it does
//!
//! Reports agents with swarms in one graph whose `max_handoffs` differ.
//!
//! ## Why it matters
//!
//! All swarms of a run share one count of hand-overs. Each agent compares that count with its own limit, so
//! that the lower limit is used up by the others.
//!
//! ## Example
//!
//! ```yaml expect=inconsistent-swarm-limits
//! name: desk
//! description: A desk.
//! nodes:
//!   - {id: a, type: agent, agent_id: one, write_keys: [peer_delegation], swarm_config: {peer_nodes: [b], max_handoffs: 4}}
//!   - {id: b, type: agent, agent_id: two, write_keys: [peer_delegation], swarm_config: {peer_nodes: [a], max_handoffs: 9}}
//!   - {id: c, type: router}
//! edges:
//!   - {source: a, target: b}
//!   - {source: b, target: c, condition: {type: conditional, condition: tainted}}
//!   - {source: b, target: a}
//! start_node: a
//! end_nodes: [c]
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! name: desk
//! description: A desk.
//! nodes:
//!   - {id: a, type: agent, agent_id: one, write_keys: [peer_delegation], swarm_config: {peer_nodes: [b], max_handoffs: 4}}
//!   - {id: b, type: agent, agent_id: two, write_keys: [peer_delegation], swarm_config: {peer_nodes: [a], max_handoffs: 4}}
//!   - {id: c, type: router}
//! edges:
//!   - {source: a, target: b}
//!   - {source: b, target: c, condition: {type: conditional, condition: tainted}}
//!   - {source: b, target: a}
//! start_node: a
//! end_nodes: [c]
//! ```

use nodewise_model::cycgraph::working_swarm;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};

pub(crate) static RULE: Rule = Rule {
    id: "inconsistent-swarm-limits",
    former: &["unlike-swarm-limits"],
    category: Category::Suspicious,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Hint, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for graph in context.graphs() {
        let mut swarms = graph.nodes.iter().filter_map(working_swarm);
        let Some(first) = swarms.next() else { continue };
        for swarm in swarms.filter(|swarm| swarm.max_handoffs.value != first.max_handoffs.value) {
            let (limit, other) = (swarm.max_handoffs.value, first.max_handoffs.value);
            let place = first.max_handoffs.at.unwrap_or(first.at);
            report.push(
                Finding::new(swarm.max_handoffs.at.unwrap_or(swarm.at), "swarms share one count")
                    .label(format!("{limit} hand-overs here, {other} at another agent"))
                    .help("write the same limit at every agent of the swarm")
                    .related(place, format!("the limit is {other} here")),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn defaults_count() {
        check_rule(
            "inconsistent-swarm-limits",
            r#"
name: desk
description: A desk.
nodes:
  - {id: a, type: agent, agent_id: x, swarm_config: {peer_nodes: [b]}}
  - {id: b, type: agent, agent_id: x, swarm_config: {peer_nodes: [a], max_handoffs: 10}}
  - {id: c, type: agent, agent_id: x, swarm_config: {peer_nodes: [a], max_handoffs: 3}}
#                                                                                   ^ hint[inconsistent-swarm-limits]: swarms share one count
edges: []
start_node: a
end_nodes: [b]
"#,
        );
    }
}

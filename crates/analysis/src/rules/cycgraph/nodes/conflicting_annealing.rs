//! ## What it does
//!
//! Reports an agent with both `annealing_config` and `swarm_config`.
//!
//! ## Why it matters
//!
//! Annealing wins: nothing reads the swarm, and the agent never hands over.
//!
//! ## Example
//!
//! ```yaml expect=conflicting-annealing
//! name: desk
//! description: A desk.
//! nodes:
//!   - {id: a, type: agent, agent_id: one, write_keys: [reply], annealing_config: {evaluator_agent_id: two}, swarm_config: {peer_nodes: []}}
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
//!   - {id: a, type: agent, agent_id: one, write_keys: [reply], annealing_config: {evaluator_agent_id: two}}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```

use nodewise_model::cycgraph::Work;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::cycgraph::located_nodes::nodes;
use crate::rules::graph_findings;

pub(crate) static RULE: Rule = Rule {
    id: "conflicting-annealing",
    former: &["annealing-beside-swarm"],
    category: Category::Suspicious,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for visit in nodes(context) {
        let Work::Agent(agent) = Work::of(visit.node) else { continue };
        if let (Some(annealing), Some(swarm)) = (&agent.annealing, &agent.swarm) {
            report.push(
                Finding::new(
                    swarm.at,
                    format!("nothing reads the swarm of {}", graph_findings::named(visit.node)),
                )
                .label("annealing wins")
                .help("remove one of the two")
                .related(annealing.at, "the annealing is here"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn both_at_once() {
        check_rule(
            "conflicting-annealing",
            r#"
name: desk
description: A desk.
nodes:
  - {id: a, type: agent, agent_id: x, swarm_config: {peer_nodes: []}, annealing_config: {}}
#                                     ^^^^^^^^^^^^ warning[conflicting-annealing]: nothing reads the swarm of `a`
  - {id: b, type: agent, agent_id: x, swarm_config: {peer_nodes: []}}
edges: []
start_node: a
end_nodes: [b]
"#,
        );
    }
}

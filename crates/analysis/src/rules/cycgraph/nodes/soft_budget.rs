//! ## What it does
//!
//! Reports `max_tokens` in the budget of a node that anneals or breeds.
//!
//! ## Why it matters
//!
//! Such a node begins no further round once it has used that many tokens, which is no failure. A round that
//! goes beyond the limit fails the run all the same: the limit is checked again when the node is done.
//!
//! ## Example
//!
//! ```yaml expect=soft-budget
//! name: desk
//! description: A desk.
//! nodes:
//!   - {id: a, type: agent, agent_id: one, write_keys: [reply], annealing_config: {evaluator_agent_id: two}, budget: {max_tokens: 5000}}
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
//!   - {id: a, type: agent, agent_id: one, write_keys: [reply], annealing_config: {evaluator_agent_id: two, max_iterations: 3}}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```

use nodewise_model::cycgraph::Work;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::cycgraph::located_nodes::nodes;

pub(crate) static RULE: Rule = Rule {
    id: "soft-budget",
    former: &[],
    category: Category::Cost,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Hint, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for visit in nodes(context) {
        let has_rounds = match Work::of(visit.node) {
            Work::Evolution(_) => true,
            Work::Agent(agent) => agent.annealing.is_some(),
            _ => false,
        };
        if let Some(limit) = visit.node.budget.max_tokens.as_ref().filter(|_| has_rounds) {
            report.push(
                Finding::new(limit.at, "this limit ends the rounds, and fails the run beyond it")
                    .label(format!("{} tokens end the rounds, one more fails the run", limit.value))
                    .help("limit the rounds, and leave room for one round in the tokens"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn nodes_with_rounds() {
        check_rule(
            "soft-budget",
            r#"
name: desk
description: A desk.
nodes:
  - {id: a, type: agent, agent_id: one, write_keys: [reply], budget: {max_tokens: 5}}
  - {id: b, type: evolution, evolution_config: {candidate_agent_id: x}, budget: {max_tokens: 70, max_cost_usd: 1}}
#                                                                                            ^^ hint[soft-budget]: this limit ends the rounds, and fails the run beyond it
edges: []
start_node: a
end_nodes: [b]
"#,
        );
    }
}

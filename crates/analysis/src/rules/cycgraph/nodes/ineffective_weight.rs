//! ## What it does
//!
//! Reports a weight of an agent that does not vote, and weights under which no vote can win: all of them 0 or
//! less.
//!
//! ## Why it matters
//!
//! A weight counts for the agent with exactly that id; the agent that was meant votes with weight 1. Where no
//! weight is above 0 the node always fails.
//!
//! ## Example
//!
//! ```yaml expect=ineffective-weight
//! name: desk
//! description: A desk.
//! inputs:
//!   items: {schema: {type: array}}
//!   topic: {schema: {type: string}}
//! nodes:
//!   - {id: a, type: voting, read_keys: [topic], voting_config: {voter_agent_ids: [one, two], strategy: weighted_vote, weights: {oen: 2}}}
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
//! inputs:
//!   items: {schema: {type: array}}
//!   topic: {schema: {type: string}}
//! nodes:
//!   - {id: a, type: voting, read_keys: [topic], voting_config: {voter_agent_ids: [one, two], strategy: weighted_vote, weights: {one: 2}}}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```

use nodewise_dialect::tables::cycgraph::AGENT;
use nodewise_model::cycgraph::{VotingWork, Work};
use rustc_hash::FxHashMap;

use crate::diagnostic::{Finding, Severity};
use crate::facts::Ownership;
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::cycgraph::located_nodes::nodes;
use crate::rules::graph_findings;
use crate::rules::wording::short;
use crate::suggest::Names;

/// The voting method that uses weights.
const WEIGHTED: &str = "weighted_vote";

pub(crate) static RULE: Rule = Rule {
    id: "ineffective-weight",
    former: &["idle-weight"],
    category: Category::Suspicious,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for visit in nodes(context) {
        let Work::Voting(voting) = Work::of(visit.node) else { continue };
        if voting.strategy.value != WEIGHTED || voting.voters.is_empty() {
            continue;
        }
        let voters = Names::new(voting.voters.iter().map(|voter| voter.name.clone()));
        for (agent, _) in &voting.weights {
            let near = voters.nearest(&agent.value, |_| true);
            if voters.holds(&agent.value)
                || is_unknown(context, &agent.value)
                || near.is_some_and(|near| is_unknown(context, near))
            {
                continue;
            }
            let message = format!("`{}` does not vote", short(&agent.value));
            let finding = Finding::new(agent.at, message).label("the weight has no effect");
            report.push(match near {
                Some(near) => graph_findings::replace(
                    context,
                    finding.help(format!("write `{}`", short(near))),
                    agent,
                    near,
                ),
                None => finding.help("name one of the voters"),
            });
        }
        if let Some((first, _)) = voting.weights.first().filter(|_| !can_win(voting)) {
            report.push(
                Finding::new(first.at, "no vote can win")
                    .label("each voter has a weight of 0 or less, and the node always fails")
                    .help("give at least one voter a weight above 0"),
            );
        }
    }
}

/// Whether an agent's name is probably misspelt, which `unknown-agent` reports.
fn is_unknown(context: &Context<'_>, agent: &str) -> bool {
    let is_declared = AGENT.kinds.iter().any(|kind| context.index.first(kind, agent).is_some());
    let Ownership::Ours(dialect) = context.file.ownership else { return false };
    let is_provided = context.file.settings.provides(dialect, &AGENT, agent);
    !is_declared && !is_provided && context.index.nearest(agent, AGENT.kinds).is_some()
}

/// Whether some voter has a weight above 0. The default weight is 1.
fn can_win(voting: &VotingWork) -> bool {
    let weights: FxHashMap<&str, f64> =
        voting.weights.iter().map(|(agent, weight)| (agent.value.as_str(), *weight)).collect();
    voting.voters.iter().any(|voter| weights.get(voter.name.as_str()).is_none_or(|weight| *weight > 0.0))
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_fix, check_rule};

    #[test]
    fn votes_that_cannot_win() {
        check_rule(
            "ineffective-weight",
            r#"
name: desk
description: A desk.
nodes:
  - {id: a, type: voting, voting_config: {voter_agent_ids: [x, y], strategy: weighted_vote, weights: {x: 0, y: -1}}}
#                                                                                                     ^ warning[ineffective-weight]: no vote can win
  - {id: b, type: voting, voting_config: {voter_agent_ids: [x, y], strategy: weighted_vote, weights: {x: 0}}}
  - {id: c, type: voting, voting_config: {voter_agent_ids: [security, y], strategy: weighted_vote, weights: {secrity: 2}}}
#                                                                                                            ^^^^^^^ warning[ineffective-weight]: `secrity` does not vote
edges: []
start_node: a
end_nodes: [b]
"#,
        );
    }

    #[test]
    fn renames_to_a_voter() {
        check_fix(
            "ineffective-weight",
            r#"
name: desk
description: A desk.
nodes:
  - {id: a, type: voting, voting_config: {voter_agent_ids: [security, y], strategy: weighted_vote, weights: {secrity: 2}}}
edges: []
start_node: a
end_nodes: [b]
"#,
            r#"
name: desk
description: A desk.
nodes:
  - {id: a, type: voting, voting_config: {voter_agent_ids: [security, y], strategy: weighted_vote, weights: {security: 2}}}
edges: []
start_node: a
end_nodes: [b]
"#,
        );
    }
}

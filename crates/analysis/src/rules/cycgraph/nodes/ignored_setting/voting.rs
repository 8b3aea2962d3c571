//! What `ignored-setting` finds here. Reports weights where votes are not weighted, and a judge where none
//! decides.

use nodewise_model::cycgraph::Work;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Context, Report, RulePart};
use crate::rules::cycgraph::located_nodes::nodes;

/// The voting method that uses weights.
const WEIGHTED: &str = "weighted_vote";
/// The voting method in which a judge decides.
const JUDGED: &str = "llm_judge";

pub(super) static PART: RulePart = RulePart { severity: Severity::Hint, check, ..RulePart::DEFAULT };

fn check(context: &Context<'_>, report: &mut Report) {
    for visit in nodes(context) {
        let Work::Voting(voting) = Work::of(visit.node) else { continue };
        let strategy = voting.strategy.value.as_str();
        let idle = [
            (voting.weights.first().map(|(agent, _)| agent.at), WEIGHTED, "weights do not count here"),
            (voting.judge.as_ref().map(|judge| judge.at), JUDGED, "no judge decides here"),
        ];
        for (at, wanted, message) in idle {
            if let Some(at) = at.filter(|_| strategy != wanted) {
                report.push(
                    Finding::new(at, message)
                        .label(format!("the strategy is `{strategy}`"))
                        .help(format!("write `strategy: {wanted}`, or remove it")),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn by_strategy() {
        check_rule(
            "ignored-setting",
            r#"
name: desk
description: A desk.
nodes:
  - {id: a, type: voting, voting_config: {voter_agent_ids: [x], strategy: llm_judge, judge_agent_id: j, weights: {x: 1}}}
#                                                                                                                 ^ hint[ignored-setting]: weights do not count here
  - {id: b, type: voting, voting_config: {voter_agent_ids: [x], judge_agent_id: j}}
#                                                                               ^ hint[ignored-setting]: no judge decides here
edges: []
start_node: a
end_nodes: [b]
"#,
        );
    }
}

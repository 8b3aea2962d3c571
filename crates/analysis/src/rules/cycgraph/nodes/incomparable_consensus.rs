//! ## What it does
//!
//! Reports a vote that a judge decides.
//!
//! ## Why it matters
//!
//! The judge scores the votes, but `<id>_consensus` holds the text of its reasoning, not one of the votes. A
//! condition that compares it to a vote does not hold.
//!
//! ## Example
//!
//! ```yaml expect=incomparable-consensus
//! name: desk
//! description: A desk.
//! inputs:
//!   items: {schema: {type: array}}
//!   topic: {schema: {type: string}}
//! nodes:
//!   - {id: a, type: voting, read_keys: [topic], voting_config: {voter_agent_ids: [one, two, three], strategy: llm_judge, judge_agent_id: judge}}
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
//!   - {id: a, type: voting, read_keys: [topic], voting_config: {voter_agent_ids: [one, two, three], strategy: majority_vote}}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```

use nodewise_model::cycgraph::Work;
use smol_str::format_smolstr;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::cycgraph::located_nodes::nodes;
use crate::rules::wording::short;

/// The voting method in which a judge decides.
const JUDGED: &str = "llm_judge";

pub(crate) static RULE: Rule = Rule {
    id: "incomparable-consensus",
    former: &["consensus-is-reasoning"],
    category: Category::Dataflow,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Hint, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for visit in nodes(context) {
        let (Work::Voting(voting), Some(id)) = (Work::of(visit.node), &visit.node.id) else { continue };
        let Some(at) = voting.strategy.at.filter(|_| voting.strategy.value == JUDGED) else { continue };
        let key = format_smolstr!("{}_consensus", id.value);
        report.push(
            Finding::new(at, format!("`{}` will hold the judge's reasoning", short(&key)))
                .label("it is not one of the votes")
                .help("take a vote from `<id>_votes`, or another strategy"),
        );
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn judged_votes() {
        check_rule(
            "incomparable-consensus",
            r#"
name: desk
description: A desk.
nodes:
  - {id: a, type: voting, read_keys: [topic], voting_config: {voter_agent_ids: [one, two, three], strategy: llm_judge, judge_agent_id: x}}
#                                                                                                           ^^^^^^^^^ hint[incomparable-consensus]: `a_consensus` will hold the judge's reasoning
  - {id: b, type: voting, read_keys: [topic], voting_config: {voter_agent_ids: [one, two, three], strategy: weighted_vote}}
edges: []
start_node: a
end_nodes: [b]
"#,
        );
    }
}

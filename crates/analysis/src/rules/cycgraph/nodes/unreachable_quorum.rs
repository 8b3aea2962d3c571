//! ## What it does
//!
//! Reports a quorum that is higher than the number of voters.
//!
//! ## Why it matters
//!
//! The votes are counted against it after the vote. The node always fails, and is not tried again.
//!
//! ## Example
//!
//! ```yaml expect=unreachable-quorum
//! name: desk
//! description: A desk.
//! inputs:
//!   items: {schema: {type: array}}
//!   topic: {schema: {type: string}}
//! nodes:
//!   - {id: a, type: voting, read_keys: [topic], voting_config: {voter_agent_ids: [one, two], quorum: 3}}
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
//!   - {id: a, type: voting, read_keys: [topic], voting_config: {voter_agent_ids: [one, two], quorum: 2}}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```

use nodewise_model::cycgraph::Work;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::cycgraph::located_nodes::nodes;

pub(crate) static RULE: Rule = Rule {
    id: "unreachable-quorum",
    former: &["quorum-out-of-reach"],
    category: Category::Correctness,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for visit in nodes(context) {
        let Work::Voting(voting) = Work::of(visit.node) else { continue };
        let voters = voting.voters.len();
        let Some(quorum) = &voting.quorum else { continue };
        if voters > 0 && quorum.value > voters as f64 {
            report.push(
                Finding::new(quorum.at, format!("{voters} voters never give {} votes", quorum.value))
                    .label("the node always fails")
                    .help(format!("write {voters} or less, or add voters")),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn voters_may_be_repeated() {
        check_rule(
            "unreachable-quorum",
            r#"
name: desk
description: A desk.
nodes:
  - {id: a, type: voting, voting_config: {voter_agent_ids: [x, x, x], quorum: 3}}
  - {id: b, type: voting, voting_config: {voter_agent_ids: [x, x, x], quorum: 4}}
#                                                                             ^ warning[unreachable-quorum]: 3 voters never give 4 votes
edges: []
start_node: a
end_nodes: [b]
"#,
        );
    }
}

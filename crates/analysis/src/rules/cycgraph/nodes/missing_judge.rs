//! ## What it does
//!
//! Reports a vote that a judge decides, without a judge.
//!
//! ## Why it matters
//!
//! The graph does not load.
//!
//! ## Example
//!
//! ```yaml expect=missing-judge
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: voting, voting_config: {voter_agent_ids: [x, y], strategy: llm_judge}}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: voting, voting_config: {voter_agent_ids: [x, y], strategy: llm_judge, judge_agent_id: z}}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```

use nodewise_dialect::tables::cycgraph::BY_JUDGE;
use nodewise_model::cycgraph::Work;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::graph_findings;

pub(crate) static RULE: Rule = Rule {
    id: "missing-judge",
    former: &[],
    category: Category::Correctness,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart {
        spec: Some("cycgraph:R31"),
        severity: Severity::Error,
        absence: true,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for node in context.graphs().flat_map(|graph| &graph.nodes) {
        let Work::Voting(voting) = Work::of(node) else { continue };
        let has_judge = voting.judge.as_ref().is_some_and(|judge| !judge.name.is_empty());
        if voting.strategy.value == BY_JUDGE && !has_judge {
            report.push(
                Finding::new(
                    voting.strategy.at.unwrap_or(graph_findings::id_place(node)),
                    format!("{} has no judge", graph_findings::named(node)),
                )
                .spec("cycgraph:R31")
                .label("the graph does not load")
                .help("add `judge_agent_id` with the id of an agent"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn only_where_a_judge_decides() {
        check_rule(
            "missing-judge",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: v, type: voting, voting_config: {voter_agent_ids: [x], strategy: llm_judge, judge_agent_id: ''}}
#                                                                         ^^^^^^^^^ error[missing-judge]: `v` has no judge
  - {id: w, type: voting, voting_config: {voter_agent_ids: [x]}}
edges: []
start_node: a
end_nodes: [b]
",
        );
    }
}

//! ## What it does
//!
//! Reports an evolution without an evaluator, and a `fitness_threshold` above 1 beside one.
//!
//! ## Why it matters
//!
//! Without an evaluator the host must provide a function that scores candidates; without one the node fails
//! when the first generation is there. An evaluator scores from 0 to 1, so that a threshold above 1 never
//! ends the search.
//!
//! ## Example
//!
//! ```yaml expect=unreachable-fitness
//! name: desk
//! description: A desk.
//! inputs:
//!   items: {schema: {type: array}}
//!   topic: {schema: {type: string}}
//! nodes:
//!   - {id: a, type: evolution, read_keys: [topic], evolution_config: {candidate_agent_id: one}}
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
//!   - {id: a, type: evolution, read_keys: [topic], evolution_config: {candidate_agent_id: one, evaluator_agent_id: judge}}
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
    id: "unreachable-fitness",
    former: &[],
    category: Category::Cost,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Hint, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for visit in nodes(context) {
        let Work::Evolution(evolution) = Work::of(visit.node) else { continue };
        let threshold = &evolution.fitness_threshold;
        match (&evolution.evaluator, evolution.settings_at, threshold.at) {
            (None, Some(at), _) => {
                let message =
                    format!("{} needs a fitness function of the host", graph_findings::named(visit.node));
                report.push(
                    Finding::new(at, message)
                        .label("no evaluator is named")
                        .help("name one in `evaluator_agent_id`, or provide the function"),
                );
            }
            (Some(evaluator), _, Some(at)) if threshold.value > 1.0 => report.push(
                Finding::new(at, "no candidate is ever this fit")
                    .label("an evaluator scores from 0 to 1")
                    .help("write 1 or less, or leave the search to its other limits")
                    .related(evaluator.at, "the evaluator is named here"),
            ),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn evaluators_score_up_to_one() {
        check_rule(
            "unreachable-fitness",
            r#"
name: desk
description: A desk.
nodes:
  - {id: a, type: evolution, evolution_config: {candidate_agent_id: x, fitness_threshold: 2}}
#                            ^^^^^^^^^^^^^^^^ hint[unreachable-fitness]: `a` needs a fitness function of the host
  - {id: b, type: evolution, evolution_config: {candidate_agent_id: x, evaluator_agent_id: y, fitness_threshold: 2}}
#                                                                                                                ^ hint[unreachable-fitness]: no candidate is ever this fit
  - {id: c, type: evolution, evolution_config: {candidate_agent_id: x, evaluator_agent_id: y, fitness_threshold: 1}}
edges: []
start_node: a
end_nodes: [b]
"#,
        );
    }
}

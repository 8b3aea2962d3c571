//! ## What it does
//!
//! Reports annealing without an evaluator and without a `score_path`.
//!
//! ## Why it matters
//!
//! The default path `$.score` never finds anything in what an agent writes. Every answer scores 0: the agent
//! runs as often as it may, and the first answer wins.
//!
//! ## Example
//!
//! ```yaml expect=missing-score
//! name: desk
//! description: A desk.
//! nodes:
//!   - id: a
//!     type: agent
//!     agent_id: one
//!     write_keys: [essay]
//!     annealing_config: {threshold: 0.9}
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
//!   - id: a
//!     type: agent
//!     agent_id: one
//!     write_keys: [essay]
//!     annealing_config: {threshold: 0.9, evaluator_agent_id: grader}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```

use nodewise_model::cycgraph::Work;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::cycgraph::located_nodes::nodes;

/// The default path, which finds nothing.
const DEFAULT_PATH: &str = "$.score";

pub(crate) static RULE: Rule = Rule {
    id: "missing-score",
    former: &["annealing-without-score"],
    category: Category::Cost,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Hint, absence: true, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for visit in nodes(context) {
        let Work::Agent(agent) = Work::of(visit.node) else { continue };
        let Some(annealing) = &agent.annealing else { continue };
        if annealing.evaluator.is_some() || annealing.score_path.value != DEFAULT_PATH {
            continue;
        }
        let runs = annealing.max_iterations.value;
        report.push(
            Finding::new(annealing.score_path.at.unwrap_or(annealing.at), "every answer scores 0")
                .label(format!("the agent runs {runs} times, and the first answer wins"))
                .help("name an evaluator, or a `score_path` below `$.updates.<key>`"),
        );
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn an_evaluator_or_a_path() {
        check_rule(
            "missing-score",
            r#"
name: desk
description: A desk.
nodes:
  - {id: a, type: agent, agent_id: x, annealing_config: {}}
#                                     ^^^^^^^^^^^^^^^^ hint[missing-score]: every answer scores 0
  - {id: b, type: agent, agent_id: x, annealing_config: {score_path: $.score}}
#                                                                    ^^^^^^^ hint[missing-score]: every answer scores 0
  - {id: c, type: agent, agent_id: x, annealing_config: {score_path: $.updates.draft.score}}
  - {id: d, type: agent, agent_id: x, annealing_config: {evaluator_agent_id: y}}
  - {id: e, type: router, annealing_config: {}}
edges: []
start_node: a
end_nodes: [b]
"#,
        );
    }
}

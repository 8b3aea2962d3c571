//! ## What it does
//!
//! Reports `max_iterations` of a supervisor above 100.
//!
//! ## Why it matters
//!
//! The choices are counted in a history that keeps the last 100. A limit above that is never reached; only
//! the iterations of the run end it.
//!
//! ## Example
//!
//! ```yaml expect=unreachable-limit
//! name: desk
//! description: A desk.
//! nodes:
//!   - {id: boss, type: supervisor, agent_id: one, supervisor_config: {managed_nodes: [w], max_iterations: 150}}
//!   - {id: w, type: agent, agent_id: two, write_keys: [draft]}
//! edges:
//!   - {source: boss, target: w}
//!   - {source: w, target: boss}
//! start_node: boss
//! end_nodes: []
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! name: desk
//! description: A desk.
//! nodes:
//!   - {id: boss, type: supervisor, agent_id: one, supervisor_config: {managed_nodes: [w], max_iterations: 15}}
//!   - {id: w, type: agent, agent_id: two, write_keys: [draft]}
//! edges:
//!   - {source: boss, target: w}
//!   - {source: w, target: boss}
//! start_node: boss
//! end_nodes: []
//! ```

use nodewise_model::cycgraph::Work;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::cycgraph::located_nodes::nodes;

/// The number of choices that the history of a run keeps.
const HISTORY: f64 = 100.0;

pub(crate) static RULE: Rule = Rule {
    id: "unreachable-limit",
    former: &["supervisor-limit-out-of-reach"],
    category: Category::Suspicious,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Hint, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for visit in nodes(context) {
        let Work::Supervisor(supervisor) = Work::of(visit.node) else { continue };
        let limit = &supervisor.max_iterations;
        if let Some(at) = limit.at.filter(|_| limit.value > HISTORY) {
            report.push(
                Finding::new(at, "this limit is never reached")
                    .label(format!("the history of a run keeps {HISTORY} choices"))
                    .help(format!("write {HISTORY} or less")),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn the_history_keeps_a_hundred() {
        check_rule(
            "unreachable-limit",
            r#"
name: desk
description: A desk.
nodes:
  - {id: a, type: supervisor, agent_id: x, supervisor_config: {managed_nodes: [], max_iterations: 100}}
  - {id: b, type: supervisor, agent_id: x, supervisor_config: {managed_nodes: [], max_iterations: 101}}
#                                                                                                 ^^^ hint[unreachable-limit]: this limit is never reached
edges: []
start_node: a
end_nodes: [b]
"#,
        );
    }
}

//! ## What it does
//!
//! Reports an annealing or an evolution whose temperature rises.
//!
//! ## Why it matters
//!
//! It should fall: try much at first, settle then. With a rising temperature the last answers are the
//! wildest.
//!
//! ## Example
//!
//! ```yaml expect=rising-temperature
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: agent, agent_id: writer, write_keys: [brief], annealing_config: {evaluator_agent_id: judge, initial_temperature: 0.1}}
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
//!   - {id: a, type: agent, agent_id: writer, write_keys: [brief], annealing_config: {evaluator_agent_id: judge, initial_temperature: 1.1}}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```

use nodewise_dialect::value::number_text;
use nodewise_model::cycgraph::Work;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::graph_findings;

pub(crate) static RULE: Rule = Rule {
    id: "rising-temperature",
    former: &[],
    category: Category::Cost,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for node in context.graphs().flat_map(|graph| &graph.nodes) {
        let (class, initial, last) = match Work::of(node) {
            Work::Agent(agent) => match &agent.annealing {
                Some(annealing) => {
                    ("cycgraph:R16", &annealing.initial_temperature, &annealing.final_temperature)
                }
                None => continue,
            },
            Work::Evolution(evolution) => {
                ("cycgraph:R40", &evolution.initial_temperature, &evolution.final_temperature)
            }
            _ => continue,
        };
        if initial.value < last.value {
            let at = initial.at.or(last.at).unwrap_or(graph_findings::id_place(node));
            let (from, to) = (number_text(initial.value), number_text(last.value));
            report.push(
                Finding::new(at, format!("the temperature rises from {from} to {to}"))
                    .spec(class)
                    .label("it should fall")
                    .help("write a first temperature above the last"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn written_or_by_default() {
        check_rule(
            "rising-temperature",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: agent, agent_id: x, annealing_config: {final_temperature: 1.5}}
#                                                                           ^^^ warning[rising-temperature]: the temperature rises from 1 to 1.5
  - {id: e, type: evolution, evolution_config: {candidate_agent_id: x, initial_temperature: 0.2}}
#                                                                                           ^^^ warning[rising-temperature]: the temperature rises from 0.2 to 0.3
  - {id: f, type: evolution, evolution_config: {candidate_agent_id: x, initial_temperature: 0.3}}
  - {id: r, type: router, annealing_config: {initial_temperature: 0}}
edges: []
start_node: a
end_nodes: [b]
",
        );
    }
}

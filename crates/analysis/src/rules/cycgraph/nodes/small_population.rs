//! ## What it does
//!
//! Reports an evolution whose population is too small for its elite or for its tournament.
//!
//! ## Why it matters
//!
//! The graph does not load: with as many that live on as there are, nothing new is bred, and a tournament
//! cannot draw more candidates than there are.
//!
//! ## Example
//!
//! ```yaml expect=small-population
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: evolution, evolution_config: {candidate_agent_id: x, evaluator_agent_id: y, population_size: 3, elite_count: 3}}
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
//!   - {id: a, type: evolution, evolution_config: {candidate_agent_id: x, evaluator_agent_id: y, population_size: 3, elite_count: 1}}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```

use nodewise_dialect::tables::cycgraph::BY_TOURNAMENT;
use nodewise_dialect::value::number_text;
use nodewise_model::Setting;
use nodewise_model::cycgraph::Work;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::graph_findings;

pub(crate) static RULE: Rule = Rule {
    id: "small-population",
    former: &[],
    category: Category::Correctness,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Error, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    let (elite, tournament) = ("cycgraph:R38", "cycgraph:R39");
    for node in context.graphs().flat_map(|graph| &graph.nodes) {
        let Work::Evolution(evolution) = Work::of(node) else { continue };
        if evolution.settings_at.is_none() {
            continue;
        }
        let population = &evolution.population_size;
        let mut push = |setting: &Setting<f64>, class, message: String| {
            let at = setting.at.or(population.at).unwrap_or(graph_findings::id_place(node));
            report.push(
                Finding::new(at, message)
                    .spec(class)
                    .label("the graph does not load")
                    .help("write a smaller number here, or a larger population"),
            );
        };
        let size = number_text(population.value);
        if evolution.elite_count.value >= population.value {
            let count = number_text(evolution.elite_count.value);
            push(
                &evolution.elite_count,
                elite,
                format!("{count} of {size} candidates are kept: no new ones are made"),
            );
        }
        let is_tournament = evolution.selection.value == BY_TOURNAMENT;
        if is_tournament && evolution.tournament_size.value > population.value {
            let count = number_text(evolution.tournament_size.value);
            push(
                &evolution.tournament_size,
                tournament,
                format!("a tournament of {count} needs more than {size} candidates"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn elite_and_tournament() {
        check_rule(
            "small-population",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: evolution, evolution_config: {candidate_agent_id: x, elite_count: 5}}
#                                                                                   ^ error[small-population]: 5 of 5 candidates are kept: no new ones are made
  - {id: b, type: evolution, evolution_config: {candidate_agent_id: x, population_size: 2, selection_strategy: tournament}}
#                                                                                       ^ error[small-population]: a tournament of 3 needs more than 2 candidates
  - {id: c, type: evolution, evolution_config: {candidate_agent_id: x, population_size: 2}}
edges: []
start_node: a
end_nodes: [b]
",
        );
    }
}

//! What `duplicate-entry` finds in cycgraph.

use nodewise_model::Located;
use nodewise_model::cycgraph::Work;
use nodewise_model::graph::GraphNode;
use smol_str::SmolStr;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Context, Report, RulePart};
use crate::rules::first_places::FirstPlaces;
use crate::rules::list_fixes;
use crate::rules::wording::short;

pub(in crate::rules) static PART: RulePart =
    RulePart { severity: Severity::Hint, check, ..RulePart::DEFAULT };

fn check(context: &Context<'_>, report: &mut Report) {
    for (graph, _) in context.graphs_with_facts() {
        if let Some(ends) = graph.ends.as_ref().filter(|_| !graph.is_fragment) {
            check_list(context, &ends.value, report);
        }
        for node in &graph.nodes {
            check_list(context, &node.access.reads, report);
            check_list(context, &node.access.writes, report);
            lists(node).into_iter().for_each(|names| check_list(context, names, report));
        }
    }
}

/// All lists of names in the settings of a node.
fn lists(node: &GraphNode) -> Vec<&[Located<SmolStr>]> {
    match Work::of(node) {
        Work::Supervisor(supervisor) => vec![&supervisor.managed],
        Work::Agent(agent) => agent.swarm.iter().map(|swarm| swarm.peers.as_slice()).collect(),
        Work::Human(human) => human.review_keys.iter().map(Vec::as_slice).collect(),
        Work::Reflection(reflection) => vec![&reflection.sources, &reflection.entities],
        _ => Vec::new(),
    }
}

fn check_list(context: &Context<'_>, names: &[Located<SmolStr>], report: &mut Report) {
    if names.len() < 2 {
        return;
    }
    let mut first_places = FirstPlaces::new();
    for (position, name) in names.iter().enumerate() {
        if let Some(first) = first_places.before(name.value.as_str(), name.at) {
            let finding = Finding::new(name.at, format!("`{}` is in this list already", short(&name.value)))
                .label("it changes nothing")
                .help("leave it out")
                .related(first, "first named here");
            let edit = list_fixes::without_name(context, names, position);
            report.push(list_fixes::offer(finding, "Leave it out".to_owned(), true, edit));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_fix, check_rule};

    #[test]
    fn every_list() {
        check_rule(
            "duplicate-entry",
            r#"
name: desk
description: A desk.
nodes:
  - {id: a, type: supervisor, agent_id: x, read_keys: [k, l, k], supervisor_config: {managed_nodes: [b, b]}}
#                                                            ^ hint[duplicate-entry]: `k` is in this list already
#                                                                                                       ^ hint[duplicate-entry]: `b` is in this list already
  - {id: b, type: voting, write_keys: [k, k], voting_config: {voter_agent_ids: [x, x]}}
#                                         ^ hint[duplicate-entry]: `k` is in this list already
edges: []
start_node: a
end_nodes: [c]
"#,
        );
    }

    #[test]
    fn on_a_line_of_its_own() {
        check_fix(
            "duplicate-entry",
            r#"
name: desk
description: A desk.
nodes:
  - {id: a, type: router}
edges: []
start_node: a
end_nodes: 
  - a
  - b
  - a
  - c
"#,
            r#"
name: desk
description: A desk.
nodes:
  - {id: a, type: router}
edges: []
start_node: a
end_nodes: 
  - a
  - b
  - c
"#,
        );
    }

    #[test]
    fn at_the_end_of_brackets() {
        check_fix(
            "duplicate-entry",
            r#"
name: desk
description: A desk.
nodes:
  - {id: a, type: router}
edges: []
start_node: a
end_nodes: [a, b, a]
"#,
            r#"
name: desk
description: A desk.
nodes:
  - {id: a, type: router}
edges: []
start_node: a
end_nodes: [a, b]
"#,
        );
    }
}

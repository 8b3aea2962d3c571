//! ## What it does
//!
//! Reports a map whose `synthesizer_node_id` names a node that no edge leads to.
//!
//! ## Why it matters
//!
//! The map itself never runs its synthesizer; the entry is for people. Without an edge the results are not
//! merged.
//!
//! ## Example
//!
//! ```yaml expect=unlinked-synthesizer
//! name: desk
//! description: A desk.
//! inputs:
//!   items: {schema: {type: array}}
//!   topic: {schema: {type: string}}
//! nodes:
//!   - {id: a, type: map, read_keys: [items], map_reduce_config: {worker_node_id: w, items_path: $.memory.items, synthesizer_node_id: s}}
//!   - {id: w, type: agent, agent_id: one, write_keys: [label]}
//!   - {id: s, type: synthesizer, agent_id: two, read_keys: [a_results], write_keys: [overview]}
//!   - {id: b, type: router}
//! edges:
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [b]
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
//!   - {id: a, type: map, read_keys: [items], map_reduce_config: {worker_node_id: w, items_path: $.memory.items, synthesizer_node_id: s}}
//!   - {id: w, type: agent, agent_id: one, write_keys: [label]}
//!   - {id: s, type: synthesizer, agent_id: two, read_keys: [a_results], write_keys: [overview]}
//!   - {id: b, type: router}
//! edges:
//!   - {source: a, target: s}
//!   - {source: s, target: b}
//! start_node: a
//! end_nodes: [b]
//! ```

use nodewise_model::cycgraph::Work;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Needs, Report, Rule, RulePart};
use crate::rules::cycgraph::fixes;
use crate::rules::list_fixes;
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "unlinked-synthesizer",
    former: &["synthesizer-without-edge"],
    category: Category::Correctness,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Warning, needs: Needs::Edges, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for (graph, facts) in context.graphs_with_facts().filter(|(graph, _)| !graph.is_fragment) {
        for node in &graph.nodes {
            let Work::Map(map) = Work::of(node) else { continue };
            let Some(synthesizer) = &map.synthesizer else { continue };
            if facts.is_visited(&synthesizer.value) || facts.node(&synthesizer.value).is_none() {
                continue;
            }
            let message = format!("nothing runs the synthesizer `{}`", short(&synthesizer.value));
            let finding = Finding::new(synthesizer.at, message)
                .label("a map does not run it, and no edge leads to it")
                .help("add an edge from the map to it");
            let edit = node
                .id
                .as_ref()
                .and_then(|id| fixes::with_edge(context, graph, &id.value, &synthesizer.value));
            report.push(list_fixes::offer(finding, "Add the edge".to_owned(), false, edit));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_fix;

    #[test]
    fn adds_the_edge() {
        check_fix(
            "unlinked-synthesizer",
            r#"
name: desk
description: A desk.
nodes:
  - {id: a, type: map, map_reduce_config: {worker_node_id: w, static_items: [1], synthesizer_node_id: s}}
  - {id: w, type: agent, agent_id: x, write_keys: [y]}
  - {id: s, type: synthesizer}
edges: []
start_node: a
end_nodes: [s]
"#,
            r#"
name: desk
description: A desk.
nodes:
  - {id: a, type: map, map_reduce_config: {worker_node_id: w, static_items: [1], synthesizer_node_id: s}}
  - {id: w, type: agent, agent_id: x, write_keys: [y]}
  - {id: s, type: synthesizer}
edges: [{source: a, target: s}]
start_node: a
end_nodes: [s]
"#,
        );
    }
}

//! ## What it does
//!
//! Reports an edge id that another edge already has.
//!
//! In cycgraph and AgentOS, ids are unique within a graph. Edges without an id are not compared.
//!
//! In Liman, ids are unique within a node, over all its lists of edges. Ids are compared as text: `7` and `"7"`
//! are the same id.
//!
//! ## Why it matters
//!
//! In cycgraph and AgentOS, the graph does not load.
//!
//! In Liman, a `depends` with this id is ambiguous.
//!
//! ## Example
//!
//! In cycgraph:
//!
//! ```yaml expect=duplicate-edge-id
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: router}
//!   - {id: b, type: router}
//! edges:
//!   - {id: e, source: a, target: b}
//!   - {id: e, source: b, target: a}
//! start_node: a
//! end_nodes: [b]
//! ```
//!
//! In Liman:
//!
//! ```yaml expect=duplicate-edge-id
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: router, when: a, id: go}
//!   - {target: router, when: b, id: go}
//! ```
//!
//! ## Instead
//!
//! In cycgraph:
//!
//! ```yaml ok
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: router}
//!   - {id: b, type: router}
//! edges:
//!   - {id: there, source: a, target: b}
//!   - {id: back, source: b, target: a}
//! start_node: a
//! end_nodes: [b]
//! ```
//!
//! In Liman:
//!
//! ```yaml ok
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: router, when: a, id: go}
//!   - {target: router, when: b, id: stay}
//! ```

use crate::diagnostic::Finding;
use crate::rule::{Category, Context, Report, Rule};
use crate::rules::first_places::FirstPlaces;
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "duplicate-edge-id",
    former: &["edge-duplicate-id"],
    category: Category::Correctness,
    is_fixable: false,
    since: "0.1.0",
    own: &[],
};

/// Reports the pattern in the graphs of a file, with this help.
pub(in crate::rules) fn check(context: &Context<'_>, help: &str, report: &mut Report) {
    for graph in context.graphs() {
        let mut first_places = FirstPlaces::new();
        for id in graph.edges.iter().filter_map(|edge| edge.id.as_ref()) {
            if let Some(first) = first_places.before(id.value.as_str(), id.at) {
                report.push(
                    Finding::new(id.at, format!("another edge has the id `{}`", short(&id.value)))
                        .label("ids of edges are unique in a graph")
                        .help(help)
                        .related(first, "first used here"),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn edges_without_id_do_not_collide() {
        check_rule(
            "duplicate-edge-id",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: router}
edges:
  - {source: a, target: a}
  - {source: a, target: a}
  - {id: e, source: a, target: a}
  - {id: e, source: a, target: a}
#        ^ error[duplicate-edge-id]: another edge has the id `e`
start_node: a
end_nodes: [b]
",
        );
    }
}

//! ## What it does
//!
//! Reports a node whose id another node of the same graph has.
//!
//! ## Why it matters
//!
//! The graph does not load. Wherever the id is named, only one of the nodes can be meant.
//!
//! ## Example
//!
//! ```yaml expect=duplicate-node-id
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: router}
//!   - {id: a, type: router}
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
//!   - {id: a, type: router}
//!   - {id: b, type: router}
//! edges:
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [b]
//! ```

use crate::diagnostic::Finding;
use crate::rule::{Category, Context, Report, Rule};
use crate::rules::first_places::FirstPlaces;
use crate::rules::graph_findings;
use crate::rules::wording::short;

/// The rule. Its page is the head of this file.
pub static RULE: Rule = Rule {
    id: "duplicate-node-id",
    former: &[],
    category: Category::Correctness,
    is_fixable: true,
    since: "0.1.0",
    own: &[],
};

/// Reports the pattern in the graphs of a file.
pub(in crate::rules) fn check(context: &Context<'_>, report: &mut Report) {
    for graph in context.graphs() {
        let mut first_places = FirstPlaces::new();
        for id in graph.nodes.iter().filter_map(|node| node.id.as_ref()) {
            if let Some(first) = first_places.before(id.value.as_str(), id.at) {
                let finding = Finding::new(id.at, format!("another node has the id `{}`", short(&id.value)))
                    .label("ids of nodes are unique in a graph")
                    .related(first, "first used here");
                report.push(match graph_findings::left_out(graph) {
                    Some(meant) => {
                        let help = format!("write `{}`, which edges name and no node has", short(meant));
                        graph_findings::replace(context, finding.help(help), id, meant)
                    }
                    None => finding.help("give the node an id of its own"),
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn each_repetition() {
        check_rule(
            "duplicate-node-id",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: router}
  - {id: b, type: router}
  - {id: a, type: router}
#        ^ error[duplicate-node-id]: another node has the id `a`
  - {id: a, type: router}
#        ^ error[duplicate-node-id]: another node has the id `a`
edges: []
start_node: a
end_nodes: [b]
",
        );
    }
}

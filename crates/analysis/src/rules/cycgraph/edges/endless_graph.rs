//! ## What it does
//!
//! Reports a graph without ends, and once more where its edges form a cycle. A graph with a supervisor is
//! not reported: the supervisor ends the run.
//!
//! ## Why it matters
//!
//! A run of such a graph ends by an error only: it comes to a node that no edge leaves, or it exceeds its
//! limit of steps or time.
//!
//! ## Example
//!
//! ```yaml expect=endless-graph
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: router}
//!   - {id: b, type: router}
//! edges:
//!   - {source: a, target: b}
//!   - {source: b, target: a}
//! start_node: a
//! end_nodes: []
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

use nodewise_model::cycgraph::Work;
use nodewise_model::graph::GraphNode;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Needs, Report, Rule, RulePart};

pub(crate) static RULE: Rule = Rule {
    id: "endless-graph",
    former: &[],
    category: Category::Cost,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Warning, needs: Needs::Edges, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    let (endless, cyclic) = ("cycgraph:R6", "cycgraph:R53");
    for (graph, facts) in context.graphs_with_facts() {
        let Some(ends) = graph.ends.as_ref().filter(|ends| ends.value.is_empty()) else { continue };
        if graph.nodes.iter().any(is_supervisor) {
            continue;
        }
        report.push(
            Finding::new(ends.at, "the graph has no ends")
                .spec(endless)
                .label("a run stops at a limit or an error only")
                .help("list the nodes where a run is done"),
        );
        if !facts.circles().is_empty() {
            report.push(
                Finding::new(ends.at, "the graph has a cycle and no ends")
                    .spec(cyclic)
                    .label("a run may loop until a limit stops it")
                    .help("list the nodes where a run is done"),
            );
        }
    }
}

fn is_supervisor(node: &GraphNode) -> bool {
    matches!(Work::of(node), Work::Supervisor(_))
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn a_supervisor_ends_runs() {
        check_rule(
            "endless-graph",
            r"
name: g
description: d
nodes: [{id: a, type: router}]
edges: []
start_node: a
end_nodes: []
^^^^^^^^^ warning[endless-graph]: the graph has no ends
---
name: g
description: d
nodes: [{id: a, type: supervisor, agent_id: x, supervisor_config: {managed_nodes: []}}]
edges: [{source: a, target: a}]
start_node: a
end_nodes: []
",
        );
    }
}

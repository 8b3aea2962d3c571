//! ## What it does
//!
//! Reports `goal` or `constraints` among the keys that a node may read, in a graph where no node writes a key
//! of that name.
//!
//! ## Why it matters
//!
//! Both are parts of the run's state that every node sees without a grant; they are no keys of the memory.
//!
//! ## Example
//!
//! ```yaml expect=redundant-read
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: agent, agent_id: writer, read_keys: [goal], write_keys: [brief]}
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
//!   - {id: a, type: agent, agent_id: writer, write_keys: [brief]}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```

use nodewise_model::cycgraph::AMBIENT;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};

pub(crate) static RULE: Rule = Rule {
    id: "redundant-read",
    former: &[],
    category: Category::Dataflow,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { spec: Some("cycgraph:R50"), severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for (graph, facts) in context.graphs_with_facts() {
        if !facts.wildcard_writers.is_empty() {
            continue;
        }
        let is_written = |key: &str| {
            graph.nodes.iter().zip(&facts.access).any(|(node, access)| {
                let granted = node.access.writes.iter().map(|granted| &granted.value);
                granted.chain(&access.implied).any(|written| written == key)
            })
        };
        let ambient: Vec<&str> = AMBIENT.into_iter().filter(|key| !is_written(key)).collect();
        for node in &graph.nodes {
            for key in &ambient {
                if let Some(read) = node.access.reads.iter().find(|read| read.value == *key) {
                    report.push(
                        Finding::new(read.at, format!("every node sees `{key}` without a grant"))
                            .spec("cycgraph:R50")
                            .label("it is not a key of the memory")
                            .help("remove it from the list"),
                    );
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn unless_a_node_writes_it() {
        check_rule(
            "redundant-read",
            r"
name: g
description: d
nodes: [{id: a, type: agent, agent_id: x, read_keys: [goal, constraints], write_keys: [constraints]}]
#                                                     ^^^^ warning[redundant-read]: every node sees `goal` without a grant
edges: []
start_node: a
end_nodes: [a]
---
name: g
description: d
nodes: [{id: a, type: agent, agent_id: x, read_keys: [goal], write_keys: ['*']}]
edges: []
start_node: a
end_nodes: [a]
",
        );
    }
}

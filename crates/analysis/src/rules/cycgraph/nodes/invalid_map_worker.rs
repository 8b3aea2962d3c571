//! ## What it does
//!
//! Reports a map whose worker is neither an agent nor a tool.
//!
//! ## Why it matters
//!
//! A map can run agents and tools only. With any other worker every item ends as an error.
//!
//! ## Example
//!
//! ```yaml expect=invalid-map-worker
//! name: desk
//! description: A desk.
//! nodes:
//!   - {id: a, type: map, map_reduce_config: {worker_node_id: w, static_items: [1]}}
//!   - {id: w, type: router}
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
//!   - {id: a, type: map, map_reduce_config: {worker_node_id: w, static_items: [1]}}
//!   - {id: w, type: agent, agent_id: one, write_keys: [label]}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```

use nodewise_model::cycgraph::Work;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::cycgraph::located_nodes;
use crate::rules::graph_findings;
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "invalid-map-worker",
    former: &["map-worker-type"],
    category: Category::Correctness,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for visit in located_nodes::nodes(context) {
        let Work::Map(map) = Work::of(visit.node) else { continue };
        let Some(name) = &map.worker else { continue };
        let Some(worker) = located_nodes::node(visit.graph, visit.facts, &name.value) else { continue };
        if matches!(Work::of(worker), Work::Agent(_) | Work::Tool(_) | Work::Unknown) {
            continue;
        }
        report.push(
            Finding::new(name.at, format!("a map cannot run `{}`", short(&name.value)))
                .label("every item ends as an error")
                .help("let an agent or a tool be the worker")
                .related(graph_findings::id_place(worker), "neither an agent nor a tool"),
        );
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn agents_and_tools() {
        check_rule(
            "invalid-map-worker",
            r#"
name: desk
description: A desk.
nodes:
  - {id: a, type: map, map_reduce_config: {worker_node_id: b, static_items: [1]}}
#                                                          ^ warning[invalid-map-worker]: a map cannot run `b`
  - {id: b, type: map, map_reduce_config: {worker_node_id: c, static_items: [1]}}
  - {id: c, type: tool, tool_id: x}
  - {id: d, type: map, map_reduce_config: {worker_node_id: e, static_items: [1]}}
edges: []
start_node: a
end_nodes: [b]
"#,
        );
    }
}

//! ## What it does
//!
//! Reports a map that has neither `items_path` nor `static_items`. An empty path counts as none.
//!
//! ## Why it matters
//!
//! The node fails at run time, without being tried again: it does not know what to run its worker for.
//!
//! ## Example
//!
//! ```yaml expect=missing-items
//! name: desk
//! description: A desk.
//! nodes:
//!   - {id: a, type: map, map_reduce_config: {worker_node_id: w}}
//!   - {id: w, type: agent, agent_id: one, write_keys: [label]}
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
//!   - {id: a, type: map, map_reduce_config: {worker_node_id: w, static_items: [red, green]}}
//!   - {id: w, type: agent, agent_id: one, write_keys: [label]}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```

use nodewise_model::cycgraph::Work;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::cycgraph::located_nodes::nodes;
use crate::rules::graph_findings;

pub(crate) static RULE: Rule = Rule {
    id: "missing-items",
    former: &["map-without-items"],
    category: Category::Correctness,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Warning, absence: true, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for visit in nodes(context) {
        let Work::Map(map) = Work::of(visit.node) else { continue };
        let has_path = map.items_path.as_ref().is_some_and(|path| !path.text.is_empty());
        let has_none = map.items.is_none() && !map.has_other_items && !has_path;
        let Some(at) = map.settings_at.filter(|_| has_none) else { continue };
        report.push(
            Finding::new(at, format!("{} has no items", graph_findings::named(visit.node)))
                .label("the node fails when it runs")
                .help("add `items_path: $.memory.<key>`, or `static_items`"),
        );
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn an_empty_path_is_none() {
        check_rule(
            "missing-items",
            r#"
name: desk
description: A desk.
nodes:
  - {id: a, type: map, map_reduce_config: {worker_node_id: w, items_path: ""}}
#                      ^^^^^^^^^^^^^^^^^ warning[missing-items]: `a` has no items
  - {id: b, type: map, map_reduce_config: {worker_node_id: w, static_items: []}}
  - {id: c, type: map, map_reduce_config: {worker_node_id: w, items_path: $.memory.items}}
  - {id: d, type: map}
  - {id: e, type: map, map_reduce_config: {worker_node_id: w, static_items: 3}}
edges: []
start_node: a
end_nodes: [b]
"#,
        );
    }
}

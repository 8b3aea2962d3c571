//! ## What it does
//!
//! Reports the id of a graph that nothing declares. It is a warning where a declared id is near, or where nodewise.toml
//! lists the graphs that the program loads; otherwise a hint, in a bundle and in a project whose graphs run one another
//! from files.
//!
//! If several places use the name, and the only similar declaration has no user, the declaration is reported, once.
//!
//! ## Why it matters
//!
//! The subgraph node fails when it runs, unless the program loads the graph from elsewhere.
//!
//! ## Example
//!
//! ```yaml expect=unknown-graph
//! id: child
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: c, type: agent, agent_id: writer, write_keys: [out]}
//! edges: []
//! start_node: c
//! end_nodes: [c]
//! ---
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: subgraph, subgraph_config: {subgraph_id: chlid, output_mapping: {out: brief}}}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! id: child
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: c, type: agent, agent_id: writer, write_keys: [out]}
//! edges: []
//! start_node: c
//! end_nodes: [c]
//! ---
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: subgraph, subgraph_config: {subgraph_id: child, output_mapping: {out: brief}}}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```
//!
//! ## Options
//!
//! `[cycgraph.external] graphs` and `[agentos.external] graphs` in `nodewise.toml` list graphs that the program loads
//! from elsewhere. Where the list is there, every other graph must be declared.

use nodewise_dialect::table::KindRole;

use crate::rule::{Category, Context, Report, Rule};
use crate::rules::names::host_provided;

pub(crate) static RULE: Rule = Rule {
    id: "unknown-graph",
    former: &[],
    category: Category::Correctness,
    is_fixable: true,
    since: "0.1.0",
    own: &[],
};

/// Reports the pattern in a file whose system looks up graphs by their ids.
pub(in crate::rules) fn check(context: &Context<'_>, report: &mut Report) {
    if let Some(scope) = context.dialect().and_then(|dialect| dialect.graphs) {
        host_provided::check(context, scope, KindRole::Graph, report);
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn only_where_it_can_be_known() {
        check_rule(
            "unknown-graph",
            r"
id: child
name: brief
description: Write a brief.
nodes:
  - {id: c, type: agent, agent_id: writer, write_keys: [out]}
edges: []
start_node: c
end_nodes: [c]
---
name: brief
description: Write a brief.
nodes:
  - {id: a, type: subgraph, subgraph_config: {subgraph_id: chlid}}
#                                                          ^^^^^ warning[unknown-graph]: no graph has the id `chlid`
  - {id: b, type: subgraph, subgraph_config: {subgraph_id: another}}
edges: []
start_node: a
end_nodes: [b]
",
        );
    }

    #[test]
    fn a_project_of_graphs_in_files() {
        check_rule(
            "unknown-graph",
            r"
id: child
name: brief
description: Write a brief.
nodes:
  - {id: c, type: agent, agent_id: writer, write_keys: [out]}
edges: []
start_node: c
end_nodes: [c]
---
name: brief
description: Write a brief.
nodes:
  - {id: a, type: subgraph, subgraph_config: {subgraph_id: child}}
  - {id: b, type: subgraph, subgraph_config: {subgraph_id: another}}
#                                                          ^^^^^^^ hint[unknown-graph]: no graph has the id `another`
edges: []
start_node: a
end_nodes: [b]
",
        );
    }

    #[test]
    fn a_near_id_in_agentos() {
        check_rule(
            "unknown-graph",
            r"
#- /b.yaml
id: graph-history
name: a
nodes:
  - {id: a, type: tool, executorConfig: {type: tool, toolName: a}, executionMode: single_turn, effectClass: external, checkpoint: none}
edges: [{id: e1, source: __START__, target: a, type: static}, {id: e2, source: a, target: __END__, type: static}]
#- /main.yaml
id: graph-a
name: a
nodes:
  - id: load
    type: subgraph
    executorConfig: {type: subgraph, graphId: graph-histroy}
#                                             ^^^^^^^^^^^^^ warning[unknown-graph]: no graph has the id `graph-histroy`
  - id: other
    type: subgraph
    executorConfig: {type: subgraph, graphId: from-the-host}
edges: [{id: e1, source: __START__, target: load, type: static}, {id: e2, source: load, target: __END__, type: static}]
",
        );
    }
}
